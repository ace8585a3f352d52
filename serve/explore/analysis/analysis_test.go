package analysis

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

// TestPercent compares ranks with counting, and the median with that of a sorted list.
func TestPercent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 12), func(n int) float64 { return float64(n) / 4 }), 1, 40).Draw(t, "values")
		own := values[rapid.IntRange(0, len(values)-1).Draw(t, "own")]
		below, ties := 0.0, -1.0
		for _, v := range values {
			switch {
			case v < own:
				below++
			case v == own:
				ties++
			}
		}
		slices.Sort(values)
		percent, ok := Percent(values, own)
		if ok != (len(values) > MinPeers) {
			t.Fatalf("a rank among %d: %v", len(values)-1, ok)
		}
		if want := 100 * (below + ties/2) / float64(len(values)-1); ok && math.Abs(float64(percent)-want) > 0.5 {
			t.Fatalf("%d, want %v", percent, want)
		}
		lower, upper := 0, 0
		for _, v := range values {
			if v < Median(values) {
				lower++
			} else if v > Median(values) {
				upper++
			}
		}
		if 2*max(lower, upper) > len(values) {
			t.Fatalf("the median of %v is %v", values, Median(values))
		}
		if _, ok := Percent(values, own+0.01); ok {
			t.Fatal("a value of none of them has a rank")
		}
	})
}

func readerOf(t *testing.T) *Reader {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "places")
	if _, err := servetest.Write(dir, servetest.Release{}); err != nil {
		t.Fatal(err)
	}
	r, err := release.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Done)
	all := &account.Agreement{Products: []string{"scores", "demographics", "market_stats"}, Scores: account.Scores}
	return &Reader{Release: r, Sees: func(int) bool { return true }, Agreement: all}
}

// TestRank ranks a neighbourhood among ten others, and not among nine.
func TestRank(t *testing.T) {
	r := readerOf(t)
	i, ok := r.Release.Geographies.ByID(servetest.NorthOld)
	if !ok {
		t.Fatal("no such geography")
	}
	var own []float64
	r.each(i, func(f int, n Number) {
		if f == 0 {
			own = append(own, n.Value)
		}
	})
	if len(own) != 1 {
		t.Fatal("no score")
	}
	for others, want := range map[int]bool{MinPeers - 1: false, MinPeers: true} {
		values := slices.Clone(own)
		for n := range others {
			values = append(values, own[0]-1+float64(n)/100)
		}
		slices.Sort(values)
		all := make([][]float64, len(Figures))
		all[0] = values
		state, country := group{schemas.Neighbourhood, "CA", "CA_QC"}, group{schemas.Neighbourhood, "CA", ""}
		peers := &Peers{groups: map[group][][]float64{state: all, country: make([][]float64, len(Figures))}}
		got := r.Context(servetest.NorthOld, r.Release.Geographies.Parents(i), peers)
		rank := got.Figures[Figures[0].ID].Rank
		if (rank != nil) != want {
			t.Fatalf("among %d others: %+v", others, rank)
		}
		if want && (rank.Percent != 100 || rank.Count != MinPeers || !strings.HasPrefix(rank.Among, "g60_") || rank.Median != values[5]) {
			t.Errorf("%+v", rank)
		}
	}
}

// TestAreas looks for areas without a value, elsewhere, and of another level.
func TestAreas(t *testing.T) {
	r := readerOf(t)
	world := orb.Bound{Min: orb.Point{-180, -90}, Max: orb.Point{180, 90}}
	got := r.Areas(schemas.Neighbourhood, 0, world)
	if len(got.Areas) == 0 || !slices.IsSortedFunc(got.Areas, func(a, b Valued) int { return int(math.Copysign(1, b.Value-a.Value)) }) {
		t.Fatalf("%+v", got)
	}
	all := 0
	for i := range r.Release.Geographies.Len() {
		if _, superseded := r.Release.Geographies.Superseded(i); !superseded && r.Release.Geographies.Level(i) == schemas.Neighbourhood {
			all++
		}
	}
	if len(got.Areas)+len(got.Unknown) != all || got.Count != all {
		t.Errorf("%d with a value and %d without, of %d", len(got.Areas), len(got.Unknown), all)
	}
	if none := r.Areas(schemas.Neighbourhood, 0, orb.Bound{Min: orb.Point{10, 10}, Max: orb.Point{11, 11}}); none.Count != 0 {
		t.Errorf("far away: %+v", none)
	}
}
