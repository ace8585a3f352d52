package engines

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/internal/plan"
)

var update = flag.Bool("update", false, "write the golden files")

const gigabyte = 1 << 30

// world is a plan of two regions that lend to each other.
func world() Plan {
	never := []int{2, 3, 4, 6}
	step := func(id, stage, region string, minutes float64, memory int64, class string, needs ...string) plan.Step {
		return plan.Step{ID: id, Stage: stage, Region: region, Needs: needs, Minutes: minutes, Memory: memory, Disk: memory / 2, Class: class,
			NoRetry: never}
	}
	return Plan{
		Steps: []plan.Step{
			step("ingest.us-delaware", "ingest", "us-delaware", 4, gigabyte, plan.ClassSmall),
			step("ingest.us-texas", "ingest", "us-texas", 31.3, 9*gigabyte, plan.ClassLarge),
			step("lend.us-delaware", "lend", "us-delaware", .1, 0, plan.ClassSmall, "ingest.us-delaware", "ingest.us-texas"),
			step("transform.us-delaware", "transform", "us-delaware", 6, 2*gigabyte, plan.ClassSmall, "ingest.us-delaware", "lend.us-delaware"),
			step("transform.us-texas", "transform", "us-texas", 40, 12*gigabyte, plan.ClassLarge, "ingest.us-texas"),
			step("release", "write", "", 20, 2*gigabyte+1, plan.ClassSmall, "transform.us-delaware", "transform.us-texas"),
		},
		Release: "regions/us.yaml", Work: "s3://places/work", Program: "quartier", Arguments: []string{"--data", "/data/it's here"},
		Image: "registry.example/quartier:1.9", Volume: "quartier:/data",
	}
}

func write(t testing.TB, name string, p Plan) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, name, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var golden = map[string]string{"airflow": "airflow.py", "argo": "argo.yaml", "kubernetes": "kubernetes.yaml", "slurm": "slurm.sh"}

func TestGolden(t *testing.T) {
	for _, name := range Names {
		got, path := write(t, name, world()), filepath.Join("testdata", golden[name])
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: not %s; got\n%s", name, path, got)
		}
	}
}

func TestRefused(t *testing.T) {
	for want, change := range map[string]func(p *Plan){
		"no steps":                 func(p *Plan) { p.Steps = nil },
		"\"\" is no id":            func(p *Plan) { p.Steps[0].ID = "" },
		"\"--all\" is no id":       func(p *Plan) { p.Steps[0].ID = "--all" },
		"is there twice":           func(p *Plan) { p.Steps[1].ID = p.Steps[0].ID },
		"needs \"x\", which is no": func(p *Plan) { p.Steps[1].Needs = []string{"x"} },
		"needs itself":             func(p *Plan) { p.Steps[0].Needs = []string{"release"} },
		"without NUL":              func(p *Plan) { p.Work = "a\x00" },
		"of UTF-8":                 func(p *Plan) { p.Arguments = []string{"\xff"} },
		"an image is needed":       func(p *Plan) { p.Image = "" },
		"Argo takes for its own":   func(p *Plan) { p.Work = "{{workflow.name}}" },
		"is not CLAIM:/FOLDER":     func(p *Plan) { p.Volume = "/data" },
	} {
		p := world()
		change(&p)
		var b bytes.Buffer
		if err := Write(&b, "argo", p); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
			t.Errorf("%s: %v, %d bytes", want, err, b.Len())
		}
	}
	if err := Write(&bytes.Buffer{}, "nomad", world()); !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown engine: %v", err)
	}
	p := world()
	p.Image = ""
	write(t, "slurm", p)
	write(t, "airflow", p)
}

// TestNamesAreApart checks that steps whose names differ in letters that an engine does not take keep names of their own.
func TestNamesAreApart(t *testing.T) {
	ids := []string{"a.b", "a-b", "a b", "a-b-2", "9", "Å", strings.Repeat("x", 300), strings.Repeat("x", 301)}
	var steps []plan.Step
	for _, id := range ids {
		steps = append(steps, plan.Step{ID: id})
	}
	for name, other := range allowed {
		tasks, err := order(steps, other)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for i, task := range tasks {
			if names = append(names, task.Name); task.ID != ids[i] || other.MatchString(task.Name) || len(task.Name) > 128 {
				t.Errorf("%s: %q has the name %q", name, task.ID, task.Name)
			}
		}
		slices.Sort(names)
		if len(slices.Compact(names)) != len(ids) {
			t.Errorf("%s: %q", name, names)
		}
	}
}

// TestKubernetesLoop runs the loop at the top of the document with a program in the place of kubectl, whose Jobs of a wave fail after
// one look, or not.
func TestKubernetesLoop(t *testing.T) {
	document := write(t, "kubernetes", world())
	var loop strings.Builder
	for line := range strings.Lines(string(document)) {
		if rest, found := strings.CutPrefix(line, "#   "); found && !strings.Contains(line, "delete job") {
			loop.WriteString(rest)
		}
	}
	for fails, want := range map[string]string{"none": "0 1 2 3", "1": "0 1"} {
		dir := t.TempDir()
		kubectl := `#!/bin/bash
all=$*; wave=${all##*wave=}; wave=${wave%% *}
case $1 in
apply) echo "$wave" >>` + dir + `/applied ;;
wait) [ "$wave" != ` + fails + ` ] && { [ -e ` + dir + `/looked$wave ] || { touch ` + dir + `/looked$wave; exit 1; }; } ;;
get) if [ "$wave" = ` + fails + ` ]; then echo FailureTarget Failed; else echo Suspended; fi ;;
esac
`
		if err := os.WriteFile(filepath.Join(dir, "kubectl"), []byte(kubectl), 0o755); err != nil {
			t.Fatal(err)
		}
		command := exec.Command("bash", "-c", loop.String())
		command.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		applied, err := os.ReadFile(filepath.Join(dir, "applied"))
		if got := strings.Join(strings.Fields(string(applied)), " "); got != want {
			t.Errorf("wave %s fails: %q were applied, want %q, %v", fails, got, want, err)
		}
	}
}
