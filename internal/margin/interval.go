package margin

import "math"

// Interval is the 90 % interval of a figure, clipped to its possible range, lo to hi; false if its margin is not known.
func Interval(f Figure, lo, hi float64) (lower, upper float64, ok bool) {
	if !f.Known() || math.IsNaN(f.Estimate) {
		return math.NaN(), math.NaN(), false
	}
	return min(max(f.Estimate-f.MOE, lo), hi), min(max(f.Estimate+f.MOE, lo), hi), true
}

// Interval is the 90 % interval of a sum, clipped to its possible range. Of the sides of each figure's interval those below
// and those above add up in quadrature (Zou and Donner 2008).
func (s Sum) Interval(lo, hi float64) (lower, upper float64, ok bool) {
	if s.Unknown || math.IsNaN(s.Estimate) {
		return math.NaN(), math.NaN(), false
	}
	own := s.Squares + s.Zero + s.Mixed
	lower, upper = s.Estimate-math.Sqrt(own+s.Placed.Below), s.Estimate+math.Sqrt(own+s.Placed.Above)
	return min(max(lower, lo), hi), min(max(upper, lo), hi), true
}

// ShareInterval is the 90 % interval of a sum as a share of one that contains it, within 0 and 1. What parts of areas
// consist of, and how much of each area counts, widens the interval of the published figures. A part may have all of a
// kind or nothing of it, so that the interval is cut off there and not Wilson's, which never reaches 0 and 1.
func (s Sum) ShareInterval(whole Sum) (lower, upper float64, ok bool) {
	lower, upper, ok = ShareInterval(s.Published(), whole.Published())
	if !ok {
		return lower, upper, false
	}
	p := min(max(s.Estimate/whole.Estimate, 0), 1)
	apart := math.Sqrt(s.Mixed+s.placedApart(whole, p)) / whole.Estimate
	return max(p-math.Hypot(p-lower, apart), 0), min(p+math.Hypot(upper-p, apart), 1), true
}

// Placed is the interval of the share of an area's people who live in a part, below and above the part's share of the ground
// or of what is counted; deviation is the standard deviation of the one from the other. Some parts are empty: the lower limit is
// stretched until one at the share empty of the estimate is 0.
//
// A part has 0.3 of the ground of a tract ± 0.25. Wilson's interval is 0.07 to 0.71; with empty = 0.2 it begins at 0.01 =
// (0.07 − 0.2 · 0.3)/0.8.
func Placed(share, deviation, small, empty float64) Sides {
	if !(deviation > 0 && share > 0 && share < 1) {
		return Sides{}
	}
	lower := share - above(1-share, deviation, small)
	return Sides{share - max(0, (lower-empty*share)/(1-empty)), above(share, deviation, small)}
}

// above is how far the people of a part may be above its share, by Wilson's interval, which does not end beyond all people: the
// same people live on any amount of ground. For shares below small that is too far: there the variance falls with the root
// of the share, to that of the share at least. What the part lacks to the whole area is as far above its own share as the part
// is below.
func above(share, deviation, small float64) float64 {
	n := share * (1 - share) / (deviation * deviation)
	_, most := wilson(share, n)
	_, upper := wilson(share, n/math.Sqrt(min(share/small, 1)))
	return min(most, max(upper, share+Z*deviation)) - share
}

// ShareInterval is the 90 % interval of part as a share of whole, within 0 and 1; false if the share or its margin is not
// known. If the share ± its margin leaves 0 to 1 it is Wilson's interval.
func ShareInterval(part, whole Figure) (lower, upper float64, ok bool) {
	share := Share(part, whole)
	if !share.Known() || math.IsNaN(share.Estimate) {
		return math.NaN(), math.NaN(), false
	}
	p, moe := min(max(share.Estimate, 0), 1), share.MOE
	if p-moe >= 0 && p+moe <= 1 || moe == 0 {
		return p - moe, p + moe, true
	}
	lower, upper = wilson(p, effectiveSampleSize(p, moe))
	return lower, upper, true
}

// effectiveSampleSize is the size of a simple random sample in which the share p has the margin moe: p(1−p)/SE². For a share
// below its standard error that is less than one person of the sample; there q is used instead of p. It grows from
// the standard error to the margin as p falls to 0, so that the upper limit of Wilson's interval for a share of 0 is its
// margin. Shares near 1 are treated like those near 0.
func effectiveSampleSize(p, moe float64) float64 {
	p = min(p, 1-p)
	q := min(max(p, moe-(Z-1)*p), 0.5)
	return q * (1 - q) * Z * Z / (moe * moe)
}

// wilson is the score interval of the share p of a sample of n.
func wilson(p, n float64) (lower, upper float64) {
	t := Z * Z / n
	centre := (p + t/2) / (1 + t)
	half := math.Sqrt(p*(1-p)*t+t*t/4) / (1 + t)
	return min(p, max(0, centre-half)), max(p, min(1, centre+half))
}
