package engines

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/internal/plan"
	"quartier/internal/testenv"
)

// pretender is a program that does as quartier step run, with folders for files: it ends with 1 where what a step needs is not
// done, and with the code in fails/ID.
const pretender = `#!/bin/bash
shopt -s nullglob
id=${!#} work=$8
echo "$4" >>"$work/attempts/$id"
if [ -e "$work/done/$id" ]; then exit 0; fi
for need in "$work/needs/$id"/*; do [ -e "$work/done/${need##*/}" ] || exit 1; done
code=$(cat "$work/fails/$id" 2>/dev/null) || code=0
if [ "$code" = 1 ]; then rm "$work/fails/$id"; fi
if [ "$code" = 0 ]; then touch "$work/done/$id"; fi
exit "$code"
`

// pretend makes a folder for the pretender, in which steps fail as given.
func pretend(t *testing.T, cluster *testenv.Slurm, fails map[string]string) (p Plan, attempts func(id string) int) {
	t.Helper()
	p = world()
	p.Steps = append(p.Steps, plan.Step{ID: "it's \"odd\"\n$HOME", Needs: []string{"release"}})
	p.Program, p.Work = filepath.Join(cluster.Dir, "pretender"), t.TempDir()
	err := os.WriteFile(p.Program, []byte(pretender), 0o755)
	for _, folder := range []string{"attempts", "done", "fails"} {
		err = errors.Join(err, os.Mkdir(filepath.Join(p.Work, folder), 0o755))
	}
	for _, s := range p.Steps {
		err = errors.Join(err, os.MkdirAll(filepath.Join(p.Work, "needs", s.ID), 0o755))
		for _, need := range s.Needs {
			err = errors.Join(err, os.Mkdir(filepath.Join(p.Work, "needs", s.ID, need), 0o755))
		}
	}
	for id, code := range fails {
		err = errors.Join(err, os.WriteFile(filepath.Join(p.Work, "fails", id), []byte(code), 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
	return p, func(id string) int {
		text, _ := os.ReadFile(filepath.Join(p.Work, "attempts", id))
		lines := strings.Fields(string(text))
		slices.Sort(lines)
		if len(slices.Compact(lines)) != len(lines) {
			t.Errorf("%s: attempts %v", id, lines)
		}
		return len(lines)
	}
}

// TestSlurm runs scripts on the daemons of Slurm: steps come after what they need, an exit code of the plan ends a step and what
// needs it, others are tried again, and a script that runs again has nothing to do.
func TestSlurm(t *testing.T) {
	cluster := testenv.NewSlurm(t)
	cluster.Env = append(cluster.Env, "PAUSE=0", "LOGS=logs")
	p, attempts := pretend(t, cluster, map[string]string{"lend.us-delaware": "1"})
	for round := 1; round <= 2; round++ {
		states := cluster.Submit(t, write(t, "slurm", p))
		if len(states) != len(p.Steps) {
			t.Errorf("jobs %v", states)
		}
		for name, state := range states {
			if state != "COMPLETED" {
				t.Errorf("round %d: %s is %s", round, name, state)
			}
		}
		for _, s := range p.Steps {
			want := round
			if s.ID == "lend.us-delaware" {
				want++
			}
			if got := attempts(s.ID); got != want {
				t.Errorf("round %d: %s has %d attempts, not %d", round, s.ID, got, want)
			}
		}
	}
	p, attempts = pretend(t, cluster, map[string]string{"lend.us-delaware": "6"})
	states := cluster.Submit(t, write(t, "slurm", p))
	for name, want := range map[string]string{
		"ingest.us-delaware": "COMPLETED", "transform.us-texas": "COMPLETED", // others go on
		"lend.us-delaware": "FAILED", "transform.us-delaware": "CANCELLED", "release": "CANCELLED",
	} {
		if states[name] != want {
			t.Errorf("%s is %s, not %s", name, states[name], want)
		}
	}
	if n := attempts("lend.us-delaware"); n != 1 || attempts("release") != 0 {
		t.Errorf("%d attempts of a step that ended with 6, %d of one that needs it", n, attempts("release"))
	}
}
