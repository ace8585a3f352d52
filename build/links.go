package build

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas"
)

// link is a step of the hierarchy that a geography names its holder of.
type link int

const (
	cityLink link = iota
	metroLink
	stateLink
	countryLink
	numLinks
)

// linkLevel is the level of the holder.
var linkLevel = [numLinks]schemas.Level{schemas.Municipality, schemas.Metro, schemas.State, schemas.Country}

// linkAcross fills the links that no region could resolve: the holder is the smallest outline of the level and
// country, known only to regions that do not know the geography, around its centroid. What a region left open among
// its own outlines stays open.
func (a *assembly) linkAcross(ctx context.Context, list []place) error {
	known := make(map[string]bool, len(list))
	for i := range list {
		known[list[i].Key] = true
	}
	for i := range list {
		for l, key := range list[i].Holder {
			if key != "" && !known[key] {
				return fmt.Errorf("%s is in %s (level %d), which no region tells", list[i].Key, key, linkLevel[l])
			}
		}
	}
	if len(a.regions) == 1 {
		return nil
	}
	outlines := &outlineCache{assembly: a, kept: map[string]*geo.Prepared{}}
	for l := range numLinks {
		holders := newHolders(list, linkLevel[l])
		for i := range list {
			p := &list[i]
			if p.Holder[l] != "" || p.Level > linkLevel[l] {
				continue
			}
			var err error
			if p.Holder[l], err = holders.of(ctx, p, outlines); err != nil {
				return err
			}
		}
	}
	return nil
}

// holders are the geographies of one level, the smallest first.
type holders struct {
	list  []*place
	boxes *geo.BoxIndex
}

func newHolders(all []place, level schemas.Level) *holders {
	h := &holders{}
	for i := range all {
		if all[i].Level == level {
			h.list = append(h.list, &all[i])
		}
	}
	slices.SortFunc(h.list, func(p, q *place) int {
		return cmp.Or(cmp.Compare(p.AreaM2, q.AreaM2), cmp.Compare(p.Key, q.Key))
	})
	boxes := make([]orb.Bound, len(h.list))
	for i, p := range h.list {
		boxes[i] = p.Bound
	}
	h.boxes = geo.NewBoxIndex(boxes)
	return h
}

// of is the source key of the holder of p, ” where there is none.
func (h *holders) of(ctx context.Context, p *place, outlines *outlineCache) (string, error) {
	var near []int
	h.boxes.At(p.Centroid, func(i int) bool {
		if h.list[i].Country == p.Country && !shareRegion(h.list[i], p) {
			near = append(near, i)
		}
		return true
	})
	slices.Sort(near)
	for _, i := range near {
		outline, err := outlines.get(ctx, h.list[i].Key)
		if err != nil {
			return "", err
		}
		if outline.Contains(p.Centroid) {
			return h.list[i].Key, nil
		}
	}
	return "", nil
}

// shareRegion reports whether some region tells both places, so that it has judged already whether one holds the other.
func shareRegion(p, q *place) bool {
	return slices.ContainsFunc(p.Regions, func(r int) bool { return slices.Contains(q.Regions, r) })
}

// outlineCache holds the outlines that links across regions were tested against.
type outlineCache struct {
	*assembly
	kept map[string]*geo.Prepared
}

func (c *outlineCache) get(ctx context.Context, key string) (*geo.Prepared, error) {
	if outline, ok := c.kept[key]; ok {
		return outline, nil
	}
	m, err := c.outline(ctx, key)
	if err != nil {
		return nil, err
	}
	c.kept[key] = geo.Prepare(m)
	return c.kept[key], nil
}
