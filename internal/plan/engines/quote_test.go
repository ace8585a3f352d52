package engines

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"quartier/internal/plan"
	"quartier/internal/testenv"
)

// words that shells, YAML, Python or Kubernetes could take for something else.
var awkward = []string{"", "it's", `"`, `\`, "$HOME", "$(id)", "$$", "`id`", "a b", "\n", "\r\n", "\t", "#", "- x", ": ", "~", "*", "{{x}}",
	"%s", "--help", "=", "a=b", "é",
	"\u2028", "\u0085", "\U0001F600", "\ufeff", "\x1b", "\x7f", "yes", "0x1", "!", "&&", "'''", `\'`, "$'", "|"}

func drawnWord() *rapid.Generator[string] {
	piece := rapid.OneOf(rapid.SampledFrom(awkward), rapid.String())
	return rapid.Custom(func(t *rapid.T) string {
		return strings.ReplaceAll(strings.Join(rapid.SliceOfN(piece, 1, 4).Draw(t, "pieces"), ""), "\x00", "")
	})
}

// odd is a plan of two steps with awkward words everywhere.
func odd(t *rapid.T) Plan {
	word := drawnWord()
	id := "a" + word.Draw(t, "id")
	p := Plan{
		Steps:   []plan.Step{{ID: id}, {ID: id + "b", Needs: []string{id}, NoRetry: []int{2}}},
		Release: word.Draw(t, "release"), Work: word.Draw(t, "work"), Program: "./" + word.Draw(t, "program"),
		Arguments: rapid.SliceOfN(word, 0, 3).Draw(t, "arguments"), Image: "i" + word.Draw(t, "image"),
	}
	return p
}

// want are the arguments of the second step's program, as NUL ends each.
func want(p Plan, attempt string) string {
	args := []string{"step", "run", "--attempt", attempt, "--release", p.Release, "--work", p.Work}
	return strings.Join(append(append(args, p.Arguments...), p.Steps[1].ID), "\x00") + "\x00"
}

// expand does what a kubelet does with the arguments of a container.
func expand(text string, env map[string]string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '$' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		end := strings.IndexByte(text[i:], ')')
		value, known := "", false
		if text[i] == '(' && end > 0 {
			value, known = env[text[i+1:i+end]]
		}
		switch {
		case text[i] == '$':
			b.WriteByte('$')
		case known:
			b.WriteString(value)
			i += end
		default:
			b.WriteString("$" + text[i:i+1])
		}
	}
	return b.String()
}

// printer is a program that prints its arguments, each with a NUL after it.
func printer(t testing.TB) string {
	path := filepath.Join(t.TempDir(), "printer")
	if err := os.WriteFile(path, []byte("#!/bin/sh\nprintf '%s\\0' \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestWordsArrive draws plans and checks that the words of a step arrive at its program as they are: by a YAML parser and a shell,
// by bash, by Python.
func TestWordsArrive(t *testing.T) {
	testenv.NeedProgram(t, "python3")
	program := printer(t)
	t.Run("kubernetes", func(t *testing.T) {
		rapid.Check(t, func(r *rapid.T) { containers(r, "kubernetes", odd(r), program) })
	})
	t.Run("argo", func(t *testing.T) {
		rapid.Check(t, func(r *rapid.T) {
			p := odd(r)
			if Write(&bytes.Buffer{}, "argo", p) == nil {
				workflow(r, p)
			}
		})
	})
	t.Run("slurm", func(t *testing.T) {
		rapid.Check(t, func(r *rapid.T) { script(r, odd(r), program) })
	})
	t.Run("airflow", func(t *testing.T) {
		interpret(t, program)
	})
}

func containers(t *rapid.T, name string, p Plan, program string) {
	p.Program = program
	var b bytes.Buffer
	if err := Write(&b, name, p); err != nil {
		t.Fatal(err)
	}
	list := yaml.NewDecoder(&b)
	var job struct {
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct {
						Image         string
						Command, Args []string
					}
				}
			}
		}
	}
	for range 2 {
		if err := list.Decode(&job); err != nil {
			t.Fatal(err)
		}
	}
	c := job.Spec.Template.Spec.Containers[0]
	if c.Image != p.Image {
		t.Fatalf("image %q, want %q", c.Image, p.Image)
	}
	var args []string
	for _, word := range slices.Concat(c.Command, c.Args) {
		args = append(args, expand(word, map[string]string{"id": "expanded"}))
	}
	command := exec.Command(args[0], args[1:]...)
	command.Env = []string{"JOB_COMPLETION_INDEX=0", "FAILED=2", "IGNORED=", "PATH=" + os.Getenv("PATH")}
	if out, err := command.Output(); err != nil || string(out) != want(p, "3") {
		t.Fatalf("%v: %q, want %q", err, out, want(p, "3"))
	}
}

// workflow puts parameters in their places, as Argo does.
func workflow(t *rapid.T, p Plan) {
	var b bytes.Buffer
	if err := Write(&b, "argo", p); err != nil {
		t.Fatal(err)
	}
	type parameters struct {
		Parameters []struct{ Name, Value string }
	}
	var w struct {
		Spec struct {
			Arguments parameters
			Templates []struct {
				DAG struct {
					Tasks []struct {
						Name         string
						Dependencies []string
						Arguments    parameters
					}
				}
				Container struct {
					Image         string
					Command, Args []string
				}
			}
		}
	}
	if err := yaml.Unmarshal(b.Bytes(), &w); err != nil {
		t.Fatal(err)
	}
	tags := []string{"{{workflow.creationTimestamp.s}}", "17", "{{retries}}", "0"}
	for _, q := range w.Spec.Arguments.Parameters {
		tags = append(tags, "{{workflow.parameters."+q.Name+"}}", q.Value)
	}
	tasks := w.Spec.Templates[0].DAG.Tasks
	for _, q := range tasks[1].Arguments.Parameters {
		tags = append(tags, "{{inputs.parameters."+q.Name+"}}", q.Value)
	}
	if !slices.Equal(tasks[1].Dependencies, []string{tasks[0].Name}) {
		t.Fatalf("dependencies %q of %q", tasks[1].Dependencies, tasks)
	}
	c, text := w.Spec.Templates[1].Container, strings.NewReplacer(tags...)
	if text.Replace(c.Image) != p.Image {
		t.Fatalf("image %q, want %q", text.Replace(c.Image), p.Image)
	}
	got := ""
	for _, word := range slices.Concat(c.Command, c.Args) {
		got += expand(text.Replace(word), map[string]string{"id": "expanded"}) + "\x00"
	}
	if got != p.Program+"\x00"+want(p, "170") {
		t.Fatalf("%q, want %q", got, want(p, "170"))
	}
}

// script runs the script with a sbatch that runs jobs at once.
func script(t *rapid.T, p Plan, program string) {
	p.Program = program
	var b bytes.Buffer
	if err := Write(&b, "slurm", p); err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsRune(b.Bytes(), '\r') {
		t.Fatal("sbatch refuses line breaks of DOS")
	}
	const fakes = `sbatch() { while [ "$1" != "$0" ]; do shift; done; SLURM_JOB_ID=1 bash "$@" >last; echo 1; }
		scontrol() { :; }
		export -f sbatch scontrol
		exec bash script`
	dir, err := os.MkdirTemp("", "quartier-script-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "script"), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("bash", "-c", fakes)
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "last")); err != nil || string(got) != want(p, "1000") {
		t.Fatalf("%v: %q, want %q", err, got, want(p, "1000"))
	}
}
