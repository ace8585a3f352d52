package geo

import (
	"math"
	"slices"
)

// Overlap is the share of child, 0 to 1, that is inside parent, measured along the given number of parallels through the
// child: 32 distinguish a tenth from a ninth, 128 find a sliver of a hundredth. 0 if child has no area.
//
// With 2 parallels through a child from 0 to 10 degrees east, one of which is in the parent from 0 to 5 and the other
// from 0 to 8, the share is about (5 + 8)/(10 + 10) = 0.65: lengths are weighted by the cosine of the latitude.
func Overlap(child, parent *Prepared, parallels int) float64 {
	share, _ := OverlapAny(child, []*Prepared{parent}, parallels)
	return share
}

// OverlapAny is the share of child that is inside any of the parents, which may overlap each other, measured like Overlap.
// The second result is false if no parallel meets the child, so that the share is not known.
func OverlapAny(child *Prepared, parents []*Prepared, parallels int) (float64, bool) {
	if !slices.ContainsFunc(parents, func(p *Prepared) bool { return child.bound.Intersects(p.bound) }) {
		return 0, len(child.edges) > 0
	}
	height := child.bound.Max[1] - child.bound.Min[1]
	var whole, shared float64
	var inChild, inParent, inAny, buffer []float64
	for i := range parallels {
		lat := child.bound.Min[1] + height*(float64(i)+0.5)/float64(parallels)
		inChild = child.stretches(lat, inChild[:0])
		if len(inChild) < 2 {
			continue
		}
		width := math.Cos(lat * Radian)
		whole += width * common(inChild, inChild)
		inAny = inAny[:0]
		for _, parent := range parents {
			if lat < parent.bound.Min[1] || lat > parent.bound.Max[1] {
				continue
			}
			inParent = parent.stretches(lat, inParent[:0])
			buffer = either(inAny, inParent, buffer[:0])
			inAny, buffer = buffer, inAny
		}
		shared += width * common(inChild, inAny)
	}
	if whole == 0 {
		return 0, false
	}
	return min(1, shared/whole), true
}

// stretches appends the longitudes at which a parallel enters and leaves, in order: even indexes enter.
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

// common is the length that two lists of stretches have in common.
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

// either appends the union of two lists of stretches.
func either(a, b, merged []float64) []float64 {
	for i, j := 0, 0; i+1 < len(a) || j+1 < len(b); {
		var from, to float64
		if j+1 >= len(b) || i+1 < len(a) && a[i] <= b[j] {
			from, to = a[i], a[i+1]
			i += 2
		} else {
			from, to = b[j], b[j+1]
			j += 2
		}
		if n := len(merged); n > 0 && from <= merged[n-1] {
			merged[n-1] = max(merged[n-1], to)
		} else {
			merged = append(merged, from, to)
		}
	}
	return merged
}
