package prose_test

import (
	"fmt"
	"strings"
	"testing"

	"quartier/internal/prose"
	"quartier/internal/prose/english"
	"quartier/internal/prose/fair"
	"quartier/internal/prose/french"
	"quartier/internal/prose/phrase"
	"quartier/schemas"
	"quartier/schemas/scoretexts"
)

// Nothing that can be said is said of who lives in a place, of safety, price or the quality of schools.
func TestVocabularyIsFair(t *testing.T) {
	for _, language := range []string{"en", "fr"} {
		vocabulary := prose.Vocabulary(language)
		if len(vocabulary) < 300 {
			t.Fatalf("%s: a vocabulary of %d words", language, len(vocabulary))
		}
		for _, w := range vocabulary {
			if found, ok := fair.Find(w, language); ok {
				t.Errorf("%s: the word %q is not to be said: %q", language, w, found)
			}
		}
	}
	for language, patterns := range map[string]phrase.Patterns{"en": english.Patterns, "fr": french.Patterns} {
		for kind, list := range patterns {
			for _, p := range list {
				var words []string
				for _, part := range p.Parts {
					words = append(words, part.Token.Text, strings.Join(part.Choices, " "))
				}
				if found, ok := fair.Find(strings.Join(words, " "), language); ok {
					t.Errorf("%s: %s says %q in %q", language, kind, found, words)
				}
			}
		}
	}
}

// The patterns of both languages say the same kinds of messages, each in several ways.
func TestPatternsOfBothLanguages(t *testing.T) {
	for kind, list := range english.Patterns {
		if len(french.Patterns[kind]) == 0 {
			t.Errorf("%s has no French pattern", kind)
		}
		if len(list) < 2 {
			t.Errorf("%s has %d English patterns", kind, len(list))
		}
	}
	for kind, list := range french.Patterns {
		if len(english.Patterns[kind]) == 0 {
			t.Errorf("%s has no English pattern", kind)
		}
		if len(list) < 2 {
			t.Errorf("%s has %d French patterns", kind, len(list))
		}
	}
}

// TestScoresHaveWords checks that every score of the vocabulary has a pattern for each band in both languages.
func TestScoresHaveWords(t *testing.T) {
	for _, score := range schemas.Scores {
		for band := range scoretexts.Bands {
			kind := fmt.Sprintf("score.%s.%d", score.ID, band)
			for language, patterns := range map[string]phrase.Patterns{"en": english.Patterns, "fr": french.Patterns} {
				if len(patterns[kind]) == 0 {
					t.Errorf("%s: nothing is said of %s", language, kind)
				}
			}
		}
	}
}
