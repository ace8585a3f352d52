package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/planar"

	"quartier/internal/testenv"
)

// philadelphia is a region of the city's schools and their attendance areas, of which the elementary ones have a school for each grade.
const philadelphia = `region: us-philadelphia
title: Philadelphia
country: US
state: PA
sources:
  - {id: states, kind: boundaries, path: "${DATA}/us-national/cb_2019_us_state_5m.zip", as_of: 2019-01-01, licence: public domain, attribution: US Census Bureau, options: {layout: tiger-state, where: {STUSPS: [PA]}}}
  - id: schools
    kind: schools
    path: ${DATA}/us-philadelphia/schools/schools.geojson
    as_of: 2016-01-01
    licence: open data
    attribution: School District of Philadelphia
    options: {key: OBJECTID, id: "phl:{LOCATION_ID}", name: FACIL_NAME, grades: GRADE_ORG, level_of: GRADE_LEVEL, type_of: TYPE_SPECIFIC, where: {ACTIVE: [O]}}
  - {id: es, kind: catchments, path: "${DATA}/us-philadelphia/schools/catchments_es_2015.geojson", as_of: 2015-09-01, licence: open data, attribution: School District of Philadelphia, options: {key: ES_ID, school_id: "phl:{ES_ID}", grades: ES_Grade}}
  - {id: ms, kind: catchments, path: "${DATA}/us-philadelphia/schools/catchments_ms_2015.geojson", as_of: 2015-09-01, licence: open data, attribution: School District of Philadelphia, options: {key: MS_ID, school_id: "phl:{MS_ID}", grades: MS_Grade}}
  - {id: hs, kind: catchments, path: "${DATA}/us-philadelphia/schools/catchments_hs_2015.geojson", as_of: 2015-09-01, licence: open data, attribution: School District of Philadelphia, options: {key: HS_ID, school_id: "phl:{HS_ID}", grades: HS_Grade}}
`

// seattle is a region of the city's school sites and their attendance areas, which are joined by name.
const seattle = `region: us-seattle
title: Seattle
country: US
state: WA
sources:
  - {id: states, kind: boundaries, path: "${DATA}/us-national/cb_2019_us_state_5m.zip", as_of: 2019-01-01, licence: public domain, attribution: US Census Bureau, options: {layout: tiger-state, where: {STUSPS: [WA]}}}
  - id: schools
    kind: schools
    path: ${DATA}/us-seattle/schools/sps_school_site_2015_2016.geojson
    as_of: 2015-09-01
    licence: CC0-1.0
    attribution: Seattle Public Schools
    options: {key: "@id", name: PROPERTY_L, level_of: Status, type: public}
  - {id: elementary, kind: catchments, path: "${DATA}/us-seattle/schools/sps_attendance_area_ES.geojson", as_of: 2015-09-01, licence: CC0-1.0, attribution: Seattle Public Schools, options: {key: ES_ZONE, school_name: ES_ZONE, level: elementary}}
  - {id: middle, kind: catchments, path: "${DATA}/us-seattle/schools/sps_attendance_area_MS.geojson", as_of: 2015-09-01, licence: CC0-1.0, attribution: Seattle Public Schools, options: {key: MS_ZONE, school_name: MS_ZONE, level: middle}}
  - {id: secondary, kind: catchments, path: "${DATA}/us-seattle/schools/sps_attendance_area_HS.geojson", as_of: 2015-09-01, licence: CC0-1.0, attribution: Seattle Public Schools, options: {key: HS_ZONE, school_name: HS_ZONE, level: secondary}}
`

// TestEverySchoolOfAnAddress asks for the schools within 500 m of points of two cities, one of each list, and compares them with the
// attendance areas in the publishers' files that contain the point, by the geometry of orb: every school of one is in the answer.
func TestEverySchoolOfAnAddress(t *testing.T) {
	t.Parallel()
	data := filepath.Dir(testenv.NeedData(t, "us-philadelphia"))
	dir := t.TempDir()
	for name, text := range map[string]string{"us-philadelphia": philadelphia, "us-seattle": seattle} {
		writeText(t, filepath.Join(dir, name+".yaml"), text)
	}
	file := writeText(t, filepath.Join(dir, "schools.yaml"), "release: schools\nregions: [us-philadelphia.yaml, us-seattle.yaml]\n")
	release := filepath.Join(dir, "out")
	mustRun(t, "build", "--release", file, "--data", data, "--out", release)
	s := startServer(t, release)
	_, token := s.account(t)
	for city, files := range map[string]map[string][2]string{
		"philadelphia": {"es": {"catchments_es_2015", "ES_ID"}, "ms": {"catchments_ms_2015", "MS_ID"}, "hs": {"catchments_hs_2015", "HS_ID"}},
		"seattle": {"elementary": {"sps_attendance_area_ES", "ES_ZONE"}, "middle": {"sps_attendance_area_MS", "MS_ZONE"},
			"secondary": {"sps_attendance_area_HS", "HS_ZONE"}},
	} {
		areas := attendanceAreas(t, release, data, city, files)
		bound := areas[0].outline.Bound()
		for _, a := range areas {
			bound = bound.Union(a.outline.Bound())
		}
		random, pairs, points := rand.New(rand.NewPCG(30, 5)), 0, 0
		for points < 200 {
			p := orb.Point{bound.Min[0] + random.Float64()*(bound.Max[0]-bound.Min[0]), bound.Min[1] + random.Float64()*(bound.Max[1]-bound.Min[1])}
			var want []string
			for _, a := range areas {
				if a.school != "" && planar.MultiPolygonContains(a.outline, p) && !slices.Contains(want, a.school) {
					want = append(want, a.school)
				}
			}
			if len(want) == 0 {
				continue
			}
			points, pairs = points+1, pairs+len(want)
			got := s.schools(t, token, fmt.Sprintf("lat=%.7f&lng=%.7f&radius=500&limit=1&include_catchments=true", p[1], p[0])).inside()
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(slices.Compact(got), want) {
				t.Errorf("%s %v is in the catchments of %q, want %q", city, p, got, want)
			}
		}
		t.Logf("%s: %d points, %d pairs of a point and a school", city, points, pairs)
	}
}

// attendanceArea is an outline of a publisher's file, and the name of its school; "" if the release has none.
type attendanceArea struct {
	outline orb.MultiPolygon
	school  string
}

func attendanceAreas(t *testing.T, release, data, city string, files map[string][2]string) (list []attendanceArea) {
	t.Helper()
	schools := map[string]string{}
	for _, row := range rows(t, filepath.Join(release, "schools.sqlite"),
		"SELECT c.source_key, s.name FROM school_catchment AS c JOIN school AS s ON s.fid = c.school_fid WHERE c.region = ?", "us-"+city) {
		key := strings.Split(row[0], ":") // es:2630:K-5 is one level of an outline
		schools[key[0]+":"+key[1]] = row[1]
	}
	joined := 0
	for source, of := range files {
		text, err := os.ReadFile(filepath.Join(data, "us-"+city, "schools", of[0]+".geojson"))
		if err != nil {
			t.Fatal(err)
		}
		features, err := geojson.UnmarshalFeatureCollection(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range features.Features {
			a := attendanceArea{school: schools[source+":"+fmt.Sprint(f.Properties[of[1]])]}
			switch g := f.Geometry.(type) {
			case orb.Polygon:
				a.outline = orb.MultiPolygon{g}
			case orb.MultiPolygon:
				a.outline = g
			}
			if a.school != "" {
				joined++
			}
			list = append(list, a)
		}
	}
	if joined < len(list)*9/10 {
		t.Fatalf("%s: %d of %d areas have a school", city, joined, len(list))
	}
	return list
}
