package access

import (
	"quartier/internal/extent"
	"quartier/transform/network/edges"
)

// onFoot is a search on foot for the nearest places of some classes that weighs them by W; 0 places: for all.
func (d *deriver) onFoot(classes []string, places int) edges.Search {
	return d.edges.NewSearch(classes, places, d.onWalk)
}

// within is a search for places up to a distance that weighs all alike.
func (d *deriver) within(classes []string, places int, reachM float64) edges.Search {
	return d.edges.NewSearch(classes, places, extent.NewWeight(reachM, nil))
}

// stretched is the weight by W of the distance divided by a factor.
func (d *deriver) stretched(factor float64) *extent.Weight {
	return extent.NewWeight(d.walk.Reach()*factor, func(metres float64) float64 { return d.walk.At(metres / factor) })
}
