package rating

import (
	"math"

	"quartier/schemas/calibration"
)

// ActivityOf is the kind of activity, by index, that a place of each class counts as. A place of several classes
// counts once, as the first of its kinds.
func ActivityOf(v *calibration.Vibrant) map[string]int {
	kinds := map[string]int{}
	for i, a := range v.Activities {
		for _, class := range a.Classes {
			kinds[class] = i
		}
	}
	return kinds
}

// ActivityClasses are the classes of places of all kinds of activity.
func ActivityClasses(v *calibration.Vibrant) (classes []string) {
	for _, a := range v.Activities {
		classes = append(classes, a.Classes...)
	}
	return classes
}

// Vibrant is the score vibrant of the number of places of each kind of activity within the radius (docs/methods.md, 5).
// It may fall when a place is added: another of the same kind lowers the diversity.
func Vibrant(v *calibration.Vibrant, counts []uint64, t *Trace) float64 {
	places, evening := 0.0, 0.0
	for i, n := range counts {
		places += float64(n)
		if v.Activities[i].Evening {
			evening += float64(n)
		}
	}
	if places > 0 {
		evening /= places
	}
	diversity := diversity(counts, places)
	score := Saturate(places, v.N0) * (v.DiversityFloor + (1-v.DiversityFloor)*diversity) *
		(v.EveningFloor + (1-v.EveningFloor)*clamp(evening/v.FullEvening))
	if t != nil {
		t.activity(v, counts)
		t.step("n", say("places_within"), places, constant("radius", v.RadiusM, "m", "vibrant.radius_m"))
		t.step("diversity", say("activity_entropy"), diversity)
		t.step("evening", say("evening_share"), evening)
		t.step("", formula("5 (1 − exp(−{n}/{n0})) × ({a} + (1 − {a}) × {diversity}) × ({b} + (1 − {b}) × min(1, {evening}/{full}))"), score,
			value("n", places), value("diversity", diversity), value("evening", evening), constant("n0", v.N0, "", "vibrant.n0"),
			constant("a", v.DiversityFloor, "", "vibrant.diversity_floor"), constant("b", v.EveningFloor, "", "vibrant.evening_floor"),
			constant("full", v.FullEvening, "", "vibrant.full_evening"))
	}
	return score
}

// diversity is the entropy of counts over its maximum, 0–1.
func diversity(counts []uint64, all float64) float64 {
	entropy := 0.0
	for _, n := range counts {
		if n > 0 {
			share := float64(n) / all
			entropy -= share * math.Log(share)
		}
	}
	return clamp(entropy / math.Log(float64(len(counts))))
}

// activity records the number of places of each kind of activity.
func (t *Trace) activity(v *calibration.Vibrant, counts []uint64) {
	for i, n := range counts {
		part := Part{Classes: v.Activities[i].Classes, Value: float64(n), Of: say("places"), Count: true}
		if v.Activities[i].Evening {
			part.Of = say("places_evening")
		}
		t.Parts = append(t.Parts, part)
	}
}
