// Package french makes French sentences of phrases, as they are written in Canada.
package french

import (
	_ "embed"
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
	{a}, et {b}
	{a}, tandis que {b}
	{a} ; {b}
but
	{a}, mais {b}
	{a}, alors que {b}
	{a}, tandis que {b}
`)

// French is the language of texts. It is not safe for concurrent use.
type French struct {
	printer *message.Printer
}

// New is French.
func New() *French { return &French{message.NewPrinter(language.CanadianFrench)} }

// Patterns are the sentence plans.
func (f *French) Patterns() phrase.Patterns { return Patterns }

// Joiners are the ways to join two clauses.
func (f *French) Joiners() phrase.Patterns { return Joiners }

// Choose is the word of choices that agrees with a slot: one, several; or masculine and feminine of one and of several. A
// thing, which is one, has masculine, feminine.
func (f *French) Choose(s phrase.Slot, choices []string, about *phrase.Subject) string {
	feminine, plural := f.agreement(s, about)
	if s.Kind == phrase.Thing && len(choices) == 2 {
		return pick(feminine, choices[1], choices[0])
	}
	i := 0
	if len(choices) == 4 && feminine {
		i = 1
	}
	if plural {
		i += len(choices) / 2
	}
	return choices[i]
}

// agreement is the gender and number of the phrase of a slot.
func (f *French) agreement(s phrase.Slot, about *phrase.Subject) (feminine, plural bool) {
	switch s.Kind {
	case phrase.Count:
		return lexicon.NounOf(s.Noun).Feminine, s.N >= 2
	case phrase.Thing:
		return lexicon.NounOf(s.Noun).Feminine, s.N > 1
	case phrase.TypeNoun:
		return lexicon.NounOf(typeNoun(about)).Feminine, false
	case phrase.LevelNoun:
		return lexicon.NounOf(levelNoun(about)).Feminine, false
	case phrase.Share:
		return false, true
	case phrase.PlaceName:
		return false, about.Plural // of its last mention
	case phrase.Number, phrase.Rounded, phrase.Length, phrase.Hectares, phrase.Ground:
		return false, s.N >= 2
	case phrase.List:
		feminine = true
		for _, item := range s.Items {
			fem, many := f.agreement(item, about)
			feminine, plural = feminine && fem, plural || many
		}
		return feminine, plural || len(s.Items) > 1
	}
	return false, false
}

// Fill is the phrase of a slot.
func (f *French) Fill(s phrase.Slot, form string, about *phrase.Subject) []phrase.Token {
	switch s.Kind {
	case phrase.PlaceName:
		return f.place(about, form)
	case phrase.CityName:
		return municipality(about.City, "municipality", about.Place.State).with(form)
	case phrase.StateName:
		return state(about.Place.State).with(form)
	case phrase.TypeNoun:
		return noun(typeNoun(about), form, false)
	case phrase.LevelNoun:
		return noun(levelNoun(about), form, false)
	case phrase.AreaName:
		return area(s.Name, s.Noun, about.Place.State).with(form)
	case phrase.Thing:
		return noun(s.Noun, form, s.N > 1)
	case phrase.Named:
		return named(s, about)
	case phrase.Sign:
		return proper(either(s.Name))
	case phrase.List:
		return f.list(s, form, about)
	case phrase.Term:
		return words(Terms[s.Word])
	case phrase.Trip:
		return append(append(f.walk(s.N, "min"), phrase.Words("jusque", "à")...), noun(s.Noun, "a", false)...)
	}
	return f.figure(s, form)
}

func either(n phrase.Name) string {
	if n.FR != "" {
		return n.FR
	}
	return n.EN
}

func proper(name string) []phrase.Token {
	return []phrase.Token{{Text: name, Class: phrase.Proper}}
}

func words(text string) []phrase.Token { return phrase.Words(strings.Fields(text)...) }

// definite is the definite article of a noun.
func definite(feminine, plural bool) phrase.Token {
	switch {
	case plural:
		return phrase.Token{Text: "les", Class: phrase.Article}
	case feminine:
		return phrase.Token{Text: "la", Class: phrase.Article}
	}
	return phrase.Token{Text: "le", Class: phrase.Article}
}

// noun is a noun as it is ("", "pl"), with an article ("a", "the"), with one of the plural ("des", "les"), or after ce ("this").
func noun(key, form string, several bool) []phrase.Token {
	n := lexicon.NounOf(key)
	one, many := words(n.FR), words(n.FRs)
	switch form {
	case "pl":
		return many
	case "les":
		return append([]phrase.Token{definite(n.Feminine, true)}, many...)
	case "des":
		return append(phrase.Words("des"), many...)
	}
	if several {
		one = many
	}
	switch form {
	case "a":
		return append(phrase.Words(pick(n.Feminine, "une", "un")), one...)
	case "the":
		return append([]phrase.Token{definite(n.Feminine, several)}, one...)
	case "this":
		return append(phrase.Words(this(n)), one...)
	}
	return one
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// this is the demonstrative of a noun: ce quartier, cet arrondissement, cette région.
func this(n lexicon.Noun) string {
	switch {
	case n.Feminine:
		return "cette"
	case VowelSound(n.FR):
		return "cet"
	}
	return "ce"
}

// list joins phrases: a, b et c.
func (f *French) list(list phrase.Slot, form string, about *phrase.Subject) (tokens []phrase.Token) {
	items, nor := list.Items, list.Word == "or" // ni a, ni b
	for i, item := range items {
		switch {
		case i == 0:
		case nor:
			tokens = append(tokens, phrase.Token{Text: ",", Class: phrase.Mark}, phrase.Token{Text: "ni"})
		case i == len(items)-1:
			tokens = append(tokens, phrase.Words("et")...)
		default:
			tokens = append(tokens, phrase.Token{Text: ",", Class: phrase.Mark})
		}
		tokens = append(tokens, f.Fill(item, form, about)...)
	}
	return tokens
}
