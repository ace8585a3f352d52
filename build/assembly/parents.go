package assembly

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas"
)

// ParentLink is a kind of parent in the hierarchy of geographies.
type ParentLink int

// The parents of a geography.
const (
	City ParentLink = iota
	Metro
	State
	Country
	numLinks
)

// parentLevel is the level of the parent.
var parentLevel = [numLinks]schemas.Level{schemas.Municipality, schemas.Metro, schemas.State, schemas.Country}

// linkAcross sets the parents that no region could resolve by itself: the smallest geography of the level and country
// that contains the centroid, and that no region has together with the geography. A region that has both has already
// decided whether one contains the other. Example: region A has the towns of a metro area's edge, region B the metro
// area; the towns' metro is set here.
func (a *Assembly) linkAcross(ctx context.Context, list []Geography) error {
	known := make(map[string]bool, len(list))
	for i := range list {
		known[list[i].Key] = true
	}
	for i := range list {
		for l, key := range list[i].Parents {
			if key != "" && !known[key] {
				return fmt.Errorf("%s is in %s (level %d), which is in no region", list[i].Key, key, parentLevel[l])
			}
		}
	}
	if len(a.regions) == 1 {
		return nil
	}
	for l := range numLinks {
		containers := newContainers(list, parentLevel[l], a.Outlines)
		for i := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			g := &list[i]
			if g.Parents[l] != "" || g.Level > parentLevel[l] {
				continue
			}
			var err error
			if g.Parents[l], err = containers.find(g); err != nil {
				return err
			}
		}
	}
	return nil
}

// container is a geography that others may be inside.
type container struct {
	*Geography
	index   int           // of its outline
	outline *geo.Prepared // nil until it is needed
}

// containers are the geographies of one level, the smallest first.
type containers struct {
	list     []container
	boxes    *coord.BoxIndex
	outlines *Outlines
}

func newContainers(all []Geography, level schemas.Level, outlines *Outlines) *containers {
	c := &containers{outlines: outlines}
	for i := range all {
		if all[i].Level == level {
			c.list = append(c.list, container{Geography: &all[i], index: i})
		}
	}
	slices.SortFunc(c.list, func(p, q container) int {
		return cmp.Or(cmp.Compare(p.AreaM2, q.AreaM2), cmp.Compare(p.Key, q.Key))
	})
	boxes := make([]orb.Bound, len(c.list))
	for i, p := range c.list {
		boxes[i] = p.Bound
	}
	c.boxes = coord.NewBoxIndex(boxes)
	return c
}

// find returns the source key of the smallest container of g, "" where there is none.
func (c *containers) find(g *Geography) (string, error) {
	var near []int
	c.boxes.At(g.Centroid, func(i int) bool {
		if c.list[i].Country == g.Country && !shareRegion(c.list[i].Geography, g) {
			near = append(near, i)
		}
		return true
	})
	slices.Sort(near)
	for _, i := range near {
		candidate := &c.list[i]
		if candidate.outline == nil {
			m, err := c.outlines.Get(candidate.index)
			if err != nil {
				return "", err
			}
			candidate.outline = geo.Prepare(m)
		}
		if candidate.outline.Contains(g.Centroid) {
			return candidate.Key, nil
		}
	}
	return "", nil
}

// shareRegion reports whether a region has both geographies.
func shareRegion(p, q *Geography) bool {
	return slices.ContainsFunc(p.Regions, func(r int32) bool { return slices.Contains(q.Regions, r) })
}
