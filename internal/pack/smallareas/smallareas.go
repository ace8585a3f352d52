// Package smallareas is the packed table of the smallest areas that statistics about people are published for, with a
// tree over them that adds them up: the build makes the variables of geographies of it, the server those around a point.
//
// What goes in, through a Writer: block groups and dissemination areas along a Hilbert curve, each with its figures by
// place in demographics.Cells and its parts, the census blocks, with weights and outlines. What comes out: a Table over
// the mapped file that adds up what lies in a shape, with margins of error or without, visits the areas in it, and reads
// single figures.
//
// An area inside a shape counts whole. One that the shape cuts counts by its parts: Σ u·f / Σ u, where u is what a part
// weighs in the universe of a table and f the share of its ground in the shape (methods, 7.1). Sixteen areas make a node,
// sixteen nodes one of the next level, and every node has the sums of all areas below it: a node inside the shape is
// taken at once, and one outside left out.
package smallareas

import (
	"github.com/paulmach/orb"

	"quartier/internal/areal"
	"quartier/internal/margin"
	"quartier/schemas"
	"quartier/schemas/demographics"
)

// Part is a piece of a small area.
type Part struct {
	Outline orb.MultiPolygon
	Weights [demographics.Universes]float64 // ≥ 0; of persons, households and dwellings, each by its universe − 1
}

// Value is a figure of a small area.
type Value struct {
	Cell          int // place in demographics.Cells
	margin.Figure     // ≥ 0; MOE is NaN where no error is known
}

// Scope is which areas count: those of a country that the caller may see.
type Scope struct {
	Country string   // 'CA' or 'US'
	Regions []string // codes such as "US_DE" or "CA"; nil: everywhere
}

// Coverage is whose people the sums are of. The people of an area are its estimate of the population, else what its parts
// weigh by persons, and those of a part of it are by its weight of persons.
type Coverage struct {
	Persons float64                                 // of all areas
	Known   [demographics.CoverageUnitCount]float64 // of the areas that have the table or optional cell, by topic
}

// Estimates are sums without margins of error.
type Estimates struct {
	Cells [demographics.CellCount]float64 // by place in demographics.Cells; scalars are 0
	Coverage

	table  *Table
	runs   []run
	window areal.Window
}

// Totals are sums with margins of error.
type Totals struct {
	Cells [demographics.CellCount]margin.Sum // by place in demographics.Cells; scalars are sums of nothing
	Coverage

	table      *Table
	runs       []run
	allocation AllocationError
	window     areal.Window
}

// run is a range of cells that add up, whose tables count the same.
type run struct {
	first, last int // last is one past the end
	universe    int // place in weights
}

// runsOf are the runs of cells of a country.
func runsOf(country string) (runs []run) {
	for i := range demographics.Cells {
		cell := &demographics.Cells[i]
		if !cell.Has(country) || cell.Role == demographics.Scalar {
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

var runsCA, runsUS = runsOf("CA"), runsOf("US")

func countryRuns(country string) []run {
	if country == "CA" {
		return runsCA
	}
	return runsUS
}

// regionSet is a set of numbers of region codes.
type regionSet [4]uint64

func (s *regionSet) has(number uint8) bool { return s[number/64]&(1<<(number%64)) != 0 }

// regions are the regions of a scope.
func (t *Table) regions(scope Scope) (set regionSet) {
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

// words say by which cells a file is laid out.
func words() []string {
	words := make([]string, len(demographics.Cells))
	for i := range demographics.Cells {
		words[i] = demographics.Cells[i].ID
	}
	return words
}
