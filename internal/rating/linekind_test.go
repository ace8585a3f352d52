package rating

import (
	"math"
	"testing"

	"quartier/schemas"
	"quartier/schemas/calibration"
)

func TestKindsOfLinesByEvidence(t *testing.T) {
	c := &calibration.Standard().Transit.WithoutTimes
	for _, test := range []struct {
		directions, stops int
		kind              string
		trips             int
	}{
		{0, 60, "", 300}, {0, 5, "", 300}, {1, 60, "school", 7}, {2, 29, "school", 7},
		{2, 30, schemas.AllDay, 300}, {2, 200, schemas.AllDay, 300},
	} {
		kind := LineKind(c, test.directions, test.stops)
		if trips := Assumed(c, "bus", kind); kind != test.kind || trips != test.trips {
			t.Errorf("%d directions and %d stops: %q, %d a week; want %q, %d", test.directions, test.stops, kind, trips, test.kind, test.trips)
		}
	}
	for kind, want := range map[string][2]int{"frequent": {650, 1000}, "peak": {100, 1000}, "shopper": {9, 1000}} {
		if bus, tram := Assumed(c, "bus", kind), Assumed(c, "tram", kind); bus != want[0] || tram != want[1] {
			t.Errorf("%s: %d by bus, %d by tram, want %v", kind, bus, tram, want)
		}
	}
	for _, kind := range schemas.LineKinds {
		if _, assumed := c.Kinds[kind]; assumed == (kind == schemas.AllDay) {
			t.Errorf("%s is assumed: %v", kind, assumed)
		}
	}
}

// Lines of unknown kinds raise a score to the cap; more of them, or of certain ones, never lower it.
func TestUnknownKindsRaiseAScoreToTheCap(t *testing.T) {
	c := &calibration.Standard().Transit
	limit := c.WithoutTimes.CapScore
	last := map[float64]float64{}
	for _, all := range []float64{0, 10, 100, 1000, 10000, 100000} {
		below := 0.0
		for _, certain := range []float64{0, 10, 100, 1000, 10000} {
			if certain > all {
				continue
			}
			v := Transit(c, AllTransit, Departures{certain, all}, nil)
			alone := Transit(c, AllTransit, Departures{certain, certain}, nil)
			switch {
			case v < alone, v < below, v < last[certain], v > math.Max(alone, limit):
				t.Errorf("%v of %v departures: %v; %v without the others, %v with fewer certain ones", certain, all, v, alone, below)
			}
			below, last[certain] = v, v
		}
	}
	for _, s := range []Service{{Mode: "bus", Basis: schemas.LineBasis}, {Mode: "trolleybus", Basis: schemas.StopsBasis}} {
		if s.Certain() {
			t.Errorf("%+v is certain", s)
		}
	}
	for _, s := range []Service{
		{Mode: "bus", Basis: schemas.TimetableBasis}, {Mode: "bus", Basis: schemas.LineBasis, Kind: "peak"},
		{Mode: "rail", Basis: schemas.StopsBasis},
	} {
		if !s.Certain() {
			t.Errorf("%+v is not certain", s)
		}
	}
}
