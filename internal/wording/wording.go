// Package wording has the lines of reports in English and French, by code. Input: a code with arguments. Output: a text in a
// language.
package wording

import (
	_ "embed"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"quartier/schemas"
	"quartier/schemas/tsv"
)

// Language is a language of reports.
type Language int

// The languages.
const (
	English Language = iota
	French
)

// Line is a line of a report: a code of lines.tsv with arguments, or a formula. A nil one is empty.
//
// Texts have the verbs of package fmt for the arguments, in the same order in both languages. Symbols of formulas are in braces,
// where their names or numbers belong.
type Line struct {
	code    string
	args    []any
	formula string // instead of a code
}

// Say is the line with a code. Of the arguments, numbers are written as in the language; Class, Classes, Symbol and *Line have
// texts themselves; others stay as they are.
func Say(code string, args ...any) *Line { return &Line{code: code, args: args} }

// Formula is a formula of symbols, which is the same in both languages but for their names: "5 × {share}".
func Formula(text string) *Line { return &Line{formula: text} }

// Is reports whether the line has one of the codes.
func (l *Line) Is(codes ...string) bool {
	for _, code := range codes {
		if l != nil && l.code == code {
			return true
		}
	}
	return false
}

// List joins lines by lines with a code of two arguments; nil without any.
func List(code string, lines []*Line) (list *Line) {
	for _, line := range lines {
		if list == nil {
			list = line
		} else {
			list = Say(code, list, line)
		}
	}
	return list
}

type (
	// Class is a class of places, streets or modes, or a kind of errand: "bus_stop".
	Class string
	// Classes are several, which a line lists.
	Classes []string
	// Symbol is a symbol of formulas, the name of a channel among them.
	Symbol string
)

//go:embed lines.tsv
var linesText string

// texts are the texts of lines.tsv by kind and code.
var texts = sync.OnceValue(func() map[[2]string]schemas.Text {
	texts := map[[2]string]schemas.Text{}
	for _, row := range tsv.MustParse("lines.tsv", linesText, "kind", "code", "en", "fr") {
		texts[[2]string{row[0], row[1]}] = schemas.Text{EN: row[2], FR: row[3]}
	}
	return texts
})

// find is a text of the table, or what is written where it has none.
func (in Language) find(kind, code, without string) string {
	text, ok := texts()[[2]string{kind, code}]
	switch {
	case !ok:
		return without
	case in == French:
		return text.FR
	}
	return text.EN
}

// Symbol is a symbol; one without words, such as λ, stays.
func (in Language) Symbol(symbol string) string { return in.find("symbol", symbol, symbol) }

// Classes lists classes.
func (in Language) Classes(classes []string) string {
	names := make([]string, len(classes))
	for i, class := range classes {
		names[i] = in.find("class", class, strings.ReplaceAll(class, "_", " "))
	}
	return strings.Join(names, ", ")
}

// Text is a line with the names of its symbols.
func (in Language) Text(l *Line) string { return in.Filled(l, nil) }

// HasSymbols reports whether a line has symbols, for which there are numbers.
func (l *Line) HasSymbols() bool { return strings.Contains(English.template(l), "{") }

func (in Language) template(l *Line) string {
	if l.code == "" {
		return in.Number(l.formula)
	}
	return in.find("line", l.code, l.code)
}

var inBraces = regexp.MustCompile(`\{[^}]+\}`)

// Filled is a line with numbers in place of the symbols that have one.
func (in Language) Filled(l *Line, numbers map[string]string) string {
	if l == nil {
		return ""
	}
	text := inBraces.ReplaceAllStringFunc(in.template(l), func(symbol string) string {
		symbol = strings.Trim(symbol, "{}")
		if number, ok := numbers[symbol]; ok {
			return number
		}
		return in.Symbol(symbol)
	})
	if l.code == "" {
		return text
	}
	args := make([]any, len(l.args))
	for i, a := range l.args {
		args[i] = in.argument(a)
	}
	return fmt.Sprintf(text, args...)
}

func (in Language) argument(a any) any {
	switch a := a.(type) {
	case Class:
		return in.Classes([]string{string(a)})
	case Classes:
		return in.Classes(a)
	case Symbol:
		return in.Symbol(string(a))
	case *Line:
		return in.Text(a)
	case float64:
		if in == French {
			return comma(a)
		}
	}
	return a
}

// comma is a number that is written with a decimal comma.
type comma float64

// Format writes the number as fmt does, but for the point.
func (c comma) Format(state fmt.State, verb rune) {
	io.WriteString(state, French.Number(fmt.Sprintf(fmt.FormatString(state, verb), float64(c))))
}

var decimalPoint = regexp.MustCompile(`(\d)\.(\d)`)

// Number writes the numbers of a text with the decimal sign of the language.
func (in Language) Number(text string) string {
	if in == French {
		return decimalPoint.ReplaceAllString(text, "$1,$2")
	}
	return text
}
