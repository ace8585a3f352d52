package network

import (
	"math"

	"quartier/internal/coord"
)

const bandBits = 16 // of the units of a coord.Point: 0.0066 degrees

// bandOf is a latitude rounded to the middle of a band of a few hundred metres, and the number of that band.
func bandOf(lat int32) (band int32, middle float64) {
	band = (lat + 90*coord.Scale) >> bandBits
	return band, min(float64(band<<bandBits+1<<(bandBits-1))/coord.Scale-90, 90)
}

// planeAround is a plane around p with the scale of its band of latitude.
func planeAround(p coord.Point) coord.Plane {
	_, middle := bandOf(p.Lat)
	return coord.PlaneAt(p, middle)
}

// localMetric measures short distances on the ellipsoid by the plane of their band of latitude: they are within 0.03 %
// below 70 degrees and depend on the two ends alone. The zero value is ready.
type localMetric struct {
	ready bool
	band  int32
	plane coord.Plane // of the band
}

// metres is the length of the straight way from a to b.
func (m *localMetric) metres(a, b coord.Point) float64 {
	band, middle := bandOf(a.Lat/2 + b.Lat/2)
	if !m.ready || band != m.band {
		m.ready, m.band, m.plane = true, band, coord.PlaneAt(coord.Point{}, middle)
	}
	dx, dy := m.plane.Delta(a, b)
	return math.Sqrt(dx*dx + dy*dy)
}
