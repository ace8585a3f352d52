// Package reach is the packed table of jobs and of travel measures: the build writes it, programs read from it how many jobs are at
// the nodes of the walking network, how much is reached from a node with homes, and the medians of geographies. Nodes are those of
// access.pack.
//
// The sections of j nodes with jobs, c cells of nodes with homes, n nodes in them, g geographies with medians, and m measures,
// schemas.TravelMeasures:
//
//	reach.measure    digest               the names of the measures
//	job.node         uint32 × j           nodes, ascending
//	job.jobs         uint64 × j           thousandths of a job
//	job.ground       lists of Point       the outlines of where jobs are known, closed rings
//	cell.value       uint32 × m·c         measures; 4,294,967,295: not known
//	home.node        uint32 × n           nodes, ascending
//	home.cell        uint32 × n           cell of each
//	geography.id     uint64 × g           geog_ids as numbers, ascending
//	geography.value  uint32 × m·g         medians
//	geography.street uint8 × g            1: homes are weighted by metres of street, else by households
package reach

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/schemas"
)

// Absent is the value of a measure that is not known.
const Absent = math.MaxUint32

// Jobs are the thousandths of a job at a node.
type Jobs struct {
	Node   uint32
	Number uint64
}

// Home is a node with homes, in a cell.
type Home struct{ Node, Cell uint32 }

// Geography is the medians of a geography, by schemas.TravelMeasures.
type Geography struct {
	ID     string
	Street bool // homes are weighted by metres of street
	Values []uint32
}

// Content is what a pack has.
type Content struct {
	Jobs        []Jobs // by node
	Ground      [][]coord.Point
	Cells       [][]uint32 // values of each, by schemas.TravelMeasures
	Homes       []Home     // by node
	Geographies []Geography
}

// Write writes the table. It fails if nodes or ids do not ascend, or if a list has not a value for each measure.
func Write(out *pack.Writer, c *Content) error {
	pack.PutVocabulary(out, "reach.measure", names())
	var s struct {
		jobNodes []uint32
		jobs     []uint64
		values   []uint32
		nodes    []uint32
		cells    []uint32
		ids      []uint64
		medians  []uint32
		streets  []uint8
	}
	for _, j := range c.Jobs {
		s.jobNodes, s.jobs = append(s.jobNodes, j.Node), append(s.jobs, j.Number)
	}
	for _, values := range c.Cells {
		s.values = append(s.values, values...)
	}
	for _, h := range c.Homes {
		s.nodes, s.cells = append(s.nodes, h.Node), append(s.cells, h.Cell)
	}
	for _, g := range c.Geographies {
		number, ok := pack.GeogNumber(g.ID)
		if !ok || len(g.Values) != len(schemas.TravelMeasures) {
			return fmt.Errorf("travel measures of geography %q: %d values", g.ID, len(g.Values))
		}
		street := uint8(0)
		if g.Street {
			street = 1
		}
		s.ids, s.medians, s.streets = append(s.ids, number), append(s.medians, g.Values...), append(s.streets, street)
	}
	if !ascend(s.jobNodes) || !ascend(s.nodes) || !ascend(s.ids) || len(s.values) != len(c.Cells)*len(schemas.TravelMeasures) {
		return errors.New("travel measures: nodes or geographies do not ascend, or a cell lacks values")
	}
	pack.Put(out, "job.node", s.jobNodes)
	pack.Put(out, "job.jobs", s.jobs)
	ground := pack.NewLists[coord.Point](out, "job.ground")
	for _, ring := range c.Ground {
		ground.Append(ring)
	}
	pack.Put(out, "cell.value", s.values)
	pack.Put(out, "home.node", s.nodes)
	pack.Put(out, "home.cell", s.cells)
	pack.Put(out, "geography.id", s.ids)
	pack.Put(out, "geography.value", s.medians)
	pack.Put(out, "geography.street", s.streets)
	return out.Err()
}

func names() (list []string) {
	for _, m := range schemas.TravelMeasures {
		list = append(list, m.ID)
	}
	return list
}

func ascend[T uint32 | uint64](list []T) bool {
	for i := 1; i < len(list); i++ {
		if list[i] <= list[i-1] {
			return false
		}
	}
	return true
}

// Table answers look-ups from a mapped file. It is safe for concurrent use until the file is closed. A nil Table knows nothing: that
// of a release of an earlier layout.
type Table struct {
	ground pack.Lists[coord.Point]

	jobNodes []uint32 `pack:"job.node"`
	jobs     []uint64 `pack:"job.jobs jobNodes"`
	values   []uint32 `pack:"cell.value"`
	nodes    []uint32 `pack:"home.node"`
	cells    []uint32 `pack:"home.cell nodes"`
	ids      []uint64 `pack:"geography.id"`
	medians  []uint32 `pack:"geography.value measures ids"`
	streets  []uint8  `pack:"geography.street ids"`
}

// Open opens the table in f and checks that nodes and ids ascend and that all cells exist. It stays in the mapped file. It fails if
// the file has other measures than this version of the program.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	l.CheckVocabulary("reach.measure", names())
	t := &Table{ground: pack.LoadLists[coord.Point](l, "job.ground", pack.Any)}
	l.Fill(t, "", map[string]int{
		"jobNodes": len(pack.Load[uint32](l, "job.node", pack.Any)), "nodes": len(pack.Load[uint32](l, "home.node", pack.Any)),
		"ids": len(pack.Load[uint64](l, "geography.id", pack.Any)), "measures": len(schemas.TravelMeasures),
	})
	cells := uint32(len(t.values) / len(schemas.TravelMeasures))
	if !ascend(t.jobNodes) || !ascend(t.nodes) || !ascend(t.ids) || slices.ContainsFunc(t.cells, func(c uint32) bool { return c >= cells }) {
		l.Fail("nodes or geographies do not ascend, or nodes are in cells after the last of %d", cells)
	}
	return t, l.Err()
}

// JobNodes are the nodes with jobs, ascending.
func (t *Table) JobNodes() []uint32 {
	if t == nil {
		return nil
	}
	return t.jobNodes
}

// Jobs are the thousandths of a job at each of JobNodes. Jobs that no street is near are not among them.
func (t *Table) Jobs() []uint64 {
	if t == nil {
		return nil
	}
	return t.jobs
}

// KnowsJobs reports whether a source of jobs covers the ground of a point. Elsewhere that there are none is not known.
func (t *Table) KnowsJobs(p coord.Point) bool {
	if t == nil {
		return false
	}
	for i := range t.ground.Len() {
		ring := t.ground.At(i)
		if (coord.Area{Points: ring, Ends: []uint32{uint32(len(ring))}}).Contains(p) {
			return true
		}
	}
	return false
}

// AtNode writes the measures at a node, by schemas.TravelMeasures; false if it has no homes.
func (t *Table) AtNode(node uint32, into []uint32) bool {
	if t == nil {
		return false
	}
	i, ok := slices.BinarySearch(t.nodes, node)
	if ok {
		copy(into, t.values[int(t.cells[i])*len(schemas.TravelMeasures):][:len(schemas.TravelMeasures)])
	}
	return ok
}

// Geography writes the medians of a geography over its homes, by schemas.TravelMeasures, and whether homes are weighted by metres of
// street rather than by households; ok is false if it has none.
func (t *Table) Geography(geogID string, into []uint32) (street, ok bool) {
	number, ok := pack.GeogNumber(geogID)
	if !ok || t == nil {
		return false, false
	}
	i, ok := slices.BinarySearch(t.ids, number)
	if !ok {
		return false, false
	}
	copy(into, t.medians[i*len(schemas.TravelMeasures):][:len(schemas.TravelMeasures)])
	return t.streets[i] != 0, true
}

// Geographies is the number of geographies with medians.
func (t *Table) Geographies() int { return len(t.ids) }
