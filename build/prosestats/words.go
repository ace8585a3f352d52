package prosestats

import (
	"strings"
	"unicode"
)

// Count returns the number of words of a sentence, separated by blanks, and of their syllables.
func Count(sentence, language string) (words, syllables int) {
	for word := range strings.FieldsFuncSeq(sentence, unicode.IsSpace) {
		if n := syllablesOf(word, language); n > 0 {
			words++
			syllables += n
		}
	}
	return words, syllables
}

// vowels are the letters of groups that sound as one syllable.
const vowels = "aeiouyàâäéèêëîïôöùûüœæ"

// syllablesOf estimates the syllables of a word: groups of vowels, without a silent ending; a digit counts as one. 0: the
// word has neither letters nor digits.
func syllablesOf(word, language string) int {
	word = strings.ToLower(word)
	n, letters, inside := 0, 0, false
	for _, r := range word {
		isVowel := strings.ContainsRune(vowels, r)
		switch {
		case unicode.IsDigit(r):
			n++
		case isVowel && !inside:
			n++
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
		}
		inside = isVowel
	}
	if letters == 0 {
		return 0
	}
	word = strings.TrimRightFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if silent(word, language) {
		n--
	}
	return max(n, 1)
}

// silent reports whether the last group of vowels of a word is not heard: homes has two in English and one in French,
// large and villes have one.
func silent(word, language string) bool {
	after := func(ending string) (rune, bool) {
		stem, ok := strings.CutSuffix(word, ending)
		if !ok || stem == "" {
			return 0, false
		}
		runes := []rune(stem)
		return runes[len(runes)-1], true
	}
	consonant := func(r rune) bool { return unicode.IsLetter(r) && !strings.ContainsRune(vowels, r) }
	if language == "fr" {
		for _, ending := range []string{"es", "e"} {
			if r, ok := after(ending); ok {
				return consonant(r)
			}
		}
		return false
	}
	if r, ok := after("es"); ok {
		return consonant(r) && !strings.ContainsRune("scxzgh", r)
	}
	if r, ok := after("ed"); ok {
		return consonant(r) && r != 't' && r != 'd'
	}
	if r, ok := after("e"); ok {
		return consonant(r) && !(r == 'l' && len(word) > 2 && consonant([]rune(word)[len([]rune(word))-3]))
	}
	return false
}
