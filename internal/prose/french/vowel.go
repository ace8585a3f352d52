package french

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed h_aspire.txt
var aspirated string

// hAspire are the words with an h that nothing elides before, without their endings of the plural.
var hAspire = readAspirated()

func readAspirated() map[string]bool {
	words := map[string]bool{}
	for _, line := range strings.Split(aspirated, "\n") {
		if !strings.HasPrefix(line, "#") {
			for _, w := range strings.Fields(line) {
				words[w] = true
			}
		}
	}
	return words
}

// VowelSound reports whether le, de and que elide before a word: before a vowel or a mute h, but not before an h aspiré,
// onze, oui, huit, y and a vowel, digits and single letters.
func VowelSound(text string) bool {
	word := strings.ToLower(text)
	if end := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		word = word[:end]
	}
	first, n := utf8.DecodeRuneInString(word)
	second, _ := utf8.DecodeRuneInString(word[n:])
	switch {
	case utf8.RuneCountInString(word) < 2, word == "onze", word == "onzième", word == "oui", word == "ouistiti", word == "uhlan",
		word == "ululement":
		return word == "y" || word == "à"
	case first == 'h':
		return !hAspire[word] && !hAspire[strings.TrimSuffix(strings.TrimSuffix(word, "s"), "x")]
	case first == 'y':
		return !isVowel(second)
	}
	return isVowel(first)
}

func isVowel(r rune) bool { return strings.ContainsRune("aeiouàâäéèêëîïôöùûüœæ", r) }
