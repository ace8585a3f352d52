package smallareas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/areal"
	"quartier/internal/margin"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// area is a small area, an input of the writer.
type area struct {
	region string
	sigma  Sigma
	values []Value
	parts  []Part
}

// Sides of the synthetic county, in areas and in hundredths of a degree.
const countySide = 18

// county is 324 areas, enough for three levels of nodes, of one to four parts. Its regions change inside of nodes and in
// single areas.
func county() (areas []area) {
	random := rand.New(rand.NewPCG(5, 6))
	amount := func(most int) float64 { return float64(max(0, random.IntN(most)-most/4)) }
	for i := range countySide * countySide {
		a := area{region: "US_OR", sigma: Sigma{random.Float64(), random.Float64() - 0.5}}
		a.sigma.Between = max(0, a.sigma.Between)
		switch {
		case i > 250 || i%41 == 0:
			a.region = "CA_BC"
		case i > 120:
			a.region = "US_WA"
		}
		x, y := float64(i%countySide), float64(i/countySide)
		n := 1 + random.IntN(4)
		for k := range n {
			outline := square(x+float64(k)/float64(n), y, 1/float64(n), 1)
			if k == 0 && random.IntN(3) == 0 { // with a hole, and an island in it
				hole := square(x+0.25/float64(n), y+0.25, 0.5/float64(n), 0.5)[0][0]
				outline = orb.MultiPolygon{{outline[0][0], hole}, square(x+0.4/float64(n), y+0.4, 0.2/float64(n), 0.2)[0]}
			}
			a.parts = append(a.parts, Part{outline, [universes]float64{amount(100), amount(40), amount(50)}})
		}
		for table := range demographics.Tables {
			if random.IntN(4) == 0 {
				continue // not published here
			}
			for _, c := range demographics.Tables[table].Cells {
				if !demographics.Cells[c].Has(a.region[:2]) {
					continue
				}
				v := value(c, amount(300), amount(90))
				if c == 0 {
					v.Estimate++ // not zero: no zero-estimate rule
				}
				if random.IntN(200) == 0 {
					v.MOE = math.NaN()
				}
				a.values = append(a.values, v)
			}
		}
		areas = append(areas, a)
	}
	return areas
}

// brute computes Total from every part of every area, without boxes, tree and file.
func brute(areas []area, shape *areal.Shape, country string, regions []string, parts *calibration.Parts) *Totals {
	out := &Totals{}
	for _, a := range areas {
		if a.region[:2] != country || regions != nil && !within(a.region, regions) {
			continue
		}
		var in, all, cut weights
		stored, err := weightsOf(a.parts)
		if err != nil {
			panic(err)
		}
		for i, p := range a.parts {
			outline, err := areal.Oriented(p.Outline)
			if err != nil {
				panic(err)
			}
			f := shape.Share(outline)
			for u, weight := range stored[i] {
				in[u] += f * float64(weight)
				cut[u] += f * (1 - f) * math.Pow(float64(weight), 2)
				all[u] += float64(weight)
			}
		}
		w := weights{in[0] / all[0], in[1] / all[1], in[2] / all[2]}
		people, counted := 0.0, false
		known := map[int]bool{}
		whole := map[int]float64{} // of the parts of a table
		for _, v := range a.values {
			if c := &demographics.Cells[v.Cell]; c.Role == demographics.Part || c.Role == demographics.Optional {
				whole[c.Table] += float64(float32(v.Estimate))
			}
		}
		for _, v := range a.values {
			c := &demographics.Cells[v.Cell]
			known[c.Table], known[c.CoverageUnit] = true, true
			if c.ID == "population.total" {
				people, counted = v.Estimate, true
			}
			if c.Role != demographics.Scalar {
				u := demographics.Tables[c.Table].In(country) - 1
				square := math.Pow(float64(float32(a.sigma.Between)), 2)*w[u]*(1-w[u]) +
					math.Pow(float64(float32(a.sigma.Within)), 2)*cut[u]/all[u]/all[u]
				placed := margin.Placed(w[u], math.Sqrt(square), parts.Small, parts.Empty)
				mixed := math.Pow(margin.Z*w[u], 2) * (1/(w[u]-placed.Below/3) - 1) * variance(c, v.Estimate, whole[c.Table], parts)
				out.Cells[v.Cell].AddPart(v.Figure, w[u], mixed, placed)
			}
		}
		for i := 0; i < len(a.parts) && !counted; i++ {
			people += a.parts[i].Weights[0]
		}
		out.Persons += w[0] * people
		for table := range known {
			out.Known[table] += w[0] * people
		}
	}
	return out
}

// variance is that of a figure of which all of its table are counted.
func variance(c *demographics.Cell, estimate, all float64, parts *calibration.Parts) float64 {
	switch table, _, _ := strings.Cut(c.ID, "."); {
	case strings.HasSuffix(c.ID, ".total") || c.Role == demographics.Base:
		return 0
	case strings.HasSuffix(c.ID, ".dollars") || c.ID == "children.children" || c.Role == demographics.OutsideParts || all == 0:
		return math.Pow(parts.Sums*estimate, 2)
	case slices.Contains([]string{"tenure", "housing_type", "bedrooms", "construction_year", "home_value"}, table):
		return parts.Homes * estimate * max(0, all-estimate)
	}
	rho := parts.Persons
	if strings.HasPrefix(c.ID, "household") {
		rho = parts.Households
	}
	return rho * estimate * max(0, all-estimate)
}

func within(region string, regions []string) bool {
	for _, r := range regions {
		if schemas.RegionMatches(region, r) {
			return true
		}
	}
	return false
}

// same is the first figure in which two sums differ by more than rounding; "" if none does.
func same(got, want *Totals) string {
	for c := range got.Cells {
		g, w := got.Cells[c], want.Cells[c]
		if !near(g.Estimate, w.Estimate) || !near(g.Squares, w.Squares) || !near(g.Zero, w.Zero) ||
			!near(g.Mixed, w.Mixed) || !near(g.Placed.Below, w.Placed.Below) || !near(g.Placed.Above, w.Placed.Above) || g.Unknown != w.Unknown {
			return fmt.Sprintf("%s: %+v, want %+v", demographics.Cells[c].ID, g, w)
		}
	}
	return sameCoverage(&got.Coverage, &want.Coverage)
}

func sameCoverage(got, want *Coverage) string {
	for table := range got.Known {
		if !near(got.Known[table], want.Known[table]) {
			return fmt.Sprintf("topic %d: known of %v, want %v", table, got.Known[table], want.Known[table])
		}
	}
	if !near(got.Persons, want.Persons) {
		return fmt.Sprintf("%v persons, want %v", got.Persons, want.Persons)
	}
	return ""
}

func openCounty(t testing.TB) ([]area, *pack.File, *Table) {
	t.Helper()
	areas := county()
	f := packtest.Open(t, func(out *pack.Writer) error {
		w := NewWriter(out)
		for _, a := range areas {
			if err := w.AddArea(a.region, a.sigma, a.values, a.parts); err != nil {
				return err
			}
		}
		return w.Finish()
	})
	table, err := Open(f)
	must(t, err)
	if len(table.levels) != 3 {
		t.Fatalf("%d levels of nodes", len(table.levels))
	}
	return areas, f, table
}

// someShape is a disc or a star somewhere in the county, from a corner of a part to larger than all of it.
func someShape(t *rapid.T) *areal.Shape {
	within := rapid.Float64Range(-1, countySide+1)
	x, y := within.Draw(t, "x")/100, within.Draw(t, "y")/100
	size := math.Pow(10, rapid.Float64Range(-3, -0.5).Draw(t, "log of the size")) // degrees
	corners := rapid.IntRange(2, 12).Draw(t, "corners")
	if corners == 2 {
		return areal.Disc(x, y, size*111000)
	}
	var ring orb.Ring
	for i := range corners {
		angle, far := 2*math.Pi*float64(i)/float64(corners), size*rapid.Float64Range(0.2, 1).Draw(t, "far")
		ring = append(ring, orb.Point{x + far*math.Cos(angle), y + far*math.Sin(angle)})
	}
	return areal.Polygons(orb.MultiPolygon{{append(ring, ring[0])}})
}

// TestTreeAgreesWithEveryPart compares the sums of the tree, with margins and without, with those over all parts.
func TestTreeAgreesWithEveryPart(t *testing.T) {
	areas, _, table := openCounty(t)
	parts := &calibration.Parts{Persons: 0.02, Households: 0.03, Homes: 0.07, Sums: 0.2, Small: 0.3, Empty: 0.1}
	people, around := cell(t, "population.total"), demographics.CellsOf(demographics.Around)
	rapid.Check(t, func(t *rapid.T) {
		shape := someShape(t)
		scope := Scope{Country: rapid.SampledFrom([]string{"US", "CA"}).Draw(t, "country")}
		scope.Regions = rapid.SampledFrom([][]string{nil, {"US", "CA"}, {"US_WA"}, {"CA_BC", "US_OR"}}).Draw(t, "regions")
		want := brute(areas, shape, scope.Country, scope.Regions, parts)
		var totals Totals
		table.Total(shape, scope, parts, &totals)
		if diff := same(&totals, want); diff != "" {
			t.Fatal(diff)
		}
		var estimates Estimates
		table.Estimate(shape, scope, &estimates)
		for c, got := range estimates.Cells {
			if !around[c] {
				continue
			}
			if !near(got, want.Cells[c].Estimate) {
				t.Fatalf("%s: estimate %v, want %v", demographics.Cells[c].ID, got, want.Cells[c].Estimate)
			}
		}
		if diff := sameCoverage(&estimates.Coverage, &want.Coverage); diff != "" {
			t.Fatal(diff)
		}
		// What Each visits adds up to the same.
		sum := 0.0
		_ = table.Each(shape, scope, func(area int, w weights) error {
			f, _ := table.Value(area, people)
			sum += w[0] * f.Estimate
			return nil
		})
		if !near(sum, want.Cells[people].Estimate) {
			t.Fatalf("%v people one by one, want %v", sum, want.Cells[people].Estimate)
		}
	})
}

// TestPartitionAddsUpToTheWhole cuts the county into four by a cross through any point.
func TestPartitionAddsUpToTheWhole(t *testing.T) {
	_, _, table := openCounty(t)
	rapid.Check(t, func(t *rapid.T) {
		within := rapid.Float64Range(0, countySide)
		x, y := within.Draw(t, "x"), within.Draw(t, "y")
		var sum, whole Totals
		table.Total(areal.Polygons(square(-1, -1, countySide+2, countySide+2)), Scope{Country: "US"}, new(calibration.Parts), &whole)
		for _, quarter := range []orb.MultiPolygon{
			square(-1, -1, x+1, y+1), square(x, -1, countySide+1-x, y+1), square(-1, y, x+1, countySide+1-y),
			square(x, y, countySide+1-x, countySide+1-y),
		} {
			var part Totals
			table.Total(areal.Polygons(quarter), Scope{Country: "US"}, new(calibration.Parts), &part)
			for c := range sum.Cells {
				sum.Cells[c].Merge(part.Cells[c])
			}
			sum.Persons += part.Persons
		}
		for c := range sum.Cells {
			if !near(sum.Cells[c].Estimate, whole.Cells[c].Estimate) {
				t.Fatalf("%s: %v in four, %v in one", demographics.Cells[c].ID, sum.Cells[c].Estimate, whole.Cells[c].Estimate)
			}
		}
		if !near(sum.Persons, whole.Persons) {
			t.Fatalf("%v persons in four, %v in one", sum.Persons, whole.Persons)
		}
	})
}

// TestCompleteAreas draws shapes along the borders of areas: no part of a part may be missing.
func TestCompleteAreas(t *testing.T) {
	areas, _, table := openCounty(t)
	for i := range areas {
		x, y := float64(i%countySide), float64(i/countySide)
		seen := map[int]weights{}
		must(t, table.Each(areal.Polygons(square(x, y, 1, 1)), Scope{Country: areas[i].region[:2]}, func(area int, w weights) error {
			seen[area] = w
			return nil
		}))
		if len(seen) != 1 || seen[i] != whole {
			t.Fatalf("area %d: %v", i, seen)
		}
	}
}

func TestEstimateDoesNotAllocate(t *testing.T) {
	_, _, table := openCounty(t)
	shape, out := areal.Disc(0.09, 0.09, 7000), new(Estimates)
	scope := Scope{Country: "US", Regions: []string{"US_OR", "US_WA"}}
	if n := testing.AllocsPerRun(20, func() { table.Estimate(shape, scope, out) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
