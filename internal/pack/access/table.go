package access

import (
	"slices"
	"sort"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/pack"
	"quartier/schemas"
)

// Table answers look-ups from a mapped file. It is safe for concurrent use until the file is closed.
type Table struct {
	limitM    float64
	values    []uint16 `pack:"street.node.value"`
	streets   *network.Snapper
	scored    pack.Lists[byte] `pack:"score.geography"`
	scores    []uint16         `pack:"score.value scores scored"`
	cells     []uint64         `pack:"typology.cell"`
	classes   []uint8          `pack:"typology.class cells"`
	densities []float64        `pack:"typology.density 2 cells"`
	homes     homes
	hulls     pack.Lists[float64] `pack:"hull"`
}

// Open opens the table in f. All of it stays in the mapped file.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	limit := pack.Load[float64](l, "street.limit", 1)
	t := &Table{streets: openStreets(l)}
	l.Fill(t, "", map[string]int{
		"scored": pack.LoadLists[byte](l, "score.geography", pack.Any).Len(), "scores": ScoreCount,
		"cells": len(pack.Load[uint64](l, "typology.cell", pack.Any)),
	})
	t.homes.load(l)
	if len(t.values)%schemas.ChannelCount != 0 {
		l.Fail("section %q: %d elements, not a multiple of %d", "street.node.value", len(t.values), schemas.ChannelCount)
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

// Snapper is the streets, whose nodes are below Nodes. It is part of the mapped file.
func (t *Table) Snapper() *network.Snapper { return t.streets }

// Cells is the number of cells with a typology.
func (t *Table) Cells() int { return len(t.cells) }

// Cell is the geohash of cell i, below Cells, in ascending order.
func (t *Table) Cell(i int) string {
	var name [cellChars]byte
	number := t.cells[i]
	for k := cellChars - 1; k >= 0; k-- {
		name[k] = geohashDigits[number%32]
		number /= 32
	}
	return string(name[:])
}

// Edge is edge e, below Edges.
func (t *Table) Edge(e uint32) Edge {
	edge := t.streets.Edge(e)
	return Edge{edge.A, edge.B, edge.Length.Metres()}
}

// Locate snaps a point to the nearest street that no barrier separates from it; false if there is none within the limit.
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

// Walk calls visit with the parts of streets within reach on foot of a point, each with the index of the least limit that all of it
// is within and its length, in the order of the edges. limits ascend, in metres, and include the access leg. false if no street is near.
func (t *Table) Walk(lng, lat float64, limits []float64, visit func(band int, m float64, line []coord.Point)) bool {
	p, ok := coord.NewPoint(lng, lat)
	if !ok {
		return false
	}
	place, ok := t.streets.Snap(p, t.limitM)
	if !ok {
		return false
	}
	within := make([]network.Distance, len(limits))
	for i, m := range limits {
		within[i] = network.Metres(m)
	}
	t.streets.Stretches(place, within, func(s network.Stretch) { visit(s.Band, (s.To - s.From).Metres(), t.streets.Cut(s)) })
	return true
}

// Beeline bounds ways along the streets of the release, for those whose sources have no footpaths.
func (t *Table) Beeline(factor float64) *network.Beeline {
	return network.NewBeeline(factor, t.streets)
}

// absent is the values of a node that does not exist.
var absent = func() (values [schemas.ChannelCount]uint16) {
	for c := range values {
		values[c] = schemas.AbsentValue
	}
	return values
}()

// node is the values of a node; nil if there is no such node.
func (t *Table) node(n uint32) []uint16 {
	first := uint64(n) * schemas.ChannelCount
	if first >= uint64(len(t.values)) {
		return nil
	}
	return t.values[first : first+schemas.ChannelCount]
}

// NodeValues fills dst with the channels of a node, absent if there is no such node.
func (t *Table) NodeValues(node uint32, dst *[schemas.ChannelCount]uint16) {
	*dst = absent
	for c, v := range t.node(node) {
		dst[c] = valid(v)
	}
}

// valid is v, or absent if a damaged file has it out of range.
func valid(v uint16) uint16 {
	if v > maxValue {
		return schemas.AbsentValue
	}
	return v
}

// Values fills dst with the channels at a spot, interpolated between the two nodes of its edge.
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
		dst[c] = between(valid(a[c]), valid(b[c]), share)
	}
}

// Geography is the scores of the median household of a geography, absent if one is not known; false if none is.
func (t *Table) Geography(geogID string) (values [ScoreCount]uint16, ok bool) {
	i := sort.Search(t.scored.Len(), func(i int) bool { return string(t.scored.At(i)) >= geogID })
	if string(t.scored.At(i)) != geogID {
		return values, false
	}
	for s, v := range t.scores[ScoreCount*i : ScoreCount*(i+1)] {
		values[s] = valid(v)
	}
	return values, true
}

// Typology is the built environment of a cell, a geohash of 7 lower-case characters; false if it has neither residents nor
// streets.
func (t *Table) Typology(geohash string) (Typology, bool) {
	number, ok := cellNumber(geohash)
	if !ok {
		return Typology{}, false
	}
	i, ok := slices.BinarySearch(t.cells, number)
	if !ok || int(t.classes[i]) >= len(schemas.Typologies) {
		return Typology{}, false
	}
	return Typology{int(t.classes[i]), t.densities[2*i], t.densities[2*i+1]}, true
}
