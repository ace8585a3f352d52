package main

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/build/scorestats"
	"quartier/schemas"
)

// withoutData lists the scores that a region must not have, for lack of data.
var withoutData = map[string][]string{
	"us-delaware": {"cycling_friendly", "car_friendly", "historic", "daycares", "groceries", "cafes", "restaurants", "nightlife",
		"high_schools", "primary_schools", "pedestrian_friendly", "transit_friendly", "vibrant"},
	"us-pikesville": {"cycling_friendly", "car_friendly", "transit_friendly", "historic", "cafes", "nightlife", "restaurants", "shopping",
		"vibrant"},
	"us-portland": {"cycling_friendly", "car_friendly", "quiet", "groceries", "shopping", "cafes", "restaurants", "nightlife",
		"high_schools", "primary_schools", "daycares", "vibrant", "parks", "historic", "pedestrian_friendly"},
	"ca-ottawa": {"shopping", "vibrant", "daycares", "historic", "greenery", "quiet"},
}

// withData lists scores that a region must have.
var withData = map[string][]string{
	"us-delaware":   {"quiet", "parks"},
	"us-pikesville": {"pedestrian_friendly", "groceries", "primary_schools", "quiet", "greenery", "wellness"},
	"us-portland":   {"transit_friendly"},
	"ca-ottawa": {"pedestrian_friendly", "cycling_friendly", "transit_friendly", "groceries", "cafes", "restaurants", "nightlife",
		"high_schools", "primary_schools", "parks"},
}

// checkScores checks the scores of the real regions for plausibility.
func checkScores(t *testing.T, release string) {
	manifest, err := schemas.ReadManifest(release)
	if err != nil {
		t.Fatal(err)
	}
	for i := range manifest.Spreads {
		checkSpread(t, &manifest.Spreads[i])
	}
	for _, c := range manifest.Classes {
		if c.Region == "us-seattle" { // its list of schools reaches to Portland's streets, and it has none
			t.Errorf("%s of Seattle is %s, without a street", c.Class, c.Verdict)
		}
	}
	checkCopies(t, release)
	checkPlaces(t, release)
	checkFooting(t, release)
	access := filepath.Join(release, schemas.AccessFile)
	for _, fact := range []struct{ what, query, want string }{
		{"medians over streets, where nobody counted households", `SELECT count(*) > 0 FROM geography_score WHERE basis = 'street'`, "1"},
		{"medians over households too", `SELECT count(*) > 1000 FROM geography_score WHERE basis = 'households'`, "1"},
		{"every typology is one of nine", `SELECT count(*) FROM typology WHERE typology NOT IN ('` + strings.Join(schemas.Typologies, "','") +
			`')`, "0"},
		{"Ottawa's typologies", `SELECT count(*) > 50000 AND count(DISTINCT typology) >= 6 FROM typology`, "1"},
		{"typologies are in Ottawa alone", `SELECT count(*) FROM typology WHERE geohash NOT LIKE 'f2%' AND geohash NOT LIKE 'dr%'`, "0"},
		{"cycling in Ottawa", `SELECT count(cycling_friendly) > 0.9 * count(*) FROM street_node WHERE region = 'ca-ottawa'`, "1"},
		{"heights of Portland",
			`SELECT count(*) > 3000 AND max(terrain_steepness) > 40000 AND min(terrain_steepness) < 10000 FROM street_node WHERE region = ` +
				`'us-portland' AND terrain_steepness IS NOT NULL`, "1"},
		{"heights nowhere else", `SELECT count(*) FROM street_node WHERE region <> 'us-portland' AND terrain_steepness IS NOT NULL`, "0"},
		{"lines of Portland",
			`SELECT count(DISTINCT route_key) FROM transit_service s JOIN destination d ON d.fid = s.destination WHERE d.region = 'us-portland'`,
			"3"},
		{"no timetable elsewhere",
			`SELECT count(*) FROM transit_service s JOIN destination d ON d.fid = s.destination WHERE d.region <> 'us-portland' AND s.basis = ` +
				`'timetable'`, "0"},
		{"lines of Ottawa",
			`SELECT count(DISTINCT route_key) FROM transit_service s JOIN destination d ON d.fid = s.destination WHERE d.region = 'ca-ottawa' AND ` +
				`s.basis = 'line'`, "194"},
		{"no half point has half of Ottawa's streets", `SELECT max(n) < 0.45 * (SELECT count(*) FROM street_node WHERE region = 'ca-ottawa') FROM (
			SELECT count(*) AS n FROM street_node WHERE region = 'ca-ottawa' AND transit_friendly IS NOT NULL GROUP BY round(transit_friendly / 5000.0))`, "1"},
		{"of Portland's partial feeds no value is 0",
			`SELECT count(transit_friendly) > 3000 AND min(transit_friendly) > 0 AND count(transit_friendly) < 0.8 * count(*) FROM street_node ` +
				`WHERE region = 'us-portland'`, "1"},
	} {
		if got := rows(t, access, fact.query); len(got) != 1 || got[0][0] != fact.want {
			t.Errorf("%s: %v, want %s", fact.what, got, fact.want)
		}
	}
}

// checkFooting checks that no geography has scores from a small part of its area.
func checkFooting(t *testing.T, release string) {
	t.Helper()
	for _, c := range []struct {
		key, name string
		scored    string
	}{
		{"census:cbsa:12580", "Baltimore's metro area, of which Pikesville is a hundredth", "0"},
		{"census:county:24005", "Baltimore County", "0"},
		{"census:place:2404000", "Baltimore", "0"},
		{"census:place:2461400", "Pikesville", "1"},
		{"census:cbsa:38900", "Portland's metro area", "0"},
		{"census:county:41051", "Multnomah County", "0"},
		{"census:place:4159000", "Portland", "0"},
		{"portland:neighbourhood:14", "Reed, at the border of the extract", "0"},
		{"portland:neighbourhood:3", "Downtown of Portland", "1"},
		{"statcan:csd:3506008", "Ottawa", "1"},
		{"statcan:cd:3506", "Ottawa's census division", "1"},
	} {
		id := rows(t, filepath.Join(release, schemas.GeographiesFile), `SELECT geog_id FROM geography WHERE source_key = ?`, c.key)
		if len(id) != 1 {
			t.Errorf("%s is missing", c.name)
			continue
		}
		if got := rows(t, filepath.Join(release, schemas.AccessFile), `SELECT count(*) > 0 FROM geography_score WHERE geog_id = ?`,
			id[0][0]); got[0][0] != c.scored {
			t.Errorf("%s has scores: %s, want %s", c.name, got[0][0], c.scored)
		}
	}
	for level, least := range map[string]int{"10": 130, "20": 26, "30": 65, "37": 4} {
		ids := rows(t, filepath.Join(release, schemas.AccessFile), `SELECT DISTINCT geog_id FROM geography_score WHERE geog_id GLOB ?`,
			"g"+level+"_*")
		if len(ids) < least {
			t.Errorf("%d geographies of level %s have scores, not %d", len(ids), level, least)
		}
	}
}

func checkSpread(t *testing.T, s *schemas.ScoreSpread) {
	t.Helper()
	absent, present := slices.Contains(withoutData[s.Region], s.Score), slices.Contains(withData[s.Region], s.Score)
	switch {
	case absent && s.Known > 0:
		t.Errorf("%s of %s is known at %d homes, without data for it", s.Score, s.Region, s.Known)
	case present && s.Known == 0:
		t.Errorf("%s of %s is absent everywhere", s.Score, s.Region)
	case s.Known > 0 && s.Low == s.High:
		t.Errorf("%s of %s is the same everywhere", s.Score, s.Region)
	}
}

// checkCopies checks that no two scores are identical at the nodes that have both.
func checkCopies(t *testing.T, release string) {
	t.Helper()
	access := filepath.Join(release, schemas.AccessFile)
	for i, a := range schemas.Scores {
		for _, b := range schemas.Scores[i+1:] {
			got := rows(t, access, `SELECT count(*) > 1000 AND avg(`+a.ID+` = `+b.ID+`) > 0.9 AND avg(`+a.ID+` > 0) > 0.2 FROM street_node WHERE `+
				a.ID+` IS NOT NULL AND `+b.ID+` IS NOT NULL`)
			if got[0][0] == "1" {
				t.Errorf("%s is a copy of %s", a.ID, b.ID)
			}
		}
	}
}

// checkPlaces checks that scores of busy places are higher than those of remote ones.
func checkPlaces(t *testing.T, release string) {
	t.Helper()
	places, err := readPlaces("../../regions/places.csv")
	if err != nil {
		t.Fatal(err)
	}
	reads, err := scorestats.Places(release, places)
	if err != nil {
		t.Fatal(err)
	}
	value := map[string]func(score string) float64{}
	for _, r := range reads {
		value[r.Name] = func(score string) float64 {
			c, _ := schemas.ChannelOf(score)
			if v := r.Scores[c-schemas.FirstScore]; r.Found && v != schemas.AbsentValue {
				return float64(v) / schemas.UnitValue
			}
			return math.NaN()
		}
	}
	for _, c := range []struct {
		busy, remote, score string
		least               float64
	}{
		{"Rehoboth Avenue (Rehoboth Beach)", "Gumboro (Delaware)", "parks", 3.5},
		{"ByWard Market (Ottawa)", "Fitzroy Harbour (Ottawa)", "pedestrian_friendly", 2},
		{"ByWard Market (Ottawa)", "Fitzroy Harbour (Ottawa)", "nightlife", 3.5},
		{"ByWard Market (Ottawa)", "Fitzroy Harbour (Ottawa)", "cafes", 3},
		{"ByWard Market (Ottawa)", "Bank Street in the Glebe (Ottawa)", "transit_friendly", 0.2},
		{"Gumboro (Delaware)", "Rehoboth Avenue (Rehoboth Beach)", "quiet", 1},
		{"Fitzroy Harbour (Ottawa)", "ByWard Market (Ottawa)", "car_friendly", 2},
		{"Bank Street in the Glebe (Ottawa)", "ByWard Market (Ottawa)", "car_friendly", 1},
	} {
		if more, less := value[c.busy](c.score), value[c.remote](c.score); !(more >= less+c.least) {
			t.Errorf("%s is %.2f at %s and %.2f at %s", c.score, more, c.busy, less, c.remote)
		}
	}
}
