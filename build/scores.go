package build

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"quartier/internal/geo"
	"quartier/schemas"
)

// geographyScores are the scores of the median household of a geography.
type geographyScores struct {
	id     string
	basis  string
	values scoreValues // schemas.AbsentValue where not told
	homes  [len(scoreValues{})]int64
}

// insertScores writes the scores of the geographies: of the current ones those of their homes, where the ground is known
// within enough of them, of the superseded ones those of the previous release.
func (d *draft) insertScores(ctx context.Context, tx *sql.Tx, homes []home, hulls []*geo.Prepared) error {
	list, err := d.scoreGeographies(ctx, indexHomes(homes), hulls)
	if err != nil {
		return fmt.Errorf("score geographies: %w", err)
	}
	insert, err := tx.Prepare("INSERT INTO geography_score VALUES (?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, g := range list {
		for s, score := range schemas.Scores {
			if g.values[s] == schemas.AbsentValue {
				continue
			}
			if _, err := insert.Exec(g.id, score.ID, int64(g.values[s]), g.basis, g.homes[s]); err != nil {
				return fmt.Errorf("write score of geography %s: %w", g.id, err)
			}
		}
	}
	return d.carryScores(ctx, tx)
}

// carryScores copies the scores of superseded geographies from the previous release.
func (d *draft) carryScores(ctx context.Context, tx *sql.Tx) error {
	if d.previous == nil || len(d.ids.Superseded) == 0 {
		return nil
	}
	carry, err := tx.Prepare("INSERT INTO geography_score SELECT geog_id, score, value, basis, homes FROM previous.geography_score WHERE geog_id = ?")
	if err != nil {
		return err
	}
	defer carry.Close()
	for _, t := range d.ids.Superseded {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := carry.Exec(t.ID); err != nil {
			return fmt.Errorf("carry scores of geography %s: %w", t.ID, err)
		}
	}
	return nil
}

// scoreGeographies finds the scores of all current geographies that have any, by id, and notes how many have too little
// ground. Geographies are shared out between the processors.
func (d *draft) scoreGeographies(ctx context.Context, homes *homeIndex, hulls []*geo.Prepared) ([]geographyScores, error) {
	if len(homes.homes) == 0 {
		return nil, nil
	}
	all := make([]geographyScores, len(d.places))
	footings := make([]footing, len(d.places))
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			m := &medians{index: homes, hulls: hulls}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(d.places) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				p := &d.places[i]
				if p.Level > schemas.Metro {
					continue
				}
				if err := m.find(p, i+1, d.outlines); err != nil {
					return fmt.Errorf("geography %s: %w", p.Key, err)
				}
				g := m.scores(d.ids.Editions[i].ID)
				if g.basis == "" {
					continue
				}
				if footings[i] = m.footing(p); footings[i] == firm {
					all[i] = g
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	d.noteFooting(footings)
	all = slices.DeleteFunc(all, func(g geographyScores) bool { return g.basis == "" })
	slices.SortFunc(all, func(a, b geographyScores) int { return cmp.Compare(a.id, b.id) })
	return all, nil
}

// medians works out the medians of one geography at a time.
type medians struct {
	index *homeIndex
	hulls []*geo.Prepared // of the regions' streets
	near  []int32         // homes in the box of the geography
	found []int32         // homes in the geography that count
	area  *geo.Prepared   // of the geography; of the one before it where no home is near
	parts int             // that its outline has

	// Weights by the upper byte of each score, and by the lower byte of those homes whose upper one is the median's.
	upper [len(scoreValues{})][256]uint64
	lower [256]uint64
}

// find gathers the homes of a geography: those whose households are known, else those along streets.
func (m *medians) find(p *place, fid int, outlines *outlines) error {
	m.found = m.found[:0]
	m.near = m.index.within(m.near[:0], p.Bound)
	if len(m.near) == 0 {
		return nil
	}
	outline, err := outlines.outline(fid)
	if err != nil {
		return err
	}
	m.area, m.parts = geo.Prepare(outline), len(outline)
	counted := false
	for _, i := range m.near {
		h := &m.index.homes[i]
		if counted && h.street || !m.area.Contains(h.point) {
			continue
		}
		if !counted && !h.street { // the first of them: those along streets count no more
			counted, m.found = true, m.found[:0]
		}
		m.found = append(m.found, i)
	}
	return nil
}

// scores are the medians over the homes found. Its basis is ” where no score is told.
func (m *medians) scores(id string) geographyScores {
	g := geographyScores{id: id}
	if len(m.found) == 0 {
		return g
	}
	clear(m.upper[:])
	total := uint64(0)
	for _, i := range m.found {
		h := &m.index.homes[i]
		total += h.weight
		for s, v := range h.values {
			if v != schemas.AbsentValue {
				m.upper[s][v>>8] += h.weight
				g.homes[s]++
			}
		}
	}
	for s := range g.values {
		if g.values[s] = m.median(s, total); g.values[s] != schemas.AbsentValue {
			g.basis = basisHouseholds
		}
	}
	if g.basis != "" && m.index.homes[m.found[0]].street {
		g.basis = basisStreet
	}
	return g
}

// median is the lower weighted median of a score: of the values in order the first at which half of the weight is
// reached. It is absent where the score is known at less than half of the total.
func (m *medians) median(s int, total uint64) uint16 {
	known := uint64(0)
	for _, w := range m.upper[s] {
		known += w
	}
	if known == 0 || 2*known < total {
		return schemas.AbsentValue
	}
	upper, below := reach(&m.upper[s], 0, known)
	clear(m.lower[:])
	for _, i := range m.found {
		h := &m.index.homes[i]
		if v := h.values[s]; v != schemas.AbsentValue && int(v>>8) == upper {
			m.lower[v&255] += h.weight
		}
	}
	lower, _ := reach(&m.lower, below, known)
	return uint16(upper<<8 | lower)
}

// reach is the first place at which the weights, with those below, come to half of the whole, and the weight before it.
func reach(weights *[256]uint64, below, whole uint64) (int, uint64) {
	for i, w := range weights {
		if 2*(below+w) >= whole && w > 0 {
			return i, below
		}
		below += w
	}
	return 0, below // not reached: the weights come to the whole
}
