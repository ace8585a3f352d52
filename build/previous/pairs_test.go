package previous

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/internal/testenv"
)

// TestRealPairs compares outlines of the same places in two editions, and prints how many keep their ids.
func TestRealPairs(t *testing.T) {
	spatialitetest.Need(t)
	k, err := spatialite.NewKernel()
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	type edition struct{ file, key string }
	for _, pair := range []struct {
		name         string
		older, newer edition
		digits       int  // of the key: outlines of the newer edition with the same first digits are joined
		homes        bool // of Ottawa
		least, most  int
	}{
		{"block groups of DC: cartographic 500k of 2018, TIGER 2019", edition{"us-dc/boundaries/dc_block_group_tidycensus_2018.geojson", "GEOID"}, edition{"us-dc/boundaries/tl_2019_11_bg.shp", "GEOID"}, 0, false, 0, 450},
		{"tracts of DC: the city's of 2010, block groups of TIGER 2019 joined", edition{"us-dc/boundaries/census_tract.geojson", "NAME"}, edition{"us-dc/boundaries/tl_2019_11_bg.shp", "GEOID"}, 11, false, 0, 179},
		{"wards of Ottawa: shapefile, GeoJSON", edition{"ca-ottawa/wards/Wards_2022-2026.shp", "WARD"}, edition{"ca-ottawa/open-data/Wards_2022-2026.geojson", "WARD"}, 0, true, 0, 24},
		{"neighbourhoods of Portland: copy of 2013, Zillow", edition{"us-portland/boundaries/neighbourhoods-city.geojson", "name"}, edition{"us-portland/boundaries/neighbourhoods-zillow.geojson", "NAME"}, 0, false, 0, 63},
		{"cities of Oregon: metro area, TIGER 2019", edition{"us-portland/boundaries/City_Boundaries.shp", "CITYNAME"}, edition{"us-portland/boundaries/tl_2019_41_place.zip", "NAME"}, 0, false, 0, 52},
		{"neighbourhoods of Ottawa: second and third edition", edition{"ca-ottawa/ons/ons_gen2_neighbourhoods_en_fr.geojson", "Name"}, edition{"ca-ottawa/ons/ons_gen3_neighbourhoods.geojson", "ONS_Name"}, 0, true, 0, 52},
	} {
		older, newer := readLayer(t, k, pair.older.file, pair.older.key), readLayer(t, k, pair.newer.file, pair.newer.key)
		if pair.digits > 0 {
			newer = newer.joined(t, k, pair.digits)
		}
		common := layer{}
		identical, vertices := 0, [2]int{}
		for key, g := range older {
			n, found := newer[key]
			if !found {
				continue
			}
			common[key] = g
			if orb.Equal(g, n) {
				identical++
			}
			for i, outline := range []orb.MultiPolygon{g, n} {
				for _, p := range outline {
					for _, ring := range p {
						vertices[i] += len(ring)
					}
				}
			}
		}
		var lived Lived
		if pair.homes {
			lived = ottawa(t, newer)
		}
		n := kept(t, k, lived, common, newer)
		t.Logf("%s: %d in both, %d identical, %d kept, vertices %v", pair.name, len(common), identical, n, vertices)
		_ = geo.Area
	}
}

// joined is the outlines of a layer whose keys begin with the same digits as one.
func (l layer) joined(t *testing.T, k *spatialite.Kernel, digits int) layer {
	t.Helper()
	parts := layer{}
	for key, g := range l {
		parts[key[:digits]] = append(parts[key[:digits]], g...)
	}
	for key, g := range parts {
		union, err := k.Union(g)
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		parts[key] = union
	}
	return parts
}

// unzipped is the path of the shapefile of a zip file, else the same path.
func unzipped(t *testing.T, path string) string {
	t.Helper()
	if filepath.Ext(path) != ".zip" {
		return path
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	dir, shapes := t.TempDir(), ""
	for _, f := range archive.File {
		name := filepath.Join(dir, filepath.Base(f.Name))
		if filepath.Ext(name) == ".shp" {
			shapes = name
		}
		r, err := f.Open()
		if err == nil {
			var data []byte
			if data, err = io.ReadAll(r); err == nil {
				err = os.WriteFile(name, data, 0o644)
			}
		}
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w", f.Name, err))
		}
	}
	return shapes
}

var _ = testenv.Data
