package roads

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"quartier/ingest/formats/vector"
)

// statcanName joins the name, type and direction of a road: 'Elm Street West', 'Rue des Pins Est', 'Highway 7'. An unknown
// type is kept as published.
func statcanName(f vector.Feature) string {
	name, kind, heading := f.Attributes["NAME"], f.Attributes["TYPE"], f.Attributes["DIR"]
	if kind == "" {
		kind = f.Attributes["ST_TYPE"]
	}
	if name == "" {
		return ""
	}
	french, isFrench := frenchTypes[kind]
	english, isEnglish := englishTypes[kind]
	switch {
	case isFrench:
		return strings.TrimSpace(french + " " + name + " " + direction(heading, 1))
	case isEnglish && numbered[kind] && startsWithDigit(name):
		name = english + " " + name
	case isEnglish:
		name += " " + english
	case kind != "":
		name += " " + kind
	}
	return strings.TrimSpace(name + " " + direction(heading, 0))
}

// Leads reports whether a type of Statistics Canada's names is written before a name: RUE of des Pins, HWY of 7.
func Leads(kind, name string) bool {
	return frenchTypes[kind] != "" || numbered[kind] && startsWithDigit(name)
}

func startsWithDigit(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsDigit(r)
}

var directions = map[string][2]string{ // English, French
	"N": {"North", "Nord"}, "S": {"South", "Sud"}, "E": {"East", "Est"}, "W": {"West", "Ouest"}, "O": {"West", "Ouest"},
	"NE": {"Northeast", "Nord-Est"}, "NW": {"Northwest", "Nord-Ouest"}, "NO": {"Northwest", "Nord-Ouest"},
	"SE": {"Southeast", "Sud-Est"}, "SW": {"Southwest", "Sud-Ouest"}, "SO": {"Southwest", "Sud-Ouest"},
}

// direction returns a direction in English (0) or French (1); an unknown one as it is.
func direction(code string, language int) string {
	if words, known := directions[code]; known {
		return words[language]
	}
	return code
}

// types.tsv has the types of Statistics Canada's road names: code, English, French, numbered. French ones are before the name and English
// ones after it,
// except those with numbered before a number: Highway 7.
//
//go:embed types.tsv
var typesText string

var frenchTypes, englishTypes, numbered = parseTypes(typesText)

func parseTypes(text string) (french, english map[string]string, numbered map[string]bool) {
	french, english, numbered = map[string]string{}, map[string]string{}, map[string]bool{}
	for code, f := range parseRows(text) {
		if f[1] != "" {
			french[code] = f[1]
		} else {
			english[code], numbered[code] = f[0], f[2] != ""
		}
	}
	return french, english, numbered
}
