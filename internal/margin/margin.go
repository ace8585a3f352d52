// Package margin propagates margins of error: from figures with published margins it computes sums, shares, ratios,
// medians and means with theirs. Unless noted otherwise the formulas are the approximations of the Census Bureau's
// handbook "Understanding and Using American Community Survey Data" (chapter 8), which ignore covariances. All functions
// are pure and allocate nothing.
//
// All margins and intervals are at 90 % confidence.
package margin

import "math"

// Z is the number of standard errors in a margin of error at 90 %.
const Z = 1.645

// Figure is an estimate with the half width of its 90 % interval. MOE is NaN if the error is not known and 0 if the
// estimate is exact.
type Figure struct {
	Estimate, MOE float64
}

// Known reports whether the margin of error is known.
func (f Figure) Known() bool { return !math.IsNaN(f.MOE) }

// From95 is the 90 % margin of error of an estimate whose 95 % interval is lower to upper: half its width × 1.645/1.96.
// NaN if a limit is NaN.
func From95(lower, upper float64) float64 {
	const z95 = 1.96
	return (upper - lower) / 2 * Z / z95
}

// Rounded is an estimate that is the sum of randomly rounded counts, each with a standard error of se: Statistics Canada's
// rounding to base 5 has a variance of 4.
func Rounded(estimate float64, counts int, se float64) Figure {
	return Figure{estimate, Z * se * math.Sqrt(float64(counts))}
}

// Sum adds up figures of different areas or cells. The zero value is an empty sum: zero, exactly.
//
// 40 ± 12, 0 ± 9, 0 ± 11 and half of 30 ± 10 add up to 55 ± 17.0 = √(12² + 11² + 5²).
type Sum struct {
	Estimate float64
	Squares  float64 // of the margins of all estimates but zeros, and of the allocation errors
	Zero     float64 // the largest square of a margin of a zero estimate
	Unknown  bool    // the margin of a figure is not known, so neither is that of the sum
}

// Add adds the share weight, 0 to 1, of a figure. deviation is the standard deviation of the true share from weight, the
// allocation error (docs/methods.md, 7.2), 0 if the share is certain. Weight 0 adds nothing.
//
// Of the margins of all zero estimates only the largest counts, because they are not independent.
func (s *Sum) Add(f Figure, weight, deviation float64) {
	if weight == 0 {
		return
	}
	s.Estimate += weight * f.Estimate
	if !f.Known() {
		s.Unknown = true
		return
	}
	moe := weight * f.MOE
	if f.Estimate == 0 {
		s.Zero = max(s.Zero, moe*moe)
		return
	}
	deviation *= Z * f.Estimate
	s.Squares += moe*moe + deviation*deviation
}

// Merge adds the sum of other areas or cells.
func (s *Sum) Merge(o Sum) {
	s.Estimate += o.Estimate
	s.Squares += o.Squares
	s.Zero = max(s.Zero, o.Zero)
	s.Unknown = s.Unknown || o.Unknown
}

// Figure is the sum with its margin of error.
func (s Sum) Figure() Figure {
	if s.Unknown {
		return Figure{s.Estimate, math.NaN()}
	}
	return Figure{s.Estimate, math.Sqrt(s.Squares + s.Zero)}
}

// Share is part divided by the whole that contains it, with the margin of a proportion: √(MOE² − p²·MOEwhole²)/whole. If
// the radicand is negative it is the margin of a ratio, with a plus; if part equals whole, the part's margin over the
// whole. The estimate is NaN if the whole is not positive.
func Share(part, whole Figure) Figure {
	if !(whole.Estimate > 0) {
		return Figure{math.NaN(), math.NaN()}
	}
	p := part.Estimate / whole.Estimate
	own, others := part.MOE*part.MOE, p*p*whole.MOE*whole.MOE
	square := own - others
	if part.Estimate == whole.Estimate && whole.Known() {
		square = own
	} else if square < 0 {
		square = own + others
	}
	return Figure{p, math.Sqrt(square) / whole.Estimate}
}

// Ratio is x divided by y, neither of which is part of the other. The estimate is NaN if y is not positive.
func Ratio(x, y Figure) Figure {
	if !(y.Estimate > 0) {
		return Figure{math.NaN(), math.NaN()}
	}
	r := x.Estimate / y.Estimate
	return Figure{r, math.Hypot(x.MOE, r*y.MOE) / y.Estimate}
}
