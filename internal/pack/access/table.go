package access

import (
	"cmp"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/pack"
	"quartier/schemas"
)

// Sections of the table.
const (
	sectionLimit     = "street.limit"      // one number: metres from a door to its street at most
	sectionValues    = "street.node.value" // schemas.ChannelCount of each node
	sectionScored    = "score.geography"   // geog_ids, ascending
	sectionScores    = "score.value"       // ScoreCount of each
	sectionCells     = "typology.cell"     // numbers of geohashes, ascending
	sectionClasses   = "typology.class"    // places in schemas.Typologies
	sectionDensities = "typology.density"  // people and households of each
)

// Table answers look-ups from a mapped file. It is safe for concurrent use until the file is closed.
type Table struct {
	limitM    float64
	values    []uint16
	streets   *network.Snapper
	scored    pack.Lists[byte]
	scores    []uint16
	cells     []uint64
	classes   []uint8
	densities []float64
}

// Open finds the table in f. All of it stays in the mapped file.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	limit := pack.Load[float64](l, sectionLimit, 1)
	values := pack.Load[uint16](l, sectionValues, pack.Any)
	if len(values)%schemas.ChannelCount != 0 {
		l.Fail("section %q: %d elements, not a multiple of %d", sectionValues, len(values), schemas.ChannelCount)
	}
	streets := openStreets(l)
	scored, cells := pack.LoadLists[byte](l, sectionScored, pack.Any), pack.Load[uint64](l, sectionCells, pack.Any)
	t := &Table{
		values:    values,
		streets:   streets,
		scored:    scored,
		scores:    pack.Load[uint16](l, sectionScores, ScoreCount*scored.Len()),
		cells:     cells,
		classes:   pack.Load[uint8](l, sectionClasses, len(cells)),
		densities: pack.Load[float64](l, sectionDensities, 2*len(cells)),
	}
	if err := l.Err(); err != nil {
		return nil, err
	}
	t.limitM = limit[0]
	return t, nil
}

// Nodes is the number of nodes.
func (t *Table) Nodes() int { return len(t.values) / schemas.ChannelCount }

// Edges is the number of edges.
func (t *Table) Edges() int { return t.streets.Edges() }

// Scored is the number of geographies with scores.
func (t *Table) Scored() int { return t.scored.Len() }

// Cells is the number of cells with a typology.
func (t *Table) Cells() int { return len(t.cells) }

// Edge is edge e, below Edges.
func (t *Table) Edge(e uint32) Edge {
	edge := t.streets.Edge(e)
	return Edge{edge.A, edge.B, edge.Length.Metres()}
}

// Locate finds the spot on the street nearest to a point that no barrier keeps it from; false where there is none near.
func (t *Table) Locate(lng, lat float64) (Spot, bool) {
	p, ok := coord.NewPoint(lng, lat)
	if !ok {
		return Spot{}, false
	}
	place, ok := t.streets.Snap(p, t.limitM)
	if !ok {
		return Spot{}, false
	}
	s := Spot{Edge: place.Edge, LegM: place.Leg.Metres()}
	if length := t.streets.Edge(place.Edge).Length; length > 0 {
		s.Share = min(float64(place.Along)/float64(length), 1)
	}
	return s, true
}

// absent is a node that is not there.
var absent = func() (values [schemas.ChannelCount]uint16) {
	for c := range values {
		values[c] = schemas.AbsentValue
	}
	return values
}()

// node is the values of a node; nil where there is no such node.
func (t *Table) node(n uint32) []uint16 {
	first := uint64(n) * schemas.ChannelCount
	if first >= uint64(len(t.values)) {
		return nil
	}
	return t.values[first : first+schemas.ChannelCount]
}

// NodeValues fills dst with the channels of a node, absent where there is no such node.
func (t *Table) NodeValues(node uint32, dst *[schemas.ChannelCount]uint16) {
	*dst = absent
	for c, v := range t.node(node) {
		dst[c] = sound(v)
	}
}

// sound is a value as it can be: a damaged file may hold others.
func sound(v uint16) uint16 {
	if v > maxValue {
		return schemas.AbsentValue
	}
	return v
}

// Values fills dst with the channels at a spot, on a straight line between those of the edge's two nodes.
func (t *Table) Values(s Spot, dst *[schemas.ChannelCount]uint16) {
	*dst = absent
	if uint64(s.Edge) >= uint64(t.streets.Edges()) {
		return
	}
	edge := t.streets.Edge(s.Edge)
	a, b := t.node(edge.A), t.node(edge.B)
	if a == nil || b == nil {
		return
	}
	share := fixed(s.Share)
	for c := range dst {
		dst[c] = between(sound(a[c]), sound(b[c]), share)
	}
}

// Geography is the scores of the median household of a geography, absent where one is not known; false where none is.
func (t *Table) Geography(geogID string) (values [ScoreCount]uint16, ok bool) {
	low, high := 0, t.scored.Len()
	for low < high {
		if middle := (low + high) / 2; string(t.scored.At(middle)) < geogID {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == t.scored.Len() || string(t.scored.At(low)) != geogID {
		return values, false
	}
	for s, v := range t.scores[ScoreCount*low : ScoreCount*(low+1)] {
		values[s] = sound(v)
	}
	return values, true
}

// Typology is the built environment of a cell, a geohash of 7 lower-case characters; false where nobody lives and no
// street is.
func (t *Table) Typology(geohash string) (Typology, bool) {
	number, ok := cellNumber(geohash)
	if !ok {
		return Typology{}, false
	}
	i, ok := slices.BinarySearchFunc(t.cells, number, cmp.Compare[uint64])
	if !ok || int(t.classes[i]) >= len(schemas.Typologies) {
		return Typology{}, false
	}
	return Typology{int(t.classes[i]), t.densities[2*i], t.densities[2*i+1]}, true
}
