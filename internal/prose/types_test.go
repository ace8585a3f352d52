package prose_test

import (
	"strings"
	"testing"

	"quartier/internal/prose"
	"quartier/internal/prose/english"
	"quartier/internal/prose/french"
	"quartier/internal/prose/lexicon"
	"quartier/internal/prose/phrase"
	"quartier/internal/prose/sentence"
	"quartier/schemas"
	"quartier/schemas/profile"
)

// customPlace is a custom geography of a type in Ontario or Oregon.
func customPlace(kind, country, en, fr string) profile.Place {
	state := map[string]string{"CA": "ON", "US": "OR"}[country]
	level := max(schemas.CustomLevel(kind, country), schemas.Neighbourhood)
	return profile.Place{ID: "g_" + kind, Level: uint8(level), Type: kind, Country: country, State: state, NameEN: en, NameFR: fr,
		CityEN: "Perth", AreaM2: 2e7}
}

// called is what a place is called: its name as a subject, where, and of it; once it is named; with "this" and "a"; and a place of its
// level.
func called(l sentence.Language, place profile.Place) string {
	var forms []string
	for _, c := range []struct {
		kind  phrase.Kind
		form  string
		named bool
	}{
		{phrase.PlaceName, "", false}, {phrase.PlaceName, "in", false}, {phrase.PlaceName, "of", false}, {phrase.PlaceName, "of", true},
		{phrase.TypeNoun, "this", false}, {phrase.TypeNoun, "a", false}, {phrase.LevelNoun, "a", false},
	} {
		about := phrase.SubjectOf(place)
		about.Named = c.named
		text, _ := l.Write(append(phrase.Words("…"), l.Fill(phrase.Slot{Kind: c.kind}, c.form, &about)...))
		forms = append(forms, strings.TrimPrefix(text, "… "))
	}
	return strings.Join(forms, " | ")
}

// TestTypesOfCustomGeographies holds what places of every type are called in both languages.
func TestTypesOfCustomGeographies(t *testing.T) {
	covered := map[string]bool{}
	for _, c := range []struct{ kind, en, fr, inEnglish, inFrench string }{
		{"NEIGHBORHOOD", "Elm Hollow", "",
			"Elm Hollow | in Elm Hollow | of Elm Hollow | of the neighbourhood | this neighbourhood | a neighbourhood | a neighbourhood",
			"le quartier Elm Hollow | dans le quartier Elm Hollow | du quartier Elm Hollow | du quartier | ce quartier | un quartier | un quartier"},
		{"NEIGHBOURHOOD", "Oakfield", "",
			"Oakfield | in Oakfield | of Oakfield | of the neighbourhood | this neighbourhood | a neighbourhood | a neighbourhood",
			"le quartier Oakfield | dans le quartier Oakfield | du quartier Oakfield | du quartier | ce quartier | un quartier | un quartier"},
		{"COMMUNITY", "Elm Hollow", "",
			"Elm Hollow | in Elm Hollow | of Elm Hollow | of the community | this community | a community | a neighbourhood",
			"la communauté Elm Hollow | dans la communauté Elm Hollow | de la communauté Elm Hollow | de la communauté | cette communauté | une " +
				"communauté | un quartier"},
		{"SECTOR", "Elm Hollow", "", "Elm Hollow | in Elm Hollow | of Elm Hollow | of the sector | this sector | a sector | a neighbourhood",
			"le secteur Elm Hollow | dans le secteur Elm Hollow | du secteur Elm Hollow | du secteur | ce secteur | un secteur | un quartier"},
		{"BOROUGH", "Oakfield", "", "Oakfield | in Oakfield | of Oakfield | of the borough | this borough | a borough | a district",
			"l’arrondissement Oakfield | dans l’arrondissement Oakfield | de l’arrondissement Oakfield | de l’arrondissement | cet arrondissement " +
				"| un arrondissement | un secteur"},
		{"CITY", "Oakfield", "", "Oakfield | in Oakfield | of Oakfield | of the city | this city | a city | a municipality",
			"Oakfield | à Oakfield | de la ville Oakfield | de la ville | cette ville | une ville | une municipalité"},
		{"TOWN", "Carp", "", "Carp | in Carp | of Carp | of the town | this town | a town | a municipality",
			"Carp | à Carp | de Carp | de la ville | cette ville | une ville | une municipalité"},
		{"TOWN", "Town of Carp", "Ville de Carp",
			"the Town of Carp | in the Town of Carp | of the Town of Carp | of the town | this town | a town | a municipality",
			"la Ville de Carp | dans la Ville de Carp | de la Ville de Carp | de la ville | cette ville | une ville | une municipalité"},
		{"VILLAGE", "Elm Hollow", "", "Elm Hollow | in Elm Hollow | of Elm Hollow | of the village | this village | a village | a municipality",
			"Elm Hollow | à Elm Hollow | du village Elm Hollow | du village | ce village | un village | une municipalité"},
		{"VILLAGE", "Carp", "Le Bic", "Carp | in Carp | of Carp | of the village | this village | a village | a municipality",
			"Le Bic | au Bic | du Bic | du village | ce village | un village | une municipalité"},
		{"MUNICIPALITY", "Carp", "", "Carp | in Carp | of Carp | of the municipality | this municipality | a municipality | a municipality",
			"Carp | à Carp | de Carp | de la municipalité | cette municipalité | une municipalité | une municipalité"},
		{"POSTAL_CITY", "Oakfield", "",
			"Oakfield | in Oakfield | of Oakfield | of the postal city | this postal city | a postal city | a municipality",
			"Oakfield | à Oakfield | de la ville postale Oakfield | de la ville postale | cette ville postale | une ville postale | une " +
				"municipalité"},
		{"RESERVE", "Oakfield", "", "Oakfield | in Oakfield | of Oakfield | of the reserve | this reserve | a reserve | a municipality",
			"Oakfield | à Oakfield | de la réserve Oakfield | de la réserve | cette réserve | une réserve | une municipalité"},
		{"RESERVE", "Oakfield Reserve", "Réserve d’Oakfield",
			"Oakfield Reserve | in Oakfield Reserve | of Oakfield Reserve | of the reserve | this reserve | a reserve | a municipality",
			"la Réserve d’Oakfield | dans la Réserve d’Oakfield | de la Réserve d’Oakfield | de la réserve | cette réserve | une réserve | une " +
				"municipalité"},
		{"TOWNSHIP", "Carp", "", "Carp | in Carp | of Carp | of the township | this township | a township | a municipality",
			"Carp | à Carp | de Carp | du canton | ce canton | un canton | une municipalité"},
		{"RURAL_MUNICIPALITY", "Oakfield", "",
			"Oakfield | in Oakfield | of Oakfield | of the rural municipality | this rural municipality | a rural municipality | a census division",
			"la municipalité rurale Oakfield | dans la municipalité rurale Oakfield | de la municipalité rurale Oakfield | de la municipalité " +
				"rurale | cette municipalité rurale | une municipalité rurale | une division de recensement"},
		{"RURAL_MUNICIPALITY", "Rural Municipality of Oakfield", "Municipalité rurale d’Oakfield",
			"the Rural Municipality of Oakfield | in the Rural Municipality of Oakfield | of the Rural Municipality of Oakfield | of the rural " +
				"municipality | this rural municipality | a rural municipality | a census division",
			"la Municipalité rurale d’Oakfield | dans la Municipalité rurale d’Oakfield | de la Municipalité rurale d’Oakfield | de la " +
				"municipalité rurale | cette municipalité rurale | une municipalité rurale | une division de recensement"},
		{"MUNICIPAL_DISTRICT", "Oakfield", "",
			"Oakfield | in Oakfield | of Oakfield | of the municipal district | this municipal district | a municipal district | a census division",
			"le district municipal Oakfield | dans le district municipal Oakfield | du district municipal Oakfield | du district municipal | ce " +
				"district municipal | un district municipal | une division de recensement"},
		{"REGION", "Elm Hollow", "", "Elm Hollow | in Elm Hollow | of Elm Hollow | of the region | this region | a region | a region",
			"la région Elm Hollow | dans la région Elm Hollow | de la région Elm Hollow | de la région | cette région | une région | une région"},
		{"HAMLET", "Oakfield", "",
			"Oakfield | in Oakfield | of Oakfield | of the neighbourhood | this neighbourhood | a neighbourhood | a neighbourhood",
			"le quartier Oakfield | dans le quartier Oakfield | du quartier Oakfield | du quartier | ce quartier | un quartier | un quartier"},
	} {
		covered[c.kind] = true
		place := customPlace(c.kind, "CA", c.en, c.fr)
		if got := called(english.New("CA"), place); got != c.inEnglish {
			t.Errorf("%s in English: %s\nwant %s", c.kind, got, c.inEnglish)
		}
		if got := called(french.New(), place); got != c.inFrench {
			t.Errorf("%s in French: %s\nwant %s", c.kind, got, c.inFrench)
		}
	}
	for _, kind := range schemas.CustomGeographyTypes {
		if !covered[kind] {
			t.Errorf("no row of %s", kind)
		}
	}
	for kind, want := range map[string]string{
		"NEIGHBORHOOD": "this neighborhood", "TOWNSHIP": "this township", "RURAL_MUNICIPALITY": "this rural municipality", "CITY": "this city",
	} {
		if got := called(english.New("US"), customPlace(kind, "US", "Oakfield", "")); !strings.Contains(got, want) ||
			!strings.HasPrefix(got, "Oakfield |") {
			t.Errorf("%s in the United States: %s, want %q", kind, got, want)
		}
	}
}

// Texts of every type keep the rules, and the introduction says what the place is called.
func TestTextsOfCustomGeographies(t *testing.T) {
	for _, kind := range schemas.CustomGeographyTypes {
		noun := lexicon.NounOf(kind)
		for _, country := range []string{"CA", "US"} {
			for _, name := range [][2]string{{"Oakfield", ""}, {"Elm Hollow", "Val-des-Ormes"}, {"", ""}} {
				place := customPlace(kind, country, name[0], name[1])
				for facts := range 20 {
					place.ID = kind + strings.Repeat("x", facts)
					for _, lang := range profile.Languages(&place) {
						text := prose.Profile(place, bankFacts(facts), lang)
						checked{}.text(t, lang, bankFacts(facts), text)
						said := map[string]string{"en": strings.ReplaceAll(noun.EN, "neighbourhood", "neighbo"), "fr": noun.FR}[lang]
						if intro := prose.Plain(text[profile.Intro]); !strings.Contains(strings.ToLower(intro), said) {
							t.Errorf("%s %s %q in %s: %q is not said: %s", kind, country, name, lang, said, intro)
						}
					}
				}
			}
		}
	}
}
