package geo

import (
	"math"
	"slices"
)

// Overlap is the share of child, 0 to 1, that lies inside parent, measured along the given number of parallels through
// the child: 32 tell a tenth from a ninth, 128 find a sliver of a hundredth. 0 where child has no area.
func Overlap(child, parent *Prepared, parallels int) float64 {
	if !child.bound.Intersects(parent.bound) {
		return 0
	}
	height := child.bound.Max[1] - child.bound.Min[1]
	var whole, shared float64
	var inChild, inParent []float64
	for i := range parallels {
		lat := child.bound.Min[1] + height*(float64(i)+0.5)/float64(parallels)
		inChild = child.stretches(lat, inChild[:0])
		if len(inChild) < 2 {
			continue
		}
		width := math.Cos(lat * radian)
		whole += width * common(inChild, inChild)
		if lat < parent.bound.Min[1] || lat > parent.bound.Max[1] {
			continue
		}
		inParent = parent.stretches(lat, inParent[:0])
		shared += width * common(inChild, inParent)
	}
	if whole == 0 {
		return 0
	}
	return min(1, shared/whole)
}

// stretches appends the longitudes at which the parallel enters and leaves, in order: even places enter.
func (p *Prepared) stretches(lat float64, cuts []float64) []float64 {
	if len(p.edges) == 0 {
		return cuts
	}
	band := p.band(lat)
	for _, s := range p.edges[p.start[band]:p.start[band+1]] {
		a, b := s.a, s.b
		if (a[1] <= lat) != (b[1] <= lat) {
			cuts = append(cuts, a[0]+(lat-a[1])/(b[1]-a[1])*(b[0]-a[0]))
		}
	}
	slices.Sort(cuts)
	return cuts
}

// common is the length that two lists of stretches share.
func common(a, b []float64) float64 {
	length := 0.0
	for i, j := 0, 0; i+1 < len(a) && j+1 < len(b); {
		length += max(0, min(a[i+1], b[j+1])-max(a[i], b[j]))
		if a[i+1] < b[j+1] {
			i += 2
		} else {
			j += 2
		}
	}
	return length
}
