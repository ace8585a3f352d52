package prose_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"quartier/internal/prose"
	"quartier/internal/prose/fair"
	"quartier/schemas/profile"
)

// forbiddenWords are the words of the lists of both languages that no text may have.
func forbiddenWords(t *testing.T) (words []string) {
	for _, file := range []string{"fair/en.txt", "fair/fr.txt"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(data), "\n") {
			if line = strings.TrimSuffix(strings.TrimSpace(line), "*"); line != "" && line[0] != '#' {
				words = append(words, line)
			}
		}
	}
	return words
}

// forbiddenNames draws names of places, streets, lines and parks that are made of such words, in any case.
func forbiddenNames(words []string) *rapid.Generator[string] {
	return rapid.Custom(func(r *rapid.T) string {
		word := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 3).Draw(r, "words"),
			rapid.SampledFrom([]string{" ", "-", " / ", ", "}).Draw(r, "between"))
		word = rapid.SampledFrom([]func(string) string{
			strings.ToLower, strings.ToUpper, func(s string) string { return s },
			func(s string) string { runes := []rune(s); runes[0] = unicode.ToUpper(runes[0]); return string(runes) },
		}).Draw(r, "case")(word)
		form := rapid.SampledFrom([]string{"X", "X", "the X quarter", "The X", "Quartier X", "Les X", "L’X", "Le X", "Rue des X", "École X",
			"X Street", "X Park", "X station", "X County"}).Draw(r, "form")
		return strings.Replace(form, "X", word, 1)
	})
}

// TestNamesAreNotRead writes texts about places whose own name, city, streets, stations, lines, parks and schools are made of words
// that are never said, in both languages: no text breaks a rule, and the words are in it.
func TestNamesAreNotRead(t *testing.T) {
	words, said := forbiddenWords(t), 0
	names := forbiddenNames(words)
	rapid.Check(t, func(r *rapid.T) {
		facts := slices.Clone(bankFacts(rapid.IntRange(0, 5000).Draw(r, "facts")))
		french := rapid.Bool().Draw(r, "French names")
		maybe := func(label string) string {
			if !french {
				return ""
			}
			return names.Draw(r, label)
		}
		for i := range facts {
			if facts[i].Name != "" {
				facts[i].Name, facts[i].NameFR = names.Draw(r, "name"), maybe("name_fr")
			}
		}
		place := profile.Place{
			ID: "g10_x", Level: rapid.SampledFrom([]uint8{10, 20, 30, 32, 35, 37, 38}).Draw(r, "level"),
			Country: rapid.SampledFrom([]string{"CA", "US"}).Draw(r, "country"),
			NameEN:  names.Draw(r, "place"), NameFR: maybe("place_fr"), CityEN: names.Draw(r, "city"), CityFR: maybe("city_fr"), AreaM2: 2e6,
		}
		place.State = map[string]string{"CA": "QC", "US": "OR"}[place.Country]
		for _, language := range profile.Languages(&place) {
			text := prose.Profile(place, facts, language)
			if why := prose.Broken(&text, language); why != nil {
				r.Errorf("%q in %s: %v", place.NameEN, language, why)
			}
			for _, s := range slices.Concat(text[:]...) {
				if _, found := fair.Find(s.Text, language); found {
					said++
				}
			}
		}
	})
	if said < 100 {
		t.Errorf("only %d sentences have such names", said)
	}
}

// A text is refused for what it says around names, for characters that a paragraph cannot have, and not for its names.
func TestBroken(t *testing.T) {
	for _, c := range []struct{ text, masked, want string }{
		{"Family Park is near.", "N is near.", ""},
		{"Oka is safe.", "N is safe.", `"safe" is about people, safety, price or quality (x/1)`},
		{"Oka\nis near.", "N is near.", "control character U+000A (x/1)"},
		{"Oka\xff is near.", "N is near.", "not UTF-8 (x/1)"},
	} {
		text := profile.Text{profile.Summary: {{Text: c.text, Masked: c.masked, Pattern: "x/1"}}}
		got := ""
		if why := prose.Broken(&text, "en"); why != nil {
			got = why.Error()
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
