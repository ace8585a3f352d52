package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/bench/soak/building"
	"quartier/schemas"
)

// TestPlantedFaults plants faults that data have, builds the release on the one before, and wants each refused by its reason
// or held back by its gate, and the release before untouched.
func TestPlantedFaults(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "release")
	if err := os.CopyFS(out, os.DirFS(filepath.Join(townsDir(t), "first"))); err != nil {
		t.Fatal(err)
	}
	before, err := schemas.ReadManifest(out)
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	for _, fault := range building.DataFaults {
		t.Run(fault.Name, func(t *testing.T) {
			sources := worldCopy(t)
			undeclare(t, sources)
			if err := fault.PlantIn(sources); err != nil {
				t.Fatal(err)
			}
			code, _, errs := quartier("build", "--release", filepath.Join(sources, "release.yaml"), "--previous", out, "--out", out, "--force",
				"--work", work)
			message := lastError(errs)
			for _, text := range fault.Says {
				if code != fault.Exit() || !strings.Contains(message, text) {
					t.Errorf("exit code %d, want %d with %q: %s", code, fault.Exit(), text, message)
				}
			}
			if after, err := schemas.ReadManifest(out); err != nil || after.Digest != before.Digest {
				t.Errorf("the last release was touched: %v", err)
			}
		})
	}
}
