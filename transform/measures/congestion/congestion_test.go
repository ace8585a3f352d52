package congestion

import (
	"math"
	"testing"

	"quartier/transform/network/channel"
	"quartier/transform/network/destination"
	"quartier/transform/regiontest"
)

func derive(t *testing.T, r *regiontest.Region, dwellings float32, shops int) *channel.Quantities {
	t.Helper()
	region := r.Measure(regiontest.At(0, 0))
	region.Quantities.Dwellings = []float32{dwellings}
	region.Destinations = &destination.Set{}
	for i := range shops {
		region.Destinations.List = append(region.Destinations.List, destination.Destination{Class: "shop", Key: string(rune('a' + i)), Point: regiontest.At(10, float64(i))})
	}
	if _, err := Derive(t.Context(), region); err != nil {
		t.Fatal(err)
	}
	return region.Quantities
}

// What a driver meets: lanes weighted by the vehicles on them.
func TestLaneLoad(t *testing.T) {
	r := regiontest.New(t)
	r.Street("secondary", -400, 0, 400, 0)
	r.Street("residential", -400, 100, 400, 100)
	r.Street("motorway", -400, 50, 400, 50)                                               // no driving near by
	r.Street("secondary", -400, 5000, 400, 5000)                                          // far away
	regiontest.Near(t, "load", float64(derive(t, r, 0, 0).LaneLoad[0]), 4240, 45)         // (9000·4500 + 600·300)/9600
	if got := derive(t, regiontest.New(t), 0, 0).LaneLoad[0]; !math.IsNaN(float64(got)) { // there is no street
		t.Errorf("load without streets: %v", got)
	}
}

func TestActivity(t *testing.T) {
	q := derive(t, regiontest.New(t), 1256.64, 2)
	regiontest.Near(t, "activity", float64(q.ActivityKM2[0]), 1000+30/(math.Pi*.64), .1)
	r := regiontest.New(t)
	region := r.Measure(regiontest.At(0, 0))
	region.Quantities.DensityKM2, region.Quantities.Dwellings = []float32{50}, []float32{9999}
	if _, err := Derive(t.Context(), region); err != nil {
		t.Fatal(err)
	}
	regiontest.Near(t, "counted people", float64(region.Quantities.ActivityKM2[0]), 50, 1e-3)
}
