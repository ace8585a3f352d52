package identity

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// AssignByKey assigns ids to geographies that are succeeded by key alone: the geographies that customers draw. An outline that
// is the same within tolerance, on the same level, keeps the id of its key; any other one has the key's next version, which
// replaces all versions before it. stays are the keys whose current version stays although it has no new outline. Versions of
// all other keys are retired. m may be nil where past is empty.
//
//	version 1 of a, version 2 of b     a as it was, b redrawn        a keeps its id, version 3 of b replaces 1 and 2
func AssignByKey(ctx context.Context, release string, past History, outlines []Outline, stays map[string]bool,
	m Measurer) (*Assignment, error) {
	registry := NewRegistry()
	if err := registry.AddAll(past); err != nil {
		return nil, fmt.Errorf("previous release: %w", err)
	}
	a := &Assignment{Versions: make([]Version, len(outlines)), Bridges: slices.Clone(past.Bridges)}
	current := map[string]string{} // id by key
	last := map[string]int{}       // index in past.Current by key
	for i, o := range past.Current {
		last[o.Key] = i
		if stays[o.Key] {
			current[o.Key] = o.ID
		}
	}
	replaces := map[string]Bridge{} // by key
	for _, j := range inKeyOrder(outlines) {
		n := outlines[j]
		i, drawn := last[n.Key]
		if drawn {
			same, bridge, err := compare(ctx, past.Current, outlines, i, j, m)
			if err != nil {
				return nil, fmt.Errorf("compare %s with its last version: %w", n.Key, err)
			}
			if same {
				a.Versions[j] = past.Current[i].Version
				current[n.Key] = a.Versions[j].ID
				continue
			}
			replaces[n.Key] = bridge
		}
		v, err := registry.issue(n.Level, n.Key, 0)
		if err != nil {
			return nil, err
		}
		a.Versions[j], current[n.Key] = v, v.ID
	}
	for _, old := range past.Superseded {
		old.ReplacedBy = current[old.Key]
		a.Superseded = append(a.Superseded, old)
	}
	for _, o := range past.Current {
		if current[o.Key] == o.ID {
			continue
		}
		bridge, replaced := replaces[o.Key]
		if !replaced {
			bridge.Kind = Retired
		}
		bridge.Release, bridge.Old, bridge.New, bridge.Measure = release, o.ID, current[o.Key], ByArea
		a.Superseded = append(a.Superseded, Superseded{
			Version: o.Version, Level: o.Level, ReplacedBy: current[o.Key], Release: release, AreaM2: o.AreaM2, Geometry: o.Geometry,
		})
		a.Bridges = append(a.Bridges, bridge)
	}
	slices.SortFunc(a.Superseded, func(x, y Superseded) int { return cmp.Compare(x.ID, y.ID) })
	slices.SortFunc(a.Bridges, func(x, y Bridge) int {
		return cmp.Or(cmp.Compare(x.Release, y.Release), cmp.Compare(x.Old, y.Old), cmp.Compare(x.New, y.New))
	})
	return a, nil
}

// compare reports whether two outlines are the same, and if not how the new one replaces the old one.
func compare(ctx context.Context, old, new []Outline, i, j int, m Measurer) (same bool, bridge Bridge, err error) {
	o, n := old[i], new[j]
	if o.Level == n.Level && o.Geometry == n.Geometry {
		return true, bridge, nil
	}
	shared, err := m.SharedM2(ctx, o.ID, j)
	if err != nil {
		return false, bridge, err
	}
	p := newShares(shared, o.AreaM2, n.AreaM2)
	if o.Level == n.Level {
		if same, err := sameBoundary(ctx, o, n, j, p, m); err != nil || same {
			return same, bridge, err
		}
	}
	bridge.Kind, bridge.AreaShare = Redrawn, p.old
	if p.iou >= versionIoU {
		bridge.Kind = Reversion
	}
	return false, bridge, nil
}
