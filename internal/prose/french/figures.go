package french

import (
	"math"
	"strconv"

	"golang.org/x/text/number"

	"quartier/internal/prose/lexicon"
	"quartier/internal/prose/phrase"
)

var small = [...]string{"zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"}

// figure is the phrase of a number with what it counts or measures.
func (f *French) figure(s phrase.Slot, form string) []phrase.Token {
	switch s.Kind {
	case phrase.Count:
		return f.count(s, form)
	case phrase.Number:
		return []phrase.Token{f.cardinal(s.N, false)}
	case phrase.Rounded:
		if r := phrase.RoundTwo(s.N); r >= 100 {
			return append(phrase.Words("environ"), f.quantity(r)...)
		}
		return f.quantity(s.N)
	case phrase.Walk:
		return f.walk(s.N, form)
	case phrase.Length:
		return f.length(s.N)
	case phrase.Ground:
		return f.measure(phrase.Extent(s.N/1e6), "kilomètre carré", "kilomètres carrés")
	case phrase.Hectares:
		return f.measure(phrase.Extent(s.N), "hectare", "hectares")
	case phrase.Share:
		return f.share(s, form)
	case phrase.Period:
		return period(s)
	}
	return nil
}

// count is so many of a noun: aucun parc, une gare, 11 parcs, 1 000 000 de parcs; with the forms "n" and "noun" one part alone.
func (f *French) count(s phrase.Slot, form string) []phrase.Token {
	n := lexicon.NounOf(s.Noun)
	switch {
	case form == "n":
		return []phrase.Token{f.cardinal(s.N, n.Feminine)}
	case form == "noun":
		return words(pick(s.N >= 2, n.FRs, n.FR))
	case s.N == 0:
		return append(phrase.Words(pick(n.Feminine, "aucune", "aucun")), words(n.FR)...)
	case s.N == 1:
		return append([]phrase.Token{f.cardinal(1, n.Feminine)}, words(n.FR)...)
	}
	tokens := f.quantity(s.N)
	return append(tokens, words(n.FRs)...)
}

// quantity is a number before a noun: whole millions take de.
func (f *French) quantity(n float64) []phrase.Token {
	tokens := []phrase.Token{f.cardinal(n, false)}
	if n >= 1e6 && math.Mod(n, 1e6) == 0 {
		tokens = append(tokens, phrase.Words("de")...)
	}
	return tokens
}

// cardinal is a whole number, in a word below ten.
func (f *French) cardinal(n float64, feminine bool) phrase.Token {
	if n == 1 && feminine {
		return phrase.Token{Text: "une", Class: phrase.Figure}
	}
	if n >= 0 && n < 10 && n == math.Trunc(n) {
		return phrase.Token{Text: small[int(n)], Class: phrase.Figure}
	}
	return f.digits(n, 0)
}

func (f *French) digits(n float64, decimals int) phrase.Token {
	text := phrase.Digits(n)
	if text == "" {
		text = f.printer.Sprint(number.Decimal(n, number.MaxFractionDigits(decimals)))
	}
	return phrase.Token{Text: text, Class: phrase.Figure}
}

// measure is a number with its unit, which is plural from two.
func (f *French) measure(n float64, one, several string) []phrase.Token {
	return append([]phrase.Token{f.digits(n, 1)}, words(pick(n < 2, one, several))...)
}

func (f *French) length(m float64) []phrase.Token {
	n, km := phrase.Metres(m)
	if km {
		return f.measure(n, "kilomètre", "kilomètres")
	}
	return f.measure(n, "mètre", "mètres")
}

// walk is a time on foot: 12 minutes à pied; with the form "min": 12 minutes; "far": 12 minutes à pied (1 kilomètre).
func (f *French) walk(m float64, form string) []phrase.Token {
	tokens := f.measure(phrase.Minutes(m), "minute", "minutes")
	if form == "min" {
		return tokens
	}
	tokens = append(tokens, words("à pied")...)
	if form == "far" {
		tokens = append(append(tokens, phrase.Token{Text: "(", Class: phrase.Mark}), f.length(m)...)
		tokens = append(tokens, phrase.Token{Text: ")", Class: phrase.Mark})
	}
	return tokens
}

// shares are the words of shares with the homes; a share with another key is a percentage.
var shares = map[string]string{
	"all": "presque tous les logements", "most": "la plupart des logements", "half": "environ la moitié des logements",
	"two_thirds": "environ les deux tiers des logements", "three_quarters": "environ les trois quarts des logements",
	"third": "environ le tiers des logements", "quarter": "environ le quart des logements", "fifth": "environ le cinquième des logements",
	"few": "peu de logements", "over_half": "plus de la moitié des logements", "over_third": "plus du tiers des logements",
	"over_quarter": "plus du quart des logements", "under_half": "moins de la moitié des logements",
}

// share is a share of the homes: environ la moitié des logements; with the form "part": environ la moitié.
func (f *French) share(s phrase.Slot, form string) []phrase.Token {
	tokens := words(shares[s.Word])
	if len(tokens) == 0 {
		percent := phrase.Token{Text: f.printer.Sprint(number.Percent(s.N)), Class: phrase.Figure}
		tokens = append(append(words("environ"), percent), words("des logements")...)
	}
	if form == "part" {
		return tokens[:len(tokens)-2] // without des logements
	}
	return tokens
}

func year(y float64) phrase.Token {
	return phrase.Token{Text: strconv.Itoa(int(y)), Class: phrase.Figure}
}

// period is when something was built: avant 1961, entre 1961 et 1980, en 2010 ou après.
func period(s phrase.Slot) []phrase.Token {
	switch {
	case s.N == 0:
		return append(words("avant"), year(s.M+1))
	case s.M == 0:
		return append(append(words("en"), year(s.N)), words("ou après")...)
	}
	return append(append(words("entre"), year(s.N)), append(words("et"), year(s.M))...)
}
