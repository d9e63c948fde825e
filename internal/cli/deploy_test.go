package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"go.yaml.in/yaml/v3"

	"tengen/internal/web"
)

const deploy = "../../deploy"

// deployed are the files under deploy whose names match, with their text.
func deployed(t *testing.T, pattern string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(deploy, pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no file is like %s: %v", pattern, err)
	}
	files := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = string(text)
	}
	return files
}

// Every command in the files for clusters has flags and arguments that it takes.
func TestDeployedCommands(t *testing.T) {
	for pattern, commands := range map[string]func(*testing.T, string) [][]string{
		"kubernetes*/*.yaml": containerCommands,
		"systemd/*.service":  lineCommands(`(?m)^ExecStart=/usr/local/bin/tengen (.*)$`),
		"slurm/*.sbatch":     lineCommands(`(?m)^exec tengen (.*)$`),
	} {
		found := 0
		for path, text := range deployed(t, pattern) {
			for _, args := range commands(t, text) {
				found++
				checkCommand(t, path, args)
			}
		}
		if found < 2 {
			t.Errorf("%s: %d commands, where a master and a worker should be", pattern, found)
		}
	}
}

// The image serves by default, on a port that it names.
func TestContainerServes(t *testing.T) {
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^CMD (.*)$`).FindSubmatch(text)
	var args []string
	if found == nil || json.Unmarshal(found[1], &args) != nil || len(args) == 0 || args[0] != "serve" {
		t.Fatalf("the image runs %s", found)
	}
	checkCommand(t, "Dockerfile", args)
	cmd := newServe(&app{})
	if err := cmd.ParseFlags(args[1:]); err != nil {
		t.Fatal(err)
	}
	addr, _ := cmd.Flags().GetString("addr")
	public, _ := cmd.Flags().GetBool("public")
	if _, err := web.CheckAddress(addr, public, nil); err != nil {
		t.Error(err)
	}
	if _, port, _ := strings.Cut(addr, ":"); !regexp.MustCompile(`(?m)^EXPOSE ` + port + `$`).Match(text) {
		t.Errorf("the port of %s is not named", addr)
	}
}

func checkCommand(t *testing.T, path string, args []string) {
	t.Helper()
	cmd, rest, err := newRoot(&app{}).Find(args)
	if err == nil && cmd.RunE == nil {
		t.Errorf("%s: %q is no command", path, args)
		return
	}
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if err != nil {
		t.Errorf("%s: %q: %v", path, args, err)
	}
}

// lineCommands finds commands in lines.
func lineCommands(pattern string) func(*testing.T, string) [][]string {
	return func(_ *testing.T, text string) (list [][]string) {
		for _, found := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			list = append(list, strings.Fields(found[1]))
		}
		return list
	}
}

// containerCommands are the arguments of containers with the image of this program.
func containerCommands(t *testing.T, text string) (list [][]string) {
	t.Helper()
	for _, document := range documents(t, text) {
		visit(document, func(container map[string]any) {
			image, _ := container["image"].(string)
			args, _ := container["args"].([]any)
			if !strings.HasPrefix(image, "tengen:") {
				return
			}
			var words []string
			for _, arg := range args {
				words = append(words, arg.(string))
			}
			list = append(list, words)
		})
	}
	return list
}

func documents(t *testing.T, text string) (list []any) {
	t.Helper()
	for part := range strings.SplitSeq(text, "\n---\n") {
		var document any
		if err := yaml.Unmarshal([]byte(part), &document); err != nil {
			t.Fatal(err)
		}
		list = append(list, document)
	}
	return list
}

// visit goes through all mappings below a node.
func visit(node any, see func(map[string]any)) {
	switch node := node.(type) {
	case map[string]any:
		see(node)
		for _, below := range node {
			visit(below, see)
		}
	case []any:
		for _, below := range node {
			visit(below, see)
		}
	}
}

// The NATS server takes its configuration.
func TestDeployedServer(t *testing.T) {
	t.Setenv("POD_NAME", "nats-0")
	t.Setenv("TENGEN_TOKEN", "t0123")
	found := false
	for _, document := range documents(t, deployed(t, "kubernetes/nats.yaml")[filepath.Join(deploy, "kubernetes/nats.yaml")]) {
		visit(document, func(m map[string]any) {
			text, ok := m["nats.conf"].(string)
			if !ok {
				return
			}
			found = true
			o := &server.Options{}
			if err := o.ProcessConfigString(text); err != nil {
				t.Error(err)
			}
			if o.Port != 4222 || o.HTTPPort != 8222 || o.Cluster.Port != 6222 || len(o.Routes) != 3 || o.Authorization != "t0123" || !o.JetStream || o.ServerName != "nats-0" {
				t.Errorf("the server is configured otherwise: %+v", o)
			}
		})
	}
	if !found {
		t.Error("no configuration is there")
	}
}

// systemd takes the units, and bash the scripts, where these are installed.
func TestDeployedUnitsAndScripts(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for path, text := range deployed(t, "systemd/*.service") {
		unit := filepath.Join(dir, strings.ReplaceAll(filepath.Base(path), "@", "@1"))
		if err := os.WriteFile(unit, []byte(strings.ReplaceAll(text, "/usr/local/bin/tengen", program)), 0o644); err != nil {
			t.Fatal(err)
		}
		checkWith(t, "systemd-analyze", "verify", "--man=no", unit)
	}
	for path := range deployed(t, "slurm/*.sbatch") {
		checkWith(t, "bash", "-n", path)
	}
}

// checkWith has a program judge the file that comes last, if the program is there and has
// something to say of this file.
func checkWith(t *testing.T, program string, args ...string) {
	t.Helper()
	file := filepath.Base(args[len(args)-1])
	if _, err := exec.LookPath(program); err != nil {
		t.Logf("no %s: %s is not checked by it", program, file)
		return
	}
	if said, err := exec.Command(program, args...).CombinedOutput(); strings.Contains(string(said), file) {
		t.Errorf("%s: %v\n%s", program, err, said)
	}
}
