package vector

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/internal/testenv"
)

// Publishers give the areas of their outlines: an independent check of reading, repair, projection and the ellipsoid.
func TestAreasAgreeWithThePublishers(t *testing.T) {
	const squareFoot = 0.09290304
	for _, test := range []struct {
		path      string
		published func(map[string]string) float64
		median    float64 // allowed share of difference, of the median feature
		most      float64 // and of all together
	}{
		{"us-portland/boundaries/tl_2019_41_place.zip", sum("ALAND", "AWATER"), 1e-6, 1e-6},
		{"us-seattle/boundaries/tl_2019_53_place.zip", sum("ALAND", "AWATER"), 1e-6, 1e-6},
		{"us-pikesville/boundaries/tl_2019_24_place.zip", sum("ALAND", "AWATER"), 1e-6, 1e-6},
		{"us-portland/boundaries/pdx-2010-census-blockgroups.shp", sum("ALAND10", "AWATER10"), 1e-5, 1e-4},
		{"us-portland/boundaries/City_Boundaries.shp", func(a map[string]string) float64 { return squareFoot * sum("AREA")(a) }, 5e-4, 5e-4},
		{"us-portland/boundaries/tracts-city.geojson", sum("ALAND", "AWATER"), 1e-5, 1e-5},
		// land only; the outline includes water
		{"formats/statcan_2021_toronto_csd.gpkg", func(a map[string]string) float64 { return 1e6 * sum("LANDAREA")(a) }, 1e-2, 1e-2},
	} {
		t.Run(test.path, func(t *testing.T) {
			kernel, err := spatialite.NewKernel()
			if err != nil {
				testenv.NotInstalled(t, "mod_spatialite")
			}
			defer kernel.Close()
			var differences []float64
			var got, published float64
			for _, f := range features(t, open(t, test.path, Options{})) {
				outline, _, err := kernel.MakeValid(Outline(f.Geometry))
				if err != nil {
					t.Fatalf("feature %d: %v", f.Row, err)
				}
				area, want := geo.Area(outline), test.published(f.Attributes)
				differences = append(differences, math.Abs(area/want-1))
				got, published = got+area, published+want
			}
			slices.Sort(differences)
			median, all := differences[len(differences)/2], math.Abs(got/published-1)
			t.Logf("median %.2g, largest %.2g, together %.2g", median, differences[len(differences)-1], all)
			if median > test.median || all > test.most {
				t.Errorf("areas differ from the publisher's by %v in the median (allowed %v) and %v together (allowed %v)", median, test.median, all,
					test.most)
			}
		})
	}
}

// sum adds up attributes.
func sum(names ...string) func(map[string]string) float64 {
	return func(attributes map[string]string) float64 {
		var total float64
		for _, name := range names {
			n, err := strconv.ParseFloat(attributes[name], 64)
			if err != nil {
				return math.NaN()
			}
			total += n
		}
		return total
	}
}
