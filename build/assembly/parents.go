package assembly

import (
	"cmp"
	"context"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/containment"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// ParentLink is a kind of parent in the hierarchy of geographies.
type ParentLink int

// The parents of a geography, by ascending level. Postal areas (level 32) are nobody's parents.
const (
	Borough ParentLink = iota
	City
	Subdivision
	County
	WiderRegion
	Metro
	State
	Country
	numLinks
)

// ParentLevel is the level of each parent.
var ParentLevel = [numLinks]schemas.Level{schemas.Borough, schemas.Municipality, schemas.CountySubdivision, schemas.County, schemas.Region,
	schemas.Metro, schemas.State, schemas.Country}

// link sets the parents of geographies: those that contain them by area and, of level 60 and 70, those that are the only state
// or the country of a geography, whose water their outlines may not have.
func (a *Assembly) link(ctx context.Context, list []Geography) error {
	byCode := map[string]string{}
	for _, g := range list {
		switch g.Level {
		case schemas.State:
			byCode[g.States] = g.Key
		case schemas.Country:
			byCode[g.Country] = g.Key
		}
	}
	var levels [numLinks]*level
	for l := range numLinks {
		levels[l] = a.newLevel(list, ParentLevel[l])
	}
	for i := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		g := &list[i]
		m, err := a.Outlines.Get(i)
		if err != nil {
			return err
		}
		outline := geo.Prepare(m)
		for l, in := range levels {
			if g.Parents[l], err = in.of(g, outline); err != nil {
				return err
			}
		}
		if g.Parents[State] == "" && g.Level < schemas.State {
			g.Parents[State] = byCode[g.States] // of several states there is none
		}
		if g.Parents[Country] == "" {
			g.Parents[Country] = byCode[g.Country]
		}
	}
	return nil
}

// level is the geographies of one level, the smallest first.
type level struct {
	level   schemas.Level
	list    []*Geography
	parents *containment.Parents
}

func (a *Assembly) newLevel(all []Geography, of schemas.Level) *level {
	in := &level{level: of}
	index := map[*Geography]int{}
	for i := range all {
		if g := &all[i]; g.Level == of {
			in.list = append(in.list, g)
			index[g] = i
		}
	}
	slices.SortFunc(in.list, func(p, q *Geography) int {
		return cmp.Or(cmp.Compare(p.AreaM2, q.AreaM2), cmp.Compare(p.Key, q.Key))
	})
	boxes := make([]orb.Bound, len(in.list))
	for i, g := range in.list {
		boxes[i] = g.Bound
	}
	// Geographies come along a curve, so that the outlines near the last one are those that the next one needs.
	const most = 2_000_000 // vertices kept
	kept, vertices := map[int]*geo.Prepared{}, 0
	in.parents = containment.NewParents(boxes, func(i int) (*geo.Prepared, error) {
		if p := kept[i]; p != nil {
			return p, nil
		}
		m, err := a.Outlines.Get(index[in.list[i]])
		if err != nil {
			return nil, err
		}
		n := 0
		for _, polygon := range m {
			for _, ring := range polygon {
				n += len(ring)
			}
		}
		if vertices += n; vertices > most {
			clear(kept)
			vertices = n
		}
		kept[i] = geo.Prepare(m)
		return kept[i], nil
	})
	return in
}

// of is the key of the parent of a geography; its own at its own level, and "" where there is none.
func (in *level) of(g *Geography, outline *geo.Prepared) (string, error) {
	if g.Level == in.level {
		return g.Key, nil
	}
	if !MayContain(in.level, g.Level) {
		return "", nil
	}
	i, err := in.parents.Of(outline, calibration.Standard().Containment)
	if i < 0 || err != nil {
		return "", err
	}
	return in.list[i].Key, nil
}

// MayContain reports whether geographies of a level are parents of those of another: of the lower ones and, of municipalities,
// of postal areas and county subdivisions too, which are not larger.
func MayContain(parent, child schemas.Level) bool {
	return child < parent || parent == schemas.Municipality && (child == schemas.PostalArea || child == schemas.CountySubdivision)
}

// Above visits the parents of a geography that are of higher levels, the lowest first: the hierarchy from it upwards.
func (g *Geography) Above(visit func(level schemas.Level, key string) error) error {
	for l, key := range g.Parents {
		if key == "" || ParentLevel[l] <= g.Level {
			continue
		}
		if err := visit(ParentLevel[l], key); err != nil {
			return err
		}
	}
	return nil
}
