package previous

import (
	"archive/zip"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/spatialite"
	"quartier/internal/spatialite/spatialitetest"
)

// TestRealPairs compares two editions of the same outlines. It makes the table of docs/boundaries.md; with -table it compares it.
//
//	go test ./build/previous -run TestRealPairs -v -table
func TestRealPairs(t *testing.T) {
	spatialitetest.Need(t)
	k, err := spatialite.NewKernel()
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	type edition struct{ file, key string }
	blockGroups := edition{"us-dc/boundaries/tl_2019_11_bg.shp", "GEOID"}
	var lines strings.Builder
	for _, pair := range []struct {
		name         string
		older, newer edition
		digits       int  // of keys: outlines of the newer edition with the same first ones are joined; 0: none
		homes        bool // of Ottawa
		least, most  int  // ids that are kept
	}{
		{"wards of Ottawa: shapefile; GeoJSON", edition{"ca-ottawa/wards/Wards_2022-2026.shp", "WARD"},
			edition{"ca-ottawa/open-data/Wards_2022-2026.geojson", "WARD"}, 0, true, 24, 24},
		{"neighbourhoods of Portland: as copied in 2013; by Zillow", edition{"us-portland/boundaries/neighbourhoods-city.geojson", "name"},
			edition{"us-portland/boundaries/neighbourhoods-zillow.geojson", "NAME"}, 0, false, 57, 57},
		{"tracts of DC: the city's, of the census of 2010; TIGER 2019", edition{"us-dc/boundaries/census_tract.geojson", "NAME"}, blockGroups, 11,
			false, 90, 100},
		{"block groups of DC: cartographic 500k of 2018; TIGER 2019", edition{"us-dc/boundaries/dc_block_group_tidycensus_2018.geojson", "GEOID"},
			blockGroups, 0, false, 110, 140},
		{"block groups of DC: TIGER 2019; cartographic 500k of 2018", blockGroups,
			edition{"us-dc/boundaries/dc_block_group_tidycensus_2018.geojson", "GEOID"}, 0, false, 110, 140},
		{"cities of Oregon: the metro area's; TIGER 2019", edition{"us-portland/boundaries/City_Boundaries.shp", "CITYNAME"},
			edition{"us-portland/boundaries/tl_2019_41_place.zip", "NAME"}, 0, false, 0, 4},
	} {
		older, newer := readLayer(t, k, pair.older.file, pair.older.key), readLayer(t, k, pair.newer.file, pair.newer.key)
		if pair.digits > 0 {
			newer = newer.joined(t, k, pair.digits)
		}
		maps.DeleteFunc(older, func(key string, _ orb.MultiPolygon) bool { return newer[key] == nil })
		coarser := 0
		for key, g := range older {
			if 2*len(released.MultiPolygonBlob(newer[key])) < len(released.MultiPolygonBlob(g)) {
				coarser++
			}
		}
		var lived Lived
		if pair.homes {
			lived = ottawa(t, newer)
		}
		n := kept(t, k, lived, older, newer)
		fmt.Fprintf(&lines, "| %s | %d | %d | %d |\n", pair.name, len(older), n, coarser)
		if n < pair.least || n > pair.most {
			t.Errorf("%s: %d ids are kept, want %d to %d", pair.name, n, pair.least, pair.most)
		}
	}
	t.Logf("\n%s", &lines)
	inDocs(t, lines.String())
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
