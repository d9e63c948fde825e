package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"tengen/internal/text"
)

// verifiedChecker is the program that the folder verified makes.
const verifiedChecker = "tengen-verified"

// verifyWithVerified runs the verified checker on a certificate and prints its answer.
func (a *app) verifyWithVerified(ctx context.Context, path string, asJSON bool) error {
	program, err := exec.LookPath(verifiedChecker)
	if err != nil {
		return fmt.Errorf("--with verified needs the program %s on the path: run make verified, which makes bin/%[1]s", verifiedChecker)
	}
	// A name that begins with a dash would be taken for a flag.
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	cmd := exec.CommandContext(ctx, program, "--json", path)
	var out bytes.Buffer
	cmd.Stdout = &out
	log, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", program, err)
	}
	status := newStatus(a.err)
	message := ""
	for lines := bufio.NewScanner(log); lines.Scan(); {
		var done, total uint64
		if n, _ := fmt.Sscanf(lines.Text(), "progress %d %d", &done, &total); n == 2 {
			status.show(fmt.Sprintf("%s of %s positions", text.Thousands(done), text.Thousands(total)))
		} else {
			message = strings.TrimPrefix(lines.Text(), verifiedChecker+": ")
		}
	}
	err = cmd.Wait()
	status.clear()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var verdict verdictJSON
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && failed.ExitCode() > 1 && message != "" {
		return errors.New(message)
	} else if json.Unmarshal(out.Bytes(), &verdict) != nil || verdict.Checker == "" || verdict.Valid != (err == nil) {
		return fmt.Errorf("%s gave no answer (%v): make it again with make verified", program, err)
	}
	return a.printVerified(verdict, asJSON)
}

func (a *app) printVerified(v verdictJSON, asJSON bool) error {
	var err error
	switch {
	case asJSON:
		err = a.printJSON(v)
	case v.Valid:
		a.printf("%s: %s wins %s with %s to play, %s, %s, by the verified checker\n", a.paint(good, "valid"), v.Winner, v.Size, v.ToPlay,
			text.Plural(v.Positions, "position"), text.Plural(v.EndgameSearches, "endgame search"))
	case v.Failure == nil:
		err = errors.New("the verified checker refused the certificate without a reason")
	default:
		a.printf("%s: in %s: %s, by the verified checker\n", a.paint(bad, "not valid"), v.Failure.Position, v.Failure.Reason)
	}
	if err == nil && !v.Valid {
		return errNo
	}
	return err
}
