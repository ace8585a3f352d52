package congestion

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"quartier/schemas"
	"quartier/transform/measures/measure"
	"quartier/transform/network/destination"
	"quartier/transform/regiontest"
)

// activity derives a region and returns the activity of its only node.
func activity(t *testing.T, region *measure.Region) float64 {
	t.Helper()
	if _, err := Derive(t.Context(), region); err != nil {
		t.Fatal(err)
	}
	return float64(region.Quantities.ActivityKM2[0])
}

func load(t *testing.T, r *regiontest.Region) float64 {
	t.Helper()
	region := r.Measure(regiontest.At(0, 0))
	activity(t, region)
	return float64(region.Quantities.LaneLoad[0])
}

// What a driver meets: lanes weighted by the vehicles on them.
func TestLaneLoad(t *testing.T) {
	r := regiontest.New(t)
	r.Street("secondary", -400, 0, 400, 0)
	r.Street("residential", -400, 100, 400, 100)
	r.Street("motorway", -400, 50, 400, 50)                  // no driving near by
	r.Street("secondary", -400, 5000, 400, 5000)             // far away
	regiontest.Near(t, "load", load(t, r), 4240, 45)         // (9000·4500 + 600·300)/9600
	if got := load(t, regiontest.New(t)); !math.IsNaN(got) { // there is no street
		t.Errorf("load without streets: %v", got)
	}
}

const discKM2 = math.Pi * .64

// peopled is a region of 3,000 people per km² with some places of two classes.
func peopled(t *testing.T, r *regiontest.Region, cafes, shops int, known ...string) *measure.Region {
	region := r.Measure(regiontest.At(0, 0))
	region.Quantities.DensityKM2 = []float32{3000}
	region.Known = func(class string) bool { return slices.Contains(known, class) }
	region.Destinations = &destination.Set{}
	places := map[string]int{"cafe": cafes, "shop": shops}
	for _, class := range schemas.DestinationClasses { // in the order of a Set
		for i := range places[class] {
			region.Destinations.List = append(region.Destinations.List,
				destination.Destination{Class: class, Key: fmt.Sprint(class, i), Point: regiontest.At(10, float64(i))})
		}
	}
	return region
}

// Places that no source knows are not none: the people have as many as people usually have.
func TestVisitors(t *testing.T) {
	all := regiontest.New(t).Measure(regiontest.At(0, 0)).Calibration
	c := &all.Scores.Congestion
	usual := 0.0
	for _, class := range c.Classes {
		usual += all.Known.Usual[class]
	}
	without := func(classes ...string) (rate float64) {
		rate = usual
		for _, class := range classes {
			rate -= all.Known.Usual[class]
		}
		return 3 * rate // of 3,000 people per km²
	}
	for _, v := range []struct {
		what         string
		cafes, shops int
		known        []string
		places       float64 // per km²
	}{
		{"all are known, and there are none", 0, 0, c.Classes, 0},
		{"all are known", 6, 14, c.Classes, 20 / discKM2},
		{"cafes are known", 6, 0, []string{"cafe"}, 6/discKM2 + without("cafe")},
		{"cafes are known, and some shops are listed", 6, 5, []string{"cafe"}, 6/discKM2 + without("cafe")},
		{"more are listed than usual", 6, 400, []string{"cafe"}, 406 / discKM2},
		{"nothing is known", 0, 0, nil, without()},
	} {
		got := activity(t, peopled(t, regiontest.New(t), v.cafes, v.shops, v.known...))
		regiontest.Near(t, v.what, got, 3000+c.Visitors*v.places, .5)
	}
}

// A lake is no ground to park on.
func TestActivityPerLand(t *testing.T) {
	r := regiontest.New(t)
	r.Feature("land", "water", regiontest.Square(0, -2000, 2000, 2000))
	region := peopled(t, r, 0, 20, "shop")
	all := activity(t, peopled(t, regiontest.New(t), 0, 20, "shop"))
	half := activity(t, region)
	regiontest.Near(t, "visitors of half the land", half-all, region.Calibration.Scores.Congestion.Visitors*20/discKM2, 40)
}

// Where nobody counted, streets represent people and visitors.
func TestActivityByStreets(t *testing.T) {
	r := regiontest.New(t)
	r.Street("residential", -1000, 0, 1000, 0) // 1.6 km of it are near
	r.Street("secondary", 0, -1000, 0, 1000)
	r.Street("motorway", -1000, 100, 1000, 100)
	r.Street("driveway", -1000, 200, 1000, 200)
	regiontest.Near(t, "activity", activity(t, r.Measure(regiontest.At(0, 0))), 7*3.2*3.2, 3)
	if got := activity(t, regiontest.New(t).Measure(regiontest.At(0, 0))); got != 0 {
		t.Errorf("activity without streets: %v", got)
	}
}
