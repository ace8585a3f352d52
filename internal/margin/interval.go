package margin

import "math"

// Interval is the 90 % interval of a figure, clipped to its possible range, lo to hi; false if its margin is not known.
func Interval(f Figure, lo, hi float64) (lower, upper float64, ok bool) {
	if !f.Known() || math.IsNaN(f.Estimate) {
		return math.NaN(), math.NaN(), false
	}
	return min(max(f.Estimate-f.MOE, lo), hi), min(max(f.Estimate+f.MOE, lo), hi), true
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
