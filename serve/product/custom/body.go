package custom

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quartier/schemas"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/state"
)

// The limits of a body.
const (
	maxBody       = 256 << 10 // bytes
	maxName       = 200       // characters
	maxBoundaries = 100_000   // characters
)

// change is what a body changes; nil fields are absent.
type change struct {
	nameEN, nameFR, boundaries, kind *string // nameFR "" removes it
}

// body is the body of a request, or why it is none.
type body struct {
	data    []byte
	problem error
}

// readBody reads the body of a request, which takes no processor. Its error is of the customer's share.
func readBody(r *endpoint.Request) (b body, err error) {
	most := maxBody + 1
	if sent := r.HTTP.ContentLength; sent >= 0 {
		most = int(min(sent, maxBody+1))
	}
	if err := r.Share.Hold(most); err != nil {
		return b, err
	}
	into := bytes.NewBuffer(make([]byte, 0, min(most+bytes.MinRead, usualBody)))
	_, err = into.ReadFrom(io.LimitReader(r.HTTP.Body, maxBody+1))
	b.data = into.Bytes()
	switch {
	case err != nil:
		b.problem = param.Bad("", param.Malformed, "the body is truncated")
	case len(b.data) > maxBody:
		b.problem = param.Bad("", param.TooLong, "the body is longer than %d bytes", maxBody)
	}
	return b, nil
}

// usualBody is the number of bytes that are reserved for a body before any of it has arrived.
const usualBody = 4 << 10

// change checks a body, with its boundaries, which the release need not cover with acceptUncovered.
func (b body) change(r *endpoint.Request, acceptUncovered bool) (*change, error) {
	if b.problem != nil {
		return nil, b.problem
	}
	if len(b.data) > usualBody {
		if err := r.Share.Long(); err != nil {
			return nil, err
		}
	}
	c, err := parseChange(b.data)
	if err != nil || c.boundaries == nil {
		return c, err
	}
	r.Release.Stop()
	checked, err := checkBoundaries(*c.boundaries, r.Release.Stop)
	if err == nil {
		c.boundaries = &checked.text
		err = checked.checkPlace(r, acceptUncovered)
	}
	if r.Release.Stop() {
		return nil, errStopped
	}
	return c, err
}

// errStopped is why nothing is written: nobody waits for the answer any more, or it takes too long.
var errStopped = errors.New("stopped")

// parseChange parses a body and checks each of its fields but the geometry of the boundaries.
func parseChange(data []byte) (*change, error) {
	members, err := parseObject(data)
	if err != nil {
		return nil, err
	}
	c := new(change)
	for _, m := range members {
		switch m.name {
		case "name_en":
			c.nameEN, err = m.asName()
		case "name_fr":
			if c.nameFR = new(string); m.value != nil {
				c.nameFR, err = m.asName()
			}
		case "boundaries":
			c.boundaries, err = m.asText()
		case "type":
			if c.kind, err = m.asText(); err == nil && !slices.Contains(schemas.CustomGeographyTypes, *c.kind) {
				err = param.Bad("type", param.NotAllowed, "type is %s, it must be one of %s", param.Quote(*c.kind),
					strings.Join(schemas.CustomGeographyTypes, ", "))
			}
		default:
			err = param.Bad(m.name, param.Unknown, "the body has the unknown field %s", param.Quote(m.name))
		}
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// complete checks that the fields that a new request needs are there.
func (c *change) complete() error {
	for _, field := range []struct {
		name  string
		value *string
	}{{"name_en", c.nameEN}, {"boundaries", c.boundaries}, {"type", c.kind}} {
		if field.value == nil {
			return param.Bad(field.name, param.Required, "%s is required", field.name)
		}
	}
	return nil
}

func (c *change) empty() bool { return *c == change{} }

// apply changes the fields of a request.
func (c *change) apply(f *state.Fields) {
	for _, field := range []struct{ from, to *string }{{c.nameEN, &f.NameEN}, {c.nameFR, &f.NameFR}, {c.boundaries, &f.Boundaries},
		{c.kind, &f.Type}} {
		if field.from != nil {
			*field.to = *field.from
		}
	}
}

// textMember is a member of a JSON object.
type textMember struct {
	name  string
	value *string // nil: null
}

// parseObject parses one JSON object whose members are texts or null, each once.
func parseObject(data []byte) (members []textMember, err error) {
	if !utf8.Valid(data) || !json.Valid(data) {
		return nil, param.Bad("", param.Malformed, "the body is not one JSON value in UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if first, err := decoder.Token(); err != nil || first != json.Delim('{') {
		return nil, param.Bad("", param.Malformed, "the body is not a JSON object")
	}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, param.Bad("", param.Malformed, "the body is not a JSON object: %v", err)
		}
		m := textMember{name: token.(string)}
		if slices.ContainsFunc(members, func(other textMember) bool { return other.name == m.name }) {
			return nil, param.Bad(m.name, param.Repeated, "the body has the field %s more than once", param.Quote(m.name))
		}
		if token, err = decoder.Token(); err != nil {
			return nil, param.Bad("", param.Malformed, "the body is not a JSON object: %v", err)
		}
		switch value := token.(type) {
		case string:
			m.value = &value
		case nil:
		default:
			return nil, param.Bad(m.name, param.Malformed, "%s is not a text", param.Quote(m.name))
		}
		if members = append(members, m); len(members) > maxMembers {
			return nil, param.Bad("", param.TooMany, "the body has more than %d fields", maxMembers)
		}
	}
	return members, nil
}

const maxMembers = 16 // more than are known

func (m textMember) asText() (*string, error) {
	if m.value == nil {
		return nil, param.Bad(m.name, param.Malformed, "%s is null", m.name)
	}
	return m.value, nil
}

// asName is a name without the blanks around it.
func (m textMember) asName() (*string, error) {
	text, err := m.asText()
	if err != nil {
		return nil, err
	}
	name := strings.TrimSpace(*text)
	switch {
	case !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }):
		return nil, param.Bad(m.name, param.Empty, "%s is empty", m.name)
	case !param.Printable(name) || strings.ContainsAny(name, "\u2028\u2029\ufffd"):
		return nil, param.Bad(m.name, param.Malformed, "%s is not text without control characters and line breaks", m.name)
	case utf8.RuneCountInString(name) > maxName:
		return nil, param.Bad(m.name, param.TooLong, "%s has %d characters, at most %d are allowed", m.name,
			utf8.RuneCountInString(name), maxName)
	}
	return &name, nil
}
