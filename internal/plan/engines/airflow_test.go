package engines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/testenv"
)

// runDAG compiles a file of a DAG and runs it with the module of testdata in the place of Airflow, then what is in do.
func runDAG(t testing.TB, p Plan, do string) (out []byte) {
	t.Helper()
	testenv.NeedProgram(t, "python3")
	dag := filepath.Join(t.TempDir(), "dag.py")
	if err := os.WriteFile(dag, write(t, "airflow", p), 0o600); err != nil {
		t.Fatal(err)
	}
	stub, err := filepath.Abs("testdata/python")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-m", "py_compile", dag}, {"-W", "error", "-c", "import json, sys; from dag import *\n" + do}} {
		command := exec.Command("python3", args...)
		command.Dir = filepath.Dir(dag)
		command.Env = append(os.Environ(), "PYTHONPATH="+stub+":"+filepath.Dir(dag), "PYTHONDONTWRITEBYTECODE=1")
		var errs bytes.Buffer
		command.Stderr = &errs
		if out, err = command.Output(); err != nil {
			t.Fatalf("%v\n%s", err, errs.Bytes())
		}
	}
	return out
}

func TestAirflowGraph(t *testing.T) {
	var got map[string]struct {
		Upstream []string
		Queue    string
		Minutes  float64
		Retries  int
	}
	out := runDAG(t, world(), `
print(json.dumps({t.step_id: dict(upstream=sorted(u.step_id for u in t.upstream), queue=t.options["queue"], retries=t.options["retries"],
    minutes=t.options["execution_timeout"].total_seconds() / 60) for t in dag.tasks}))`)
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	steps := world().Steps
	if len(got) != len(steps) {
		t.Errorf("%d tasks: %v", len(got), slices.Sorted(maps.Keys(got)))
	}
	for _, s := range steps {
		task := got[s.ID]
		slices.Sort(s.Needs)
		if !slices.Equal(task.Upstream, s.Needs) || task.Retries != Retries || task.Minutes < s.Minutes*patience || task.Queue != "default" {
			t.Errorf("%s: %+v", s.ID, task)
		}
	}
}

// TestAirflowExitCodes runs the operator with programs that end with some codes.
func TestAirflowExitCodes(t *testing.T) {
	p := world()
	p.Program = filepath.Join(t.TempDir(), "ends")
	if err := os.WriteFile(p.Program, []byte("#!/bin/sh\nfor id; do :; done\necho attempt $4 of $id\nexit $CODE\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	out := runDAG(t, p, `
import os
from airflow import TaskInstance
for code in 0, 1, 2, 6, 7, 8, 137:
    os.environ["CODE"] = str(code)
    try:
        dag.tasks[0].execute({"ti": TaskInstance(3)})
        print(code, "done")
    except Exception as e:
        print(code, type(e).__name__)
print(*dag.tasks[0].log.lines[0])
t = dag.tasks[0]
t.process = subprocess.Popen(["sleep", "60"])
t.on_kill()
print(t.process.wait())
`)
	const fails, again = "AirflowFailException", "AirflowException"
	want := fmt.Sprintf("0 done\n1 %[2]s\n2 %[1]s\n6 %[1]s\n7 %[2]s\n8 %[1]s\n137 %[2]s\nattempt 3 of ingest.us-delaware\n-15\n", fails, again)
	if string(out) != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

// interpret draws plans and checks them by one process of Python, which is slow to start.
func interpret(t *testing.T, program string) {
	var plans []Plan
	rapid.Check(t, func(r *rapid.T) { plans = append(plans, odd(r)) })
	dir := t.TempDir()
	for i, p := range plans {
		p.Program = program
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("dag%d.py", i)), write(t, "airflow", p), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	loop := fmt.Sprintf(`
import importlib
from airflow import TaskInstance
sys.path.insert(0, %q)
for i in range(%d):
    t = importlib.import_module(f"dag{i}").dag.tasks[1]
    print(json.dumps([t.step_id] + sys.modules[f"dag{i}"].OPTIONS))
`, dir, len(plans))
	for i, line := range strings.Split(strings.TrimSpace(string(runDAG(t, world(), loop))), "\n") {
		p := plans[i]
		var got []string
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		if want := append([]string{p.Steps[1].ID, "--release", p.Release, "--work", p.Work}, p.Arguments...); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
