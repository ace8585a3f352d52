// Package english makes English sentences of phrases, in Canadian and in US spelling.
package english

import (
	_ "embed"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"quartier/internal/prose/lexicon"
	"quartier/internal/prose/phrase"
)

//go:embed patterns.txt
var patterns string

//go:embed scores.txt
var scores string

// Patterns are the sentence plans by kind of message.
var Patterns = phrase.MustParse(patterns, scores)

// Joiners join two clauses, {a} and {b}: of the same sign, and of opposite signs.
var Joiners = phrase.MustParse(`
and
	{a}, and {b}
	{a}, while {b}
	{a}; {b}
but
	{a}, but {b}
	{a}, while {b}
	{a}, although {b}
`)

// English is the language of texts in one country. It is not safe for concurrent use.
type English struct {
	printer *message.Printer
	us      bool
}

// New is English as it is written in a country, "CA" or "US".
func New(country string) *English {
	return &English{message.NewPrinter(language.MustParse("en-CA")), country == "US"}
}

// Patterns are the sentence plans.
func (e *English) Patterns() phrase.Patterns { return Patterns }

// Joiners are the ways to join two clauses.
func (e *English) Joiners() phrase.Patterns { return Joiners }

// Choose is the word of choices that agrees with a slot: one, several. There is one café and one bar, but they serve the place.
func (e *English) Choose(s phrase.Slot, choices []string, _ *phrase.Subject) string {
	if e.plural(s) || s.Kind == phrase.List && len(s.Items) > 1 && choices[0] != "is" {
		return choices[len(choices)-1]
	}
	return choices[0]
}

func (e *English) plural(s phrase.Slot) bool {
	switch s.Kind {
	case phrase.Count, phrase.Number, phrase.Rounded:
		return s.N != 1
	case phrase.List:
		if len(s.Items) > 0 && s.Items[0].Kind == phrase.Count {
			return e.plural(s.Items[0])
		}
		return len(s.Items) > 1
	case phrase.Share:
		return true
	case phrase.Thing:
		return s.N > 1
	}
	return false
}

func (e *English) noun(key string, several bool) []phrase.Token {
	n := lexicon.NounOf(key)
	if several {
		return phrase.Words(strings.Fields(n.ENs)...)
	}
	return phrase.Words(strings.Fields(n.EN)...)
}

// Fill is the phrase of a slot.
func (e *English) Fill(s phrase.Slot, form string, about *phrase.Subject) []phrase.Token {
	switch s.Kind {
	case phrase.PlaceName:
		return e.place(about, form)
	case phrase.CityName:
		return proper(about.City.EN)
	case phrase.StateName:
		return e.state(about, form)
	case phrase.TypeNoun:
		return e.nounForm(typeNoun(about), form, false)
	case phrase.LevelNoun:
		return e.nounForm(levelNoun(about), form, false)
	case phrase.AreaName:
		if e.us && s.Noun == "county" {
			return county(s.Name.EN, about.Place.State)
		}
		return proper(s.Name.EN)
	case phrase.Thing:
		return e.nounForm(s.Noun, form, s.N > 1)
	case phrase.Named:
		return e.named(s, form)
	case phrase.Sign:
		return proper(s.Name.EN)
	case phrase.List:
		return e.list(s, form, about)
	case phrase.Term:
		return phrase.Words(strings.Fields(Terms[s.Word])...)
	case phrase.Trip:
		return append(append(e.walk(s.N, "min"), phrase.Words("to")...), e.nounForm(s.Noun, "a", false)...)
	}
	return e.figure(s, form)
}

func proper(name string) []phrase.Token {
	return []phrase.Token{{Text: name, Class: phrase.Proper}}
}

// nounForm is a noun as it is ("", "pl"), or with an article ("a", "the").
func (e *English) nounForm(key, form string, several bool) []phrase.Token {
	switch form {
	case "a", "the", "this":
		return append(phrase.Words(form), e.noun(key, several)...)
	case "pl":
		return e.noun(key, true)
	}
	return e.noun(key, several)
}

// list joins phrases: a, b, and c.
func (e *English) list(list phrase.Slot, form string, about *phrase.Subject) (tokens []phrase.Token) {
	items, conjunction := list.Items, "and"
	if list.Word == "or" {
		conjunction = "or"
	}
	for i, item := range items {
		if i > 0 && len(items) > 2 {
			tokens = append(tokens, phrase.Token{Text: ",", Class: phrase.Mark})
		}
		if i > 0 && i == len(items)-1 {
			tokens = append(tokens, phrase.Words(conjunction)...)
		}
		tokens = append(tokens, e.Fill(item, form, about)...)
	}
	return tokens
}

// withArticle are last words of names that take the article: the Rideau Canal, the Delaware Turnpike.
var withArticle = []string{"Canal", "Ocean", "Turnpike", "Freeway", "Expressway"}

// named is a thing with its name: Hurdman station, Rideau Street.
func (e *English) named(s phrase.Slot, form string) []phrase.Token {
	name := proper(s.Name.EN)
	last := s.Name.EN[strings.LastIndexByte(s.Name.EN, ' ')+1:]
	if slices.Contains(withArticle, last) && last != s.Name.EN || s.Word == "the" && last == "River" {
		name = append(phrase.Words("the"), name...)
	}
	if form == "bare" || s.Noun == "" {
		return name
	}
	noun := lexicon.NounOf(s.Noun)
	if hasNoun(s.Name.EN, noun.Naming) {
		return name
	}
	return append(name, phrase.Words(strings.Fields(noun.EN)...)...)
}

// hasNoun reports whether a name says already what it is the name of.
func hasNoun(name, nouns string) bool {
	for _, word := range strings.Fields(strings.ToLower(name)) {
		for _, noun := range strings.Split(nouns, "|") {
			if strings.Trim(word, ".,()") == noun {
				return true
			}
		}
	}
	return false
}
