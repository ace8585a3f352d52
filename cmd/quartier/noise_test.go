package main

import (
	"crypto/sha256"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/build/identity"
	"quartier/build/previous"
	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/schemas"
)

// TestTownsKeepIDsInNoise moves all outlines of the first release, of every level, by what a publisher's outlines move from year to
// year: all ids are kept, although nobody says who lives there.
func TestTownsKeepIDsInNoise(t *testing.T) {
	dir := filepath.Join(townsDir(t), "first")
	r, err := previous.Open(t.Context(), dir, schemas.Places)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	history, err := r.History(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db, err := released.Open(filepath.Join(dir, schemas.GeographiesFile))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, metres := range []float64{0.1, 0.5, 2} {
		var outlines []identity.Outline
		var shapes []orb.MultiPolygon
		for _, o := range history.Current {
			shape, err := released.Outline(db, o.ID)
			if err != nil {
				t.Fatal(err)
			}
			shape = shape.Clone()
			for _, polygon := range shape {
				for _, ring := range polygon {
					for i, p := range ring {
						lng, lat := geo.MetresPerDegree(p[1])
						angle := 1e6 * (p[0] + 2*p[1]) // neighbours move alike
						ring[i] = orb.Point{p[0] + metres*math.Cos(angle)/lng, p[1] + metres*math.Sin(angle)/lat}
					}
				}
			}
			shapes = append(shapes, shape)
			outlines = append(outlines, identity.Outline{Version: identity.Version{Key: o.Key}, Level: o.Level, Bound: shape.Bound(),
				AreaM2: geo.Area(shape), Geometry: sha256.Sum256(released.MultiPolygonBlob(shape))})
		}
		next, err := r.Assign(t.Context(), "next", outlines, previous.Lived{}, func(i int) (orb.MultiPolygon, error) { return shapes[i], nil })
		if err != nil {
			t.Fatal(err)
		}
		replaced := map[schemas.Level]int{}
		for i, v := range next.Versions {
			if o := history.Current[i]; v.ID != o.ID {
				replaced[o.Level]++
			}
		}
		if len(replaced) > 0 || len(next.Superseded) != len(history.Superseded) {
			t.Errorf("moved by %v m: of %d ids are replaced, by level: %v", metres, len(outlines), replaced)
		}
	}
}

// TestReplacedIDsHoldBack builds the next release of the towns without accepting that a third of the neighbourhoods have other ids.
// docs/releases.md has what it says.
func TestReplacedIDsHoldBack(t *testing.T) {
	dir := townsDir(t)
	code, _, errs := quartier("build", "--release", filepath.Join(dir, "sources", "next", "release.yaml"), "--previous",
		filepath.Join(dir, "first"),
		"--out", filepath.Join(t.TempDir(), "next"), "--work", filepath.Join(dir, "work-next"))
	page, err := os.ReadFile("../../docs/releases.md")
	if err != nil {
		t.Fatal(err)
	}
	_, said, _ := strings.Cut(errs, "a gate holds")
	said, _, _ = strings.Cut("a gate holds"+said, "\nwhat differs: ")
	if code != exitGate || !strings.Contains(said, "\n  replaced_ids.10: ") || !strings.Contains(string(page), said+"\n```") {
		t.Errorf("exit code %d, want %d, and docs/releases.md does not end so:\n%s\nall: %s", code, exitGate, said, errs)
	}
}
