package vector

import (
	"bytes"
	"math"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/testenv"
)

// open opens a file of the real data, or skips.
func open(t testing.TB, path string, o Options) *Layer {
	t.Helper()
	layer, err := Open(t.Context(), testenv.NeedData(t, path), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { layer.Close() })
	return layer
}

// features reads a layer to its end in WGS 84.
func features(t testing.TB, layer *Layer) []Feature {
	t.Helper()
	got, err := read(t, layer)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Every real file is read by ogr2ogr too, and must give the same features: attributes, and outlines within a
// millimetre vertex by vertex.
func TestAgreesWithOGR(t *testing.T) {
	testenv.NeedProgram(t, "ogr2ogr")
	for _, test := range []struct {
		path, name string // name is an attribute to compare
		count      int
	}{
		{"us-portland/boundaries/pdx-2010-census-blockgroups.shp", "NAMELSAD10", 1051},
		{"us-portland/boundaries/City_Boundaries.shp", "CITYNAME", 52},
		{"us-portland/boundaries/tl_2019_41_place.zip", "NAME", 378},
		{"us-portland/boundaries/tracts-city.geojson", "NAMELSAD", 146},
		{"us-portland/boundaries/neighbourhoods-city.geojson", "name", 63},
		{"us-portland/boundaries/neighbourhoods-zillow.geojson", "NAME", 85},
		{"us-pikesville/boundaries/tl_2019_24_place.zip", "NAME", 518},
		{"us-seattle/boundaries/tl_2019_53_place.zip", "NAME", 625},
		{"us-seattle/boundaries/zip-codes.geojson", "ZCTA5CE10", 32},
		{"us-seattle/boundaries/census-tracts.geojson", "name", 136},
		{"us-seattle/boundaries/city-council-districts.geojson", "district", 7},
		{"us-seattle/boundaries/city-limits.geojson", "", 29},
		{"us-national/cb_2019_us_state_5m.zip", "NAME", 56},
		{"us-national/cb_2018_us_cbsa_20m.zip", "NAME", 945},
		{"us-national/geojson-counties-fips.json", "NAME", 3221},
		{"ca-ottawa/wards/Wards_2022-2026.shp", "NAME_FR", 24},
		{"ca-ottawa/open-data/Wards_2022-2026.geojson", "NAME_FR", 24},
		{"ca-ottawa/ons/ons_gen2_neighbourhoods_en_fr.geojson", "Name_FR", 111},
		{"ca-ottawa/ons/ons_gen3_neighbourhoods.geojson", "ONS_Name", 161},
		{"ca-ottawa/statcan-2021/ottawa_da_2021.geojson", "DAUID", 1392},
		{"ca-national/province_territory_simplified_sp.shp", "PRFNAME", 13},
		{"formats/statcan_2021_toronto_csd.gpkg", "CSDNAME", 1},
	} {
		t.Run(test.path, func(t *testing.T) {
			got := features(t, open(t, test.path, Options{}))
			want := byOGR(t, test.path)
			if len(got) != len(want) || test.count != 0 && len(got) != test.count {
				t.Fatalf("%d features, ogr2ogr has %d, the publisher %d", len(got), len(want), test.count)
			}
			worst := 0.0
			for i := range got {
				if got[i].Attributes[test.name] != want[i].Attributes[test.name] {
					t.Fatalf("feature %d: %s is %q, ogr2ogr says %q", i+1, test.name, got[i].Attributes[test.name], want[i].Attributes[test.name])
				}
				worst = max(worst, apart(t, i+1, Outline(got[i].Geometry), Outline(want[i].Geometry)))
			}
			t.Logf("%d features, farthest vertex %.2g m", len(got), worst)
			if worst > 0.001 {
				t.Errorf("a vertex is %v m from that of ogr2ogr", worst)
			}
		})
	}
}

// byOGR converts the file with ogr2ogr.
func byOGR(t *testing.T, path string) []Feature {
	t.Helper()
	full := testenv.NeedData(t, path)
	if filepath.Ext(path) == ".zip" {
		full = "/vsizip/" + full
	}
	out := filepath.Join(t.TempDir(), "ogr.geojson")
	command := exec.CommandContext(t.Context(), "ogr2ogr", "-f", "GeoJSON", "-t_srs", "EPSG:4326", "-lco", "COORDINATE_PRECISION=12",
		out, full)
	var complaint bytes.Buffer
	command.Stderr = &complaint
	if err := command.Run(); err != nil {
		t.Fatalf("ogr2ogr: %v %s", err, &complaint)
	}
	layer, err := Open(t.Context(), out, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer layer.Close()
	return features(t, layer)
}

// apart is the distance in metres of the vertices that are farthest from each other, of two outlines with the same
// rings; their rings may begin at any vertex, run either way and be in any order.
func apart(t *testing.T, number int, a, b orb.MultiPolygon) float64 {
	t.Helper()
	ringsA, ringsB := rings(a), rings(b)
	if len(a) != len(b) || len(ringsA) != len(ringsB) {
		t.Fatalf("feature %d: %d polygons with %d rings, ogr2ogr has %d with %d", number, len(a), len(ringsA), len(b), len(ringsB))
	}
	if x, y := geo.Area(a), geo.Area(b); math.Abs(x-y) > 1e-6*y {
		t.Fatalf("feature %d: %.1f m², ogr2ogr has %.1f", number, x, y)
	}
	cell := func(p orb.Point) [2]int64 {
		return [2]int64{int64(math.Floor(p[0] * 1e6)), int64(math.Floor(p[1] * 1e6))}
	}
	near := map[[2]int64][]orb.Point{}
	for _, ring := range ringsB {
		for _, p := range ring {
			near[cell(p)] = append(near[cell(p)], p)
		}
	}
	worst := 0.0
	for _, ring := range ringsA {
		for _, p := range ring {
			best := math.Inf(1)
			c := cell(p)
			for dx := int64(-1); dx <= 1; dx++ {
				for dy := int64(-1); dy <= 1; dy++ {
					for _, q := range near[[2]int64{c[0] + dx, c[1] + dy}] {
						best = min(best, 111_320*math.Hypot((p[0]-q[0])*math.Cos(p[1]*math.Pi/180), p[1]-q[1]))
					}
				}
			}
			worst = max(worst, best)
		}
	}
	return worst
}

func rings(m orb.MultiPolygon) []orb.Ring {
	var all []orb.Ring
	for _, p := range m {
		all = append(all, p...)
	}
	return all
}
