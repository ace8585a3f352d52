package measures

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quartier/internal/geo"
	"quartier/internal/household"
	"quartier/internal/travel"
	"quartier/schemas"
)

// explained is an explainer of the town.
func explained(t *testing.T, w *World, measure int) *Explainer {
	t.Helper()
	cells, homes := w.Cells()
	x := &Explainer{World: w, measure: &schemas.TravelMeasures[measure], index: measure, cells: cells, of: map[uint32]uint32{}}
	for _, h := range homes {
		x.of[h.Node] = h.Cell
	}
	w.keys = map[uint32][]Part{}
	for _, a := range w.Counted[x.measure.Of].At {
		w.keys[a.Node] = []Part{{"half", float64(a.N) / 2000}, {"whole", float64(a.N) / 1000}}
	}
	return x
}

// TestExplainedIsWhatIsComputed: what an explanation adds up is the measure of the cell.
func TestExplainedIsWhatIsComputed(t *testing.T) {
	w := town(t, rand.New(rand.NewPCG(7, 8)))
	for measure, of := range schemas.TravelMeasures {
		x := explained(t, w, measure)
		if err := w.Fill(t.Context(), x.cells, []uint32{3, 50}); err != nil {
			t.Fatal(err)
		}
		for _, cell := range []uint32{3, 50} {
			home := x.cells[cell].Node
			e, err := x.At(t.Context(), w.At[home])
			if err != nil {
				t.Fatal(err)
			}
			sum, last := 0.0, 0
			for _, p := range e.Places {
				sum += p.Number
				if p.Seconds < last || p.Seconds > 60*of.Minutes || p.Parts[0].Key != "whole" {
					t.Errorf("%s: %+v after one of %d s", of.ID, p, last)
				}
				last = p.Seconds
			}
			if e.Value == nil || *e.Value != int64(sum+.5) || e.Recomputed-sum > 1e-6 || sum-e.Recomputed > 1e-6 || e.Unknown != "" ||
				e.Cell != int64(cell)+1 || e.Home.FID != int64(home)+1 || e.HomeWalkS != 0 || e.Known < leastKnown || e.Nodes < len(e.Places) {
				t.Errorf("%s: %v of %+v, the sum is %v", of.ID, e.Value, e, sum)
			}
		}
	}
}

// TestExplainedUnknowns: why there is no value.
func TestExplainedUnknowns(t *testing.T) {
	w := town(t, rand.New(rand.NewPCG(9, 10)))
	measure := slices.IndexFunc(schemas.TravelMeasures, func(m schemas.TravelMeasure) bool { return m.ID == "jobs_within_45_min_transit" })
	x := explained(t, w, measure)
	w.Counted["jobs"].Known = household.Hulls{geo.Prepare(box(-500, -500, 20, 500))}
	ask := func() *Explanation {
		e, err := x.At(t.Context(), w.At[nodeOf(38, 35)])
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	if e := ask(); e.Value != nil || e.Unknown == "" || e.Known >= leastKnown || e.Recomputed == 0 {
		t.Errorf("where few jobs are known %+v", e)
	}
	w.Feeds = []travel.Feed{{Ground: w.Feeds[0].Ground, Partial: true}}
	if e := ask(); e.Unknown != "the origin is beyond the ground of the timetables, or they have some lines there only" || len(e.Places) > 0 {
		t.Errorf("where few lines are known %+v", e)
	}
	if _, err := x.At(t.Context(), at(-900, -900)); err == nil {
		t.Error("far from all streets: no error")
	}
	clear(x.of)
	if _, err := x.At(t.Context(), w.At[0]); err == nil {
		t.Error("without homes: no error")
	}
}

func TestQuantiles(t *testing.T) {
	list := []weighted{{7, 10, 1}, {3, 30, 1}, {1 << 31, 60, 1}}
	list[2].value = 9
	got := quantilesOf(list, 100)
	want := []Quantile{{10, 3}, {25, 3}, {50, 9}, {75, 9}, {90, 9}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
