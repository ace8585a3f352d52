// Package rating is the formulas of measures and scores: pure functions of distances, counts and other measures, with
// their constants out of the calibration. In go metres and numbers of 0–5, out come numbers of 0–5; NaN is absent.
// transform makes the channels with them, and explain tells how a number came about.
package rating

import (
	"math"

	"quartier/schemas/calibration"
)

// Walk is W, how the worth of a place falls with the way there (methods, section 0): a table by decimetres, straight
// between, that never rises.
type Walk struct {
	full  float64 // metres
	table []float64
}

const perMetre = 10 // entries of the table

// NewWalk tabulates W.
func NewWalk(c calibration.Walking) *Walk {
	w := &Walk{full: c.FullCreditM, table: make([]float64, int(math.Ceil(c.NoCreditM*perMetre))+1)}
	least := 1.0
	for i := range w.table {
		least = min(least, decay(c, float64(i)/perMetre))
		w.table[i] = least
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
	return min(max(w, 0), 1)
}

// Worth is W of a way of so many metres, 0–1; 0 for +Inf, NaN for NaN.
func (w *Walk) Worth(metres float64) float64 {
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

// Reach is how far anything is worth something, metres.
func (w *Walk) Reach() float64 { return float64(len(w.table)-1) / perMetre }
