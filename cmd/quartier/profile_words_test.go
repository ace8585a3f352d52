package main

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quartier/build/released"
	"quartier/schemas/profile"
)

// numerals are the numbers that texts write as words. "One" and "un" are articles and pronouns too.
var numerals = map[string][]string{
	"en": {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"},
	"fr": {2: "deux", 3: "trois", 4: "quatre", 5: "cinq", 6: "six", 7: "sept", 8: "huit", 9: "neuf"},
}

// notNumbers are phrases of the names of variables, and shares that quantities has.
var notNumbers = []string{"five storeys", "five or more storeys", "five to 19 units", "20 or more units", "two to four units",
	"2 to 4 units", "cinq étages", "three quarters", "two thirds", "one third",
	"trois quarts", "deux tiers", "tiers", "four or more bedrooms", "quatre chambres", "quatre logements", "or two", "ou deux"}

// numeric finds the numbers of a text: "1,240", "1 240", "2.5", "2,5".
var numeric = regexp.MustCompile(`\d+(?:[\x{00A0}\x{202F},.]\d{3})*(?:[.,]\d+)?`)

// quantities are words that bound a share, in the order in which they are tried.
var quantities = []struct {
	word      string
	low, high float64
}{
	{"three quarters", 0.65, 0.85}, {"trois quarts", 0.65, 0.85}, {"two thirds", 0.6, 0.73}, {"deux tiers", 0.6, 0.73},
	{"nearly all homes", 0.85, 1}, {"almost all homes", 0.85, 1}, {"presque tous les logements", 0.85, 1}, {"most homes", 0.5, 1},
	{"la plupart des logements", 0.5, 1},
	{"about half", 0.35, 0.65}, {"environ la moitié", 0.35, 0.65}, {"few homes", 0, 0.35}, {"peu de logements", 0, 0.35},
}

// sentence checks that every number of a sentence is that of a fact it states, and that a word for a share is borne out by
// the whole interval.
func (c *truth) sentence(p *released.Profile, language string, s *profile.Sentence) {
	var facts []*profile.Fact
	text := s.Text
	mask := func(name string) {
		if name != "" {
			form := strings.ReplaceAll(regexp.QuoteMeta(name), "'", "['’]")
			text = replaceName(text, regexp.MustCompile("(?i)"+form))
		}
	}
	for _, phrase := range notNumbers {
		mask(phrase)
	}
	stated := slices.Clone(s.Facts) // longer names first: 693 before 93
	slices.SortFunc(stated, func(a, b int) int {
		return cmp.Compare(len(p.Facts[min(b, len(p.Facts)-1)].Name), len(p.Facts[min(a, len(p.Facts)-1)].Name))
	})
	for _, i := range stated {
		if i < 0 || i >= len(p.Facts) {
			c.t.Errorf("%s: %q states fact %d of %d", p.Place.ID, s.Text, i, len(p.Facts))
			return
		}
		f := &p.Facts[i]
		facts = append(facts, f)
		mask(f.Name)
		mask(f.NameFR)
		mask(strings.TrimPrefix(f.NameFR, "autoroute "))
	}
	for _, name := range []string{p.Place.NameEN, p.Place.NameFR, p.Place.CityEN, p.Place.CityFR} {
		mask(name)
	}
	said := claims(p, facts)
	if strings.Contains(s.Pattern, "schools") || strings.Contains(s.Pattern, "daycares") {
		// minutes of a score, by the curve of the calibration
		return
	}
	for _, found := range numeric.FindAllString(text, -1) {
		if v, ok := written(found, language); !ok ||
			!slices.ContainsFunc(said, func(want float64) bool { return math.Abs(v-want) <= roundingOf(found, v) }) {
			c.t.Errorf("%s: %q states %s, facts are %v", p.Place.ID, s.Text, found, brief(facts))
		}
	}
	for _, word := range strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return strings.ContainsRune(" .,;:\u00a0\u202f-’", r) }) {
		if n := slices.Index(numerals[language], word); n >= 2 && !strings.Contains(s.Pattern, "bedrooms") && !slices.Contains(said, float64(n)) {
			c.t.Errorf("%s: %q states %s, facts are %v", p.Place.ID, s.Text, word, brief(facts))
		}
	}
	low := strings.ToLower(strings.ReplaceAll(s.Text, "\u00a0", " "))
	for _, q := range quantities {
		if strings.Contains(low, q.word) && !slices.ContainsFunc(facts, func(f *profile.Fact) bool { return bornOut(f, q.low, q.high) }) {
			c.t.Errorf("%s: %q says %s, facts are %v", p.Place.ID, s.Text, q.word, brief(facts))
		}
	}
}

// replaceName replaces a name by a dot, but not where it is a part of a number: line 1 is neither in 18 nor in 1,100.
func replaceName(text string, name *regexp.Regexp) string {
	out, from := "", 0
	for _, at := range name.FindAllStringIndex(text, -1) {
		if !digitsBefore.MatchString(text[:at[0]]+"|"+text[at[0]:at[1]]) && !digitsAfter.MatchString(text[at[0]:at[1]]+"|"+text[at[1]:]) {
			out, from = out+text[from:at[0]]+"·", at[1]
		}
	}
	return out + text[from:]
}

// A number that goes on across the bar.
var (
	digitsBefore = regexp.MustCompile(`\d[,.\x{a0}\x{202f}]?\|\d`)
	digitsAfter  = regexp.MustCompile(`\d\|[,.\x{a0}\x{202f}]?\d`)
)

// bornOut reports whether a share is within bounds with its whole interval.
func bornOut(f *profile.Fact, low, high float64) bool {
	if f.Code == profile.TypologyFact || math.IsNaN(f.Low) {
		return f.Value >= low && f.Value <= high
	}
	return f.Low >= low-1e-9 && f.High <= high+1e-9
}

// claims are the numbers that may be said of facts: counts, and measures in the units of both countries.
func claims(p *released.Profile, facts []*profile.Fact) (list []float64) {
	km2 := p.Place.AreaM2 / 1e6
	list = append(list, km2, km2/2.589988, p.Place.AreaM2/1e4, p.Place.AreaM2/4046.856)
	counts := map[string]float64{}
	for _, f := range facts {
		for _, v := range []float64{f.Value, f.Further, f.Typical} {
			list = append(list, v, 100*v, v/80, v/1000, v/1609.344, v*3.28084, v*2.471054, v/1.609344)
		}
		list = append(list, f.Value*80, f.Value*80/1000, f.Value*80/1609.344, 50*math.Round(f.Value*80/50), 50*math.Round(f.Value/50),
			50*math.Round(f.Value*20), 50*math.Round(f.Further*20), 50*math.Round(f.Value*3.28084/50), 50*math.Round(f.Value*80*3.28084/50))
		for _, year := range regexp.MustCompile(`\d+`).FindAllString(f.Subject, -1) {
			y, _ := strconv.ParseFloat(year, 64)
			list = append(list, y, y+1, y-1)
		}
		if f.Code == profile.TenureFact {
			list = append(list, 100*(1-f.Value))
		}
		counts[string(f.Code)] += f.Value
	}
	for _, sum := range counts { // "eight lines of both kinds"
		list = append(list, sum, 100*sum)
	}
	return append(list, float64(len(facts)), 800, 2625, 2600, 0.5, 10) // the distance within which places are near
}

// written reads a number as texts of a language write it.
func written(text, language string) (float64, bool) {
	text = strings.NewReplacer("\u00a0", "", "\u202f", "").Replace(text)
	if language == "fr" {
		text = strings.ReplaceAll(text, ",", ".")
	} else {
		text = strings.ReplaceAll(text, ",", "")
	}
	v, err := strconv.ParseFloat(strings.TrimRight(text, "."), 64)
	return v, err == nil
}

// roundingOf is how far a number may be from what it rounds: by its last digit that is not zero, at most to two digits.
func roundingOf(text string, v float64) float64 {
	if strings.ContainsAny(text[max(0, len(text)-3):], ".,") && v < 1000 {
		return 0.0501
	}
	digits := strings.TrimRight(strconv.FormatFloat(v, 'f', 0, 64), "0")
	step := 1.0
	for range len(strconv.FormatFloat(v, 'f', 0, 64)) - max(len(digits), 2) {
		step *= 10
	}
	return step/2 + 1e-6
}

func brief(facts []*profile.Fact) (list []string) {
	for _, f := range facts {
		list = append(list, fmt.Sprintf("%s %s %q %v (%v to %v) %v", f.Code, f.Subject, f.Name, f.Value, f.Low, f.High, f.Further))
	}
	return list
}
