// Package param parses and checks the queries of requests. An endpoint declares each of its parameters once, as a Set
// over a struct of its own; the set fills that struct from a raw query, and lists the declarations for the OpenAPI
// document.
//
// Input: the raw query of a URL. Output: the endpoint's struct, or an *Error of the kind ErrBad or ErrRange.
// Unknown parameters are ignored, and a parameter without a value is absent. A list that is given several times is the
// union of its items, and its name can end in brackets: "tags=a, b", "tags=a&tags=b" and "tags[]=a&tags[]=b" are the
// same. Any other known parameter that is given twice is rejected, because either value would be a guess.
package param

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// The kinds of errors. A query with one error of each kind is ErrBad.
var (
	ErrBad   = errors.New("invalid parameter")         // missing, unparsable, not one of the allowed values, or over a limit
	ErrRange = errors.New("parameter is out of range") // a latitude or longitude outside ±90 or ±180
)

// Error is a rejected request. It is shown to the caller.
type Error struct {
	Kind      error  // ErrBad or ErrRange
	Parameter string // name of the parameter, field or header that is wrong; "": the whole body
	Reason    Reason
	Detail    string // a sentence
}

func (e *Error) Error() string { return e.Detail }

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Kind }

// Reason is why a request is rejected, for programs. The words are stable.
type Reason string

// The reasons; Reasons says what they mean.
const (
	Required    Reason = "required"
	Repeated    Reason = "repeated"
	Conflicting Reason = "conflicting"
	Malformed   Reason = "malformed"
	Empty       Reason = "empty"
	NotAllowed  Reason = "not_allowed"
	Unknown     Reason = "unknown_field"
	OutOfRange  Reason = "out_of_range"
	TooLong     Reason = "too_long"
	TooMany     Reason = "too_many"
	TooLarge    Reason = "too_large"
	TooSmall    Reason = "too_small"
	BadShape    Reason = "bad_shape"
	Abroad      Reason = "abroad"
	NotCovered  Reason = "not_covered"
)

// Reasons are the reasons with what they mean, in English.
var Reasons = []struct {
	Reason Reason
	Doc    string
}{
	{Required, "It is not given."},
	{Repeated, "It is given more than once."},
	{Conflicting, "It cannot be combined with another one that is given."},
	{Malformed, "It has not the form of its kind: a number, a boolean, WKT, JSON …."},
	{Empty, "It has nothing in it."},
	{NotAllowed, "It is none of the words that are allowed."},
	{Unknown, "No field has this name."},
	{OutOfRange, "A number or coordinate is beyond its limits."},
	{TooLong, "More characters or bytes than allowed."},
	{TooMany, "More items than allowed."},
	{TooLarge, "An area or circle extends too far."},
	{TooSmall, "An area is too small."},
	{BadShape, "An outline crosses or touches itself."},
	{Abroad, "It is outside Canada and the United States."},
	{NotCovered, "No source of the release covers it."},
}

// Bad makes an Error of the kind ErrBad.
func Bad(parameter string, reason Reason, format string, args ...any) error {
	return &Error{ErrBad, parameter, reason, fmt.Sprintf(format, args...)}
}

// Alone is the error of one of two parameters that are given together, of which the first or the second is given.
func Alone(first bool, a, b string) error {
	missing := a
	if first {
		missing = b
	}
	return Bad(missing, Required, "%s and %s must be given together", a, b)
}

// Missing makes an Error of the kind ErrRange: the API specification answers a scores request without any place with
// the status of a place out of range.
func Missing(parameter, format string, args ...any) error {
	return &Error{ErrRange, parameter, Required, fmt.Sprintf(format, args...)}
}

func outOfRange(parameter, format string, args ...any) error {
	return &Error{ErrRange, parameter, OutOfRange, fmt.Sprintf(format, args...)}
}

// Value is the value of a parameter in a request.
type Value[T any] struct {
	V     T // the default, or zero, if the parameter was not given
	Given bool
}

// Kind is the type of a value.
type Kind string

// The kinds of parameters.
const (
	Number  Kind = "number"
	Integer Kind = "integer"
	Boolean Kind = "boolean"
	Text    Kind = "string"
	List    Kind = "list"    // separated by commas
	Polygon Kind = "polygon" // WKT, longitude first
	Time    Kind = "time"    // RFC 3339
)

// Spec is the declaration of one parameter for the OpenAPI document.
type Spec struct {
	Name     string
	Kind     Kind
	Doc      string // in English
	Required bool
	Default  string   // "": none
	Options  []string // the allowed values, or the allowed items of a list; nil: any
	Pattern  string   // regular expression of a text or of the items of a list; "": any
	Min, Max *float64 // of a number, inclusive
	Above    *float64 // of a number, exclusive
	MaxChars int      // of a text or polygon; 0: no limit of its own
	MaxItems int      // of a list; 0: no limit of its own
}

// Param binds a declaration to a field of Q.
type Param[Q any] struct {
	Spec
	read func(q *Q, text string) error // parses the unescaped text
	init func(q *Q)                    // sets the default; nil: none
}

// Doc sets the description.
func (p *Param[Q]) Doc(text string) *Param[Q] {
	p.Spec.Doc = text
	return p
}

// Required makes the parameter required.
func (p *Param[Q]) Required() *Param[Q] {
	p.Spec.Required = true
	return p
}

// Set has the parameters of one endpoint.
type Set[Q any] struct {
	params []*Param[Q]
	rule   func(*Q) error
}

const (
	maxParams = 16   // of one endpoint
	maxTimes  = 1000 // that a list is given in one query
)

// NewSet declares the parameters of an endpoint. The rule, if any, checks them together after each was parsed; its
// errors wrap ErrBad. An invalid declaration panics.
func NewSet[Q any](rule func(*Q) error, params ...*Param[Q]) *Set[Q] {
	if len(params) > maxParams {
		panic(fmt.Sprintf("param: %d parameters, at most %d", len(params), maxParams))
	}
	for i, p := range params {
		for _, other := range params[:i] {
			if other.Name == p.Name {
				panic("param: " + p.Name + " is declared twice")
			}
		}
	}
	return &Set[Q]{params, rule}
}

// Specs lists the declarations in their order.
func (s *Set[Q]) Specs() []Spec {
	specs := make([]Spec, len(s.params))
	for i, p := range s.params {
		specs[i] = p.Spec
	}
	return specs
}

// Parse fills q, which must be zero, from a raw query. It appends the canonical form of the query to canonical:
// "lat=1&lng=2", "lng=2&lat=1" and "l%61t=1&lng=2&x=3" have the same one.
func (s *Set[Q]) Parse(raw string, q *Q, canonical []byte) ([]byte, error) {
	var given [maxParams]string // "" if absent
	var times [maxParams]int
	for raw != "" {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		key, text, _ := strings.Cut(pair, "=")
		at := s.find(key)
		if at < 0 {
			continue
		}
		p := s.params[at]
		text, err := unescape(text)
		if err != nil {
			return canonical, Bad(p.Name, Malformed, "%s has an invalid percent escape", p.Name)
		}
		times[at]++
		switch {
		case p.Kind == List && times[at] <= maxTimes:
			text = joinLists(given[at], text)
		case p.Kind == List:
			return canonical, Bad(p.Name, TooMany, "%s is given more than %d times", p.Name, maxTimes)
		case times[at] > 1:
			return canonical, Bad(p.Name, Repeated, "%s is given more than once", p.Name)
		}
		given[at] = text
	}
	err := s.fill(q, &given)
	for at := range s.params {
		if given[at] != "" {
			canonical = binary.AppendUvarint(append(canonical, byte(at+1)), uint64(len(given[at])))
			canonical = append(canonical, given[at]...)
		}
	}
	return canonical, err
}

// fill parses the given values in the order of the declarations. An ErrRange is returned only if nothing is ErrBad.
func (s *Set[Q]) fill(q *Q, given *[maxParams]string) error {
	var late error
	for at, p := range s.params {
		if p.init != nil {
			p.init(q)
		}
		if given[at] == "" {
			if p.Spec.Required {
				return Bad(p.Name, Required, "%s is required", p.Name)
			}
			continue
		}
		err := p.read(q, given[at])
		switch {
		case err == nil:
		case errors.Is(err, ErrRange):
			late = err
		default:
			return err
		}
	}
	if s.rule != nil {
		if err := s.rule(q); err != nil {
			return err
		}
	}
	return late
}

// find returns the index of a parameter by its name in a query; −1 if it is unknown.
func (s *Set[Q]) find(key string) int {
	key, err := unescape(key)
	if err != nil {
		return -1
	}
	name, brackets := strings.CutSuffix(key, "[]")
	at := slices.IndexFunc(s.params, func(p *Param[Q]) bool { return p.Name == name })
	if brackets && at >= 0 && s.params[at].Kind != List {
		return -1
	}
	return at
}

// joinLists appends the items of text to a list, each without the blanks around it. Blanks alone are an empty list.
func joinLists(list, text string) string {
	if strings.ContainsAny(text, " \t") {
		items := strings.Split(text, ",")
		for i := range items {
			items[i] = strings.Trim(items[i], " \t")
		}
		text = strings.Join(items, ",")
	}
	if list == "" || text == "" {
		return list + text
	}
	return list + "," + text
}

func unescape(text string) (string, error) {
	if strings.IndexByte(text, '%') < 0 && strings.IndexByte(text, '+') < 0 {
		return text, nil
	}
	return url.QueryUnescape(text)
}

// Quote prepares a value of a request for a message: at most 40 bytes, one line, ASCII.
func Quote(text string) string {
	const most = 40
	if len(text) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		return fmt.Sprintf("%+q…", text[:cut])
	}
	return fmt.Sprintf("%+q", text)
}
