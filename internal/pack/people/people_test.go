package people

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// place is the index of a variable.
func place(t testing.TB, id string) int {
	t.Helper()
	for p := range flat {
		if variable(p).ID == id {
			return p
		}
	}
	t.Fatalf("no variable %q", id)
	return 0
}

// known makes a list of values from the known ones.
func known(values map[int]Value) []Value {
	list := make([]Value, len(flat))
	for p, v := range values {
		v.Present = true
		list[p] = v
	}
	return list
}

// towns are two geographies of Canada and one of the United States.
func towns(t testing.TB) []Geography {
	people, kids := place(t, "total_individuals"), place(t, "home_kids")
	children := place(t, "avg_children_per_household")
	partly := 0.87654
	return []Geography{
		{"g10_2aaaaaaaaa", "CA", "2021", known(map[int]Value{people: {Value: 1000}}), nil, ""},
		{"g10_aaaaaaaaa7", "US", "2019-2023", known(map[int]Value{
			people: {Value: 4294967294, Lower: 0, Upper: 4294967294, Interval: true},
			kids:   {Value: 0.6667, Lower: 0.5, Upper: 1, Interval: true},
		}), &partly, "commute_mode=2011-2015;income=2019-2023, 2020"},
		{"g40_zzzzzzzzzz", "CA", "2021", known(map[int]Value{children: {Value: 1.75, Lower: 1.749, Upper: 1.751, Interval: true}}), nil, ""},
	}
}

func fill(out *pack.Writer, list []Geography) error {
	w := NewWriter(out)
	for _, g := range list {
		if err := w.Add(g); err != nil {
			return err
		}
	}
	return w.Finish()
}

func openTowns(t testing.TB) (*pack.File, *Table) {
	t.Helper()
	f := packtest.Open(t, func(out *pack.Writer) error { return fill(out, towns(t)) })
	table, err := Open(f)
	must(t, err)
	return f, table
}

func TestWhatGoesInComesOut(t *testing.T) {
	_, table := openTowns(t)
	if table.Len() != 3 {
		t.Errorf("%d geographies", table.Len())
	}
	for _, g := range towns(t) {
		r, ok := table.Find(g.ID)
		if !ok || r.Country() != g.Country || r.Vintage() != g.Vintage {
			t.Fatalf("%s: %v, %q, %q", g.ID, ok, r.Country(), r.Vintage())
		}
		vintages := ""
		r.EachVintage(func(category, vintage string) { vintages += ";" + category + "=" + vintage })
		if strings.TrimPrefix(vintages, ";") != g.Vintages {
			t.Errorf("%s: vintages %q", g.ID, vintages)
		}
		if covered := r.Coverage(); (covered == 8765) != (g.Coverage != nil) || (covered == Absent) != (g.Coverage == nil) {
			t.Errorf("%s: coverage %d", g.ID, covered)
		}
		for p, v := range g.Values {
			value, lower, upper := r.Value(p)
			if (value != Absent) != v.Present || (lower != Absent) != v.Interval || (upper != Absent) != v.Interval {
				t.Errorf("%s: %s is %d, %d to %d", g.ID, variable(p).ID, value, lower, upper)
			}
		}
	}
	for _, tt := range []struct {
		id, variable        string
		value, lower, upper uint32
	}{
		{"g10_2aaaaaaaaa", "total_individuals", 1000, Absent, Absent},
		{"g10_aaaaaaaaa7", "total_individuals", 4294967294, 0, 4294967294},
		{"g10_aaaaaaaaa7", "home_kids", 6667, 5000, 10000},
		{"g40_zzzzzzzzzz", "avg_children_per_household", 175, 175, 175},
	} {
		r, _ := table.Find(tt.id)
		if value, lower, upper := r.Value(place(t, tt.variable)); value != tt.value || lower != tt.lower || upper != tt.upper {
			t.Errorf("%s: %s is %d, %d to %d", tt.id, tt.variable, value, lower, upper)
		}
	}
	for _, id := range []string{"", "g10_", "g10_aaaaaaaaaa", "g10_aaaaaaaaa77", "g10-aaaaaaaaa7", "G10_aaaaaaaaa7", "g10_AAAAAAAAA7",
		"g1a_aaaaaaaaa7", "g10_aaaaaaaaé", "z"} {
		if _, ok := table.Find(id); ok {
			t.Errorf("%q is found", id)
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	people, kids, children := place(t, "total_individuals"), place(t, "home_kids"), place(t, "avg_children_per_household")
	of := func(p int, v Value) []Value { return known(map[int]Value{p: v}) }
	for _, tt := range []struct {
		name string
		g    Geography
		want string
	}{
		{"no id", Geography{"g10_short", "CA", "2021", known(nil), nil, ""}, `"g10_short": not a geog_id`},
		{"an id again", Geography{"g40_zzzzzzzzzz", "CA", "2021", known(nil), nil, ""}, `not after "g40_zzzzzzzzzz"`},
		{"no country", Geography{"g60_aaaaaaaaaa", "MX", "2021", known(nil), nil, ""}, `no country "MX"`},
		{"too few", Geography{"g60_aaaaaaaaaa", "CA", "2021", known(nil)[1:], nil, ""}, "variables, not"},
		{"not a variable there", Geography{"g60_aaaaaaaaaa", "US", "2021", of(children, Value{Value: 1}), nil, ""},
			"avg_children_per_household: US has no such variable"},
		{"negative", Geography{"g60_aaaaaaaaaa", "US", "2021", of(people, Value{Value: -1}), nil, ""}, "-1 is out of range"},
		{"too large", Geography{"g60_aaaaaaaaaa", "US", "2021", of(people, Value{Value: 1 << 32}), nil, ""}, "is out of range"},
		{"no number", Geography{"g60_aaaaaaaaaa", "US", "2021", of(kids, Value{Value: math.NaN()}), nil, ""}, "home_kids: NaN"},
		{"an open interval", Geography{"g60_aaaaaaaaaa", "US", "2021", of(people, Value{1, 0, math.Inf(1), true, true, ""}), nil, ""},
			"+Inf is out of range"},
		{"outside of its interval", Geography{"g60_aaaaaaaaaa", "US", "2021", of(kids, Value{0.5, 0.6, 0.7, true, true, ""}), nil, ""},
			"is outside"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := pack.Create(t.TempDir() + "/x.pack")
			must(t, err)
			defer out.Abort()
			if err := fill(out, append(towns(t), tt.g)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestAnotherVocabularyIsRefused(t *testing.T) {
	f := packtest.Open(t, func(out *pack.Writer) error {
		pack.PutVocabulary(out, sectionWords, words()[1:])
		return nil
	})
	if _, err := Open(f); err == nil || !strings.Contains(err.Error(), "written by another version of the program") {
		t.Errorf("error %v", err)
	}
}

func TestEmptyTable(t *testing.T) {
	f := packtest.Open(t, func(out *pack.Writer) error { return NewWriter(out).Finish() })
	table, err := Open(f)
	must(t, err)
	if _, ok := table.Find("g10_aaaaaaaaaa"); ok || table.Len() != 0 {
		t.Error("a geography where there is none")
	}
}

func TestDamageNeverPanics(t *testing.T) {
	f, _ := openTowns(t)
	packtest.Damage(t, f, 300, func(f *pack.File) bool {
		table, err := Open(f)
		if err != nil {
			return false
		}
		lookUp(table)
		return true
	})
}

// lookUp calls all look-ups of a table.
func lookUp(table *Table) {
	for _, id := range []string{"g10_2aaaaaaaaa", "g10_aaaaaaaaa7", "g40_zzzzzzzzzz"} {
		r, ok := table.Find(id)
		if !ok {
			continue
		}
		_, _ = r.Country(), strings.Clone(r.Vintage())
		r.EachVintage(func(string, string) {})
		for p := range Variables() {
			r.Value(p)
		}
	}
}

// FuzzTable overwrites a few bytes of a valid file where the container does not detect it.
func FuzzTable(f *testing.F) {
	good := packtest.Open(f, func(out *pack.Writer) error { return fill(out, towns(f)) })
	packtest.Fuzz(f, good, func(file *pack.File) {
		if table, err := Open(file); err == nil {
			lookUp(table)
		}
	})
}

// BenchmarkFind measures the look-up of one of 100,000 geographies: most of it is waiting for memory if the record has not
// been read recently.
//
//	go test ./internal/pack/people -run '^$' -bench Find
func BenchmarkFind(b *testing.B) {
	const count = 100_000
	random := rand.New(rand.NewPCG(1, 2))
	ids := make([]string, count)
	for i := range ids {
		ids[i] = fmt.Sprintf("g%d_", 10+10*random.IntN(4))
		for range 10 {
			ids[i] += string("abcdefghijklmnopqrstuvwxyz234567"[random.IntN(32)])
		}
	}
	slices.Sort(ids)
	values := known(map[int]Value{place(b, "total_individuals"): {Value: 1000}})
	f := packtest.Open(b, func(out *pack.Writer) error {
		w := NewWriter(out)
		for _, id := range ids {
			must(b, w.Add(Geography{id, "US", "2019-2023", values, nil, ""}))
		}
		return w.Finish()
	})
	table, err := Open(f)
	must(b, err)
	for _, tt := range []struct {
		name  string
		among int
	}{{"often requested", 100}, {"rarely requested", count}} {
		b.Run(tt.name, func(b *testing.B) {
			sum := uint32(0)
			b.ReportAllocs()
			for b.Loop() {
				r, ok := table.Find(ids[random.IntN(tt.among)])
				if !ok {
					b.Fatal("not found")
				}
				for p := range flat {
					value, lower, upper := r.Value(p)
					sum += value ^ lower ^ upper
				}
			}
		})
	}
}
