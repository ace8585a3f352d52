package phrase

import (
	"fmt"
	"strings"
	"unicode"
)

// Pattern is a clause with slots. In a file of patterns a line without indent names the kind of message, and each indented
// line below it is a way to say it:
//
//	water
//		{place} lies on {water}
//		& {water} runs along {place:in}
//
// {name:form} is a slot in a form of its language, {name?is|are} a word that agrees with a slot (one, several; or masculine
// and feminine of one and of several). A clause that begins with & may be joined with another.
type Pattern struct {
	ID    string // kind/number from 1
	Joins bool
	Parts []Part
}

// Part is a token or a slot of a pattern.
type Part struct {
	Token   Token // if Slot is ""
	Slot    string
	Form    string
	Choices []string // words that agree with the slot, instead of what fills it
}

// Patterns are the patterns of a language by kind of message.
type Patterns map[string][]Pattern

// Parse reads a file of patterns.
func Parse(text string) (Patterns, error) {
	patterns, kind := Patterns{}, ""
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		if line[0] != '\t' {
			if kind = strings.TrimSpace(line); patterns[kind] != nil {
				return nil, fmt.Errorf("line %d: %q has patterns already", i+1, kind)
			}
			patterns[kind] = []Pattern{}
			continue
		}
		clause, joins := strings.CutPrefix(strings.TrimSpace(line), "& ")
		parts, err := parseClause(clause)
		if err != nil || kind == "" {
			return nil, fmt.Errorf("line %d: %q: %w", i+1, line, err)
		}
		id := fmt.Sprintf("%s/%d", kind, len(patterns[kind])+1)
		patterns[kind] = append(patterns[kind], Pattern{id, joins, parts})
	}
	return patterns, nil
}

// MustParse is Parse for embedded files, which are valid, together.
func MustParse(texts ...string) Patterns {
	patterns, err := Parse(strings.Join(texts, "\n"))
	if err != nil {
		panic(err)
	}
	return patterns
}

func parseClause(clause string) (parts []Part, err error) {
	for clause != "" {
		switch {
		case clause[0] == ' ':
			clause = clause[1:]
		case clause[0] == '{':
			inside, rest, closed := strings.Cut(clause[1:], "}")
			if !closed {
				return nil, fmt.Errorf("a slot is not closed")
			}
			parts, clause = append(parts, parseSlot(inside)), rest
		default:
			n := tokenLength(clause)
			parts, clause = append(parts, Part{Token: literal(clause[:n])}), clause[n:]
		}
	}
	return parts, nil
}

func parseSlot(inside string) Part {
	if name, choices, ok := strings.Cut(inside, "?"); ok {
		return Part{Slot: name, Choices: strings.Split(strings.ReplaceAll(choices, "'", "’"), "|")}
	}
	name, form, _ := strings.Cut(inside, ":")
	return Part{Slot: name, Form: form}
}

// tokenLength is the number of bytes of the token that s begins with: a mark, or a word up to a space, mark or slot.
func tokenLength(s string) int {
	for i, r := range s {
		if isMark(r) && i == 0 {
			return len(string(r))
		}
		if i > 0 && (r == ' ' || r == '{' || isMark(r)) {
			return i
		}
	}
	return len(s)
}

func isMark(r rune) bool { return strings.ContainsRune(",;:.?!()«»", r) }

func literal(s string) Token {
	s = strings.ReplaceAll(s, "'", "’")
	r := []rune(s)[0]
	switch {
	case isMark(r):
		return Token{Text: s, Class: Mark}
	case unicode.IsDigit(r):
		return Token{Text: s, Class: Figure}
	}
	return Token{Text: s}
}

// Literals are all words that the patterns have, in no order.
func (p Patterns) Literals() (words []string) {
	for _, list := range p {
		for _, pattern := range list {
			for _, part := range pattern.Parts {
				words = append(words, part.Choices...)
				if part.Slot == "" && part.Token.Class == Word {
					words = append(words, part.Token.Text)
				}
			}
		}
	}
	return words
}
