package rating

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/wording"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

var (
	standard = calibration.Standard()
	walk     = NewDecay(standard.Walking)
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestDecayMeetsItsAnchors(t *testing.T) {
	const mile = 1609.344
	for _, c := range []struct{ miles, want float64 }{{0, 1}, {0.25, 1}, {0.5, 0.75}, {1, 0.125}, {1.5, 0}, {2, 0}} {
		near(t, "W", walk.At(c.miles*mile), c.want, 0.003)
	}
	if walk.At(math.Inf(1)) != 0 || !math.IsNaN(walk.At(math.NaN())) {
		t.Error("W of +Inf is not 0, or W of NaN is a number")
	}
}

// The constants are worked out from the reference places beside them.
func TestConstantsFollowTheirReferences(t *testing.T) {
	score := standard.Access.ReferenceScore
	for channel, g := range standard.Access.Gravities {
		near(t, channel+" g0", g.G0, GravityG0(walk, g, score), 0.0006)
		here := make([]float64, g.Places)
		if most := Saturate(walk.Sum(geometric(1, g.Lambda, g.Places), here, 1, nil), g.G0); most < 4.75 {
			t.Errorf("%s is %.2f at most, which is never served as 5", channel, most)
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
		if s.Evidence {
			continue
		}
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
		{"gravity", walk.Sum(geometric(1, 0.5, 3), []float64{100, 900, 1200}, 1, nil), 1 + 0.5*walk.At(900) + 0.25*walk.At(1200)},
		{"saturated at g0 ln 10", Saturate(math.Ln10, 1), 4.5},
		{"half way by logarithm", LogRamp(1000, 100, 10000), 2.5},
		{"ramp at hand", LogRamp(0, 100, 10000), 5},
		{"ramp of nowhere", LogRamp(math.Inf(1), 100, 10000), 0},
		{"share", LogShare(99, 9999), 2.5},
		{"slots", walk.Sum([]float64{1.25, 0.75}, []float64{100, 900, 100}, 1, nil), 1.25 + 0.75*walk.At(900)},
		{"school at 1,150 m", Piecewise(standard.Education.Curve, 1150), 3.25},
		{"school at 9 km", Piecewise(standard.Education.Curve, 9000), 0},
		{"band of 2 ha", float64(Band([]float64{0.1, 1, 10}, 2)), 1},
		{"band of nothing", float64(Band([]float64{0.1, 1, 10}, 0.05)), -1},
		{"stretch of 100 ha", parkDistanceFactor(100), 3},
		{"pedestrian", Pedestrian(&standard.Scores, 0.5, 2.5, nil), 2.5},
		{"pedestrian of a main street", Pedestrian(&standard.Scores, 0.81, 5, nil), 5 * 0.81 / math.Sqrt(math.Sqrt(0.81))},
		{"pedestrian without errands", Pedestrian(&standard.Scores, 0, 5, nil), 0},
		{"pedestrian by a lone road", Pedestrian(&standard.Scores, 1, 0, nil), 5 * math.Pow(0.13/5, 0.25)},
		{"pedestrian by a lone road without errands", Pedestrian(&standard.Scores, 0, 0, nil), 0},
		{"cycling on the flat", Cycling(standard, 0.5, 1, 0.5, 0.5, 5, nil), 5 * (0.85*0.5 + 0.15)},
		{"car", Car(standard, CarInputs{1, 3, 1, 0.15, 0, 0}, nil), 5},
		{"car in a village", Car(standard, CarInputs{0.6, 11.5, 1, 0, 0, 0}, nil), 5 * math.Pow(0.675, 0.75)},
		{"car where half of the room is taken", Car(standard, CarInputs{1, 3, 1, 0, 0, 7500}, nil), 2.5},
		{"the same, lots unknown", Car(standard, CarInputs{1, 3, 1, math.NaN(), 0, 7500}, nil), 2.5},
		{"the same, with lots", Car(standard, CarInputs{1, 3, 1, 0.2, 0, 7500}, nil), 5 * 0.75},
		{"car in a downtown core", Car(standard, CarInputs{1, 3, 1, 0, 7400, 11_000}, nil),
			5 / (1 + math.Pow(11/7.5, 2.5)) / (1 + 0.3*math.Pow(0.74, 4))},
		{"car on full lanes", Car(standard, CarInputs{1, 3, 1, 0, 10_000, 0}, nil), 5 / 1.3},
		{"car far from everything", Car(standard, CarInputs{0.1, 30, 8.2, 0, 0, 0}, nil), 5 * math.Pow(0.1, 0.75)},
		{"ten minutes of driving", Driven(standard.Scores.Drive.Errands, 10), 0.5},
		{"quiet at the guideline", Quiet(standard.Scores.Quiet, 53, nil), 3.4},
		{"quiet by a motorway", Quiet(standard.Scores.Quiet, 80, nil), 0},
		{"a bar next door", NightlifeDB(&standard.Noise.Night, []float64{3}), 66},
		{"ten bars at 150 m", NightlifeDB(&standard.Noise.Night, slices.Repeat([]float64{150}, 10)), 56},
		{"parks", Parks(&standard.Scores, 5, 2.5, nil), 4},
		{"wellness", Wellness(standard, [8]float64{4, 4, 4, 4, 4, 4, 4, 4}, nil), 4},
	} {
		near(t, c.what, c.got, c.want, 1e-9)
	}
}

func TestBarsBeyondTheReach(t *testing.T) {
	if got := NightlifeDB(&standard.Noise.Night, []float64{501}); !math.IsInf(got, -1) {
		t.Errorf("a bar beyond the reach has %v dB", got)
	}
}

func TestWithoutGround(t *testing.T) {
	nan := math.NaN()
	for what, got := range map[string]float64{
		"pedestrian without places":    Pedestrian(&standard.Scores, nan, 1, nil),
		"pedestrian without streets":   Pedestrian(&standard.Scores, 1, nan, nil),
		"cycling by junctions alone":   Cycling(standard, nan, 1, 1, nan, 5, nil),
		"cycling by lanes alone":       Cycling(standard, 1, nan, nan, nan, nan, nil),
		"car with a ramp alone":        Car(standard, CarInputs{nan, 3, nan, .1, 1000, 1000}, nil),
		"car without streets":          Car(standard, CarInputs{1, 3, 1, .1, nan, 1000}, nil),
		"car without room":             Car(standard, CarInputs{1, 3, 1, .1, 1000, nan}, nil),
		"quiet without noise":          Quiet(standard.Scores.Quiet, nan, nil),
		"parks without sizes":          Parks(&standard.Scores, 1, nan, nil),
		"wellness of quiet alone":      Wellness(standard, [8]float64{nan, nan, 4, nan, nan, nan, nan, nan}, nil),
		"a school of unknown distance": Piecewise(standard.Education.Curve, nan),
		"a ramp of unknown distance":   LogRamp(nan, 1, 2),
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
			"W":      walk.At,
			"ramp":   func(d float64) float64 { return LogRamp(d, 150, 8000) },
			"school": func(d float64) float64 { return Piecewise(standard.Education.Curve, d) },
			"drive":  func(d float64) float64 { return Driven(standard.Scores.Drive.Errands, d/400) },
		} {
			if of(a) < of(b) || of(a) > 5 || of(b) < 0 {
				t.Fatalf("%s is %v at %v m and %v at %v m", what, of(a), a, of(b), b)
			}
		}
	})
}

// nearest are the k nearest of some distances.
func nearest(distances []float64, k int) []float64 {
	sorted := slices.Sorted(slices.Values(distances))
	return sorted[:min(k, len(sorted))]
}

func TestOneMorePlaceNeverLowersAndMovingAwayNeverRaises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.SliceOfN(rapid.Float64Range(0, 3000), 1, 20).Draw(t, "places")
		more := append(slices.Clone(places), metres(t, "one more"))
		away := slices.Clone(places)
		away[rapid.IntRange(0, len(away)-1).Draw(t, "which")] += metres(t, "away")
		for channel, g := range standard.Access.Gravities {
			score := func(d []float64) float64 {
				return Saturate(walk.Sum(geometric(1, g.Lambda, g.Places), nearest(d, g.Places), 1, nil), g.G0)
			}
			if s := score(places); score(more) < s-1e-12 || score(away) > s+1e-12 || s < 0 || s > 5 {
				t.Fatalf("%s: %v, with one more %v, with one moved away %v", channel, s, score(more), score(away))
			}
		}
		for _, slot := range standard.Access.Slots {
			score := func(d []float64) float64 { return walk.Sum(slot.Weights, nearest(d, len(slot.Weights)), 1, nil) }
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
		s := &standard.Scores
		for what, score := range map[string]float64{
			"pedestrian": Pedestrian(s, maybe("base", 1), maybe("junctions", 5), nil),
			"cycling": Cycling(standard, maybe("lanes", 1), maybe("steepest", 40), maybe("bicycle base", 1), maybe("calm", 1),
				maybe("intersections", 5), nil),
			"car": Car(standard, CarInputs{maybe("errands", 1), maybe("ramp", 30), maybe("arterial", 10), maybe("parking", 1),
				maybe("load", 2e4), maybe("activity", 1e5)}, nil),
			"quiet": Quiet(s.Quiet, maybe("dB", 100), nil),
			"parks": Parks(s, maybe("park access", 5), maybe("by size", 5), nil),
			"wellness": Wellness(standard, [8]float64{maybe("a", 5), maybe("b", 5), maybe("c", 5), maybe("d", 5), maybe("e", 5), maybe("f", 5),
				maybe("g", 5), maybe("h", 5)}, nil),
			"vibrant": Vibrant(&standard.Vibrant, counts, nil),
			"transit": LogShare(maybe("departures", 1e6), 34076),
		} {
			if score < 0 || score > 5 {
				t.Fatalf("%s is %v", what, score)
			}
		}
	})
}

// More errands and more intersections never lower pedestrian_friendly, and what is explained adds up to it.
func TestPedestrianRisesWithErrandsAndIntersections(t *testing.T) {
	near(t, "exponents", standard.Scores.Pedestrian.Errands+standard.Scores.Pedestrian.Intersections, 1, 1e-12)
	rapid.Check(t, func(t *rapid.T) {
		share, five := rapid.Float64Range(0, 1), rapid.Float64Range(0, 5)
		e, more, i, denser := share.Draw(t, "errands"), share.Draw(t, "more"), five.Draw(t, "intersections"), five.Draw(t, "denser")
		e, more, i, denser = min(e, more), max(e, more), min(i, denser), max(i, denser)
		var trace Trace
		v := Pedestrian(&standard.Scores, e, i, &trace)
		if up, right := Pedestrian(&standard.Scores, more, i, nil), Pedestrian(&standard.Scores, e, denser, nil); up < v || right < v || up > 5 {
			t.Fatalf("%v, with more errands %v, with more intersections %v", v, up, right)
		}
		sum := 0.0
		for _, p := range trace.Parts {
			sum += p.Share
		}
		if last := trace.Steps[len(trace.Steps)-1]; math.Abs(sum-v) > 1e-12 || last.Value != v {
			t.Fatalf("parts add up to %v, the last step is %v, the value %v", sum, last.Value, v)
		}
	})
}

// A nearer ramp and more land for parking never lower car_friendly; more people and more traffic never raise it.
func TestCarIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pair := func(label string, most float64) (less, more float64) {
			a, b := rapid.Float64Range(0, most).Draw(t, label), rapid.Float64Range(0, most).Draw(t, label)
			return min(a, b), max(a, b)
		}
		errands, moreErrands := pair("errands", 1)
		near, far := pair("ramp", 40)
		nearArterial, farArterial := pair("arterial", 20)
		lots, moreLots := pair("lots", 1)
		load, moreLoad := pair("load", 2e4)
		few, many := pair("activity", 1e5)
		if rapid.Bool().Draw(t, "lots unknown") {
			lots, moreLots = math.NaN(), math.NaN()
		}
		in := CarInputs{errands, far, farArterial, lots, moreLoad, many}
		v := Car(standard, in, nil)
		for what, better := range map[string]CarInputs{
			"more errands":      {moreErrands, far, farArterial, lots, moreLoad, many},
			"a nearer ramp":     {errands, near, farArterial, lots, moreLoad, many},
			"a nearer arterial": {errands, far, nearArterial, lots, moreLoad, many},
			"more parking":      {errands, far, farArterial, moreLots, moreLoad, many},
			"less traffic":      {errands, far, farArterial, lots, load, many},
			"fewer people":      {errands, far, farArterial, lots, moreLoad, few},
		} {
			if got := Car(standard, better, nil); got < v-1e-12 {
				t.Fatalf("%s: %v, before %v", what, got, v)
			}
		}
	})
}

// The ease of driving in places that people know, with their parts as computed: a core is hard, a quiet village easy, and
// a house far from everything is between them.
func TestCarAtKnownPlaces(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		place       string
		in          CarInputs
		least, most float64
	}{
		{"ByWard Market, Ottawa", CarInputs{1, 2.8, 0.4, nan, 7385, 12_143}, 0.5, 1.5},
		{"Bank and Gladstone, Ottawa", CarInputs{1, 0.9, 0.2, nan, 4201, 16_713}, 0.5, 1.5},
		{"Rodney Square, Wilmington", CarInputs{nan, 1.9, 0.1, 0.01, 7869, 10_935}, 0.5, 1.5},
		{"Sandy Hill, Ottawa", CarInputs{1, 1.6, 0.7, nan, 6990, 8501}, 1.5, 2.75},
		{"the Glebe, Ottawa", CarInputs{1, 1.1, 0, nan, 3711, 7070}, 1.5, 2.75},
		{"Qualicum, a suburb by an arterial, Ottawa", CarInputs{1, 1.2, 0.3, nan, 8335, 4588}, 3.25, 4.7},
		{"Kanata Lakes, a suburb, Ottawa", CarInputs{1, 3.6, 3.3, nan, 1492, 3577}, 3.5, 4.7},
		{"Owings Mills, Maryland", CarInputs{0.86, 3.1, 1.3, 0.13, 5280, 1167}, 3.5, 4.7},
		{"Carp, a village with some shops", CarInputs{0.64, 9.3, 1.2, nan, 1202, 814}, 3, 4},
		{"Bombay Hook, far from everything", CarInputs{nan, 19.5, 7.1, 0, 64, 20}, 1.3, 2.5},
		{"a house in a forest, far from everything", CarInputs{0.1, 18, 4, nan, 100, 5}, 1.5, 2.5},
	} {
		if got := Car(standard, c.in, nil); got < c.least || got > c.most {
			t.Errorf("%s: %.2f, not %.4g to %.4g", c.place, got, c.least, c.most)
		}
	}
}

// A kind that no source has is estimated from those that are known, and what is known keeps its own weight.
func TestUnknownErrands(t *testing.T) {
	errands := func(shops bool, classes ...string) *Errands {
		return NewErrands(standard, standard.Estimates.Walk, shops, func(class string) bool { return slices.Contains(classes, class) })
	}
	all := []string{"grocery", "restaurant", "nightlife", "shop", "cafe", "bank", "park", "primary_school", "high_school", "library",
		"entertainment", "convenience", "specialty_grocery"}
	if e := errands(false, all...); wording.English.Text(e.Note()) != "errands of 15 of 15 points" || len(e.Slots) != 9 || e.Residual != 0 ||
		e.Of != 15 {
		t.Errorf("with all kinds known: %+v of %d kinds", e.Note(), len(e.Slots))
	}
	e := errands(false, slices.DeleteFunc(slices.Clone(all), func(class string) bool { return class == "shop" })...)
	if len(e.Unknown) != 1 || e.Unknown[0].Name != "shopping" || e.Unknown[0].Weight != 2 || !slices.Contains(e.Unknown[0].From, "coffee") {
		t.Errorf("without shops: %+v", e.Unknown)
	}
	weights := map[string]float64{}
	for _, slot := range e.Slots {
		weights[slot.Name] = Total(slot.Weights)
	}
	if weights["coffee"] <= 2 || weights["grocery"] < 3 || weights["banks"] < 1 {
		t.Errorf("without shops the others have the weights %v", weights)
	}
	if e.Residual < 0.02 || e.Residual > 0.15 {
		t.Errorf("shops are estimated within %.3f points", e.Residual)
	}
	if e = errands(true, all...); e.Of != 13 {
		t.Errorf("shops of %v points", e.Of)
	}
	if e = errands(false, "fitness"); e.Enough() || len(e.Unknown) != 9 {
		t.Errorf("of fitness alone: %+v", e.Note())
	}
	for _, slot := range standard.Access.Slots {
		for _, class := range slot.Classes {
			if !slices.Contains(schemas.DestinationClasses, class) {
				t.Errorf("slot %s: no class %s", slot.Name, class)
			}
		}
	}
}

func TestVibrantOfAMainStreet(t *testing.T) {
	kinds := len(standard.Vibrant.Activities)
	even := slices.Repeat([]uint64{5}, kinds)
	near(t, "diversity of an even mixture", diversity(even, float64(5*kinds)), 1, 1e-9)
	if got := Vibrant(&standard.Vibrant, even, nil); got < 4.2 || got > 4.75 {
		t.Errorf("a main street's vibrant is %.2f", got)
	}
	near(t, "diversity of one kind", diversity(append([]uint64{60}, make([]uint64, kinds-1)...), 60), 0, 1e-9)
}

// A trace records the formula with symbols and with numbers, and changes no value.
func TestTrace(t *testing.T) {
	var trace Trace
	g := standard.Access.Gravities["coffee_shop_access"]
	rule := gravity("coffee_shop_access", g, walk)
	if got := rule.Value([]float64{116, 128}, &trace); got != rule.Value([]float64{116, 128}, nil) {
		t.Errorf("%v with a trace", got)
	}
	step := trace.Steps[len(trace.Steps)-1]
	if text, worked := step.Text(wording.English), step.Worked(wording.English); text != "5 (1 − exp(−G/G0))" ||
		worked != "5 (1 − exp(−1.8000/1.362)) = 3.6664" {
		t.Errorf("%q and %q", text, worked)
	}
	if len(trace.Terms) != 2 || trace.Terms[1] != (Term{128, 1, 0.8}) {
		t.Errorf("terms %v", trace.Terms)
	}
	trace = Trace{}
	nan := math.NaN()
	value, sum := Wellness(standard, [8]float64{4, nan, 2, 3, nan, 3, 1, 3}, &trace), 0.0
	for _, p := range trace.Parts {
		sum += p.Share
	}
	if p := trace.Parts; len(p) != 8 || math.Abs(p[0].Share-1) > 1e-9 || !p[1].Estimated || p[2].Estimated || math.Abs(sum-value) > 1e-9 {
		t.Errorf("%v of parts %+v", value, trace.Parts)
	}
}

func TestInvert(t *testing.T) {
	ramp := func(d float64) float64 { return LogRamp(d, 500, 30000) }
	for _, d := range []float64{500, 2174, 29000} {
		near(t, "inverse of a falling formula", Invert(ramp, ramp(d), 500, 30000), d, 0.01)
	}
	near(t, "inverse of a rising formula", Invert(func(x float64) float64 { return Saturate(x, 2) }, 3, 0, 100), -2*math.Log(1-3.0/5), 1e-6)
}

// Without a trace nothing is allocated.
func TestNoAllocationsWithoutTrace(t *testing.T) {
	rules := NearestRules(standard, walk)
	metres := []float64{50, 300, 700, 1200, 2000}
	in := new(Inputs)
	allocations := testing.AllocsPerRun(10, func() {
		for _, rule := range rules {
			rule.Value(metres[:min(len(metres), rule.Places)], nil)
		}
		for _, score := range Composites {
			score.Value(standard, in, nil)
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}
