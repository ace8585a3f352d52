// Package access is the packed table of the streets with their measures and scores: the build writes it, the server reads
// measures, scores and typologies from it. It contains the nodes of the walking networks of all regions with their
// channels, the edges between them, barriers, the scores of geographies and the typologies of cells. A Table finds the
// street nearest to a point that no barrier separates from it, and the values at that point of the street.
//
// Nodes and edges are numbered from 0 as they were added, one less than their fid in the SpatiaLite file. The sections of
// n nodes, e edges, h homes, b pieces of barriers, g geographies with scores and c cells with typologies:
//
//	street.limit        float64 × 1         maximum access leg, metres
//	street.node.value   uint16 × 63n        channels in ten-thousandths, 0 to 50,000; 65,535 absent
//	score.geography     texts × g           geog_ids, ascending
//	score.value         uint16 × 18g        scores, as channels
//	typology.cell       uint64 × c          geohashes of 7 characters as numbers of 35 bits, ascending
//	typology.class      uint8 × c           index in schemas.Typologies
//	typology.density    float64 × 2c        people and households per km² of land
//	street.edge.a       uint32 × e          node A
//	street.edge.b       uint32 × e          node B
//	street.edge.length  uint32 × e          decimetres
//	street.shape.end    uint32 × e          end of the line of each edge in street.shape
//	street.shape        Point               vertices from A to B
//	street.box          Point               corners of a coord.Tree over groups of 8 edges
//	home.point          float64 × 2h        longitude and latitude in degrees, in the order of a pointindex with strips of 1 km
//	home.weight         uint64 × h          thousandths of a household, or of a metre of street
//	home.street         uint8 × h           1: the weight is metres
//	home.edge           uint32 × h          edge
//	home.along          uint32 × h          decimetres from its node A
//	hull                lists of float64    the ring of each region's convex hull of nodes, longitude and latitude in turn
//	barrier.shape       Point               vertices of pieces of at most 8 segments, along a Hilbert curve
//	barrier.shape.end   uint32 × b          end of each piece
//	barrier.box         Point               corners of a coord.Tree over the pieces
//
// An example: edge 0 leads 80 m from node 0, with park_access 2.0, to node 1 with 4.0: street.node.value has 20000 and
// 40000 in that channel, street.edge.length 800. A point that is snapped 20 m from node 0 is at share 0.25 and reads
// 0.75·20000 + 0.25·40000 = 25000, the value 2.5.
package access

import "quartier/schemas"

// ScoreCount is the number of scores, schemas.Scores.
const ScoreCount = schemas.ChannelCount - int(schemas.FirstScore)

// Spot is a position on a street.
type Spot struct {
	Edge  uint32
	Share float64 // of the edge's length: 0 at its node A, 1 at B
	LegM  float64 // access leg: metres from the point to the street
}

// Edge is a stretch of street between two nodes.
type Edge struct {
	A, B    uint32
	LengthM float64 // to 0.1
}

// Typology is the built environment of a cell of geohash-7.
type Typology struct {
	Class         int     // index in schemas.Typologies
	PopulationKM2 float64 // people per km² of land
	HouseholdsKM2 float64
}

// maxValue is the maximum of a channel: 5 on its scale.
const maxValue = 5 * schemas.UnitValue

// Between interpolates at a share of the way from a node with value a to one with value b, rounded half up. If one of them
// is absent it is the other; if both are it is absent.
func Between(a, b uint16, share float64) uint16 {
	return between(a, b, fixed(share))
}

// one is 1 in the fixed-point numbers of shares, in which values of 16 bits do not overflow.
const one = 1 << 32

// fixed is a share in fixed point, 0 to one.
func fixed(share float64) uint64 {
	if !(share > 0) { // also NaN
		return 0
	}
	return uint64(min(share, 1)*one + 0.5)
}

func between(a, b uint16, share uint64) uint16 {
	switch {
	case a == schemas.AbsentValue:
		a = b
	case b == schemas.AbsentValue:
		b = a
	}
	return uint16((uint64(a)*(one-share) + uint64(b)*share + one/2) / one)
}

// cellChars is the length of the geohashes of typologies.
const cellChars = 7

// cellNumber is a geohash of 7 lower-case characters as a number; false if it is not one. Numbers are in the order of the
// geohashes.
func cellNumber(cell string) (uint64, bool) {
	if len(cell) != cellChars {
		return 0, false
	}
	number := uint64(0)
	for i := range cellChars {
		digit := geohashDigit[cell[i]]
		if digit < 0 {
			return 0, false
		}
		number = number<<5 | uint64(digit)
	}
	return number, true
}

const geohashDigits = "0123456789bcdefghjkmnpqrstuvwxyz"

// geohashDigit is the value of each character of a geohash, −1 if it is none.
var geohashDigit = func() (digit [256]int8) {
	for i := range digit {
		digit[i] = -1
	}
	for i, c := range []byte(geohashDigits) {
		digit[c] = int8(i)
	}
	return digit
}()
