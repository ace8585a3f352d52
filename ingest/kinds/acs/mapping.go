package acs

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"quartier/schemas/demographics"
)

// mapping.tsv lists the lines of the survey's detailed tables that add up to a cell. Where several tables give a cell, the
// first one that the source has is used. An entry applies to surveys whose last year is within from and until, where it
// has them.
//
//go:embed mapping.tsv
var mappingText string

// entry is a line of the mapping.
type entry struct {
	table       string // "B19001"
	lines       []int  // to add up, 1 the first
	cell        int    // index of demographics.Cells
	from, until int    // last year of the survey, both inclusive
}

var mapping = parseMapping(mappingText)

func parseMapping(text string) (list []entry) {
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n")[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 5 {
			panic(fmt.Sprintf("mapping.tsv: line %d has %d fields", n+2, len(f)))
		}
		cell, known := demographics.CellOf(f[2])
		if !known {
			panic("mapping.tsv: no such cell: " + f[2])
		}
		e := entry{table: f[0], cell: cell, until: math.MaxInt}
		for _, number := range strings.Fields(f[1]) {
			e.lines = append(e.lines, whole(number))
		}
		if f[3] != "" {
			e.from = whole(f[3])
		}
		if f[4] != "" {
			e.until = whole(f[4])
		}
		list = append(list, e)
	}
	return list
}

// tables returns the names of the tables that are read.
func tables() (names []string) {
	for _, e := range mapping {
		names = append(names, e.table)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// entriesOf returns the entries for a survey with the given last year: one table for each cell, and only cells of tables
// that are complete. has reports whether a file has all lines of an entry.
func entriesOf(year int, has func(entry) bool) (list []entry) {
	chosen := map[int]string{} // table by cell
	for _, e := range mapping {
		if year < e.from || year > e.until || !has(e) {
			continue
		}
		if _, ok := chosen[e.cell]; !ok {
			chosen[e.cell] = e.table
		}
		if chosen[e.cell] == e.table {
			list = append(list, e)
		}
	}
	return slices.DeleteFunc(list, func(e entry) bool {
		return !complete(demographics.Cells[e.cell].Table, func(cell int) bool { return chosen[cell] != "" })
	})
}

// complete reports whether every cell that a table of demographics.Tables needs is there.
func complete(table int, there func(cell int) bool) bool {
	return !slices.ContainsFunc(demographics.Tables[table].Cells, func(place int) bool {
		cell := &demographics.Cells[place]
		return cell.Has("US") && cell.Role != demographics.Optional && !there(place)
	})
}
