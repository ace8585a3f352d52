package geo

import (
	"math"

	"github.com/paulmach/orb"
)

// Length is the length of a line in metres.
func Length(line orb.LineString) (metres float64) {
	for i := 1; i < len(line); i++ {
		metres += Distance(line[i-1], line[i])
	}
	return metres
}

// Along visits the middles of the equal parts of a line, each as long as may be up to maxM metres, with the length of a part
// and the number of the segment that the middle is on: segment i leads from point i to point i+1. A line without length is
// one part of 0 metres at its first point.
//
// A line of 90 m in parts of at most 25 m has four of 22.5 m, with their middles 11.25, 33.75, 56.25 and 78.75 m from its
// beginning.
func Along(line orb.LineString, maxM float64, visit func(at orb.Point, metres float64, segment int)) {
	length := Length(line)
	if length == 0 {
		if len(line) > 0 {
			visit(line[0], 0, 0)
		}
		return
	}
	parts := math.Ceil(length / maxM)
	part := length / max(parts, 1)
	next := part / 2 // metres from the beginning of the segment to the next middle
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		d := Distance(a, b)
		for ; next < d; next += part {
			share := next / d
			visit(orb.Point{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1])}, part, i-1)
		}
		next -= d
	}
}
