package explain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas"
)

// measures adds measures and scores as parts, each with its weight and its part of the mean of those that are known.
func (o *origin) measures(x *Explanation, of string, parts ...weighed) {
	total := 0.0
	for _, p := range parts {
		if !math.IsNaN(p.value) {
			total += p.weight
		}
	}
	for _, p := range parts {
		part := Part{Name: p.name, Value: known(p.value), Of: of, Weight: p.weight, Part: known(p.weight * p.value / total)}
		if part.Value == nil {
			part.Of = "not known; the others stand for it"
		}
		x.Parts = append(x.Parts, part)
	}
}

type weighed struct {
	name          string
	value, weight float64
}

// below explains channels that a value is made of, unless the report has them anyway.
func (o *origin) below(x *Explanation, channels ...string) error {
	for _, name := range channels {
		if o.asked[name] || math.IsNaN(o.value(name)) {
			continue
		}
		c, _ := schemas.ChannelOf(name)
		under, err := o.explain(c)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		x.Under = append(x.Under, *under)
	}
	return nil
}

const asServed = "as served"

// pedestrian explains errands on foot and the streets (methods, 1.1).
func (o *origin) pedestrian(x *Explanation) error {
	c := o.r.c.Scores.Pedestrian
	x.Formula = fmt.Sprintf("5 × (%s × errands + %s × street); errands = Σ weight_k W(d_k) / Σ weights, street the mean of three measures of how streets lie, 0–1", number(c.Errands), number(c.Street))
	x.Constants = constants("errands", number(c.Errands), "scores.pedestrian", "street", number(c.Street), "scores.pedestrian", "weights", "by kind of errand", "access.slots")
	intersections, local, unpleasant := o.value("intersection_density"), o.value("local_street_proportion"), o.value("infrastructure_unpleasant_for_pedestrians")
	street := rating.Street(intersections, local, unpleasant)
	if x.Served == nil {
		x.Absent = o.noErrands()
		if math.IsNaN(street) {
			x.Absent = "how streets lie is not known here"
		}
		return nil
	}
	e, err := o.findErrands(1, everyErrand)
	if err != nil {
		return err
	}
	x.Places = e.rows(o, 1)
	base := func(farther network.Distance) float64 { return e.base(o, farther, 1) }
	x.Parts = []Part{
		{Name: "errands", Value: known(base(0)), Of: "0–1, from the places below", Weight: c.Errands, Part: known(c.Errands * base(0))},
		{Name: "street", Value: known(street), Of: "0–1, the mean of the three below by 5", Weight: c.Street, Part: known(c.Street * street)},
		{Name: "intersection_density", Value: known(intersections), Of: asServed},
		{Name: "local_street_proportion", Value: known(local), Of: asServed},
		{Name: "infrastructure_unpleasant_for_pedestrians", Value: known(unpleasant), Of: asServed + "; 5 less it counts"},
	}
	value := func(farther network.Distance) float64 { return rating.Pedestrian(&o.r.c.Scores, base(farther), street) }
	o.anew(x, value)
	x.Worked = fmt.Sprintf("5 × (%s × %.4f + %s × %.4f) = %.4f", number(c.Errands), base(0), number(c.Street), street, value(0))
	e.remark(x)
	return nil
}

// parks explains the score of the two measures of parks (methods, 5).
func (o *origin) parks(x *Explanation) error {
	c := o.r.c.Scores.Parks
	x.Formula = fmt.Sprintf("%s × park_access + %s × park_access_weighted_by_area", number(c.Access), number(c.BySize))
	x.Constants = constants("weights", number(c.Access)+" and "+number(c.BySize), "scores.parks")
	if !o.ready(x, "park") {
		return nil
	}
	o.measures(x, asServed, weighed{"park_access", o.value("park_access"), c.Access},
		weighed{"park_access_weighted_by_area", o.value("park_access_weighted_by_area"), c.BySize})
	access, bySize := Explanation{Served: x.Served}, Explanation{Served: x.Served}
	if err := o.parkAccess(&access); err != nil {
		return err
	}
	if err := o.parksBySize(&bySize); err != nil {
		return err
	}
	if a, b := access.Anew, bySize.Anew; a != nil && b != nil {
		blend := func(a, b float64) float64 { return round(rating.Parks(&o.r.c.Scores, a, b), 4) }
		x.Anew = &Anew{blend(a.Street, b.Street), blend(a.Door, b.Door)}
		x.Worked = fmt.Sprintf("%s × %.4f + %s × %.4f = %.4f", number(c.Access), a.Street, number(c.BySize), b.Street, x.Anew.Street)
	}
	return o.below(x, "park_access", "park_access_weighted_by_area")
}

// wellness explains a mean of other scores and errands (methods, 5).
func (o *origin) wellness(x *Explanation) error {
	c := o.r.c.Scores.Wellness
	x.Formula = "Σ weight × part / Σ weights of the parts that are known; errands are the mean of fitness, healthy restaurants and groceries"
	x.Constants = constants("weights", "by part", "scores.wellness", "at least known", number(o.r.c.Scores.MinWeight), "scores.least_weight")
	v := o.value
	healthy := rating.Errands(v("fitness_establishment_access"), v("healthy_restaurant_access"), v("groceries"))
	o.measures(x, asServed, weighed{"parks", v("parks"), c.Parks}, weighed{"greenery", v("greenery"), c.Greenery}, weighed{"quiet", v("quiet"), c.Quiet},
		weighed{"pedestrian_friendly", v("pedestrian_friendly"), c.Pedestrian}, weighed{"cycling_friendly", v("cycling_friendly"), c.Cycling},
		weighed{"errands", healthy, c.Errands})
	for i := range x.Parts {
		if p := &x.Parts[i]; p.Name == "errands" && p.Value != nil {
			p.Of = "the mean of the three below that are known"
		}
	}
	for _, name := range []string{"fitness_establishment_access", "healthy_restaurant_access", "groceries"} {
		x.Parts = append(x.Parts, Part{Name: name, Value: known(v(name)), Of: "of errands"})
	}
	whole := rating.Wellness(&o.r.c.Scores, v("parks"), v("greenery"), v("quiet"), v("pedestrian_friendly"), v("cycling_friendly"), healthy)
	if x.Served == nil {
		x.Absent = fmt.Sprintf("parts of less than %s of the weight are known", number(o.r.c.Scores.MinWeight))
		return nil
	}
	x.NotAnew = "it is made of other scores; their own explanations work out what can be"
	x.Worked = fmt.Sprintf("of the parts as served here: %.4f", whole)
	return o.below(x, "fitness_establishment_access", "healthy_restaurant_access", "groceries")
}

// cycling explains errands by bicycle; of the other parts the release keeps the sum alone (methods, 1.7).
func (o *origin) cycling(x *Explanation) error {
	s := &o.r.c.Scores
	w := s.Cycling
	x.Formula = fmt.Sprintf("5 × (%s lanes + %s hills + %s errands + %s calm), each 0–1; without hills where heights are not known, the others by the rest of the weight",
		number(w.Lanes), number(w.Hills), number(w.Errands), number(w.LowStress))
	x.Constants = constants("weights", "by part", "scores.cycling", "ways count by", number(o.r.c.Walking.BicycleFactor), "walking.bicycle_stretch",
		"gentle and steep", fmt.Sprintf("%s and %s %%", number(s.Hill.GentlePct), number(s.Hill.SteepPct)), "scores.hill")
	x.NotAnew = "lanes, hills and the calm of streets are worked out in a build and not kept in a release"
	if x.Served == nil {
		x.Absent = "lanes for bicycles or the stress of streets are not known here"
		return nil
	}
	e, err := o.findErrands(o.r.c.Walking.BicycleFactor, everyErrand)
	if err != nil {
		return err
	}
	base := e.base(o, 0, o.r.c.Walking.BicycleFactor)
	weights, rest := w.Lanes+w.LowStress, []string{"lanes", "calm"}
	if !math.IsNaN(o.value("street_steepness")) {
		weights, rest = weights+w.Hills, []string{"lanes", "hills", "calm"} // heights are known around
	}
	o.remainder(x, base, w.Errands, "errands", "0–1, from the places below, as worked out anew", weights, rest)
	x.Places = e.rows(o, o.r.c.Walking.BicycleFactor)
	x.Remarks = append(x.Remarks, fmt.Sprintf("ways to places are those on foot; by bicycle one is worth what one %s times shorter is on foot", number(o.r.c.Walking.BicycleFactor)))
	e.remark(x)
	return nil
}

// Left ends what is said of a part of which only the rest is known.
const Left = "what the served value leaves"

// remainder tells of a served mean the part that can be worked out, and what is left to the parts that cannot.
func (o *origin) remainder(x *Explanation, value, weight float64, name, of string, weights float64, rest []string) {
	all, part := weights, 0.0
	if !math.IsNaN(value) {
		all, part = weights+weight, weight*value
	}
	x.Parts = append(x.Parts, Part{Name: name, Value: known(value), Of: of, Weight: weight, Part: known(part / all)})
	left := x.Served.Value/5*all - part
	x.Parts = append(x.Parts, Part{Name: join(rest), Value: known(left / weights), Of: "0–1, their mean by weight if all are known: " + Left, Weight: round(weights, 4),
		Part: known(left / all)})
	x.Worked = fmt.Sprintf("served %.4f = 5 × (%.4f + %.4f)", x.Served.Value, part/all, left/all)
}

func join(names []string) string {
	text := names[0]
	for i, name := range names[1:] {
		if i == len(names)-2 {
			text += " and " + name
		} else {
			text += ", " + name
		}
	}
	return text
}

// car explains the highway; of the other parts the release keeps the sum alone (methods, 1.9).
func (o *origin) car(x *Explanation) error {
	w := o.r.c.Scores.Car
	x.Formula = fmt.Sprintf("5 × (%s highway + %s parking + %s errands by car + %s room) / Σ weights of what is known, each 0–1", number(w.Highway), number(w.Parking), number(w.Errands), number(w.Room))
	x.Constants = constants("weights", "by part", "scores.car", "plenty of parking", number(o.r.c.Scores.Parking)+" of the ground", "scores.parking_full_share",
		"drive", fmt.Sprintf("full to %s m, none from %s m", number(o.r.c.Scores.Drive.FullM), number(o.r.c.Scores.Drive.NoneM)), "scores.drive")
	x.NotAnew = "the ways of cars, parking and density are worked out in a build and not kept in a release"
	highway := o.value("nearest_highway_proximity")
	if x.Served == nil {
		x.Absent = "no other part than the highway is known here"
		if math.IsNaN(highway) {
			x.Absent = "how far the next highway is is not known here"
		}
		return nil
	}
	rest, weights := []string{"parking", "errands by car"}, w.Parking+w.Errands
	if !slices.ContainsFunc(o.notes, func(note string) bool { return strings.Contains(note, "no counts of people") }) {
		rest, weights = append(rest, "room"), weights+w.Room
	} else {
		x.Remarks = append(x.Remarks, "nobody's count of people is among the sources, so that room does not count")
	}
	o.remainder(x, highway/5, w.Highway, "nearest_highway_proximity by 5", asServed, weights, rest)
	return o.below(x, "nearest_highway_proximity")
}
