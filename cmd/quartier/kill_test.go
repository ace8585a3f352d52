package main

import (
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quartier/cmd/quartier/pipeline"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/internal/stamp"
)

// Long runs: make soak.
var (
	kills    = flag.Int("kills", 20, "builds that TestKilledBuildContinues kills; more than 20 kill builds of the whole synthetic world")
	killSeed = flag.Uint64("killseed", 1, "seed of the moments at which builds are killed")
)

// child returns a process that runs the program, which may be killed.
func child(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=yes")
	return cmd
}

// finishedSteps lists the steps of which a stopped build left a whole stamp, as the report names them.
func finishedSteps(t *testing.T, work, out string) (list []string) {
	t.Helper()
	phases := map[string]string{".staged.duckdb": " ingest", ".lent.duckdb": " lend", ".derived.duckdb": " transform"}
	for _, folder := range []string{work, filepath.Join(filepath.Dir(out), "."+filepath.Base(out)+".partial", "stamps")} {
		found, err := filepath.Glob(filepath.Join(folder, "*.stamp"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			if s := stamp.Read(path); s == nil || s.Broken {
				continue
			}
			name := pipeline.BuildStep(strings.TrimSuffix(filepath.Base(path), ".stamp"))
			for suffix, phase := range phases {
				if region, ok := strings.CutSuffix(filepath.Base(path), suffix+".stamp"); ok {
					name = region + phase
				}
			}
			list = append(list, name)
		}
	}
	return list
}

// sameFiles fails if two folders do not have the same files, byte for byte.
func sameFiles(t *testing.T, want, got string) {
	t.Helper()
	entries, err := os.ReadDir(want)
	if err != nil {
		t.Fatal(err)
	}
	others, err := os.ReadDir(got)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(others) || len(entries) == 0 {
		t.Errorf("%d files in %s, and %d in %s", len(entries), want, len(others), got)
	}
	for _, e := range entries {
		if readText(t, filepath.Join(want, e.Name())) != readText(t, filepath.Join(got, e.Name())) {
			t.Errorf("%s differs between %s and %s", e.Name(), want, got)
		}
	}
}

// TestKilledBuildContinues kills builds at random moments and runs them again. The release is that of a build that was not
// killed, byte for byte, and no finished step is run twice.
func TestKilledBuildContinues(t *testing.T) {
	spatialitetest.Need(t)
	world, dir := filepath.Join(townsDir(t), "sources"), t.TempDir()
	of := []string{"build", "--pbf", filepath.Join(world, "osm", "landing.osm.pbf"), "--as-of", "2024-05-01"}
	if *kills > 20 {
		of = []string{"build", "--release", filepath.Join(world, "release.yaml")}
	}
	whole := filepath.Join(dir, "whole")
	begun := time.Now()
	if out, err := child(append(of, "--out", whole)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	took := time.Since(begun)
	random := rand.New(rand.NewPCG(*killSeed, 0))
	t.Logf("%d kills within %v, seed %d", *kills, took, *killSeed)
	finished, reused := 0, 0
	for done, tries := 0, 0; done < *kills && tries < 3**kills; tries++ {
		out := filepath.Join(t.TempDir(), "r")
		args := append(slices.Clone(of), "--out", out)
		killed := child(args...)
		if err := killed.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Int64N(int64(took))))
		killed.Process.Kill()
		killed.Wait()
		if _, err := os.Stat(out); err == nil {
			sameFiles(t, whole, out) // it was too late
			continue
		}
		done++
		before := finishedSteps(t, out+".work", out)
		mustRun(t, args...)
		sameFiles(t, whole, out)
		again := 0
		for _, s := range lastRun(t, out+".work") {
			if slices.Contains(before, s.name) {
				finished++
				if s.reused {
					reused++
				} else {
					again++
				}
			}
		}
		t.Logf("kill %d: %d steps were finished, %d of them ran again", done, len(before), again)
	}
	if t.Logf("%d of %d finished steps were reused", reused, finished); 100*reused < 95*finished || finished == 0 {
		t.Errorf("%d of %d finished steps were reused, want 95 %%", reused, finished)
	}
}
