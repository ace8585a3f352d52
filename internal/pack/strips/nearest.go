package strips

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// candidate is a point that may be among the nearest; key is its distance in decimetres above the rank.
type candidate struct {
	key   uint64
	index uint32
}

// Nearest keeps the candidates with the smallest keys, up to a limit. Its memory is kept when it is reset.
type Nearest struct {
	limit  int
	bound  uint64 // keys from here on are not among the nearest
	list   []candidate
	sorted bool // list is the nearest in their order
	spare  []candidate
	added  []candidate // list before it was sorted
}

// Reset forgets all candidates and sets the limit.
func (n *Nearest) Reset(limit int) {
	n.limit, n.list, n.bound, n.sorted = limit, n.list[:0], math.MaxUint64, false
	if limit <= 0 {
		n.bound = 0
	}
}

// Add offers a point with its Plan.Key.
func (n *Nearest) Add(key uint64, index uint32) {
	if key >= n.bound {
		return
	}
	n.list, n.sorted = append(n.list, candidate{key, index}), false
	if len(n.list) >= 2*n.limit+64 {
		n.shrink()
	}
}

// AddCircle offers the points of part of a run of a circle, with the ranks of all points of the index.
func (n *Nearest) AddCircle(p *Plan, x *Index, ranks []uint32, part Run) {
	if !p.flat {
		for i := part.First; i < part.Last; i++ {
			if key, in := p.KeyInCircle(part, x.Points[i], ranks[i]); in {
				n.Add(key, i)
			}
		}
		return
	}
	limit := p.radius2
	if part.Sure {
		limit = math.Inf(1)
	}
	r, bound, list := p.ruler, n.bound, n.list
	ranks = ranks[part.First:part.Last]
	for i, at := range x.Points[part.First:part.Last] {
		squared := r.squaredClose(float64(at.Lng)-r.lng, float64(at.Lat)-r.lat)
		if squared > limit {
			continue
		}
		if key := uint64(closeDecimetres(math.Sqrt(squared)))<<32 | uint64(ranks[i]); key < bound {
			list = append(list, candidate{key, part.First + uint32(i)})
		}
	}
	n.list, n.sorted = list, false
	if len(list) >= 2*n.limit+64 {
		n.shrink()
	}
}

// shrink drops all but the limit smallest and lowers the bound.
func (n *Nearest) shrink() {
	selectSmallest(n.list, n.limit)
	n.list = n.list[:n.limit]
	n.bound = 0
	for _, c := range n.list {
		n.bound = max(n.bound, c.key)
	}
}

// Reach is a distance in metres beyond which no point is among the nearest.
func (n *Nearest) Reach() float64 {
	if n.bound == math.MaxUint64 {
		return math.Inf(1)
	}
	return float64(n.bound>>32+1) / 10
}

// Full reports whether nothing beyond a radius can be among the nearest, if all within it were offered: those at the radius may
// be at the same distance as others just beyond it, which ranks order.
func (n *Nearest) Full(radiusM float64) bool {
	if len(n.list) < n.limit {
		return false
	}
	n.order()
	n.bound = n.list[n.limit-1].key
	return n.Reach() < radiusM
}

// Hits appends the nearest to dst in order and consumes the list.
func (n *Nearest) Hits(dst []Hit) []Hit {
	n.order()
	for _, c := range n.list {
		dst = append(dst, Hit{Index: c.index, Decimetres: uint32(c.key >> 32)})
	}
	return dst
}

// Added appends the indexes of the nearest to dst in the order in which they were added, which is that of the index where it
// was searched run by run, or else any.
func (n *Nearest) Added(dst []uint32) []uint32 {
	n.order()
	if len(n.list) == 0 {
		return dst
	}
	last := n.list[len(n.list)-1].key
	for _, c := range n.added {
		if c.key <= last {
			dst = append(dst, c.index)
		}
	}
	return dst
}

// order makes the list the nearest in their order. Sorting twice as many takes less time than to select them first.
func (n *Nearest) order() {
	if n.sorted {
		return
	}
	n.added = append(n.added[:0], n.list...)
	if len(n.list) < fewCandidates {
		slices.SortFunc(n.list, func(a, b candidate) int { return cmp.Compare(a.key, b.key) })
	} else {
		n.sort()
	}
	n.list, n.sorted = n.list[:min(len(n.list), n.limit)], true
}

// fewCandidates are sorted faster without the counts of a radix sort.
const fewCandidates = 100

const digit = 8 // bits per pass of the radix sort: adding up the counts of a pass must not take longer than the pass

// sort orders the list by key: a radix sort by distance, then an insertion sort for the ranks of equal distances.
func (n *Nearest) sort() {
	var top uint64
	for _, c := range n.list {
		top = max(top, c.key>>32)
	}
	if len(n.spare) < len(n.list) {
		n.spare = make([]candidate, cap(n.list))
	}
	from, to := n.list, n.spare[:len(n.list)]
	for shift := 32; shift < 32+bits.Len64(top); shift += digit {
		var count [1<<digit + 1]uint32
		for _, c := range from {
			count[c.key>>shift&(1<<digit-1)+1]++
		}
		for i := 1; i < len(count); i++ {
			count[i] += count[i-1]
		}
		for _, c := range from {
			d := c.key >> shift & (1<<digit - 1)
			to[count[d]] = c
			count[d]++
		}
		from, to = to, from
	}
	n.list, n.spare = from, to[:cap(to)]
	for i := 1; i < len(from); i++ {
		c := from[i]
		j := i
		for j > 0 && from[j-1].key > c.key {
			from[j] = from[j-1]
			j--
		}
		from[j] = c
	}
}

// selectSmallest moves the k smallest of list to its front, in any order.
func selectSmallest(list []candidate, k int) {
	for len(list) > 1 && k > 0 && k < len(list) {
		pivot := middle(list[0].key, list[len(list)/2].key, list[len(list)-1].key)
		i, j := 0, len(list)-1
		for i <= j {
			for list[i].key < pivot {
				i++
			}
			for list[j].key > pivot {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i++
				j--
			}
		}
		switch { // list[:j+1] ≤ pivot, list[i:] ≥ pivot, elements between them equal it
		case k <= j+1:
			list = list[:j+1]
		case k < i:
			return
		default:
			list, k = list[i:], k-i
		}
	}
}

func middle(a, b, c uint64) uint64 {
	return max(min(a, b), min(max(a, b), c))
}
