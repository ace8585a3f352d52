package terrain

import (
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"

	"quartier/ingest/kinds/elevation"
	"quartier/ingest/kinds/osm"
	"quartier/ingest/source"
	"quartier/ingest/staging"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/internal/testenv"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/measures/measure"
	"quartier/transform/network/street"
)

// In Portland the West Hills are steep, downtown and the east side are flat, and the bridges over the Willamette do
// not follow the river bed. The mean slopes of the first three were computed from GDAL's output for the file.
func TestPortland(t *testing.T) {
	data := testenv.NeedData(t, "us-portland")
	file, err := staging.Create(filepath.Join(t.TempDir(), "staged.duckdb"))
	if errors.Is(err, spatialite.ErrUnavailable) {
		testenv.NotInstalled(t, "mod_spatialite")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for i, kind := range []source.Kind{osm.Kind, elevation.Kind} {
		name, everything := kind.Info().Kind, 1.0
		path := data + [...]string{"/osm/portland-central-filtered.osm.pbf", "/elevation/portland-ned.tif"}[i]
		about := staging.Source{Source: staged.Source{SourceID: name, Priority: int32(i), Kind: name, Path: name, SHA256: "0", AsOf: "2015-06-01",
			Licence: "x", Attribution: "x"}, MaxRejected: &everything}
		if _, err := file.Stage(t.Context(), about, func(out source.Sink) error {
			return kind.Stage(t.Context(), source.Input{Source: name, Path: path, Country: "US", State: "OR"}, out)
		}); err != nil {
			t.Fatal(err)
		}
	}
	c := calibration.Standard()
	net, _, err := street.Read(t.Context(), file.DB(), c)
	if err != nil {
		t.Fatal(err)
	}
	region := measure.NewRegion(file.DB(), net, c)
	m, s := region.Channels, region.Quantities
	if _, err := Derive(t.Context(), region); err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	for _, spot := range []struct {
		name            string
		at              orb.Point
		land            float64 // exact where within is 0.02
		within          float64
		street, hillMin float64 // about
		hillMax         float64
	}{
		{"Pioneer Courthouse Square", orb.Point{-122.6793, 45.5189}, 1.070, 0.02, 0.9, 2, 7},
		{"Jamison Square", orb.Point{-122.6815, 45.5288}, 0.899, 0.02, 0.5, 0, 3},
		{"Ladd's Addition", orb.Point{-122.6489, 45.5090}, 0.829, 0.02, 0.7, 1, 5},
		{"the rose garden", orb.Point{-122.7050, 45.5190}, 5, 0, 3.1, 5, 15},
		{"Marquam Hill", orb.Point{-122.6855, 45.4990}, 5, 0, 2.9, 8, 20},
		{"Hawthorne Bridge", orb.Point{-122.6705, 45.5132}, 1, 0.2, 0.8, 0, 6},
		{"Mount Tabor, outside the data", orb.Point{-122.58, 45.51}, nan, 0, nan, 0, 0},
	} {
		plane, node, nearest := geo.NewPlane(spot.at), 0, math.Inf(1)
		for n, p := range net.Walk.Nodes {
			if d := plane.Distance(p.Orb()); d < nearest {
				node, nearest = n, d
			}
		}
		land, streets, hill := m.Get(node, terrainSteepness), m.Get(node, streetSteepness), float64(s.SteepestPct[node])
		t.Logf("%-36s land %.2f, streets %.2f, steepest %.1f %%", spot.name, land, streets, hill)
		if math.IsNaN(spot.land) {
			if !math.IsNaN(land) || !math.IsNaN(streets) || !math.IsNaN(hill) {
				t.Errorf("%s: land %v, streets %v, hill %v", spot.name, land, streets, hill)
			}
			continue
		}
		if !(math.Abs(land-spot.land) <= spot.within) || !(math.Abs(streets-spot.street) <= 0.25) ||
			!(hill >= spot.hillMin && hill <= spot.hillMax) {
			t.Errorf("%s: land %v, streets %v, hill %v", spot.name, land, streets, hill)
		}
	}
}
