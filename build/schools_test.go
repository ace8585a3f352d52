package build

import (
	"context"
	"slices"
	"testing"

	"quartier/build/verify"
	"quartier/internal/duck"
	"quartier/schemas"
	"quartier/schemas/derived"
)

// school is a row of derived.school, of Delaware.
func school(key, source, id string, lng float64) derived.School {
	s := derived.School{Key: key, SourceID: source, Lng: lng, Lat: 39,
		SchoolDetails: derived.SchoolDetails{AuthorityID: id, Name: "School " + key,
			Levels: "elementary,middle", StateCode: "DE", CountryCode: "US"}}
	if key == "k1" {
		s.Rating = "B+"
	}
	return s
}

func record(school, source, key, reason string) derived.SchoolSource {
	return derived.SchoolSource{SchoolKey: school, SourceID: source, SourceKey: key, Reason: reason}
}

func outline(school, key, level string) derived.SchoolCatchment {
	return derived.SchoolCatchment{SchoolKey: school, SourceID: "osm", SourceKey: key, Level: level, Reason: "name",
		Geom: wkb(rectangle(-76, 38, -75, 40))}
}

func schoolsOf(schools []derived.School, records []derived.SchoolSource, outlines []derived.SchoolCatchment) func(testing.TB, *duck.DB) {
	return func(t testing.TB, db *duck.DB) {
		t.Helper()
		must(t, duck.Write(t.Context(), db, "school", slices.Values(schools)))
		must(t, duck.Write(t.Context(), db, "school_source", slices.Values(records)))
		must(t, duck.Write(t.Context(), db, "school_catchment", slices.Values(outlines)))
	}
}

// A school that two regions have is in the release once: by its key, by its number, or because each lent the other its record;
// its catchments in both regions are those of the one that is kept.
func TestSchoolsOfTwoRegions(t *testing.T) {
	a := testRegion{name: "a", places: []testPlace{{key: "s", level: schemas.State, west: -76, south: 38, east: -75, north: 40, country: "US",
		states: "US_DE"}},
		schools: schoolsOf(
			[]derived.School{school("k1", "osm", "", -75.5), school("k2", "osm", "nces:2", -75.4), school("k3", "osm", "", -75.3),
				school("lent", "b/osm", "", -75.1)},
			[]derived.SchoolSource{record("k1", "osm", "k1", "kept"), record("k2", "osm", "k2", "kept"), record("k3", "osm", "k3", "kept"),
				record("k3", "b/osm", "k4", "name"), record("lent", "b/osm", "lent", "kept"), record("k1", "osm", "r1", "rating")},
			[]derived.SchoolCatchment{outline("k1", "o2", "middle"), outline("k1", "o1", "elementary")})}
	b := testRegion{name: "b",
		schools: schoolsOf(
			[]derived.School{school("k1", "osm", "", -75.5), school("n2", "osm", "nces:2", -75.4), school("k4", "osm", "", -75.3),
				school("lent", "osm", "", -75.1)},
			[]derived.SchoolSource{record("k1", "osm", "k1", "kept"), record("n2", "osm", "n2", "kept"), record("k4", "osm", "k4", "kept"),
				record("k4", "a/osm", "k3", "name"), record("lent", "osm", "lent", "kept")},
			[]derived.SchoolCatchment{outline("k4", "o4", "elementary"), outline("n2", "o3", "elementary"), outline("k1", "o1", "elementary")})}
	m, o := built(t, "", a, b)
	_, err := verify.Release(context.Background(), o.Out, "")
	must(t, err)
	list := func(query string) []string { return rows(t, o, schemas.SchoolsFile, query) }
	if got, want := list("SELECT school_key || ' ' || region FROM school ORDER BY 1"),
		[]string{"k1 a", "k2 a", "k3 a", "lent b"}; !slices.Equal(got, want) {
		t.Errorf("schools %q, want %q", got, want)
	}
	if got, want := list("SELECT school_key || ' ' || region || '/' || source_key || ' ' || reason FROM school_source ORDER BY 1"),
		[]string{"k1 a/k1 kept", "k1 a/r1 rating", "k1 b/k1 kept", "k2 a/k2 kept", "k2 b/n2 authority_id", "k3 a/k3 kept", "k3 b/k4 name",
			"lent b/lent kept"}; !slices.Equal(got, want) {
		t.Errorf("records %q, want %q", got, want)
	}
	if got, want := list("SELECT s.school_key || ' ' || c.source_key || ' ' || c.level || ' ' || c.region FROM school_catchment AS c JOIN "+
		"school AS s ON s.fid = school_fid ORDER BY s.school_key, c.fid"),
		[]string{"k1 o1 elementary a", "k1 o2 middle a", "k2 o3 elementary b", "k3 o4 elementary b"}; !slices.Equal(got, want) {
		t.Errorf("catchments %q, want %q", got, want)
	}
	if m.Counts.Schools != 4 || m.Counts.Catchments != 4 {
		t.Errorf("%d schools, %d catchments", m.Counts.Schools, m.Counts.Catchments)
	}
}
