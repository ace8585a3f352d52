package places

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/address"
	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

// template is a text with columns; an option that names a column is a template of only that column.
type template []part

type part struct {
	text   string
	column bool // text is the name of a column
}

func parseTemplate(s string) (template, error) {
	if s == "" {
		return nil, nil
	}
	if !strings.ContainsAny(s, "{}") {
		return template{{s, true}}, nil
	}
	var t template
	for rest := s; rest != ""; {
		text, inside, found := strings.Cut(rest, "{")
		if strings.Contains(text, "}") {
			return nil, errors.New("} without {")
		}
		if text != "" {
			t = append(t, part{text, false})
		}
		if !found {
			break
		}
		name, after, found := strings.Cut(inside, "}")
		if !found || name == "" || strings.Contains(name, "{") {
			return nil, errors.New("{ without the name of a column and }")
		}
		t = append(t, part{name, true})
		rest = after
	}
	return t, nil
}

// columns returns the columns of the template.
func (t template) columns() []string {
	var names []string
	for _, p := range t {
		if p.column {
			names = append(names, p.text)
		}
	}
	return names
}

// fill replaces columns by the values of a row. text is "" if all columns are empty; missing reports whether one is.
func (t template) fill(value func(column string) string) (text string, missing bool) {
	var b strings.Builder
	some := false
	for _, p := range t {
		v := p.text
		if p.column {
			v = value(p.text)
			some, missing = some || v != "", missing || v == ""
		}
		b.WriteString(v)
	}
	if !some {
		return "", true
	}
	return strings.Join(strings.Fields(b.String()), " "), missing
}

// mapping converts the values of a row to a POI.
type mapping struct {
	source  string
	country string // of the region, for rows without one; may be ""
	state   string // of the region, for rows without one; may be ""
	options Options
	limits  source.Limits
	texts   map[string]template    // by option
	byValue map[string]source.List // categories by folded value
	xy      [2]string              // columns of the coordinates, or ""
}

// columns returns the columns in the options, sorted, without duplicates.
func (m *mapping) columns() []string {
	o := m.options
	names := []string{o.Lng, o.Lat, o.X, o.Y, o.CategoryOf}
	for column := range o.Only {
		names = append(names, column)
	}
	for _, t := range m.texts {
		names = append(names, t.columns()...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// trimmed returns the values of a row without spaces around them; "" for those that mean missing.
func (m *mapping) trimmed(raw func(column string) string) func(column string) string {
	return func(column string) string {
		v := strings.TrimSpace(raw(column))
		if slices.Contains(m.options.Nulls, v) {
			return ""
		}
		return v
	}
}

// poi returns the row without its point, or why it is not staged. raw returns the value of a column as it is in the file.
// finish sets a key that depends on the point.
func (m *mapping) poi(raw func(column string) string) (source.POI, reason.Reason) {
	value := m.trimmed(raw)
	for _, column := range slices.Sorted(maps.Keys(m.options.Only)) {
		if !slices.Contains(m.options.Only[column], value(column)) {
			return source.POI{}, source.ExcludedByOption.With("only")
		}
	}
	classes, why := m.classes(value)
	if !why.OK() {
		return source.POI{}, why
	}
	text := func(option string) string {
		if t, _ := m.texts[option].fill(value); t != "" {
			return t
		}
		return m.options.Constants[option]
	}
	row := source.POI{
		Scheme: "quartier", Classes: classes,
		Details: staged.Details{
			Name: text("name"), NameFR: text("name_fr"), Brand: text("brand"), Operator: text("operator"),
			HouseNumber: text("house_number"), Street: text("street"), Address: text("address"), Unit: text("unit"),
			City: text("city"), PostalCode: text("postal_code"), Phone: text("phone"), URL: text("url"),
		},
	}
	row.CountryCode, row.StateCode = address.Complete(text("country"), text("state"), m.country, m.state)
	return row, m.key(&row, value)
}

func (m *mapping) key(row *source.POI, value func(string) string) reason.Reason {
	if m.options.Key == "" {
		return reason.Reason{}
	}
	key, missing := m.texts["key"].fill(value)
	if missing {
		return source.MissingKey
	}
	if m.texts["key"][0] == (part{m.options.Key, true}) { // only a column
		key = m.source + ":" + key
	}
	row.Key = key
	return reason.Reason{}
}

// finish sets the key of a row without a key column, which depends on name and position only.
func (m *mapping) finish(row *source.POI) {
	if row.Key == "" {
		sum := sha256.Sum256(fmt.Appendf(nil, "%.6f %.6f %s", row.Point[0], row.Point[1], row.Name))
		row.Key = fmt.Sprintf("%s:%x", m.source, sum[:8])
	}
}

func (m *mapping) classes(value func(string) string) ([]string, reason.Reason) {
	ids := m.options.Category
	if m.options.CategoryOf != "" {
		if mapped, found := m.byValue[fold(value(m.options.CategoryOf))]; found {
			ids = mapped
		}
	}
	if len(ids) == 0 || ids[0] == skip {
		return nil, source.ExcludedByOption.With("categories")
	}
	return slices.Clone(ids), reason.Reason{}
}

// point reads the coordinates in columns, or returns why it cannot and the value.
func (m *mapping) point(raw func(column string) string, number func(column string) (float64, bool)) (p orb.Point, why reason.Reason,
	value string) {
	for i, column := range m.xy {
		text := strings.TrimSpace(raw(column))
		if text == "" || slices.Contains(m.options.Nulls, text) {
			return p, source.MissingGeometry, ""
		}
		n, ok := number(column)
		if !ok {
			return p, source.CoordinateFault(text), fmt.Sprintf(": %s %s", column, table.Shorten(text))
		}
		p[i] = n
	}
	return p, why, ""
}
