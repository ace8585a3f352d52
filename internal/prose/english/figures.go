package english

import (
	"strconv"
	"strings"

	"golang.org/x/text/number"

	"quartier/internal/prose/phrase"
)

var small = [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// figure is the phrase of a number with what it counts or measures.
func (e *English) figure(s phrase.Slot, form string) []phrase.Token {
	switch s.Kind {
	case phrase.Count:
		return e.count(s, form)
	case phrase.Number:
		return []phrase.Token{e.cardinal(s.N)}
	case phrase.Rounded:
		if r := phrase.RoundTwo(s.N); r >= 100 {
			return append(phrase.Words("about"), e.digits(r, 0))
		}
		return []phrase.Token{e.digits(s.N, 0)}
	case phrase.Walk:
		return e.walk(s.N, form)
	case phrase.Length:
		return e.length(s.N)
	case phrase.Ground:
		if e.us {
			return e.measure(phrase.Extent(s.N/phrase.SquareMile), "square mile", "square miles")
		}
		return e.measure(phrase.Extent(s.N/1e6), "square kilometre", "square kilometres")
	case phrase.Hectares:
		if e.us {
			return e.measure(phrase.Extent(s.N/phrase.Acre), "acre", "acres")
		}
		return e.measure(phrase.Extent(s.N), "hectare", "hectares")
	case phrase.Share:
		return e.share(s, form)
	case phrase.Period:
		return e.period(s)
	}
	return nil
}

// count is so many of a noun: no parks, one park, 11 parks; with the form "a" a park, with "n" and "noun" one part alone.
func (e *English) count(s phrase.Slot, form string) []phrase.Token {
	switch {
	case form == "a" && s.N == 1:
		return append(phrase.Words("a"), e.noun(s.Noun, false)...)
	case form == "noun":
		return e.noun(s.Noun, s.N != 1)
	case form == "n":
		return []phrase.Token{e.cardinal(s.N)}
	}
	return append([]phrase.Token{e.cardinal(s.N)}, e.noun(s.Noun, s.N != 1)...)
}

// cardinal is a whole number, in a word below ten.
func (e *English) cardinal(n float64) phrase.Token {
	if n >= 0 && n < 10 && n == float64(int(n)) {
		return phrase.Token{Text: small[int(n)], Class: phrase.Figure}
	}
	return e.digits(n, 0)
}

func (e *English) digits(n float64, decimals int) phrase.Token {
	text := phrase.Digits(n)
	if text == "" {
		text = e.printer.Sprint(number.Decimal(n, number.MaxFractionDigits(decimals)))
	}
	return phrase.Token{Text: text, Class: phrase.Figure}
}

func (e *English) measure(n float64, one, several string) []phrase.Token {
	unit := several
	if n == 1 {
		unit = one
	}
	return append([]phrase.Token{e.digits(n, 1)}, phrase.Words(strings.Fields(unit)...)...)
}

func (e *English) length(m float64) []phrase.Token {
	if e.us {
		if n, miles := phrase.Feet(m); miles {
			return e.measure(n, "mile", "miles")
		} else {
			return e.measure(n, "foot", "feet")
		}
	}
	if n, km := phrase.Metres(m); km {
		return e.measure(n, "kilometre", "kilometres")
	} else {
		return e.measure(n, "metre", "metres")
	}
}

// walk is a time on foot: a 12-minute walk; with the form "min": 12 minutes; "far": 12 minutes (0.6 miles).
func (e *English) walk(m float64, form string) []phrase.Token {
	minutes := e.digits(phrase.Minutes(m), 0)
	switch form {
	case "min":
		return e.measure(phrase.Minutes(m), "minute", "minutes")
	case "far":
		tokens := append(e.measure(phrase.Minutes(m), "minute", "minutes"), phrase.Token{Text: "(", Class: phrase.Mark})
		return append(append(tokens, e.length(m)...), phrase.Token{Text: ")", Class: phrase.Mark})
	}
	minutes.Text += "-minute"
	return append(phrase.Words("a"), minutes, phrase.Token{Text: "walk"})
}

// shares are the words of shares before "homes"; a share with another key is a percentage.
var shares = map[string]string{
	"all": "nearly all", "most": "most", "half": "about half of all", "two_thirds": "about two thirds of all",
	"three_quarters": "about three quarters of all",
	"third":          "about a third of all", "quarter": "about a quarter of all", "fifth": "about a fifth of all", "few": "few",
	"over_half": "more than half of all", "over_third": "more than a third of all", "over_quarter": "more than a quarter of all",
	"under_half": "less than half of all",
}

// share is a share of the homes: about half of all homes; with the form "part": about half.
func (e *English) share(s phrase.Slot, form string) []phrase.Token {
	text, of := shares[s.Word], "homes"
	tokens := phrase.Words(strings.Fields(text)...)
	if text == "" {
		tokens, of = append(phrase.Words("about"), phrase.Token{Text: e.printer.Sprint(number.Percent(s.N)), Class: phrase.Figure}), "of homes"
	}
	if form == "part" {
		return tokens[:len(tokens)-2*strings.Count(text, " of all")]
	}
	return append(tokens, phrase.Words(strings.Fields(of)...)...)
}

func year(y float64) phrase.Token {
	return phrase.Token{Text: strconv.Itoa(int(y)), Class: phrase.Figure}
}

// period is when something was built: before 1961, between 1961 and 1980, in 2010 or later.
func (e *English) period(s phrase.Slot) []phrase.Token {
	switch {
	case s.N == 0:
		return append(phrase.Words("before"), year(s.M+1))
	case s.M == 0:
		return append(append(phrase.Words("in"), year(s.N)), phrase.Words("or", "later")...)
	}
	return append(append(phrase.Words("between"), year(s.N)), append(phrase.Words("and"), year(s.M))...)
}
