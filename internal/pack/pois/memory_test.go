package pois

import (
	"runtime"
	"testing"

	"quartier/internal/pack/packtest"
	"quartier/schemas"
)

// TestMemoryOfAWriter compares the live heap of writers before Finish: a POI more takes its place on the map and in the spool,
// where its terms are those of others.
func TestMemoryOfAWriter(t *testing.T) {
	const n, most = 40_000, 48
	live := func(count int) uint64 {
		w, err := NewWriter(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		eachInTowns(count, func(r *Record) {
			r.Categories, r.Brands, r.Tags = []string{schemas.Categories[0].ID}, nil, nil
			if err := w.Add(r); err != nil {
				t.Fatal(err)
			}
		})
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		packtest.Open(t, w.Finish) // which keeps w
		return m.HeapAlloc
	}
	one, two := live(n), live(2*n)
	if each := (float64(two) - float64(one)) / n; each > most {
		t.Errorf("%.0f bytes a POI, want at most %d", each, most)
	}
}
