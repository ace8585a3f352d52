package margin

import "math"

// Bin is the number of households (or dwellings) in [Lower, Upper) dollars; Upper of the open bin is +Inf. Bins are
// in ascending order and do not overlap.
type Bin struct {
	Lower, Upper float64
	Count        Figure
}

// Middle is a median with its 90 % interval, Lower to Upper, which are NaN where it is not known. Of one that is in the open
// bin only the bin's lower end is known, and is the estimate.
type Middle struct {
	Figure
	Lower, Upper float64
	Open         bool
}

// Median is the median of binned values in dollars with its 90 % interval (docs/methods.md, 7.3); false if the bins are
// empty. Inside a bin it is interpolated: linearly in bins up to linearWidth dollars wide, in the lowest one and if no
// count is above, else by Pareto's law.
//
// The standard error is half the distance between the quantiles at ½ ± SE, where SE is the standard error of the share
// below the median; lower and upper are the quantiles at ½ ± 1.645 SE (Woodruff's interval). In the open bin upper follows
// from Pareto's law, at most maxOpenLimit times the bin's lower end. Counts are treated as independent, also on the two sides of the
// median in its own bin: the margin of that share is half the margin of the
// total over the total. If the margin of a count is not known, lower, upper and the margin are NaN.
//
// An example: 100 households below 10,000 dollars, 100 from there to 20,000, with margins of 30 and 40. The median is
// 10,000. The total is 200 ± 50, so that the share below has the margin 50/400 = 0.125: the quantiles at 0.375 and 0.625
// are 7,500 and 12,500, the interval.
func Median(bins []Bin, linearWidth float64) (m Middle, ok bool) {
	var sum Sum
	for _, b := range bins {
		sum.Add(b.Count, 1)
	}
	all := sum.Figure()
	if !(all.Estimate > 0) {
		return Middle{}, false
	}
	d := distribution{bins, all.Estimate, linearWidth}
	median, open := d.below(0.5)
	if open {
		return Middle{Figure{bins[len(bins)-1].Lower, math.NaN()}, math.NaN(), math.NaN(), true}, true
	}
	m = Middle{Figure{median, math.NaN()}, math.NaN(), math.NaN(), false}
	moe := all.MOE / (2 * all.Estimate)
	if math.IsNaN(moe) {
		return m, true
	}
	m.Lower, m.Upper = d.around(moe)
	left, right := d.around(moe / Z)
	m.MOE = Z * (right - left) / 2
	return m, true
}

// around returns the quantiles at half ± share.
func (d *distribution) around(share float64) (lower, upper float64) {
	lower, _ = d.below(0.5 - share)
	upper, _ = d.below(0.5 + share)
	return lower, upper
}

// distribution is a binned distribution.
type distribution struct {
	bins        []Bin
	all         float64 // the sum of its counts
	linearWidth float64
}

// below is the quantile of a share, in dollars, and whether it is in the open bin. Shares are clipped to 0 to 1.
func (d *distribution) below(share float64) (dollars float64, open bool) {
	above := min(max(1-share, 0), 1) * d.all // the count at or above the quantile
	from := d.all                            // the count at or above the bin's lower end
	for i := range d.bins {
		b := &d.bins[i]
		if !(b.Count.Estimate > 0) {
			continue
		}
		to := from - b.Count.Estimate
		if to < d.all*1e-12 {
			to = 0 // a rounding error
		}
		if to <= above {
			return d.within(i, from, to, above)
		}
		from = to
	}
	return math.NaN(), false // not reached: no count is above the last bin
}

// within is the value in the i-th bin that has a count of above at or above it, between from at its lower and to at its upper end.
func (d *distribution) within(i int, from, to, above float64) (dollars float64, open bool) {
	b := &d.bins[i]
	above = min(above, from)
	switch {
	case math.IsInf(b.Upper, 1):
		return d.tail(i, from/above), true
	case b.Upper-b.Lower <= d.linearWidth || b.Lower <= 0 || to == 0:
		dollars = b.Lower + (b.Upper-b.Lower)*(from-above)/(from-to)
	default:
		dollars = b.Lower * math.Pow(from/above, math.Log(b.Upper/b.Lower)/math.Log(from/to))
	}
	return min(max(dollars, b.Lower), b.Upper), false
}

// tail is the value in the open bin that a count is at or above of which the bin has so many times as much.
func (d *distribution) tail(open int, times float64) float64 {
	var lowerBin Bin
	for _, b := range d.bins[:open] {
		if b.Count.Estimate > 0 {
			lowerBin = b
		}
	}
	b := d.bins[open]
	return b.Lower * min(math.Pow(times, 1/openExponent(lowerBin, b)), maxOpenLimit)
}

// Mean is the mean of binned values in dollars: from the middle of each bin, and for the open one the mean by Pareto's law
// (docs/methods.md, 7.3); false if the bins are empty. Counts are treated as independent, zeros as in Sum. If the mean of
// the open bin reaches its cap of three times the lower end its error is not known, nor is the margin of the result.
//
// 100 at 5,000 and 100 at 20,000, the middles of their bins, have the mean 12,500; with margins of 30 and 40 it is
// ± 1,875 = √((30·7,500/200)² + (40·7,500/200)²), because a household more in a bin moves the mean by 7,500/200.
func Mean(bins []Bin) (Figure, bool) {
	all, dollars, lowerBin := 0.0, 0.0, Bin{}
	top := math.NaN() // mean of the open bin
	for _, b := range bins {
		if !(b.Count.Estimate > 0) {
			continue
		}
		if math.IsInf(b.Upper, 1) {
			top = openMean(lowerBin, b)
		}
		all += b.Count.Estimate
		dollars += b.Count.Estimate * b.middle(top)
		lowerBin = b
	}
	if !(all > 0) {
		return Figure{math.NaN(), math.NaN()}, false
	}
	mean := dollars / all
	var sum Sum // of the effect of each count on the mean
	for _, b := range bins {
		if math.IsInf(b.Upper, 1) && math.IsNaN(top) {
			top = openMean(lowerBin, b)
		}
		sum.Add(Figure{b.Count.Estimate, b.Count.MOE * math.Abs(b.middle(top)-mean) / all}, 1)
	}
	moe := sum.Figure().MOE
	if top >= maxOpenRatio*lowerBin.Lower && math.IsInf(lowerBin.Upper, 1) {
		moe = math.NaN()
	}
	return Figure{mean, moe}, true
}

// maxOpenLimit is the maximum of a limit in an open bin over its lower end: of the largest median income that is published,
// 250,000 dollars, over 200,000. Published medians end there, so that a comparison with them cannot show whether it is too low.
const maxOpenLimit = 1.25

// maxOpenRatio is the maximum of the mean of an open bin over its lower end.
const maxOpenRatio = 3

// middle is the mean inside a bin; top is that of the open one.
func (b Bin) middle(top float64) float64 {
	if math.IsInf(b.Upper, 1) {
		return top
	}
	return (b.Lower + b.Upper) / 2
}

// openMean is the mean of an open bin from a up: a·k/(k−1), at most maxOpenRatio times a, where k is Pareto's exponent from
// the next lower bin that is not empty.
func openMean(lowerBin, open Bin) float64 {
	k := openExponent(lowerBin, open)
	if k <= 1 {
		return maxOpenRatio * open.Lower
	}
	if math.IsInf(k, 1) {
		return open.Lower // the bin is empty
	}
	return min(open.Lower*k/(k-1), maxOpenRatio*open.Lower)
}

// openExponent is Pareto's exponent above the lower end of a bin; 0 if that is 0.
func openExponent(lowerBin, open Bin) float64 {
	if lowerBin.Lower <= 0 {
		return 0
	}
	return math.Log1p(lowerBin.Count.Estimate/open.Count.Estimate) / math.Log(open.Lower/lowerBin.Lower)
}
