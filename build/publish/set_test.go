package publish

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/schemas"
)

// publishNamed publishes a release of a folder of releases by name.
func publishNamed(t *testing.T, root, name string, given Set) (*schemas.Pointer, []Dropped, error) {
	t.Helper()
	folder, err := OpenFolder(root, "publish")
	must(t, err)
	defer folder.Close()
	set, dropped, err := folder.Named(name, given)
	if err != nil {
		return nil, nil, err
	}
	next, err := folder.Refer(set)
	if err != nil {
		return nil, nil, err
	}
	p, err := folder.Publish(next, nil)
	return p, dropped, err
}

func TestNamedReleases(t *testing.T) {
	root, _, _, _ := releases(t)
	for i, step := range []struct {
		name    string
		given   Set
		gen     int64
		want    string // components with folders
		dropped string
	}{
		{"1", Set{}, 1, "places 1", ""},
		{"1", Set{Market: "market/today"}, 2, "places 1, market market/today", ""},
		{"1", Set{}, 2, "places 1, market market/today", ""}, // nothing new
		{"2", Set{}, 3, "places 2", "market of 2024-01-15 in market/today: it stands beside other places"},
		{filepath.Join(root, "1"), Set{}, 4, "places 1", ""},
	} {
		p, dropped, err := publishNamed(t, root, step.name, step.given)
		must(t, err)
		var got, without []string
		for _, c := range p.Components {
			got = append(got, c.Name+" "+c.Folder)
		}
		for _, d := range dropped {
			without = append(without, d.Name+" of "+d.AsOf+" in "+d.Folder+": "+d.Why)
		}
		if p.Generation != step.gen || strings.Join(got, ", ") != step.want || strings.Join(without, ", ") != step.dropped {
			t.Errorf("step %d: generation %d, %v, dropped %v", i, p.Generation, got, without)
		}
	}
}

func TestHalfAReleaseIsNotPublished(t *testing.T) {
	root, first, second, _ := releases(t)
	before, err := Pointer(root, Set{Places: first})
	must(t, err)
	pack := filepath.Join(second, schemas.POIsPack)
	whole, err := os.ReadFile(pack)
	must(t, err)
	for _, tt := range []struct {
		name, says string
		damage     func() error
	}{
		{"file cut", "pois.pack has", func() error { return os.WriteFile(pack, whole[:len(whole)/2], 0o644) }},
		{"byte flipped", "pois.pack has the SHA-256", func() error {
			flipped := append([]byte{}, whole...)
			flipped[len(flipped)/2] ^= 1
			return os.WriteFile(pack, flipped, 0o644)
		}},
		{"file missing", "pois.pack is missing", func() error { return os.Remove(pack) }},
		{"no manifest", "read manifest", func() error { return os.Remove(filepath.Join(second, schemas.ManifestFile)) }},
	} {
		must(t, tt.damage())
		_, _, err := publishNamed(t, root, "2", Set{})
		if err == nil || !strings.Contains(err.Error(), tt.says) || tt.name != "no manifest" && !errors.Is(err, ErrIncomplete) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if p, err := schemas.ReadPointer(root); err != nil || p.Generation != before.Generation {
			t.Errorf("%s: %+v, %v", tt.name, p, err)
		}
	}
}

// TestLostPointer publishes where the pointer is gone: servers still know its generation.
func TestLostPointer(t *testing.T) {
	root, first, second, _ := releases(t)
	for _, folder := range []string{first, second} {
		_, err := Pointer(root, Set{Places: folder})
		must(t, err)
	}
	must(t, os.Remove(filepath.Join(root, schemas.PointerFile)))
	p, err := Pointer(root, Set{Places: second})
	must(t, err)
	if p.Generation != 3 {
		t.Errorf("generation %d", p.Generation)
	}
}
