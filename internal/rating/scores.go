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
		t.Parts = append(t.Parts, Part{Name: "errands", Value: errands, Share: alone, Of: say("five_times_alone")},
			Part{Name: "intersection_density", Value: intersections, Share: score - alone, Of: say("street_adds")})
		t.step("", formula("5 × {errands}^{a} × (max({intersection_density}, {lowest})/5)^{b}"), score, value("errands", errands),
			value("intersection_density", intersections),
			constant("a", p.Errands, "", "scores.pedestrian.errands"), constant("b", p.Intersections, "", "scores.pedestrian.intersections"),
			constant("lowest", p.Lowest, "", "scores.pedestrian.lowest"))
	}
	return score
}

// Cycling is cycling_friendly of three shares of 0–1, the steepest grade nearby in percent and intersection_density, 0–5,
// which helps to estimate unknown ones. Lanes and errands are needed (docs/methods.md, 1.7).
func Cycling(all *calibration.Calibration, lanes, steepestPct, errands, lowStress, intersections float64, t *Trace) float64 {
	c := &all.Scores
	hills := clamp((c.Hill.SteepPct - steepestPct) / (c.Hill.SteepPct - c.Hill.GentlePct))
	w := &c.Cycling
	parts := [...]float64{lanes, hills, errands, lowStress, intersections / 5}
	e := estimated(all.Estimates.Cycling, w.Lanes, w.Hills, w.Errands, w.LowStress, 0)
	mean, of := e.blend(all.Estimates.MaxCycling, 5, parts[:])
	if math.IsNaN(lanes) || math.IsNaN(errands) {
		mean = math.NaN()
	}
	mean = clamp(mean)
	if t != nil {
		t.step("hills", formula("{clamp}(({steep} − {grade})/({steep} − {gentle}))"), hills, quantity("grade", steepestPct, "%"),
			constant("steep", c.Hill.SteepPct, "%", "scores.hill.steep_pct"), constant("gentle", c.Hill.GentlePct, "%", "scores.hill.gentle_pct"))
		e.blended(t, "mean", "scores.cycling", mean, of, parts[:], "lanes", "hills", "errands", "calm", "intersections")
		t.scale(mean)
	}
	return 5 * mean
}

// scale records 5 times a mean of 0–1.
func (t *Trace) scale(mean float64) {
	t.step("", formula("5 × {mean}"), 5*clamp(mean), value("mean", mean))
}

// Quiet is quiet of the sound level of all sources in dB (docs/methods.md, 2).
func Quiet(q calibration.Quiet, db float64, t *Trace) float64 {
	score := 5 * clamp((q.LoudDB-db)/(q.LoudDB-q.QuietDB))
	if t != nil {
		t.step("", formula("5 {clamp}(({loud} − {L})/({loud} − {quiet}))"), score, quantity("L", db, "dB"),
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

// Wellness is wellness of other scores and of three measures of places; unknown parts are estimated (docs/methods.md, 5).
func Wellness(all *calibration.Calibration, parts [8]float64, t *Trace) float64 {
	w := &all.Scores.Wellness
	e := estimated(all.Estimates.Wellness, w.Parks, w.Greenery, w.Quiet, w.Pedestrian, w.Cycling, w.Fitness, w.Healthy, w.Groceries)
	mean, of := e.blend(all.Estimates.MaxResidual, 1, parts[:])
	mean = 5 * clamp(mean/5)
	if t != nil {
		e.blended(t, "", "scores.wellness", mean, of, parts[:], WellnessParts[:]...)
	}
	return mean
}

// WellnessParts are the parts of wellness.
var WellnessParts = [8]string{"parks", "greenery", "quiet", "pedestrian_friendly", "cycling_friendly",
	"fitness_establishment_access", "healthy_restaurant_access", "groceries"}
