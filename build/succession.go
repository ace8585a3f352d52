package build

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/schemas"
)

// The limits between one verdict and the next. Shares are of area; a manifest names them as parameters.
const (
	sameIoU        = 0.999 // intersection over union from which two outlines may be the same
	sameHausdorffM = 50.0  // … if no vertex lies farther than this from the other outline
	versionIoU     = 0.5   // from which an outline is a new version of the one that it matches best
	partShare      = 0.1   // share of the old one from which a new one is a successor at all
	splitShare     = 0.9   // share of the old one that the parts of a split cover together
	splitOverlap   = 1.05  // … and no more than this: parts do not overlap
	wholeShare     = 0.5   // share of an outline that makes it part of another
)

// Kinds of succession, as geog_bridge has them.
const (
	kindReversion = "reversion" // one for one, changed
	kindRedrawn   = "redrawn"   // hardly the same ground
	kindSplit     = "split"     // into several
	kindMerge     = "merge"     // several into one
	kindRetired   = "retired"   // nothing took its ground
)

// outline is what the rules of succession know of one geography.
type outline struct {
	edition
	Level    schemas.Level
	Bound    orb.Bound
	AreaM2   float64
	Geometry [sha256.Size]byte // digest of its WKB
}

// meter measures an old outline against a new one, both by index.
type meter interface {
	// Shared is the area in m² that both cover.
	Shared(ctx context.Context, old, new int) (float64, error)
	// Farthest is the Hausdorff distance in metres.
	Farthest(ctx context.Context, old, new int) (float64, error)
}

// edge says how much of an old outline a new one covers.
type edge struct {
	old, new         int
	oldShare, iou    float64 // share of the old one's area; intersection over union
	newShare         float64 // share of the new one's area
	sameKey, sameSet bool    // same source key; same scheme of source keys
}

// bridge is a row of geog_bridge.
type bridge struct {
	Release, Old, New, Kind string
	Share                   float64
}

// fate is what became of an old outline: kept by a new one, or superseded with or without a successor.
type fate struct {
	kept      bool
	successor int // index of the new outline; -1: none
	kind      string
	edges     []edge // those of at least partShare, the largest first
}

// succession follows every outline of one release into the next.
type succession struct {
	old, new []outline
	holder   []int // by new outline: the old one whose id it keeps, -1: none
	parent   []int // by new outline: the old one that it is a new version of, -1: none
	fates    []fate
}

// follow finds the fate of every old outline among the new ones.
func follow(ctx context.Context, old, new []outline, m meter) (*succession, error) {
	s := &succession{old: old, new: new, fates: make([]fate, len(old))}
	s.holder = slices.Repeat([]int{-1}, len(new))
	s.parent = slices.Repeat([]int{-1}, len(new))
	for i := range s.fates {
		s.fates[i].successor = -1
	}
	s.keepIdentical()
	edges, err := s.measure(ctx, m)
	if err != nil {
		return nil, err
	}
	if err := s.keepNoise(ctx, edges, m); err != nil {
		return nil, err
	}
	s.judge(edges)
	return s, nil
}

func (s *succession) keep(old, new int) {
	s.holder[new] = old
	s.fates[old] = fate{kept: true, successor: new}
}

// keepIdentical lets outlines that did not change at all keep their id, first under the same key, then under another.
func (s *succession) keepIdentical() {
	type shape struct {
		level    schemas.Level
		key      string
		geometry [sha256.Size]byte
	}
	for _, byKey := range []bool{true, false} {
		free := map[shape][]int{}
		of := func(o outline) shape {
			if !byKey {
				return shape{o.Level, "", o.Geometry}
			}
			return shape{o.Level, o.Key, o.Geometry}
		}
		for i, n := range s.new {
			if s.holder[i] < 0 {
				free[of(n)] = append(free[of(n)], i)
			}
		}
		for i, o := range s.old {
			if found := free[of(o)]; !s.fates[i].kept && len(found) > 0 {
				s.keep(i, found[0])
				free[of(o)] = found[1:]
			}
		}
	}
}

// measure finds how the old outlines that are not kept overlap new ones of their level. Outlines of one level may lie
// over each other where they come from several publishers; a successor is then looked for among those of the same
// scheme of keys first.
func (s *succession) measure(ctx context.Context, m meter) ([][]edge, error) {
	byWest := map[schemas.Level][]int{}
	for i, n := range s.new {
		byWest[n.Level] = append(byWest[n.Level], i)
	}
	for _, list := range byWest {
		slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(s.new[a].Bound.Min[0], s.new[b].Bound.Min[0]) })
	}
	edges := make([][]edge, len(s.old))
	for i, o := range s.old {
		if s.fates[i].kept {
			continue
		}
		for _, j := range byWest[o.Level] {
			n := s.new[j]
			if n.Bound.Min[0] > o.Bound.Max[0] {
				break
			}
			if !n.Bound.Intersects(o.Bound) {
				continue
			}
			shared, err := m.Shared(ctx, i, j)
			if err != nil {
				return nil, fmt.Errorf("compare %s of the previous release with %s: %w", o.Key, n.Key, err)
			}
			if shared > 0 {
				edges[i] = append(edges[i], newEdge(i, j, o, n, shared))
			}
		}
	}
	return edges, nil
}

func newEdge(i, j int, o, n outline, shared float64) edge {
	return edge{
		old: i, new: j,
		oldShare: min(1, shared/o.AreaM2),
		newShare: min(1, shared/n.AreaM2),
		iou:      min(1, shared/(o.AreaM2+n.AreaM2-shared)),
		sameKey:  o.Key == n.Key,
		sameSet:  scheme(o.Key) == scheme(n.Key),
	}
}

// scheme is the part of a source key before its last colon: 'osm:relation', 'census:place'.
func scheme(key string) string {
	if i := strings.LastIndexByte(key, ':'); i >= 0 {
		return key[:i]
	}
	return ""
}

// keepNoise lets outlines that moved by no more than noise keep their id.
func (s *succession) keepNoise(ctx context.Context, edges [][]edge, m meter) error {
	for _, e := range s.ranked(edges, sameIoU, true) {
		if s.fates[e.old].kept || s.holder[e.new] >= 0 {
			continue
		}
		farthest, err := m.Farthest(ctx, e.old, e.new)
		if err != nil {
			return fmt.Errorf("compare %s of the previous release with %s: %w", s.old[e.old].Key, s.new[e.new].Key, err)
		}
		if farthest < sameHausdorffM {
			s.keep(e.old, e.new)
		}
	}
	return nil
}

// ranked lists the edges of at least a given intersection over union, the best match first; among equals the smaller
// old id, then the smaller new key. keysFirst puts pairs of the same source key before all others.
func (s *succession) ranked(edges [][]edge, least float64, keysFirst bool) []edge {
	var list []edge
	for _, of := range edges {
		for _, e := range of {
			if e.iou >= least {
				list = append(list, e)
			}
		}
	}
	rank := func(e edge) int {
		if e.sameKey {
			return 0
		}
		return 1
	}
	slices.SortFunc(list, func(a, b edge) int {
		byKey := cmp.Compare(rank(a), rank(b))
		if keysFirst && byKey != 0 {
			return byKey
		}
		return cmp.Or(cmp.Compare(b.iou, a.iou), byKey, cmp.Compare(s.old[a.old].ID, s.old[b.old].ID),
			cmp.Compare(s.new[a.new].Key, s.new[b.new].Key))
	})
	return list
}

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

// parts are the edges that count for succession, the largest share first.
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
