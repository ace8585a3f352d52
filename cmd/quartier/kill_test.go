package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"quartier/bench/soak/building"
	"quartier/internal/drill"
	"quartier/internal/spatialite/spatialitetest"
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

// sameFiles fails if two folders do not have the same files, byte for byte.
func sameFiles(t *testing.T, want, got string) {
	t.Helper()
	if err := building.SameFiles(want, got); err != nil {
		t.Error(err)
	}
}

// TestKilledBuildContinues kills builds at random moments and runs them again. The release is that of a build that was not
// killed, byte for byte, and no finished step is run twice.
func TestKilledBuildContinues(t *testing.T) {
	t.Parallel()
	spatialitetest.Need(t)
	world := filepath.Join(townsDir(t), "sources")
	of := []string{"--pbf", filepath.Join(world, "osm", "landing.osm.pbf"), "--as-of", "2024-05-01"}
	if *kills > 20 {
		of = []string{"--release", filepath.Join(world, "release.yaml")}
	}
	done := building.Kills(drill.Steps(t, *killSeed, *kills), building.Builds{Program: child, Args: of}, building.KillFaults{})
	t.Logf("%d kills, seed %d; %d of %d finished steps were reused", done.Kills, *killSeed, done.Reused, done.Finished)
}
