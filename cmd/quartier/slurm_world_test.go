package main

import (
	"os"
	"path/filepath"
	"testing"

	"quartier/internal/spatialite/spatialitetest"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// TestSlurmBuildsTheRelease builds the synthetic world on the daemons of Slurm, by the script that step plan prints: the release is
// that of quartier build.
func TestSlurmBuildsTheRelease(t *testing.T) {
	t.Parallel()
	spatialitetest.Need(t)
	cluster := testenv.NewSlurm(t)
	cluster.Env = append(cluster.Env, "PAUSE=0", "LOGS=logs", asProgram+"=yes")
	towns, work := townsDir(t), filepath.Join(t.TempDir(), "it's work")
	script, _ := mustRun(t, "step", "plan", "--release", filepath.Join(towns, "sources", "release.yaml"), "--work", work, "--as", "slurm",
		"--program", os.Args[0])
	states := cluster.Submit(t, []byte(script))
	if states["publish"] == "" {
		t.Errorf("jobs %v", states)
	}
	for name, state := range states {
		if state != "COMPLETED" {
			log, _ := os.ReadFile(filepath.Join(cluster.Dir, "logs", name+".log"))
			t.Errorf("%s is %s\n%s", name, state, log)
		}
	}
	want, err := schemas.ReadHead(filepath.Join(towns, "first"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := schemas.ReadHead(filepath.Join(work, "release"))
	if err != nil || got.Digest != want.Digest {
		t.Errorf("the release is %v, not %v: %v", got, want, err)
	}
}
