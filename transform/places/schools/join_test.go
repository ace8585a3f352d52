package schools

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
	"quartier/transform/issue"
)

// databases are an empty staged and an empty derived database. The staged one has the sources in order of priority.
func databases(t testing.TB, sources ...string) (from, into *duck.DB) {
	t.Helper()
	for i, ddl := range []string{schemas.Staged, schemas.Derived} {
		db, err := duck.Create(filepath.Join(t.TempDir(), fmt.Sprint(i, ".duckdb")), ddl)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		from, into = into, db
	}
	for i, id := range sources {
		stage(t, from, "source", staged.Source{SourceID: id, Priority: int32(i), Kind: "schools", AsOf: "2024-01-01"})
	}
	return from, into
}

func stage[T any](t testing.TB, db *duck.DB, table string, rows ...T) {
	t.Helper()
	if err := duck.Write(t.Context(), db, table, slices.Values(rows)); err != nil {
		t.Fatal(err)
	}
}

func schoolAt(key, name, levels string, x, y float64) staged.School {
	p := geo.NewPlane(origin).Point(x, y)
	source, _, _ := strings.Cut(key, ":")
	return staged.School{SourceID: source, SourceKey: key, Name: name, Levels: levels, Lng: &p[0], Lat: &p[1]}
}

// area is a square of 1 km around a point.
func area(t testing.TB, key, id, name, level, grade string, x, y float64) staged.Catchment {
	t.Helper()
	pl := geo.NewPlane(origin)
	ring := orb.Ring{pl.Point(x-500, y-500), pl.Point(x+500, y-500), pl.Point(x+500, y+500), pl.Point(x-500, y+500), pl.Point(x-500, y-500)}
	data, err := geo.WKB(orb.MultiPolygon{{ring}})
	if err != nil {
		t.Fatal(err)
	}
	return staged.Catchment{SourceID: "zones", SourceKey: key, SchoolID: id, SchoolName: name, Level: level, Grade: grade, Geom: data}
}

func derive(t testing.TB, from, into *duck.DB, at Places) *Result {
	t.Helper()
	r, err := Derive(t.Context(), from, into, at, &calibration.Standard().Schools)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func countsOf(issues []issue.Issue) map[string]int64 {
	counts := map[string]int64{}
	for _, i := range issues {
		counts[i.Code] += i.Rows
	}
	return counts
}

func TestCatchments(t *testing.T) {
	from, into := databases(t, "list", "zones")
	withID := schoolAt("list:1", "Adams", "elementary", 0, 0)
	withID.AuthorityID = "nces:1"
	stage(t, from, "school", withID, schoolAt("list:2", "Lincoln Elementary", "elementary", 0, 0),
		schoolAt("list:3", "Lincoln High School", "secondary", 200, 0),
		schoolAt("list:4", "Lincoln Elementary School", "elementary", 5000, 0),
		schoolAt("list:5", "Olympic Hills (interim at Cedar Park)", "", 0, 9000),
		schoolAt("list:6", "Roosevelt", "elementary", 60_000, 0), schoolAt("list:7", "Nameless Levels", "", 0, 0),
		schoolAt("list:8", "Jane Addams Middle School", "middle", 9100, 0), schoolAt("list:9", "Jane Addams", "middle", 9000, 0))
	stage(t, from, "catchment",
		area(t, "z:01", "nces:1", "", "elementary", "", 9000, 9000), area(t, "z:02", "list:4", "", "", "K-5", 0, 0),
		area(t, "z:03", "", "Lincoln", "elementary", "", 0, 0), area(t, "z:04", "", "Lincoln", "secondary", "", 0, 0),
		area(t, "z:05", "", "Lincoln", "elementary", "", 4800, 0), area(t, "z:06", "", "Olympic Hills", "elementary", "", 0, 9000),
		area(t, "z:07", "", "Roosevelt", "elementary", "", 0, 0), area(t, "z:08", "nces:9", "", "middle", "", 0, 0),
		area(t, "z:09", "nces:1", "", "", "", 0, 0), area(t, "z:10", "", "Nobody", "middle", "", 0, 0),
		area(t, "z:11", "", "Jane Addams", "middle", "", 9000, 0))
	r := derive(t, from, into, placeOf("US"))
	got := map[string]string{}
	for row, err := range sqlrow.Select[derived.SchoolCatchment](t.Context(), into, "SELECT * FROM school_catchment") {
		if err != nil {
			t.Fatal(err)
		}
		got[row.SourceKey] = row.SchoolKey + " " + row.Level + " " + row.Reason
	}
	want := map[string]string{"z:01": "list:1 elementary authority_id", "z:02": "list:4 elementary source_key",
		"z:03": "list:2 elementary name",
		"z:04": "list:3 secondary name", "z:05": "list:4 elementary name", "z:06": "list:5 elementary name",
		"z:09": "list:1 elementary authority_id", "z:11": "list:9 middle name"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("catchments %v\nwant %v", got, want)
	}
	if counts := countsOf(r.Issues); counts["catchment_without_school"] != 3 || counts["school_without_level"] != 1 || len(r.Schools) != 9 {
		t.Errorf("%v, %d schools", counts, len(r.Schools))
	}
}

func TestRatings(t *testing.T) {
	from, into := databases(t, "list", "marks")
	school := func(key, name, board string) staged.School {
		s := schoolAt(key, name, "elementary", 0, float64(len(key))*1000)
		s.BoardName = board
		return s
	}
	stage(t, from, "school", school("list:1", "St. Gabriel School", "Ottawa Catholic School Board"),
		school("list:22", "Earl of March Secondary School", "Ottawa-Carleton District School Board"),
		school("list:333", "Earl of March Intermediate School", "Ottawa-Carleton District School Board"),
		school("list:4444", "Mary Honeywell", ""))
	share := func(v float64) *float64 { return &v }
	stage(t, from, "school_rating",
		staged.SchoolRating{SourceID: "marks", SourceKey: "m:1", SchoolName: "St. Gabriel Elementary School", BoardName: "Ottawa CSB",
			Share: share(0.95)},
		staged.SchoolRating{SourceID: "marks", SourceKey: "m:2", SchoolName: "Earl of March Secondary School", BoardName: "Ottawa-Carleton DSB",
			Share: share(0.74)},
		staged.SchoolRating{SourceID: "marks", SourceKey: "m:3", SchoolID: "list:4444", Letter: "C+"},
		staged.SchoolRating{SourceID: "marks", SourceKey: "m:4", SchoolName: "St. Gabriel", BoardName: "Ottawa-Carleton DSB", Share: share(0.5)},
		staged.SchoolRating{SourceID: "marks", SourceKey: "m:5", SchoolName: "St. Gabriel School", Share: share(0.5)},
		staged.SchoolRating{SourceID: "marks", SourceKey: "m:6", SchoolName: "Earl of March", BoardName: "OCDSB", Share: share(0.5)})
	r := derive(t, from, into, placeOf("CA"))
	got := map[string]string{}
	for _, s := range r.Schools {
		got[s.Key] = s.Rating
	}
	if want := map[string]string{"list:1": "A+", "list:22": "B", "list:333": "", "list:4444": "C+"}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("ratings %v, want %v", got, want)
	}
	if counts := countsOf(r.Issues); counts["rating_without_school"] != 1 || counts["school_rated_twice"] != 1 ||
		counts["rating_of_several_schools"] != 1 {
		t.Errorf("%v", counts)
	}
	origins := map[string]string{}
	for _, s := range r.Sources {
		if s.Reason == schemas.SchoolRating {
			origins[s.SourceKey] = s.SchoolKey
		}
	}
	if want := map[string]string{"m:1": "list:1", "m:2": "list:22", "m:3": "list:4444"}; fmt.Sprint(origins) != fmt.Sprint(want) {
		t.Errorf("origins %v", origins)
	}
	_, elsewhere := databases(t)
	if r := derive(t, from, elsewhere, place{"CA", "QC"}); countsOf(r.Issues)["rating_outside_on_bc"] != 4 {
		t.Errorf("in Québec %v", countsOf(r.Issues))
	}
}

type washington struct{}

func (washington) StateAt(orb.Point) (country, state string, ok bool) { return "US", "WA", true }
func (washington) CityAt(orb.Point) string                            { return "Seattle" }

// All catchments of Seattle are joined by name, those of Arbor Heights and Olympic Hills too, whose sites are called "… (interim
// at …)"; sites of no level have that of their catchment.
func TestSeattleCatchments(t *testing.T) {
	from, into := databases(t, "sites", "zones")
	levels := map[string]string{"ELEM": "elementary", "Option ELEM": "elementary", "MS": "middle", "HS": "secondary", "Option HS": "secondary"}
	for i, f := range seattle(t, "sps_school_site_2015_2016.geojson") {
		at := f.Geometry.Bound().Center()
		stage(t, from, "school", staged.School{SourceID: "sites", SourceKey: fmt.Sprint("sites:", i+1),
			Name:   f.Properties.MustString("PROPERTY_L"),
			Levels: levels[f.Properties.MustString("Status")], Lng: &at[0], Lat: &at[1], CountryCode: "US"})
	}
	zones := 0
	for column, level := range map[string]string{"ES": "elementary", "MS": "middle", "HS": "secondary"} {
		for i, f := range seattle(t, "sps_attendance_area_"+column+".geojson") {
			data, err := geo.WKB(multi(t, f.Geometry))
			if err != nil {
				t.Fatal(err)
			}
			stage(t, from, "catchment", staged.Catchment{SourceID: "zones", SourceKey: fmt.Sprint("zones:", column, i),
				SchoolName: f.Properties.MustString(column + "_ZONE"),
				Level:      level, Geom: data})
			zones++
		}
	}
	r := derive(t, from, into, washington{})
	if zones != 76 || r.Catchments != zones {
		t.Errorf("%d of %d catchments joined: %+v", r.Catchments, zones, r.Issues)
	}
	type row struct {
		Name   string `col:"name"`
		Level  string `col:"level"`
		Levels string `col:"levels"`
	}
	var wrong []row
	for got, err := range sqlrow.Select[row](t.Context(), into,
		"SELECT s.name, c.level, s.levels FROM school_catchment AS c JOIN school AS s USING (school_key) ORDER BY ALL") {
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(list(got.Levels), got.Level) {
			wrong = append(wrong, *got)
		}
	}
	if len(wrong) > 0 {
		t.Errorf("joined to schools of other levels: %v", wrong)
	}
}

func seattle(t *testing.T, name string) []*geojson.Feature {
	t.Helper()
	data, err := os.ReadFile(testenv.NeedData(t, "us-seattle/schools/"+name))
	if err != nil {
		t.Fatal(err)
	}
	var c geojson.FeatureCollection
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return c.Features
}

func multi(t *testing.T, g orb.Geometry) orb.MultiPolygon {
	t.Helper()
	switch g := g.(type) {
	case orb.MultiPolygon:
		return g
	case orb.Polygon:
		return orb.MultiPolygon{g}
	}
	t.Fatalf("a %T", g)
	return nil
}
