package figures

import (
	"math"
	"slices"
)

// quantile is a percentile of sorted values with linear interpolation (type 7: the rank is (n−1)·p/100 from 0), a hundred
// times over: whole numbers stay exact.
//
// An example: of 10, 20, 30 and 40 the 25th has the rank 0.75 and is 17.5; the result is 1750.
func quantile(sorted []float64, percent int) float64 {
	rank := (len(sorted) - 1) * percent
	at, rest := rank/100, rank%100
	if rest == 0 {
		return sorted[at] * 100
	}
	return sorted[at]*100 + (sorted[at+1]-sorted[at])*float64(rest)
}

// rounded is a hundredfold value with decimals, rounded half away from zero.
func rounded(hundredfold float64, decimals int) int64 {
	return int64(math.Round(hundredfold * power[decimals] / 100))
}

var power = [...]float64{1, 10, 100, 1000, 10000}

// share is a part of a total in ten-thousandths, rounded half up; parts are not negative.
func share(part, total int64) int64 { return (2*part*10_000 + total) / (2 * total) }

func order(values []float64) { slices.Sort(values) }
