package french

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quartier/internal/prose/phrase"
)

// The spaces that a line does not break at: NoBreak before : % $ and inside « », Narrow before ; ? and !.
const (
	NoBreak = "\u00a0"
	Narrow  = "\u202f"
)

// Write joins tokens to a sentence, without its full stop: elision, contraction, spaces, a capital at the start. masked is
// the sentence with N for each name and 0 for each number.
func (f *French) Write(tokens []phrase.Token) (text, masked string) {
	tokens = contract(elide(tokens))
	var b, m strings.Builder
	b.Grow(phrase.UsualBytes)
	m.Grow(phrase.UsualBytes)
	for i, t := range tokens {
		if i > 0 {
			space := between(tokens[i-1], t)
			b.WriteString(space)
			m.WriteString(space)
		}
		b.WriteString(capital(t.Text, i == 0))
		word := t.Text
		switch t.Class {
		case phrase.Proper:
			word = "N"
		case phrase.Figure:
			word = "0"
		}
		m.WriteString(capital(word, i == 0))
	}
	return b.String(), m.String()
}

// elided are the words that elide before a vowel sound, with what is left of them.
var elided = map[string]string{
	"de": "d’", "que": "qu’", "ne": "n’", "se": "s’", "je": "j’", "jusque": "jusqu’", "lorsque": "lorsqu’", "puisque": "puisqu’",
}

// elide shortens le, la, de, que, ne … before a vowel sound: l’avenue, d’Oka, qu’il; si before il.
func elide(tokens []phrase.Token) []phrase.Token {
	result := make([]phrase.Token, len(tokens))
	copy(result, tokens)
	for i := 0; i+1 < len(result); i++ {
		t, next := &result[i], result[i+1]
		switch {
		case t.Class == phrase.Article && (t.Text == "le" || t.Text == "la") && begins(next):
			t.Text = "l’"
		case t.Class != phrase.Word:
		case elided[t.Text] != "" && begins(next):
			t.Text = elided[t.Text]
		case t.Text == "si" && (next.Text == "il" || next.Text == "ils"):
			t.Text = "s’"
		}
	}
	return result
}

// begins reports whether a token begins with a vowel sound, so that what is before it elides.
func begins(t phrase.Token) bool {
	switch t.Class {
	case phrase.Word:
		return VowelSound(t.Text)
	case phrase.Proper:
		return t.Elide
	case phrase.Figure:
		return strings.HasPrefix(t.Text, "un") // un, une: not before digits, huit
	}
	return false
}

// contract merges de and à with le and les: du, des, au, aux.
func contract(tokens []phrase.Token) []phrase.Token {
	result := tokens[:0]
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.Class == phrase.Word && i+1 < len(tokens) && tokens[i+1].Class == phrase.Article {
			if merged := contraction(t.Text, strings.ToLower(tokens[i+1].Text)); merged != "" {
				t.Text = merged
				i++
			}
		}
		result = append(result, t)
	}
	return result
}

func contraction(preposition, article string) string {
	switch preposition + " " + article {
	case "de le":
		return "du"
	case "de les":
		return "des"
	case "à le":
		return "au"
	case "à les":
		return "aux"
	}
	return ""
}

// between is the space between two tokens.
func between(left, right phrase.Token) string {
	switch {
	case strings.HasSuffix(left.Text, "’") && left.Class != phrase.Proper:
		return ""
	case left.Text == "(" || right.Text == ")" || right.Text == "," || right.Text == ".":
		return ""
	case right.Text == ":" || left.Text == "«" || right.Text == "»":
		return NoBreak
	case right.Text == ";" || right.Text == "?" || right.Text == "!":
		return Narrow
	}
	return " "
}

func capital(word string, first bool) string {
	if !first {
		return word
	}
	r, n := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[n:]
}
