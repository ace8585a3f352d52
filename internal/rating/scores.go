package rating

import (
	"math"

	"quartier/schemas/calibration"
)

// Pedestrian is pedestrian_friendly of the share of Errands, 0–1, and of intersection_density, 0–5, both needed
// (docs/methods.md, 1.1). A weighted geometric mean: the street modifies errands, and without errands the score is 0.
// Example: errands 0.5 and an intersection_density of 2.5 give 2.5; with one of 5 it is 5 × 0.5^0.75 = 2.97.
func Pedestrian(c *calibration.Scores, errands, intersections float64, t *Trace) float64 {
	p := c.Pedestrian
	score := 5 * math.Pow(errands, p.Errands) * math.Pow(max(intersections, p.Lowest)/5, p.Intersections)
	if t != nil {
		alone := 5 * errands
		t.Parts = append(t.Parts, Part{Name: "errands", Value: errands, Share: alone, Of: "5 times them alone"},
			Part{Name: "intersection_density", Value: intersections, Share: score - alone, Of: "what the street adds or takes"})
		t.step("", "5 × {errands}^{a} × (max({intersection_density}, {lowest})/5)^{b}", score, value("errands", errands), value("intersection_density", intersections),
			constant("a", p.Errands, "", "scores.pedestrian.errands"), constant("b", p.Intersections, "", "scores.pedestrian.intersections"),
			constant("lowest", p.Lowest, "", "scores.pedestrian.lowest"))
	}
	return score
}

// Cycling is cycling_friendly of three shares of 0–1, the steepest grade nearby in percent and intersection_density, 0–5,
// which replaces one of lanes and low stress where it has no data. One of these two is needed (docs/methods.md, 1.7).
func Cycling(c *calibration.Scores, lanes, steepestPct, errands, lowStress, intersections float64, t *Trace) float64 {
	needed := !math.IsNaN(lanes) || !math.IsNaN(lowStress)
	hills := clamp((c.Hill.SteepPct - steepestPct) / (c.Hill.SteepPct - c.Hill.GentlePct))
	if t != nil {
		t.step("hills", "clamp(({steep} − {grade})/({steep} − {gentle}))", hills, quantity("grade", steepestPct, "%"),
			constant("steep", c.Hill.SteepPct, "%", "scores.hill.steep_pct"), constant("gentle", c.Hill.GentlePct, "%", "scores.hill.gentle_pct"))
	}
	lanes = orIntersections(lanes, intersections, "lanes", "the length of lanes and paths for bicycles within 1 km, against a dense network", t)
	lowStress = orIntersections(lowStress, intersections, "calm", "the share of streets within 2 km that is connected with little traffic stress", t)
	w := &c.Cycling
	parts := [...]Weighted{{lanes, w.Lanes}, {hills, w.Hills}, {errands, w.Errands}, {lowStress, w.LowStress}}
	mean := Blend(c.MinWeight, parts[:]...)
	if !needed {
		mean = math.NaN()
	}
	if t != nil {
		t.mean("mean", "scores.cycling", mean, parts[:], "lanes", "hills", "errands", "calm")
		t.scale(mean)
	}
	return 5 * clamp(mean)
}

// orIntersections is a part of cycling_friendly, or intersection_density where the part has no data: streets that are
// closely connected give a choice of quiet ones.
func orIntersections(part, intersections float64, name, means string, t *Trace) float64 {
	if !math.IsNaN(part) {
		if t != nil {
			t.step(name, means, part)
		}
		return part
	}
	if t != nil {
		t.step(name, "{intersection_density}/5, in place of "+means+", of which there are no data", intersections/5, value("intersection_density", intersections))
	}
	return intersections / 5
}

// scale records 5 times a mean of 0–1.
func (t *Trace) scale(mean float64) { t.step("", "5 × {mean}", 5*clamp(mean), value("mean", mean)) }

// Quiet is quiet of the sound level of all sources in dB (docs/methods.md, 2).
func Quiet(q calibration.Quiet, db float64, t *Trace) float64 {
	score := 5 * clamp((q.LoudDB-db)/(q.LoudDB-q.QuietDB))
	if t != nil {
		t.step("", "5 clamp(({loud} − {L})/({loud} − {quiet}))", score, quantity("L", db, "dB"),
			constant("loud", q.LoudDB, "dB", "scores.quiet.loud_db"), constant("quiet", q.QuietDB, "dB", "scores.quiet.quiet_db"))
	}
	return score
}

// Parks is the score parks of the two measures of parks (docs/methods.md, 5).
func Parks(c *calibration.Scores, access, bySize float64, t *Trace) float64 {
	parts := [...]Weighted{{access, c.Parks.Access}, {bySize, c.Parks.BySize}}
	mean := Blend(1, parts[:]...)
	if t != nil {
		t.mean("", "scores.parks", mean, parts[:], "park_access", "park_access_weighted_by_area")
	}
	return mean
}

// HealthyErrands is the part of wellness that is places: the mean of those with data.
func HealthyErrands(fitness, healthyRestaurants, groceries float64, t *Trace) float64 {
	parts := [...]Weighted{{fitness, 1}, {healthyRestaurants, 1}, {groceries, 1}}
	mean := Blend(0, parts[:]...)
	if t != nil {
		t.mean("errands", "", mean, parts[:], "fitness_establishment_access", "healthy_restaurant_access", "groceries")
	}
	return mean
}

// Wellness is wellness of other scores and HealthyErrands; parts with data are weighted up for those without
// (docs/methods.md, 5).
func Wellness(c *calibration.Scores, parks, greenery, quiet, pedestrian, cycling, errands float64, t *Trace) float64 {
	w := &c.Wellness
	parts := [...]Weighted{{parks, w.Parks}, {greenery, w.Greenery}, {quiet, w.Quiet}, {pedestrian, w.Pedestrian}, {cycling, w.Cycling}, {errands, w.Errands}}
	mean := Blend(c.MinWeight, parts[:]...)
	if t != nil {
		t.mean("", "scores.wellness", mean, parts[:], "parks", "greenery", "quiet", "pedestrian_friendly", "cycling_friendly", "errands")
	}
	return mean
}
