package score

import (
	"context"
	"math"
	"slices"
	"testing"

	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/network/channel"
)

var c = calibration.Standard()

// known is a matrix of one node on which every measure is 3, and what else scores are made of.
func known(t *testing.T) (*channel.Matrix, *channel.Quantities) {
	m := channel.NewMatrix(1)
	for i := range schemas.FirstScore {
		m.Set(0, i, 3)
	}
	m.Set(0, channelOf(t, "groceries"), 3)
	one := func(v float32) []float32 { return []float32{v} }
	return m, &channel.Quantities{NoiseDB: one(53), SteepestPct: one(6), BikeLanes: one(0.5), LowStress: one(0.5), Green: one(0.4),
		Historic: one(0.2), ParkingShare: one(0.075), DensityKM2: one(2000),
		WalkErrands: one(0.5), BicycleErrands: one(0.5), DriveErrands: one(0.5), RampMin: one(11.5), ArterialMin: one(5.5), LaneLoad: one(10_000),
		ActivityKM2: one(7500)}
}

// channelOf is the channel of a name.
func channelOf(t *testing.T, name string) schemas.Channel {
	t.Helper()
	c, ok := schemas.ChannelOf(name)
	if !ok {
		t.Fatalf("no channel %s", name)
	}
	return c
}

// nothing is what the sources of a region have in which no part is known.
func nothing(string) bool { return false }

func derive(t *testing.T, m *channel.Matrix, s *channel.Quantities) func(score string) float64 {
	t.Helper()
	return deriveWith(t, m, s, nothing)
}

func deriveWith(t *testing.T, m *channel.Matrix, s *channel.Quantities, has func(part string) bool) func(score string) float64 {
	t.Helper()
	if err := Derive(context.Background(), m, s, has, c); err != nil {
		t.Fatal(err)
	}
	return func(score string) float64 { return m.Get(0, channelOf(t, score)) }
}

func TestComposed(t *testing.T) {
	m, s := known(t)
	score := derive(t, m, s)
	walk := 5 * math.Pow(0.5, 0.75) * math.Pow(0.6, 0.25)
	quiet := 5 * 17.0 / 25
	for name, want := range map[string]float64{
		"pedestrian_friendly": walk,
		"cycling_friendly":    2.5,
		"car_friendly":        5 * math.Pow(0.5, 0.75) * 0.625 / 1.3,
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

func TestWithoutData(t *testing.T) {
	score := derive(t, channel.NewMatrix(1), &channel.Quantities{})
	for _, v := range schemas.Scores {
		if got := score(v.ID); !math.IsNaN(got) {
			t.Errorf("%s is %v without any data", v.ID, got)
		}
	}
	// streets and noise alone, as where no place is known: errands cannot be estimated from them
	m, s := known(t)
	for i := range schemas.FirstScore {
		if name := schemas.ChannelName(i); name != "intersection_density" && name != "traffic_noise" && name != "nearest_highway_proximity" {
			m.Set(0, i, math.NaN())
		}
	}
	m.Set(0, channelOf(t, "groceries"), math.NaN())
	s.WalkErrands, s.BicycleErrands, s.DriveErrands = nil, nil, nil
	s.DensityKM2 = nil
	score = derive(t, m, s)
	for name, there := range map[string]bool{"pedestrian_friendly": false, "cycling_friendly": false, "car_friendly": false, "quiet": true,
		"parks": false, "cafes": false, "wellness": false, "greenery": true} {
		if got := score(name); math.IsNaN(got) == there {
			t.Errorf("%s is %v", name, got)
		}
	}
}

// A part that no source has is estimated; one that a source has, and only the edge hides here, is not.
func TestHiddenPartsAreNotEstimated(t *testing.T) {
	for _, part := range []string{"", "hills"} {
		m, s := known(t)
		s.SteepestPct = nil
		score := deriveWith(t, m, s, func(name string) bool { return name == part })
		if got := score("cycling_friendly"); math.IsNaN(got) != (part != "") {
			t.Errorf("with %q of a source: cycling_friendly is %v", part, got)
		}
		if got := score("car_friendly"); math.IsNaN(got) {
			t.Errorf("with %q of a source: car_friendly is %v", part, got)
		}
	}
}

// BenchmarkDerive measures the composite scores of a node with all inputs.
func BenchmarkDerive(b *testing.B) {
	const nodes = 10000
	one, s := known(&testing.T{})
	m := channel.NewMatrix(nodes)
	for node := range nodes {
		copy(m.Row(node), one.Row(0))
	}
	for _, q := range []*[]float32{&s.NoiseDB, &s.SteepestPct, &s.BikeLanes, &s.LowStress, &s.Green, &s.Historic, &s.ParkingShare,
		&s.DensityKM2,
		&s.WalkErrands, &s.BicycleErrands, &s.DriveErrands, &s.RampMin, &s.ArterialMin, &s.LaneLoad, &s.ActivityKM2} {
		*q = slices.Repeat(*q, nodes)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := Derive(context.Background(), m, s, nothing, c); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/nodes, "ns/node")
}
