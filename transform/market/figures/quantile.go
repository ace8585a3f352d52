package figures

import (
	"math"
	"math/bits"
	"slices"
)

// quantile is a percentile of values that are arranged for it, with linear interpolation (type 7: the rank is (n−1)·p/100 from 0), a
// hundred
// times over: whole numbers stay exact.
//
// An example: of 10, 20, 30 and 40 the 25th has the rank 0.75 and is 17.5; the result is 1750.
func quantile(values []float64, percent int) float64 {
	rank := (len(values) - 1) * percent
	at, rest := rank/100, rank%100
	if rest == 0 {
		return values[at] * 100
	}
	return values[at]*100 + (values[at+1]-values[at])*float64(rest)
}

// rounded is a hundredfold value with decimals, rounded half away from zero.
func rounded(hundredfold float64, decimals int) int64 {
	return int64(math.Round(hundredfold * power[decimals] / 100))
}

var power = [...]float64{1, 10, 100, 1000, 10000}

// share is a part of a total in ten-thousandths, rounded half up; parts are not negative.
func share(part, total int64) int64 { return (2*part*10_000 + total) / (2 * total) }

// few values are sorted at once.
const few = 24

// arrange puts the values of some ranks, in ascending order, where sorting would put them: smaller ones before, larger ones
// after. It is quickselect for several ranks; depth bounds the work on values that divide badly.
func arrange(values []float64, first int, ranks []int, depth int) {
	for len(ranks) > 0 {
		if len(values) <= few || depth == 0 {
			slices.Sort(values)
			return
		}
		depth--
		i, j := divide(values)
		left := 0
		for left < len(ranks) && ranks[left] <= first+j {
			left++
		}
		right := left
		for right < len(ranks) && ranks[right] < first+i {
			right++ // between j and i, where it belongs
		}
		arrange(values[:j+1], first, ranks[:left], depth)
		values, first, ranks = values[i:], first+i, ranks[right:]
	}
}

// divide moves values so that those up to j are at most the median of three, and those from i on at least that; j < i.
func divide(values []float64) (i, j int) {
	a, b, c := values[0], values[len(values)/2], values[len(values)-1]
	pivot := max(min(a, b), min(max(a, b), c))
	i, j = 0, len(values)-1
	for i <= j {
		for values[i] < pivot {
			i++
		}
		for values[j] > pivot {
			j--
		}
		if i <= j {
			values[i], values[j] = values[j], values[i]
			i++
			j--
		}
	}
	return i, j
}

// arrangeFor arranges values for percentiles in ascending order.
func arrangeFor(values []float64, percents []int) {
	var buffer [16]int
	ranks := buffer[:0]
	for _, percent := range percents {
		at := (len(values) - 1) * percent / 100
		for _, rank := range []int{at, min(at+1, len(values)-1)} {
			if n := len(ranks); n == 0 || ranks[n-1] < rank {
				ranks = append(ranks, rank)
			}
		}
	}
	arrange(values, 0, ranks, 4*bits.Len(uint(len(values))))
}
