package destination

import (
	"runtime"

	"github.com/paulmach/orb"
	"golang.org/x/sync/errgroup"

	"quartier/internal/network"
	"quartier/internal/pack"
)

// candidate is a place before its street is known, with all the classes that it is of.
type candidate struct {
	destination Destination
	classes     []string
}

// add snaps candidates on all processors and keeps those that a street leads to, once for each class.
func (f *finder) add(candidates []candidate) {
	places, found := make([]network.Place, len(candidates)), make([]bool, len(candidates))
	parallel(len(candidates), func(i int) {
		places[i], found[i] = f.snap(candidates[i].destination.Point)
	})
	for i, c := range candidates {
		if !found[i] {
			f.issues.Add("no street near that leads to it", where(&c.destination))
			continue
		}
		c.destination.Place = places[i]
		for _, class := range c.classes {
			d := c.destination
			d.Class = class
			f.set.List = append(f.set.List, d)
		}
	}
}

func (f *finder) snap(p orb.Point) (network.Place, bool) {
	point, ok := pack.NewPoint(p[0], p[1])
	if !ok {
		return network.Place{}, false
	}
	return f.net.Snapper.Snap(point, f.c.Walking.SnapM)
}

func where(d *Destination) string { return d.Key + " of " + d.Source }

// parallel calls work for 0 to n-1 on all processors.
func parallel(n int, work func(i int)) {
	const chunk = 1024
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for first := 0; first < n; first += chunk {
		workers.Go(func() error {
			for i := first; i < min(first+chunk, n); i++ {
				work(i)
			}
			return nil
		})
	}
	workers.Wait()
}
