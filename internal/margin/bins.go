package margin

import "math"

// Bin is how many have from Lower up to below Upper dollars; Upper is +Inf of the open bin at the top. Bins are listed
// from the lowest to the highest and do not overlap.
type Bin struct {
	Lower, Upper float64
	Count        Figure
}

// Median is the median of what bins count, in dollars, with its 90 % interval (methods, 7.3). Inside a bin up to
// linearWidth dollars wide it lies linearly, in a wider one by Pareto's law; linearly, too, in the lowest bin and where
// nobody is above. False where the bins count nobody.
//
// In the open bin the median is jam, which means jam or more, and its margin is not known; upper is +Inf. A limit of the
// interval in the open bin is jam.
//
// The standard error is half the distance between the dollars that ½ ± SE have less than, where SE is the standard error
// of the share below the median; lower and upper are those of ½ ± 1.645 SE (Woodruff's interval). Counts are taken as
// independent, also on either side of the median in its own bin, which makes the margin of that share half the margin of
// all counts over all counts. Where the margin of a count is not known, neither are lower, upper and the margin: NaN.
func Median(bins []Bin, linearWidth, jam float64) (f Figure, lower, upper float64, ok bool) {
	var sum Sum
	for _, b := range bins {
		sum.Add(b.Count, 1, 0)
	}
	all := sum.Figure()
	if !(all.Estimate > 0) {
		return Figure{math.NaN(), math.NaN()}, math.NaN(), math.NaN(), false
	}
	d := distribution{bins, all.Estimate, linearWidth, jam}
	median, open := d.below(0.5)
	moe := all.MOE / (2 * all.Estimate)
	switch {
	case math.IsNaN(moe):
		return Figure{median, math.NaN()}, math.NaN(), math.NaN(), true
	case open:
		lower, _ = d.below(0.5 - moe)
		return Figure{median, math.NaN()}, lower, math.Inf(1), true
	}
	lower, _ = d.below(0.5 - moe)
	upper, _ = d.below(0.5 + moe)
	left, _ := d.below(0.5 - moe/Z)
	right, _ := d.below(0.5 + moe/Z)
	return Figure{median, Z * (right - left) / 2}, lower, upper, true
}

// distribution is what bins say of all that they count.
type distribution struct {
	bins             []Bin
	all              float64
	linearWidth, jam float64
}

// below is the dollars that a share of all has less than, and whether they lie in the open bin. Shares below 0 and above
// 1 count as 0 and 1.
func (d *distribution) below(share float64) (dollars float64, open bool) {
	above := min(max(1-share, 0), 1) * d.all // as many have at least the dollars
	from := d.all                            // as many have at least the bin's lower end
	for i := range d.bins {
		b := &d.bins[i]
		if !(b.Count.Estimate > 0) {
			continue
		}
		to := from - b.Count.Estimate
		if to < d.all*1e-12 {
			to = 0 // what rounding leaves of nobody
		}
		if to <= above {
			return d.within(b, from, to, above)
		}
		from = to
	}
	return math.NaN(), false // not reached: the last bin that counts leaves nobody above
}

// within is the dollars in a bin that above have at least, where from have at least its lower end and to its upper one.
func (d *distribution) within(b *Bin, from, to, above float64) (dollars float64, open bool) {
	above = min(above, from)
	switch {
	case math.IsInf(b.Upper, 1):
		return max(d.jam, b.Lower), true
	case b.Upper-b.Lower <= d.linearWidth || b.Lower <= 0 || to == 0:
		dollars = b.Lower + (b.Upper-b.Lower)*(from-above)/(from-to)
	default:
		dollars = b.Lower * math.Pow(from/above, math.Log(b.Upper/b.Lower)/math.Log(from/to))
	}
	return min(max(dollars, b.Lower), b.Upper), false
}

// Mean is the mean of what bins count, in dollars: the middle of each bin, and in the open one what Pareto's law makes of
// it and the bin beneath (methods, 7.3). Counts are taken as independent, those of zeros as Sum takes them. Where those in
// the open bin have three times its lower end, at which they are capped, the bins do not tell how far that is off: the
// margin is not known. False where the bins count nobody.
func Mean(bins []Bin) (Figure, bool) {
	all, dollars, beneath := 0.0, 0.0, Bin{}
	top := math.NaN() // the mean of the open bin
	for _, b := range bins {
		if !(b.Count.Estimate > 0) {
			continue
		}
		if math.IsInf(b.Upper, 1) {
			top = openMean(beneath, b)
		}
		all += b.Count.Estimate
		dollars += b.Count.Estimate * b.middle(top)
		beneath = b
	}
	if !(all > 0) {
		return Figure{math.NaN(), math.NaN()}, false
	}
	mean := dollars / all
	var sum Sum // of how far each count moves the mean
	for _, b := range bins {
		if math.IsInf(b.Upper, 1) && math.IsNaN(top) {
			top = openMean(beneath, b)
		}
		sum.Add(Figure{b.Count.Estimate, b.Count.MOE * math.Abs(b.middle(top)-mean) / all}, 1, 0)
	}
	moe := sum.Figure().MOE
	if top >= mostOpen*beneath.Lower && math.IsInf(beneath.Upper, 1) {
		moe = math.NaN()
	}
	return Figure{mean, moe}, true
}

// mostOpen is how many times its lower end those in an open bin have at most in the mean.
const mostOpen = 3

// middle is what those in a bin have in the mean; top is that of an open one.
func (b Bin) middle(top float64) float64 {
	if math.IsInf(b.Upper, 1) {
		return top
	}
	return (b.Lower + b.Upper) / 2
}

// openMean is the mean of an open bin: a·k/(k−1), where k is Pareto's exponent over the bin beneath that counts somebody,
// and at most mostOpen times a.
func openMean(beneath, open Bin) float64 {
	k := 0.0
	if beneath.Lower > 0 {
		k = math.Log1p(beneath.Count.Estimate/open.Count.Estimate) / math.Log(open.Lower/beneath.Lower)
	}
	if k <= 1 {
		return mostOpen * open.Lower
	}
	if math.IsInf(k, 1) {
		return open.Lower // nobody is there
	}
	return min(open.Lower*k/(k-1), mostOpen*open.Lower)
}
