package prose_test

import (
	"fmt"
	"strings"
	"testing"

	"quartier/internal/prose"
	"quartier/internal/prose/english"
	"quartier/internal/prose/phrase"
	"quartier/internal/prose/plan"
	"quartier/schemas/profile"
)

// What the text of a score contradicts is not said, and the score is.
func TestTextsAgreeWithScores(t *testing.T) {
	place := profile.Place{ID: "g10_x", Level: 10, Country: "CA", State: "ON", NameEN: "Carp", CityEN: "Ottawa", AreaM2: 1e6}
	for _, c := range []struct {
		fact      profile.Fact
		score     string
		value     float64
		disagrees bool
		said, not string
	}{
		{profile.Fact{Section: profile.Services, Code: profile.WalkTimeFact, Subject: "groceries", Value: 4}, "groceries", 0.2, true,
			"too far|no grocery store", "4 minutes|4-minute"},
		{profile.Fact{Section: profile.Services, Code: profile.WalkTimeFact, Subject: "groceries", Value: 4}, "groceries", 4.8, false,
			"4 minutes|4-minute", "too far"},
		{profile.Fact{Section: profile.Services, Code: profile.WalkTimeFact, Subject: "groceries", Value: 22}, "groceries", 4.8, true,
			"few minutes", "22"},
		{profile.Fact{Section: profile.Services, Code: profile.WalkTimeFact, Subject: "cafes", Value: 24}, "cafes", 0.1, true, "café", "24"},
		{profile.Fact{Section: profile.Transport, Code: profile.StationFact, Subject: "bus", Name: "Main", Value: 200}, "transit_friendly", 0.1,
			true, "transit", "stop"},
		{profile.Fact{Section: profile.Character, Code: profile.TypologyFact, Subject: "urban (high access)", Value: 0.9}, "pedestrian_friendly",
			0.2, true, "errands|walk", "surround|full range|nearly every kind"},
		{profile.Fact{Section: profile.Services, Code: profile.CountFact, Subject: "groceries", Typical: 3}, "groceries", 3.2, true,
			"within walking distance", "itself"},
		{profile.Fact{Section: profile.Services, Code: profile.CountFact, Subject: "groceries", Typical: 3, Further: 2}, "groceries", 3.2, false,
			"no grocery store", "^$"},
	} {
		section := c.fact.Section
		facts := []profile.Fact{c.fact, {Section: section, Code: profile.ScoreFact, Subject: c.score, Value: c.value}}
		for _, other := range []string{"car_friendly", "cycling_friendly", "quiet", "shopping", "nightlife", "restaurants"} {
			if other != c.score {
				facts = append(facts, profile.Fact{Section: section, Code: profile.ScoreFact, Subject: other, Value: 3})
			}
		}
		if got := plan.Disagrees(&facts[0], facts) != ""; got != c.disagrees {
			t.Errorf("%s %s of %v and %s of %v disagree: %v", c.fact.Code, c.fact.Subject, c.fact.Value, c.score, c.value, got)
		}
		text := ""
		for _, sentences := range prose.Profile(place, facts, "en") {
			text += " " + prose.Plain(sentences)
		}
		if !containsAny(text, c.said) || containsAny(text, c.not) {
			t.Errorf("%s %s of %v, %s of %v: %q", c.fact.Code, c.fact.Subject, c.fact.Value, c.score, c.value, text)
		}
	}
}

func containsAny(text, words string) bool {
	for _, w := range strings.Split(words, "|") {
		if strings.Contains(strings.ToLower(text), w) {
			return true
		}
	}
	return false
}

// A place without streets, of which lists of places are known, has four sections.
func TestListedPlacesAreDescribed(t *testing.T) {
	place := profile.Place{ID: "g30_x", Level: 30, Country: "US", State: "WA", NameEN: "Seattle", AreaM2: 2e8}
	var facts []profile.Fact
	list := func(section profile.Section, code profile.Code, values map[string]float64, order ...string) {
		for _, subject := range order {
			facts = append(facts, profile.Fact{Section: section, Code: code, Subject: subject, Value: values[subject]})
		}
	}
	list(profile.Services, profile.ListedFact, map[string]float64{"restaurants": 1350, "cafes": 723, "nightlife": 455, "groceries": 103,
		"convenience_stores": 251, "clothing": 297, "libraries": 43, "fitness": 241, "high_schools": 60},
		"restaurants", "cafes", "nightlife", "groceries", "convenience_stores", "clothing", "libraries", "fitness", "high_schools")
	list(profile.Summary, profile.ListedFact, map[string]float64{"shops_and_services": 5875, "schools": 320}, "shops_and_services", "schools")
	list(profile.Character, profile.ListedFact, map[string]float64{"parks": 420}, "parks")
	for i := range 3 {
		facts = append(facts, profile.Fact{Section: profile.Services, Code: profile.BrandFact, Name: fmt.Sprint("Chain ", i),
			Value: float64(60 - 10*i)},
			profile.Fact{Section: profile.Character, Code: profile.ParkFact, Name: fmt.Sprint("Park ", i), Value: float64(90 - i)})
	}
	text := prose.Profile(place, facts, "en")
	checked{}.text(t, "en", facts, text)
	sections, all := 0, ""
	for _, sentences := range text {
		if len(sentences) > 0 {
			sections++
		}
		all += prose.Plain(sentences) + " "
	}
	if sections < 4 || !containsAny(all, "at least 1,350 restaurants") || !strings.Contains(all, "Chain 0") {
		t.Errorf("%d sections: %s", sections, all)
	}
}

// The verb after what is counted is that of all of it; "there is one café and one bar" is what people say.
func TestVerbsOfListsInEnglish(t *testing.T) {
	e := english.New("CA")
	count := func(noun string, n float64) phrase.Slot { return phrase.Slot{Kind: phrase.Count, Noun: noun, N: n} }
	for _, c := range []struct {
		of          []phrase.Slot
		serve, isOf string
	}{
		{[]phrase.Slot{count("library", 1)}, "serves", "is"},
		{[]phrase.Slot{count("library", 2)}, "serve", "are"},
		{[]phrase.Slot{count("library", 1), count("gym", 1)}, "serve", "is"},
		{[]phrase.Slot{count("library", 2), count("gym", 1)}, "serve", "are"},
	} {
		list := phrase.Slot{Kind: phrase.List, Items: c.of}
		serve, is := e.Choose(list, []string{"serves", "serve"}, nil), e.Choose(list, []string{"is", "are"}, nil)
		if serve != c.serve || is != c.isOf {
			t.Errorf("%+v: %s, %s, want %s, %s", c.of, serve, is, c.serve, c.isOf)
		}
	}
}
