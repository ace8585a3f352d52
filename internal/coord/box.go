package coord

import "math"

// Box is a closed rectangle from its southwestern to its northeastern corner.
type Box struct {
	Min, Max Point
}

// EmptyBox contains nothing and is neutral in Union.
var EmptyBox = Box{Point{math.MaxInt32, math.MaxInt32}, Point{math.MinInt32, math.MinInt32}}

// BoxAround is the bounding box of points; EmptyBox if there are none.
func BoxAround(points []Point) Box {
	b := EmptyBox
	for _, p := range points {
		b = b.Union(Box{p, p})
	}
	return b
}

// Union is the smallest box that contains both.
func (b Box) Union(o Box) Box {
	return Box{
		Point{min(b.Min.Lng, o.Min.Lng), min(b.Min.Lat, o.Min.Lat)},
		Point{max(b.Max.Lng, o.Max.Lng), max(b.Max.Lat, o.Max.Lat)},
	}
}

// Intersects reports whether the boxes have a point in common; touching counts.
func (b Box) Intersects(o Box) bool {
	return b.Min.Lng <= o.Max.Lng && o.Min.Lng <= b.Max.Lng && b.Min.Lat <= o.Max.Lat && o.Min.Lat <= b.Max.Lat
}
