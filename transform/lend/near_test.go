package lend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest"
	"quartier/internal/duck"
	"quartier/schemas/staged"
	"quartier/transform/regiontest"
)

// placed is a region with a place at its western edge, and jobs there as the file of a larger area has them.
func placed(t *testing.T, name string, x float64, jobs bool) string {
	return region(t, name, x, func(db *duck.DB) {
		at := regiontest.At(x+50, 50)
		insert(t, db, "stop", staged.Stop{SourceID: "osm", SourceKey: "osm:node:" + name, Lng: at[0], Lat: at[1]})
		if jobs {
			insert(t, db, "job", staged.Job{SourceID: "lodes", SourceKey: "lodes:" + name, Lng: &at[0], Lat: &at[1], Jobs: 1000})
		}
	})
}

// TestOnlyWhatMayLendIsOpened lends with bounds what is lent without. Files of regions that lend nothing are not asked for.
func TestOnlyWhatMayLendIsOpened(t *testing.T) {
	own := placed(t, "own", 0, true)
	var all, bounded []Neighbour
	var fetched []string
	for _, n := range []struct {
		name string
		x    float64
		jobs bool
	}{{"far", 90_000, true}, {"next", 10_000, false}, {"near", 24_000, false}, {"quiet", 50_000, false}, {"work", 50_000, true}} {
		path := placed(t, n.name, n.x, n.jobs)
		bounds, hidden := filepath.Join(filepath.Dir(path), "bounds.json"), path+".hidden"
		if err := errors.Join(ingest.WriteBounds(t.Context(), path, bounds), os.Link(path, hidden)); err != nil {
			t.Fatal(err)
		}
		all = append(all, Neighbour{Name: n.name, Staged: hidden})
		bounded = append(bounded, Neighbour{Name: n.name, Staged: path, Bounds: bounds, Fetch: func(context.Context) error {
			fetched = append(fetched, n.name)
			return os.Link(hidden, path)
		}})
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	contents := make([]string, 2)
	for i, neighbours := range [][]Neighbour{all, bounded} {
		path := filepath.Join(t.TempDir(), "lent.duckdb")
		err := Region(t.Context(), own, neighbours, path)
		if err == nil {
			contents[i], err = duck.Content(t.Context(), path)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if contents[0] != contents[1] {
		t.Errorf("lent with bounds:\n%s\nwithout:\n%s", contents[1], contents[0])
	}
	if got := fmt.Sprint(fetched); got != "[next near work]" {
		t.Errorf("fetched %s", got)
	}
}

// TestBadBounds lends nothing where bounds cannot be read, or a file cannot be fetched.
func TestBadBounds(t *testing.T) {
	own, dir := placed(t, "own", 0, true), t.TempDir()
	bad, gone := filepath.Join(dir, "bad.json"), errors.New("gone")
	if err := os.WriteFile(bad, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, n := range map[string]Neighbour{
		"lend from region next: read " + bad: {Name: "next", Bounds: bad},
		"no such file":                       {Name: "next", Bounds: filepath.Join(dir, "absent.json")},
		"lend from region next: gone":        {Name: "next", Fetch: func(context.Context) error { return gone }},
	} {
		path := filepath.Join(t.TempDir(), "lent.duckdb")
		err := Region(t.Context(), own, []Neighbour{n}, path)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("a file is left")
		}
	}
}
