package assembly

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
)

// chunks makes few rows be read at once.
func chunks(t *testing.T, total, least int) {
	before, leastBefore := poisAtOnce, minAtOnce
	poisAtOnce, minAtOnce = total, least
	t.Cleanup(func() { poisAtOnce, minAtOnce = before, leastBefore })
}

func TestMerge(t *testing.T) {
	// A place is written as its curve and key.
	for _, tt := range []struct {
		name   string
		queues []string
		want   string
	}{
		{"no region", nil, ""},
		{"a region without places", []string{""}, ""},
		{"one region", []string{"1a 1b 2a"}, "0.1a 0.1b 0.2a"},
		{"one after the other", []string{"5a 6a 7a", "1a 2a 3a"}, "1.1a 1.2a 1.3a 0.5a 0.6a 0.7a"},
		{"interleaved, one without places", []string{"1a 3a 5a 9z", "", "2a 4a 6a", "3b 9y"}, "0.1a 2.2a 0.3a 3.3b 2.4a 0.5a 2.6a 3.9y 0.9z"},
		{"places that are left", []string{"- - - 4a -", "- - - - -", "1a - - - 5a"}, "2.1a 0.4a 2.5a"},
		{"at one point", []string{"1d 1f", "1a 1e", "1b 1c 1g"}, "1.1a 2.1b 2.1c 0.1d 1.1e 0.1f 2.1g"},
	} {
		for _, step := range []int32{1, 2, 100} {
			var queues []*queue
			for i, text := range tt.queues {
				all := strings.Fields(text)
				queues = append(queues, &queue{region: int32(i), end: int32(len(all)), step: step,
					read: func(_ context.Context, _, first, end int32) (list []place, err error) {
						for n := first; n < end; n++ {
							if all[n] != "-" {
								list = append(list, place{n, int64(all[n][0] - '0'), all[n][1:]})
							}
						}
						return list, nil
					}})
			}
			var got []string
			err := merge(t.Context(), queues, func(region int32, p *place) error {
				got = append(got, fmt.Sprintf("%d.%d%s", region, p.Curve, p.Key))
				return nil
			})
			if err != nil || strings.Join(got, " ") != tt.want {
				t.Errorf("%s, %d at once: error %v, %q, want %q", tt.name, step, err, got, tt.want)
			}
		}
	}
}

func TestMergeFailsWhereReadingFails(t *testing.T) {
	failing := func(_ context.Context, _, first, _ int32) ([]place, error) {
		if first > 0 {
			return nil, fmt.Errorf("torn page")
		}
		return []place{{0, 1, "a"}}, nil
	}
	seen := 0
	err := merge(t.Context(), []*queue{{end: 2, step: 1, read: failing}}, func(int32, *place) error { seen++; return nil })
	if seen != 1 || err == nil || err.Error() != "torn page" {
		t.Errorf("%d places, error %v", seen, err)
	}
}

// poiRegion writes the databases of a region whose places are 'curve key source', in order.
func poiRegion(t *testing.T, name, asOf string, places ...string) Region {
	t.Helper()
	r := Region{Name: name, Staged: filepath.Join(t.TempDir(), "staged.duckdb"), Derived: filepath.Join(t.TempDir(), "derived.duckdb")}
	write := func(path, ddl string, fill func(db *duck.DB) error) {
		db, err := duck.Create(path, ddl)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmp.Or(fill(db), db.Close()); err != nil {
			t.Fatal(err)
		}
	}
	write(r.Staged, schemas.Staged, func(db *duck.DB) error {
		source := staged.Source{SourceID: "s", Kind: "addresses", AsOf: asOf, RowsStaged: 1} // without places it has something
		return duck.Write(t.Context(), db, "source", slices.Values([]staged.Source{source}))
	})
	write(r.Derived, schemas.Derived, func(db *duck.DB) error {
		var rows []derived.POI
		for i, text := range places {
			p := derived.POI{Number: int32(i), Lat: 45, Name: name, Categories: "cafes", Details: derived.Details{CountryCode: "CA"}}
			if _, err := fmt.Sscan(text, &p.Curve, &p.Key, &p.SourceID); err != nil {
				return err
			}
			rows = append(rows, p)
		}
		return duck.Write(t.Context(), db, "poi", slices.Values(rows))
	})
	return r
}

// Places of several regions come by curve and key, each once, from the region with the newest source, however few are read at once.
func TestPOIsOfRegions(t *testing.T) {
	regions := []Region{
		poiRegion(t, "old", "2020-01-01", "1 a s", "2 b s", "4 shared s", "9 lent other/s", "9 z s"),
		poiRegion(t, "empty", "2024-01-01"),
		poiRegion(t, "new", "2024-01-01", "0 n s", "1 b2 s", "3 shared s", "9 x s", "9 y s"),
		poiRegion(t, "same", "2024-01-01", "3 shared s", "9 x s"),
		poiRegion(t, "lent", "2024-01-01", "5 z new/s"),
	}
	want := "1 n new, 2 a old, 3 b2 new, 4 b old, 5 shared new, 6 x new, 7 y new, 8 z old"
	for _, n := range []int{1, 2, 3, 1000} {
		chunks(t, n, n)
		dir := filepath.Join(t.TempDir(), "of [a] 'b'*")
		path := filepath.Join(dir, "assembly.duckdb")
		if err := cmp.Or(os.Mkdir(dir, 0o755), Create(t.Context(), path, regions)); err != nil {
			t.Fatal(err)
		}
		a, err := Open(t.Context(), path, dir, regions)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for p, err := range a.POIs(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(p.FID, " ", p.Key, " ", p.Region))
			if p.Name != p.Region {
				t.Errorf("%s of region %s has the row of %s", p.Key, p.Region, p.Name)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%d at once: %q, want %q", n, got, want)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
