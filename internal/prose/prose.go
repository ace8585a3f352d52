// Package prose writes profiles of places in English and French. It is made of pure functions in three layers: package plan
// decides which facts are stated, package sentence by which sentences, and packages english and french make the words.
package prose

import (
	"html"
	"strings"

	"quartier/internal/prose/english"
	"quartier/internal/prose/french"
	"quartier/internal/prose/phrase"
	"quartier/internal/prose/plan"
	"quartier/internal/prose/sentence"
	"quartier/schemas/profile"
)

// Profile is the text of a place in lang: "fr" in Canada is French, anything else English, in Canadian spelling in Canada and
// in US spelling and units in the United States. The same place and facts always have the same text. A section without
// ground has no sentences, and a place without facts no text at all.
func Profile(place profile.Place, facts []profile.Fact, lang string) (text profile.Text) {
	var language sentence.Language = english.New(place.Country)
	if lang == "fr" && place.Country == "CA" {
		language = french.New()
	}
	about := phrase.SubjectOf(place)
	for section, messages := range plan.Messages(place, facts) {
		sentences := sentence.Plan(language, about, profile.Section(section), messages)
		if profile.Section(section) == profile.Intro || len(sentences) >= plan.MinMessages {
			text[section] = sentences
		}
	}
	return text
}

// HTML is a section as the API gives it: one paragraph, in which names are escaped; "" without sentences.
func HTML(sentences []profile.Sentence) string {
	if len(sentences) == 0 {
		return ""
	}
	return "<p>" + html.EscapeString(Plain(sentences)) + "</p>"
}

// Plain is a section as text, with a space between sentences.
func Plain(sentences []profile.Sentence) string {
	texts := make([]string, len(sentences))
	for i, s := range sentences {
		texts[i] = s.Text
	}
	return strings.Join(texts, " ")
}
