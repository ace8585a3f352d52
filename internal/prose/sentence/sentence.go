// Package sentence is the sentence plan: which pattern says a message, which messages share a sentence, and that no two
// sentences of a section begin alike.
package sentence

import (
	"hash/fnv"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quartier/internal/prose/phrase"
	"quartier/schemas/profile"
)

// MaxSentences is the number of sentences that a section has at most.
const MaxSentences = 5

// longest is the number of tokens up to which two messages share a sentence.
const longest = 32

// Language makes words of phrases.
type Language interface {
	Patterns() phrase.Patterns
	Joiners() phrase.Patterns // kinds and, but
	Fill(s phrase.Slot, form string, about *phrase.Subject) []phrase.Token
	Choose(s phrase.Slot, choices []string, about *phrase.Subject) string
	Write(tokens []phrase.Token) (text, masked string)
}

// Plan makes the sentences of a section of its messages, in their order. about is the place; the same place, section and
// messages have the same sentences.
func Plan(l Language, about phrase.Subject, section profile.Section, messages []phrase.Message) []profile.Sentence {
	w := writer{l: l, about: about, seed: seedOf(&about.Place, section), openings: map[string]bool{}, used: map[string]bool{}}
	joins := w.joins(messages)
	for i := 0; i < len(messages); i++ {
		if i+1 < len(messages) && joins > 0 && messages[i].Theme != "" && messages[i].Theme == messages[i+1].Theme &&
			w.pair(messages[i], messages[i+1]) {
			joins--
			i++
			continue
		}
		w.single(messages[i])
	}
	return w.sentences[:min(len(w.sentences), MaxSentences)]
}

// seedOf is what the variants of a section depend on.
func seedOf(p *profile.Place, section profile.Section) string {
	seed := p.ID + "/" + section.String()
	if p.Variant > 0 {
		seed += "/" + strconv.Itoa(int(p.Variant))
	}
	return seed
}

type writer struct {
	l         Language
	about     phrase.Subject
	seed      string
	openings  map[string]bool
	used      map[string]bool // patterns
	sentences []profile.Sentence
}

// variant is a number from 0 to n−1 by the place, the section and what is decided.
func (w *writer) variant(what string, n int) int {
	h := fnv.New64a()
	h.Write([]byte(w.seed + "/" + what))
	x := h.Sum64()
	x ^= x >> 33 // the low bits of FNV follow the last letters
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return int(x % uint64(n))
}

// joins is the number of pairs of messages that share a sentence: as many as it takes to have no more than MaxSentences, and by
// the place one more while three sentences remain.
func (w *writer) joins(messages []phrase.Message) int {
	joins := max(0, len(messages)-MaxSentences)
	if len(messages)-joins > 3 {
		joins += w.variant("joins", 2)
	}
	return joins
}

// single says a message in a sentence of its own.
func (w *writer) single(m phrase.Message) {
	patterns := w.l.Patterns()[m.Kind]
	if len(patterns) == 0 {
		return
	}
	first := w.variant(m.Kind, len(patterns))
	for i := range patterns {
		p := patterns[(first+i)%len(patterns)]
		about := w.about
		if w.used[p.ID] {
			continue
		}
		if w.add(w.fill(p, m, &about), about, p.ID, m.Facts) {
			return
		}
	}
}

// pair says two messages in one sentence; false where no pattern of theirs can be joined.
func (w *writer) pair(a, b phrase.Message) bool {
	kind := "and"
	if a.Sign*b.Sign < 0 {
		kind = "but"
	}
	left, right, joiners := joinable(w.l.Patterns()[a.Kind]), joinable(w.l.Patterns()[b.Kind]), w.l.Joiners()[kind]
	if len(left) == 0 || len(right) == 0 {
		return false
	}
	join := joiners[w.variant(a.Kind+b.Kind, len(joiners))]
	first, second := w.variant(a.Kind, len(left)), w.variant(b.Kind, len(right))
	for i := range left {
		for j := range right {
			p, q := left[(first+i)%len(left)], right[(second+j)%len(right)]
			about := w.about
			one, other := w.fill(p, a, &about), w.fill(q, b, &about)
			if alike(one, other) {
				continue
			}
			tokens := w.join(join, one, other)
			if len(tokens) > longest {
				continue
			}
			if w.add(tokens, about, p.ID+"+"+q.ID, append(append([]int{}, a.Facts...), b.Facts...)) {
				return true
			}
		}
	}
	return false
}

// alike reports whether two clauses begin with the same word, or with the same two after an article or preposition.
func alike(a, b []phrase.Token) bool {
	return len(a) > 1 && len(b) > 1 && a[0].Text == b[0].Text && (!weak[a[0].Text] || a[1].Text == b[1].Text)
}

func joinable(patterns []phrase.Pattern) (list []phrase.Pattern) {
	for _, p := range patterns {
		if p.Joins {
			list = append(list, p)
		}
	}
	return list
}

// fill replaces the slots of a pattern by their phrases.
func (w *writer) fill(p phrase.Pattern, m phrase.Message, about *phrase.Subject) []phrase.Token {
	tokens := make([]phrase.Token, 0, phrase.UsualTokens)
	for _, part := range p.Parts {
		if part.Slot == "" {
			tokens = append(tokens, part.Token)
			continue
		}
		slot := slotOf(m, part.Slot)
		if part.Choices != nil {
			tokens = append(tokens, phrase.Words(strings.Fields(w.l.Choose(slot, part.Choices, about))...)...)
			continue
		}
		tokens = append(tokens, w.l.Fill(slot, part.Form, about)...)
	}
	return tokens
}

func slotOf(m phrase.Message, name string) phrase.Slot {
	switch name {
	case "place":
		return phrase.Slot{Kind: phrase.PlaceName}
	case "city":
		return phrase.Slot{Kind: phrase.CityName}
	case "state":
		return phrase.Slot{Kind: phrase.StateName}
	case "type":
		return phrase.Slot{Kind: phrase.TypeNoun}
	case "level":
		return phrase.Slot{Kind: phrase.LevelNoun}
	}
	slot, ok := m.Slots[name]
	if !ok {
		panic("a pattern of " + m.Kind + " has a slot " + name + ", which the message has not")
	}
	return slot
}

func (w *writer) join(p phrase.Pattern, a, b []phrase.Token) (tokens []phrase.Token) {
	for _, part := range p.Parts {
		switch part.Slot {
		case "a":
			tokens = append(tokens, a...)
		case "b":
			tokens = append(tokens, b...)
		default:
			tokens = append(tokens, part.Token)
		}
	}
	return tokens
}

// add adds a sentence unless it begins as another does.
func (w *writer) add(tokens []phrase.Token, about phrase.Subject, pattern string, facts []int) bool {
	text, masked := w.l.Write(append(tokens, phrase.Token{Text: ".", Class: phrase.Mark}))
	key := opening(text)
	if first, _ := utf8.DecodeRuneInString(text); w.openings[key] || !unicode.IsUpper(first) {
		return false // 23 shops …: another pattern begins with a word
	}
	w.openings[key], w.used[pattern], w.about = true, true, about
	w.sentences = append(w.sentences, profile.Sentence{Text: text, Masked: masked, Pattern: pattern, Facts: facts})
	return true
}

// weak are first words that say so little that the second counts too.
var weak = map[string]bool{
	"the": true, "a": true, "an": true, "in": true, "on": true, "of": true, "from": true, "to": true, "for": true, "at": true, "about": true,
	"le": true, "la": true, "les": true, "un": true, "une": true, "des": true, "du": true, "de": true, "à": true, "dans": true, "en": true,
	"pour": true, "environ": true,
}

// opening is how a sentence begins, in lower case: its first word, and the second after an article or a preposition.
func opening(text string) string {
	first, rest := firstWord(text)
	if weak[first] || len(first) == 1 {
		if second, _ := firstWord(rest); second != "" {
			return first + " " + second
		}
	}
	return first
}

// firstWord is the first word of a text in lower case, and what follows it.
func firstWord(text string) (word, rest string) {
	const between = " ,;:\u00a0\u202f’"
	text = strings.TrimLeft(text, between)
	if end := strings.IndexAny(text, between); end >= 0 {
		text, rest = text[:end], text[end:]
	}
	return strings.ToLower(text), rest
}
