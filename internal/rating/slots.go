package rating

import (
	"fmt"
	"slices"
	"strings"

	"quartier/schemas/calibration"
)

// Errands are kinds of errand (slots) with the share of their weight for which places are known (docs/methods.md, 1.1).
type Errands struct {
	Slots       []calibration.Slot // with data; the classes of a slot without places of its own are its substitutes
	Substituted []calibration.Slot // those of Slots whose classes are substitutes
	Missing     []string           // names of the slots without data
	Weight      float64            // of Slots
	Of          float64            // weight of all slots, known or not

	enough bool
}

// NewErrands selects the slots of which most places are known, or failing that some substitute; of shops only, if so
// selected.
func NewErrands(c *calibration.Calibration, shopsOnly bool, known func(class string) bool) *Errands {
	e := &Errands{}
	for _, slot := range c.Access.Slots {
		if shopsOnly && !slot.Shops {
			continue
		}
		e.Of += Total(slot.Weights)
		if !c.Known.Nearest(slot.Classes, known) {
			slot.Classes = slices.DeleteFunc(slices.Clone(slot.Substitutes), func(class string) bool { return !known(class) })
			if len(slot.Classes) == 0 {
				e.Missing = append(e.Missing, slot.Name)
				continue
			}
			e.Substituted = append(e.Substituted, slot)
		}
		e.Slots, e.Weight = append(e.Slots, slot), e.Weight+Total(slot.Weights)
	}
	e.enough = e.Weight > 0 && e.Weight >= c.Coverage.SlotShare*e.Of
	return e
}

// Note describes of how many points (weights) the errands are made. Example: "errands of 14 of 15 points: shopping
// (2) by convenience, specialty grocery in its place; without banks".
func (e *Errands) Note() string {
	text := fmt.Sprintf("errands of %.4g of %.4g points", e.Weight, e.Of)
	var in []string
	for _, slot := range e.Substituted {
		in = append(in, fmt.Sprintf("%s (%.4g) by %s in its place", slot.Name, Total(slot.Weights), words(strings.Join(slot.Classes, ", "))))
	}
	if e.Missing != nil {
		in = append(in, "without "+strings.Join(e.Missing, ", ")+", for which there are no data")
	}
	if in != nil {
		text += ": " + strings.Join(in, "; ")
	}
	return text
}

// Enough reports whether the slots with data may represent all of them.
func (e *Errands) Enough() bool { return e.enough }

// Share is the sum over all slots as a share of the greatest possible sum, 0–1. Callers check Enough.
func (e *Errands) Share(sum float64, t *Trace) float64 {
	share := sum / e.Weight
	if t != nil {
		t.step("S", "Σ weight_k W(d_k) over the nearest places of each kind of errand", sum)
		t.step("errands", "{S}/{Σ weights}", share, value("S", sum), value("Σ weights", e.Weight), e.weights())
	}
	return share
}

// weights are the total weights of the kinds of errand.
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
		t.step("", "5 × {errands}", 5*share, value("errands", share))
	}
	return 5 * share
}

// Driven is the worth of a driving time in minutes, 0–1.
func Driven(m calibration.Minutes, minutes float64) float64 {
	return clamp((m.None - minutes) / (m.None - m.Full))
}
