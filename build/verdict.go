package build

import (
	"cmp"
	"slices"
)

// judge decides what became of the outlines that nobody keeps.
func (s *succession) judge(edges [][]edge) {
	absorbed := make([]int, len(s.new)) // old outlines that lie mostly in this one
	for j, holder := range s.holder {
		if holder >= 0 {
			absorbed[j]++
		}
	}
	for i := range s.old {
		if s.fates[i].kept {
			continue
		}
		edges[i] = s.parts(edges[i])
		if parts := edges[i]; len(parts) > 0 && parts[0].oldShare >= wholeShare {
			absorbed[parts[0].new]++
		}
		s.fates[i].edges = edges[i]
	}
	match := s.match(edges)
	for i := range s.old {
		f := &s.fates[i]
		if f.kept {
			continue
		}
		f.kind, f.successor = verdict(f.edges, match[i], absorbed)
		if f.kind == kindReversion {
			s.parent[f.successor] = i
		}
	}
}

// parts are the edges that count for succession, the largest share first. Outlines of one level lie over each other
// where they come from several publishers: those of the old one's scheme of keys alone count if there are any.
func (s *succession) parts(all []edge) []edge {
	var same, any []edge
	for _, e := range all {
		if e.oldShare < partShare {
			continue
		}
		any = append(any, e)
		if e.sameSet {
			same = append(same, e)
		}
	}
	if len(same) > 0 {
		any = same
	}
	slices.SortFunc(any, func(a, b edge) int {
		return cmp.Or(cmp.Compare(b.oldShare, a.oldShare), cmp.Compare(b.iou, a.iou), cmp.Compare(s.new[a.new].Key, s.new[b.new].Key))
	})
	return any
}

// match pairs old and new outlines that are each other's best match, -1 where there is none.
func (s *succession) match(edges [][]edge) []int {
	match := slices.Repeat([]int{-1}, len(s.old))
	taken := make([]bool, len(s.new))
	for _, e := range s.ranked(edges, versionIoU, false) {
		if match[e.old] < 0 && s.holder[e.new] < 0 && !taken[e.new] {
			match[e.old], taken[e.new] = e.new, true
		}
	}
	return match
}

// verdict is the kind of succession and the successor of an outline that covers parts, the largest share first.
// Parts that lie mostly in the old outline tell a split from a border that moved.
func verdict(parts []edge, match int, absorbed []int) (kind string, successor int) {
	if len(parts) == 0 {
		return kindRetired, -1
	}
	covered, within := 0.0, true
	for _, e := range parts {
		covered += e.oldShare
		within = within && e.newShare >= wholeShare
	}
	split := len(parts) > 1 && covered >= splitShare && covered <= splitOverlap
	best := parts[0]
	switch {
	case split && within:
		return kindSplit, best.new
	case best.oldShare >= wholeShare && absorbed[best.new] > 1:
		return kindMerge, best.new
	case match >= 0:
		return kindReversion, match
	case split:
		return kindSplit, best.new
	}
	return kindRedrawn, best.new
}
