package prose_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/internal/prose"
	"quartier/schemas/profile"
)

func sample() []profile.Fact {
	return []profile.Fact{
		{Section: profile.Intro, Code: profile.WaterFact, Name: "Rideau River", NameFR: "Rivière Rideau", Subject: "river", Rank: 0.5},
		{Section: profile.Summary, Code: profile.TypologyFact, Subject: "main street hub", Value: 0.7, Rank: 0.4},
		{Section: profile.Summary, Code: profile.ScoreFact, Subject: "pedestrian_friendly", Value: 4.1, Rank: 0.6},
		{Section: profile.Summary, Code: profile.ScoreFact, Subject: "car_friendly", Value: 1, Rank: 0.6},
		{Section: profile.Transport, Code: profile.StationFact, Subject: "rapid_transit", Name: "Hurdman", Value: 960, Further: 3211},
		{Section: profile.Transport, Code: profile.LinesFact, Subject: "bus", Value: 6, Further: 1243},
		{Section: profile.Transport, Code: profile.LineFact, Subject: "bus", Name: "7", Value: 600},
		{Section: profile.Transport, Code: profile.LineFact, Subject: "bus", Name: "14", Value: 400},
		{Section: profile.Transport, Code: profile.BikewayFact, Value: 3.21, Further: 1},
		{Section: profile.Transport, Code: profile.ScoreFact, Subject: "cycling_friendly", Value: 3},
		{Section: profile.Services, Code: profile.StreetFact, Name: "Main Street", NameFR: "Rue Main", Value: 23},
		{Section: profile.Services, Code: profile.StreetFact, Name: "Bank Street", Value: 12},
		{Section: profile.Services, Code: profile.CountFact, Subject: "restaurants", Value: 11, Further: 20},
		{Section: profile.Services, Code: profile.CountFact, Subject: "cafes", Value: 1, Further: 20},
		{Section: profile.Services, Code: profile.CountFact, Subject: "libraries", Value: 0, Further: 1},
		{Section: profile.Services, Code: profile.WalkTimeFact, Subject: "groceries", Value: 8},
		{Section: profile.Services, Code: profile.WalkTimeFact, Subject: "pharmacies", Value: 11},
		{Section: profile.Services, Code: profile.WalkTimeFact, Subject: "primary_schools", Value: 18},
		{Section: profile.Character, Code: profile.ParksFact, Value: 5, Further: 12.3},
		{Section: profile.Character, Code: profile.ParkFact, Name: "Springhurst Park", NameFR: "Parc Springhurst", Value: 4.4},
		{Section: profile.Character, Code: profile.ScoreFact, Subject: "quiet", Value: 3.4},
		{Section: profile.Character, Code: profile.ScoreFact, Subject: "greenery", Value: 4.4},
		{Section: profile.Character, Code: profile.TerrainFact, Value: 0.4},
		{Section: profile.Housing, Code: profile.DwellingFact, Subject: "apt_dttachd", Value: 0.52, Low: 0.47, High: 0.55},
		{Section: profile.Housing, Code: profile.DwellingFact, Subject: "apt_bldg_sm", Value: 0.25, Low: 0.23, High: 0.27},
		{Section: profile.Housing, Code: profile.TenureFact, Subject: "prop_owner", Value: 0.66, Low: 0.61, High: 0.71},
		{Section: profile.Housing, Code: profile.PeriodFact, Subject: "housing_construction_year_before_1961", Value: 0.66, Low: 0.61,
			High: 0.71},
	}
}

func TestProfileDeterministic(t *testing.T) {
	place := profile.Place{ID: "g10_abc", Level: 10, Country: "CA", State: "ON", NameEN: "Old Ottawa East", NameFR: "Vieil Ottawa-Est",
		CityEN: "Ottawa", CityFR: "Ottawa", AreaM2: 2.3e6}
	for _, lang := range []string{"en", "fr"} {
		first, second := prose.Profile(place, sample(), lang), prose.Profile(place, sample(), lang)
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("%s: two texts of the same facts differ: %s", lang, diff)
		}
		for section, sentences := range first {
			if len(sentences) == 0 {
				t.Errorf("%s: no sentence in %s", lang, profile.Section(section))
			}
		}
	}
	if text := prose.Profile(place, nil, "en"); len(text[profile.Intro]) > 0 {
		t.Errorf("a place without facts has an introduction: %v", text)
	}
}
