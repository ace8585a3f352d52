package rating

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/schemas"
	"quartier/schemas/calibration"
)

var (
	standard = calibration.Standard()
	walk     = NewWalk(standard.Walking)
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestWalkMeetsItsAnchors(t *testing.T) {
	const mile = 1609.344
	for _, c := range []struct{ miles, want float64 }{{0, 1}, {0.25, 1}, {0.5, 0.75}, {1, 0.125}, {1.5, 0}, {2, 0}} {
		near(t, "W", walk.Worth(c.miles*mile), c.want, 0.003)
	}
	if walk.Worth(math.Inf(1)) != 0 || !math.IsNaN(walk.Worth(math.NaN())) {
		t.Error("W of nowhere is not 0, or of the unknown is known")
	}
}

// The constants are worked out from the reference places beside them.
func TestConstantsFollowTheirReferences(t *testing.T) {
	score := standard.Access.ReferenceScore
	for channel, g := range standard.Access.Gravities {
		near(t, channel+" g0", g.G0, GravityG0(walk, g, score), 0.0006)
		ones := slices.Repeat([]float64{1}, g.Places)
		if most := Saturate(Gravity(g.Lambda, ones), g.G0); most < 4.75 {
			t.Errorf("%s is %.2f at most, which is never told as 5", channel, most)
		}
		if _, known := schemas.ChannelOf(channel); !known || !slices.Contains(schemas.DestinationClasses, g.Class) {
			t.Errorf("%s of %s: no such channel or class", channel, g.Class)
		}
	}
	near(t, "parks g0", standard.Access.ParkSizes.G0, ParkG0(walk, standard.Access.ParkSizes, score), 0.0006)
	near(t, "frontage l0", standard.Access.Frontage.L0, FrontageL0(walk, standard.Access.Frontage, score), 0.06)
	near(t, "vibrant n0", standard.Vibrant.N0, VibrantN0(standard.Vibrant, score), 0.006)
	for channel, kind := range standard.Transit.Kinds {
		near(t, channel+" perfect", kind.Perfect, TransitPerfect(walk, standard.Transit, channel, score), 1)
	}
}

func TestSlotsAreThoseOfTheWhitePaper(t *testing.T) {
	all, shops := 0.0, 0.0
	for _, s := range standard.Access.Slots {
		all += Total(s.Weights)
		if s.Shops {
			shops += Total(s.Weights)
		}
	}
	near(t, "all weights", all, 15, 1e-9)
	near(t, "weights of shops", shops, 13, 1e-9)
}

func TestByHand(t *testing.T) {
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"gravity", Gravity(0.5, []float64{1, 0.5, 0.25}), 1 + 0.25 + 0.0625},
		{"saturated at g0 ln 10", Saturate(math.Ln10, 1), 4.5},
		{"half way by logarithm", LogRamp(1000, 100, 10000), 2.5},
		{"ramp at hand", LogRamp(0, 100, 10000), 5},
		{"ramp of nowhere", LogRamp(math.Inf(1), 100, 10000), 0},
		{"share", LogShare(99, 9999), 2.5},
		{"slots", Slots([]float64{1.25, 0.75}, []float64{1, 0.5, 1}), 1.625},
		{"school at 1,150 m", Piecewise(standard.Education.Curve, 1150), 3.25},
		{"school at 9 km", Piecewise(standard.Education.Curve, 9000), 0},
		{"band of 2 ha", float64(Band([]float64{0.1, 1, 10}, 2)), 1},
		{"band of nothing", float64(Band([]float64{0.1, 1, 10}, 0.05)), -1},
		{"stretch of 100 ha", ParkStretch(100), 3},
		{"street", Street(5, 4, 2), (5 + 4 + 3) / 15.0},
		{"street, one known", Street(math.NaN(), 4, math.NaN()), 0.8},
		{"pedestrian", Pedestrian(&standard.Scores, 0.8, 0.6), 5 * (0.85*0.8 + 0.15*0.6)},
		{"cycling on the flat", Cycling(&standard.Scores, 0.5, 1, 0.5, 0.5), 5 * (0.85*0.5 + 0.15)},
		{"cycling, hills unknown", Cycling(&standard.Scores, 0.5, math.NaN(), 0.5, 0.5), 2.5},
		{"car", Car(&standard.Scores, 5, 0.15, 1, 1000), 5},
		{"car downtown", Car(&standard.Scores, 5, 0, 1, 1e6), 5 * 0.55},
		{"half an hour's drive", Driven(standard.Scores.Drive, 10000), 0.5},
		{"quiet at the guideline", Quiet(standard.Scores.Quiet, 53, math.NaN()), 3.4},
		{"quiet over a bar", Quiet(standard.Scores.Quiet, 53, 5), 2.9},
		{"quiet by a motorway", Quiet(standard.Scores.Quiet, 80, 5), 0},
		{"parks", Parks(&standard.Scores, 5, 2.5), 4},
		{"wellness, greenery unknown", Wellness(&standard.Scores, 4, math.NaN(), 4, 4, 4, 4), 4},
	} {
		near(t, c.what, c.got, c.want, 1e-9)
	}
}

func TestWithoutGround(t *testing.T) {
	nan := math.NaN()
	for what, got := range map[string]float64{
		"pedestrian without places":    Pedestrian(&standard.Scores, nan, 1),
		"pedestrian without streets":   Pedestrian(&standard.Scores, 1, Street(nan, nan, nan)),
		"cycling without lanes":        Cycling(&standard.Scores, nan, 1, 1, 1),
		"car without highways":         Car(&standard.Scores, nan, 1, 1, 1000),
		"car with highways alone":      Car(&standard.Scores, 5, nan, nan, nan),
		"quiet without noise":          Quiet(standard.Scores.Quiet, nan, 1),
		"parks without sizes":          Parks(&standard.Scores, 1, nan),
		"wellness of quiet alone":      Wellness(&standard.Scores, nan, nan, 4, nan, nan, nan),
		"a school of unknown distance": Piecewise(standard.Education.Curve, nan),
		"a ramp of unknown distance":   LogRamp(nan, 1, 2),
		"wellness's errands":           Errands(nan, nan, nan),
	} {
		if !math.IsNaN(got) {
			t.Errorf("%s is %v, want nothing", what, got)
		}
	}
}

func metres(t *rapid.T, label string) float64 { return rapid.Float64Range(0, 12000).Draw(t, label) }

func TestFartherIsNeverBetter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := metres(t, "a"), metres(t, "b")
		a, b = min(a, b), max(a, b)
		for what, of := range map[string]func(float64) float64{
			"W":      walk.Worth,
			"ramp":   func(d float64) float64 { return LogRamp(d, 150, 8000) },
			"school": func(d float64) float64 { return Piecewise(standard.Education.Curve, d) },
			"drive":  func(d float64) float64 { return Driven(standard.Scores.Drive, d) },
		} {
			if of(a) < of(b) || of(a) > 5 || of(b) < 0 {
				t.Fatalf("%s is %v at %v m and %v at %v m", what, of(a), a, of(b), b)
			}
		}
	})
}

// worths are those of the k nearest of some places.
func worths(distances []float64, k int) []float64 {
	sorted := slices.Sorted(slices.Values(distances))
	var list []float64
	for _, d := range sorted[:min(k, len(sorted))] {
		list = append(list, walk.Worth(d))
	}
	return list
}

func TestOneMorePlaceNeverLowersAndMovingAwayNeverRaises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.SliceOfN(rapid.Float64Range(0, 3000), 1, 20).Draw(t, "places")
		more := append(slices.Clone(places), metres(t, "one more"))
		away := slices.Clone(places)
		away[rapid.IntRange(0, len(away)-1).Draw(t, "which")] += metres(t, "away")
		for channel, g := range standard.Access.Gravities {
			score := func(d []float64) float64 { return Saturate(Gravity(g.Lambda, worths(d, g.Places)), g.G0) }
			if s := score(places); score(more) < s-1e-12 || score(away) > s+1e-12 || s < 0 || s > 5 {
				t.Fatalf("%s: %v, with one more %v, with one moved away %v", channel, s, score(more), score(away))
			}
		}
		for _, slot := range standard.Access.Slots {
			score := func(d []float64) float64 { return Slots(slot.Weights, worths(d, len(slot.Weights))) }
			if s := score(places); score(more) < s-1e-12 || score(away) > s+1e-12 || s > Total(slot.Weights)+1e-12 {
				t.Fatalf("slot %s: %v, with one more %v, with one moved away %v", slot.Name, s, score(more), score(away))
			}
		}
	})
}

func TestScoresStayWithinTheScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		maybe := func(label string, most float64) float64 {
			if rapid.IntRange(0, 4).Draw(t, label+" known") == 0 {
				return math.NaN()
			}
			return rapid.Float64Range(0, most).Draw(t, label)
		}
		counts := rapid.SliceOfN(rapid.Uint64Range(0, 100), 12, 12).Draw(t, "counts")
		activity := NewActivity(&standard.Vibrant, counts)
		s := &standard.Scores
		for what, score := range map[string]float64{
			"pedestrian": Pedestrian(s, maybe("base", 1), Street(maybe("junctions", 5), maybe("local", 5), maybe("unpleasant", 5))),
			"cycling":    Cycling(s, maybe("lanes", 1), maybe("steepest", 40), maybe("bicycle base", 1), maybe("calm", 1)),
			"car":        Car(s, maybe("highway", 5), maybe("parking", 1), maybe("errands", 1), maybe("density", 1e5)),
			"quiet":      Quiet(s.Quiet, maybe("dB", 100), maybe("nightlife", 5)),
			"parks":      Parks(s, maybe("park access", 5), maybe("by size", 5)),
			"wellness":   Wellness(s, maybe("a", 5), maybe("b", 5), maybe("c", 5), maybe("d", 5), maybe("e", 5), maybe("f", 5)),
			"vibrant":    Vibrant(&standard.Vibrant, activity),
			"transit":    LogShare(maybe("departures", 1e6), 34076),
		} {
			if score < 0 || score > 5 {
				t.Fatalf("%s is %v", what, score)
			}
		}
	})
}

func TestVibrantOfAMainStreet(t *testing.T) {
	even := slices.Repeat([]uint64{5}, len(standard.Vibrant.Activities))
	a := NewActivity(&standard.Vibrant, even)
	near(t, "diversity of all alike", a.Diversity, 1, 1e-9)
	near(t, "places", a.Places, 60, 0)
	if got := Vibrant(&standard.Vibrant, a); got < 4.2 || got > 4.75 {
		t.Errorf("a main street's vibrant is %.2f", got)
	}
	alone := NewActivity(&standard.Vibrant, append([]uint64{60}, make([]uint64, 11)...))
	near(t, "diversity of one class", alone.Diversity, 0, 1e-9)
}
