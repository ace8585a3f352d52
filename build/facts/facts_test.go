package facts

import (
	"errors"
	"iter"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/schemas/profile"
)

func TestRank(t *testing.T) {
	for _, c := range []struct {
		values  []float64
		v, want float64
	}{
		{[]float64{1, 2, 3, 4, 10}, 4, 0.4},
		{[]float64{1, 2, 3, 4, 10}, 3, 0},
		{[]float64{1, 2, 3, 4, 10}, 10, 0.8},
		{[]float64{0, 0, 0, 0, 7}, 0, 0}, // what most have is typical
		{[]float64{0, 0, 0, 0, 7}, 7, 0.8},
		{[]float64{5, 5, 5}, 5, 0},
	} {
		if got := rank(c.values, c.v); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("rank of %v among %v is %v, want %v", c.v, c.values, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-3, 3), 1, 30).Draw(t, "values")
		slices.Sort(values)
		at := rapid.IntRange(0, len(values)-1).Draw(t, "at")
		if r := rank(values, values[at]); !(r >= 0 && r < 1) {
			t.Fatalf("rank of %v among %v is %v", values[at], values, r)
		}
	})
}

// A place of a region with few places of its level is compared with all of the country.
func TestPeers(t *testing.T) {
	typical := newTypical()
	subjects := make([]subject, 6)
	for i := range subjects {
		s := &subjects[i]
		s.region, s.place.Level, s.place.Country = []string{"a", "b"}[i/3], 10, "CA"
		s.facts = []profile.Fact{{Code: profile.ParksFact, Value: float64(i)}, {Code: profile.ParkFact, Value: 1}}
		typical.add(s, s.facts)
	}
	typical.sort()
	facts := subjects[5].facts
	typical.rank(&subjects[5], facts)
	if f := facts[0]; f.Typical != 2.5 || f.Rank < 0.8 {
		t.Errorf("%+v", f)
	}
	if f := facts[1]; !math.IsNaN(f.Typical) || f.Rank != 0 {
		t.Errorf("a named thing has %+v", f)
	}
}

type row struct{ id, value string }

func TestCursor(t *testing.T) {
	rows := []row{{"b", "1"}, {"b", "2"}, {"c", "3"}, {"e", "4"}}
	failed := errors.New("failed")
	from := func(err error) iter.Seq2[*row, error] {
		return func(yield func(*row, error) bool) {
			for i := range rows {
				if !yield(&rows[i], nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
			}
		}
	}
	c := newCursor(from(nil), func(r *row) string { return r.id })
	defer c.stop()
	got := ""
	for _, id := range []string{"a", "b", "d", "e", "f"} {
		list, err := c.of(id)
		if err != nil {
			t.Fatal(err)
		}
		got += id
		for _, r := range list {
			got += r.value
		}
	}
	if got != "ab12de4f" {
		t.Error(got)
	}
	c = newCursor(from(failed), func(r *row) string { return r.id })
	defer c.stop()
	if _, err := c.of("z"); !errors.Is(err, failed) {
		t.Error(err)
	}
}

func TestSpillKeepsFacts(t *testing.T) {
	s, err := newSpill(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	want := [][]profile.Fact{{{Code: profile.ScoreFact, Value: 2, Low: math.NaN(), Name: "L'Anse"}}, nil,
		{{Value: 0.1, Source: "a:b"}, {Further: 3}}}
	for _, facts := range want {
		if err := s.add(facts); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.rewind(); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		got, err := s.next()
		if err != nil || len(got) != len(want[i]) {
			t.Fatalf("%d: %v, %v", i, got, err)
		}
		for j, f := range got {
			w := want[i][j]
			if math.IsNaN(f.Low) != math.IsNaN(w.Low) {
				t.Errorf("low %v, want %v", f.Low, w.Low)
			}
			f.Low, w.Low = 0, 0
			if f != w {
				t.Errorf("%+v, want %+v", f, w)
			}
		}
	}
	if _, err := s.next(); err == nil {
		t.Error("read beyond the end")
	}
}
