package smallareas

import (
	"bytes"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/areal"
	"quartier/internal/margin"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func value(cell int, estimate, moe float64) Value {
	return Value{cell, margin.Figure{Estimate: estimate, MOE: moe}}
}

// cell is the index of a cell by its id.
func cell(t testing.TB, id string) int {
	t.Helper()
	c, ok := demographics.CellOf(id)
	if !ok {
		t.Fatalf("no cell %q", id)
	}
	return c
}

// square is a box of sides in hundredths of a degree.
func square(x, y, wide, tall float64) orb.MultiPolygon {
	const unit = 0.01
	w, s, e, n := x*unit, y*unit, (x+wide)*unit, (y+tall)*unit
	return orb.MultiPolygon{{{{w, s}, {w, n}, {e, n}, {e, s}, {w, s}}}}
}

// hamlet is three areas of two parts next to each other on the equator, each part a square of one hundredth of a degree:
// one of Oregon, one of Washington, which has neither population nor dwellings, and one of British Columbia.
func hamlet(t testing.TB, out *pack.Writer) error {
	w := NewWriter(out)
	part := func(x float64, persons, households, dwellings float64) Part {
		return Part{square(x, 0, 1, 1), [universes]float64{persons, households, dwellings}}
	}
	unknown := math.NaN()
	must(t, w.AddArea("US_OR", Sigma{Within: 0.4}, []Value{
		value(cell(t, "population.total"), 100, 10), value(cell(t, "age.00_04"), 0, 12),
		value(cell(t, "tenure.owner"), 40, 5), value(cell(t, "housing_type.detached"), 60, unknown),
		value(cell(t, "median_household_income.value"), 50000, 4000),
	}, []Part{part(0, 30, 0, 5), part(1, 10, 8, 15)}))
	must(t, w.AddArea("US_WA", Sigma{Within: 0.4}, []Value{value(cell(t, "age.00_04"), 7, 12)},
		[]Part{part(2, 0, 3, 0), part(3, 0, 1, 0), {Outline: square(9, 9, 1, 1)}}))
	must(t, w.AddArea("CA_BC", Sigma{Within: 0.4},
		[]Value{value(cell(t, "population.total"), 1000, 0), value(cell(t, "housing_type.detached"), 300, 3)},
		[]Part{part(4, 5, 1, 0), part(5, 5, 3, 1)}))
	return w.Finish()
}

func openHamlet(t testing.TB) (*pack.File, *Table) {
	t.Helper()
	f := packtest.Open(t, func(out *pack.Writer) error { return hamlet(t, out) })
	table, err := Open(f)
	must(t, err)
	return f, table
}

// TestSums compares with sums computed by hand. The rounding of weights to halves and quarters is exact.
func TestSums(t *testing.T) {
	_, table := openHamlet(t)
	parts := &calibration.Parts{Persons: 0.02, Households: 0.03, Homes: 0.07, Sums: 0.25, Small: 0.3}
	owner, detached, young, people := "tenure.owner", "housing_type.detached", "age.00_04", "population.total"
	for _, tt := range []struct {
		name             string
		shape            orb.MultiPolygon
		scope            Scope
		estimates        map[string]float64
		margins          map[string]float64
		persons, peopled float64 // of the coverage: all, of areas with a population
	}{
		{"an area", square(0, 0, 2, 1), Scope{Country: "US"},
			map[string]float64{people: 100, owner: 40, detached: 60}, map[string]float64{people: 10, young: 12, owner: 5, detached: math.NaN()},
			100, 100},
		{"its first part", square(0, 0, 1, 1), Scope{Country: "US"}, // no households, a quarter of the dwellings
			map[string]float64{people: 75, owner: 0, detached: 15},
			map[string]float64{people: 7.5, young: 9, owner: 0, detached: math.NaN()}, 75, 75},
		{"half of its second part", square(1, 0, 0.5, 1), Scope{Country: "US"},
			map[string]float64{people: 12.5, owner: 20, detached: 22.5}, map[string]float64{young: 1.5}, 12.5, 12.5},
		{"where persons and dwellings weigh nothing", square(2, 0, 1, 1), Scope{Country: "US"},
			map[string]float64{young: 5.25}, nil, 0, 0},
		{"both of the United States", square(-5, -5, 20, 10), Scope{Country: "US"},
			map[string]float64{people: 100, young: 7}, map[string]float64{young: math.Sqrt(288), people: 10}, 100, 100},
		{"Oregon", square(-5, -5, 20, 10), Scope{Country: "US", Regions: []string{"US_OR", "CA"}}, map[string]float64{people: 100, young: 0}, nil,
			100, 100},
		{"the United States of the regions allowed", square(-5, -5, 20, 10), Scope{Country: "US", Regions: []string{"US"}},
			map[string]float64{young: 7}, nil, 100, 100},
		{"none allowed", square(-5, -5, 20, 10), Scope{Country: "US", Regions: []string{"CA"}}, map[string]float64{young: 0}, nil, 0, 0},
		{"no regions allowed", square(-5, -5, 20, 10), Scope{Country: "US", Regions: []string{}}, map[string]float64{young: 0}, nil, 0, 0},
		{"no such country", square(-5, -5, 20, 10), Scope{Country: "MX"}, map[string]float64{people: 0}, nil, 0, 0},
		{"Canada, whose homes are shared out by households", square(4, 0, 1, 1), Scope{Country: "CA"},
			map[string]float64{people: 500, detached: 75}, nil, 500, 500},
	} {
		t.Run(tt.name, func(t *testing.T) {
			shape := areal.Polygons(tt.shape)
			var estimates Estimates
			var totals Totals
			table.Estimate(shape, tt.scope, &estimates)
			table.Total(shape, tt.scope, parts, &totals)
			for id, want := range tt.estimates {
				if got := totals.Cells[cell(t, id)].Estimate; !near(got, want) || !near(estimates.Cells[cell(t, id)], want) {
					t.Errorf("%s: %v, %v, want %v", id, got, estimates.Cells[cell(t, id)], want)
				}
			}
			for id, want := range tt.margins {
				if got := totals.Cells[cell(t, id)].Figure().MOE; !near(got, want) {
					t.Errorf("%s: margin of error %v, want %v", id, got, want)
				}
			}
			if totals.Coverage != estimates.Coverage {
				t.Errorf("coverage %v, %v", totals.Coverage, estimates.Coverage)
			}
			if c := totals.Coverage; !near(c.Persons, tt.persons) || !near(c.Known[demographics.Cells[cell(t, people)].Table], tt.peopled) {
				t.Errorf("coverage %v", c)
			}
			if totals.Cells[cell(t, "median_household_income.value")] != (margin.Sum{}) {
				t.Error("a median is added up")
			}
		})
	}
}

// near reports whether two numbers are equal up to rounding; NaN is near NaN.
func near(got, want float64) bool {
	return math.Abs(got-want) <= 1e-6*max(1, math.Abs(want)) || math.IsNaN(got) && math.IsNaN(want)
}

func TestAreasOneByOne(t *testing.T) {
	_, table := openHamlet(t)
	if table.Areas() != 3 || table.Parts() != 6 || table.Region(1) != "US_WA" || table.Region(3) != "" || table.Region(-1) != "" {
		t.Errorf("%d areas, %d parts, regions %q and %q", table.Areas(), table.Parts(), table.Region(1), table.Region(3))
	}
	if f, ok := table.Value(0, cell(t, "median_household_income.value")); !ok || f != (margin.Figure{Estimate: 50000, MOE: 4000}) {
		t.Errorf("median income %v %v", f, ok)
	}
	if f, ok := table.Value(0, cell(t, "housing_type.detached")); !ok || f.Estimate != 60 || f.Known() {
		t.Errorf("detached homes %v %v", f, ok)
	}
	for _, at := range [][2]int{{1, cell(t, "population.total")}, {3, 0}, {-1, 0}, {0, -1}, {0, cells}} {
		if f, ok := table.Value(at[0], at[1]); ok {
			t.Errorf("area %d has cell %d: %v", at[0], at[1], f)
		}
	}
	seen := map[int]weights{}
	visit := func(area int, w weights) error { seen[area] = w; return nil }
	must(t, table.Each(areal.Polygons(square(1, 0, 10, 1)), Scope{Country: "US"}, visit))
	if len(seen) != 2 || seen[1] != whole || !near(seen[0][0], 0.25) || seen[0][1] != 1 || !near(seen[0][2], 0.75) {
		t.Errorf("areas %v", seen)
	}
	stop, visits := errors.New("enough"), 0
	err := table.Each(areal.Polygons(square(0, 0, 10, 1)), Scope{Country: "US"}, func(int, weights) error { visits++; return stop })
	if err != stop || visits != 1 {
		t.Errorf("%v after %d visits", err, visits)
	}
}

func TestAnotherVocabularyIsRefused(t *testing.T) {
	f := packtest.Open(t, func(out *pack.Writer) error {
		pack.PutVocabulary(out, sectionWords, append(words(), "age.one_more"))
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
	var estimates Estimates
	table.Estimate(areal.Disc(0, 0, 1000), Scope{Country: "US"}, &estimates)
	if estimates.Persons != 0 || table.Areas() != 0 {
		t.Error("people where there are none")
	}
}

func TestWriterRefuses(t *testing.T) {
	people := cell(t, "population.total")
	parts := []Part{{square(0, 0, 1, 1), [universes]float64{1, 1, 1}}}
	for _, tt := range []struct {
		name   string
		region string
		values []Value
		parts  []Part
		want   string
	}{
		{"no region", "MX_X", nil, parts, `small area 1: no region "MX_X"`},
		{"no parts", "US_OR", nil, nil, "no parts"},
		{"a negative weight", "US_OR", nil, []Part{{square(0, 0, 1, 1), [universes]float64{1, -1, 1}}}, "part 0: weights [1 -1 1]"},
		{"no weight", "US_OR", nil, []Part{{square(0, 0, 1, 1), [universes]float64{math.NaN(), 1, 1}}}, "part 0: weights"},
		{"no outline", "US_OR", nil, append(slices.Clone(parts), Part{Weights: [universes]float64{1, 1, 1}}), "part 1: no outline"},
		{"off the earth", "US_OR", nil, []Part{{square(0, 9500, 1, 1), [universes]float64{1, 1, 1}}}, "part 0: polygon 0"},
		{"no cell", "US_OR", []Value{value(cells, 1, 1)}, parts, "no cell 189"},
		{"a cell again", "US_OR", []Value{value(people, 1, 1), value(people, 1, 1)}, parts, "population.total: duplicate figure"},
		{"a cell of another country", "CA_ON", []Value{value(cell(t, "employment.total"), 1, 1)}, parts,
			"employment.total: CA has no such figure"},
		{"a negative figure", "US_OR", []Value{value(people, -1, 1)}, parts, "population.total: -1 ± 1"},
		{"no figure", "US_OR", []Value{value(people, math.NaN(), 1)}, parts, "population.total: NaN"},
		{"a negative margin", "US_OR", []Value{value(people, 1, -1)}, parts, "population.total: 1 ± -1"},
		{"an endless margin", "US_OR", []Value{value(people, 1, math.Inf(1))}, parts, "population.total: 1 ± +Inf"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := pack.Create(t.TempDir() + "/x.pack")
			must(t, err)
			defer out.Abort()
			w := NewWriter(out)
			must(t, w.AddArea("US_OR", Sigma{}, nil, parts))
			if err := w.AddArea(tt.region, Sigma{}, tt.values, tt.parts); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestUniversesThatWeighNothingTakeOthers(t *testing.T) {
	square := square(0, 0, 1, 1)
	for _, tt := range []struct{ in, want [2][universes]float64 }{
		{[2][universes]float64{{1, 2, 3}, {4, 0, 0}}, [2][universes]float64{{1, 2, 3}, {4, 0, 0}}},
		{[2][universes]float64{{0, 2, 3}, {0, 0, 7}}, [2][universes]float64{{3, 2, 3}, {7, 0, 7}}},
		{[2][universes]float64{{0, 2, 0}, {0, 1, 0}}, [2][universes]float64{{2, 2, 2}, {1, 1, 1}}},
		{[2][universes]float64{{5, 0, 0}, {1, 0, 0}}, [2][universes]float64{{5, 5, 5}, {1, 1, 1}}},
	} {
		got, err := weightsOf([]Part{{square, tt.in[0]}, {square, tt.in[1]}})
		must(t, err)
		for i := range got {
			for u, w := range got[i] {
				if float64(w) != tt.want[i][u] {
					t.Errorf("%v became %v, want %v", tt.in, got, tt.want)
				}
			}
		}
	}
}

// TestPartsOfZeroWeightCountByArea is a forest without population in any of its parts.
func TestPartsOfZeroWeightCountByArea(t *testing.T) {
	people := cell(t, "population.total")
	f := packtest.Open(t, func(out *pack.Writer) error {
		w := NewWriter(out)
		must(t, w.AddArea("CA_QC", Sigma{}, []Value{value(people, 8, 0)}, []Part{{Outline: square(0, 0, 1, 1)}, {Outline: square(1, 0, 3, 1)}}))
		return w.Finish()
	})
	table, err := Open(f)
	must(t, err)
	var estimates Estimates
	table.Estimate(areal.Polygons(square(0, 0, 1, 1)), Scope{Country: "CA"}, &estimates)
	if got := estimates.Cells[people]; !near(got, 2) {
		t.Errorf("%v people in a quarter of the forest", got)
	}
}

func TestOrderOfFiguresLeavesNoTrace(t *testing.T) {
	write := func(values ...Value) []byte {
		f := packtest.Open(t, func(out *pack.Writer) error {
			w := NewWriter(out)
			for range 20 {
				must(t, w.AddArea("US_OR", Sigma{}, values, []Part{{square(0, 0, 1, 1), [universes]float64{3, 2, 1}}}))
			}
			return w.Finish()
		})
		data, err := os.ReadFile(f.Path())
		must(t, err)
		return data
	}
	a, b, c := value(0, 0.1, 0.2), value(1, 0.3, math.NaN()), value(2, 0, 5)
	if !bytes.Equal(write(a, b, c), write(c, b, a)) {
		t.Error("the files differ")
	}
}
