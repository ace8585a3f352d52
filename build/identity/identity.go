// Package identity assigns geog_ids to the geographies of a release, given the history of the releases before. Its
// input and output are values; it reads no files. Overlaps of outlines are measured by the caller's Measurer.
//
// A geography keeps its id while its outline is the same within tolerance. Otherwise the id is superseded, and the
// current geographies that cover it succeed it:
//
//	release 1     release 2                   outcome
//	a  10 × 10    a  10.2 × 10                reversion: version 2 of a replaces version 1
//	b  10 × 10    b1 4 × 10, b2 6 × 10        split: replaced by b2, the larger part; bridge b1 0.4, b2 0.6
//	c, d          e, their union              merge: both are replaced by e
//	f  10 × 10    f  moved 7 to the east      redrawn: version 2, with 0.3 in common
//	g  level 35   g  level 30                 level: version 2, which has another id because of its level
//	h             nothing at its place        retired: no successor
//
// How much of an outline another one covers is measured in households where there are counts of them, by the homes of the
// new release for both, otherwise by area. If 70 of the 100 households of b live in b1, b is replaced by b1.
//
// Superseded ids always point to a current geography, never to another superseded one, and no id is issued again: an
// outline that comes back has a new version, to which the old ones point.
package identity

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"quartier/schemas"
)

// Superseded is an id that was given up. It is still served, with its last data.
type Superseded struct {
	Version
	Level      schemas.Level
	ReplacedBy string            // id of a current geography; "" where there is no successor
	Release    string            // name of the first release without it
	AreaM2     float64           // of its last outline
	Geometry   [sha256.Size]byte // digest of that outline; read only where there is no successor
}

// Bridge is the share of a superseded geography that one of its successors covers.
type Bridge struct {
	Release  string // name of the release in which the old id was superseded
	Old, New string // geog_ids; New is "" for a retired geography
	Kind     Kind
	// Shares of the old one that the new one covers, 0–1, and which of them decided.
	AreaShare      float64
	HouseholdShare *float64 // nil where households are not known
	Measure        Measure
}

// History is what a release records of its ids and of those before. The zero History is that of a first release.
type History struct {
	Current    []Outline
	Superseded []Superseded
	Bridges    []Bridge
}

// Assignment is the ids of a release.
type Assignment struct {
	Versions   []Version       // of the new outlines, in their order
	Superseded []Superseded    // by id
	Bridges    []Bridge        // by release, old id, new id
	by         map[Measure]int // ids that this release supersedes, by the measure that decided
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
	a := &Assignment{Versions: make([]Version, len(outlines)), by: map[Measure]int{}}
	for _, j := range inKeyOrder(outlines) {
		if a.Versions[j], err = s.version(j, registry); err != nil {
			return nil, err
		}
	}
	a.supersede(release, past, s)
	if err := a.redirect(ctx, past.Superseded, s, m); err != nil {
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
	order := allOf(outlines)
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
		a.Superseded = append(a.Superseded, Superseded{o.Version, o.Level, successor[o.ID], release, o.AreaM2, o.Geometry})
		a.by[out.by]++
		for _, p := range out.orNone() {
			b := Bridge{Release: release, Old: o.ID, New: a.id(p.new), Kind: out.kind, AreaShare: p.area.old, Measure: out.by}
			if out.counted {
				b.HouseholdShare = &p.homes.old
			}
			a.Bridges = append(a.Bridges, b)
		}
	}
	slices.SortFunc(a.Bridges, func(x, y Bridge) int {
		return cmp.Or(cmp.Compare(x.Release, y.Release), cmp.Compare(x.Old, y.Old), cmp.Compare(x.New, y.New))
	})
}

// Notes describes for the manifest how many geographies this release supersedes, and which measure decided.
func (a *Assignment) Notes() []string {
	if a.by[ByHouseholds]+a.by[ByArea] == 0 {
		return nil
	}
	return []string{
		fmt.Sprintf("geographies that are superseded in this release: %d by shares of households, %d by shares of area because their "+
			"households are not known or too few",
			a.by[ByHouseholds], a.by[ByArea])}
}

// id returns the id of a new outline; "" for index -1.
func (a *Assignment) id(new int) string {
	if new < 0 {
		return ""
	}
	return a.Versions[new].ID
}

// redirect chooses the successors of ids that were superseded before, where there is a choice: of the geography that
// succeeds their successor, the others that do if it was split, and the one that has their source key now, it takes the one
// that covers the most of their own outline. Examples: a and b merged into c, and c is split along the same border, whatever
// the keys of its parts: the old a follows the western part and the old b the eastern one. An id without a successor has
// one again if its key, or its outline under any key, comes back.
// before are the first elements of a.Superseded, as they were in the previous release.
func (a *Assignment) redirect(ctx context.Context, before []Superseded, s *succession, m Measurer) error {
	if len(before) == 0 {
		return nil
	}
	find := a.newFinder(before, s)
	for i := range before {
		old := &a.Superseded[i]
		among := find.candidates(old, before[i].ReplacedBy)
		if len(among) == 0 || len(among) == 1 && old.ReplacedBy == a.id(among[0]) {
			continue
		}
		shares, err := s.covered(ctx, old, among, m)
		if err != nil {
			return fmt.Errorf("compare %s, superseded in %s, with its successors: %w", old.ID, old.Release, err)
		}
		best := 0
		for k := range shares {
			if shares[k] > shares[best] {
				best = k
			}
		}
		if shares[best] >= partShare {
			old.ReplacedBy = a.id(among[best])
		}
	}
	return nil
}

// finder finds new geographies that may succeed an id that was superseded before.
type finder struct {
	byKey   map[levelKey]int
	byShape map[levelShape]int
	byID    map[string]int
	parts   map[string][]overlap // of what was current, by id
}

type levelKey struct {
	level schemas.Level
	key   string
}

type levelShape struct {
	level    schemas.Level
	geometry [sha256.Size]byte
}

func (a *Assignment) newFinder(before []Superseded, s *succession) *finder {
	f := &finder{map[levelKey]int{}, map[levelShape]int{}, map[string]int{}, map[string][]overlap{}}
	keys, shapes := map[levelKey]bool{}, map[levelShape]bool{} // that are asked for
	for _, old := range before {
		keys[levelKey{old.Level, old.Key}], shapes[levelShape{old.Level, old.Geometry}] = true, true
	}
	for _, j := range inKeyOrder(s.new) {
		n := s.new[j]
		if key := (levelKey{n.Level, n.Key}); keys[key] {
			f.byKey[key] = j
		}
		if shape := (levelShape{n.Level, n.Geometry}); shapes[shape] {
			f.byShape[shape] = j
		}
		f.byID[a.Versions[j].ID] = j
	}
	for i, out := range s.outcomes {
		if len(out.parts) > 0 {
			f.parts[s.old[i].ID] = out.parts
		}
	}
	return f
}

// candidates lists new geographies, without repetition: the one with the key of an old id, its successor in this release,
// and the successors of the one that it had in the previous release.
func (f *finder) candidates(old *Superseded, past string) (list []int) {
	add := func(j int, found bool) {
		if found && !slices.Contains(list, j) {
			list = append(list, j)
		}
	}
	same, found := f.byKey[levelKey{old.Level, old.Key}]
	if !found && old.ReplacedBy == "" {
		same, found = f.byShape[levelShape{old.Level, old.Geometry}]
	}
	add(same, found)
	successor, found := f.byID[old.ReplacedBy]
	add(successor, found)
	for _, p := range f.parts[past] {
		add(p.new, true)
	}
	return list
}

// covered returns the shares of a superseded outline that new ones cover, by the measure that decides.
func (s *succession) covered(ctx context.Context, old *Superseded, among []int, m Measurer) ([]float64, error) {
	overlaps := make([]overlap, len(among))
	for k, j := range among {
		shared, err := m.SharedM2(ctx, old.ID, j)
		if err != nil {
			return nil, err
		}
		overlaps[k] = overlap{new: j, by: ByArea, area: newShares(shared, old.AreaM2, s.new[j].AreaM2)}
	}
	if _, _, err := s.countHomes(ctx, old.ID, overlaps, m); err != nil {
		return nil, err
	}
	shares := make([]float64, len(among))
	for k := range overlaps {
		shares[k] = overlaps[k].deciding().old
	}
	return shares, nil
}
