package build

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
	for l := range numLinks {
		holders := newHolders(list, linkLevel[l], a.outlines)
		for i := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			p := &list[i]
			if p.Holder[l] != "" || p.Level > linkLevel[l] {
				continue
			}
			var err error
			if p.Holder[l], err = holders.of(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// holder is a geography that others may lie in.
type holder struct {
	*place
	fid     int
	outline *geo.Prepared // nil before it is asked for
}

// holders are the geographies of one level, the smallest first.
type holders struct {
	list  []holder
	boxes *coord.BoxIndex
	*outlines
}

func newHolders(all []place, level schemas.Level, store *outlines) *holders {
	h := &holders{outlines: store}
	for i := range all {
		if all[i].Level == level {
			h.list = append(h.list, holder{place: &all[i], fid: i + 1})
		}
	}
	slices.SortFunc(h.list, func(p, q holder) int {
		return cmp.Or(cmp.Compare(p.AreaM2, q.AreaM2), cmp.Compare(p.Key, q.Key))
	})
	boxes := make([]orb.Bound, len(h.list))
	for i, p := range h.list {
		boxes[i] = p.Bound
	}
	h.boxes = coord.NewBoxIndex(boxes)
	return h
}

// of is the source key of the holder of p, ” where there is none.
func (h *holders) of(p *place) (string, error) {
	var near []int
	h.boxes.At(p.Centroid, func(i int) bool {
		if h.list[i].Country == p.Country && !shareRegion(h.list[i].place, p) {
			near = append(near, i)
		}
		return true
	})
	slices.Sort(near)
	for _, i := range near {
		candidate := &h.list[i]
		if candidate.outline == nil {
			m, err := h.outline(candidate.fid)
			if err != nil {
				return "", err
			}
			candidate.outline = geo.Prepare(m)
		}
		if candidate.outline.Contains(p.Centroid) {
			return candidate.Key, nil
		}
	}
	return "", nil
}

// shareRegion reports whether some region tells both places, so that it has judged already whether one holds the other.
func shareRegion(p, q *place) bool {
	return slices.ContainsFunc(p.Regions, func(r int) bool { return slices.Contains(q.Regions, r) })
}
