package prosestats

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"quartier/build/released"
	"quartier/schemas/profile"
)

const (
	maskedName   = "□"
	maskedNumber = "#"
)

var (
	// numbers are figures with their decimals and thousands, and the words for small ones.
	numbers = regexp.MustCompile(`\d+(?:[.,\x{a0}\x{202f} ]\d+)*`)
	words   = regexp.MustCompile(`\b(?i:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze)\b`)
	// capitals are capitalised words after the beginning of a sentence, with what connects them: names of any kind.
	capitals = regexp.MustCompile(`([\s(«’'-])(?:\p{Lu}[\p{L}\p{M}\d.’'&/-]*)(?:[\s-](?:(?:of|the|and|de|du|des|la|le|les|et|sur|en)[\s-])?\p{Lu}[\p{L}\p{M}\d.’'&/-]*)*`)
	repeated = regexp.MustCompile(maskedName + `(?:[\s/–-]+` + maskedName + `)+`)
)

// elided restores what French drops before some names.
var elided = strings.NewReplacer("d’"+maskedName, "de "+maskedName, "l’"+maskedName, "le "+maskedName, "qu’"+maskedName, "que "+maskedName)

// maskAll returns the sentences of a text without names and numbers, sorted. Sentences that differ in these alone are equal.
func maskAll(p *released.Profile, text *profile.Text) []string {
	names := p.Names()
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	var pairs []string
	for _, name := range slices.Compact(names) {
		pairs = append(pairs, name, maskedName)
	}
	known, masked := strings.NewReplacer(pairs...), []string{}
	for section := range text {
		for _, s := range text[section] {
			masked = append(masked, mask(known.Replace(s.Text)))
		}
	}
	slices.Sort(masked)
	return masked
}

// mask replaces what looks like a name or a number.
func mask(sentence string) string {
	sentence = capitals.ReplaceAllString(sentence, "${1}"+maskedName)
	sentence = words.ReplaceAllString(numbers.ReplaceAllString(sentence, maskedNumber), maskedNumber)
	sentence = repeated.ReplaceAllString(elided.Replace(sentence), maskedName)
	return strings.TrimRight(sentence, ".") // which an abbreviated name takes along
}
