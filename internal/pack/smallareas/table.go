package smallareas

import (
	"fmt"

	"quartier/internal/coord"
	"quartier/internal/margin"
	"quartier/internal/pack"
	"quartier/schemas"
	"quartier/schemas/demographics"
)

const (
	cells     = demographics.CellCount
	universes = demographics.Universes

	fan       = 16                // areas of a node, and nodes of a node above
	mixed     = 255               // region of a node with areas of several regions
	cellWords = (cells + 63) / 64 // uint64 words of a set of cells

	noFigure = -1 // margin of error without a figure
)

// sectionWords is the digest of the ids of the cells.
const sectionWords = "cell"

// levelPrefix begins the names of the sections of a level of nodes, from 1.
func levelPrefix(level int) string { return fmt.Sprintf("node.%d.", level) }

// Table answers from a mapped file. It is safe for concurrent use until the file is closed.
type Table struct {
	codes     []string                `pack:"region.code"`
	region    []uint8                 `pack:"area.region areas"`
	boxes     []coord.Point           `pack:"area.box 2 areas"`
	units     []uint64                `pack:"area.topic areas"`
	persons   []float64               `pack:"area.persons areas"`
	weights   []float64               `pack:"area.weight universes areas"`
	within    []float32               `pack:"area.within areas"`
	between   []float32               `pack:"area.between areas"`
	estimates []float32               `pack:"area.estimate cells areas"`
	margins   []float32               `pack:"area.margin cells areas"`
	parts     []uint32                `pack:"area.part areas"`
	partBoxes []coord.Point           `pack:"part.box 2 parts"`
	partShare []float32               `pack:"part.weight universes parts"`
	outlines  pack.Lists[coord.Point] `pack:"part.outline parts"`
	rings     pack.Lists[uint32]      `pack:"part.ring parts"`
	levels    []level                 // from the areas up; the last one has one node
	ground    ground
	countries map[string]regionSet // of all regions
}

// level is the nodes of one level.
type level struct {
	below     int           // number of children
	region    []uint8       `pack:"region nodes"`
	boxes     []coord.Point `pack:"box 2 nodes"`
	persons   []float64     `pack:"persons nodes"`
	known     []float64     `pack:"known units nodes"` // demographics.CoverageUnitCount of each
	estimates []float64     `pack:"estimate cells nodes"`
	squares   []float64     `pack:"square cells nodes"` // of margin.Sum
	zeros     []float64     `pack:"zero cells nodes"`
	unknown   []uint64      `pack:"unknown words nodes"` // sets of cells
}

// Open opens the table in f. It fails if the file has other cells than this version of the program. All of it but the
// region codes stays in the mapped file.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	l.CheckVocabulary(sectionWords, words())
	areas := len(pack.Load[uint32](l, "area.part", pack.Any))
	parts := len(pack.Load[coord.Point](l, "part.box", pack.Any)) / 2
	t := &Table{}
	l.Fill(t, "", map[string]int{"areas": areas, "parts": parts, "cells": cells, "universes": universes})
	for below := areas; below > 1 || below == areas && areas == 1; {
		nodes := (below + fan - 1) / fan
		t.levels = append(t.levels, openLevel(l, len(t.levels)+1, below, nodes))
		if below = nodes; nodes == 1 {
			break
		}
	}
	t.ground.open(l)
	if len(t.codes) > mixed {
		l.Fail("%d regions", len(t.codes))
	}
	if err := l.Err(); err != nil {
		return nil, err
	}
	t.countries = map[string]regionSet{}
	for _, country := range schemas.Countries {
		t.countries[country] = t.findRegions(Scope{Country: country})
	}
	return t, nil
}

func openLevel(l *pack.Loader, number, below, nodes int) level {
	opened := level{below: below}
	l.Fill(&opened, levelPrefix(number), map[string]int{
		"nodes": nodes, "cells": cells, "units": demographics.CoverageUnitCount, "words": cellWords,
	})
	return opened
}

// Areas is the number of areas.
func (t *Table) Areas() int { return len(t.parts) }

// Parts is the number of parts; those of zero weight are not stored.
func (t *Table) Parts() int { return len(t.partBoxes) / 2 }

// Region is the region code of an area, "US_OR"; empty if there is no such area or the file is damaged.
func (t *Table) Region(area int) string {
	if uint(area) >= uint(len(t.region)) || int(t.region[area]) >= len(t.codes) {
		return ""
	}
	return t.codes[t.region[area]]
}

// Value is a figure of an area, to 24 bits; false if it has none.
func (t *Table) Value(area, cell int) (margin.Figure, bool) {
	if uint(area) >= uint(len(t.parts)) || uint(cell) >= cells {
		return margin.Figure{}, false
	}
	return t.figure(cells*area + cell)
}

func (t *Table) figure(at int) (margin.Figure, bool) {
	moe := t.margins[at]
	return margin.Figure{Estimate: float64(t.estimates[at]), MOE: float64(moe)}, !(moe < 0)
}

// partsOf is the range of the parts of an area; empty if the file is damaged.
func (t *Table) partsOf(area int) (first, last int) {
	if area > 0 {
		first = int(t.parts[area-1])
	}
	last = int(t.parts[area])
	if first > last || last > t.Parts() {
		return 0, 0
	}
	return first, last
}
