package prose

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"quartier/internal/prose/fair"
	"quartier/schemas/profile"
)

// Broken is why a text in a language cannot be given, without the names that it has; nil if it can. A sentence has to be plain
// text of a paragraph of HTML, and what is written around its names must not say what texts never say.
func Broken(text *profile.Text, language string) error {
	for section := range text {
		for i := range text[section] {
			s := &text[section][i]
			if why := brokenSentence(s, language); why != "" {
				return fmt.Errorf("%s (%s)", why, s.Pattern)
			}
		}
	}
	return nil
}

func brokenSentence(s *profile.Sentence, language string) string {
	if !utf8.ValidString(s.Text) {
		return "not UTF-8"
	}
	for _, r := range s.Text {
		if unicode.IsControl(r) {
			return fmt.Sprintf("control character %U", r)
		}
	}
	if word, found := fair.Find(s.Masked, language); found {
		return fmt.Sprintf("%q is about people, safety, price or quality", word)
	}
	return ""
}
