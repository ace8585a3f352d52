// Package identity assigns geog_ids to the geographies of a release, given the history of the releases before. Its
// input and output are values; it reads no files. Overlaps of outlines are measured by the caller's Measurer.
//
// A geography keeps its id while its outline is the same within tolerance. Otherwise the id is superseded, and the
// current geographies that cover its area succeed it:
//
//	release 1     release 2                   outcome
//	a  10 × 10    a  10.2 × 10                reversion: version 2 of a replaces version 1
//	b  10 × 10    b1 4 × 10, b2 6 × 10        split: replaced by b2, the larger part; bridge b1 0.4, b2 0.6
//	c, d          e, their union              merge: both are replaced by e
//	f  10 × 10    f  moved 7 to the east      redrawn: version 2, with 0.3 of the area in common
//	g             nothing at its place        retired: no successor
//
// Superseded ids always point to a current geography, never to another superseded one.
package identity

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quartier/schemas"
)

// Superseded is an id that was given up. It is still served, with its last data.
type Superseded struct {
	Version
	Level      schemas.Level
	ReplacedBy string // id of a current geography; "" where there is no successor
	Release    string // name of the first release without it
}

// Bridge is the share of a superseded geography that one of its successors covers.
type Bridge struct {
	Release  string // name of the release in which the old id was superseded
	Old, New string // geog_ids; New is "" for a retired geography
	Kind     Kind
	Share    float64 // of the old one's area, 0–1
}

// History is what a release records of its ids and of those before. The zero History is that of a first release.
type History struct {
	Current    []Outline
	Superseded []Superseded
	Bridges    []Bridge
}

// Assignment is the ids of a release.
type Assignment struct {
	Versions   []Version    // of the new outlines, in their order
	Superseded []Superseded // by id
	Bridges    []Bridge     // by release, old id, new id
}

// Assign assigns ids to the outlines of a new release and updates the successors of all superseded ids. Of outlines,
// Version is ignored except for Key. It does not depend on the order of outlines. m may be nil where past is empty.
func Assign(ctx context.Context, release string, past History, outlines []Outline, m Measurer) (*Assignment, error) {
	registry := NewRegistry()
	if err := registry.AddAll(past); err != nil {
		return nil, fmt.Errorf("previous release: %w", err)
	}
	s, err := newSuccession(ctx, past.Current, outlines, m)
	if err != nil {
		return nil, err
	}
	a := &Assignment{Versions: make([]Version, len(outlines))}
	for _, j := range inKeyOrder(outlines) {
		if a.Versions[j], err = s.version(j, registry); err != nil {
			return nil, err
		}
	}
	a.supersede(release, past, s)
	if err := a.reinstate(ctx, past.Superseded, s, m); err != nil {
		return nil, err
	}
	slices.SortFunc(a.Superseded, func(x, y Superseded) int { return cmp.Compare(x.ID, y.ID) })
	return a, nil
}

// version returns the id of a new outline: the one that it keeps, under its present key, or the next of its key.
func (s *succession) version(j int, registry *Registry) (Version, error) {
	n := s.new[j]
	if i := s.keptFrom[j]; i >= 0 {
		v := s.old[i].Version
		v.Key = n.Key
		return v, nil
	}
	predecessor := 0
	if i := s.parent[j]; i >= 0 {
		predecessor = s.old[i].Number
	}
	return registry.issue(n.Level, n.Key, predecessor)
}

// inKeyOrder returns the indexes of outlines ordered by source key, so that ids do not depend on the order of rows.
func inKeyOrder(outlines []Outline) []int {
	order := make([]int, len(outlines))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(outlines[a].Key, outlines[b].Key) })
	return order
}

// supersede lists the ids that were superseded before, in their order, then those that this release supersedes. A
// successor is current by construction, so that there are neither chains nor cycles.
func (a *Assignment) supersede(release string, past History, s *succession) {
	successor := map[string]string{} // id that was current in the previous release → its successor in this one
	for i, o := range s.old {
		successor[o.ID] = a.id(s.outcomes[i].successor)
	}
	for _, old := range past.Superseded {
		old.ReplacedBy = successor[old.ReplacedBy]
		a.Superseded = append(a.Superseded, old)
	}
	a.Bridges = append(a.Bridges, past.Bridges...)
	for i, o := range s.old {
		out := s.outcomes[i]
		if out.kept {
			continue
		}
		a.Superseded = append(a.Superseded, Superseded{o.Version, o.Level, successor[o.ID], release})
		for _, p := range out.parts {
			a.Bridges = append(a.Bridges, Bridge{release, o.ID, a.id(p.new), out.kind, p.oldShare})
		}
		if len(out.parts) == 0 {
			a.Bridges = append(a.Bridges, Bridge{release, o.ID, "", out.kind, 0})
		}
	}
	slices.SortFunc(a.Bridges, func(x, y Bridge) int {
		return cmp.Or(cmp.Compare(x.Release, y.Release), cmp.Compare(x.Old, y.Old), cmp.Compare(x.New, y.New))
	})
}

// id returns the id of a new outline; "" for index -1.
func (a *Assignment) id(new int) string {
	if new < 0 {
		return ""
	}
	return a.Versions[new].ID
}

// reinstate makes the geography that has a superseded id's source key now its successor, if it covers at least as much
// of it as the present successor does. Example: a and b merged into c, and are separate again. The old ids of both
// follow c to its larger part, a; b covers its own old outline better and becomes the successor.
// before are the first elements of a.Superseded.
func (a *Assignment) reinstate(ctx context.Context, before []Superseded, s *succession, m Measurer) error {
	type levelKey struct {
		level schemas.Level
		key   string
	}
	byKey, byID := map[levelKey]int{}, map[string]int{}
	for j, n := range s.new {
		byKey[levelKey{n.Level, n.Key}], byID[a.Versions[j].ID] = j, j
	}
	for i := range before {
		old := &a.Superseded[i]
		same, found := byKey[levelKey{old.Level, old.Key}]
		if !found || old.ReplacedBy == a.id(same) {
			continue
		}
		share, err := m.CoveredShare(ctx, i, same)
		minShare := partShare
		if other, found := byID[old.ReplacedBy]; found && err == nil && share >= minShare {
			minShare, err = m.CoveredShare(ctx, i, other)
		}
		if err != nil {
			return fmt.Errorf("compare %s, superseded in %s, with its successors: %w", old.ID, old.Release, err)
		}
		if share >= max(minShare, partShare) {
			old.ReplacedBy = a.id(same)
		}
	}
	return nil
}
