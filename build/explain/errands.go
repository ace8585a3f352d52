package explain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas/calibration"
)

// errands is the base by slots: of each kind of errand the nearest places (methods, 1.1).
type errands struct {
	slots   []calibration.Slot // that have ground
	places  [][]*place         // of each
	unknown []string
	weight  float64 // of those that have ground
	stands  bool    // enough of them for the rest to stand for all
}

// findErrands looks for the places of slots as far as a way so many times shorter than on foot is worth anything.
func (o *origin) findErrands(stretch float64, only func(calibration.Slot) bool) (*errands, error) {
	e, all := &errands{}, 0.0
	for _, slot := range o.r.c.Access.Slots {
		if !only(slot) {
			continue
		}
		weight := rating.Total(slot.Weights)
		all += weight
		if !slices.ContainsFunc(slot.Classes, o.ground.knows) {
			e.unknown = append(e.unknown, slot.Name)
			continue
		}
		places, err := o.nearest(slot.Classes, len(slot.Weights), o.r.walk.Reach()*stretch, nil)
		if err != nil {
			return nil, err
		}
		e.slots, e.places, e.weight = append(e.slots, slot), append(e.places, places), e.weight+weight
	}
	e.stands = e.weight > 0 && e.weight >= o.r.c.Coverage.SlotShare*all
	return e, nil
}

// base is the share of the weights that is reached, 0–1.
func (e *errands) base(o *origin, farther network.Distance, stretch float64) float64 {
	if !e.stands {
		return math.NaN()
	}
	sum := 0.0
	for i, slot := range e.slots {
		sum += rating.Slots(slot.Weights, o.worths(e.places[i], farther, stretch))
	}
	return sum / e.weight
}

// rows are the places that count, by slot.
func (e *errands) rows(o *origin, stretch float64) (rows []Place) {
	for i, slot := range e.slots {
		for k, p := range e.places[i] {
			row := o.row(p, k, stretch, slot.Weights[k])
			if row.For = slot.Name; row.Part > 0 {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// remark tells which errands count for nothing, and which nothing is known of.
func (e *errands) remark(x *Explanation) {
	var none []string
	for i, slot := range e.slots {
		if len(e.places[i]) == 0 {
			none = append(none, slot.Name)
		}
	}
	if none != nil {
		x.Remarks = append(x.Remarks, "none is near enough of: "+strings.Join(none, ", "))
	}
	if len(e.unknown) > 0 {
		x.Remarks = append(x.Remarks, fmt.Sprintf("made without the errands of which nothing is known: %s; the others stand for them", strings.Join(e.unknown, ", ")))
	}
}

func everyErrand(calibration.Slot) bool { return true }

// shopsAndServices explains the errands that are shops.
func (o *origin) shopsAndServices(x *Explanation) error {
	x.Formula = "5 × Σ weight_k W(d_k) / Σ weights, over errands that are shops: of each kind so many nearest places"
	x.Constants = constants("weights", "by kind of errand", "access.slots", "at least known", number(o.r.c.Coverage.SlotShare), "ground.slot_share")
	if x.Served == nil {
		x.Absent = o.noErrands()
		return nil
	}
	e, err := o.findErrands(1, func(s calibration.Slot) bool { return s.Shops })
	if err != nil {
		return err
	}
	x.Places = e.rows(o, 1)
	value := func(farther network.Distance) float64 { return 5 * e.base(o, farther, 1) }
	o.anew(x, value)
	x.Worked = fmt.Sprintf("5 × %.4f / %s = %.4f", value(0)*e.weight/5, number(e.weight), value(0))
	e.remark(x)
	return nil
}

// noErrands is why nothing made of errands is told here.
func (o *origin) noErrands() string {
	if o.ground.note != "" {
		return "of too many kinds of errand nothing is known; the manifest says: " + o.ground.note
	}
	return o.noGround()
}
