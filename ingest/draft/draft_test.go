package draft

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/ingest"
	"quartier/internal/testenv"
)

// snapshot is what a folder has: names, sizes and times.
func snapshot(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		fmt.Fprintln(&b, path, info.Size(), info.ModTime().UnixNano())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// drafted drafts a folder, and returns the draft and the text of its file, which a build takes.
func drafted(t *testing.T, folder string) (*Draft, string) {
	t.Helper()
	d, err := Of(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "region.yaml")
	err = d.Repair(t.Context(), file, func() error {
		w, err := os.Create(file)
		if err != nil {
			return err
		}
		return errors.Join(d.Write(w, filepath.Dir(file)), w.Close())
	})
	if err != nil {
		t.Fatal(err)
	}
	region, err := ingest.ReadRegion(file, func(string) (string, bool) { return "", false }, "")
	if err != nil {
		t.Fatal(err)
	}
	_, faults, err := ingest.Preflight(t.Context(), []*ingest.Region{region})
	for _, f := range faults {
		if err = errors.Join(err, f); f.Source == "" {
			t.Skip(f) // mod_spatialite is not installed
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return d, string(text)
}

// TestRealFolders recognises the files of real places, leaves their folders as they are, and asks what it does not know.
func TestRealFolders(t *testing.T) {
	for _, c := range []struct {
		folder, place string
		want          []string // kind, file and a part of the options
	}{
		{"us-dc", "US DC", []string{"zones tl_2019_11_bg.shp tiger-bg", "water tl_2021_11_tabblock20.zip tiger-tabblock20", "acs acs-2015 ",
			"acs dc_block_group_tidycensus_2018.geojson 2014-2018", "boundaries ward.geojson level: 20", "boundaries zip.geojson level: 32",
			"boundaries neighborhood_cluster.geojson level: 10", "cycling-network Bicycle_Lanes.geojson washington",
			"heritage Historic_Districts.geojson NAME"}},
		{"us-seattle", "US WA", []string{"boundaries tl_2019_53_place.zip tiger-place", "boundaries zip-codes.geojson tiger-zcta",
			"boundaries city-limits.geojson dissolve", "overpass overpass-1.json ", "gtfs seattle-area-2017 ",
			"schools city_Public_Schools.geojson grades: GRADE", "catchments sps_attendance_area_ES.geojson elementary",
			"catchments sps_attendance_area_HS.geojson secondary"}},
		{"us-portland", "US OR", []string{"elevation portland-ned.tif ", "osm portland-central-filtered.osm.pbf ", "acs acs ",
			"zones pdx-2010-census-blockgroups.shp nhgis-bg", "gtfs trimet-2routes-2021.zip ", "boundaries neighbourhoods-city.geojson level: 10"}},
		{"ca-ottawa/open-data", "CA ON", []string{"places parks_raw.csv category: parks", "places libraries_raw.csv category: libraries",
			"schools schools_raw.csv level_of: CATEGORY", "cycling-network cycling_network.csv ottawa",
			"school-ratings eqao_scores.csv scale: percent"}},
		{"ca-ottawa/statcan-2021", "CA ON", []string{"blocks statcan-2021 outlines: ottawa_db_2021.geojson",
			"blocks ottawa_pseudohouseholds.geojson statcan-phh", "roads ottawa_rnf_roads_2021.geojson statcan-rnf"}},
		{"formats/raster", "US UT", []string{"land-cover zion-nlcd2011-26912.tif nlcd", "elevation zion-srtm-4326.tif "}},
	} {
		t.Run(c.folder, func(t *testing.T) {
			folder := testenv.NeedData(t, c.folder)
			before := snapshot(t, folder)
			d, text := drafted(t, folder)
			if after := snapshot(t, folder); after != before {
				t.Errorf("the folder is changed:\n%s\n%s", before, after)
			}
			if got := d.Country + " " + d.State; got != c.place && c.folder != "formats/raster" {
				t.Errorf("place %s, want %s", got, c.place)
			}
			var got []string
			for _, s := range d.Sources {
				if s.Off == "" {
					got = append(got, s.Kind+" "+filepath.Base(s.Path)+" "+optionsText(t, s))
				}
			}
			for _, want := range c.want {
				kind, rest, _ := strings.Cut(want, " ")
				file, option, _ := strings.Cut(rest, " ")
				if !slices.ContainsFunc(got, func(g string) bool { return strings.HasPrefix(g, kind+" "+file+" ") && strings.Contains(g, option) }) {
					t.Errorf("%s is not among\n%s", want, strings.Join(got, "\n"))
				}
			}
			if !strings.Contains(text, "?\n") || strings.Contains(text, "??") {
				t.Errorf("no question is asked, or one twice:\n%s", text)
			}
		})
	}
}

func optionsText(t *testing.T, s *Source) string {
	t.Helper()
	var parts []string
	for i := 0; i+1 < len(s.Options.content); i += 2 {
		parts = append(parts, s.Options.content[i].Value+": "+s.Options.content[i+1].Value)
	}
	return strings.Join(parts, ", ")
}

// TestStrangeFolders are folders in which nothing is a source, or that are no folder.
func TestStrangeFolders(t *testing.T) {
	dir := t.TempDir()
	if _, err := Of(t.Context(), dir); !errors.Is(err, ErrNothing) {
		t.Errorf("an empty folder: %v", err)
	}
	for name, text := range map[string]string{"empty.csv": "", "a.csv": "a,b\n1,2\n", "broken.zip": "PK\x03\x04nothing", "x.geojson": "{",
		"page.shp": "<html>", "b.pbf": "not a map", "c.tif": "II*", ".hidden.csv": "NAME,LATITUDE,LONGITUDE\nx,45,-75\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Of(t.Context(), dir); !errors.Is(err, ErrNothing) {
		t.Errorf("a folder of broken files: %v", err)
	}
	const cafes = "NAME,LATITUDE,LONGITUDE\nGrounds,45.42,-75.69\nBeans,45.41,-75.7\n"
	for _, name := range []string{"cafes.csv", "odd [1]? *.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(cafes), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, text := drafted(t, dir)
	if len(d.Sources) != 2 || d.count() != 1 || !strings.Contains(text, "category: cafes") || d.State != "ON" ||
		!strings.Contains(text, "which category") {
		t.Errorf("%d sources in\n%s", d.count(), text)
	}
	if len(d.Unknown) != 7 {
		t.Errorf("not recognised: %q", d.Unknown)
	}
}
