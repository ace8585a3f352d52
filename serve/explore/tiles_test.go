package explore

import (
	"testing"

	"quartier/internal/pmtiles"
	"quartier/serve/release"
)

// TestReasonOfTiles: of several reasons why there are fewer tiles the page gets the same one each time, that of the map if it has one.
func TestReasonOfTiles(t *testing.T) {
	r := &release.Release{Places: &release.Places{Archives: map[string]*pmtiles.Archive{"map": {}}}}
	for range 100 {
		s := view{refused: map[string]*problem{"map": errTilesOfRegions}}
		if zooms, reason := s.tilesOf(r); len(zooms) != 0 || reason != errTilesOfRegions.en {
			t.Fatalf("%v, %q", zooms, reason)
		}
	}
}
