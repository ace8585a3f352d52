package schemas

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// specifiedCategories is the list as printed in the API specification.
const specifiedCategories = "airports, alcohol, art_culture_science, banks, bus_stops, cable_car_stations, cafes, car_fueling_stations, " +
	"casinos, clothing, common_needs, conference_centers, convenience_stores, daycares, department_stores, entertainment, ferry_terminals, " +
	"fitness, food_shops, funicular_stations, groceries, groceries_specialized, health_care, home_improvement, hospitals, libraries, " +
	"nightlife, non_food_shops, parks, personal_care, pet_care, pharmacies, rapid_transit_stations, restaurants, retail, " +
	"shops_and_services, sport_facilities, subway_or_separated_rail_stations, supermarkets, train_stations, tram_stops"

const contractBaseCategories = "art_culture_science, airports, bus_stops, cafes, car_fueling_stations, daycares, fitness, groceries, " +
	"groceries_specialized, health_care, healthy_restaurants, home_improvement, nightlife, parks, personal_care, pet_care, " +
	"rapid_transit_stations, restaurants, shopping, sport_facilities, train_stations"

func ids(list []Category) []string {
	var out []string
	for _, c := range list {
		out = append(out, c.ID)
	}
	return out
}

func TestCategoriesAreTheContracts(t *testing.T) {
	if got, want := ids(Categories), strings.Split(specifiedCategories, ", "); !slices.Equal(got, want) {
		t.Errorf("Categories = %v, want %v", got, want)
	}
	want := strings.Split(contractBaseCategories, ", ")
	slices.Sort(want)
	if got := ids(BaseCategories); !slices.Equal(got, want) {
		t.Errorf("BaseCategories = %v, want %v", got, want)
	}
}

func TestCategoriesAreLabelledAndFound(t *testing.T) {
	for i, c := range Categories {
		if c.Label.EN == "" || c.Label.FR == "" {
			t.Errorf("%s has no label in both languages: %+v", c.ID, c.Label)
		}
		if got, ok := CategoryIndex(c.ID); !ok || got != i {
			t.Errorf("CategoryIndex(%q) = %d, %t, want %d", c.ID, got, ok, i)
		}
	}
	for i, c := range BaseCategories {
		if got, ok := BaseCategoryIndex(c.ID); !ok || got != i {
			t.Errorf("BaseCategoryIndex(%q) = %d, %t, want %d", c.ID, got, ok, i)
		}
	}
	if _, ok := CategoryIndex("shopping"); ok {
		t.Error("shopping is a category of the base endpoint only")
	}
}

func TestStates(t *testing.T) {
	codes := regexp.MustCompile(`^[A-Z]{2}$`)
	digits := regexp.MustCompile(`^\d\d$`)
	count := map[string]int{}
	seen := map[string]bool{}
	for _, s := range States {
		count[s.Country]++
		if !codes.MatchString(s.Code) || !digits.MatchString(s.FIPS+s.PRUID) || s.Name.EN == "" || s.Name.FR == "" {
			t.Errorf("malformed entry %+v", s)
		}
		for _, key := range []string{s.Country + s.Code, s.Country + s.FIPS + s.PRUID, s.Country + s.Name.EN} {
			if seen[key] {
				t.Errorf("duplicate key %s", key)
			}
			seen[key] = true
		}
		if s.Country == "US" {
			if got, ok := StateByFIPS(s.FIPS); !ok || got != s {
				t.Errorf("StateByFIPS(%s) = %+v", s.FIPS, got)
			}
		} else if got, ok := StateByPRUID(s.PRUID); !ok || got != s {
			t.Errorf("StateByPRUID(%s) = %+v", s.PRUID, got)
		}
	}
	if count["CA"] != 13 || count["US"] != 56 {
		t.Errorf("counts %v, want 13 CA and 50 + DC + 5 territories US", count)
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		country, state, en, fr string
	}{
		{"US", "CA", "California", "Californie"},
		{"CA", "QC", "Quebec", "Québec"},
		{"US", "QC", "", ""},
		{"CA", "qc", "", ""},
	} {
		got, ok := StateName(c.country, c.state)
		if got != (Text{c.en, c.fr}) || ok != (c.en != "") {
			t.Errorf("StateName(%s, %s) = %v, %t", c.country, c.state, got, ok)
		}
	}
	if CountryName("US") != (Text{"United States", "États-Unis"}) || CountryName("MX") != (Text{}) {
		t.Error("wrong country names")
	}
}

func TestTagsAreLabelledAndSorted(t *testing.T) {
	if !slices.IsSortedFunc(Tags, func(a, b Tag) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("Tags are not sorted by id")
	}
	id := regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)
	for i, tag := range Tags {
		if !id.MatchString(tag.ID) || tag.Label.EN == "" || tag.Label.FR == "" || i > 0 && Tags[i-1].ID == tag.ID {
			t.Errorf("malformed or repeated tag %+v", tag)
		}
		if label, ok := TagLabel(tag.ID); !ok || label != tag.Label {
			t.Errorf("TagLabel(%q) = %v, %t", tag.ID, label, ok)
		}
	}
	if _, ok := TagLabel("nothing"); ok {
		t.Error("an unknown tag has a label")
	}
}
