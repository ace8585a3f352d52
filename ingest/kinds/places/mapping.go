package places

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/address"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/staged"
)

// template is a text with columns in it; an option that names a column is a template of that column alone.
type template []part

type part struct {
	text   string
	column bool // text is a column's name
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
			return nil, errors.New("{ without a column and }")
		}
		t = append(t, part{name, true})
		rest = after
	}
	return t, nil
}

// columns lists the columns that the template needs.
func (t template) columns() []string {
	var names []string
	for _, p := range t {
		if p.column {
			names = append(names, p.text)
		}
	}
	return names
}

// fill puts a row's values in. It is "" where all columns are empty; missing tells that one is.
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

// mapping makes rows of values.
type mapping struct {
	source  string
	country string // the region's, for rows that say none; may be ""
	state   string // likewise
	options Options
	texts   map[string]template    // by option
	byValue map[string]source.List // categories by folded value
}

// columns lists every column that the options name, each once, in order.
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

// fault says why a row does not become a POI.
type fault struct {
	severity source.Severity
	reason   string
}

// poi makes the row, without its point; raw gives the value of a column as it is written. A key made of columns is set;
// one that depends on the point is left to finish.
func (m *mapping) poi(raw func(column string) string) (source.POI, *fault) {
	value := func(column string) string {
		v := strings.TrimSpace(raw(column))
		if slices.Contains(m.options.Nulls, v) {
			return ""
		}
		return v
	}
	for _, column := range slices.Sorted(maps.Keys(m.options.Only)) {
		if !slices.Contains(m.options.Only[column], value(column)) {
			return source.POI{}, &fault{source.Skipped, "not among the values of only: " + column}
		}
	}
	classes, fault := m.classes(value)
	if fault != nil {
		return source.POI{}, fault
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
			City: text("city"), StateCode: address.State(text("state")), PostalCode: text("postal_code"),
			CountryCode: address.Country(text("country")), Phone: text("phone"), URL: text("url"),
		},
	}
	m.locate(&row, text("country"), text("state"))
	return row, m.key(&row, value)
}

// locate gives a row the region's country and state where it says none, and not where it says one that is unknown or
// of another country.
func (m *mapping) locate(row *source.POI, country, state string) {
	_, ours := schemas.StateName(m.country, row.StateCode)
	if country == "" && (state == "" || ours) {
		row.CountryCode = m.country
	}
	if state == "" && row.CountryCode == m.country {
		row.StateCode = m.state
	}
}

func (m *mapping) key(row *source.POI, value func(string) string) *fault {
	if m.options.Key == "" {
		return nil
	}
	key, missing := m.texts["key"].fill(value)
	if missing {
		return &fault{source.Rejected, "no key"}
	}
	if m.texts["key"][0] == (part{m.options.Key, true}) { // a column by its name alone
		key = m.source + ":" + key
	}
	row.Key = key
	return nil
}

// finish sets a key where no column has one: the same for the same name and position.
func (m *mapping) finish(row *source.POI) {
	if row.Key == "" {
		sum := sha256.Sum256(fmt.Appendf(nil, "%.6f %.6f %s", row.Point[0], row.Point[1], row.Name))
		row.Key = fmt.Sprintf("%s:%x", m.source, sum[:8])
	}
}

func (m *mapping) classes(value func(string) string) ([]string, *fault) {
	ids := m.options.Category
	if m.options.CategoryOf != "" {
		if mapped, found := m.byValue[fold(value(m.options.CategoryOf))]; found {
			ids = mapped
		}
	}
	if len(ids) == 0 || ids[0] == skip {
		return nil, &fault{source.Skipped, "of no category asked for"}
	}
	return slices.Clone(ids), nil
}

// point reads the coordinates that stand in columns.
func (m *mapping) point(raw func(column string) string) (orb.Point, *fault) {
	x, y := m.options.Lng, m.options.Lat
	if x == "" {
		x, y = m.options.X, m.options.Y
	}
	var p orb.Point
	for i, column := range []string{x, y} {
		text := strings.TrimSpace(raw(column))
		if text == "" || slices.Contains(m.options.Nulls, text) {
			return p, &fault{source.Rejected, "no coordinates"}
		}
		number, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(number) || math.IsInf(number, 0) {
			return p, &fault{source.Rejected, "coordinates that are not numbers"}
		}
		p[i] = number
	}
	return p, nil
}
