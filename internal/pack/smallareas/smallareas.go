// Package smallareas is the packed table of small areas, the smallest areas with published statistics about people, with a
// tree that adds them up: the build computes the variables of geographies from it, the server those around a point. It
// contains block groups and dissemination areas along a Hilbert curve, each with its figures (by index in
// demographics.Cells) and its parts: census blocks with weights and outlines. A Table adds up what is inside a shape,
// with margins of error or without, visits the areas in it, and reads single figures.
//
// An area inside the shape counts completely. One that the shape cuts counts by its parts: Σ u·f / Σ u, where u is the
// weight of a part for the universe of a table and f the share of its area in the shape (docs/methods.md, 7.1). Sixteen
// areas make a node, sixteen nodes a node of the next level, and every node has the sums of the areas below it: a node
// inside the shape is added at once, a node outside is skipped.
//
// The sections of n areas with p parts in all, for c = 189 cells and the universes persons, households and dwellings:
//
//	cell           uint8 × 32          SHA-256 of the ids of the cells, in their order
//	area.region    uint8 × n           index in region.code
//	area.box       Point × 2n          southwest and northeast corner
//	area.topic    uint64 × n          a bit for each table and optional cell that the area has
//	area.persons   float64 × n         people, for Coverage
//	area.weight    float64 × 3n        sum of the weights of the parts, by universe
//	area.within    float32 × n         Sigma, the allocation error
//	area.between   float32 × n
//	area.estimate  float32 × c·n       0 without a figure
//	area.margin    float32 × c·n       90 % margin of error; NaN not known, −1 no figure
//	area.part      uint32 × n          end of the area's parts
//	part.box       Point × 2p          southwest and northeast corner
//	part.weight    float32 × 3p        by universe
//	part.outline   lists of Point × p  rings as of areal.Oriented
//	part.ring      lists of uint32 × p ends of the rings
//	region.code    texts               region codes
//
// The sections of the ground of states, g pieces of at most one degree each way:
//
//	ground.region  uint8 × g           index in region.code
//	ground.covered uint8 × g           1: by small areas of its country
//	ground.box     Point × 2g          corners
//	ground.m2      float64 × g         square metres
//	ground.outline lists of Point × g  rings as of areal.Oriented
//	ground.ring    lists of uint32 × g ends of the rings
//
// For each level L from 1, of m = ⌈n/16⌉, ⌈m/16⌉ … 1 nodes:
//
//	node.L.region    uint8 × m         index in region.code; 255 if its areas are of several
//	node.L.box       Point × 2m        corners
//	node.L.persons   float64 × m       sums of area.persons
//	node.L.known     float64 × 34m     people of the areas with each unit
//	node.L.estimate  float64 × c·m     margin.Sum of each cell: estimates,
//	node.L.square    float64 × c·m     squared margins,
//	node.L.zero      float64 × c·m     the largest squared margin of a zero,
//	node.L.unknown   uint64 × 3m       and a bit if a margin is not known
//
// An example: a block group of 1,000 people, 300 of them aged 0–17, with blocks of 100, 500 and 400 people. A circle
// contains the first block, half of the second's area and nothing of the third: the weight is (100 + 250)/1000 = 0.35, and
// it adds 105 of the 300 children.
package smallareas

import (
	"github.com/paulmach/orb"

	"quartier/internal/areal"
	"quartier/internal/margin"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// Part is a census block of a small area; if no blocks are known a cell of it, or the area itself.
type Part struct {
	Outline orb.MultiPolygon
	Weights [demographics.Universes]float64 // ≥ 0; of persons, households and dwellings, each by its universe − 1
}

// Sigma is the allocation error of an area (docs/methods.md, 7.2). The standard deviation of the share of its people in a
// shape is Within · √(f(1 − f)) of the share of a part that the shape cuts, and Between · √(w(1 − w)), where f is the share
// of the part inside and w that of the area. Between is 0 if the people of the parts are counted.
type Sigma struct {
	Within, Between float64
}

// Value is a figure of a small area.
type Value struct {
	Cell          int // index in demographics.Cells
	margin.Figure     // ≥ 0; MOE is NaN if the error is not known
}

// Scope is the areas that count: those of a country that the caller may see.
type Scope struct {
	Country string      // 'CA' or 'US'
	Regions []string    // codes such as "US_DE" or "CA"; nil: all
	Stop    func() bool // whether to end the search, see pack.Meter; nil: never
}

// Coverage is the number of people that the sums cover. The people of an area are its estimated population, else the
// weights of its parts for persons; a share of an area has the share of that weight.
type Coverage struct {
	Persons float64                                 // of all areas
	Known   [demographics.CoverageUnitCount]float64 // of the areas that have a table or optional cell, by coverage unit
}

// Estimates are sums without margins of error, of the cells that the variables around a point are computed from.
type Estimates struct {
	Cells [demographics.CellCount]float64 // by index in demographics.Cells; scalars and other cells are 0
	Coverage

	table  *Table
	runs   []run
	window areal.Window
}

// Totals are sums with margins of error.
type Totals struct {
	Cells [demographics.CellCount]margin.Sum // by index in demographics.Cells; scalars are empty sums
	Coverage

	table  *Table
	runs   []run
	parts  *calibration.Parts
	window areal.Window
}

// run is a range of additive cells of one universe.
type run struct {
	first, last int // [first, last)
	universe    int // index in weights
}

// runsOf are the runs of cells of a country that are in a set.
func runsOf(country string, in func(cell int) bool) (runs []run) {
	for i := range demographics.Cells {
		cell := &demographics.Cells[i]
		if !cell.Has(country) || cell.Role == demographics.Scalar || !in(i) {
			continue
		}
		universe := int(demographics.Tables[cell.Table].In(country)) - 1
		if n := len(runs); n > 0 && runs[n-1].last == i && runs[n-1].universe == universe {
			runs[n-1].last++
		} else {
			runs = append(runs, run{i, i + 1, universe})
		}
	}
	return runs
}

// Runs by country: of all cells, and of those of the variables around a point.
var (
	allRuns = map[string][]run{}
	fewRuns = map[string][]run{}
)

func init() {
	around := demographics.CellsOf(demographics.Around)
	for _, country := range schemas.Countries {
		allRuns[country] = runsOf(country, func(int) bool { return true })
		fewRuns[country] = runsOf(country, func(cell int) bool { return around[cell] })
	}
}

// regionSet is a set of indexes of region codes.
type regionSet [4]uint64

func (s *regionSet) has(number uint8) bool { return s[number/64]&(1<<(number%64)) != 0 }

// regions are the regions of a scope.
func (t *Table) regions(scope Scope) regionSet {
	if scope.Regions == nil {
		return t.countries[scope.Country]
	}
	return t.findRegions(scope)
}

func (t *Table) findRegions(scope Scope) (set regionSet) {
	for number, code := range t.codes {
		if !schemas.RegionMatches(code, scope.Country) {
			continue
		}
		allowed := scope.Regions == nil
		for i := 0; i < len(scope.Regions) && !allowed; i++ {
			allowed = schemas.RegionMatches(code, scope.Regions[i])
		}
		if allowed {
			set[number/64] |= 1 << (number % 64)
		}
	}
	return set
}

// words are the names of the columns.
func words() []string {
	words := make([]string, len(demographics.Cells))
	for i := range demographics.Cells {
		words[i] = demographics.Cells[i].ID
	}
	return words
}
