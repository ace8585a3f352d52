package destination

import (
	"context"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/parallel"
	"quartier/transform/issue"
)

// candidate is a place with all of its classes, not yet snapped.
type candidate struct {
	destination Destination
	classes     []string
}

// add snaps candidates on all processors and keeps those near a street, once for each class.
func (f *deriver) add(ctx context.Context, candidates []candidate) error {
	places, found := make([]network.Place, len(candidates)), make([]bool, len(candidates))
	err := parallel.Nodes(ctx, len(candidates), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			places[i], found[i] = f.snap(candidates[i].destination.Point)
		}
	})
	for i, c := range candidates {
		if !found[i] {
			f.issues.Add(issue.NoStreet, where(&c.destination))
			continue
		}
		c.destination.Place = places[i]
		for _, class := range c.classes {
			d := c.destination
			d.Class = class
			f.set.List = append(f.set.List, d)
		}
	}
	return err
}

func (f *deriver) snap(p orb.Point) (network.Place, bool) {
	point, ok := coord.NewPoint(p[0], p[1])
	if !ok {
		return network.Place{}, false
	}
	return f.net.Snapper.Snap(point, f.c.Walking.SnapM)
}

func where(d *Destination) string { return d.Key + " of " + d.Source }
