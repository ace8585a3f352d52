// Package demographics defines the vocabulary of statistics about people: the tables and cells in which the figures
// of all publishers are staged, and the categories and variables of the API that are computed from them, with their
// labels.
//
// Both are embedded tables: tables.tsv and variables.tsv. A cell is a number of people, households, dwellings or
// dollars in an area. Shares are not cells; medians and means are, as scalars that a publisher computes for an area
// and that are true of this area only.
package demographics

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"

	"quartier/schemas/tsv"
)

// Universe is what a table counts, which decides how its figures are apportioned where an area is cut.
type Universe uint8

// The universes.
const (
	NoUniverse Universe = iota // the country has no such table
	Persons
	Households // private households, occupied dwellings
	Dwellings  // housing units, occupied or not
)

// Universes is the number of universes without NoUniverse.
const Universes = int(Dwellings)

// Table is a table of a census or survey in the form in which it is staged.
type Table struct {
	ID     string
	US, CA Universe // what it counts there
	Cells  []int    // indexes in Cells
}

// In is the universe of the table in a country, 'CA' or 'US'.
func (t *Table) In(country string) Universe {
	if country == "CA" {
		return t.CA
	}
	return t.US
}

// OfHomes reports whether the table counts homes by what they are or whose they are: homes of a kind stand together.
func (t *Table) OfHomes() bool { return t.US == Dwellings || t.ID == "tenure" || t.ID == "home_value" }

// CompleteCoverage is the share of the ground of a place from which on small areas count as covering all of it: outlines of
// different publishers differ by as much.
const CompleteCoverage = 0.995

// Role is the role of a cell in its table.
type Role uint8

// The roles of cells.
const (
	Part         Role = iota // a part of the total
	Optional                 // a part that not every publisher or year has
	Total                    // the published total of the parts, which may be rounded separately
	OutsideParts             // part of the total, but of no published part, such as people without income
	Base                     // the divisor of the other cell of the table
	Scalar                   // a median or mean of the area, never summed
)

// Cell is one figure of a table.
type Cell struct {
	ID           string // "<table>.<name>"
	Table        int    // index in Tables
	Role         Role
	Lower, Upper float64 // of a bin of a distribution, in dollars: [Lower, Upper), where Upper may be +Inf; else both 0
	Country      string  // 'CA' or 'US' if only this country has it, else ''
	CoverageUnit int     // what must be covered for it to be reported: its table, or an optional cell by itself
	// of a scalar: what publishers print for a median in an open bin, a dollar beyond its bound; that of the lowest bin first
	Jams []float64
}

// OpenEnd is the end of a bin without a limit in which a median is, of which then only the bin's bound is known.
type OpenEnd string

// The open ends.
const (
	Closed    OpenEnd = ""      // the median is known
	OpenUpper OpenEnd = "upper" // it is the bound or more
	OpenLower OpenEnd = "lower" // it is less than the bound
)

// Bound returns the bound that a jam value stands for, and the end at which it is open; the value itself where it is none.
//
//	250001 is 250,000 or more, 2499 less than 2,500
func (c *Cell) Bound(value float64) (float64, OpenEnd) {
	switch slices.Index(c.Jams, value) {
	case -1:
		return value, Closed
	case 0:
		return value + 1, OpenLower
	}
	return value - 1, OpenUpper
}

// CoverageUnitCount is the number of coverage units: the tables in their order, then the optional cells; a test
// checks it.
const CoverageUnitCount = 34

// Has reports whether publishers of a country have the cell.
func (c *Cell) Has(country string) bool {
	return Tables[c.Table].In(country) != NoUniverse && (c.Country == "" || c.Country == country)
}

// Bin reports whether the cell is a bin of a distribution.
func (c *Cell) Bin() bool { return c.Upper > c.Lower }

//go:embed tables.tsv
var tablesText string

// Tables and their cells. A cell is identified by its index in Cells, which is the order in packs.
var (
	Tables []Table
	Cells  []Cell

	tableByID = map[string]int{}
	cellByID  = map[string]int{}
)

// CellCount is the number of cells; a test compares it with len(Cells).
const CellCount = 189

// CellOf is the index of a cell by its id, "age.00_04".
func CellOf(id string) (int, bool) {
	c, ok := cellByID[id]
	return c, ok
}

// TableOf is the index of a table by its id, "age".
func TableOf(id string) (int, bool) {
	t, ok := tableByID[id]
	return t, ok
}

func init() {
	universes := map[string]Universe{"-": NoUniverse, "persons": Persons, "households": Households, "dwellings": Dwellings}
	roles := map[string]Role{"": Part, "optional": Optional, "total": Total, "apart": OutsideParts, "base": Base, "scalar": Scalar}
	for _, f := range tsv.MustParse("tables.tsv", tablesText) {
		t, ok := tableByID[f[0]]
		if !ok {
			t = len(Tables)
			tableByID[f[0]] = t
			Tables = append(Tables, Table{ID: f[0], US: universes[f[1]], CA: universes[f[2]]})
		}
		role, ok := roles[f[7]]
		if !ok {
			panic("tables.tsv: unknown role " + f[7])
		}
		c := Cell{ID: f[0] + "." + f[3], Table: t, Role: role, Country: f[6]}
		switch {
		case f[4] == "":
		case role == Scalar:
			for _, jam := range strings.Fields(f[4] + " " + f[5]) {
				c.Jams = append(c.Jams, dollars(jam))
			}
		default:
			c.Lower, c.Upper = dollars(f[4]), dollars(f[5])
		}
		cellByID[c.ID] = len(Cells)
		Tables[t].Cells = append(Tables[t].Cells, len(Cells))
		Cells = append(Cells, c)
	}
	unit := len(Tables)
	for i := range Cells {
		c := &Cells[i]
		c.CoverageUnit = c.Table
		if c.Role == Optional {
			c.CoverageUnit = unit
			unit++
		}
	}
	loadVariables()
}

func dollars(text string) float64 {
	if text == "inf" {
		return math.Inf(1)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return v
}
