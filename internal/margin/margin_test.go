package margin

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func sum(figures ...Figure) Figure {
	var s Sum
	for _, f := range figures {
		s.Add(f, 1)
	}
	return s.Figure()
}

// TestHandbook has the worked examples of the ACS handbook: women who never married in three counties of Virginia, and
// the Black ones among them with a graduate degree.
func TestHandbook(t *testing.T) {
	three := sum(Figure{135173, 3860}, Figure{43104, 2642}, Figure{24842, 1957})
	near(t, "the sum", three.Estimate, 203119, 0)
	near(t, "its margin", three.MOE, 5070, 0.6)
	share := Share(Figure{4634, 989}, Figure{31713, 601})
	near(t, "the share", share.Estimate, 0.1461, 5e-5)
	near(t, "its margin", share.MOE, 0.0311, 5e-5)
	ratio := Ratio(Figure{4634, 989}, Figure{6440, 1328})
	near(t, "the ratio", ratio.Estimate, 0.7200, 5e-4)
	near(t, "its margin", ratio.MOE, 0.2135, 5e-5)
}

func TestSum(t *testing.T) {
	unknown := math.NaN()
	for _, c := range []struct {
		name    string
		figures []Figure
		want    Figure
	}{
		{"nothing", nil, Figure{0, 0}},
		{"exact ones", []Figure{{3, 0}, {4, 0}}, Figure{7, 0}},
		{"in quadrature", []Figure{{10, 3}, {20, 4}}, Figure{30, 5}},
		{"of several zeros the largest", []Figure{{0, 12}, {0, 11}, {0, 12}}, Figure{0, 12}},
		{"zeros among others", []Figure{{0, 12}, {10, 3}, {20, 4}, {0, 11}}, Figure{30, 13}},
		{"one without a margin", []Figure{{10, 3}, {20, unknown}}, Figure{30, unknown}},
		{"a zero without a margin", []Figure{{10, 3}, {0, unknown}}, Figure{10, unknown}},
		{"a loss", []Figure{{-10, 3}, {0, 4}}, Figure{-10, 5}},
	} {
		got := sum(c.figures...)
		if got.Estimate != c.want.Estimate || got.Known() != c.want.Known() || got.Known() && got.MOE != c.want.MOE {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestSumOfParts(t *testing.T) {
	var s Sum
	s.AddPart(Figure{1000, 100}, 0.25, 900, Sides{0.1, 0.2})
	s.AddPart(Figure{500, math.NaN()}, 0, 900, Sides{0.1, 0.2}) // weight 0: stays known
	s.AddPart(Figure{0, 12}, 0.5, 900, Sides{0.1, 0.2})         // nothing is misplaced
	near(t, "the estimate", s.Estimate, 250, 0)
	near(t, "the margin of the figures", s.Published().MOE, math.Sqrt(25*25+6*6), 1e-9)
	near(t, "of what they consist of", s.Composed().MOE, math.Sqrt(25*25+6*6+900), 1e-9)
	near(t, "the margin", s.Figure().MOE, math.Sqrt(25*25+6*6+900+(100*100+200*200)/2), 1e-9)
	lower, upper, ok := s.Interval(0, math.Inf(1))
	near(t, "lower", lower, 250-math.Sqrt(25*25+6*6+900+100*100), 1e-9)
	near(t, "upper", upper, 250+math.Sqrt(25*25+6*6+900+200*200), 1e-9)
	if !ok {
		t.Error("no interval")
	}
	// All cells of the part are misplaced together: twice of everything is misplaced by twice as much.
	twice := s
	twice.Join(s, 1)
	near(t, "of two cells", twice.Placed.Above, 400*400, 1e-6)
	near(t, "what two cells consist of", twice.Mixed, 1800, 1e-9)
	if _, _, ok := (Sum{Estimate: 3, Unknown: true}).Interval(0, 9); ok {
		t.Error("an interval of an unknown margin")
	}
}

// A share of one area does not depend on how many live in a part of it; of two areas with different shares it does.
func TestShareOfParts(t *testing.T) {
	var owners, all Sum
	owners.AddPart(Figure{300, 0}, 0.5, 100, Sides{0.2, 0.2})
	all.AddPart(Figure{1000, 0}, 0.5, 0, Sides{0.2, 0.2})
	lower, upper, _ := owners.ShareInterval(all)
	near(t, "lower", lower, 0.3-0.02, 1e-9)
	near(t, "upper", upper, 0.3+0.02, 1e-9)
	owners.AddPart(Figure{900, 0}, 0.5, 100, Sides{0.2, 0.2})
	all.AddPart(Figure{1000, 0}, 0.5, 0, Sides{0.2, 0.2})
	lower, _, _ = owners.ShareInterval(all) // each area counts for 500 ± 200 and is 0.3 off: 2 · (200 · 0.3)² more than the 2 · 100
	near(t, "of two areas", lower, 0.6-math.Sqrt(200+2*60*60)/1000, 1e-9)
	near(t, "their ratio", owners.Ratio(all).MOE, math.Sqrt(200+2*60*60)/1000, 1e-9)
	owners.Mixed *= 1e6
	if lower, upper, _ := owners.ShareInterval(all); lower != 0 || upper != 1 {
		t.Errorf("%v to %v of parts of one kind", lower, upper)
	}
}

// TestPlaced checks that an interval is within an area, contains the share and is wider for a larger deviation, and that
// a small one is nearly symmetric.
func TestPlaced(t *testing.T) {
	if s := Placed(0.3, 0, 0.3, 0); s != (Sides{}) {
		t.Errorf("of a certain share: %v", s)
	}
	s := Placed(0.3, 0.25, 0.3, 0)
	// By hand: z²·0.25²/0.21 = 0.8054; (0.3 + 0.4027 ± √(0.21 · 0.8054 + 0.4027²))/1.8054.
	near(t, "lower, of 0.3 of the ground", 0.3-s.Below, 0.0704, 5e-5)
	near(t, "upper", 0.3+s.Above, 0.7080, 5e-5)
	near(t, "lower, where a fifth may be empty", 0.3-Placed(0.3, 0.25, 0.3, 0.2).Below, (0.0704-0.06)/0.8, 5e-5)
	// An outline that leaves a sliver of an area out by mistake loses few of its people.
	if s := Placed(0.9999, 0.7*math.Sqrt(1e-4), 0.3, 0.2); s.Below > 0.03 {
		t.Errorf("of a sliver: %v", s)
	}
	rapid.Check(t, func(t *rapid.T) {
		share := rapid.Float64Range(0.001, 0.999).Draw(t, "share")
		sd := rapid.Float64Range(1e-6, 0.75).Draw(t, "sigma") * math.Sqrt(share*(1-share))
		s := Placed(share, sd, 0.3, 0.1)
		if !(s.Below > 0 && s.Below <= share && s.Above > 0 && s.Above <= 1-share+1e-12) {
			t.Fatalf("%v ± %v: %v", share, sd, s)
		}
		if more := Placed(share, 1.1*sd, 0.3, 0.1); more.Below < s.Below*(1-1e-9) || more.Above < s.Above*(1-1e-9) {
			t.Fatalf("%v ± %v: %v, with a larger deviation %v", share, sd, s, more)
		}
		tiny := Placed(share, 1e-4*share*(1-share), 0.3, 0)
		if math.Abs(tiny.Above/tiny.Below-1) > 0.01 {
			t.Fatalf("%v: %v is not symmetric", share, tiny)
		}
	})
}

// figure draws an estimate with a margin.
func figure() *rapid.Generator[Figure] {
	return rapid.Custom(func(t *rapid.T) Figure {
		return Figure{float64(rapid.IntRange(0, 2000).Draw(t, "estimate")), rapid.Float64Range(0, 500).Draw(t, "margin")}
	})
}

func TestSumsMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		figures := rapid.SliceOfN(figure(), 0, 20).Draw(t, "figures")
		cut := rapid.IntRange(0, len(figures)).Draw(t, "cut")
		var all, left, right Sum
		for i, f := range figures {
			w := rapid.Float64Range(0, 1).Draw(t, "weight")
			into := &right
			if i < cut {
				into = &left
			}
			for _, sum := range []*Sum{&all, into} {
				sum.AddPart(f, w, 9, Sides{w / 4, w / 3})
			}
		}
		left.Merge(right)
		got, want := left.Figure(), all.Figure()
		if math.Abs(got.Estimate-want.Estimate) > 1e-9*want.Estimate || math.Abs(got.MOE-want.MOE) > 1e-9*want.MOE {
			t.Fatalf("%v, added in one sum %v", got, want)
		}
	})
}

func TestShare(t *testing.T) {
	for _, c := range []struct {
		name        string
		part, whole Figure
		want        Figure
	}{
		{"a proportion", Figure{50, 13}, Figure{100, 24}, Figure{0.5, 0.05}},
		{"a ratio, where the proportion has no root", Figure{50, 3}, Figure{100, 8}, Figure{0.5, 0.05}},
		{"all", Figure{100, 20}, Figure{100, 20}, Figure{1, 0.2}},
		{"of an exact total", Figure{25, 5}, Figure{100, 0}, Figure{0.25, 0.05}},
		{"none", Figure{0, 12}, Figure{100, 20}, Figure{0, 0.12}},
	} {
		got := Share(c.part, c.whole)
		near(t, c.name, got.Estimate, c.want.Estimate, 1e-12)
		near(t, c.name+", the margin", got.MOE, c.want.MOE, 1e-12)
	}
	if f := Share(Figure{0, 12}, Figure{0, 12}); !math.IsNaN(f.Estimate) || f.Known() {
		t.Errorf("share of zero: %v", f)
	}
	for _, f := range []Figure{
		Share(Figure{100, math.NaN()}, Figure{100, 3}), Share(Figure{100, 3}, Figure{100, math.NaN()}),
		Share(Figure{10, 3}, Figure{100, math.NaN()}), Ratio(Figure{10, 3}, Figure{100, math.NaN()}),
	} {
		if f.Known() || math.IsNaN(f.Estimate) {
			t.Errorf("without a margin: %v", f)
		}
	}
	if f := Ratio(Figure{1, 1}, Figure{0, 12}); !math.IsNaN(f.Estimate) || f.Known() {
		t.Errorf("ratio to zero: %v", f)
	}
}

func TestOtherMargins(t *testing.T) {
	near(t, "of a 95 % interval", From95(100-19.6, 100+19.6), 16.45, 1e-9)
	near(t, "of four rounded counts", Rounded(70, 4, 2).MOE, Z*4, 1e-12)
	lower, upper, ok := Interval(Figure{5, 9}, 0, math.Inf(1))
	if lower != 0 || upper != 14 || !ok {
		t.Errorf("%v to %v, %t", lower, upper, ok)
	}
	if _, _, ok := Interval(Figure{5, math.NaN()}, 0, 1); ok {
		t.Error("an interval of an unknown margin")
	}
}

func TestShareInterval(t *testing.T) {
	for _, c := range []struct {
		name         string
		part, whole  Figure
		lower, upper float64
	}{
		{"in the middle", Figure{50, 5}, Figure{100, 0}, 0.45, 0.55},
		{"exact", Figure{100, 0}, Figure{100, 0}, 1, 1},
		{"none: the margin of the zero", Figure{0, 12}, Figure{100, 0}, 0, 0.12},
		{"all", Figure{100, 12}, Figure{100, 0}, 0.88, 1},
		// One of a sample of 50, by hand: 0.02 + 0.02706 ± √(0.0196 · 0.05412 + 0.02706²), over 1.05412.
		{"near zero", Figure{2, Z * math.Sqrt(0.0196/50) * 100}, Figure{100, 0}, 0.00448, 0.08481},
		{"near one", Figure{98, Z * math.Sqrt(0.0196/50) * 100}, Figure{100, 0}, 0.91519, 0.99552},
	} {
		lower, upper, ok := ShareInterval(c.part, c.whole)
		near(t, c.name+", lower", lower, c.lower, 5e-5)
		near(t, c.name+", upper", upper, c.upper, 5e-5)
		if !ok {
			t.Errorf("%s: no interval", c.name)
		}
	}
	if _, _, ok := ShareInterval(Figure{0, 12}, Figure{0, 12}); ok {
		t.Error("an interval of no share")
	}
}

// TestShareIntervalContainsTheShare checks also that it is within 0 and 1, little wider than twice the margin, and near 0
// and 1 not narrower for a larger margin.
func TestShareIntervalContainsTheShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := Figure{float64(rapid.IntRange(1, 2000).Draw(t, "whole")), 0}
		part := Figure{math.Floor(rapid.Float64Range(0, 1).Draw(t, "share") * whole.Estimate), rapid.Float64Range(0.01, 1000).Draw(t, "margin")}
		p := part.Estimate / whole.Estimate
		lower, upper, ok := ShareInterval(part, whole)
		if !ok || !(0 <= lower && lower <= p && p <= upper && upper <= 1) {
			t.Fatalf("%v in %v to %v", p, lower, upper)
		}
		m := part.MOE / whole.Estimate
		if upper-lower > 2.6*m {
			t.Fatalf("%v to %v of a margin of %v", lower, upper, m)
		}
		if p-m >= 0 && p+m <= 1 {
			return
		}
		part.MOE *= 1 + rapid.Float64Range(0, 1).Draw(t, "more")
		if l, u, _ := ShareInterval(part, whole); u-l < (upper-lower)*(1-1e-9) {
			t.Fatalf("%v to %v, with a larger margin %v to %v", lower, upper, l, u)
		}
	})
}
