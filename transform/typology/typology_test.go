package typology

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

var nan = math.NaN()

func TestClassify(t *testing.T) {
	thresholds := calibration.Standard().Typology
	for _, c := range []struct {
		name   string
		traits Traits
		want   string
	}{
		{"a lively centre", Traits{Access: 4.6, Pedestrian: 4.8, Vibrant: 4.2, Transit: 5, Density: 9000, Mall: 0}, "urban (high access)"},
		{"an office core where few live", Traits{Access: 4.6, Vibrant: 4, Density: 100, Mall: 0.9, Idle: 0.9}, "urban (high access)"},
		{"farms", Traits{Access: 0.2, Pedestrian: 0.5, Vibrant: 0, Transit: 0, Density: 149}, "rural / other"},
		{"a large park in town", Traits{Access: 3.5, Pedestrian: 4.1, Vibrant: 1, Density: 4000, Idle: 0.61}, "rural / other"},
		{"a main street", Traits{Access: 4.4, Pedestrian: 4, Vibrant: 3, Density: 3000, Mall: 0.4}, "main street hub"},
		{"high access, not vibrant", Traits{Access: 4.8, Pedestrian: 4.5, Vibrant: 3.9, Density: 3000}, "main street hub"},
		{"high access, vibrancy unknown", Traits{Access: 4.8, Pedestrian: 4.5, Vibrant: nan, Density: 3000}, "pedestrian oriented semi or low density"},
		{"walkable and dense", Traits{Access: 2.5, Pedestrian: 3.9, Vibrant: 2, Density: 5001, Mall: 0.49}, "pedestrian oriented dense"},
		{"walkable, detached homes", Traits{Access: 3.4, Pedestrian: 3, Vibrant: 2, Density: 5000, Mall: nan}, "pedestrian oriented semi or low density"},
		{"towers at a mall", Traits{Access: 4.4, Pedestrian: 4.2, Vibrant: 2, Density: 5001, Mall: 0.5}, "mall oriented dense"},
		{"homes at a mall", Traits{Access: 2.6, Pedestrian: 2, Vibrant: 1, Density: 2000, Mall: 1}, "mall oriented semi or low density"},
		{"homes at a station", Traits{Access: 2.4, Pedestrian: 2, Vibrant: 1, Transit: 3, Density: 2000}, "transit friendly"},
		{"a suburb", Traits{Access: 1.2, Pedestrian: 1, Vibrant: 0.4, Transit: 2.9, Density: 1500}, "car dependent"},
		{"a suburb, transit unknown", Traits{Access: 1.2, Pedestrian: 1, Vibrant: nan, Transit: nan, Density: 150, Mall: nan, Idle: nan}, "car dependent"},
	} {
		if class, ok := Classify(c.traits, thresholds); !ok || schemas.Typologies[class] != c.want {
			t.Errorf("%s is %s (%v), want %s", c.name, schemas.Typologies[class], ok, c.want)
		}
	}
	if _, ok := Classify(Traits{Access: nan, Pedestrian: nan, Vibrant: nan, Transit: 4, Density: 800, Mall: nan, Idle: nan}, thresholds); ok {
		t.Error("a place of which nothing is known but its people has a class")
	}
	if class, ok := Classify(Traits{Access: nan, Vibrant: nan, Density: 3, Mall: nan, Idle: nan}, thresholds); !ok || class != 8 {
		t.Error("empty country without streets is not rural")
	}
}

// TestEveryPlaceHasAClass holds that whatever is known, a place with known access has exactly one class.
func TestEveryPlaceHasAClass(t *testing.T) {
	thresholds := calibration.Standard().Typology
	rapid.Check(t, func(t *rapid.T) {
		maybe := func(name string, most float64) float64 {
			if rapid.Bool().Draw(t, name+" known") {
				return rapid.Float64Range(0, most).Draw(t, name)
			}
			return nan
		}
		traits := Traits{
			Access: rapid.Float64Range(0, 5).Draw(t, "access"), Pedestrian: maybe("pedestrian", 5), Vibrant: maybe("vibrant", 5),
			Transit: maybe("transit", 5), Density: rapid.Float64Range(0, 30000).Draw(t, "density"), Mall: maybe("mall", 1), Idle: maybe("idle", 1),
		}
		if class, ok := Classify(traits, thresholds); !ok || class < 0 || class >= len(schemas.Typologies) {
			t.Fatalf("%+v: %d, %v", traits, class, ok)
		}
	})
}

func TestSpread(t *testing.T) {
	home := geo.Geohash(orb.Point{-75.7, 45.4}, chars)
	found := map[string]bool{}
	spread(home, 400, found)
	bound, _ := geo.GeohashCell(home)
	centre := bound.Center()
	for name := range found {
		cell, err := geo.GeohashCell(name)
		if err != nil || geo.Distance(centre, cell.Center()) > 401 {
			t.Errorf("%s is %v m away, %v", name, geo.Distance(centre, cell.Center()), err)
		}
	}
	// Cells are 107 by 153 metres there: about π 400² by that.
	if n := len(found); n < 25 || n > 35 || !found[home] {
		t.Errorf("%d cells", n)
	}
}
