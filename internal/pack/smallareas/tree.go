package smallareas

import (
	"quartier/internal/coord"
	"quartier/internal/margin"
	"quartier/internal/pack"
	"quartier/schemas/demographics"
)

// node is the sums of the areas below it.
type node struct {
	region  uint8
	box     coord.Box
	persons float64
	known   [demographics.CoverageUnitCount]float64
	sums    [cells]margin.Sum
}

func (n *node) merge(o *node) {
	if n.region != o.region {
		n.region = mixed
	}
	n.box = n.box.Union(o.box)
	n.persons += o.persons
	for unit := range n.known {
		n.known[unit] += o.known[unit]
	}
	for cell := range n.sums {
		n.sums[cell].Merge(o.sums[cell])
	}
}

// levelWriter writes the nodes of one level.
type levelWriter struct {
	open      *node // sums of the children so far
	children  int
	nodes     int                       // written
	region    pack.Section[uint8]       `pack:"region"`
	boxes     pack.Section[coord.Point] `pack:"box"`
	persons   pack.Section[float64]     `pack:"persons"`
	known     pack.Section[float64]     `pack:"known"`
	estimates pack.Section[float64]     `pack:"estimate"`
	squares   pack.Section[float64]     `pack:"square"`
	zeros     pack.Section[float64]     `pack:"zero"`
	unknown   pack.Section[uint64]      `pack:"unknown"`
}

// addChild adds a child to the open node of a level and writes the node when it is full.
func (w *Writer) addChild(level int, child *node) {
	if level > len(w.levels) {
		w.levels = append(w.levels, &levelWriter{})
	}
	l := w.levels[level-1]
	if l.children == 0 {
		l.open = child
	} else {
		l.open.merge(child)
	}
	if l.children++; l.children == fan {
		w.close(level)
	}
}

// close writes the open node of a level.
func (w *Writer) close(level int) {
	l := w.levels[level-1]
	if l.nodes == 0 {
		pack.OpenSections(w.out, l, levelPrefix(level))
	}
	n := l.open
	l.write(n)
	l.nodes, l.children, l.open = l.nodes+1, 0, nil
	w.addChild(level+1, n)
}

func (l *levelWriter) write(n *node) {
	l.region.Append(n.region)
	l.boxes.Append(n.box.Min, n.box.Max)
	l.persons.Append(n.persons)
	l.known.Append(n.known[:]...)
	var unknown [cellWords]uint64
	for cell := range n.sums {
		s := &n.sums[cell]
		l.estimates.Append(s.Estimate)
		l.squares.Append(s.Squares)
		l.zeros.Append(s.Zero)
		if s.Unknown {
			unknown[cell/64] |= 1 << (cell % 64)
		}
	}
	l.unknown.Append(unknown[:]...)
}
