package scores

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/schemas"
	"quartier/schemas/calibration"
)

// at is residents with a channel; a weight of 1 is a household.
func at(channel schemas.Channel, homes ...[2]float64) *residents {
	r := &residents{}
	for _, h := range homes {
		var values [schemas.ChannelCount]uint16
		for c := range values {
			values[c] = schemas.AbsentValue
		}
		if h[0] >= 0 {
			values[channel] = uint16(math.Round(h[0] * schemas.UnitValue))
		}
		r.weights, r.values = append(r.weights, int64(1000*h[1])), append(r.values, values)
	}
	return r
}

func TestSpread(t *testing.T) {
	quiet := schemas.MustChannel("quiet")
	v := at(quiet, [2]float64{4.8, 500}, [2]float64{0.2, 400}, [2]float64{-1, 100}, [2]float64{2.3, 1000},
		[2]float64{1.1, 100}).spread(&calibration.Standard().Spread, quiet)
	want := schemas.ScoreSpread{Homes: 2100, Known: 2000, P10: 0.2, P50: 2.3, P90: 4.8, Low: 0.2, High: 4.8,
		Steps: [schemas.HalfPoints]float64{0: 0.2, 2: 0.05, 5: 0.5, 10: 0.25}}
	if v != want {
		t.Errorf("%+v, want %+v", v, want)
	}
	if none := at(quiet, [2]float64{-1, 5000}).spread(&calibration.Standard().Spread, quiet); none != (schemas.ScoreSpread{Homes: 5000}) {
		t.Errorf("without data %+v", none)
	}
}

func TestCollapse(t *testing.T) {
	quiet := schemas.MustChannel("quiet")
	for _, c := range []struct {
		what  string
		homes [][2]float64
		want  string
	}{
		{"all steps occur", [][2]float64{{0.3, 500}, {2, 1000}, {4, 500}}, ""},
		{"one half point holds three fifths", [][2]float64{{0.3, 200}, {2.1, 1200}, {4, 600}}, ""},
		{"one half point holds more", [][2]float64{{0.3, 200}, {2.1, 700}, {1.8, 510}, {4, 590}}, "2.0 holds 60 % of the homes, more than 60 %"},
		{"none is noisy", [][2]float64{{1.5, 500}, {3, 1000}, {4, 500}}, "the lowest of its homes has 1.50, and none is below 1.5"},
		{"none is quiet", [][2]float64{{0.3, 500}, {2, 1000}, {3.5, 500}}, "the highest of its homes has 3.50, and none is above 3.5"},
		{"too few homes to judge", [][2]float64{{2, 900}}, ""},
		{"too few homes with the score", [][2]float64{{2, 900}, {-1, 9000}}, ""},
	} {
		if got := at(quiet, c.homes...).spread(&calibration.Standard().Spread, quiet).Collapsed; got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// An accepted scale is no error; any other is named with its region.
func TestAccepted(t *testing.T) {
	s := Survey{Spreads: []schemas.ScoreSpread{
		{Region: "us-a", Score: "quiet"}, {Region: "us-a", Score: "vibrant", Collapsed: "flat", Accepted: "a suburb"},
	}}
	if err := s.Err(); err != nil {
		t.Error(err)
	}
	s.Spreads = append(s.Spreads, schemas.ScoreSpread{Region: "us-b", Score: "vibrant", Collapsed: "2.0 holds 80 %"})
	if err := s.Err(); !errors.Is(err, ErrCollapsed) || !strings.HasSuffix(err.Error(), ": region us-b: vibrant: 2.0 holds 80 %") {
		t.Errorf("%v", err)
	}
}

// Weighted ranks are those of residents who are repeated as often as their weight, by the definition of Spearman.
func TestAgreement(t *testing.T) {
	spread := &calibration.Spread{MinHomes: 1}
	rapid.Check(t, func(t *rapid.T) {
		quiet, noise := schemas.MustChannel("quiet"), schemas.MustChannel("traffic_noise")
		r := &residents{}
		var x, y []float64
		for range rapid.IntRange(1, 20).Draw(t, "homes") {
			weight := rapid.IntRange(1, 4).Draw(t, "weight")
			var values [schemas.ChannelCount]uint16
			a, b := rapid.Uint16Range(0, 8).Draw(t, "quiet"), rapid.Uint16Range(0, 8).Draw(t, "noise")
			values[quiet], values[noise] = a, b
			r.weights, r.values = append(r.weights, int64(1000*weight)), append(r.values, values)
			for range weight {
				x, y = append(x, float64(a)), append(y, float64(b))
			}
		}
		want := spearman(x, y)
		got, ok := r.agreement(spread, &calibration.Agreement{A: "quiet", B: "traffic_noise", Opposite: true, Least: 0.5})
		if !ok || math.Abs(got.Rank+want) > 0.0051 || got.Homes != int64(len(x)) || !got.Judged {
			t.Fatalf("%+v of %d homes, want %v", got, len(x), -want)
		}
	})
	if _, ok := at(schemas.MustChannel("quiet"), [2]float64{1, 5}).agreement(spread, &calibration.Agreement{A: "quiet", B: "parks"}); ok {
		t.Error("an agreement without parks")
	}
}

// spearman is the correlation of ranks, each counted over all pairs.
func spearman(x, y []float64) float64 {
	rank := func(v []float64, i int) (n float64) {
		for _, other := range v {
			switch {
			case other < v[i]:
				n++
			case other == v[i]:
				n += 0.5
			}
		}
		return n
	}
	var mx, my, xx, yy, xy float64
	n := float64(len(x))
	for i := range x {
		mx, my = mx+rank(x, i)/n, my+rank(y, i)/n
	}
	for i := range x {
		dx, dy := rank(x, i)-mx, rank(y, i)-my
		xx, yy, xy = xx+dx*dx, yy+dy*dy, xy+dx*dy
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

// Pairs are of two different channels, and each is named once.
func TestPairs(t *testing.T) {
	pairs := calibration.Standard().Spread.Pairs()
	for i, a := range calibration.Standard().Spread.Agree {
		if schemas.MustChannel(a.A) == schemas.MustChannel(a.B) || slices.Contains(pairs[:i], pairs[i]) || !(a.Least > 0 && a.Least < 1) ||
			a.Why == "" {
			t.Errorf("%+v", a)
		}
	}
}
