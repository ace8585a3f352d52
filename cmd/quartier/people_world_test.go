package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkt"

	"quartier/build/released"
	"quartier/fixtures/fixturetest"
	"quartier/fixtures/world/population"
	"quartier/internal/areal"
	"quartier/internal/demography"
	"quartier/internal/geo"
	"quartier/internal/margin"
	"quartier/internal/pack"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// people queries demographics; nil if nobody lives there.
func (s *server) people(t *testing.T, token, query string) map[string]schemas.DemographicsCategory {
	t.Helper()
	status, body := s.get(t, token, "/v3/demographics?"+query)
	if status == http.StatusNoContent {
		return nil
	}
	var answer schemas.DemographicsAnswer
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d %s: %v", query, status, body, err)
	}
	return answer.Data.Attributes
}

// counted is the population of an answer.
func counted(of map[string]schemas.DemographicsCategory) float64 {
	if variables := of["population_total"].Variables; len(variables) == 1 {
		return variables[0].Value
	}
	return 0
}

// within is the query for a ring.
func within(ring orb.Ring) string {
	return "polygon=" + url.QueryEscape(wkt.MarshalString(orb.Polygon{ring}))
}

// union returns the outer ring of adjacent blocks: their edges without those that two of them share. It is false if there
// is more than one ring.
func union(blocks []orb.MultiPolygon) (orb.Ring, bool) {
	next := map[[2]orb.Point]bool{}
	for _, b := range blocks {
		for _, polygon := range b {
			for _, ring := range polygon {
				for i := 1; i < len(ring); i++ {
					if back := [2]orb.Point{ring[i], ring[i-1]}; next[back] {
						delete(next, back)
					} else {
						next[[2]orb.Point{ring[i-1], ring[i]}] = true
					}
				}
			}
		}
	}
	from := map[orb.Point]orb.Point{}
	for edge := range next {
		if _, twice := from[edge[0]]; twice {
			return nil, false // two rings touch
		}
		from[edge[0]] = edge[1]
	}
	begin := slices.MinFunc(slices.Collect(maps.Keys(from)), func(a, b orb.Point) int {
		return slices.Compare(a[:], b[:])
	})
	ring := orb.Ring{begin}
	for p := from[begin]; p != begin; p = from[p] {
		ring = append(ring, p)
	}
	ring = append(ring, begin)
	return ring, len(ring) == len(from)+1 && !runsBack(ring)
}

// runsBack reports whether a ring turns around: where water cuts one of two blocks, their common edge has a corner more on one
// side, so that it stays.
func runsBack(ring orb.Ring) bool {
	ring = slices.Clone(ring)
	for i, p := range ring {
		ring[i] = orb.Point{math.Round(p[0]*1e7) / 1e7, math.Round(p[1]*1e7) / 1e7}
	}
	ring = slices.Compact(ring)
	for i := 1; i+1 < len(ring); i++ {
		a, b, c := ring[i-1], ring[i], ring[i+1]
		along := (b[0]-a[0])*(c[0]-b[0]) + (b[1]-a[1])*(c[1]-b[1])
		if across := (b[0]-a[0])*(c[1]-b[1]) - (b[1]-a[1])*(c[0]-b[0]); along < 0 && math.Abs(across) < -along*1e-3 {
			return true
		}
	}
	return false
}

// TestPeopleOfTheWorld compares served demographics of the synthetic towns with the fixtures.
func TestPeopleOfTheWorld(t *testing.T) {
	release := filepath.Join(townsDir(t), "first")
	file := filepath.Join(release, schemas.DemographicsFile)
	s := startServer(t, release)
	_, token := s.account(t, "--rate", "1000000")

	t.Run("a union of block groups has their very sums", func(t *testing.T) {
		blocks := map[string][]orb.MultiPolygon{}
		for _, row := range rows(t, file, "SELECT area, hex(geometry) FROM small_area_part ORDER BY fid") {
			var blob []byte
			if _, err := fmt.Sscanf(row[1], "%X", &blob); err != nil {
				t.Fatal(err)
			}
			outline, err := released.ReadMultiPolygon(blob)
			if err != nil {
				t.Fatal(err)
			}
			blocks[row[0]] = append(blocks[row[0]], outline)
		}
		asked := 0
		for _, row := range rows(t, file, `SELECT a.fid, a.source_key, p.estimate, o.estimate / (o.estimate + r.estimate) FROM small_area a JOIN small_area_value p ON p.area = a.fid AND p.cell = 'population.total'
			JOIN small_area_value o ON o.area = a.fid AND o.cell = 'tenure.owner' JOIN small_area_value r ON r.area = a.fid AND r.cell = 'tenure.renter' WHERE p.estimate > 0 AND o.estimate + r.estimate > 0 ORDER BY a.source_key`) {
			ring, ok := union(blocks[row[0]])
			if text := wkt.MarshalString(orb.Polygon{ring}); !ok || len(text) > 5000 {
				continue
			}
			asked++
			of := s.people(t, token, within(ring))
			if got := strconv.FormatFloat(counted(of), 'f', -1, 64); got != row[2] {
				t.Errorf("%s has %s people, the polygon %s", row[1], row[2], got)
			}
			owners, err := strconv.ParseFloat(row[3], 64)
			if err != nil {
				t.Fatal(err)
			}
			if got := of["property_tenure"].Variables[0].Value; math.Abs(got-owners) > 0.00005001 {
				t.Errorf("%s: %v of the households own their homes, in the polygon %v", row[1], owners, got)
			}
		}
		if asked < 20 {
			t.Errorf("only %d block groups and dissemination areas have one ring", asked)
		}
	})

	t.Run("more radius never has fewer people", func(t *testing.T) {
		homes := fixturetest.Homes(1)
		for i := 0; i < len(homes); i += len(homes)/12 + 1 {
			before := 0.0
			for radius := 40; radius < 18000; radius = radius*5/4 + 1 {
				at := homes[i].Point
				people := counted(s.people(t, token, fmt.Sprintf("lat=%v&lng=%v&radius=%d", at[1], at[0], radius)))
				if people < before {
					t.Errorf("around %v there are %v people within %d m, and %v within less", at, people, radius, before)
				}
				before = people
			}
		}
	})

	t.Run("parts of a whole add up", func(t *testing.T) {
		whole := orb.Bound{Min: orb.Point{-72.66, 45.006}, Max: orb.Point{-72.58, 45.056}}
		const parts = 5
		sum := 0.0
		for i := range parts {
			for j := range parts {
				cell := orb.Bound{Min: corner(whole, i, j, parts), Max: corner(whole, i+1, j+1, parts)}
				sum += counted(s.people(t, token, within(cell.ToRing())))
			}
		}
		if all := counted(s.people(t, token, within(whole.ToRing()))); all < 1000 || math.Abs(sum-all) > parts*parts/2 {
			t.Errorf("%v people, %v in all parts", all, sum)
		}
	})

	t.Run("nobody lives in the wilderness", func(t *testing.T) {
		for _, spot := range fixturetest.World().Spots {
			if spot.Name == "forest beyond the towns" {
				if status, body := s.get(t, token, fmt.Sprintf("/v3/demographics?lat=%v&lng=%v", spot.Lat, spot.Lng)); status != http.StatusNoContent {
					t.Errorf("%d %s", status, body)
				}
			}
		}
	})
}

// corner is a corner of a cell of a box divided into n by n.
func corner(box orb.Bound, i, j, n int) orb.Point {
	between := func(a, b float64, i int) float64 { return math.Round((a+(b-a)*float64(i)/float64(n))*1e6) / 1e6 }
	return orb.Point{between(box.Min[0], box.Max[0], i), between(box.Min[1], box.Max[1], j)}
}

// TestCoverage counts how often the true value is within its interval, in a thousand discs around homes.
//
//	go test ./cmd/quartier -run Coverage -v
func TestCoverage(t *testing.T) {
	f, err := pack.Open(filepath.Join(townsDir(t), "first", schemas.SmallAreasPack))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	areas, err := smallareas.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	// Homes of the towns do not depend on where in a block group they are, so that its parts differ by chance only.
	constants := calibration.Standard().Demographics
	constants.Parts.Persons, constants.Parts.Households, constants.Parts.Homes = 0.004, 0.004, 0.004
	homes := fixturetest.Homes(1)
	r := rand.New(rand.NewPCG(7, 7))
	tally := map[string]*[2]int{} // by country and method: inside, all
	for range 1000 {
		home := homes[r.IntN(len(homes))]
		radius := 150 + 1050*r.Float64()
		at := geo.NewPlane(home.Point).Point(200*(r.Float64()-0.5), 200*(r.Float64()-0.5))
		estimated, truth := describeDisc(areas, &constants, home.Country(), at, radius, homes)
		for i, place := range demographics.Flat(demographics.ByGeography) {
			if !estimated[i].Interval || !truth[i].Present {
				continue
			}
			v := &demographics.ByGeography[place.Category].Variables[place.Variable]
			key := home.Country() + " " + []string{"shares", "counts", "medians", "means", "ratios"}[v.Method]
			if tally[key] == nil {
				tally[key] = new([2]int)
			}
			tally[key][1]++
			if estimated[i].Lower <= truth[i].Value && truth[i].Value <= estimated[i].Upper {
				tally[key][0]++
			}
		}
	}
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(tally)) {
		rate := float64(tally[key][0]) / float64(tally[key][1])
		lines = append(lines, fmt.Sprintf("%-10s %6d of %6d intervals hold the truth: %.1f %%", key, tally[key][0], tally[key][1], 100*rate))
		if most := map[bool]float64{true: 1, false: 0.98}[key == "CA ratios"]; rate < 0.86 || rate > most {
			// those are of few families, to two decimals
			t.Errorf("%s: %.1f %% of the intervals contain the true value, nominally 90 %%", key, 100*rate)
		}
	}
	t.Log("\n" + strings.Join(lines, "\n"))
}

// describeDisc returns the estimated and the true values in a disc.
func describeDisc(areas *smallareas.Table, constants *calibration.Demographics, country string, at orb.Point, radius float64,
	homes []population.Home) (estimated, truth []demography.Value) {
	var totals smallareas.Totals
	areas.Total(areal.Disc(at[0], at[1], radius), smallareas.Scope{Country: country}, &constants.Parts, &totals)
	var cells, true_ demography.Cells
	for i := range totals.Cells {
		if c := &demographics.Cells[i]; c.Has(country) && c.Role != demographics.Scalar && totals.Known[c.CoverageUnit] > 0 {
			cells.SetSum(i, totals.Cells[i])
		}
	}
	plane := geo.NewPlane(at)
	var inside []population.Home
	for _, h := range homes {
		if plane.Distance(h.Point) <= radius {
			inside = append(inside, h)
		}
	}
	for id, count := range fixturetest.Truth(country, inside) {
		cell, _ := demographics.CellOf(id)
		true_.Set(cell, margin.Figure{Estimate: count})
	}
	for i := range demographics.Cells { // what is not there is counted: nobody
		if c := &demographics.Cells[i]; c.Has(country) && c.Role != demographics.Scalar && true_.HasTable(c.Table) {
			if _, ok := true_.Get(i); !ok {
				true_.Set(i, margin.Figure{})
			}
		}
	}
	return demography.Of(country, &cells, constants), demography.Of(country, &true_, constants)
}
