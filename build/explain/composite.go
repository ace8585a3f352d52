package explain

import (
	"cmp"
	"math"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/internal/wording"
	"quartier/schemas"
)

// errands are the places of every kind of errand (slot), as far as a distance of factor times that on foot counts.
type errands struct {
	*rating.Errands
	factor float64
	lists  []list
}

func (l *location) newErrands(shopsOnly bool, factor float64) *errands {
	moments := l.r.c.Estimates.Walk
	if factor != 1 {
		moments = l.r.c.Estimates.Bicycle
	}
	e := &errands{rating.NewErrands(l.r.c, moments, shopsOnly, l.coverage.has), factor, nil}
	for _, slot := range e.Slots {
		places := l.nearest(slot.Classes, len(slot.Weights), l.r.walk.Reach()*factor, nil)
		e.lists = append(e.lists, list{wording.Say("class", wording.Class(slot.Name)), places})
	}
	return e
}

// share is the share of the weights that is reached, 0–1; NaN if there are data for too few kinds of errand.
func (e *errands) share(w *rating.Decay, extra network.Distance, t *rating.Trace) float64 {
	if !e.Enough() {
		return math.NaN()
	}
	sum := 0.0
	for i, slot := range e.Slots {
		sum += w.Sum(slot.Weights, metres(e.lists[i].places, extra), e.factor, t)
	}
	return e.Share(sum, t)
}

// remarks name the errands with no place near enough, and those that are estimated.
func (e *errands) remarks() (remarks []*wording.Line) {
	var none []string
	for i, l := range e.lists {
		if len(l.places) == 0 {
			none = append(none, e.Slots[i].Name)
		}
	}
	if none != nil {
		remarks = append(remarks, wording.Say("none_near_enough", wording.Classes(none)))
	}
	if e.Unknown != nil && e.Enough() {
		remarks = append(remarks, e.Note())
	}
	if e.factor != 1 {
		remarks = append(remarks, wording.Say("bicycle_distances", e.factor))
	}
	return remarks
}

// shops is shops_and_services_access.
func (l *location) shops() *formula {
	e := l.newErrands(true, 1)
	return &formula{lists: e.lists, absent: l.missingErrands(), remarks: e.remarks(),
		value: func(extra network.Distance, t *rating.Trace) float64 {
			return rating.Shops(e.share(l.r.walk, extra, t), t)
		}}
}

func (l *location) missingErrands() *wording.Line {
	e := rating.NewErrands(l.r.c, l.r.c.Estimates.Walk, false, l.coverage.has)
	if e.Enough() {
		return nil
	}
	var names []string
	for _, u := range e.Unknown {
		names = append(names, u.Name)
	}
	return wording.Say("errands_unknown", wording.Classes(names))
}

// inputs are the channels and quantities at the location: served is as the API serves them; else they are recomputed
// with extra added to the distance of every place, as far as possible.
func (l *location) inputs(extra network.Distance, served bool) *rating.Inputs {
	key := extra
	if served {
		key = network.Far
	}
	if in := l.computed[key]; in != nil {
		return in
	}
	in := &rating.Inputs{Quantities: l.quantities}
	for c := range in.Channels {
		in.Channels[c] = l.value(schemas.Channel(c))
	}
	for q, factor := range map[rating.Quantity]float64{rating.WalkErrands: 1, rating.BicycleErrands: l.r.c.Walking.BicycleFactor} {
		in.Quantities[q] = l.newErrands(false, factor).share(l.r.walk, extra, nil)
	}
	if !served {
		l.recomputeInputs(in, extra)
	}
	l.computed[key] = in
	return in
}

// recomputeInputs replaces the channels that can be recomputed.
func (l *location) recomputeInputs(in *rating.Inputs, extra network.Distance) {
	for _, c := range rating.InputMeasures {
		if f := l.formula(c); f.notRecomputed == nil && l.served[c] != schemas.AbsentValue {
			in.Channels[c] = f.value(extra, nil)
		}
	}
	for _, score := range rating.Composites {
		if v := score.Value(l.r.c, in, nil); !math.IsNaN(v) && l.served[score.Channel] != schemas.AbsentValue {
			in.Channels[score.Channel] = v
		}
	}
}

// composite is a score made of channels, quantities and other scores.
func (l *location) composite(score rating.Composite) *formula {
	f := &formula{absent: absentComposites[schemas.ChannelName(score.Channel)]}
	var e *errands
	quantity := rating.WalkErrands
	switch name := schemas.ChannelName(score.Channel); name {
	case "pedestrian_friendly":
		e = l.newErrands(false, 1)
		f.absent = cmp.Or(l.missingErrands(), f.absent)
	case "cycling_friendly":
		quantity = rating.BicycleErrands
		e = l.newErrands(false, l.r.c.Walking.BicycleFactor)
		f.finish = l.nameNetworks
	case "quiet":
		f.finish = l.describeNoise
		f.absent = cmp.Or(l.missingHeard(), f.absent)
	case "historic", "greenery":
		f.notRecomputed = wording.Say("lacks_buildings_and_land")
	}
	if e != nil {
		f.lists, f.remarks = e.lists, e.remarks()
	}
	f.value = func(extra network.Distance, t *rating.Trace) float64 {
		in := l.inputs(extra, t != nil)
		if t != nil && e != nil {
			in.Quantities[quantity] = e.share(l.r.walk, extra, t)
		}
		return score.Value(l.r.c, in, t)
	}
	return f
}

// nameNetworks names the cycling networks of cities that lanes may come from, of which a release keeps no pieces.
func (l *location) nameNetworks(x *Explanation) {
	for _, s := range l.r.manifest.Sources {
		if s.Region == l.street.Region && s.Kind == "cycling-network" {
			l.used[[2]string{s.Region, s.ID}] = true
			x.Remarks = append(x.Remarks, l.text(wording.Say("cycling_network", s.ID)))
		}
	}
}

// absentComposites are the reasons for composite scores without a value.
var absentComposites = map[string]*wording.Line{
	"pedestrian_friendly": wording.Say("no_errands_or_form"),
	"cycling_friendly":    wording.Say("no_lanes_or_stress"),
	"car_friendly":        wording.Say("no_car_data"),
	"quiet":               wording.Say("no_noise_data"),
	"historic":            wording.Say("no_years"),
	"greenery":            wording.Say("no_trees_or_land"),
	"wellness":            wording.Say("too_little_weight"),
	"parks":               wording.Say("no_parks_data"),
}
