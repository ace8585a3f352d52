package household

import (
	"quartier/internal/pack/access"
	"quartier/schemas"
)

// Quantiles computes quantiles of what homes have, for one geography after another.
type Quantiles struct {
	Homes [len(Values{})]int64 // number of homes with each score

	index *Index
	found []int32
	total uint64 // weight of the homes
	// Weights by the upper byte of each quantity, and by the lower byte of the homes whose upper byte is the quantile's.
	upper [quantities][256]uint64
	lower [256]uint64
}

// Steepness is the number of the measure terrain_steepness among the quantities; those before it are the scores.
const Steepness = access.ScoreCount

const quantities = Steepness + 1

// quantity returns a score or the steepness at a home.
func (h *Home) quantity(q int) uint16 {
	if q == Steepness {
		return h.Steepness
	}
	return h.Values[q]
}

// Set adds up the weights of the homes found in a geography. The slice is not copied.
func (q *Quantiles) Set(x *Index, found []int32) {
	*q = Quantiles{index: x, found: found}
	for _, i := range found {
		h := &x.Homes[i]
		q.total += h.Weight
		for s := range quantities {
			if v := h.quantity(s); v != schemas.AbsentValue {
				q.upper[s][v>>8] += h.Weight
				if s < Steepness {
					q.Homes[s]++
				}
			}
		}
	}
}

// Median returns the lower weighted median of a quantity. It is absent where the quantity is known for less than half of
// the total weight.
func (q *Quantiles) Median(quantity int) uint16 { return q.Tenths(quantity, 5) }

// Tenths returns the first of the ascending values of a quantity at which so many tenths of the weight are reached, absent
// where the quantity is known for less than half of the total weight. Example: of the values 1.0, 1.25 and 2.0 with
// weights 10, 20 and 30 the median is 1.25, because 10 + 20 is half of 60.
func (q *Quantiles) Tenths(quantity int, tenths uint64) uint16 {
	known := uint64(0)
	for _, w := range q.upper[quantity] {
		known += w
	}
	if known == 0 || 2*known < q.total {
		return schemas.AbsentValue
	}
	upper, below := reach(&q.upper[quantity], 0, known, tenths)
	clear(q.lower[:])
	for _, i := range q.found {
		h := &q.index.Homes[i]
		if v := h.quantity(quantity); v != schemas.AbsentValue && int(v>>8) == upper {
			q.lower[v&255] += h.Weight
		}
	}
	lower, _ := reach(&q.lower, below, known, tenths)
	return uint16(upper<<8 | lower)
}

// reach returns the first index at which the sum of below and of the weights up to it is so many tenths of total, and the
// sum before it.
func reach(weights *[256]uint64, below, total, tenths uint64) (int, uint64) {
	for i, w := range weights {
		if 10*(below+w) >= tenths*total && w > 0 {
			return i, below
		}
		below += w
	}
	return 0, below // not reached: the sum of all is total
}
