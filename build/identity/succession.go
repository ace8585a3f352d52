package identity

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// Thresholds of succession, for outlines that are not the same. Shares and IoU (intersection over union) are of the measure
// that decides.
const (
	versionIoU   = 0.5  // minimum IoU of a new version and its best match
	partShare    = 0.1  // minimum share of the old outline that a successor covers
	splitShare   = 0.9  // minimum share of the old outline that the parts of a split cover together
	splitOverlap = 1.05 // and maximum: the parts do not overlap
	wholeShare   = 0.5  // minimum share of an outline that makes it part of another
)

// Parameters returns the thresholds as parameters of a manifest, by name.
func Parameters() []schemas.Parameter {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	b := calibration.Standard().Boundary
	return []schemas.Parameter{
		{Name: "succession_least_households", Value: number(leastHouseholds)},
		{Name: "succession_measure", Value: "households where blocks are known, else area"},
		{Name: "succession_part_share", Value: number(partShare)},
		{Name: "succession_same_apart_m", Value: number(b.ApartM)},
		{Name: "succession_same_iou", Value: number(b.IoU)},
		{Name: "succession_same_moved_share", Value: number(b.MovedShare)},
		{Name: "succession_same_seam_m", Value: number(b.SeamM)},
		{Name: "succession_split_share", Value: number(splitShare)},
		{Name: "succession_version_iou", Value: number(versionIoU)},
		{Name: "succession_whole_share", Value: number(wholeShare)},
	}
}

// Outline is what succession depends on of one geography.
type Outline struct {
	Version
	Level    schemas.Level
	Bound    orb.Bound
	AreaM2   float64
	Geometry [sha256.Size]byte // digest of the geometry; equal for identical outlines
}

// succession relates the outlines of one release to those of the next.
type succession struct {
	old, new []Outline
	keptFrom []int // by new outline: the old one whose id it keeps, -1 where it gets a new one
	parent   []int // by new outline: the old one that it is a new version of, -1 where there is none
	outcomes []outcome
	homes    map[int]Homes // by new outline, as far as they were counted
}

// newSuccession decides what becomes of every old outline.
func newSuccession(ctx context.Context, old, new []Outline, m Measurer) (*succession, error) {
	s := &succession{old: old, new: new, outcomes: make([]outcome, len(old)), homes: map[int]Homes{}}
	s.keptFrom = slices.Repeat([]int{-1}, len(new))
	s.parent = slices.Repeat([]int{-1}, len(new))
	for i := range s.outcomes {
		s.outcomes[i].successor = -1
	}
	s.keepIdentical()
	if err := s.keepSameKey(ctx, m); err != nil {
		return nil, err
	}
	overlaps, err := s.measureAreas(ctx, m)
	if err != nil {
		return nil, err
	}
	if err := s.keepSimilar(ctx, overlaps, m); err != nil {
		return nil, err
	}
	for i := range s.old {
		out := &s.outcomes[i]
		if out.kept {
			continue
		}
		if out.by, out.counted, err = s.countHomes(ctx, s.old[i].ID, overlaps[i], m); err != nil {
			return nil, err
		}
	}
	if err := s.changeLevels(ctx, m, true); err != nil {
		return nil, err
	}
	s.decideOutcomes(overlaps)
	return s, s.changeLevels(ctx, m, false)
}

func (s *succession) keep(old, new int) {
	s.keptFrom[new] = old
	s.outcomes[old] = outcome{kept: true, successor: new}
}

// keepIdentical keeps the ids of identical outlines, first of those with the same key, then with any key.
func (s *succession) keepIdentical() {
	type shape struct {
		level    schemas.Level
		key      string
		geometry [sha256.Size]byte
	}
	for _, byKey := range []bool{true, false} {
		shapeOf := func(o Outline) shape {
			if !byKey {
				return shape{o.Level, "", o.Geometry}
			}
			return shape{o.Level, o.Key, o.Geometry}
		}
		free := map[shape][]int{}
		for j, n := range s.new {
			if s.keptFrom[j] < 0 {
				free[shapeOf(n)] = append(free[shapeOf(n)], j)
			}
		}
		for i, o := range s.old {
			if found := free[shapeOf(o)]; !s.outcomes[i].kept && len(found) > 0 {
				s.keep(i, found[0])
				free[shapeOf(o)] = found[1:]
			}
		}
	}
}

// measureAreas computes the overlaps of the old outlines that are not kept with the new ones of their level, by old outline.
func (s *succession) measureAreas(ctx context.Context, m Measurer) ([][]overlap, error) {
	near := indexOutlines(s.new, allOf(s.new), func(o Outline) schemas.Level { return o.Level })
	overlaps := make([][]overlap, len(s.old))
	for i, o := range s.old {
		if s.outcomes[i].kept {
			continue
		}
		for _, j := range near(o) {
			p, err := s.overlap(ctx, i, j, m)
			if err != nil {
				return nil, err
			}
			if p.area.old > 0 {
				overlaps[i] = append(overlaps[i], p)
			}
		}
	}
	return overlaps, nil
}

// allOf returns the indexes of outlines.
func allOf(outlines []Outline) []int {
	all := make([]int, len(outlines))
	for i := range all {
		all[i] = i
	}
	return all
}

// indexOutlines returns a function that lists the members, indexes of outlines, with the same label as a given outline, such
// as its level, whose bounding boxes intersect its own.
func indexOutlines[L comparable](outlines []Outline, members []int, label func(Outline) L) func(Outline) []int {
	type layer struct {
		members []int
		boxes   []orb.Bound
		index   *coord.BoxIndex
	}
	layers := map[L]*layer{}
	for _, j := range members {
		n := outlines[j]
		l := layers[label(n)]
		if l == nil {
			l = &layer{}
			layers[label(n)] = l
		}
		l.members, l.boxes = append(l.members, j), append(l.boxes, n.Bound)
	}
	for _, l := range layers {
		l.index = coord.NewBoxIndex(l.boxes)
	}
	return func(o Outline) (near []int) {
		l := layers[label(o)]
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

// overlap measures the area that an old and a new outline have in common.
func (s *succession) overlap(ctx context.Context, i, j int, m Measurer) (overlap, error) {
	o, n := s.old[i], s.new[j]
	shared, err := m.SharedM2(ctx, o.ID, j)
	if err != nil {
		return overlap{}, fmt.Errorf("compare %s of the previous release with %s: %w", o.Key, n.Key, err)
	}
	return overlap{old: i, new: j, by: ByArea, area: newShares(shared, o.AreaM2, n.AreaM2),
		sameKey: o.Key == n.Key, sameScheme: scheme(o.Key) == scheme(n.Key)}, nil
}

// scheme is the part of a source key before its last colon: "osm:relation", "census:place".
func scheme(key string) string {
	if i := strings.LastIndexByte(key, ':'); i >= 0 {
		return key[:i]
	}
	return ""
}

// keepSameKey keeps the ids of outlines that are those of the same key within tolerance. It comes before the search for
// overlaps, so that a publisher's yearly noise costs one comparison for each outline.
func (s *succession) keepSameKey(ctx context.Context, m Measurer) error {
	byKey := map[levelKey]int{}
	for j, n := range s.new {
		if s.keptFrom[j] < 0 {
			byKey[levelKey{n.Level, n.Key}] = j
		}
	}
	for i, o := range s.old {
		j, found := byKey[levelKey{o.Level, o.Key}]
		if !found || s.outcomes[i].kept || !o.Bound.Intersects(s.new[j].Bound) {
			continue
		}
		p, err := s.overlap(ctx, i, j, m)
		if err != nil {
			return err
		}
		if err := s.keepIfSame(ctx, p, m); err != nil {
			return err
		}
	}
	return nil
}

// keepSimilar keeps the ids of outlines that are the same within tolerance as one with another key.
func (s *succession) keepSimilar(ctx context.Context, overlaps [][]overlap, m Measurer) error {
	for _, p := range s.ranked(overlaps, versionIoU) {
		if p.sameKey || s.outcomes[p.old].kept || s.keptFrom[p.new] >= 0 {
			continue
		}
		if err := s.keepIfSame(ctx, p, m); err != nil {
			return err
		}
	}
	return nil
}

func (s *succession) keepIfSame(ctx context.Context, p overlap, m Measurer) error {
	same, err := s.same(ctx, p, m)
	if same {
		s.keep(p.old, p.new)
	}
	return err
}

// keyRank puts overlaps of geographies with the same source key before others.
func keyRank(p overlap) int {
	if p.sameKey {
		return 0
	}
	return 1
}

// ranked lists the overlaps of at least the given IoU, the best first; equal ones by key, old id, then new key.
func (s *succession) ranked(overlaps [][]overlap, minIoU float64) []overlap {
	var list []overlap
	for _, ofOld := range overlaps {
		for _, p := range ofOld {
			if p.deciding().iou >= minIoU {
				list = append(list, p)
			}
		}
	}
	slices.SortFunc(list, func(a, b overlap) int {
		return cmp.Or(cmp.Compare(b.deciding().iou, a.deciding().iou), cmp.Compare(keyRank(a), keyRank(b)),
			cmp.Compare(s.old[a.old].ID, s.old[b.old].ID),
			cmp.Compare(s.new[a.new].Key, s.new[b.new].Key))
	})
	return list
}
