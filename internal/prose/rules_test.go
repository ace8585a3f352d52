package prose_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"quartier/internal/prose/fair"
	"quartier/internal/prose/french"
	"quartier/schemas/profile"
)

// rule is what no sentence of a language may have.
type rule struct {
	name string
	bad  *regexp.Regexp
}

var everyRule = []rule{
	{"double space", regexp.MustCompile(`[ \x{a0}\x{202f}]{2}`)},
	{"space before a mark", regexp.MustCompile(`[ ][,.)]`)},
	{"space at an end", regexp.MustCompile(`^\s|\s$`)},
	{"two marks", regexp.MustCompile(`[,;:.][,;:.]`)},
	{"straight apostrophe", regexp.MustCompile(`'`)},
	{"no full stop", regexp.MustCompile(`[^.]$`)},
	{"value that is none", regexp.MustCompile(`NaN|Inf|%!|-\d`)},
	{"an open slot", regexp.MustCompile(`[{}|]`)},
}

var languageRules = map[string][]rule{
	"en": {
		{"a before a vowel sound", regexp.MustCompile(`\b[Aa] (?:[aeio]|hour|8|11[ ,-]|18[ ,-])`)},
		{"an before a consonant sound", regexp.MustCompile(`\b[Aa]n (?:[bcdfgjklmnpqrstvwxyz]|uni|one|(?:[1-79]|1[02-79]|[2-79][0-9])-)`)},
		{"plural of one", regexp.MustCompile(`\b[Oo]ne (?:parks|cafés|stores|lines|routes|minutes|homes)[ ,.]`)},
		{"singular of several", regexp.MustCompile(`\b(?:two|three|[2-9]|\d\d+) (?:park|café|store|line|minute|home)[ ,.]`)},
		{"British article", regexp.MustCompile(`\bthe the\b`)},
	},
	"fr": {
		{"de le, à les", regexp.MustCompile(`(?i)(?:^|[ ’])(?:de|à) les? (?:[a-zà-ÿ])`)},
		{"no elision", regexp.MustCompile(`(?:^| )(?:[Ll]e|[Ll]a|[Dd]e|[Qq]ue|[Nn]e|[Ss]e|[Jj]usque) [aeiouàâéèêîôœ][a-zà-ÿ]`)},
		{"elision of si", regexp.MustCompile(`\b[Ss]i ils?\b`)},
		{"no no-break space", regexp.MustCompile(`[^\x{a0}][:%»]|«[^\x{a0}]|[^\x{202f}][;?!]`)},
		{"plural below two", regexp.MustCompile(`(?:^| )(?:une?|[01](?:,\d)?) (?:minutes|kilomètres|hectares|mètres|parcs|cafés|épiceries)\b`)},
		{"de before a plural article", regexp.MustCompile(`\bde des\b|\bdes de\b|\bde du\b`)},
		{"masculine of a feminine", regexp.MustCompile(`(?:^| )(?:la|une) [a-zà-ÿ-]+ le plus|(?:^| )(?:le|un) [a-zà-ÿ-]+ la plus`)},
	},
}

// repeated reports a word that follows itself, but in names.
func repeated(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\u00a0' })
	for i := 1; i < len(words); i++ {
		if words[i] == words[i-1] && words[i] != "N" && words[i] != "0" && strings.ToLower(words[i]) == words[i] {
			return words[i]
		}
	}
	return ""
}

// checked are the sentences that passed, masked, over which the rules of words need not be held again.
type checked map[string]bool

// sentence holds the rules over a sentence. The rules of grammar are held over the masked text, so that names do not count.
func (seen checked) sentence(t testing.TB, lang string, s profile.Sentence) {
	t.Helper()
	fresh := !seen[lang+s.Masked]
	seen[lang+s.Masked] = true
	for _, r := range everyRule {
		if !fresh {
			break
		}
		if found := r.bad.FindString(s.Masked); found != "" {
			t.Errorf("%s: %s %q in %q (%s)", lang, r.name, found, s.Masked, s.Pattern)
		}
	}
	for _, r := range languageRules[lang] {
		text := s.Text
		if r.name == "no elision" || r.name == "de le, à les" || strings.HasPrefix(r.name, "a before") || strings.HasPrefix(r.name, "an before") {
			text = s.Masked
			if lang == "en" {
				text = digitsBack(s)
			}
		}
		if found := r.bad.FindString(text); found != "" {
			t.Errorf("%s: %s %q in %q (%s)", lang, r.name, found, s.Text, s.Pattern)
		}
	}
	if w := repeated(s.Masked); w != "" {
		t.Errorf("%s: %q twice in %q (%s)", lang, w, s.Text, s.Pattern)
	}
	if first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s.Text, "\u2068")); !unicode.IsUpper(first) {
		t.Errorf("%s: no capital: %q (%s)", lang, s.Text, s.Pattern)
	}
	if strings.Count(s.Text, "«") != strings.Count(s.Text, "»") ||
		strings.Count(s.Text, "(") != strings.Count(s.Text, ")") && strings.Count(s.Masked, "(") != strings.Count(s.Masked, ")") {
		t.Errorf("%s: unclosed: %q", lang, s.Text)
	}
	if word, found := fair.Find(s.Masked, lang); fresh && found {
		t.Errorf("%s: %q is not to be said: %q", lang, word, s.Text)
	}
	if len(s.Facts) == 0 && !strings.HasPrefix(s.Pattern, "intro.") && !strings.Contains(s.Pattern, "ground") {
		t.Errorf("%s: no fact: %q", lang, s.Text)
	}
}

// digitsBack is a sentence with its figures but without names: a and an go by how a figure is spoken.
func digitsBack(s profile.Sentence) string {
	if strings.Contains(s.Masked, "N") {
		return s.Masked[:0] // names are in the bank of articles
	}
	return s.Text
}

// text holds the rules over a profile.
func (seen checked) text(t testing.TB, lang string, facts []profile.Fact, text profile.Text) {
	t.Helper()
	stated := map[int]bool{}
	for section, sentences := range text {
		if len(sentences) > 5 {
			t.Errorf("%s: %d sentences in %s", lang, len(sentences), profile.Section(section))
		}
		if n := len(sentences); profile.Section(section) != profile.Intro && n > 0 && n < 3 {
			t.Errorf("%s: %d sentences in %s", lang, n, profile.Section(section))
		}
		openings := map[string]bool{}
		for _, s := range sentences {
			seen.sentence(t, lang, s)
			first := strings.Join(strings.Fields(s.Text)[:min(2, len(strings.Fields(s.Text)))], " ")
			if openings[first] {
				t.Errorf("%s: two sentences of %s begin with %q", lang, profile.Section(section), first)
			}
			openings[first] = true
			for _, i := range s.Facts {
				if stated[i] {
					t.Errorf("%s: fact %d (%s %s) is stated twice", lang, i, facts[i].Code, facts[i].Subject)
				}
				stated[i] = true
			}
		}
	}
}

func TestVowelSound(t *testing.T) {
	elides := "arrêt avenue école étang île Oka Ahuntsic Aylmer homme hôpital habitation histoire Hébertville Yamachiche? yeuse? Outremont " +
		"heure hiver hectare horizon Hérouxville"
	not := "parc onze oui huit Hull hameau hauteur halte haut hangar Yamaska yaourt 8 11 1 A y? Huntingdon hêtre hibou héros hors hockey " +
		"Hudson hall halles haie Haut-Saint-Laurent Hampstead"
	for _, w := range strings.Fields(elides) {
		if !strings.HasSuffix(w, "?") && !french.VowelSound(w) {
			t.Errorf("nothing elides before %q", w)
		}
	}
	for _, w := range strings.Fields(not) {
		if !strings.HasSuffix(w, "?") && french.VowelSound(w) {
			t.Errorf("le elides before %q", w)
		}
	}
}
