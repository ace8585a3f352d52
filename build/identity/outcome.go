package identity

import (
	"cmp"
	"slices"
)

// Kind is how a superseded geography was succeeded.
type Kind string

// The kinds of succession, as table geog_bridge has them.
const (
	Reversion Kind = "reversion" // one new version of the same geography
	Redrawn   Kind = "redrawn"   // a geography with little area in common
	Split     Kind = "split"     // several parts
	Merge     Kind = "merge"     // one geography that contains it and others
	Relevel   Kind = "level"     // the same geography at another level
	Retired   Kind = "retired"   // nothing covers its area
)

// outcome is what became of an old outline.
type outcome struct {
	kept      bool // its id is that of the successor
	successor int  // index of the new outline, -1 where there is none
	kind      Kind
	parts     []overlap // with its successors, the largest share first
	by        Measure   // of the shares that decided
	counted   bool      // its households are known
}

// decided reports whether it is known what became of the old outline.
func (o *outcome) decided() bool { return o.kept || o.kind != "" }

// orNone returns the overlaps with the successors; where there is none, one with nothing.
func (o *outcome) orNone() []overlap {
	if len(o.parts) == 0 {
		return []overlap{{new: -1}}
	}
	return o.parts
}

// decideOutcomes decides what becomes of the outlines for which that is not known.
func (s *succession) decideOutcomes(overlaps [][]overlap) {
	absorbed := make([]int, len(s.new)) // number of old outlines that are mostly inside the new one
	for j, old := range s.keptFrom {
		if old >= 0 {
			absorbed[j]++
		}
	}
	for i := range s.old {
		if s.outcomes[i].decided() {
			overlaps[i] = nil
			continue
		}
		overlaps[i] = s.parts(overlaps[i])
		if parts := overlaps[i]; len(parts) > 0 && parts[0].deciding().old >= wholeShare {
			absorbed[parts[0].new]++
		}
		s.outcomes[i].parts = overlaps[i]
	}
	match := s.match(overlaps)
	for i := range s.old {
		out := &s.outcomes[i]
		if out.decided() {
			continue
		}
		out.kind, out.successor = classify(out.parts, match[i], absorbed)
		if out.kind == Reversion {
			s.parent[out.successor] = i
		}
	}
}

// parts returns the overlaps that count for succession, the largest share first. Where outlines of several publishers
// cover the same area, only those with the old one's scheme of keys count, if there are any.
func (s *succession) parts(overlaps []overlap) []overlap {
	var same, all []overlap
	for _, p := range overlaps {
		if p.deciding().old < partShare {
			continue
		}
		all = append(all, p)
		if p.sameScheme {
			same = append(same, p)
		}
	}
	if len(same) > 0 {
		all = same
	}
	slices.SortFunc(all, func(a, b overlap) int {
		p, q := a.deciding(), b.deciding()
		return cmp.Or(cmp.Compare(q.old, p.old), cmp.Compare(q.iou, p.iou), cmp.Compare(keyRank(a), keyRank(b)),
			cmp.Compare(s.new[a.new].Key, s.new[b.new].Key))
	})
	return all
}

// match pairs old and new outlines that are each other's best match; -1 where an old one has none.
func (s *succession) match(overlaps [][]overlap) []int {
	match := slices.Repeat([]int{-1}, len(s.old))
	taken := make([]bool, len(s.new))
	for _, p := range s.ranked(overlaps, versionIoU) {
		if match[p.old] < 0 && s.keptFrom[p.new] < 0 && !taken[p.new] {
			match[p.old], taken[p.new] = p.new, true
		}
	}
	return match
}

// classify returns the kind of succession and the successor of an outline with the given parts, the largest first.
// New outlines that are mostly inside the old one distinguish a split from a moved border: if a of 10 × 10 becomes
// a1 of 4 × 10 and a2 of 6 × 10, both are inside a, and it was split. If instead a keeps 8 × 10 and its neighbour grows
// from 10 × 10 to 12 × 10, only a sixth of the neighbour is inside the old a, and a has a new version.
func classify(parts []overlap, match int, absorbed []int) (kind Kind, successor int) {
	if len(parts) == 0 {
		return Retired, -1
	}
	covered, inside := 0.0, true
	for _, p := range parts {
		covered += p.deciding().old
		inside = inside && p.deciding().new >= wholeShare
	}
	split := len(parts) > 1 && covered >= splitShare && covered <= splitOverlap
	largest := parts[0]
	switch {
	case split && inside:
		return Split, largest.new
	case largest.deciding().old >= wholeShare && absorbed[largest.new] > 1:
		return Merge, largest.new
	case match >= 0:
		return Reversion, match
	case split:
		return Split, largest.new
	}
	return Redrawn, largest.new
}
