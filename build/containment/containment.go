// Package containment finds which geography of a level contains another one, by area: the parents in the hierarchy of
// geographies (docs/methods.md, 9).
package containment

import (
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas/calibration"
)

// Parallels along which a share is measured: those that exclude a parent, those of most pairs, and those of pairs whose share
// is within doubt of the least one.
const (
	roughParallels = 8
	parallels      = 64
	fineParallels  = 2048
	doubt          = 0.05
)

// Parents are the geographies of one level, which others may be inside.
type Parents struct {
	boxes   *coord.BoxIndex
	outline func(i int) (*geo.Prepared, error)
}

// NewParents indexes geographies by their boxes. outline returns the outline of the i-th of them.
func NewParents(boxes []orb.Bound, outline func(i int) (*geo.Prepared, error)) *Parents {
	return &Parents{coord.NewBoxIndex(boxes), outline}
}

// Of is the index of the geography that contains an outline: the one with the largest share of its area, if that is at least
// c.Share of it and c.Part of what all geographies of the level have of it; −1 if there is none. Of equal shares the first
// geography counts.
//
// For example, with .5 and .75, a district of which 60 % are in town A and the rest in a lake that no town has is in A. One of
// which 60 % are in A and 40 % in town B is in neither.
func (p *Parents) Of(child *geo.Prepared, c calibration.Containment) (int, error) {
	var near []int
	p.boxes.Search(child.Bound(), func(i int) bool {
		near = append(near, i)
		return true
	})
	slices.Sort(near)
	best, largest := -1, 0.0
	var all []*geo.Prepared // that have a part
	for _, i := range near {
		parent, err := p.outline(i)
		if err != nil {
			return -1, err
		}
		share := measure(child, parent, c.Share)
		if share > 0 {
			all = append(all, parent)
		}
		if share > largest {
			best, largest = i, share
		}
	}
	if largest < c.Share {
		return -1, nil
	}
	if len(all) > 1 {
		if together, _ := geo.OverlapAny(child, all, parallels); largest < c.Part*together {
			return -1, nil
		}
	}
	return best, nil
}

// measure is the share of an outline's area, 0 to 1, that a parent contains, as fine as it takes to compare it with least.
func measure(child, parent *geo.Prepared, least float64) float64 {
	share := geo.Overlap(child, parent, roughParallels)
	if share < least/4 {
		return share
	}
	if share = geo.Overlap(child, parent, parallels); share > least-doubt && share < least+doubt {
		share = geo.Overlap(child, parent, fineParallels)
	}
	return share
}
