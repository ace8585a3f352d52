package osm

import (
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"

	"quartier/internal/geo"
)

// extent has the longitudes of the westernmost and easternmost node of each band of latitude. Do not add nodes outside
// of Canada and the United States: a single one would extend the hull to all that is between.
type extent map[int32]*[2]float64

// bandHeight is in degrees, about 100 m. The extent may reach that far beyond the nodes.
const bandHeight = 0.001

func (e extent) add(p orb.Point) {
	band := int32(math.Floor(p[1] / bandHeight))
	if b := e[band]; b != nil {
		b[0], b[1] = min(b[0], p[0]), max(b[1], p[0])
	} else {
		e[band] = &[2]float64{p[0], p[0]}
	}
}

// area returns the convex hull of the nodes, clipped to the box in the file's header, since complete outlines reach
// beyond the data. It is nil without nodes.
func (e extent) area(box orb.Bound, boxed bool) orb.MultiPolygon {
	var hull geo.Hull
	for band, b := range e {
		south, north := float64(band)*bandHeight, float64(band+1)*bandHeight
		for _, corner := range [...]orb.Point{{b[0], south}, {b[0], north}, {b[1], south}, {b[1], north}} {
			hull.Add(corner)
		}
	}
	ring := hull.Ring()
	if boxed && len(ring) > 0 {
		ring = clip.Ring(box, ring)
	}
	if len(ring) < 4 {
		return nil
	}
	return orb.MultiPolygon{{ring}}
}
