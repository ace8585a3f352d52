package rating

import (
	"math"
	"slices"

	"quartier/internal/wording"
	"quartier/schemas/calibration"
)

// Errands are the kinds of errand (slots) that are known, and how the others are estimated from them (docs/methods.md, 1.1).
type Errands struct {
	Slots    []calibration.Slot // known ones; their weights are their own and what they say of the unknown ones
	Unknown  []Unknown
	Of       float64 // weight of all slots, known or not
	Residual float64 // points of 0–5: root mean square of what is estimated; +Inf if nothing is known

	enough bool
}

// Unknown is a kind of errand that is estimated.
type Unknown struct {
	Name   string
	Weight float64
	From   []string // names of the slots, by coefficient
}

// NewErrands divides the slots into those of which most places are known and the others; of shops only, if so selected.
func NewErrands(c *calibration.Calibration, m *calibration.Moments, shopsOnly bool, known func(class string) bool) *Errands {
	e := &Errands{}
	slots := c.Access.Slots
	weights, has := make([]float64, len(slots)), uint(0)
	for i, slot := range slots {
		if shopsOnly && !slot.Shops {
			continue
		}
		if !slot.Evidence {
			weights[i] = Total(slot.Weights)
			e.Of += weights[i]
		}
		if c.Known.Nearest(slot.Classes, known) {
			has |= 1 << i
		}
	}
	estimate := NewEstimate(m, weights, has)
	for i, slot := range slots {
		switch {
		case has>>i&1 != 0 && estimate.Weights[i] > 0:
			slot.Weights = scaled(slot.Weights, estimate.Weights[i]/Total(slot.Weights))
			e.Slots = append(e.Slots, slot)
		case has>>i&1 == 0 && weights[i] > 0:
			e.Unknown = append(e.Unknown, Unknown{slot.Name, weights[i], from(slots, estimate.Parts[i])})
		}
	}
	e.Residual = 5 * estimate.Residual / e.Of
	e.enough = len(e.Slots) > 0 && e.Residual <= c.Estimates.MaxResidual
	return e
}

func scaled(weights []float64, factor float64) []float64 {
	if factor == 1 {
		return weights
	}
	weights = slices.Clone(weights)
	for i := range weights {
		weights[i] *= factor
	}
	return weights
}

// from names the slots with a coefficient, the greatest first.
func from(slots []calibration.Slot, coefficients []float64) (names []string) {
	var of []int
	for i := range slots {
		if coefficients[i] >= 0.005 {
			of = append(of, i)
		}
	}
	slices.SortStableFunc(of, func(a, b int) int { return int(math.Copysign(1, coefficients[b]-coefficients[a])) })
	for _, i := range of {
		names = append(names, slots[i].Name)
	}
	return names
}

// Note describes of how many points (weights) the errands are made. Example: "errands of 12 of 15 points; estimated from
// the others, with a residual of 0.15 points of the score: shopping (2) by restaurants and bars, coffee, daily needs".
func (e *Errands) Note() *wording.Line {
	known := e.Of
	var in []*wording.Line
	for _, u := range e.Unknown {
		known -= u.Weight
		in = append(in, say("errand_by", wording.Class(u.Name), u.Weight, wording.Classes(u.From)))
	}
	if in == nil {
		return say("errands_of", known, e.Of)
	}
	return say("errands_of_estimated", known, e.Of, e.Residual, wording.List("semicolon_list", in))
}

// Enough reports whether the known slots may represent all of them.
func (e *Errands) Enough() bool { return e.enough }

// Share is the sum over the known slots as a share of the greatest possible sum of all, 0–1. Callers check Enough.
func (e *Errands) Share(sum float64, t *Trace) float64 {
	share := clamp(sum / e.Of)
	if t != nil {
		t.step("S", say("errands_sum"), sum)
		t.step("errands", formula("{clamp}({S}/{all weights})"), share, value("S", sum), value("all weights", e.Of), e.weights())
	}
	return share
}

// weights are the total weights of the kinds of errand, with what they say of unknown ones.
func (e *Errands) weights() Var {
	var totals []float64
	for _, slot := range e.Slots {
		totals = append(totals, Total(slot.Weights))
	}
	return constants("total weights of the kinds of errand", totals, "", "access.slots")
}

// Shops is shops_and_services_access of the share of Errands that are shops.
func Shops(share float64, t *Trace) float64 {
	if t != nil {
		t.step("", formula("5 × {errands}"), 5*share, value("errands", share))
	}
	return 5 * share
}

// Driven is the worth of a driving time in minutes, 0–1.
func Driven(m calibration.Minutes, minutes float64) float64 {
	return clamp((m.None - minutes) / (m.None - m.Full))
}
