package explain

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/internal/wording"
	"quartier/schemas"
)

// formula computes a channel at the location.
type formula struct {
	// value computes the channel, with extra added to the distance of every place; NaN if there are no data. With a
	// trace it takes other channels as they are served, so that the report shows the same numbers as the API.
	value func(extra network.Distance, t *rating.Trace) float64

	lists         []list        // the places that it counts, in the order of the terms of the trace
	absent        *wording.Line // why there is no value, if there is none
	notRecomputed *wording.Line // why value only follows from what is served; nil if it is computed from the release
	remarks       []*wording.Line
	finish        func(x *Explanation) // adds what no trace records; may be nil
}

// list is places, nearest first.
type list struct {
	use    *wording.Line // the errand or band for which they count; those without a share of the sum are not shown
	places []*place
}

// formula finds the formula of a channel, with the places that it needs.
func (l *location) formula(c schemas.Channel) *formula {
	f := l.formulas[c]
	if f == nil {
		f = l.newFormula(c)
		l.formulas[c] = f
	}
	return f
}

func (l *location) newFormula(c schemas.Channel) *formula {
	name := schemas.ChannelName(c)
	if measure, ok := rating.SameAs[name]; ok {
		c, _ := schemas.ChannelOf(measure)
		return l.formula(c)
	}
	if _, ok := l.r.c.Transit.Kinds[name]; ok {
		return l.transit(name, l.served[c] != schemas.AbsentValue)
	}
	for _, rule := range rating.NearestRules(l.r.c, l.r.walk) {
		if rule.Channel == name {
			return l.nearestRule(rule, c)
		}
	}
	switch name {
	case "shops_and_services_access":
		return l.shops()
	case "park_access":
		return l.parkAccess()
	case "park_access_weighted_by_area":
		return l.parksBySize()
	case "vibrant":
		return l.vibrant()
	}
	for _, score := range rating.Composites {
		if score.Channel == c {
			return l.composite(score)
		}
	}
	if f := l.inferred(c); f != nil {
		return f
	}
	panic("no formula for " + name) // a test covers all channels
}

// nearestRule is a channel of the nearest places of a class.
func (l *location) nearestRule(rule rating.Rule, c schemas.Channel) *formula {
	f := &formula{absent: l.missingClass(rule.Class)}
	var places []*place
	if l.served[c] != schemas.AbsentValue {
		places = l.nearest([]string{rule.Class}, rule.Places, rule.ReachM, nil)
		f.lists = []list{{places: places}}
		if len(places) == 0 {
			f.remarks = []*wording.Line{l.beyond(rule)}
		}
	}
	f.value = func(extra network.Distance, t *rating.Trace) float64 { return rule.Value(metres(places, extra), t) }
	if l.mayBeLent(places, rule) && math.Abs(f.value(0, nil)-l.value(c)) > lentApart {
		f.lists, f.remarks = nil, nil
		f.notRecomputed = wording.Say("lent_place_nearer", l.r.walk.Reach())
	}
	return f
}

// lentApart is by how much a value is another one than that of the places listed.
const lentApart = 1e-3

// mayBeLent reports whether a place that is lent and not in the release may be among the nearest ones.
func (l *location) mayBeLent(places []*place, rule rating.Rule) bool {
	if !l.borders || l.area == nil || rule.ReachM <= l.r.walk.Reach() {
		return false
	}
	return len(places) < rule.Places || places[len(places)-1].way > network.Metres(l.r.walk.Reach())
}

// beyond describes how far the nearest place is if it is too far to count.
func (l *location) beyond(rule rating.Rule) *wording.Line {
	limit := max(rule.ReachM, 4*l.r.walk.Reach())
	places := l.nearest([]string{rule.Class}, 1, limit, nil)
	if len(places) == 0 {
		return wording.Say("none_within", wording.Class(rule.Class), limit)
	}
	p := places[0]
	var name any = p.name
	if p.name == "" {
		name = wording.Say("nameless")
	}
	return wording.Say("none_within_nearest", wording.Class(rule.Class), rule.ReachM, name, p.key, p.way.Metres())
}

// parkAccess counts the nearest parks of at least a minimum size.
func (l *location) parkAccess() *formula {
	c := &l.r.c.Access
	places := l.nearest([]string{"park"}, len(c.ParkSlots), l.r.walk.Reach(),
		func(p *place) bool { return rating.ParkSize(c, p.hectares) >= c.ParkMinHa })
	return &formula{lists: []list{{places: places}}, absent: l.missingClass("park"),
		value: func(extra network.Distance, t *rating.Trace) float64 {
			return rating.ParkAccess(c, l.r.walk, metres(places, extra), t)
		}}
}

// parksBySize counts the nearest parks of every band of sizes.
func (l *location) parksBySize() *formula {
	c := &l.r.c.Access
	bands := rating.ParkBands(&c.ParkSizes, l.r.walk)
	f := &formula{absent: l.missingClass("park")}
	for i, band := range bands {
		places := l.nearest([]string{"park"}, c.ParkSizes.Places, band.ReachM, func(p *place) bool {
			return rating.Band(c.ParkSizes.BandsHa, rating.ParkSize(c, p.hectares)) == i
		})
		f.lists = append(f.lists, list{wording.Say("ha_and_more", band.FromHa), places})
	}
	f.value = func(extra network.Distance, t *rating.Trace) float64 {
		sum := 0.0
		for i := range bands {
			sum += bands[i].Sum(metres(f.lists[i].places, extra), t)
		}
		return rating.ParksBySize(&c.ParkSizes, sum, t)
	}
	return f
}

// vibrant counts the places of all kinds of activity within a radius.
func (l *location) vibrant() *formula {
	v := &l.r.c.Vibrant
	l.load(l.r.walk.Reach())
	places, kindOf := l.active()
	f := &formula{value: func(extra network.Distance, t *rating.Trace) float64 {
		counts := make([]uint64, len(v.Activities))
		for _, p := range places {
			if int((p.way+extra)/10) <= int(v.RadiusM) {
				counts[kindOf[p.key]]++
			}
		}
		return rating.Vibrant(v, counts, t)
	}}
	if classes := rating.ActivityClasses(v); !l.r.c.Known.Counted(classes, l.coverage.has) {
		f.absent = l.tooFewKnown(classes)
	}
	f.finish = func(x *Explanation) {
		for k, p := range places {
			row := l.row(p, k)
			row.For, row.Weight, row.Part = x.Parts[kindOf[p.key]].Name, 1, 1
			x.Places = append(x.Places, row)
		}
	}
	return f
}

// active are the places of activity within the radius, nearest first, and the kind of activity that each counts as: the
// first of its kinds.
func (l *location) active() ([]*place, map[string]int) {
	v, kindOf := &l.r.c.Vibrant, map[string]int{}
	var places []*place
	for kind, activity := range v.Activities {
		for _, class := range activity.Classes {
			for _, p := range l.area.places[class] {
				if _, seen := kindOf[p.key]; !seen && int(p.way/10) <= int(v.RadiusM) {
					kindOf[p.key] = kind
					places = append(places, p)
				}
			}
		}
	}
	slices.SortStableFunc(places, func(a, b *place) int { return int(a.way) - int(b.way) })
	return places, kindOf
}

// metres are the distances to places, with extra added.
func metres(places []*place, extra network.Distance) []float64 {
	list := make([]float64, len(places))
	for i, p := range places {
		list[i] = (p.way + extra).Metres()
	}
	return list
}

// rows are the places that count, with their terms of the sum, if it has any.
func (l *location) rows(lists []list, terms []rating.Term) (rows []Place) {
	for _, part := range lists {
		for k, p := range part.places {
			row := l.row(p, k)
			row.For = l.text(part.use)
			if len(terms) > 0 {
				t := terms[0]
				terms = terms[1:]
				row.Decay, row.Weight, row.Part = round(t.Decay, 4), round(t.Weight, 4), round(t.Weight*t.Decay, 4)
			}
			if part.use == nil || row.Part > 0 {
				l.use(p.source)
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// row is a place, the k-th from 0 of those with the same use.
func (l *location) row(p *place, k int) Place {
	return Place{Rank: k + 1, Name: p.name, Class: p.class, At: placeOf(p.at), Hectares: round(p.hectares, 2), M: p.way.Metres(), LegM: p.legM,
		Minutes: l.minutes(p.way), Bounded: p.bounded, SourceID: p.source, Key: p.key, Corrected: l.r.corrected[p.key],
		Records: l.r.merged[p.key]}
}

func (l *location) minutes(way network.Distance) float64 {
	return round(way.Metres()/l.r.c.Walking.MetresAMinute, 1)
}

// missingClass is why there is no value of a class.
func (l *location) missingClass(class string) *wording.Line {
	switch {
	case !l.coverage.has(class):
		return l.coverage.why(class)
	case class == "bus_stop" || class == "rapid_station" || class == "train_station":
		return l.noStops()
	}
	return nil
}

func (l *location) noStops() *wording.Line {
	return wording.Say("no_stop_near", l.r.c.Coverage.NearM)
}

// tooFewKnown is why there is no number of the places of several classes.
func (l *location) tooFewKnown(classes []string) *wording.Line {
	var unknown []string
	for _, class := range classes {
		if !l.coverage.has(class) {
			unknown = append(unknown, class)
		}
	}
	return wording.Say("classes_unknown", 100*l.r.c.Known.CountShare, wording.Classes(unknown))
}

// noDataReason is why there is no value of a class for which the region has data.
func (l *location) noDataReason() *wording.Line {
	if l.coverage.none() {
		return wording.Say("no_class_known")
	}
	return wording.Say("no_place_near", l.r.c.Coverage.NearM)
}

// known is a value for a report, nil for NaN.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	v = round(v, 4) + 0 // never -0
	return &v
}

// number writes a number as plainly as possible.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// words is a class as text: "bus stop".
func words(class string) string { return strings.ReplaceAll(class, "_", " ") }

func round(v float64, digits int) float64 {
	power := math.Pow10(digits)
	return math.Round(v*power) / power
}
