// Package access is the packed table of what is known along the streets: the build writes it, the server reads
// measures, scores and typologies from it.
//
// What goes in, through a Writer: the nodes of the walking networks of all regions with their channels, the edges
// between them, the barriers, the scores of geographies and the typologies of cells. What comes out: a Table over the
// mapped file that finds the street nearest to a point without crossing a barrier, the values right there, and the rest
// by its key. Nodes and edges are numbered from 0 as they were added, which is one less than their fid in the
// SpatiaLite file.
package access

import "quartier/schemas"

// ScoreCount is the number of scores, schemas.Scores.
const ScoreCount = schemas.ChannelCount - int(schemas.FirstScore)

// Spot is a place on a street.
type Spot struct {
	Edge  uint32
	Share float64 // of the edge's length: 0 at its node A, 1 at B
	LegM  float64 // metres from the point asked for to the street
}

// Edge is a stretch of street between two nodes.
type Edge struct {
	A, B    uint32
	LengthM float64 // to 0.1
}

// Typology is the built environment of a cell of geohash-7.
type Typology struct {
	Class         int     // place in schemas.Typologies
	PopulationKM2 float64 // people per km² of land
	HouseholdsKM2 float64
}

// maxValue is the most that a channel holds: 5 on its scale.
const maxValue = 5 * schemas.UnitValue

// Between is the value at a share of the way from a node with value a to one with value b, rounded half up. Absent at
// one end it is that of the other; absent at both it is absent.
func Between(a, b uint16, share float64) uint16 {
	return between(a, b, fixed(share))
}

// one is a whole in the fixed point that shares are weighed in: values of 16 bits are far from overflowing it.
const one = 1 << 32

// fixed is a share in fixed point, 0 to one.
func fixed(share float64) uint64 {
	if !(share > 0) { // also where it is no number
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

// cellNumber is the place of a geohash of 7 lower-case characters in their order; false where it is none.
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

// geohashDigit is the value of each character of a geohash, -1 where it is none.
var geohashDigit = func() (digit [256]int8) {
	for i := range digit {
		digit[i] = -1
	}
	for i, c := range []byte("0123456789bcdefghjkmnpqrstuvwxyz") {
		digit[c] = int8(i)
	}
	return digit
}()
