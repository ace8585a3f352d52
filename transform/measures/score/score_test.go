package score

import (
	"context"
	"math"
	"testing"

	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/measures/access"
	"quartier/transform/network/channel"
)

var c = calibration.Standard()

// known is a matrix of one node on which every measure is 3, and what else scores are made of.
func known() (*channel.Matrix, *channel.Quantities, *access.Reach) {
	m := channel.NewMatrix(1)
	for i := range schemas.FirstScore {
		m.Set(0, i, 3)
	}
	m.Set(0, channelOf("groceries"), 3)
	one := func(v float32) []float32 { return []float32{v} }
	return m, &channel.Quantities{NoiseDB: one(53), SteepestPct: one(6), BikeLanes: one(0.5), LowStress: one(0.5), Green: one(0.4),
			Historic: one(0.2), ParkingShare: one(0.075), DensityKM2: one(2000)},
		&access.Reach{Base: one(0.5), BicycleBase: one(0.5), Driven: one(0.5)}
}

func derive(t *testing.T, m *channel.Matrix, s *channel.Quantities, r *access.Reach) func(score string) float64 {
	t.Helper()
	if err := Derive(context.Background(), m, s, r, c); err != nil {
		t.Fatal(err)
	}
	return func(score string) float64 { return m.Get(0, channelOf(score)) }
}

func TestComposed(t *testing.T) {
	m, s, r := known()
	score := derive(t, m, s, r)
	walk := 5 * (0.85*0.5 + 0.15*(3+3+2)/15.0)
	quiet := 5*17.0/25 - 0.5*3/5
	for name, want := range map[string]float64{
		"pedestrian_friendly": walk,
		"cycling_friendly":    2.5,
		"car_friendly":        5 * (0.30*0.6 + 0.25*0.5 + 0.25*0.5 + 0.20*(1-math.Log10(2)/1.3)),
		"cafes":               3, "restaurants": 3, "nightlife": 3, "parks": 3,
		"quiet": quiet, "historic": 1, "greenery": 2,
		"wellness": 0.25*3 + 0.15*2 + 0.20*quiet + 0.15*walk + 0.10*2.5 + 0.15*3,
	} {
		if got := score(name); math.Abs(got-want) > 1e-4 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"shopping", "vibrant", "transit_friendly", "high_schools"} { // access makes these
		if got := score(name); !math.IsNaN(got) {
			t.Errorf("%s is %v", name, got)
		}
	}
}

func TestWithoutGround(t *testing.T) {
	score := derive(t, channel.NewMatrix(1), &channel.Quantities{}, &access.Reach{})
	for _, v := range schemas.Scores {
		if got := score(v.ID); !math.IsNaN(got) {
			t.Errorf("%s is %v of nothing", v.ID, got)
		}
	}
	// streets and noise alone, as where no place is known
	m, s, r := known()
	for i := range schemas.FirstScore {
		if name := schemas.ChannelName(i); name != "intersection_density" && name != "traffic_noise" && name != "nearest_highway_proximity" {
			m.Set(0, i, math.NaN())
		}
	}
	m.Set(0, channelOf("groceries"), math.NaN())
	*r = access.Reach{}
	s.DensityKM2 = nil
	score = derive(t, m, s, r)
	for name, there := range map[string]bool{"pedestrian_friendly": false, "cycling_friendly": true, "car_friendly": true, "quiet": true,
		"parks": false, "cafes": false, "wellness": false, "greenery": true} {
		if got := score(name); math.IsNaN(got) == there {
			t.Errorf("%s is %v", name, got)
		}
	}
}
