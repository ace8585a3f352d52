package rating

import (
	"math"

	"quartier/schemas/calibration"
)

// Part is a value and what it weighs; a NaN is not known.
type Part struct{ Value, Weight float64 }

// Blend is the weighted mean of the parts that are known, NaN where those weigh less than least of all.
func Blend(least float64, parts ...Part) float64 {
	sum, known, all := 0.0, 0.0, 0.0
	for _, p := range parts {
		all += p.Weight
		if !math.IsNaN(p.Value) {
			sum += p.Weight * p.Value
			known += p.Weight
		}
	}
	if known == 0 || known < least*all {
		return math.NaN()
	}
	return sum / known
}

// Street is how good streets are to walk on, 0–1, of three measures of 0–5: intersection_density,
// local_street_proportion and infrastructure_unpleasant_for_pedestrians. The mean of those that are known.
func Street(intersections, local, unpleasant float64) float64 {
	return Blend(0, Part{intersections, 1}, Part{local, 1}, Part{5 - unpleasant, 1}) / 5
}

// Pedestrian is pedestrian_friendly of the slots' base and the street, both 0–1 and both needed (methods, 1.1).
func Pedestrian(c *calibration.Scores, base, street float64) float64 {
	return 5 * clamp(c.Pedestrian.Errands*base+c.Pedestrian.Street*street)
}

// Cycling is cycling_friendly of shares of 0–1 and the steepest grade nearby in percent. Lanes and calm are needed
// (methods, 1.7).
func Cycling(c *calibration.Scores, lanes, steepestPct, base, calm float64) float64 {
	if math.IsNaN(lanes + calm) {
		return math.NaN()
	}
	hill := clamp((c.Hill.SteepPct - steepestPct) / (c.Hill.SteepPct - c.Hill.GentlePct))
	w := c.Cycling
	return 5 * clamp(Blend(c.MinWeight, Part{lanes, w.Lanes}, Part{hill, w.Hills}, Part{base, w.Errands}, Part{calm, w.LowStress}))
}

// Car is car_friendly of nearest_highway_proximity, the share of the ground that is parking, the share of errands that
// a short drive does, both 0–1, and people per km². The highway and one other part are needed (methods, 1.9).
func Car(c *calibration.Scores, highway, parking, errands, density float64) float64 {
	parking = clamp(parking / c.Parking)
	room := 1 - clamp(math.Log10(density/c.Density.FromKM2)/c.Density.Decades)
	if math.IsNaN(highway) || math.IsNaN(parking) && math.IsNaN(errands) && math.IsNaN(room) {
		return math.NaN()
	}
	w := c.Car
	return 5 * clamp(Blend(0, Part{highway / 5, w.Highway}, Part{parking, w.Parking}, Part{errands, w.Errands}, Part{room, w.Room}))
}

// Driven is what an errand so many metres of driving away is worth, 0–1.
func Driven(d calibration.Drive, metres float64) float64 {
	return clamp((d.NoneM - metres) / (d.NoneM - d.FullM))
}

// Quiet is quiet of the sound level in dB and nightlife_access, which may be unknown (methods, 2).
func Quiet(q calibration.Quiet, db, nightlife float64) float64 {
	quiet := 5 * clamp((q.LoudDB-db)/(q.LoudDB-q.QuietDB))
	if !math.IsNaN(nightlife) {
		quiet -= q.Nightlife * nightlife / 5
	}
	return max(quiet, 0)
}

// Parks is the score parks of the two measures of parks (methods, 5).
func Parks(c *calibration.Scores, access, bySize float64) float64 {
	return Blend(1, Part{access, c.Parks.Access}, Part{bySize, c.Parks.BySize})
}

// Errands is the part of wellness that is places: the mean of those that are known.
func Errands(fitness, healthyRestaurants, groceries float64) float64 {
	return Blend(0, Part{fitness, 1}, Part{healthyRestaurants, 1}, Part{groceries, 1})
}

// Wellness is wellness of other scores and Errands; parts that are not known lend their weight to the others
// (methods, 5).
func Wellness(c *calibration.Scores, parks, greenery, quiet, pedestrian, cycling, errands float64) float64 {
	w := c.Wellness
	return Blend(c.MinWeight, Part{parks, w.Parks}, Part{greenery, w.Greenery}, Part{quiet, w.Quiet},
		Part{pedestrian, w.Pedestrian}, Part{cycling, w.Cycling}, Part{errands, w.Errands})
}

// Activity is how much goes on around a point.
type Activity struct {
	Places    float64 // within the radius
	Diversity float64 // 0–1: entropy over the classes by its most
	Evening   float64 // 0–1: share of places that are of the evening
}

// NewActivity is the activity of so many places in each class of calibration.Vibrant (methods, 5).
func NewActivity(v *calibration.Vibrant, counts []uint64) Activity {
	var a Activity
	evening := 0.0
	for i, n := range counts {
		a.Places += float64(n)
		if v.Activities[i].Evening {
			evening += float64(n)
		}
	}
	if a.Places == 0 {
		return a
	}
	for _, n := range counts {
		if n > 0 {
			share := float64(n) / a.Places
			a.Diversity -= share * math.Log(share)
		}
	}
	a.Diversity = clamp(a.Diversity / math.Log(float64(len(v.Activities))))
	a.Evening = evening / a.Places
	return a
}

// Vibrant is the score vibrant. It may fall where a place is added: one more of the same makes for less variety.
func Vibrant(v *calibration.Vibrant, a Activity) float64 {
	variety := v.DiversityFloor + (1-v.DiversityFloor)*a.Diversity
	evening := v.EveningFloor + (1-v.EveningFloor)*clamp(a.Evening/v.FullEvening)
	return Saturate(a.Places, v.N0) * variety * evening
}
