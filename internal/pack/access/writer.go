package access

import (
	"errors"
	"fmt"
	"math"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/pack"
	"quartier/schemas"
)

// Writer writes the table. Values of nodes, scores and typologies are streamed to the pack; edges and barriers are kept in
// memory for their index.
type Writer struct {
	out       *pack.Writer
	streets   streets
	nodes     int
	values    pack.Section[uint16]      `pack:"street.node.value"`
	scored    pack.ListsWriter[byte]    `pack:"score.geography"`
	scores    pack.Section[uint16]      `pack:"score.value"`
	cells     pack.Section[uint64]      `pack:"typology.cell"`
	classes   pack.Section[uint8]       `pack:"typology.class"`
	densities pack.Section[float64]     `pack:"typology.density"`
	hulls     pack.ListsWriter[float64] `pack:"hull"`
	homes     []Home                    // written by Finish
	lastID    string
	lastCell  string
	top       uint32 // the highest node of an edge
}

// NewWriter opens the sections of the table in out. snapM is the maximum length of an access leg in metres.
func NewWriter(out *pack.Writer, snapM float64) *Writer {
	pack.Put(out, "street.limit", []float64{snapM})
	w := &Writer{out: out}
	pack.OpenSections(out, w, "")
	return w
}

// AddNode adds the next node. It fails if a value is neither absent nor on the scale.
func (w *Writer) AddNode(values *[schemas.ChannelCount]uint16) error {
	if err := checkValues(values[:]); err != nil {
		return fmt.Errorf("street node %d: %w", w.nodes, err)
	}
	if w.nodes == math.MaxUint32 {
		return errors.New("too many nodes for the format")
	}
	w.nodes++
	w.values.Append(values[:]...)
	return w.out.Err()
}

func checkValues(values []uint16) error {
	for i, v := range values {
		if v > maxValue && v != schemas.AbsentValue {
			return fmt.Errorf("value %d: %d is beyond the scale", i, v)
		}
	}
	return nil
}

// AddEdge adds the next edge with its line from node A to node B, of two vertices or more. Finish checks that the nodes
// exist.
func (w *Writer) AddEdge(e Edge, line []coord.Point) error {
	if !(e.LengthM >= 0 && e.LengthM <= 1e6) || len(line) < 2 {
		return fmt.Errorf("street edge %d: %v metres, %d vertices", len(w.streets.graph.Edges), e.LengthM, len(line))
	}
	w.top = max(w.top, e.A, e.B)
	return w.streets.addEdge(network.Edge{A: e.A, B: e.B, Length: network.Metres(e.LengthM)}, line)
}

// AddBarrier adds a line that no access leg may cross.
func (w *Writer) AddBarrier(line []coord.Point) error {
	if len(line) < 2 {
		return fmt.Errorf("barrier of %d vertices", len(line))
	}
	w.streets.addBarrier(line)
	return nil
}

// AddGeography adds the scores of a geography; ids must come in ascending order.
func (w *Writer) AddGeography(geogID string, values *[ScoreCount]uint16) error {
	if geogID <= w.lastID {
		return fmt.Errorf("scores of geography %q: not after %q, ids must ascend", geogID, w.lastID)
	}
	if err := checkValues(values[:]); err != nil {
		return fmt.Errorf("scores of geography %q: %w", geogID, err)
	}
	w.lastID = geogID
	w.scored.Append([]byte(geogID))
	w.scores.Append(values[:]...)
	return w.out.Err()
}

// AddTypology adds the built environment of a cell; geohashes must come in ascending order.
func (w *Writer) AddTypology(geohash string, t Typology) error {
	number, ok := cellNumber(geohash)
	switch {
	case !ok || geohash <= w.lastCell:
		return fmt.Errorf("typology of %q: not a geohash of %d characters, or not after %q", geohash, cellChars, w.lastCell)
	case t.Class < 0 || t.Class >= len(schemas.Typologies):
		return fmt.Errorf("typology of %q: class %d", geohash, t.Class)
	case !density(t.PopulationKM2) || !density(t.HouseholdsKM2):
		return fmt.Errorf("typology of %q: %v people and %v households a square kilometre", geohash, t.PopulationKM2, t.HouseholdsKM2)
	}
	w.lastCell = geohash
	w.cells.Append(number)
	w.classes.Append(uint8(t.Class))
	w.densities.Append(t.PopulationKM2, t.HouseholdsKM2)
	return w.out.Err()
}

func density(v float64) bool { return v >= 0 && !math.IsInf(v, 0) }

// Finish writes the homes and the street index.
func (w *Writer) Finish() error {
	if err := w.writeHomes(); err != nil {
		return err
	}
	if n := len(w.streets.graph.Edges); n > 0 && uint64(w.top) >= uint64(w.nodes) {
		return fmt.Errorf("write streets: an edge leads to node %d of %d", w.top, w.nodes)
	}
	w.streets.write(w.out)
	return w.out.Err()
}
