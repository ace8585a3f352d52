package grade

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"quartier/schemas"
)

// levelWords are the words of levels, in English and French.
var levelWords = map[string]string{
	"preschool": "preschool", "prek": "preschool", "pk": "preschool", "prekindergarten": "preschool", "nursery": "preschool",
	"préscolaire": "preschool",
	"elementary":  "elementary", "elem": "elementary", "eleme": "elementary", "es": "elementary", "primary": "elementary",
	"kindergarten": "elementary", "élémentaire": "elementary", "elementaire": "elementary", "primaire": "elementary",
	"middle": "middle", "mid": "middle", "ms": "middle", "intermediate": "middle", "junior": "middle", "intermédiaire": "middle",
	"intermediaire": "middle",
	"high":          "secondary", "hs": "secondary", "secondary": "secondary", "senior": "secondary", "secondaire": "secondary",
}

var (
	juniorHigh = regexp.MustCompile(`\b(?:junior|jr\.?) (?:high|secondary)`)
	preschool  = regexp.MustCompile(`\bpre[- ](?:k\b|school\b|kindergarten\b)|early (?:childhood|learning)`)
)

// Levels returns the levels that a text names, in the order of schemas.SchoolLevels: 'Elem/Middle', 'Junior High', 'ES',
// 'Secondaire', 'K-8', 'Combined (K-8)'. It has none where the text names none that is known.
func Levels(text string) (levels []string) {
	found := map[string]bool{}
	for _, word := range wordsOf(preschool.ReplaceAllString(juniorHigh.ReplaceAllString(strings.ToLower(text), "middle"), "preschool")) {
		found[levelWords[word]] = true
	}
	for _, level := range schemas.SchoolLevels {
		if found[level] {
			levels = append(levels, level)
		}
	}
	if levels == nil && strings.Contains(text, "-") { // 2 alone is the code of a level
		for _, span := range Spans(cmp.Or(OfName(text), Parse(text).Grades)) {
			levels = append(levels, span.Level)
		}
	}
	return levels
}

// otherWords are words of the categories of records in lists of schools that are no schools of children.
var otherWords = []string{"administrative", "administration", "administratif", "office", "offices", "headquarters", "bureau", "tutoring",
	"adult", "adults", "adultes"}

// Other reports whether a category of a list is no school of children: 'Administrative Office', 'Adult Education'. One that
// names a level is a school.
func Other(text string) bool {
	return Levels(text) == nil && slices.ContainsFunc(wordsOf(text), func(word string) bool { return slices.Contains(otherWords, word) })
}

// Join writes levels in the order of schemas.SchoolLevels, each once: 'elementary,middle'.
func Join(levels []string) string {
	var list []string
	for _, level := range schemas.SchoolLevels {
		if slices.Contains(levels, level) {
			list = append(list, level)
		}
	}
	return strings.Join(list, ",")
}

// typeWords are words of the authorities and types of schools, in English and French.
var typeWords = map[string][]string{
	"private": {"private", "privé", "privée", "privés", "privées", "prive", "privee", "independent", "indépendant", "indépendante",
		"parochial", "archdiocese", "archdiocesan", "diocese"},
	"public": {"public", "publique", "publiques", "district", "charter", "catholic", "catholique", "catholiques", "francophone", "provincial",
		"provinciale", "state", "county", "city", "hospital",
		"separate", "standard", "nation", "nations", "band", "federal", "government", "gouvernemental", "gouvernementale", "regular",
		"alternative", "magnet", "conseil", "board"},
}

// Type returns 'public' or 'private' by the words of a school's type or authority; "" where they do not say. Schools of
// Catholic, French-language, provincial, First Nations and hospital boards are public.
func Type(text string) string {
	words := wordsOf(text)
	for _, t := range []string{"private", "public"} {
		for _, word := range words {
			if slices.Contains(typeWords[t], word) {
				return t
			}
		}
	}
	return ""
}

// languageWords are names of languages of instruction with their ISO 639-1 codes.
var languageWords = map[string]string{
	"english": "en", "anglais": "en", "anglophone": "en", "en": "en", "e": "en", "eng": "en", "french": "fr", "français": "fr",
	"francais": "fr", "francophone": "fr", "fr": "fr", "f": "fr", "fre": "fr", "fra": "fr",
	"bilingual": "en fr", "bilingue": "en fr", "cree": "cr", "cri": "cr", "cr": "cr", "inuktitut": "iu", "iu": "iu", "ojibwe": "oj",
	"ojibway": "oj", "oj": "oj", "spanish": "es", "espagnol": "es", "es": "es",
}

// Languages returns the ISO 639-1 codes of the languages that a text names, in the order of the text: 'English/French', 'F',
// 'bilingual'.
func Languages(text string) (codes []string) {
	for _, word := range wordsOf(text) {
		for _, code := range strings.Fields(languageWords[word]) {
			if !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) })
}

var interim = regexp.MustCompile(`(?i)\s*\((?:interim|temporar(?:y|ily)|currently|relocated|temporairement)\s+(?:at|to|in|à|au)\s[^)]*\)`)

// Permanent returns a name without a remark about an interim site, and whether there was one: 'Olympic Hills (interim at
// Cedar Park)' is Olympic Hills.
func Permanent(name string) (string, bool) {
	without := strings.TrimSpace(interim.ReplaceAllString(name, ""))
	return without, without != strings.TrimSpace(name)
}
