package margin

import "math"

// Interval is the 90 % interval of a figure, clipped to what it can be, lo to hi; false where its margin is not known.
func Interval(f Figure, lo, hi float64) (lower, upper float64, ok bool) {
	if !f.Known() || math.IsNaN(f.Estimate) {
		return math.NaN(), math.NaN(), false
	}
	return min(max(f.Estimate-f.MOE, lo), hi), min(max(f.Estimate+f.MOE, lo), hi), true
}

// ShareInterval is the 90 % interval of the share that part is of whole, within 0 and 1; false where the share or its
// margin is not known. Near 0 and 1, where the share give or take its margin would reach beyond, it is Wilson's.
func ShareInterval(part, whole Figure) (lower, upper float64, ok bool) {
	share := Share(part, whole)
	if !share.Known() || math.IsNaN(share.Estimate) {
		return math.NaN(), math.NaN(), false
	}
	p, moe := min(max(share.Estimate, 0), 1), share.MOE
	if p-moe >= 0 && p+moe <= 1 || moe == 0 {
		return p - moe, p + moe, true
	}
	lower, upper = wilson(p, effective(p, moe))
	return lower, upper, true
}

// effective is the size of a simple random sample in which the share p has the margin moe: p(1−p)/SE². A share below its
// standard error is less than one of such a sample: it says little, and its margin more. There p gives way to q, which
// goes from the standard error up to the margin as p goes down to 0, where it makes the margin of the zero the upper limit
// of Wilson's interval. The same holds for what a share is short of 1.
func effective(p, moe float64) float64 {
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
