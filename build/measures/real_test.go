package measures

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"quartier/internal/pack/reach"
	"quartier/internal/sqlrow"
	"quartier/schemas"
)

var (
	releaseDir = flag.String("release", "", "folder of a release: TestErrorOfCells compares its measures with those of nodes and minutes")
	nodes      = flag.Int("nodes", 400, "how many nodes it draws")
)

// TestErrorOfCells prints how far the measures of cells are from those of each node by itself with a departure each minute: the median
// and the nineteenth twentieth of the difference as a share of the larger one, and the mean with its sign.
//
//	go test ./build/measures -run ErrorOfCells -v -release DIR
func TestErrorOfCells(t *testing.T) {
	if *releaseDir == "" {
		t.Skip("no release")
	}
	w, cells, close, err := reopen(t.Context(), *releaseDir)
	if err != nil {
		t.Fatal(err)
	}
	defer close()
	var homes []Home
	err = each(t.Context(), *releaseDir, schemas.TravelFile, "SELECT node - 1, cell - 1 FROM travel_node ORDER BY node",
		sqlrow.Visit2(func(node, cell uint32) error {
			homes = append(homes, Home{node, cell})
			return nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d nodes in %d cells", len(homes), len(cells))
	random := rand.New(rand.NewPCG(1, 2))
	var exact []Cell
	var of, some []uint32
	for i := range uint32(*nodes) {
		h := homes[random.IntN(len(homes))]
		exact = append(exact, Cell{h.Node, i, slices.Repeat([]uint32{reach.Absent}, len(schemas.TravelMeasures))})
		of, some = append(of, h.Cell), append(some, i)
	}
	for _, every := range []int{departEvery, 1} {
		w.every = every
		begin := time.Now()
		if err := w.Fill(t.Context(), exact, some); err != nil {
			t.Fatal(err)
		}
		t.Logf("of each node, every %d minutes: %.1f s", every, time.Since(begin).Seconds())
		for m, measure := range schemas.TravelMeasures {
			var off []float64
			sum, absent := 0.0, 0
			for i, c := range exact {
				a, b := c.Values[m], cells[of[i]].Values[m]
				switch {
				case a == reach.Absent && b == reach.Absent:
				case a == reach.Absent || b == reach.Absent:
					absent++
				default:
					d := 0.0
					if a != b {
						d = (float64(b) - float64(a)) / float64(max(a, b))
					}
					off, sum = append(off, math.Abs(d)), sum+d
				}
			}
			if slices.Sort(off); len(off) > 0 {
				t.Logf("%-32s %4d nodes, median %.3f, 95 %% %.3f, mean %+.4f; %d known on one side alone", measure.ID, len(off), off[len(off)/2],
					off[len(off)*19/20], sum/float64(len(off)), absent)
			}
		}
	}
}
