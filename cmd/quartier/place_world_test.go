package main

import (
	"archive/zip"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/fixtures"
	"quartier/schemas"
)

// publishersFiles are the synthetic files of publishers by where these have the real ones.
var publishersFiles = map[string]string{
	"download.geofabrik.de/north-america/canada/quebec-latest.osm.pbf":         "osm/saint-aubin.osm.pbf",
	"download.geofabrik.de/north-america/us/vermont-latest.osm.pbf":            "osm/landing.osm.pbf",
	statcanOutlines + "lpr_000b21a_e.zip":                                      "statcan/lpr_000b21a_e.zip",
	statcanOutlines + "lcma000b21a_e.zip":                                      "statcan/lcma_000b21a_e.zip",
	statcanOutlines + "lcsd000b21a_e.zip":                                      "statcan/lcsd_000b21a_e.zip",
	statcanOutlines + "lfsa000b21a_e.zip":                                      "statcan/lfsa_000b21a_e.zip",
	"www2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_cbsa_500k.zip":          "tiger/tl_2023_us_cbsa.zip",
	"www2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_county_500k.zip":        "tiger/tl_2023_us_county.zip",
	"www2.census.gov/geo/tiger/GENZ2020/shp/cb_2020_us_zcta520_500k.zip":       "tiger/tl_2023_us_zcta520.zip",
	"www2.census.gov/geo/tiger/TIGER2025/COUSUB/tl_2025_50_cousub.zip":         "tiger/tl_2023_50_cousub.zip",
	"www2.census.gov/geo/tiger/TIGER2025/PLACE/tl_2025_50_place.zip":           "tiger/tl_2023_50_place.zip",
	"www2.census.gov/geo/tiger/TIGER2025/TABBLOCK20/tl_2025_50_tabblock20.zip": "tiger/blocks-vt/tl_2023_50_tabblock20.zip",
	"nces.ed.gov/programs/edge/data/SABS_1516.zip":                             "nces-sabs/SABS_1516.zip",
	"nces.ed.gov/ccd/Data/zip/ccd_sch_029_2425_w_1a_073025.zip":                "nces/ccd_sch_029_2223_w_1a.csv",
	"nces.ed.gov/programs/edge/data/EDGE_GEOCODE_PUBLICSCH_2425.zip":           "nces/EDGE_GEOCODE_PUBLICSCH_2223.csv",
	"nces.ed.gov/surveys/pss/zip/pss2324_pu_csv.zip":                           "nces/pss2122_pu.csv",
	"www150.statcan.gc.ca/n1/en/pub/37-26-0001/2022001/ODEF_v3.0.zip":          "statcan/odef_v2_1.csv",
}

const (
	statcanOutlines = "www12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/files-fichiers/"
	acsTables       = "www2.census.gov/programs-surveys/acs/summary_file/2024/table-based-SF/data/5YRData/"
	divisions       = "lcd_000b21a_e.zip"
)

// publishersMirror serves the synthetic files. Home values are refused, and names are a web page.
func publishersMirror(t *testing.T, sources string) *httptest.Server {
	t.Helper()
	files := map[string][]byte{}
	for address, file := range publishersFiles {
		data := contentOf(t, filepath.Join(sources, filepath.FromSlash(file)))
		if strings.HasSuffix(address, ".zip") && strings.HasSuffix(file, ".csv") {
			data = zippedAs(t, filepath.Base(file), data)
		}
		files["/"+address] = []byte(data)
	}
	tables, err := filepath.Glob(filepath.Join(sources, "acs", "*.dat"))
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	for _, table := range tables {
		files["/"+acsTables+strings.Replace(filepath.Base(table), "2023", "2024", 1)] = []byte(contentOf(t, table))
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, there := files[r.URL.Path]
		switch {
		case there:
			w.Write(data)
		case strings.HasPrefix(r.URL.Path, "/files.zillowstatic.com/"):
			w.WriteHeader(http.StatusForbidden)
		case strings.HasPrefix(r.URL.Path, "/download.geonames.org/"):
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte("<!DOCTYPE html><html><title>Maintenance</title></html>"))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func zippedAs(t *testing.T, name, data string) string {
	t.Helper()
	var out strings.Builder
	archive := zip.NewWriter(&out)
	file, err := archive.Create(name)
	if err == nil {
		_, err = file.Write([]byte(data))
	}
	if err == nil {
		err = archive.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestPlaceFromNothing takes a box across the border from nothing to a release by way of a mirror, with people, schools, outlines
// and streets; then once more with a file that a person dropped.
func TestPlaceFromNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sources := filepath.Join(dir, "sources")
	if _, err := fixtures.Write(t.Context(), sources, fixtures.Options{Scale: 1, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	mirror := publishersMirror(t, sources)
	place := []string{"place", "--box=-72.75,44.9,-72.45,45.1", "--mirror", mirror.URL, "--cache", filepath.Join(dir, "cache"),
		"--out", filepath.Join(dir, "place"), "--as-of", "2026-11-29"}
	out, _ := mustRun(t, place...)
	for _, want := range []string{"sources;", "to download", "minutes after the downloads", "part of the API", "market_stats",
		"lacks: listings", divisions, "page", "forbidden", "https://www12.statcan.gc.ca/"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q", want)
		}
	}
	release := filepath.Join(dir, "place", "releases", "places")
	m, err := schemas.ReadManifest(release)
	if err != nil {
		t.Fatal(err)
	}
	c := m.Counts
	if c.POIs < 500 || c.Schools < 5 || c.DescribedGeographies == 0 || c.StreetNodes < 1000 || c.Typologies == 0 || c.SmallAreas == 0 {
		t.Errorf("%+v\n%s", c, out)
	}
	if slices.ContainsFunc(m.Sources, isDivisions) {
		t.Error("divisions are there that nobody gave")
	}
	if strings.Contains(out, "acs-us-b19025 cannot be used") {
		t.Error("aggregate income is without households")
	}
	drop := filepath.Join(dir, "cache", "drop")
	if err := os.MkdirAll(drop, 0o700); err != nil {
		t.Fatal(err)
	}
	content := contentOf(t, filepath.Join(sources, "statcan", "lcd_000b21a_e.zip"))
	if err := os.WriteFile(filepath.Join(drop, divisions), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	again, _ := mustRun(t, place...)
	if strings.Contains(again, "divisions-ca  missing") || !strings.Contains(again, "used as it is") {
		t.Errorf("after a file was dropped:\n%s", again)
	}
	if m, err = schemas.ReadManifest(release); err != nil || !slices.ContainsFunc(m.Sources, isDivisions) {
		t.Errorf("no divisions: %v", err)
	}
	if code, _, errs := quartier("place", "us-ri", "--offline", "--out", filepath.Join(dir, "place")); code != exitUsage ||
		!strings.Contains(errs, "region file of another place") {
		t.Errorf("another place in the same folder: exit code %d\n%s", code, errs)
	}
	none, elsewhere := filepath.Join(dir, "none"), filepath.Join(dir, "ri")
	if code, _, errs := quartier("place", "us-ri", "--offline", "--cache", none, "--out", elsewhere); code != exitBadInput ||
		!strings.Contains(errs, "no source of the place could be had") {
		t.Errorf("nothing at hand: exit code %d\n%s", code, errs)
	}
}

func isDivisions(s schemas.ReleaseSource) bool { return s.ID == "divisions-ca" && s.RowsStaged > 0 }
