package build

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
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

// meter measures outlines of the past against new ones, all by index.
type meter interface {
	// Shared is the area in m² that both cover.
	Shared(ctx context.Context, old, new int) (float64, error)
	// Farthest is the Hausdorff distance in metres.
	Farthest(ctx context.Context, old, new int) (float64, error)
	// Covered is the share of an outline that was superseded before, by its index in the history, that a new one covers.
	Covered(ctx context.Context, superseded, new int) (float64, error)
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

// measure finds how the old outlines that are not kept overlap new ones of their level.
func (s *succession) measure(ctx context.Context, m meter) ([][]edge, error) {
	near := s.indexNew()
	edges := make([][]edge, len(s.old))
	for i, o := range s.old {
		if s.fates[i].kept {
			continue
		}
		for _, j := range near(o) {
			shared, err := m.Shared(ctx, i, j)
			if err != nil {
				return nil, fmt.Errorf("compare %s of the previous release with %s: %w", o.Key, s.new[j].Key, err)
			}
			if shared > 0 {
				edges[i] = append(edges[i], newEdge(i, j, o, s.new[j], shared))
			}
		}
	}
	return edges, nil
}

// indexNew makes a function that lists the new outlines of an old one's level whose boxes meet its box.
func (s *succession) indexNew() func(outline) []int {
	type layer struct {
		members []int
		boxes   []orb.Bound
		index   *coord.BoxIndex
	}
	layers := map[schemas.Level]*layer{}
	for j, n := range s.new {
		l := layers[n.Level]
		if l == nil {
			l = &layer{}
			layers[n.Level] = l
		}
		l.members, l.boxes = append(l.members, j), append(l.boxes, n.Bound)
	}
	for _, l := range layers {
		l.index = coord.NewBoxIndex(l.boxes)
	}
	return func(o outline) (near []int) {
		l := layers[o.Level]
		if l == nil {
			return nil
		}
		l.index.Search(o.Bound, func(item int) bool {
			near = append(near, l.members[item])
			return true
		})
		slices.Sort(near)
		return near
	}
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
