package identity

import (
	"cmp"
	"context"
	"slices"
)

// changeLevels finds old geographies among the new ones of other levels that continue none yet. With byKey, it looks for
// those whose source key is at another level now, with most of the same area; otherwise, of those without a successor at
// their own level, for the same outline under any key. The new geography is a new version, because its id has its level.
//
//	release 1            release 2                 outcome
//	a at level 35        a at level 30             level: version 2 of a
//	a at level 35        b at level 30, as a was   level, if nothing of level 35 is there now
func (s *succession) changeLevels(ctx context.Context, m Measurer, byKey bool) error {
	candidates, err := s.atOtherLevels(ctx, m, byKey)
	if err != nil {
		return err
	}
	for _, p := range candidates {
		out := &s.outcomes[p.old]
		if out.kind == Relevel || s.continues(p.new) {
			continue
		}
		if !byKey {
			if same, err := s.same(ctx, p, m); err != nil || !same {
				if err != nil {
					return err
				}
				continue
			}
		}
		parts := []overlap{p}
		_, counted, err := s.countHomes(ctx, s.old[p.old].ID, parts, m)
		if err != nil {
			return err
		}
		parts[0].by = ByArea
		*out = outcome{successor: p.new, kind: Relevel, parts: parts, by: ByArea, counted: counted}
		s.parent[p.new] = p.old
	}
	return nil
}

// atOtherLevels lists the overlaps of changeLevels, the best first.
func (s *succession) atOtherLevels(ctx context.Context, m Measurer, byKey bool) (list []overlap, err error) {
	label := func(Outline) string { return "" }
	if byKey {
		label = func(o Outline) string { return o.Key }
	}
	free := slices.DeleteFunc(allOf(s.new), s.continues)
	if len(free) == 0 {
		return nil, nil
	}
	near := indexOutlines(s.new, free, label)
	for i, o := range s.old {
		if s.outcomes[i].kept || !byKey && s.outcomes[i].kind != Retired {
			continue
		}
		for _, j := range near(o) {
			n := s.new[j]
			if n.Level == o.Level || min(o.AreaM2, n.AreaM2) < versionIoU*max(o.AreaM2, n.AreaM2) {
				continue
			}
			p, err := s.overlap(ctx, i, j, m)
			if err != nil {
				return nil, err
			}
			if p.area.iou >= versionIoU {
				list = append(list, p)
			}
		}
	}
	slices.SortFunc(list, func(a, b overlap) int {
		return cmp.Or(cmp.Compare(b.area.iou, a.area.iou), cmp.Compare(s.old[a.old].ID, s.old[b.old].ID),
			cmp.Compare(s.new[a.new].Key, s.new[b.new].Key))
	})
	return list, nil
}

// continues reports whether a new outline has the id, or is a version, of an old one.
func (s *succession) continues(new int) bool { return s.keptFrom[new] >= 0 || s.parent[new] >= 0 }
