package calibration

import "testing"

func TestMarks(t *testing.T) {
	for path, want := range map[string]Mark{
		"walking.full_credit_m": {"R", "a quarter of a mile: Walk Score's full credit"},
		"walking.decay": {"C",
			"a polynomial through 1.0 at 0.25 mi, 0.75 at 0.5 mi, 0.125 at 1 mi and 0 at 1.5 mi, monotone to 1e-6; our own fit"},
		"estimates.most_residual":     {"A", "half of a displayed step: beyond it a score would be a guess"},
		"scores.hill.gentle_pct":      {"V", "a repository that quotes the method"},
		"form.intersections.three":    {"C", "EPA's D3B of 1,690 block groups, exact"},
		"noise.scale":                 {"A", "dB Lden"},
		"no.such.constant":            {},
		"walking.full_credit_m.below": {},
	} {
		if got := MarkOf(path); got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
	for path, want := range map[string]string{"transit.kinds.transit_friendly.perfect": "A", "transit.modes.tram": "A",
		"transit.modes.bus":         "V",
		"scores.car.flow.full_lane": "V", "scores.car.flow.delay": "A", "scores.car.flow.power": "R"} {
		if got := MarkOf(path).Letter; got != want {
			t.Errorf("%s is marked %s, want %s", path, got, want)
		}
	}
	for _, path := range []string{"access.gravities.groceries.g0", "access.slots", "access.park_sizes.g0", "access.frontage.l0",
		"proximity.nearest_park_proximity.near_m", "transit.modes.bus", "transit.kinds.transit_friendly.perfect", "transit.without_times",
		"education.curve", "vibrant.n0", "scores.wellness.parks", "ground.near_m", "land.green.land", "land.historic.old",
		"bicycle.stress.lanes", "terrain.slope.full_pct", "traffic.classes.residential.aadt", "homes.least_ground", "homes.least_stretches",
		"form.unpleasant.factor"} {
		if MarkOf(path).Letter == "" {
			t.Errorf("%s has no mark", path)
		}
	}
}
