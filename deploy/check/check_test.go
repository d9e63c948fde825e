// Package check decodes the manifests of deploy/kubernetes and kubernetes-serve into the types of Kubernetes,
// where a field that is not known is an error, and sees that they fit together. Flags of
// the program are checked with the program, in internal/cli.
package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"
)

// kinds are those that the manifests may have.
var kinds = map[string]func() any{
	"v1 ConfigMap":                       func() any { return &corev1.ConfigMap{} },
	"v1 Service":                         func() any { return &corev1.Service{} },
	"v1 PersistentVolumeClaim":           func() any { return &corev1.PersistentVolumeClaim{} },
	"apps/v1 Deployment":                 func() any { return &appsv1.Deployment{} },
	"apps/v1 StatefulSet":                func() any { return &appsv1.StatefulSet{} },
	"batch/v1 Job":                       func() any { return &batchv1.Job{} },
	"policy/v1 PodDisruptionBudget":      func() any { return &policyv1.PodDisruptionBudget{} },
	"networking.k8s.io/v1 NetworkPolicy": func() any { return &networkingv1.NetworkPolicy{} },
}

// manifests are all documents, decoded strictly.
func manifests(t *testing.T) (list []any) {
	t.Helper()
	paths, err := filepath.Glob("../kubernetes*/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d manifests: %v", len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "\n---\n") {
			var is metav1.TypeMeta
			if err := yaml.Unmarshal([]byte(part), &is); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			decoded, known := kinds[is.APIVersion+" "+is.Kind]
			if !known {
				t.Errorf("%s: %q is no kind that is checked", path, is)
				continue
			}
			into := decoded()
			if err := yaml.UnmarshalStrict([]byte(part), into); err != nil {
				t.Errorf("%s, %s: %v", path, is.Kind, err)
			}
			list = append(list, into)
		}
	}
	return list
}

// pods are the templates of what runs, by name.
type pods map[string]corev1.PodTemplateSpec

func podsOf(t *testing.T, list []any) pods {
	t.Helper()
	p := pods{}
	selected := func(name string, s *metav1.LabelSelector, template corev1.PodTemplateSpec) {
		p[name] = template
		if !selects(t, s, template) {
			t.Errorf("%s does not select its own pods", name)
		}
	}
	for _, m := range list {
		switch m := m.(type) {
		case *appsv1.Deployment:
			selected(m.Name, m.Spec.Selector, m.Spec.Template)
		case *appsv1.StatefulSet:
			selected(m.Name, m.Spec.Selector, m.Spec.Template)
		case *batchv1.Job:
			p[m.Name] = m.Spec.Template
		}
	}
	return p
}

func selects(t *testing.T, s *metav1.LabelSelector, template corev1.PodTemplateSpec) bool {
	t.Helper()
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		t.Fatal(err)
	}
	return !selector.Empty() && selector.Matches(labels.Set(template.Labels))
}

func TestManifestsFitTogether(t *testing.T) {
	list := manifests(t)
	running := podsOf(t, list)
	there := map[string]bool{}
	services := map[string]*corev1.Service{}
	for _, m := range list {
		switch m := m.(type) {
		case *corev1.ConfigMap:
			there["ConfigMap "+m.Name] = true
		case *corev1.PersistentVolumeClaim:
			there["PersistentVolumeClaim "+m.Name] = true
		case *corev1.Service:
			services[m.Name] = m
			running.take(t, "Service "+m.Name, &metav1.LabelSelector{MatchLabels: m.Spec.Selector}, targets(m))
		case *policyv1.PodDisruptionBudget:
			running.take(t, "PodDisruptionBudget "+m.Name, m.Spec.Selector, nil)
		case *networkingv1.NetworkPolicy:
			var ports []intstr.IntOrString
			for _, rule := range m.Spec.Ingress {
				for _, port := range rule.Ports {
					ports = append(ports, *port.Port)
				}
				for _, from := range rule.From {
					running.take(t, "NetworkPolicy "+m.Name, from.PodSelector, nil)
				}
			}
			running.take(t, "NetworkPolicy "+m.Name, &m.Spec.PodSelector, ports)
		}
	}
	for _, m := range list {
		if s, ok := m.(*appsv1.StatefulSet); ok {
			if services[s.Spec.ServiceName] == nil || *s.Spec.Replicas != 3 {
				t.Errorf("%s has no service, or not three pods", s.Name)
			}
			for _, claim := range s.Spec.VolumeClaimTemplates {
				there["claim of "+s.Name+" "+claim.Name] = true
			}
		}
	}
	for name, template := range running {
		checkPod(t, name, template.Spec, there)
		checkServer(t, name, template.Spec, services)
	}
	if len(running) != 4 {
		t.Errorf("%d things run, not servers, master, workers and page", len(running))
	}
}

func targets(s *corev1.Service) (list []intstr.IntOrString) {
	for _, port := range s.Spec.Ports {
		list = append(list, port.TargetPort)
	}
	return list
}

// take sees that a selector has pods, and these the ports.
func (p pods) take(t *testing.T, what string, s *metav1.LabelSelector, ports []intstr.IntOrString) {
	t.Helper()
	found := false
	for name, template := range p {
		if !selects(t, s, template) {
			continue
		}
		found = true
		for _, port := range ports {
			if _, ok := portOf(template.Spec, port); !ok {
				t.Errorf("%s wants port %s, which %s does not have", what, port.String(), name)
			}
		}
	}
	if !found {
		t.Errorf("%s selects no pod", what)
	}
}

func portOf(s corev1.PodSpec, want intstr.IntOrString) (int32, bool) {
	for _, c := range s.Containers {
		for _, port := range c.Ports {
			if port.Name == want.StrVal && want.Type == intstr.String || port.ContainerPort == want.IntVal && want.Type == intstr.Int {
				return port.ContainerPort, true
			}
		}
	}
	return 0, false
}

// checkPod looks at what every pod is to have: limits, no rights, volumes and secrets that
// are there, probes that lead somewhere.
func checkPod(t *testing.T, name string, s corev1.PodSpec, there map[string]bool) {
	t.Helper()
	if s.SecurityContext == nil || s.SecurityContext.RunAsNonRoot == nil || !*s.SecurityContext.RunAsNonRoot || s.TerminationGracePeriodSeconds == nil {
		t.Errorf("%s may be root, or has no time to end", name)
	}
	volumes := map[string]bool{}
	for _, v := range s.Volumes {
		volumes[v.Name] = true
		if m := v.ConfigMap; m != nil && !there["ConfigMap "+m.Name] {
			t.Errorf("%s: there is no config map %s", name, m.Name)
		}
		if c := v.PersistentVolumeClaim; c != nil && !there["PersistentVolumeClaim "+c.ClaimName] {
			t.Errorf("%s: there is no claim %s", name, c.ClaimName)
		}
	}
	for _, c := range s.Containers {
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] && !there["claim of "+name+" "+m.Name] {
				t.Errorf("%s: there is no volume %s", name, m.Name)
			}
		}
		for _, p := range []*corev1.Probe{c.StartupProbe, c.ReadinessProbe, c.LivenessProbe} {
			if p == nil {
				continue
			}
			if _, ok := portOf(s, p.HTTPGet.Port); !ok {
				t.Errorf("%s is probed at port %s, which it does not have", name, p.HTTPGet.Port.String())
			}
		}
		checkContainer(t, name, c)
	}
}

func checkContainer(t *testing.T, name string, c corev1.Container) {
	t.Helper()
	limit := c.Resources.Limits[corev1.ResourceMemory]
	if limit.IsZero() || c.Resources.Requests.Cpu().IsZero() || c.Resources.Requests.Memory().Cmp(limit) > 0 {
		t.Errorf("%s: memory is not limited, or nothing is asked for", name)
	}
	for _, arg := range c.Args {
		text, ok := strings.CutPrefix(arg, "--memory=")
		if !ok {
			continue
		}
		memory, err := resource.ParseQuantity(strings.TrimSuffix(text, "B"))
		if err != nil || memory.Cmp(limit) >= 0 {
			t.Errorf("%s: %s in a container with %s: %v", name, arg, limit.String(), err)
		}
	}
	token := name == "tengen-serve" // it watches no cluster
	for _, e := range c.Env {
		if e.Name == "TENGEN_TOKEN" {
			token = e.ValueFrom != nil && e.ValueFrom.SecretKeyRef != nil && e.ValueFrom.SecretKeyRef.Name == "tengen" && e.ValueFrom.SecretKeyRef.Key == "token"
		}
	}
	if !token {
		t.Errorf("%s does not have the token from the secret", name)
	}
	if s := c.SecurityContext; s == nil || s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem || s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation {
		t.Errorf("%s: a container has more rights than it needs", name)
	}
}

// checkServer sees that --nats names a service and a port that are there.
func checkServer(t *testing.T, name string, s corev1.PodSpec, services map[string]*corev1.Service) {
	t.Helper()
	for _, c := range s.Containers {
		for _, arg := range c.Args {
			address, ok := strings.CutPrefix(arg, "--nats=nats://")
			if !ok {
				continue
			}
			host, port, _ := strings.Cut(address, ":")
			found := false
			if service := services[host]; service != nil {
				for _, p := range service.Spec.Ports {
					want := intstr.FromInt32(p.Port)
					found = found || want.String() == port
				}
			}
			if !found {
				t.Errorf("%s: %s is no service that is there", name, arg)
			}
		}
	}
}
