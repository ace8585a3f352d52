package typology

import (
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
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
		{"high access, vibrancy unknown", Traits{Access: 4.8, Pedestrian: 4.5, Vibrant: nan, Density: 3000},
			"pedestrian oriented semi or low density"},
		{"walkable and dense", Traits{Access: 2.5, Pedestrian: 3.9, Vibrant: 2, Density: 5001, Mall: 0.49}, "pedestrian oriented dense"},
		{"walkable, detached homes", Traits{Access: 3.4, Pedestrian: 3, Vibrant: 2, Density: 5000, Mall: nan},
			"pedestrian oriented semi or low density"},
		{"towers at a mall", Traits{Access: 4.4, Pedestrian: 4.2, Vibrant: 2, Density: 5001, Mall: 0.5}, "mall oriented dense"},
		{"homes at a mall", Traits{Access: 2.6, Pedestrian: 2, Vibrant: 1, Density: 2000, Mall: 1}, "mall oriented semi or low density"},
		{"homes at a station", Traits{Access: 2.4, Pedestrian: 2, Vibrant: 1, Transit: 3, Density: 2000}, "transit friendly"},
		{"a suburb", Traits{Access: 1.2, Pedestrian: 1, Vibrant: 0.4, Transit: 2.9, Density: 1500}, "car dependent"},
		{"a suburb, transit unknown", Traits{Access: 1.2, Pedestrian: 1, Vibrant: nan, Transit: nan, Density: 150, Mall: nan, Idle: nan},
			"car dependent"},
	} {
		if class, ok := Classify(c.traits, thresholds); !ok || schemas.Typologies[class] != c.want {
			t.Errorf("%s is %s (%v), want %s", c.name, schemas.Typologies[class], ok, c.want)
		}
	}
	if _, ok := Classify(Traits{Access: nan, Pedestrian: nan, Vibrant: nan, Transit: 4, Density: 800, Mall: nan, Idle: nan}, thresholds); ok {
		t.Error("a place with only people known has a class")
	}
	if class, ok := Classify(Traits{Access: nan, Vibrant: nan, Density: 3, Mall: nan, Idle: nan}, thresholds); !ok || class != 8 {
		t.Error("empty country without streets is not rural")
	}
}

// TestEveryPlaceHasAClass checks that whatever is known, a place with known access has exactly one class.
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

// TestSpots compares rows and columns with geohashes.
func TestSpots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := orb.Point{float64(rapid.Int32Range(-1800000000, 1799999999).Draw(t, "lng")) / coord.Scale,
			float64(rapid.Int32Range(-899999999, 899999999).Draw(t, "lat")) / coord.Scale}
		cell, err := geo.GeohashCell(geo.Geohash(p, chars))
		if centre := spotAt(p).centre(); err != nil || !near(centre, cell.Center()) {
			t.Fatalf("%v is in a cell around %v, not %v", p, cell.Center(), centre)
		}
	})
}

func near(a, b orb.Point) bool {
	return math.Abs(a[0]-b[0]) < 1e-9 && math.Abs(a[1]-b[1]) < 1e-9
}

// TestAround compares the result with a check of every cell.
func TestAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := spotAt(orb.Point{-75.7, rapid.Float64Range(25, 65).Draw(t, "lat")})
		var homes []spot
		for range rapid.IntRange(1, 5).Draw(t, "homes") {
			homes = append(homes, spotOf(first.row()+rapid.IntRange(0, 6).Draw(t, "row"), first.column()+rapid.IntRange(0, 9).Draw(t, "column")))
		}
		homes = unique(homes)
		const metres = 400
		got := unique(around(homes, metres))
		for row := -8; row <= 14; row++ {
			for column := -20; column <= 30; column++ {
				s := spotOf(first.row()+row, first.column()+column)
				nearest := math.Inf(1)
				for _, home := range homes {
					nearest = min(nearest, geo.Distance(home.centre(), s.centre()))
				}
				_, found := slices.BinarySearch(got, s)
				if found && nearest > metres*1.01 || !found && nearest < metres*0.99 {
					t.Fatalf("cell %d, %d is %v m from the nearest home, found %v", row, column, nearest, found)
				}
			}
		}
	})
}
