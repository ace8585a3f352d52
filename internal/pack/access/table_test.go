package access

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas"
)

const absentValue = schemas.AbsentValue

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func point(t testing.TB, lng, lat float64) coord.Point {
	t.Helper()
	p, ok := coord.NewPoint(lng, lat)
	if !ok {
		t.Fatalf("%v, %v is not a position", lng, lat)
	}
	return p
}

// quays is two streets of 111.2 m on the equator, 55.6 m north and 22.1 m south of a river along it, and a third one that
// is isolated: node 0–1 on the north bank, 2–3 on the south bank, 4–5 far to the east.
func quays(t testing.TB, out *pack.Writer) error {
	w := NewWriter(out, 250)
	for n := range 6 {
		var values [schemas.ChannelCount]uint16
		for c := range values {
			values[c] = uint16(9000*n + c)
		}
		values[5] = absentValue
		if n%2 == 1 {
			values[6] = absentValue
		}
		must(t, w.AddNode(&values))
	}
	for i, lat := range []float64{0.0005, -0.0002} {
		line := []coord.Point{point(t, 0, lat), point(t, 0.0005, lat), point(t, 0.001, lat)}
		must(t, w.AddEdge(Edge{uint32(2 * i), uint32(2*i + 1), 111.2}, line))
	}
	must(t, w.AddEdge(Edge{4, 5, 100}, []coord.Point{point(t, 1, 0), point(t, 1, 0.0009)}))
	must(t, w.AddBarrier([]coord.Point{point(t, -1, 0), point(t, 2, 0)}))
	must(t, w.AddGeography("g10_aaaaaaaaaa", &[ScoreCount]uint16{0: 12345, 1: absentValue, 17: 50000}))
	must(t, w.AddGeography("g30_bbbbbbbbbb", &[ScoreCount]uint16{3: 1}))
	must(t, w.AddTypology("dqcm0zz", Typology{8, 0, 0}))
	must(t, w.AddTypology("s000000", Typology{2, 1234.5, 600.1}))
	return w.Finish()
}

func openQuays(t testing.TB) (*pack.File, *Table) {
	t.Helper()
	f := packtest.Open(t, func(out *pack.Writer) error { return quays(t, out) })
	table, err := Open(f)
	must(t, err)
	return f, table
}

func TestLocateAndValues(t *testing.T) {
	_, table := openQuays(t)
	if table.Nodes() != 6 || table.Edges() != 3 || table.Scored() != 2 || table.Cells() != 2 {
		t.Errorf("%d nodes, %d edges, %d geographies, %d cells", table.Nodes(), table.Edges(), table.Scored(), table.Cells())
	}
	if got := table.Edge(1); got != (Edge{2, 3, 111.2}) {
		t.Errorf("edge %+v", got)
	}
	for _, tt := range []struct {
		name     string
		lng, lat float64
		edge     int // -1: none
		share    float64
		legM     float64
	}{
		{"on the northern quay", 0.00025, 0.0005, 0, 0.25, 0},
		{"north of it", 0.0005, 0.001, 0, 0.5, 55.3},
		{"before its end", -0.0005, 0.0005, 0, 0, 55.7},
		{"on the north bank of the river", 0.001, 0.00001, 0, 1, 54.2},
		{"on its south bank", 0.001, -0.00001, 1, 1, 21},
		{"at the third street", 1.0001, 0.00045, 2, 0.5, 11.1},
		{"too far from any", 0.0005, 0.01, -1, 0, 0},
		{"off the earth", 500, 0, -1, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := table.Locate(tt.lng, tt.lat)
			if !ok || tt.edge < 0 {
				if ok != (tt.edge >= 0) {
					t.Errorf("found %+v: %v", got, ok)
				}
				return
			}
			if got.Edge != uint32(tt.edge) || math.Abs(got.Share-tt.share) > 0.002 || math.Abs(got.LegM-tt.legM) > 0.2 {
				t.Errorf("found %+v", got)
			}
		})
	}
	var values [schemas.ChannelCount]uint16
	table.Values(Spot{Edge: 0, Share: 0.25}, &values)
	if values[0] != 2250 || values[7] != 2257 || values[5] != absentValue || values[6] != 6 {
		t.Errorf("values %v", values)
	}
	table.NodeValues(3, &values)
	if values[0] != 27000 || values[62] != 27062 || values[6] != absentValue {
		t.Errorf("values of node 3 %v", values)
	}
	table.NodeValues(6, &values)
	if values != absent {
		t.Error("a node that is not there has values")
	}
	table.Values(Spot{Edge: 3}, &values)
	if values != absent {
		t.Error("an edge that is not there has values")
	}
}

func TestGeographiesAndTypologies(t *testing.T) {
	_, table := openQuays(t)
	got, ok := table.Geography("g10_aaaaaaaaaa")
	if want := ([ScoreCount]uint16{0: 12345, 1: absentValue, 17: 50000}); !ok || got != want {
		t.Errorf("scores %v %v", got, ok)
	}
	for _, id := range []string{"", "g10_", "g10_aaaaaaaaab", "g30_bbbbbbbbbbb", "z"} {
		if _, ok := table.Geography(id); ok {
			t.Errorf("%q has scores", id)
		}
	}
	cell, ok := table.Typology("s000000")
	if diff := cmp.Diff(Typology{2, 1234.5, 600.1}, cell); !ok || diff != "" {
		t.Errorf("%v %s", ok, diff)
	}
	for _, cell := range []string{"", "s00000", "s000001", "S000000", "s00000a", "s0000000", "é00000"} {
		if _, ok := table.Typology(cell); ok {
			t.Errorf("%q has a typology", cell)
		}
	}
}

func TestEmptyTable(t *testing.T) {
	f := packtest.Open(t, func(out *pack.Writer) error { return NewWriter(out, 250).Finish() })
	table, err := Open(f)
	must(t, err)
	if s, ok := table.Locate(0, 0); ok {
		t.Errorf("a street in an empty table: %+v", s)
	}
	if _, ok := table.Geography("g10_aaaaaaaaaa"); ok {
		t.Error("scores where there are none")
	}
	if _, ok := table.Typology("s000000"); ok {
		t.Error("a typology where there is none")
	}
}

func TestLookUpsDoNotAllocate(t *testing.T) {
	_, table := openQuays(t)
	var values [schemas.ChannelCount]uint16
	if n := testing.AllocsPerRun(100, func() {
		s, _ := table.Locate(0.0005, 0.0004)
		table.Values(s, &values)
		table.Geography("g30_bbbbbbbbbb")
		table.Typology("s000000")
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWriterRefuses(t *testing.T) {
	line := []coord.Point{{}, {Lng: 100}}
	for _, tt := range []struct {
		name string
		fill func(w *Writer) error
		want string
	}{
		{"a value beyond the scale", func(w *Writer) error { return w.AddNode(&[schemas.ChannelCount]uint16{3: 50001}) },
			"street node 0: value 3"},
		{"an edge without a line", func(w *Writer) error { return w.AddEdge(Edge{}, line[:1]) }, "street edge 0"},
		{"an edge of no length that is one", func(w *Writer) error { return w.AddEdge(Edge{LengthM: math.NaN()}, line) }, "NaN metres"},
		{"an edge to nowhere", func(w *Writer) error { return w.AddEdge(Edge{0, 1, 1}, line) }, "leads to node 1 of 1"},
		{"a barrier without a line", func(w *Writer) error { return w.AddBarrier(nil) }, "barrier of 0"},
		{"an id again", func(w *Writer) error { return w.AddGeography("g10_a", &[ScoreCount]uint16{}) }, "not after"},
		{"a score beyond the scale", func(w *Writer) error { return w.AddGeography("g10_b", &[ScoreCount]uint16{60000}) }, "beyond the scale"},
		{"not a geohash", func(w *Writer) error { return w.AddTypology("s00000a", Typology{}) }, "not a geohash"},
		{"a geohash before", func(w *Writer) error { return w.AddTypology("0000000", Typology{}) }, "not after"},
		{"no class", func(w *Writer) error { return w.AddTypology("z000000", Typology{Class: 9}) }, "class 9"},
		{"a negative density", func(w *Writer) error { return w.AddTypology("z000000", Typology{PopulationKM2: -1}) }, "-1 people"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := pack.Create(t.TempDir() + "/x.pack")
			must(t, err)
			defer out.Abort()
			w := NewWriter(out, 250)
			if !strings.Contains(tt.name, "value") {
				must(t, w.AddNode(&absent))
			}
			must(t, w.AddGeography("g10_a", &[ScoreCount]uint16{}))
			must(t, w.AddTypology("s000000", Typology{}))
			err = tt.fill(w)
			if err == nil {
				err = w.Finish()
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestBetweenIsAStraightLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Uint16Range(0, 50000).Draw(t, "a"), rapid.Uint16Range(0, 50000).Draw(t, "b")
		length := rapid.IntRange(1, 1000).Draw(t, "decimetres")
		along := rapid.IntRange(0, length).Draw(t, "along")
		share := float64(along) / float64(length)
		// Exactly: the nearest integer, either of two at the same distance.
		exact := float64(int(a)*(length-along)+int(b)*along) / float64(length)
		if got := Between(a, b, share); math.Abs(float64(got)-exact) > 0.5+1e-4 {
			t.Errorf("%d at %d of %d between %d and %d", got, along, length, a, b)
		}
		if Between(a, absentValue, share) != a || Between(absentValue, b, share) != b || Between(absentValue, absentValue, share) != absentValue {
			t.Error("an absent end counts")
		}
		if Between(a, b, 0) != a || Between(a, b, 1) != b || Between(a, b, math.NaN()) != a || Between(a, b, 7) != b {
			t.Error("the ends are not those of the edge")
		}
	})
}
