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
	"fmt"
	"math"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/schemas"
)

// Absent is the value of a measure that is not known.
const Absent = math.MaxUint32

// Unknown are measures none of which is known, by schemas.TravelMeasures.
func Unknown() []uint32 { return slices.Repeat([]uint32{Absent}, len(schemas.TravelMeasures)) }

// mostJobs are the thousandths of a job at a node that a table may have: more than there are people, so that sums are numbers.
const mostJobs = 1e13

// Writer is the sections of a table under way, in which elements are appended in the order that the table has.
type Writer struct {
	JobNodes pack.Section[uint32]          `pack:"job.node"`
	Jobs     pack.Section[uint64]          `pack:"job.jobs"`
	Ground   pack.ListsWriter[coord.Point] `pack:"job.ground"`
	Values   pack.Section[uint32]          `pack:"cell.value"`
	Nodes    pack.Section[uint32]          `pack:"home.node"`
	Cells    pack.Section[uint32]          `pack:"home.cell"`
	ids      pack.Section[uint64]          `pack:"geography.id"`
	medians  pack.Section[uint32]          `pack:"geography.value"`
	streets  pack.Section[uint8]           `pack:"geography.street"`
}

// NewWriter makes a Writer to out, whose Close has the first error.
func NewWriter(out *pack.Writer) *Writer {
	pack.PutVocabulary(out, "reach.measure", names())
	w := &Writer{}
	pack.OpenSections(out, w, "")
	return w
}

// AddGeography adds the medians of a geography, by schemas.TravelMeasures. street: homes are weighted by metres of street.
func (w *Writer) AddGeography(id string, street bool, values []uint32) error {
	number, ok := pack.GeogNumber(id)
	if !ok {
		return fmt.Errorf("travel measures of %q, which is no geog_id", id)
	}
	w.ids.Append(number)
	w.medians.Append(values...)
	if street {
		w.streets.Append(1)
	} else {
		w.streets.Append(0)
	}
	return nil
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

// Table answers look-ups from a mapped file. It is safe for concurrent use until the file is closed. The zero Table knows nothing: that
// of a release of an earlier layout.
type Table struct {
	ground   pack.Lists[coord.Point] `pack:"job.ground"`
	jobNodes []uint32                `pack:"job.node"`
	jobs     []uint64                `pack:"job.jobs jobNodes"`
	values   []uint32                `pack:"cell.value"`
	nodes    []uint32                `pack:"home.node"`
	cells    []uint32                `pack:"home.cell nodes"`
	ids      []uint64                `pack:"geography.id"`
	medians  []uint32                `pack:"geography.value measures ids"`
	streets  []uint8                 `pack:"geography.street ids"`
}

// Open opens the table in f and checks that nodes and ids ascend, that all cells exist, and that jobs can be added up. It stays in the
// mapped file. It fails if the file has other measures than this version of the program.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	l.CheckVocabulary("reach.measure", names())
	t := &Table{}
	l.Fill(t, "", map[string]int{
		"jobNodes": len(pack.Load[uint32](l, "job.node", pack.Any)), "nodes": len(pack.Load[uint32](l, "home.node", pack.Any)),
		"ids": len(pack.Load[uint64](l, "geography.id", pack.Any)), "measures": len(schemas.TravelMeasures),
	})
	cells := uint32(len(t.values) / len(schemas.TravelMeasures))
	if !ascend(t.jobNodes) || !ascend(t.nodes) || !ascend(t.ids) || slices.ContainsFunc(t.cells, func(c uint32) bool { return c >= cells }) {
		l.Fail("nodes or geographies do not ascend, or nodes are in cells after the last of %d", cells)
	}
	if len(t.jobs) > 0 && slices.Max(t.jobs) > mostJobs {
		l.Fail("%d thousandths of a job at a node", slices.Max(t.jobs))
	}
	return t, l.Err()
}

// JobNodes are the nodes with jobs, ascending.
func (t *Table) JobNodes() []uint32 { return t.jobNodes }

// Jobs are the thousandths of a job at each of JobNodes. Jobs that no street is near are not among them.
func (t *Table) Jobs() []uint64 { return t.jobs }

// KnowsJobs reports whether a source of jobs covers the ground of a point. Elsewhere that there are none is not known.
func (t *Table) KnowsJobs(p coord.Point) bool {
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
	if !ok {
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
