package rating

import (
	"maps"
	"math"
	"slices"

	"quartier/internal/wording"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// Rule computes a channel from the distances to the nearest places of one class.
type Rule struct {
	Channel string
	Class   string
	Places  int     // number of nearest places that count
	ReachM  float64 // farther places do not count

	// Weight is how a place counts by its distance in metres; nil: only the nearest counts, wherever it is.
	Weight func(metres float64) float64

	// Value takes the metres to the nearest places, nearest first; those beyond Places and ReachM make no difference.
	Value func(metres []float64, t *Trace) float64
}

// NearestRules are the rules of all channels that need the nearest places of one class on foot, by kind and channel.
func NearestRules(c *calibration.Calibration, w *Decay) []Rule {
	var rules []Rule
	for _, channel := range slices.Sorted(maps.Keys(c.Access.Gravities)) {
		rules = append(rules, gravity(channel, c.Access.Gravities[channel], w))
	}
	for _, channel := range slices.Sorted(maps.Keys(c.Proximity)) {
		if p := c.Proximity[channel]; channel != HighwayProximity {
			rules = append(rules, Rule{channel, p.Class, 1, p.FarM, nil, func(metres []float64, t *Trace) float64 {
				return Proximity(channel, p, first(metres), t)
			}})
		}
	}
	for _, score := range slices.Sorted(maps.Keys(c.Education.DistanceFactor)) {
		rules = append(rules, school(score, &c.Education))
	}
	return rules
}

// gravity is the rule of a gravity measure (docs/methods.md, 1.2): G = Σ λ^(k−1) W(d_k), saturating.
func gravity(channel string, g calibration.Gravity, w *Decay) Rule {
	weights := geometric(1, g.Lambda, g.Places)
	return Rule{channel, g.Class, g.Places, w.Reach(), w.At, func(metres []float64, t *Trace) float64 {
		sum := w.Sum(weights, metres, 1, t)
		score := Saturate(sum, g.G0)
		if t != nil {
			path := "access.gravities." + channel
			t.step("G", say("gravity_sum", g.Places, wording.Class(g.Class)), sum,
				constant("λ", g.Lambda, "", path+".lambda"), constant("places", float64(g.Places), "", path+".places"))
			t.step("", formula(saturation), score, value("G", sum), constant("G0", g.G0, "", path+".g0"))
		}
		return score
	}}
}

// HighwayProximity is the proximity measure that takes the driving distance.
const HighwayProximity = "nearest_highway_proximity"

// Proximity is a proximity measure of the distance in metres to the nearest place (docs/methods.md, 1.3); 0 for +Inf.
func Proximity(channel string, p calibration.Proximity, metres float64, t *Trace) float64 {
	score := LogRamp(metres, p.NearM, p.FarM)
	if t != nil {
		path := "proximity." + channel
		way := say("walk_distance", wording.Class(p.Class))
		if channel == HighwayProximity {
			way = say("drive_distance", wording.Class(p.Class))
		}
		t.step("d", way, metres)
		t.step("", formula(logRamp), score, quantity("d", metres, "m"), constant("near", p.NearM, "m", path+".near_m"),
			constant("far", p.FarM, "m", path+".far_m"))
	}
	return score
}

// schoolClass is the class of places that each score of schools rates.
var schoolClass = map[string]string{"primary_schools": "primary_school", "high_schools": "high_school", "daycares": "daycare"}

// school is the rule of a score of schools (docs/methods.md, 1.9).
func school(score string, e *calibration.Education) Rule {
	factor := e.DistanceFactor[score]
	return Rule{score, schoolClass[score], 1, factor * e.Curve[len(e.Curve)-1][0], nil, func(metres []float64, t *Trace) float64 {
		d := first(metres)
		rated := Piecewise(e.Curve, d/factor)
		if t != nil {
			var points []*wording.Line
			for _, point := range e.Curve {
				points = append(points, say("curve_point", point[1], point[0]))
			}
			t.step("d", say("walk_distance", wording.Class(schoolClass[score])), d)
			t.step("", say("curve", wording.List("comma_list", points)), rated, quantity("d", d, "m"),
				constant("factor", factor, "", "education.stretch."+score),
				constant("5 up to", e.Curve[0][0], "m", "education.curve"))
		}
		return rated
	}}
}

// ClassesOf are the classes of schemas.KnownClasses that a score rests on; none if it rests on other data, or on other scores besides.
func ClassesOf(score string, c *calibration.Calibration) []string {
	measure := score
	if other, same := SameAs[score]; same {
		measure = other
	}
	for _, rule := range NearestRules(c, NewDecay(c.Walking)) {
		if rule.Channel == measure {
			return []string{rule.Class}
		}
	}
	var classes []string
	switch score {
	case "vibrant":
		classes = ActivityClasses(&c.Vibrant)
	case "parks":
		classes = []string{"park"}
	case "quiet":
		classes = schemas.HeardClasses
	case "pedestrian_friendly":
		for _, slot := range c.Access.Slots {
			classes = append(classes, slot.Classes...)
		}
	case AllTransit:
		for _, kind := range c.Transit.WithoutTimes.Unknown {
			classes = append(classes, kind.Class)
		}
	}
	return classes
}

// first is the nearest distance, +Inf if there is none.
func first(metres []float64) float64 {
	if len(metres) == 0 {
		return math.Inf(1)
	}
	return metres[0]
}
