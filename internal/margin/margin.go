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
	Squares  float64 // of the margins of all estimates but zeros
	Zero     float64 // the largest square of a margin of a zero estimate
	Mixed    float64 // squares of margins: the parts of an area differ from it in what they consist of
	Placed   Sides   // squares of margins: it is not known in which part of an area its people live
	Unknown  bool    // the margin of a figure is not known, so neither is that of the sum
}

// Sides are what is below and above an estimate whose interval need not be symmetric.
type Sides struct{ Below, Above float64 }

// Add adds the share weight, 0 to 1, of a figure, where the share is certain. Weight 0 adds nothing.
//
// Of the margins of all zero estimates only the largest counts, because they are not independent.
func (s *Sum) Add(f Figure, weight float64) {
	if weight == 0 {
		return
	}
	s.Estimate += weight * f.Estimate
	moe := weight * f.MOE
	switch {
	case !f.Known():
		s.Unknown = true
	case f.Estimate == 0:
		s.Zero = max(s.Zero, moe*moe)
	default:
		s.Squares += moe * moe
	}
}

// AddPart adds the share weight of a figure of an area that is in a part of it. The errors of the share (docs/methods.md,
// 7.2) are mixed, the square of a margin in units of the figure, and placed, margins of the share.
func (s *Sum) AddPart(f Figure, weight, mixed float64, placed Sides) {
	s.Add(f, weight)
	if weight == 0 || f.Estimate == 0 || !f.Known() {
		return
	}
	square := f.Estimate * f.Estimate
	s.Mixed += mixed
	s.Placed.Below += square * placed.Below * placed.Below
	s.Placed.Above += square * placed.Above * placed.Above
}

// Merge adds the sum of other areas.
func (s *Sum) Merge(o Sum) {
	s.Estimate += o.Estimate
	s.Squares += o.Squares
	s.Zero = max(s.Zero, o.Zero)
	s.Mixed += o.Mixed
	s.Placed.Below += o.Placed.Below
	s.Placed.Above += o.Placed.Above
	s.Unknown = s.Unknown || o.Unknown
}

// Join adds the share weight of the sum of another cell of the same areas. Where people live is one error of all cells, so
// that its margins add up without squares.
func (s *Sum) Join(o Sum, weight float64) {
	square := weight * weight
	s.Estimate += weight * o.Estimate
	s.Squares += square * o.Squares
	s.Zero = max(s.Zero, square*o.Zero)
	s.Mixed += square * o.Mixed
	s.Unknown = s.Unknown || o.Unknown
	below := math.Sqrt(s.Placed.Below) + weight*math.Sqrt(o.Placed.Below)
	above := math.Sqrt(s.Placed.Above) + weight*math.Sqrt(o.Placed.Above)
	s.Placed = Sides{below * below, above * above}
}

// Published is the sum with the margins of its figures only.
func (s Sum) Published() Figure { return s.figure(0) }

// Composed is the sum with the margins of its figures and of what parts consist of: those of its shares, which do not
// depend on how many people live in a part.
func (s Sum) Composed() Figure { return s.figure(s.Mixed) }

// Figure is the sum with its margin of error, on either side the same.
func (s Sum) Figure() Figure { return s.figure(s.Mixed + s.placed()) }

// placed is the square of the margin of where people live, on either side the same.
func (s Sum) placed() float64 { return (s.Placed.Below + s.Placed.Above) / 2 }

func (s Sum) figure(more float64) Figure {
	if s.Unknown {
		return Figure{s.Estimate, math.NaN()}
	}
	return Figure{s.Estimate, math.Sqrt(s.Squares + s.Zero + more)}
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

// Ratio is the sum divided by one of the same areas.
func (s Sum) Ratio(of Sum) Figure {
	f := Ratio(s.Composed(), of.Composed())
	f.MOE = math.Hypot(f.MOE, math.Sqrt(s.placedApart(of, f.Estimate))/of.Estimate)
	return f
}

// placedApart is the square of the margin that r, the sum over another one of the same areas, has because of where people
// live: of several areas with different ratios it is not known how much of each counts. In one area both are off by the
// same share, which their ratio is not.
func (s Sum) placedApart(of Sum, r float64) float64 { return max(0, s.placed()-r*r*of.placed()) }
