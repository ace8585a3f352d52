// Package rating computes measures and scores: pure functions of distances, counts, quantities and other measures, with
// their constants from the calibration. Input: metres, counts and numbers of 0–5. Output: numbers of 0–5; NaN means no
// data. Each function also records how its number was computed if it is given a Trace, so that transform, which
// computes the channels of all nodes, and build/explain, which explains them at one point, run the same code.
package rating

import (
	"math"

	"quartier/schemas/calibration"
)

// Decay is W, by which a place counts less with its network distance (docs/methods.md, 0): a table by decimetres,
// interpolated linearly, that never rises.
type Decay struct {
	full  float64 // metres
	table []float64
}

const perMetre = 10 // entries of the table

// NewDecay tabulates W.
func NewDecay(c calibration.Walking) *Decay {
	w := &Decay{full: c.FullCreditM, table: make([]float64, int(math.Ceil(c.NoCreditM*perMetre))+1)}
	lowest := 1.0
	for i := range w.table {
		lowest = min(lowest, decay(c, float64(i)/perMetre))
		w.table[i] = lowest
	}
	w.table[len(w.table)-1] = 0
	return w
}

func decay(c calibration.Walking, metres float64) float64 {
	switch {
	case metres <= c.FullCreditM:
		return 1
	case metres >= c.NoCreditM:
		return 0
	}
	w, power := 0.0, 1.0
	for _, coefficient := range c.Decay {
		w += coefficient * power
		power *= metres / 1000
	}
	return clamp(w)
}

// At is W of a distance in metres, 0–1; 0 for +Inf, NaN for NaN.
func (w *Decay) At(metres float64) float64 {
	switch {
	case metres <= w.full:
		return 1
	case math.IsNaN(metres):
		return metres
	}
	at := metres * perMetre
	if at >= float64(len(w.table)-1) {
		return 0
	}
	i := int(at)
	return w.table[i] + (at-float64(i))*(w.table[i+1]-w.table[i])
}

// Reach is the distance from which W is 0, in metres.
func (w *Decay) Reach() float64 { return float64(len(w.table)-1) / perMetre }

// Sum is Σ weights[k] W(metres[k]/factor) over the nearest places, nearest first. Places beyond the weights do not
// count, and weights beyond the places are lost. Example: weights 1 and 0.8 and cafés at 100 m and 805 m (W 0.75) give
// 1 + 0.8 × 0.75 = 1.6.
func (w *Decay) Sum(weights, metres []float64, factor float64, t *Trace) float64 {
	sum := 0.0
	for k, m := range metres[:min(len(metres), len(weights))] {
		decay := w.At(m / factor)
		sum += weights[k] * decay
		if t != nil {
			t.Terms = append(t.Terms, Term{Metres: m, Decay: decay, Weight: weights[k]})
		}
	}
	return sum
}

// geometric are the weights first, first·λ, first·λ² … of n places.
func geometric(first, lambda float64, n int) []float64 {
	weights := make([]float64, n)
	for k := range weights {
		weights[k] = first
		first *= lambda
	}
	return weights
}
