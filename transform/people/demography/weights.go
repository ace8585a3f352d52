package demography

import (
	"math"

	"quartier/schemas/demographics"
)

// What blocks count, which are the universes of tables in their order.
const (
	people     = int(demographics.Persons) - 1
	households = int(demographics.Households) - 1
	dwellings  = int(demographics.Dwellings) - 1
)

// counts are people, households and dwellings; NaN where they are not told.
type counts [demographics.Universes]float64

// told reports whether anything is.
func (c counts) told() bool {
	for _, n := range c {
		if !math.IsNaN(n) {
			return true
		}
	}
	return false
}

// weights are what figures of each universe are shared out by.
type weights [demographics.Universes]float64

// standIns are the counts that a universe is weighed by: the first one that is told.
var standIns = [demographics.Universes][]int{
	people:     {people, households, dwellings},
	households: {households, dwellings, people},
	dwellings:  {dwellings, households, people},
}

// weigh makes the weights of the parts of an area of their counts. What weighs is one for all parts: the first count
// that is told of every part of which anything is told; other parts have none of it. Where no count is, or where it is
// zero everywhere, the parts' areas are the weights. The size is what the counts add up to, NaN where none is told, and
// the sum has each count by itself where it is told.
func weigh(parts []counts, m2 []float64) (list []weights, size weights, sum counts) {
	sum = add(parts)
	list = make([]weights, len(parts))
	for u := range size {
		basis := -1
		for _, c := range standIns[u] {
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
			case part.told():
				list[i][u] = part[basis]
			}
		}
	}
	return list, size, sum
}

// add adds up counts over the parts of which anything is told; NaN where one of these lacks it, or there are none.
func add(parts []counts) (sum counts) {
	any := false
	for _, part := range parts {
		if !part.told() {
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
