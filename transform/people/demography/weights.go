package demography

import (
	"math"

	"quartier/schemas/demographics"
)

// The counts of blocks, in the order of the universes.
const (
	people     = int(demographics.Persons) - 1
	households = int(demographics.Households) - 1
	dwellings  = int(demographics.Dwellings) - 1
)

// counts are people, households and dwellings; NaN if missing.
type counts [demographics.Universes]float64

// any reports whether any count is known.
func (c counts) any() bool {
	for _, n := range c {
		if !math.IsNaN(n) {
			return true
		}
	}
	return false
}

// weights apportion the figures of each universe.
type weights [demographics.Universes]float64

// substitutes are the counts that serve as weights of a universe: the first one that is known.
var substitutes = [demographics.Universes][]int{
	people:     {people, households, dwellings},
	households: {households, dwellings, people},
	dwellings:  {dwellings, households, people},
}

// weigh returns the weights of the parts of an area. All parts have the same kind of weight: the first count that is known
// for every part with any counts; parts without counts have the weight 0. If there is no such count, or it is 0
// everywhere, the areas of the parts are the weights. size is the sum of the counts, NaN without any, and sum has the sum
// of each count if it is known.
//
// For example, blocks of 10 people and 5 dwellings, and of 30 people and 10 dwellings, without counts of households, have
// the weights 10 : 30 for persons and 5 : 10 for households and dwellings.
func weigh(parts []counts, m2 []float64) (list []weights, size weights, sum counts) {
	sum = add(parts)
	list = make([]weights, len(parts))
	for u := range size {
		basis := -1
		for _, c := range substitutes[u] {
			if basis < 0 && !math.IsNaN(sum[c]) {
				basis = c
			}
		}
		size[u] = math.NaN()
		if basis >= 0 {
			size[u] = sum[basis]
		}
		for i, part := range parts {
			switch {
			case !(size[u] > 0):
				list[i][u] = m2[i]
			case part.any():
				list[i][u] = part[basis]
			}
		}
	}
	return list, size, sum
}

// add sums counts over the parts with any counts; NaN if one of these has no such count, or there are none.
func add(parts []counts) (sum counts) {
	any := false
	for _, part := range parts {
		if !part.any() {
			continue
		}
		any = true
		for c := range sum {
			sum[c] += part[c]
		}
	}
	if !any {
		return counts{math.NaN(), math.NaN(), math.NaN()}
	}
	return sum
}
