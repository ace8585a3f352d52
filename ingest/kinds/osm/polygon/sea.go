package polygon

import (
	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
)

// Sea is the water in a box by its coast, lines that have land on their left: of the pieces into which coast, borders and the
// edges of the box cut it, those of whose coast more is seen from the water. A piece that no coast touches is not known, and a
// line that ends within a piece counts for both of its sides, so that what is only known in part is not sea. Water that one
// piece surrounds is none: it is a lake.
func Sea(k *spatialite.Kernel, box orb.Bound, coast, borders orb.MultiLineString) (orb.MultiPolygon, error) {
	lines := append(append(orb.MultiLineString{orb.LineString(box.ToRing())}, borders...), coast...)
	pieces, err := k.Pieces(lines)
	if err != nil {
		return nil, err
	}
	boxes, areas, votes := make([]orb.Bound, len(pieces)), make([]*geo.Prepared, len(pieces)), make([]float64, len(pieces))
	for i, piece := range pieces {
		boxes[i], areas[i] = piece.Bound(), geo.Prepare(orb.MultiPolygon{piece})
	}
	index := coord.NewBoxIndex(boxes)
	vote := func(p orb.Point, weight float64) {
		index.At(p, func(i int) bool {
			if areas[i].Contains(p) {
				votes[i] += weight
			}
			return true
		})
	}
	const aside = 1e-4 // of the length of a segment
	for _, line := range coast {
		for i := 1; i < len(line); i++ {
			a, b := line[i-1], line[i]
			dx, dy := b[0]-a[0], b[1]-a[1]
			middle, weight := orb.Point{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}, geo.Distance(a, b)
			vote(orb.Point{middle[0] + aside*dy, middle[1] - aside*dx}, weight)
			vote(orb.Point{middle[0] - aside*dy, middle[1] + aside*dx}, -weight)
		}
	}
	var sea orb.MultiPolygon
	for i, piece := range pieces {
		if votes[i] > 0 && box.Contains(boxes[i].Min) && box.Contains(boxes[i].Max) {
			sea = append(sea, piece)
		}
	}
	return k.Union(sea)
}
