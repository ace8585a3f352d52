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

// effective is the size of a simple random sample in which the share p has the margin moe: q(1−q)/SE², where q is p kept
// at least a margin away from 0 and 1. At p = 0 that makes the upper limit of Wilson's interval the margin of the zero
// itself, and a share that is next to nothing beside its margin is known no worse than none at all.
func effective(p, moe float64) float64 {
	q := 0.5
	if moe < 0.5 {
		q = min(max(p, moe), 1-moe)
	}
	return q * (1 - q) * Z * Z / (moe * moe)
}

// wilson is the score interval of the share p of a sample of n.
func wilson(p, n float64) (lower, upper float64) {
	t := Z * Z / n
	centre := (p + t/2) / (1 + t)
	half := math.Sqrt(p*(1-p)*t+t*t/4) / (1 + t)
	return min(p, max(0, centre-half)), max(p, min(1, centre+half))
}
