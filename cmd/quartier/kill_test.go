package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"quartier/bench/soak/building"
	"quartier/internal/drill"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/internal/testenv"
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

// killAfterPart runs the program until the first part of the file out is finished, and kills it.
func killAfterPart(t *testing.T, out string, args ...string) {
	t.Helper()
	killed := child(args...)
	require.NoError(t, killed.Start())
	testenv.Eventually(t, "a part is finished", func() bool {
		_, err := os.Stat(filepath.Join(out+".parts", "part-000000.rows.json"))
		return err == nil
	})
	require.NoError(t, killed.Process.Kill())
	if err := killed.Wait(); err == nil {
		t.Log("the run ended before it was killed")
	}
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
