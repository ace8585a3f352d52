package build

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quartier/schemas"
)

// tombstone is an id that was given up and goes on answering.
type tombstone struct {
	edition
	Level      schemas.Level
	ReplacedBy string // id of a current geography; '': no successor
	In         string // name of the release that gave it up
}

// history is what a release says of the ids before it.
type history struct {
	Digest     string // of its manifest
	Current    []outline
	Superseded []tombstone
	Bridges    []bridge
}

// identities are the ids of a release.
type identities struct {
	Editions   []edition   // by new outline
	Superseded []tombstone // by id
	Bridges    []bridge    // by release, old, new
}

// identify gives every new outline its id and every id of the past its place.
func identify(ctx context.Context, release string, past history, s *succession, m meter) (*identities, error) {
	book := newLedger()
	for _, o := range past.Current {
		if err := book.record(o.Level, o.edition); err != nil {
			return nil, fmt.Errorf("previous release: %w", err)
		}
	}
	for _, t := range past.Superseded {
		if err := book.record(t.Level, t.edition); err != nil {
			return nil, fmt.Errorf("previous release: %w", err)
		}
	}
	ids := &identities{Editions: make([]edition, len(s.new))}
	for _, j := range inKeyOrder(s.new) {
		e, err := s.edition(j, book)
		if err != nil {
			return nil, err
		}
		ids.Editions[j] = e
	}
	ids.supersede(release, past, s)
	if err := ids.comeBack(ctx, past.Superseded, s, m); err != nil {
		return nil, err
	}
	slices.SortFunc(ids.Superseded, func(a, b tombstone) int { return cmp.Compare(a.ID, b.ID) })
	return ids, nil
}

// edition is the id of a new outline: the one it keeps under its present key, or the next of its key.
func (s *succession) edition(j int, book *ledger) (edition, error) {
	n := s.new[j]
	if i := s.holder[j]; i >= 0 {
		e := s.old[i].edition
		e.Key = n.Key
		return e, nil
	}
	predecessor := 0
	if i := s.parent[j]; i >= 0 {
		predecessor = s.old[i].Version
	}
	return book.issue(n.Level, n.Key, predecessor)
}

// inKeyOrder lists the indexes of outlines by source key, so that ids do not depend on the order of rows.
func inKeyOrder(list []outline) []int {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(list[a].Key, list[b].Key) })
	return order
}

// supersede points the ids given up before, in their order, and then those that this release gives up at current ids:
// a successor is current by construction, so a chain is one step long and a cycle cannot be.
func (ids *identities) supersede(release string, past history, s *succession) {
	current := map[string]string{} // id that was current in the previous release → id that answers for it now
	for i, o := range s.old {
		current[o.ID] = ids.at(s.fates[i].successor)
	}
	for _, t := range past.Superseded {
		t.ReplacedBy = current[t.ReplacedBy]
		ids.Superseded = append(ids.Superseded, t)
	}
	ids.Bridges = append(ids.Bridges, past.Bridges...)
	for i, o := range s.old {
		f := s.fates[i]
		if f.kept {
			continue
		}
		ids.Superseded = append(ids.Superseded, tombstone{o.edition, o.Level, current[o.ID], release})
		for _, e := range f.edges {
			ids.Bridges = append(ids.Bridges, bridge{release, o.ID, ids.Editions[e.new].ID, f.kind, e.oldShare})
		}
		if len(f.edges) == 0 {
			ids.Bridges = append(ids.Bridges, bridge{release, o.ID, "", f.kind, 0})
		}
	}
	slices.SortFunc(ids.Bridges, func(a, b bridge) int {
		return cmp.Or(cmp.Compare(a.Release, b.Release), cmp.Compare(a.Old, b.Old), cmp.Compare(a.New, b.New))
	})
}

// at is the id of a new outline; ” for none.
func (ids *identities) at(new int) string {
	if new < 0 {
		return ""
	}
	return ids.Editions[new].ID
}

// comeBack points an id given up before at the outline that has its source key now, if that covers it at least as well
// as the one at the end of its chain: after a merge is undone all chains lead to one of the parts. before are the first
// of ids.Superseded.
func (ids *identities) comeBack(ctx context.Context, before []tombstone, s *succession, m meter) error {
	type place struct {
		level schemas.Level
		key   string
	}
	byKey, byID := map[place]int{}, map[string]int{}
	for j, n := range s.new {
		byKey[place{n.Level, n.Key}], byID[ids.Editions[j].ID] = j, j
	}
	for i := range before {
		t := &ids.Superseded[i]
		own, there := byKey[place{t.Level, t.Key}]
		if !there || t.ReplacedBy == ids.at(own) {
			continue
		}
		share, err := m.Covered(ctx, i, own)
		least := partShare
		if other, found := byID[t.ReplacedBy]; found && err == nil && share >= least {
			least, err = m.Covered(ctx, i, other)
		}
		if err != nil {
			return fmt.Errorf("compare %s, given up in %s, with its successors: %w", t.ID, t.In, err)
		}
		if share >= max(least, partShare) {
			t.ReplacedBy = ids.at(own)
		}
	}
	return nil
}
