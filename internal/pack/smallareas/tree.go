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
	nodes     int // written
	region    *pack.Section[uint8]
	boxes     *pack.Section[coord.Point]
	persons   *pack.Section[float64]
	known     *pack.Section[float64]
	estimates *pack.Section[float64]
	squares   *pack.Section[float64]
	zeros     *pack.Section[float64]
	unknown   *pack.Section[uint64]
}

// sections opens the sections of a level.
func (l *levelWriter) sections(out *pack.Writer, number int) {
	l.region = pack.NewSection[uint8](out, nodeSection(number, "region"))
	l.boxes = pack.NewSection[coord.Point](out, nodeSection(number, "box"))
	l.persons = pack.NewSection[float64](out, nodeSection(number, "persons"))
	l.known = pack.NewSection[float64](out, nodeSection(number, "known"))
	l.estimates = pack.NewSection[float64](out, nodeSection(number, "estimate"))
	l.squares = pack.NewSection[float64](out, nodeSection(number, "square"))
	l.zeros = pack.NewSection[float64](out, nodeSection(number, "zero"))
	l.unknown = pack.NewSection[uint64](out, nodeSection(number, "unknown"))
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
		l.sections(w.out, level)
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
