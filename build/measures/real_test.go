package measures

import (
	"cmp"
	"encoding/csv"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/household"
	"quartier/internal/pack/reach"
	"quartier/internal/testenv"
	"quartier/internal/travel"
	"quartier/schemas"
)

var (
	austin = flag.String("austin", "", "folder of the release of Porto Alegre in Texas, which TestMatrixIsR5s of cmd/quartier builds")
	drawn  = flag.Int("nodes", 200, "how many nodes TestErrorOfCells draws")
)

// portoAlegre is the streets and timetables of Porto Alegre where it lies in Texas, with homes at all nodes and with the people, jobs
// and schools of r5r's hexagons, schools as groceries.
func portoAlegre(t *testing.T) *World {
	if *austin == "" {
		t.Skip("no release")
	}
	w, close, err := Open(*austin)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(close)
	file, err := os.Open(testenv.NeedData(t, "formats/travel/poa-r5r") + "/poa_hexgrid.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	w.Counted = map[string]*Counted{}
	number := func(row []string, name string) float64 {
		n, err := strconv.ParseFloat(cmp.Or(row[slices.Index(rows[0], name)], "0"), 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	everywhere := household.Hulls{geo.Prepare(orb.MultiPolygon{{{{-110, 20}, {-80, 20}, {-80, 40}, {-110, 40}, {-110, 20}}}})}
	for of, name := range map[string]string{"people": "population", "jobs": "jobs", "groceries": "schools"} {
		c := &Counted{Known: everywhere}
		for _, row := range rows[1:] {
			at := orb.Point{number(row, "lon") - 46.5, -number(row, "lat")}
			if node, ok := nearest(w.Network(travel.Walk), at); ok {
				c.At = append(c.At, Amount{node, uint64(1000 * number(row, name))})
			}
		}
		c.At = merged(c.At)
		w.Counted[of] = c
	}
	for node := range uint32(w.Network(travel.Walk).Nodes()) {
		w.Homes = append(w.Homes, Amount{node, 1})
	}
	return w
}

// TestErrorOfCells prints how far the measures of cells are from those of each node by itself with a departure each minute: the median
// and the nineteenth twentieth of the difference as a share of the larger one, and the mean with its sign.
//
//	go test ./build/measures -run ErrorOfCells -v -austin DIR
func TestErrorOfCells(t *testing.T) {
	w := portoAlegre(t)
	cells, homes := w.Cells()
	t.Logf("%d nodes in %d cells", len(homes), len(cells))
	random := rand.New(rand.NewPCG(1, 2))
	var own []Cell
	var of, some []uint32
	for i := range uint32(*drawn) {
		h := homes[random.IntN(len(homes))]
		own = append(own, Cell{h.Node, i, reach.Unknown()})
		of, some = append(of, h.Cell), append(some, i)
	}
	fill := func(what string, cells []Cell, some []uint32, every int) {
		w.change = func(o *travel.Options) { o.Every, o.Depart = every, 14*3600 } // the buses of the sample run in the afternoon
		begin := processorTime()
		if err := w.Fill(t.Context(), cells, some); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.1f seconds of a core", what, processorTime()-begin)
	}
	fill("cells, a departure each four minutes", cells, of, departEvery)
	fill("nodes, each four minutes", own, some, departEvery)
	fewer := slices.Clone(own)
	for i := range fewer {
		fewer[i].Values = slices.Clone(own[i].Values)
	}
	fill("nodes, each minute", own, some, 1)
	for m, measure := range schemas.TravelMeasures {
		differ(t, measure.ID+", four minutes", len(own), func(i int) (uint32, uint32) { return fewer[i].Values[m], own[i].Values[m] })
		differ(t, measure.ID+", cells", len(own), func(i int) (uint32, uint32) { return cells[of[i]].Values[m], own[i].Values[m] })
	}
}

// differ prints how far values are from what they should be.
func differ(t *testing.T, what string, n int, values func(i int) (got, want uint32)) {
	var off []float64
	sum, absent, all, alike := 0.0, 0, 0.0, 0.0
	for i := range n {
		got, want := values(i)
		if got == reach.Absent || want == reach.Absent {
			absent++
			continue
		}
		d := 0.0
		if got != want {
			d = (float64(got) - float64(want)) / float64(max(got, want))
		}
		off, sum, all, alike = append(off, math.Abs(d)), sum+d, all+float64(want), alike+float64(got)
	}
	if slices.Sort(off); len(off) > 0 {
		t.Logf("%-48s of %.0f: median %.4f, 95 %% %.4f, mean %+.4f, sum %+.4f; %d not known", what, all/float64(len(off)), off[len(off)/2],
			off[len(off)*19/20], sum/float64(len(off)), alike/all-1, absent)
	}
}
