package param

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/paulmach/orb"

	"quartier/internal/wkt"
)

// Latitude declares a latitude in degrees, −90 to 90; outside is ErrRange.
func Latitude[Q any](name string, at func(*Q) *Value[float64]) *Param[Q] {
	return coordinate(name, 90, at).Doc("Latitude in decimal degrees, -90 to 90.")
}

// Longitude declares a longitude in degrees, −180 to 180; outside is ErrRange. 180 becomes −180.
func Longitude[Q any](name string, at func(*Q) *Value[float64]) *Param[Q] {
	p := coordinate(name, 180, at)
	read := p.read
	p.read = func(q *Q, text string) error {
		err := read(q, text)
		if at(q).V == 180 {
			at(q).V = -180 // one meridian, one answer
		}
		return err
	}
	return p.Doc("Longitude in decimal degrees, -180 to 180.")
}

func coordinate[Q any](name string, limit float64, at func(*Q) *Value[float64]) *Param[Q] {
	low, high := -limit, limit
	spec := Spec{Name: name, Kind: Number, Min: &low, Max: &high}
	return &Param[Q]{Spec: spec, read: func(q *Q, text string) error {
		v, ok := decimal(text)
		if !ok {
			return Bad(name, Malformed, "%s %s is not a decimal number", name, Quote(text))
		}
		*at(q) = Value[float64]{v, true} // also if out of range: rules check which parameters are given
		if v < low || v > high {
			return outOfRange(name, "%s is %s, it must be from %v to %v", name, Quote(text), low, high)
		}
		return nil
	}}
}

// Positive declares a number above 0 and at most max, with a default.
func Positive[Q any](name string, max, standard float64, at func(*Q) *Value[float64]) *Param[Q] {
	zero := 0.0
	p := number(name, standard, at, func(v float64) bool { return v > 0 && v <= max }, fmt.Sprintf("above 0 and at most %v", max))
	p.Above, p.Max = &zero, &max
	return p
}

// AboveZero declares a finite number above 0, with a default. The endpoint checks its maximum.
func AboveZero[Q any](name string, standard float64, at func(*Q) *Value[float64]) *Param[Q] {
	zero := 0.0
	p := number(name, standard, at, func(v float64) bool { return v > 0 && v <= math.MaxFloat64 }, "above 0 and finite")
	p.Above = &zero
	return p
}

// FromZero declares a number of at least 0, with a default. The endpoint checks its maximum.
func FromZero[Q any](name string, standard float64, at func(*Q) *Value[float64]) *Param[Q] {
	zero := 0.0
	p := number(name, standard, at, func(v float64) bool { return v >= 0 }, "0 or more")
	p.Min = &zero
	return p
}

func number[Q any](name string, standard float64, at func(*Q) *Value[float64], fits func(float64) bool, rule string) *Param[Q] {
	spec := Spec{Name: name, Kind: Number, Default: strconv.FormatFloat(standard, 'f', -1, 64)}
	return &Param[Q]{Spec: spec,
		init: func(q *Q) { at(q).V = standard },
		read: func(q *Q, text string) error {
			v, ok := decimal(text)
			if !ok {
				return Bad(name, Malformed, "%s %s is not a decimal number", name, Quote(text))
			}
			if !fits(v) {
				return Bad(name, OutOfRange, "%s is %s, it must be %s", name, Quote(text), rule)
			}
			*at(q) = Value[float64]{v, true}
			return nil
		}}
}

// Count declares a whole number from 1 to max, with a default.
func Count[Q any](name string, max, standard int, at func(*Q) *Value[int]) *Param[Q] {
	one, limit := 1.0, float64(max)
	spec := Spec{Name: name, Kind: Integer, Min: &one, Max: &limit, Default: strconv.Itoa(standard)}
	return &Param[Q]{Spec: spec,
		init: func(q *Q) { at(q).V = standard },
		read: func(q *Q, text string) error {
			v, err := strconv.Atoi(text)
			if err != nil && !errors.Is(err, strconv.ErrRange) || strings.HasPrefix(text, "+") {
				return Bad(name, Malformed, "%s %s is not a whole number", name, Quote(text))
			}
			if err != nil || v < 1 || v > max {
				return Bad(name, OutOfRange, "%s is %s, it must be from 1 to %d", name, Quote(text), max)
			}
			*at(q) = Value[int]{v, true}
			return nil
		}}
}

// Choice declares one of a few words, with a default; "": none.
func Choice[Q any](name, standard string, options []string, at func(*Q) *Value[string]) *Param[Q] {
	return &Param[Q]{Spec: Spec{Name: name, Kind: Text, Options: options, Default: standard},
		init: func(q *Q) { at(q).V = standard },
		read: func(q *Q, text string) error {
			i := slices.Index(options, text)
			if i < 0 {
				return Bad(name, NotAllowed, "%s is %s, it must be %s", name, Quote(text), oneOf(options))
			}
			*at(q) = Value[string]{options[i], true}
			return nil
		}}
}

// Flag declares a boolean, true or false in any case, which is false by default.
func Flag[Q any](name string, at func(*Q) *Value[bool]) *Param[Q] {
	return &Param[Q]{Spec: Spec{Name: name, Kind: Boolean, Default: "false"},
		read: func(q *Q, text string) error {
			v := strings.EqualFold(text, "true")
			if !v && !strings.EqualFold(text, "false") {
				return Bad(name, Malformed, "%s is %s, it must be true or false", name, Quote(text))
			}
			*at(q) = Value[bool]{v, true}
			return nil
		}}
}

// Phrase declares a text of 1 to maxChars characters without control characters.
func Phrase[Q any](name string, maxChars int, at func(*Q) *Value[string]) *Param[Q] {
	return &Param[Q]{Spec: Spec{Name: name, Kind: Text, MaxChars: maxChars},
		read: func(q *Q, text string) error {
			switch {
			case strings.TrimSpace(text) == "":
				return Bad(name, Empty, "%s is empty", name)
			case !Printable(text):
				return Bad(name, Malformed, "%s is not text in UTF-8 without control characters", name)
			case utf8.RuneCountInString(text) > maxChars:
				return Bad(name, TooLong, "%s has %d characters, at most %d are allowed", name, utf8.RuneCountInString(text), maxChars)
			}
			*at(q) = Value[string]{text, true}
			return nil
		}}
}

// Moment declares a time in the form of RFC 3339, such as 2026-05-04T12:00:00Z.
func Moment[Q any](name string, at func(*Q) *Value[time.Time]) *Param[Q] {
	return &Param[Q]{Spec: Spec{Name: name, Kind: Time},
		read: func(q *Q, text string) error {
			v, err := time.Parse(time.RFC3339, text)
			if err != nil {
				return Bad(name, Malformed, "%s is %s, it must be a time such as 2026-05-04T12:00:00Z", name, Quote(text))
			}
			*at(q) = Value[time.Time]{v, true}
			return nil
		}}
}

// Subset declares a list of items of a vocabulary of at most 64 words. The value has a bit for each word, by index; an
// absent list has none.
func Subset[Q any](name string, options []string, at func(*Q) *Value[uint64]) *Param[Q] {
	if len(options) > 64 {
		panic("param: " + name + " has more than 64 options")
	}
	return &Param[Q]{Spec: Spec{Name: name, Kind: List, Options: options},
		read: func(q *Q, text string) error {
			var bits uint64
			err := items(name, text, func(item string) error {
				i := slices.Index(options, item)
				if i < 0 {
					return Bad(name, NotAllowed, "%s has %s, which is not one of %s", name, Quote(item), strings.Join(options, ", "))
				}
				bits |= 1 << i
				return nil
			})
			*at(q) = Value[uint64]{bits, true}
			return err
		}}
}

// Ordered declares a list of items of a vocabulary, in the order given. A repeated item counts once.
func Ordered[Q any](name string, options []string, at func(*Q) *Value[[]string]) *Param[Q] {
	return &Param[Q]{Spec: Spec{Name: name, Kind: List, Options: options},
		read: func(q *Q, text string) error {
			var words []string
			err := items(name, text, func(item string) error {
				switch i := slices.Index(options, item); {
				case i < 0:
					return Bad(name, NotAllowed, "%s has %s, which is not one of %s", name, Quote(item), strings.Join(options, ", "))
				case !slices.Contains(words, item):
					words = append(words, options[i])
				}
				return nil
			})
			*at(q) = Value[[]string]{words, true}
			return err
		}}
}

// Words declares a list of at most maxItems items that match a pattern, in the order given. Items with control
// characters are rejected, whatever the pattern.
func Words[Q any](name, pattern string, maxItems int, at func(*Q) *Value[[]string]) *Param[Q] {
	form := regexp.MustCompile(`^(?:` + pattern + `)$`)
	return &Param[Q]{Spec: Spec{Name: name, Kind: List, Pattern: pattern, MaxItems: maxItems},
		read: func(q *Q, text string) error {
			var words []string
			err := items(name, text, func(item string) error {
				if !Printable(item) {
					return Bad(name, Malformed, "%s has %s, which is not text in UTF-8 without control characters", name, Quote(item))
				}
				if !form.MatchString(item) {
					return Bad(name, Malformed, "%s has %s, which is not of the form %s", name, Quote(item), pattern)
				}
				if words = append(words, item); len(words) > maxItems {
					return Bad(name, TooMany, "%s has more than %d items", name, maxItems)
				}
				return nil
			})
			*at(q) = Value[[]string]{words, true}
			return err
		}}
}

// Area declares a WKT polygon of at most maxChars characters; a vertex outside ±180 ±90 is ErrRange.
func Area[Q any](name string, maxChars int, at func(*Q) *Value[orb.Ring]) *Param[Q] {
	return &Param[Q]{Spec: Spec{Name: name, Kind: Polygon, MaxChars: maxChars},
		read: func(q *Q, text string) error {
			at(q).Given = true
			ring, err := wkt.Parse(text, maxChars)
			at(q).V = ring // also if out of range: rules check its extent first
			if errors.Is(err, wkt.ErrRange) {
				return outOfRange(name, "%s: %v", name, err)
			}
			if err != nil {
				return Bad(name, Malformed, "%s: %v", name, err)
			}
			return nil
		}}
}

// Printable reports whether a text is UTF-8 without control characters.
func Printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// items visits the items of a comma-separated list; an empty item is ErrBad.
func items(name, text string, visit func(string) error) error {
	for rest, more := text, true; more; {
		var item string
		item, rest, more = strings.Cut(rest, ",")
		if item == "" {
			return Bad(name, Empty, "%s has an empty item", name)
		}
		if err := visit(item); err != nil {
			return err
		}
	}
	return nil
}

// decimal parses a decimal number, with or without an exponent.
func decimal(text string) (float64, bool) {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9', c == '-', c == '+', c == '.', c == 'e', c == 'E':
		default:
			return 0, false // hex, Inf, NaN and underscores, which strconv accepts
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if errors.Is(err, strconv.ErrRange) && !math.IsNaN(v) {
		return v, true // ±Inf, outside of every range
	}
	return v, err == nil
}

func oneOf(options []string) string {
	if len(options) == 1 {
		return options[0]
	}
	return "one of " + strings.Join(options, ", ")
}
