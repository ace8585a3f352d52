package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/vector"
	"quartier/internal/areal"
	"quartier/internal/geo"
	"quartier/internal/margin"
	"quartier/internal/pack"
	"quartier/internal/pack/smallareas"
	"quartier/internal/testenv"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// piece is an area with a published population, part of a larger one: a block group of a tract, a block of a dissemination
// area, a dissemination area of a neighbourhood.
type piece struct {
	county, whole, key string
	outline            orb.MultiPolygon
	people, households margin.Figure
}

// setting is where a larger area lies, by its density.
func setting(perKM2 float64) string {
	switch {
	case perKM2 < 150:
		return "country"
	case perKM2 < 1500:
		return "suburb"
	}
	return "city"
}

// outlines reads the outlines of a file by an attribute; of several features with the same value, all together.
func outlines(t *testing.T, attribute string, path ...string) map[string]orb.MultiPolygon {
	t.Helper()
	layer, err := vector.Open(t.Context(), filepath.Join(path...), vector.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer layer.Close()
	all := map[string]orb.MultiPolygon{}
	if err := layer.Read(t.Context(), func(f vector.Feature) error {
		if f.Geometry != nil {
			all[f.Attributes[attribute]] = append(all[f.Attributes[attribute]], vector.Outline(f.Geometry)...)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// figuresOf reads a column of estimates, and one of margins unless that is "", by the last twelve digits of a key.
func figuresOf(t *testing.T, path, key, estimate, moe string) map[string]margin.Figure {
	t.Helper()
	all := map[string]margin.Figure{}
	for _, row := range table(t, path) {
		id := row[key]
		if id = id[max(0, len(id)-12):]; strings.Trim(row[estimate], "0123456789.") != "" || row[estimate] == "" {
			continue // a line of labels
		}
		f := margin.Figure{Estimate: number(t, row[estimate])}
		if moe != "" && strings.Trim(row[moe], "0123456789.") == "" {
			f.MOE = number(t, row[moe])
		}
		all[id] = f
	}
	return all
}

// blockGroups are those that have an outline and a population, by the first digits of their key.
func blockGroups(t *testing.T, outlines map[string]orb.MultiPolygon, people, households map[string]margin.Figure) (list []piece) {
	for key, outline := range outlines {
		f, ok := people[key]
		if h, counted := households[key]; ok && len(key) == 12 {
			if !counted {
				h.Estimate = math.NaN()
			}
			list = append(list, piece{key[:5], key[:11], key, outline, f, h})
		}
	}
	return list
}

// ottawa are the blocks of its dissemination areas, or the dissemination areas of its neighbourhoods.
func ottawa(t *testing.T, data string) (blocks, areas []piece) {
	dir := filepath.Join(data, "ca-ottawa")
	people := figuresOf(t, filepath.Join(dir, "statcan-2021", "ottawa_db_pop_2021.csv"), "DBUID", "dbpop2021", "")
	hood := map[string]string{}
	for _, row := range table(t, filepath.Join(dir, "ons", "da2021_to_ons_gen3.csv")) {
		hood[row["DAUID"]] = row["ONS_ID"]
	}
	ofArea := map[string]*piece{}
	for key, outline := range outlines(t, "DBUID", dir, "statcan-2021", "ottawa_db_2021.geojson") {
		da := key[:8]
		blocks = append(blocks, piece{"3506 blocks", da, key, outline, people[key], margin.Figure{Estimate: math.NaN()}})
		if ofArea[da] == nil {
			ofArea[da] = &piece{county: "3506 areas", whole: hood[da], key: da, households: margin.Figure{Estimate: math.NaN()}}
		}
		ofArea[da].outline = append(ofArea[da].outline, outline...)
		ofArea[da].people.Estimate += people[key].Estimate
	}
	for _, p := range ofArea {
		areas = append(areas, *p)
	}
	return blocks, areas
}

// realPieces are all pieces of the real data, ordered by county, whole and key.
func realPieces(t *testing.T, data string) (list []piece) {
	us := func(path ...string) string { return filepath.Join(append([]string{data}, path...)...) }
	people := figuresOf(t, us("us-portland/acs/census_total_population-2000-2010-blkgrp.csv"), "GEOID10", "CL8AA2010", "")
	households := map[string]margin.Figure{}
	for _, row := range table(t, us("us-portland/acs/acs_household_income_2014_blkgrp.csv")) {
		households[row["STATEA"]+row["COUNTYA"]+row["TRACTA"]+row["BLKGRPA"]] = margin.Figure{Estimate: number(t, row["ABDOE001"]),
			MOE: number(t, row["ABDOM001"])}
	}
	list = blockGroups(t, outlines(t, "GEOID10", us("us-portland/boundaries/pdx-2010-census-blockgroups.shp")), people, households)
	acs := us("us-dc", "acs-2015", "ACS_15_5YR_")
	people = figuresOf(t, acs+"B01003_with_ann.csv", "GEO.id2", "HD01_VD01", "HD02_VD01")
	households = figuresOf(t, acs+"B25002_with_ann.csv", "GEO.id2", "HD01_VD02", "HD02_VD02")
	list = append(list, blockGroups(t, outlines(t, "GEOID", us("us-dc/boundaries/tl_2019_11_bg.shp")), people, households)...)
	manhattan := us("us-newyork", "boundaries", "manhattan_blkgrp_tidycensus_2018.geojson")
	people = map[string]margin.Figure{}
	layer, err := vector.Open(t.Context(), manhattan, vector.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer layer.Close()
	if err := layer.Read(t.Context(), func(f vector.Feature) error {
		people[f.Attributes["GEOID"]] = margin.Figure{Estimate: number(t, f.Attributes["estimate"]), MOE: number(t, f.Attributes["moe"])}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	list = append(list, blockGroups(t, outlines(t, "GEOID", manhattan), people, nil)...)
	blocks, areas := ottawa(t, data)
	list = append(append(list, blocks...), areas...)
	slices.SortFunc(list, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.county, b.county), cmp.Compare(a.whole, b.whole), cmp.Compare(a.key, b.key))
	})
	return list
}

// prediction is the people of a piece as predicted from the larger area by ground.
type prediction struct {
	county, setting string
	truth           float64
	sum             margin.Sum // as the build computes it
}

// scaled is a sum with its allocation errors multiplied.
func scaled(s margin.Sum, factor float64) margin.Sum {
	square := factor * factor
	s.Mixed, s.Placed = square*s.Mixed, margin.Sides{Below: square * s.Placed.Below, Above: square * s.Placed.Above}
	return s
}

// holds reports whether the interval contains the truth if the allocation error is multiplied.
func (p *prediction) holds(factor float64) bool {
	lower, upper, _ := scaled(p.sum, factor).Interval(0, math.Inf(1))
	return math.Round(lower) <= p.truth && p.truth <= math.Round(upper)
}

// whole is a larger area with its pieces.
type whole struct {
	pieces  []piece
	outline orb.MultiPolygon
	people  margin.Figure
	km2     float64
	size    float64 // people to a household; NaN if unknown
}

func (w *whole) density() float64 { return w.people.Estimate / w.km2 }

// wholesOf are the larger areas of a county that have people and more than one piece.
func wholesOf(list []piece) (all []*whole) {
	for first := 0; first < len(list); {
		w := &whole{}
		var sum margin.Sum
		households := 0.0
		for ; first < len(list) && (len(w.pieces) == 0 || list[first].whole == w.pieces[0].whole); first++ {
			w.pieces = append(w.pieces, list[first])
			w.outline = append(w.outline, list[first].outline...)
			sum.Add(list[first].people, 1)
			households += list[first].households.Estimate
		}
		w.people, w.km2 = sum.Figure(), geo.Area(w.outline)/1e6
		w.size = w.people.Estimate / households
		if w.people.Estimate > 0 && len(w.pieces) > 1 {
			all = append(all, w)
		}
	}
	return all
}

// surroundings is the density at or below which half of the people live.
func surroundings(list []*whole) float64 {
	list = slices.SortedFunc(slices.Values(list), func(a, b *whole) int { return cmp.Compare(a.density(), b.density()) })
	all, below := 0.0, 0.0
	for _, w := range list {
		all += w.people.Estimate
	}
	for _, w := range list {
		if below += w.people.Estimate; below >= all/2 {
			return w.density()
		}
	}
	return 0
}

// apportion is the allocation error and the parts of a larger area, by the density where most people of its county live.
type apportion func(of *whole, around float64) (smallareas.Sigma, []smallareas.Part)

// byGround is the area in one part.
func byGround(of *whole, around float64) (smallareas.Sigma, []smallareas.Part) {
	sigma := calibration.Standard().Demographics.Ground.Sigma(of.density(), around, of.size)
	return smallareas.Sigma{Within: sigma}, []smallareas.Part{{Outline: of.outline, Weights: [demographics.Universes]float64{1, 1, 1}}}
}

// smallAreas is the packed table of areas that are added by a function.
func smallAreas(t *testing.T, add func(*smallareas.Writer) error) *smallareas.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small_areas.pack")
	out, err := pack.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := smallareas.NewWriter(out)
	if err = add(w); err == nil {
		err = w.Finish()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		t.Fatal(err)
	}
	file, err := pack.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	areas, err := smallareas.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	return areas
}

// tableOf is the table of larger areas and their people as a build makes it.
func tableOf(t *testing.T, wholes []*whole, how apportion) *smallareas.Table {
	t.Helper()
	around := surroundings(wholes)
	return smallAreas(t, func(w *smallareas.Writer) error {
		for _, of := range wholes {
			sigma, parts := how(of, around)
			if err := w.AddArea("US_OR", sigma, []smallareas.Value{{Cell: 0, Figure: of.people}}, parts); err != nil {
				return err
			}
		}
		return nil
	})
}

// peopleIn are the people in a shape by a table.
func peopleIn(table *smallareas.Table, shape *areal.Shape) margin.Sum {
	var totals smallareas.Totals
	table.Total(shape, smallareas.Scope{Country: "US"}, &calibration.Standard().Demographics.Parts, &totals)
	return totals.Cells[0]
}

// predict predicts the people of all pieces of a county.
func predict(t *testing.T, list []piece, how apportion) (all []prediction) {
	t.Helper()
	wholes := wholesOf(list)
	table := tableOf(t, wholes, how)
	for _, of := range wholes {
		for _, p := range of.pieces {
			all = append(all, prediction{p.county, setting(of.density()), p.people.Estimate, peopleIn(table, areal.Polygons(p.outline))})
		}
	}
	return all
}

// heldShare is the share of predictions whose interval holds the truth, and their number.
func heldShare(list []prediction, factor float64, only func(*prediction) bool) (share float64, n int) {
	for i := range list {
		if only(&list[i]) {
			n++
			if list[i].holds(factor) {
				share++
			}
		}
	}
	return share / float64(n), n
}

// Areas of fewer pieces say little about a coverage.
const (
	leastPieces   = 20
	wantedHeld    = 0.88 // in every setting of every county
	fittedHeld    = 0.92 // of the counties that the error of one more is fitted on: it may be worse than any of them
	fitPrecision  = 0.01
	largestFactor = 3.0
)

// TestInterpolation predicts the people of block groups from their tracts, of blocks from their dissemination areas and of
// these from neighbourhoods, and counts how often the published figure is in the 90 % interval: in each county by setting,
// with the constants of the calibration, and with the error fitted on the other counties.
//
//	go test ./cmd/quartier -run Interpolation -v
func TestInterpolation(t *testing.T) {
	t.Parallel()
	pieces := realPieces(t, testenv.NeedData(t, ""))
	counties := map[string][]prediction{}
	var names []string
	for first, i := 0, 0; first < len(pieces); first = i {
		for i = first; i < len(pieces) && pieces[i].county == pieces[first].county; i++ {
		}
		if list := predict(t, pieces[first:i], byGround); len(list) >= 10*leastPieces {
			names = append(names, pieces[first].county)
			counties[pieces[first].county] = list
		}
	}
	if len(names) < 7 {
		t.Fatalf("only the counties %v", names)
	}
	all := []string{"held by the 90 % interval, number of pieces"}
	for _, name := range names {
		line := fmt.Sprintf("%-12s", name)
		for _, at := range []string{"city", "suburb", "country", ""} {
			share, n := heldShare(counties[name], 1, func(p *prediction) bool { return at == "" || p.setting == at })
			if n < leastPieces {
				line += fmt.Sprintf("  %-7s            –", at)
				continue
			}
			line += fmt.Sprintf("  %-7s %5.1f %% %5d", cmp.Or(at, "all"), 100*share, n)
			if share < wantedHeld {
				t.Errorf("%s %s: %.1f %% of %d intervals hold the published figure", name, at, 100*share, n)
			}
		}
		factor := fit(counties, name, len("3506"), fittedHeld)
		share, _ := heldShare(counties[name], factor, func(*prediction) bool { return true })
		all = append(all, line+fmt.Sprintf("  fitted on the others (factor %.2f) %5.1f %%", factor, 100*share))
		if share < wantedHeld {
			t.Errorf("%s: fitted on the other counties, %.1f %% of the intervals hold the published figure", name, 100*share)
		}
	}
	t.Log("\n" + strings.Join(all, "\n"))
}

// fit is the smallest factor of the allocation error with which a share of the intervals of every county but one hold
// the published figure; lists whose names begin with the same letters are one county.
func fit(counties map[string][]prediction, without string, letters int, held float64) float64 {
	for factor := fitPrecision; factor < largestFactor; factor += fitPrecision {
		enough := true
		for name, list := range counties {
			if name[:letters] != without[:letters] {
				share, _ := heldShare(list, factor, func(*prediction) bool { return true })
				enough = enough && share >= held
			}
		}
		if enough {
			return factor
		}
	}
	return largestFactor
}

// TestHouseholdsByPeople predicts the households of block groups from those of their tracts by people, and counts how often
// the published figure is in the interval.
func TestHouseholdsByPeople(t *testing.T) {
	sigma := calibration.Standard().Demographics.ByPeople
	tally := map[string]*[2]int{}
	for _, of := range wholesOf(realPieces(t, testenv.NeedData(t, ""))) {
		var households margin.Sum
		for _, p := range of.pieces {
			households.Add(p.households, 1)
		}
		all := households.Figure()
		for _, p := range of.pieces {
			if math.IsNaN(all.Estimate) {
				continue
			}
			share := p.people.Estimate / of.people.Estimate
			moe := math.Hypot(all.MOE*math.Sqrt(share), margin.Z*all.Estimate*sigma*math.Sqrt(share*(1-share)))
			n := tally[p.county]
			if n == nil {
				n = new([2]int)
				tally[p.county] = n
			}
			n[1]++
			if math.Abs(all.Estimate*share-p.households.Estimate) <= moe {
				n[0]++
			}
		}
	}
	for county, n := range tally {
		if n[1] < 10*leastPieces {
			continue
		}
		share := float64(n[0]) / float64(n[1])
		t.Logf("%s: %.1f %% of %d intervals hold the published households", county, 100*share, n[1])
		if share < wantedHeld {
			t.Errorf("%s: too few", county)
		}
	}
}
