package prose_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"quartier/internal/prose"
	"quartier/schemas/profile"
)

// realPlace is a row of testdata/places.jsonl: a place of the real release with its facts. Values below 0 are not known.
type realPlace struct {
	P profile.Place
	F []profile.Fact
}

func realPlaces(t *testing.T) (places []realPlace) {
	t.Helper()
	file, err := os.Open("testdata/places.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p realPlace
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		for i := range p.F {
			for _, v := range []*float64{&p.F[i].Low, &p.F[i].High, &p.F[i].Typical} {
				if *v < 0 {
					*v = math.NaN()
				}
			}
		}
		places = append(places, p)
	}
	return places
}

// Texts of real places, to be read.
func TestRealPlaces(t *testing.T) {
	var b strings.Builder
	for _, p := range realPlaces(t) {
		for _, lang := range profile.Languages(&p.P) {
			fmt.Fprintf(&b, "# %s (%s)\n", p.P.NameEN, lang)
			text := prose.Profile(p.P, p.F, lang)
			checked{}.text(t, lang, p.F, text)
			for section, sentences := range text {
				if len(sentences) > 0 {
					fmt.Fprintf(&b, "%s: %s\n", profile.Section(section), prose.Plain(sentences))
				}
			}
			b.WriteByte('\n')
		}
	}
	golden(t, "testdata/places.txt", b.String())
}

// A share is worded only where the word is true of its entire interval.
func TestSharesAreBorneOut(t *testing.T) {
	for _, c := range []struct {
		value, low, high float64
		en, fr           string
	}{
		{0.95, 0.92, 0.98, "Nearly all homes", "resque tous les logements"},
		{0.7, 0.61, 0.79, "ost homes", "a plupart des logements"},
		{0.55, 0.48, 0.62, "ore than a third of all homes", "lus du tiers des logements"},
		{0.56, 0.51, 0.61, "ore than half of all homes", "lus de la moitié des logements"},
		{0.5, 0.46, 0.54, "bout half of all homes", "nviron la moitié des logements"},
		{0.3, 0.26, 0.34, "ore than a quarter of all homes", "lus du quart des logements"},
		{0.61, 0.59, 0.63, "bout 61% of homes", "nviron 61\u00a0% des logements"},
		{0.61, math.NaN(), math.NaN(), "bout 61% of homes", "nviron 61\u00a0% des logements"},
		{0.4, 0, 1, "", ""},
		{0.3, 0.1, 0.5, "", ""},
		{0.4, 0.5, 0.6, "", ""}, // not in its own interval
		{1.2, 1.1, 1.3, "", ""},
	} {
		facts := []profile.Fact{
			{Section: profile.Housing, Code: profile.TenureFact, Subject: "prop_owner", Value: c.value, Low: c.low, High: c.high},
			{Section: profile.Housing, Code: profile.DwellingFact, Subject: "apt_plex", Value: 0.33, Low: 0.33, High: 0.33},
			{Section: profile.Housing, Code: profile.PeriodFact, Subject: "before_1961", Value: 0.33, Low: 0.33, High: 0.33},
			{Section: profile.Housing, Code: profile.BedroomsFact, Subject: "housing_2_bedrooms", Value: 0.33, Low: 0.33, High: 0.33},
		}
		for lang, want := range map[string]string{"en": c.en, "fr": c.fr} {
			place := profile.Place{ID: "g10_x", Level: 10, Country: "CA", State: "ON", NameEN: "Carp", CityEN: "Ottawa"}
			got := prose.Plain(prose.Profile(place, facts, lang)[profile.Housing])
			if owned := regexp.MustCompile("owne|propriétaire").MatchString(got); want == "" && owned ||
				!strings.Contains(strings.ToLower(got), strings.ToLower(want)) {
				t.Errorf("%v to %v: %q, want %q", c.low, c.high, got, want)
			}
		}
	}
}

// US texts have US spelling and units; French asked for in the United States is English.
func TestCountries(t *testing.T) {
	facts := []profile.Fact{
		{Section: profile.Character, Code: profile.ParkFact, Name: "Laurelhurst Park", Value: 12},
		{Section: profile.Character, Code: profile.ScoreFact, Subject: "quiet", Value: 3},
		{Section: profile.Character, Code: profile.TerrainFact, Value: 0.5},
		{Section: profile.Transport, Code: profile.ScoreFact, Subject: "car_friendly", Value: 3},
		{Section: profile.Transport, Code: profile.ScoreFact, Subject: "cycling_friendly", Value: 3},
		{Section: profile.Transport, Code: profile.HighwayFact, Name: "Banfield Freeway", Value: 700},
	}
	us := profile.Place{ID: "g10_x", Level: 10, Country: "US", State: "OR", NameEN: "Kerns", CityEN: "Portland", AreaM2: 2589988}
	en := prose.Profile(us, facts, "en")
	all := ""
	for _, s := range en {
		all += prose.Plain(s) + " "
	}
	for _, want := range []string{"1 square mile", "30 acres", "0.4 miles"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q lacks %q", all, want)
		}
	}
	for _, not := range []string{"neighbourhood", "kilomet", "hectare"} {
		if strings.Contains(all, not) {
			t.Errorf("%q has %q", all, not)
		}
	}
	if fr := prose.Profile(us, facts, "fr"); prose.Plain(fr[profile.Intro]) != prose.Plain(en[profile.Intro]) {
		t.Errorf("French in the United States: %v", fr)
	}
}
