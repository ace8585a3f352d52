// Package demographics is the vocabulary of the statistics about people: the tables and cells that every publisher's
// figures are staged as, and the categories and variables of the API that are made of them, with their labels.
//
// Both are tables of this package: tables.tsv and variables.tsv. A cell is a number of people, households, dwellings or
// dollars of an area; a share, median or mean is never a cell but for the scalars, which a publisher tells of an area as
// a whole and which hold for that area alone.
package demographics

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Universe is what a table counts, and so what its figures are shared out by where an area is cut.
type Universe uint8

// The universes.
const (
	Nobody Universe = iota // the country has no such table
	Persons
	Households // private households, occupied dwellings
	Dwellings  // housing units, occupied or not
)

// Universes is the number of universes but for Nobody.
const Universes = 3

// Table is a table of a census or survey in the form in which it is staged.
type Table struct {
	ID     string
	US, CA Universe // what it counts there
	Cells  []int    // places in Cells
}

// In is what the table counts in a country, 'CA' or 'US'.
func (t *Table) In(country string) Universe {
	if country == "CA" {
		return t.CA
	}
	return t.US
}

// Role says what a cell is to its table.
type Role uint8

// The roles of cells.
const (
	Part     Role = iota // one of the parts that people, households or dwellings are divided into
	Optional             // a part that not every publisher or year tells
	Total                // the publisher's total of the parts, by whom it was rounded on its own
	Apart                // counted in the total and none of the parts: people without income
	Base                 // what the other cell of its table is to be divided by
	Scalar               // a median or mean of the area as a whole, never added up
)

// Cell is one figure of a table.
type Cell struct {
	ID           string // "<table>.<name>"
	Table        int    // place in Tables
	Role         Role
	Lower, Upper float64 // dollars, of a bin of a distribution: from Lower up to below Upper, which may be +Inf; else both 0
	Country      string  // 'CA' or 'US' where one country alone has it, else ''
	Topic        int     // what must be known for it to be told: its table, or, of an optional cell, that cell
}

// TopicCount is the number of topics: the tables in their order, then the optional cells; a test holds it to them.
const TopicCount = 32

// Has reports whether a country's publishers tell the cell.
func (c *Cell) Has(country string) bool {
	return Tables[c.Table].In(country) != Nobody && (c.Country == "" || c.Country == country)
}

// Bin reports whether the cell is a bin of a distribution.
func (c *Cell) Bin() bool { return c.Upper > c.Lower }

//go:embed tables.tsv
var tablesText string

// Tables and their cells. A cell is known by its place in Cells, which is what packs are laid out by.
var (
	Tables []Table
	Cells  []Cell

	tableByID = map[string]int{}
	cellByID  = map[string]int{}
)

// CellCount is the number of cells; a test holds it to len(Cells).
const CellCount = 161

// CellOf is the place of a cell by its id, "age.00_04".
func CellOf(id string) (int, bool) {
	c, ok := cellByID[id]
	return c, ok
}

// TableOf is the place of a table by its id, "age".
func TableOf(id string) (int, bool) {
	t, ok := tableByID[id]
	return t, ok
}

func init() {
	universes := map[string]Universe{"-": Nobody, "persons": Persons, "households": Households, "dwellings": Dwellings}
	roles := map[string]Role{"": Part, "optional": Optional, "total": Total, "apart": Apart, "base": Base, "scalar": Scalar}
	for _, f := range lines(tablesText, 8) {
		t, ok := tableByID[f[0]]
		if !ok {
			t = len(Tables)
			tableByID[f[0]] = t
			Tables = append(Tables, Table{ID: f[0], US: universes[f[1]], CA: universes[f[2]]})
		}
		role, ok := roles[f[7]]
		if !ok {
			panic("tables.tsv: no such role: " + f[7])
		}
		c := Cell{ID: f[0] + "." + f[3], Table: t, Role: role, Country: f[6]}
		if f[4] != "" {
			c.Lower, c.Upper = dollars(f[4]), dollars(f[5])
		}
		cellByID[c.ID] = len(Cells)
		Tables[t].Cells = append(Tables[t].Cells, len(Cells))
		Cells = append(Cells, c)
	}
	topic := len(Tables)
	for i := range Cells {
		c := &Cells[i]
		c.Topic = c.Table
		if c.Role == Optional {
			c.Topic = topic
			topic++
		}
	}
	loadVariables()
}

// lines are the fields of the lines of one of this package's own tables, its head left out.
func lines(text string, fields int) (list [][]string) {
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n")[1:] {
		f := strings.Split(line, "\t")
		if len(f) != fields {
			panic(fmt.Sprintf("line %d has %d fields, not %d: %s", n+2, len(f), fields, line))
		}
		list = append(list, f)
	}
	return list
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
