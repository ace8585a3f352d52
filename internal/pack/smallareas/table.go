package smallareas

import (
	"fmt"

	"quartier/internal/coord"
	"quartier/internal/margin"
	"quartier/internal/pack"
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

// Sections of the table.
const (
	sectionWords     = "cell"
	sectionCodes     = "region.code"
	sectionRegions   = "area.region"
	sectionBoxes     = "area.box"
	sectionTopics    = "area.topic"
	sectionPersons   = "area.persons"
	sectionWeights   = "area.weight"
	sectionEstimates = "area.estimate"
	sectionMargins   = "area.margin"
	sectionParts     = "area.part"
	sectionPartBoxes = "part.box"
	sectionPartShare = "part.weight"
	sectionOutlines  = "part.outline"
	sectionRings     = "part.ring"
)

// nodeSection is the name of a section of a level of nodes, from 1.
func nodeSection(level int, name string) string { return fmt.Sprintf("node.%d.%s", level, name) }

// Table answers from a mapped file. It is safe for concurrent use until the file is closed.
type Table struct {
	codes     []string
	region    []uint8
	boxes     []coord.Point
	units     []uint64
	persons   []float64
	weights   []float64
	estimates []float32
	margins   []float32
	parts     []uint32
	partBoxes []coord.Point
	partShare []float32
	outlines  pack.Lists[coord.Point]
	rings     pack.Lists[uint32]
	levels    []level // from the areas up; the last one has one node
}

// level is the nodes of one level.
type level struct {
	below     int // number of children
	region    []uint8
	boxes     []coord.Point
	persons   []float64
	known     []float64 // demographics.CoverageUnitCount of each
	estimates []float64
	squares   []float64 // of margin.Sum
	zeros     []float64
	unknown   []uint64 // sets of cells
}

// Open opens the table in f. It fails if the file has other cells than this version of the program. All of it but the
// region codes stays in the mapped file.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	l.CheckVocabulary(sectionWords, words())
	ends := pack.Load[uint32](l, sectionParts, pack.Any)
	corners := pack.Load[coord.Point](l, sectionPartBoxes, pack.Any)
	areas, parts := len(ends), len(corners)/2
	t := &Table{
		codes:     pack.LoadTexts(l, sectionCodes, pack.Any),
		region:    pack.Load[uint8](l, sectionRegions, areas),
		boxes:     pack.Load[coord.Point](l, sectionBoxes, 2*areas),
		units:     pack.Load[uint64](l, sectionTopics, areas),
		persons:   pack.Load[float64](l, sectionPersons, areas),
		weights:   pack.Load[float64](l, sectionWeights, universes*areas),
		estimates: pack.Load[float32](l, sectionEstimates, cells*areas),
		margins:   pack.Load[float32](l, sectionMargins, cells*areas),
		parts:     ends,
		partBoxes: pack.Load[coord.Point](l, sectionPartBoxes, 2*parts),
		partShare: pack.Load[float32](l, sectionPartShare, universes*parts),
		outlines:  pack.LoadLists[coord.Point](l, sectionOutlines, parts),
		rings:     pack.LoadLists[uint32](l, sectionRings, parts),
	}
	for below := areas; below > 1 || below == areas && areas == 1; {
		nodes := (below + fan - 1) / fan
		t.levels = append(t.levels, openLevel(l, len(t.levels)+1, below, nodes))
		if below = nodes; nodes == 1 {
			break
		}
	}
	if len(t.codes) > mixed {
		l.Fail("%d regions", len(t.codes))
	}
	if err := l.Err(); err != nil {
		return nil, err
	}
	return t, nil
}

func openLevel(l *pack.Loader, number, below, nodes int) level {
	return level{
		below:     below,
		region:    pack.Load[uint8](l, nodeSection(number, "region"), nodes),
		boxes:     pack.Load[coord.Point](l, nodeSection(number, "box"), 2*nodes),
		persons:   pack.Load[float64](l, nodeSection(number, "persons"), nodes),
		known:     pack.Load[float64](l, nodeSection(number, "known"), demographics.CoverageUnitCount*nodes),
		estimates: pack.Load[float64](l, nodeSection(number, "estimate"), cells*nodes),
		squares:   pack.Load[float64](l, nodeSection(number, "square"), cells*nodes),
		zeros:     pack.Load[float64](l, nodeSection(number, "zero"), cells*nodes),
		unknown:   pack.Load[uint64](l, nodeSection(number, "unknown"), cellWords*nodes),
	}
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
