package fair

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFind(t *testing.T) {
	for _, c := range []struct{ sentence, language, want string }{
		{"It is popular with families.", "en", "families"},
		{"It is popular with FAMILIES, and quiet.", "en", "FAMILIES"},
		{"N lies in the middle.", "en", ""},
		{"N is safe.", "en", "safe"},
		{"It is up and\u00a0coming.", "en", "up and\u00a0coming"},
		{"La rue N y mène.", "fr", ""},
		{"L’église est là.", "fr", "église"},
		{"Safeway is the nearest grocery store.", "en", ""},
		{"Most homes are single-detached houses.", "en", ""},
		{"C’est un quartier familial.", "fr", "familial"},
		{"Les loyers sont bas.", "fr", "loyers"},
		{"Les aînés y vivent.", "fr", "aînés"},
		{"Le chercheur y vit.", "fr", ""},
	} {
		word, found := Find(c.sentence, c.language)
		if word != c.want || found != (c.want != "") {
			t.Errorf("%q: %q, %v; want %q", c.sentence, word, found, c.want)
		}
	}
}

// A word that is forbidden for a test is found until it is taken off, and in its language alone.
func TestForbid(t *testing.T) {
	const sentence = "Its shops are many."
	takeOff := Forbid("en", "shops")
	if word, _ := Find(sentence, "en"); word != "shops" {
		t.Errorf("found %q", word)
	}
	if word, _ := Find("It is safe.", "en"); word != "safe" {
		t.Errorf("found %q", word)
	}
	if word, found := Find(sentence, "fr"); found {
		t.Errorf("found %q in French", word)
	}
	takeOff()
	if word, found := Find(sentence, "en"); found {
		t.Errorf("found %q after it was taken off", word)
	}
}

// What is looked up first rules out nothing that the expression finds.
func TestMayMatch(t *testing.T) {
	var words []string
	for _, text := range []string{english, french} {
		for line := range strings.Lines(text) {
			if line = strings.Trim(line, " \n"); line != "" && line[0] != '#' {
				words = append(words, strings.TrimSuffix(line, "*"))
			}
		}
	}
	matches := 0
	rapid.Check(t, func(r *rapid.T) {
		part := rapid.OneOf(rapid.SampledFrom(words), rapid.StringMatching(`[a-zéÉS’ -]{0,6}`))
		sentence := strings.Join(rapid.SliceOfN(part, 0, 6).Draw(r, "parts"),
			rapid.SampledFrom([]string{" ", "", "\u00a0", "-"}).Draw(r, "between"))
		if rapid.Bool().Draw(r, "upper") {
			sentence = strings.ToUpper(sentence)
		}
		for language, l := range listed {
			if m := l.expression.FindString(sentence); m != "" {
				if matches++; !l.mayMatch(sentence) {
					r.Errorf("%s: %q has %q", language, sentence, m)
				}
			}
		}
	})
	if matches < 50 {
		t.Errorf("only %d matches", matches)
	}
}
