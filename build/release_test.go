package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"quartier/build/assembly"
	"quartier/build/compare"
	"quartier/build/released"
	"quartier/build/verify"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// rows returns the rows of a query with one column on a file of a release.
func rows(t testing.TB, o Options, file, text string) []string {
	t.Helper()
	db, err := released.Open(filepath.Join(o.Out, file))
	must(t, err)
	defer db.Close()
	list, err := released.Values[string](context.Background(), db, text)
	must(t, err)
	return list
}

func TestReleaseHasDataOfRegion(t *testing.T) {
	m, o := built(t, "", delaware())
	report, err := verify.Release(context.Background(), o.Out, "")
	must(t, err)
	if report.Digest != m.Digest || report.Files != 21 || report.Facts < 15 {
		t.Errorf("%s", report)
	}
	if m.AsOf != "2024-05-01" || m.Counts.POIs != 40 || m.Counts.MergedPOIs != 1 || len(m.Counts.Geographies) != 5 {
		t.Errorf("manifest %+v", m)
	}
	wantIssues := []schemas.ReleaseIssue{
		{Severity: "rejected", Code: "missing_geometry", Description: "It has no geometry.", Rows: 3, Example: "relation 17"},
		{Severity: "repaired", Code: "invalid_geometry_repaired", Description: "It was invalid.", Rows: 1, Example: "relation 18",
			Details: []schemas.IssueDetail{{Detail: "ring self-intersection", Rows: 1, Example: "relation 18"}}},
	}
	if s := m.Sources[0]; s.Licence != "ODbL-1.0" || !reflect.DeepEqual(s.Issues, wantIssues) {
		t.Errorf("source %+v", s)
	}
	wantSteps := []schemas.StepIssue{{Region: "us-delaware", Step: "poi", ReleaseIssue: schemas.ReleaseIssue{
		Severity: "skipped", Code: "unmapped_category", Description: "It has no category.", Rows: 7, Example: "osm:node:9",
		Details: []schemas.IssueDetail{{Detail: "amenity=bench", Rows: 4, Example: "osm:node:9"},
			{Detail: "amenity=clock", Rows: 3, Example: "osm:node:8"}}}}}
	if !reflect.DeepEqual(m.Steps, wantSteps) {
		t.Errorf("steps %+v", m.Steps)
	}
	got := rows(t, o, schemas.GeographiesFile, `SELECT g.name_en || '|' || c.name_en || '|' || m.name_en || '|' || s.name_en || '|' || l.name_en
		FROM geography AS g JOIN geography AS c ON c.geog_id = g.city_id JOIN geography AS m ON m.geog_id = g.metro_id
		JOIN geography AS s ON s.geog_id = g.state_id JOIN geography AS l ON l.geog_id = g.country_id WHERE g.level = 10 ORDER BY 1`)
	want := []string{"East Dover|Dover|Dover, DE|Delaware|United States", "West Dover|Dover|Dover, DE|Delaware|United States"}
	if !slices.Equal(got, want) {
		t.Errorf("hierarchy %q", got)
	}
	got = rows(t, o, schemas.POIsFile, `SELECT p.name || '|' || p.address || '|' || (SELECT group_concat(category_id) FROM poi_category WHERE fid = p.fid)
		|| '|' || (SELECT group_concat(brand_id) FROM poi_brand WHERE fid = p.fid) || '|' || (SELECT group_concat(tag_id) FROM poi_tag WHERE fid = p.fid)
		FROM poi AS p WHERE poi_key = 'osm:node:3'`)
	if want := []string{"Café <3> & Co|1 Main St|cafes,restaurants|acme,zeta|chain,fast_food"}; !slices.Equal(got, want) {
		t.Errorf("poi %q", got)
	}
}

func TestSameInputsGiveTheSameBytes(t *testing.T) {
	_, first := built(t, "", delaware())
	t.Setenv("TZ", "Pacific/Auckland")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	_, second := built(t, "", delaware())
	for _, name := range append([]string{schemas.ManifestFile}, released.Files...) {
		a, err := os.ReadFile(filepath.Join(first.Out, name))
		must(t, err)
		b, err := os.ReadFile(filepath.Join(second.Out, name))
		must(t, err)
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs", name)
		}
		if bytes.Contains(b, []byte(filepath.Dir(second.Out))) {
			t.Errorf("%s contains a path of this machine", name)
		}
	}
}

func TestRegionsThatOverlap(t *testing.T) {
	shared := testPlace{key: "s:de", name: "Delaware", level: schemas.State, west: -76, south: 38, east: -75, north: 40}
	other := shared
	other.east = -74.9
	renamed := shared
	renamed.name = "First State"
	older := []testSource{{"osm", "2019-01-01"}}
	a := testRegion{name: "a", places: []testPlace{shared},
		pois: []testPOI{{key: "k1", name: "One", lng: -75.5, lat: 39}, {key: "k2", name: "Two", lng: -75.4, lat: 39}}}
	for _, tt := range []struct {
		name   string
		b      testRegion
		errs   []string // parts of the error; nil: none
		states string   // west and east of the state
		pois   []string
		note   string
	}{
		{name: "equal rows", b: testRegion{places: []testPlace{shared}, pois: a.pois},
			states: "-76.0 -75.0", pois: []string{"k1 a", "k2 a"}},
		{name: "another outline with the same date", b: testRegion{places: []testPlace{other}},
			errs: []string{"s:de", "outline", "region a", "region b"}},
		{name: "another name with the same date", b: testRegion{places: []testPlace{renamed}},
			errs: []string{"s:de", "name", "region a", "region b"}},
		{name: "an older outline", b: testRegion{sources: older, places: []testPlace{other}},
			states: "-76.0 -75.0", pois: []string{"k1 a", "k2 a"}, note: "in another region: 1"},
		{name: "a newer outline", b: testRegion{sources: []testSource{{"osm", "2025-01-01"}}, places: []testPlace{other}},
			states: "-76.0 -74.9", pois: []string{"k1 a", "k2 a"}},
		{name: "a newer poi", b: testRegion{sources: []testSource{{"osm", "2025-01-01"}}, pois: a.pois[:1]},
			states: "-76.0 -75.0", pois: []string{"k1 b", "k2 a"}},
		{name: "merged by the other region", b: testRegion{pois: a.pois[:1], merges: []testMerge{{"k1", "k2"}}},
			states: "-76.0 -75.0", pois: []string{"k1 a"}},
		{name: "a pair merged in both directions",
			b:      testRegion{pois: []testPOI{{key: "k3", name: "Three", lng: -75, lat: 39}}, merges: []testMerge{{"k3", "k1"}, {"k1", "k3"}}},
			states: "-76.0 -75.0", pois: []string{"k1 a", "k2 a"}},
		{name: "an undeclared source",
			b:    testRegion{places: []testPlace{{key: "x", source: "ghost", level: schemas.Borough, west: 0, south: 0, east: 1, north: 1}}},
			errs: []string{"region b", "x", "ghost"}},
		{name: "an unknown category", b: testRegion{pois: []testPOI{{key: "k9", name: "Nine", categories: "nonsense"}}},
			errs: []string{"k9", "region b", "nonsense"}},
		{name: "an unknown tag", b: testRegion{pois: []testPOI{{key: "k9", name: "Nine", tags: "nonsense"}}}, errs: []string{"tag nonsense"}},
		{name: "a poi with invalid coordinates", b: testRegion{pois: []testPOI{{key: "k9", name: "Nine", lng: 200}}},
			errs: []string{"k9", "200"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.b.name = "b"
			o := options(t, a, tt.b)
			m, err := Release(context.Background(), o)
			if tt.errs != nil {
				for _, part := range tt.errs {
					if err == nil || !strings.Contains(err.Error(), part) {
						t.Errorf("error %v does not name %q", err, part)
					}
				}
				return
			}
			must(t, err)
			state := rows(t, o, schemas.GeographiesFile, "SELECT west || ' ' || east FROM geography WHERE level = 60")
			if !slices.Equal(state, []string{tt.states}) {
				t.Errorf("state %q, want %q", state, tt.states)
			}
			pois := rows(t, o, schemas.POIsFile, "SELECT poi_key || ' ' || region FROM poi ORDER BY 1")
			if !slices.Equal(pois, tt.pois) {
				t.Errorf("pois %q, want %q", pois, tt.pois)
			}
			if tt.note != "" && !strings.Contains(strings.Join(m.Notes, "\n"), tt.note) {
				t.Errorf("notes %q lack %q", m.Notes, tt.note)
			}
		})
	}
}

func TestLinksAcrossRegions(t *testing.T) {
	towns := testRegion{name: "towns", places: []testPlace{
		{key: "p:inside", level: schemas.Municipality, west: -75.6, south: 39.1, east: -75.4, north: 39.2},
		{key: "p:outside", level: schemas.Municipality, west: -71, south: 39.1, east: -70.9, north: 39.2},
	}}
	large := testRegion{name: "large", places: []testPlace{
		{key: "m:wide", level: schemas.Metro, west: -80, south: 30, east: -72, north: 45},
		{key: "m:near", level: schemas.Metro, west: -76, south: 39, east: -75, north: 40},
		{key: "s:de", level: schemas.State, west: -76, south: 38, east: -75, north: 40},
		{key: "p:big", level: schemas.Municipality, west: -80, south: 30, east: -60, north: 50},
	}}
	_, o := built(t, "", towns, large)
	got := rows(t, o, schemas.GeographiesFile, `SELECT g.source_key || ' ' || coalesce(m.source_key, '–') || ' ' || coalesce(s.source_key, '–')
		FROM geography AS g LEFT JOIN geography AS m ON m.geog_id = g.metro_id LEFT JOIN geography AS s ON s.geog_id = g.state_id ORDER BY 1`)
	want := []string{
		"m:near m:near s:de",
		"m:wide m:wide s:de", // in its state alone, which has a part of it
		"p:big – s:de",
		"p:inside m:near s:de", // the smaller of two metro areas that have all of it
		"p:outside – s:de",
		"s:de – s:de",
	}
	if !slices.Equal(got, want) {
		t.Errorf("links %q, want %q", got, want)
	}
}

func TestPreviousRelease(t *testing.T) {
	ctx := context.Background()
	first := delaware()
	m1, o1 := built(t, "", first)
	second := delaware()
	second.sources = []testSource{{"osm", "2024-06-01"}}
	second.places[3].name = "Dover City" // changes attributes only
	second.places[4].east = -75.52       // moves the border between the neighbourhoods
	second.places[5].west = -75.52
	second.pois = second.pois[3:]
	second.merges = nil
	m2, o2 := built(t, o1.Out, second)
	if m2.Previous != m1.Digest || m2.Counts.Superseded != 2 {
		t.Errorf("previous %s, %d superseded", m2.Previous, m2.Counts.Superseded)
	}
	ids := `SELECT geog_id FROM geography WHERE source_key NOT LIKE 'n:%' ORDER BY 1`
	if a, b := rows(t, o1, schemas.GeographiesFile, ids), rows(t, o2, schemas.GeographiesFile, ids); !slices.Equal(a, b) {
		t.Errorf("ids %q are not kept: %q", a, b)
	}
	got := rows(t, o2, schemas.GeographiesFile, `SELECT s.name_en || ' ' || s.boundary_version || ' ' || s.superseded_in || ' ' || s.superseded_as_of || ' → ' || g.name_en || ' ' || g.boundary_version
		FROM geography_superseded AS s JOIN geography AS g ON g.geog_id = s.replaced_by ORDER BY 1`)
	if want := []string{"East Dover 1 test 2024-06-01 → East Dover 2", "West Dover 1 test 2024-06-01 → West Dover 2"}; !slices.Equal(got,
		want) {
		t.Errorf("superseded %q, want %q", got, want)
	}
	east := rows(t, o2, schemas.GeographiesFile, "SELECT west || ' ' || area_m2 FROM geography_superseded WHERE name_en = 'East Dover'")
	if was := rows(t, o1, schemas.GeographiesFile, "SELECT west || ' ' || area_m2 FROM geography WHERE name_en = 'East Dover'"); !slices.Equal(
		east, was) {
		t.Errorf("last data %q, was %q", east, was)
	}
	c, err := compare.Releases(ctx, o1.Out, o2.Out)
	must(t, err)
	t.Logf("\n%s", c)
	wantLevels := "[{10 new 2} {10 reversion 2} {30 kept 1} {40 kept 1} {60 kept 1} {70 kept 1}]"
	if !c.Continues || fmt.Sprint(c.Geographies) != wantLevels || c.POIs != (compare.POIChange{Removed: 3, Kept: 37}) {
		t.Errorf("%+v", c)
	}
	if fmt.Sprint(c.Categories) != "[{cafes 0 3 37} {restaurants 0 1 13}]" {
		t.Errorf("categories %+v", c.Categories)
	}

	third := delaware() // the first borders again: new ids, to which the oldest ones point
	third.sources = []testSource{{"osm", "2024-07-01"}}
	m3, o3 := built(t, o2.Out, third)
	if m3.Counts.Superseded != 4 {
		t.Errorf("%d superseded", m3.Counts.Superseded)
	}
	got = rows(t, o3, schemas.GeographiesFile, `SELECT s.boundary_version || ' ' || s.superseded_as_of || ' → ' || g.boundary_version
		FROM geography_superseded AS s JOIN geography AS g ON g.geog_id = s.replaced_by WHERE s.name_en = 'East Dover' ORDER BY 1`)
	if want := []string{"1 2024-06-01 → 3", "2 2024-07-01 → 3"}; !slices.Equal(got, want) {
		t.Errorf("chain %q, want %q", got, want)
	}
	_, err = verify.Release(ctx, o3.Out, "")
	must(t, err)
}

func TestSeparateAgainAfterAMerge(t *testing.T) {
	separate, merged := delaware(), delaware()
	separate.places[4].east, separate.places[5].west = -75.47, -75.47
	merged.places = merged.places[:5]
	merged.places[4].east = -75.4 // West Dover includes East Dover
	_, first := built(t, "", separate)
	_, second := built(t, first.Out, merged)
	_, third := built(t, second.Out, separate)
	got := rows(t, third, schemas.GeographiesFile, `SELECT s.source_key || '|' || s.boundary_version || '|' || g.source_key
		FROM geography_superseded s JOIN geography g ON g.geog_id = s.replaced_by ORDER BY 1`)
	if want := []string{"n:east|1|n:east", "n:west|1|n:west", "n:west|2|n:west"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestDamagedPreviousRelease(t *testing.T) {
	_, o1 := built(t, "", delaware())
	path := filepath.Join(o1.Out, schemas.GeographiesFile)
	data, err := os.ReadFile(path)
	must(t, err)
	data[len(data)/2] ^= 1
	must(t, os.WriteFile(path, data, 0o644))
	o := options(t, delaware())
	o.Previous = o1.Out
	if _, err := Release(context.Background(), o); err == nil || !strings.Contains(err.Error(), "is not the file in its manifest") {
		t.Errorf("error %v", err)
	}
	o.Previous = t.TempDir()
	if _, err := Release(context.Background(), o); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestBadOptions(t *testing.T) {
	good := options(t, delaware())
	for name, change := range map[string]func(*Options){
		"no name":      func(o *Options) { o.Name = "" },
		"a path":       func(o *Options) { o.Name = "../x" },
		"no folder":    func(o *Options) { o.Out = "" },
		"no version":   func(o *Options) { o.ToolVersion = "" },
		"no region":    func(o *Options) { o.Regions = nil },
		"region twice": func(o *Options) { o.Regions = append(o.Regions, o.Regions[0]) },
		"no such file": func(o *Options) {
			o.Regions = []assembly.Region{{Name: "x", Staged: "/nonexistent", Derived: good.Regions[0].Derived}}
		},
		"not a duckdb": func(o *Options) {
			o.Regions = []assembly.Region{{Name: "x", Staged: good.Regions[0].Staged, Derived: "release_test.go"}}
		},
		"wrong schemas": func(o *Options) {
			o.Regions = []assembly.Region{{Name: "x", Staged: good.Regions[0].Staged, Derived: good.Regions[0].Staged}}
		},
	} {
		o := good
		o.Regions = slices.Clone(good.Regions)
		change(&o)
		if _, err := Release(context.Background(), o); err == nil {
			t.Errorf("%s: passed", name)
		}
		if _, err := os.Stat(good.Out); err == nil {
			t.Errorf("%s: left something at %s", name, good.Out)
		}
	}
}

// tool runs a program and returns its output.
func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	testenv.NeedProgram(t, name)
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

func TestOgrinfoReadsTheRelease(t *testing.T) {
	_, o := built(t, "", delaware())
	for _, tt := range []struct {
		file, layer, where string
		want               []string
	}{
		{schemas.GeographiesFile, "geography", "", []string{"Geometry: Multi Polygon", "Feature Count: 6", `ID["EPSG",4326]`, "Extent: (-80.0",
			"FID Column = fid"}},
		{schemas.GeographiesFile, "geography", "-75.45 39.15 -75.44 39.16", []string{"Feature Count: 5"}},
		{schemas.GeographiesFile, "coverage", "", []string{"Geometry: Multi Polygon", "Feature Count: 1", `ID["EPSG",4326]`}},
		{schemas.GeographiesFile, "geography_superseded", "", []string{"Geometry: Multi Polygon", "Feature Count: 0", `ID["EPSG",4326]`}},
		{schemas.POIsFile, "poi", "", []string{"Geometry: Point", "Feature Count: 40", `ID["EPSG",4326]`}},
		{schemas.POIsFile, "poi", "-75.601 39 -75.596 40", []string{"Feature Count: 1"}},
		{schemas.POIsFile, "poi_category", "", []string{"Geometry: None", "Feature Count: 54"}},
		{schemas.POIsFile, "source", "", []string{"Feature Count: 1", "licence: String"}},
	} {
		args := []string{"-ro", "-so", filepath.Join(o.Out, tt.file), tt.layer}
		if tt.where != "" {
			args = append(append([]string{"-spat"}, strings.Fields(tt.where)...), args...)
		}
		out := tool(t, "ogrinfo", args...)
		for _, part := range tt.want {
			if !strings.Contains(out, part) {
				t.Errorf("%s %s: no %q in\n%s", tt.file, tt.layer, part, out)
			}
		}
	}
}

func TestSpatialiteReadsTheRelease(t *testing.T) {
	_, o := built(t, "", delaware())
	for _, tt := range []struct{ file, query, want string }{
		{schemas.GeographiesFile, "SELECT CheckSpatialMetaData(), count(*) FROM geography", "3|6"},
		{schemas.GeographiesFile, "SELECT min(ST_IsValid(geometry)), min(ST_SRID(geometry)), min(ST_GeometryType(geometry)) FROM geography",
			"1|4326|MULTIPOLYGON"},
		{schemas.GeographiesFile, "SELECT CheckSpatialIndex('geography', 'geometry'), CheckSpatialIndex('coverage', 'geometry')", "1|1"},
		{schemas.GeographiesFile,
			"SELECT name_en FROM geography WHERE level < 60 AND ST_Contains(geometry, MakePoint(-75.45, 39.15, 4326)) AND fid IN " +
				"(SELECT rowid FROM SpatialIndex WHERE f_table_name = 'geography' AND search_frame = MakePoint(-75.45, 39.15, 4326)) ORDER BY level",
			"East Dover\nDover\nDover, DE"},
		{schemas.GeographiesFile, "SELECT sum(abs(ST_Area(geometry, 1) - area_m2) / area_m2 > 0.002) FROM geography WHERE level < 70", "0"},
		{schemas.POIsFile,
			"SELECT CheckSpatialIndex('poi', 'geometry'), count(*), min(ST_SRID(geometry)), min(ST_GeometryType(geometry)) FROM poi",
			"1|40|4326|POINT"},
		{schemas.POIsFile,
			"SELECT count(*) FROM poi WHERE fid IN (SELECT rowid FROM SpatialIndex WHERE f_table_name = 'poi' AND search_frame = " +
				"BuildMbr(-75.601, 39, -75.596, 40, 4326))", "1"},
		{schemas.POIsFile, "SELECT pois, label_fr FROM category WHERE category_id = 'restaurants'", "14|Restaurants"},
		{schemas.POIsFile, "SELECT label_en, label_fr FROM tag WHERE tag_id = 'fast_food'", "Fast food|Restauration rapide"},
		{schemas.POIsFile, "SELECT attribution FROM source", "© OpenStreetMap contributors"},
	} {
		out := tool(t, "spatialite", "-silent", "-bail", filepath.Join(o.Out, tt.file), tt.query+";")
		if got := strings.TrimSpace(out); got != tt.want {
			t.Errorf("%s: %s\n%q, want %q", tt.file, tt.query, got, tt.want)
		}
	}
	plan := tool(t, "spatialite", "-silent", filepath.Join(o.Out, schemas.POIsFile),
		"EXPLAIN QUERY PLAN SELECT p.name FROM idx_poi_geometry AS i JOIN poi AS p ON p.fid = i.pkid WHERE i.xmin > -75.6 AND i.xmax < -75.5;")
	if !strings.Contains(plan, "VIRTUAL TABLE INDEX 2:") || !strings.Contains(plan, "USING INTEGER PRIMARY KEY") {
		t.Errorf("the spatial index is not used:\n%s", plan)
	}
}
