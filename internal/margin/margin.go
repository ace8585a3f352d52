// Package margin carries margins of error along: in go figures with the margins of error that publishers tell, out come
// sums, shares, ratios, medians and means with theirs. Formulas are the approximations of the Census Bureau's handbook
// "Understanding and Using American Community Survey Data" (chapter 8), which ignore covariances, where nothing else is
// said. Everything is a pure function; nothing allocates.
//
// All margins and intervals hold at 90 %.
package margin

import "math"

// Z is the number of standard errors in a margin of error at 90 %.
const Z = 1.645

// Figure is an estimate with the half width of its 90 % interval. MOE is NaN where no error is known, and 0 where the
// estimate is exact.
type Figure struct {
	Estimate, MOE float64
}

// Known reports whether the margin of error is known.
func (f Figure) Known() bool { return !math.IsNaN(f.MOE) }

// From95 is the 90 % margin of error of an estimate whose 95 % interval is lower to upper: half its width × 1.645/1.96.
// NaN where a limit is.
func From95(lower, upper float64) float64 {
	const z95 = 1.96
	return (upper - lower) / 2 * Z / z95
}

// Rounded is an estimate that is the sum of counts each of which was rounded at random, with a standard error of se a
// count: Statistics Canada's rounding to base 5 has a variance of 4.
func Rounded(estimate float64, counts int, se float64) Figure {
	return Figure{estimate, Z * se * math.Sqrt(float64(counts))}
}

// Sum adds up figures of different areas or cells. The zero value is the sum of nothing: zero, exactly.
type Sum struct {
	Estimate float64
	Squares  float64 // of the margins of all estimates but zeros, and of what sharing out may be wrong by
	Zero     float64 // the largest square of a margin of a zero estimate
	Unknown  bool    // the margin of some figure is not known, so neither is that of the sum
}

// Add adds the share weight, 0 to 1, of a figure. stray is the standard deviation that the true share has from it, which
// counts as an error of its own (methods, 7.2); 0: the share is certain. Weight 0 adds nothing.
//
// Of all zero estimates only the largest margin counts, once: they are not independent, and there are many of them.
func (s *Sum) Add(f Figure, weight, stray float64) {
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
	stray *= Z * f.Estimate
	s.Squares += moe*moe + stray*stray
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

// Share is part divided by the whole that it belongs to, with the margin of a proportion; that of a ratio where the
// proportion's has no root, and that of the part over the whole where the part is all of it. The estimate is NaN where
// the whole is not above zero.
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

// Ratio is x divided by y, of which neither is part of the other. The estimate is NaN where y is not above zero.
func Ratio(x, y Figure) Figure {
	if !(y.Estimate > 0) {
		return Figure{math.NaN(), math.NaN()}
	}
	r := x.Estimate / y.Estimate
	return Figure{r, math.Hypot(x.MOE, r*y.MOE) / y.Estimate}
}
