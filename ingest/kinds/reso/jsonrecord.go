package reso

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"quartier/ingest/source"
)

// jsonRecord reads the values of an object of JSON into slots. Numbers and truth values are kept as written; null, arrays
// and objects are missing, except that the first text of an array counts, and that changes of a listing may be nested in it.
type jsonRecord struct {
	slots   *slots
	known   map[string]int // slot of a name, −1: none
	history string         // array of HistoryTransactional of the last object; "": none
}

// nestedSlot is the place of HistoryTransactional.
const nestedSlot = -2

var errJSON = errors.New("no valid JSON")

// read reads an object. Cells are emptied first.
func (r *jsonRecord) read(text string, cells []string) error {
	clear(cells)
	r.history = ""
	s := jsonScanner{text: text}
	s.space()
	if !s.take('{') {
		return fmt.Errorf("%w object", errJSON)
	}
	s.space()
	if s.take('}') {
		return s.finish()
	}
	for {
		s.space()
		name, err := s.string()
		if err != nil {
			return err
		}
		s.space()
		if !s.take(':') {
			return s.fault()
		}
		s.space()
		if slot := r.slot(name); slot < 0 {
			start := s.at
			if err = s.value(0); slot == nestedSlot && text[start] == '[' {
				r.history = text[start:s.at]
			}
		} else {
			cells[slot], err = s.cell()
		}
		if err != nil {
			return err
		}
		s.space()
		if s.take('}') {
			return s.finish()
		}
		if !s.take(',') {
			return s.fault()
		}
	}
}

// mostNames bounds the names that are remembered.
const mostNames = 10_000

func (r *jsonRecord) slot(name string) int {
	if slot, known := r.known[name]; known {
		return slot
	}
	slot := r.slots.of(name)
	if slot < 0 && fold(name) == "historytransactional" {
		slot = nestedSlot
	}
	if len(r.known) < mostNames {
		r.known[strings.Clone(name)] = slot
	}
	return slot
}

// jsonScanner reads JSON strictly.
type jsonScanner struct {
	text string
	at   int
}

func (s *jsonScanner) fault() error { return fmt.Errorf("%w at byte %d", errJSON, s.at) }

// finish returns an error if anything but space follows.
func (s *jsonScanner) finish() error {
	if !s.blank() {
		return s.fault()
	}
	return nil
}

func (s *jsonScanner) blank() bool {
	s.space()
	return s.at == len(s.text)
}

func (s *jsonScanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

func (s *jsonScanner) take(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// cell reads a value as text.
func (s *jsonScanner) cell() (string, error) {
	if s.at >= len(s.text) {
		return "", s.fault()
	}
	start := s.at
	switch c := s.text[s.at]; c {
	case '"':
		text, err := s.string()
		return strings.TrimSpace(text), err
	case '[':
		if err := s.value(0); err != nil {
			return "", err
		}
		inner := jsonScanner{text: s.text[:s.at], at: start + 1}
		inner.space()
		text, err := inner.string()
		if err != nil {
			return "", nil // of other things than texts
		}
		return strings.TrimSpace(text), nil
	case '{', 'n':
		return "", s.value(0)
	}
	err := s.value(0)
	return s.text[start:s.at], err
}

// value passes over a value.
func (s *jsonScanner) value(depth int) error {
	if depth > source.MaxXMLDepth || s.at >= len(s.text) {
		return s.fault()
	}
	switch c := s.text[s.at]; {
	case c == '"':
		return s.skipString()
	case c == '{', c == '[':
		return s.container(c+2, depth) // } is { + 2, ] is [ + 2
	case c == '-' || c >= '0' && c <= '9':
		return s.number()
	}
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(s.text[s.at:], word) {
			s.at += len(word)
			return nil
		}
	}
	return s.fault()
}

func (s *jsonScanner) container(closing byte, depth int) error {
	s.at++
	s.space()
	if s.take(closing) {
		return nil
	}
	for {
		s.space()
		if closing == '}' {
			if err := s.skipString(); err != nil {
				return err
			}
			if s.space(); !s.take(':') {
				return s.fault()
			}
			s.space()
		}
		if err := s.value(depth + 1); err != nil {
			return err
		}
		s.space()
		if s.take(closing) {
			return nil
		}
		if !s.take(',') {
			return s.fault()
		}
	}
}

func (s *jsonScanner) digits() bool {
	start := s.at
	for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
		s.at++
	}
	return s.at > start
}

func (s *jsonScanner) number() error {
	s.take('-')
	if !s.take('0') && !s.digits() {
		return s.fault()
	}
	if s.take('.') && !s.digits() {
		return s.fault()
	}
	if s.take('e') || s.take('E') {
		if !s.take('+') {
			s.take('-')
		}
		if !s.digits() {
			return s.fault()
		}
	}
	return nil
}

func (s *jsonScanner) skipString() error {
	_, _, err := s.quoted()
	return err
}

// string reads a text. It shares the memory of the record unless it has escapes.
func (s *jsonScanner) string() (string, error) {
	raw, escaped, err := s.quoted()
	if err != nil || !escaped {
		return raw, err
	}
	return unescape(raw), nil
}

// quoted passes over a text and returns what is between its quotes.
func (s *jsonScanner) quoted() (raw string, escaped bool, err error) {
	if !s.take('"') {
		return "", false, s.fault()
	}
	start := s.at
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return s.text[start : s.at-1], escaped, nil
		case c == '\\':
			escaped = true
			if !s.escape() {
				return "", false, s.fault()
			}
		case c < ' ':
			return "", false, s.fault()
		default:
			s.at++
		}
	}
	return "", false, s.fault()
}

// escape passes over an escape.
func (s *jsonScanner) escape() bool {
	s.at++
	if s.at >= len(s.text) {
		return false
	}
	c := s.text[s.at]
	s.at++
	if c != 'u' {
		return strings.IndexByte(`"\/bfnrt`, c) >= 0
	}
	for range 4 {
		if s.at >= len(s.text) || hexDigit(s.text[s.at]) < 0 {
			return false
		}
		s.at++
	}
	return true
}

func hexDigit(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10
	}
	return -1
}

func codeUnit(text string) (r rune) {
	for i := range 4 {
		r = r<<4 | hexDigit(text[i])
	}
	return r
}

// unescape replaces the escapes of a valid text.
func unescape(raw string) string {
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c != '\\' {
			b.WriteByte(c)
			continue
		}
		i++
		switch c = raw[i]; c {
		case 'b', 'f', 'n', 'r', 't':
			b.WriteByte("\b\f\n\r\t"[strings.IndexByte("bfnrt", c)])
		case 'u':
			r := codeUnit(raw[i+1:])
			i += 4
			if utf16.IsSurrogate(r) {
				low := rune(utf8.RuneError)
				if rest := raw[i+1:]; strings.HasPrefix(rest, `\u`) {
					low = codeUnit(rest[2:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					i += 6
				}
			}
			b.WriteRune(r)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
