package schools

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/address"
	"quartier/ingest/formats/vector"
	"quartier/ingest/grade"
	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas/reason"
)

// mapping converts the features of a list to schools.
type mapping struct {
	source  string
	country string // of the region, for rows without one; may be ""
	state   string
	o       Options
	texts   map[string]string // options of texts that may have a constant, by name

	levels, types, languages choice
}

// choice is an attribute with values of a vocabulary: for all rows, or by a column.
type choice struct {
	column  string
	fixed   []string
	byValue map[string]source.List           // by folded value; empty: rows to skip
	parse   func(text string) (ids []string) // of values that are not mapped; nil: they have none
}

func newChoice(column string, fixed source.List, byValue map[string]source.List, parse func(string) []string) choice {
	c := choice{column: column, fixed: fixed, byValue: map[string]source.List{}, parse: parse}
	for value, ids := range byValue {
		c.byValue[fold(value)] = ids
	}
	return c
}

// check adds the faults of mapped values; vocabulary nil: any of two letters.
func (c choice) check(f *source.Faults, option string, vocabulary []string, mayBeEmpty bool) {
	for value, ids := range c.byValue {
		f.Value(len(ids) == 0 && !mayBeEmpty, option, value, "%q has no value", value)
		for _, id := range ids {
			known := slices.Contains(vocabulary, id) || vocabulary == nil && len(id) == 2
			f.Value(!known, option, value, "%q of %q is none of %s", id, value, strings.Join(vocabulary, ", "))
		}
	}
}

// of returns the ids of a row. known is false where the value of the column says nothing; mapped, where it is in the mapping.
func (c choice) of(value func(string) string) (ids []string, known, mapped bool) {
	text := ""
	if c.column != "" {
		text = value(c.column)
	}
	if text == "" {
		return c.fixed, true, false
	}
	if ids, mapped = c.byValue[fold(text)]; mapped {
		return ids, true, true
	}
	if c.parse != nil {
		ids = c.parse(text)
	}
	if ids == nil {
		ids = c.fixed
	}
	return ids, ids != nil, false
}

func fold(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// one is a list of a text; nil of "".
func one(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// school returns the school of a feature and what was changed in it, or why there is none.
func (m *mapping) school(f vector.Feature) (v source.School, changed []reason.Reason, why reason.Reason) {
	o := &m.o
	value := func(column string) string {
		if text := f.Value(column); !slices.Contains(o.Nulls, text) {
			return text
		}
		return ""
	}
	text := func(option string) string {
		if t := source.Compose(m.texts[option], value); t != "" {
			return t
		}
		return o.Constants[option]
	}
	v = source.School{
		NameFR: source.Compose(o.NameFR, value), Geocoded: o.Geocoded, Address: text("address"), City: text("city"),
		PostalCode: address.PostalCode(text("postal_code")), Phone: text("phone"), URL: text("url"), BoardName: text("board"),
		BoardURL: text("board_url"),
	}
	var moved bool
	if v.Name, moved = grade.Permanent(source.Compose(o.Name, value)); moved {
		v.Geocoded, changed = true, append(changed, grade.Interim)
	}
	v.CountryCode, v.StateCode = address.Complete(text("country"), text("state"), m.country, m.state)
	levels, known, mapped := m.levels.of(value)
	switch {
	case mapped && len(levels) == 0, !mapped && !known && len(m.levels.byValue) > 0:
		return v, nil, source.ExcludedByOption.With("levels")
	case !mapped && (grade.Other(value(o.LevelOf)) || grade.Other(value(o.TypeOf))):
		return v, nil, grade.NoSchool
	case v.Name == "":
		return v, nil, source.MissingName
	case !known:
		changed = append(changed, grade.NoLevel)
	}
	var more []reason.Reason
	category := "" // may have the grades: Combined (K-8)
	if !mapped {
		category = value(o.LevelOf)
	}
	v.Grades, v.Levels, more = m.grades(v.Name, category, levels, value)
	changed = append(changed, more...)
	types, known, _ := m.types.of(value)
	if !known {
		changed = append(changed, grade.NoType)
	}
	languages, _, _ := m.languages.of(value)
	v.Types, v.Languages, v.Programs = strings.Join(types, ","), strings.Join(languages, ","), programs(o.Program, value)
	m.figures(&v, f, value)
	if why = place(&v, f.Geometry); !why.OK() {
		return v, nil, why
	}
	if why = m.key(&v, value); !why.OK() {
		return v, nil, why
	}
	return v, changed, why
}

// grades returns the grades of a row, and the levels that they do not imply.
func (m *mapping) grades(name, category string, levels []string, value func(string) string) (grades, rest string, changed []reason.Reason) {
	var r grade.Range
	switch o := &m.o; {
	case o.Grades != "":
		r = grade.Parse(source.Compose(o.Grades, value))
	case o.GradeLow != "":
		r = grade.Between(value(o.GradeLow), value(o.GradeHigh))
	}
	if r.Grades == "" {
		r.Grades = cmp.Or(grade.OfName(category), grade.OfName(name))
	}
	switch {
	case r.Levels != nil:
		rest = grade.Join(r.Levels)
	case r.Grades == "":
		rest = grade.Join(levels)
	}
	return r.Grades, rest, r.Changed()
}

// programs returns the values of columns as a JSON array; "" of none.
func programs(columns []string, value func(string) string) string {
	var list []string
	for _, column := range columns {
		if v := value(column); v != "" {
			list = append(list, v)
		}
	}
	if list == nil {
		return ""
	}
	text, _ := json.Marshal(list) // of texts, it cannot fail
	return string(text)
}

// place sets the coordinates: those of a point, or of one inside an area.
func place(v *source.School, g orb.Geometry) reason.Reason {
	var p orb.Point
	switch g := g.(type) {
	case nil:
		return reason.Reason{}
	case orb.Point:
		p = g
	case orb.MultiPoint:
		if len(g) == 0 {
			return reason.Reason{}
		}
		p = g[0]
	default:
		outline := vector.Outline(g)
		inside, ok := geo.InteriorPoint(outline)
		if len(outline) == 0 || !ok {
			return source.WrongGeometryType
		}
		p = inside
	}
	v.Lng, v.Lat = &p[0], &p[1]
	return reason.Reason{}
}

// key sets the key and the authority's number.
func (m *mapping) key(v *source.School, value func(string) string) reason.Reason {
	v.AuthorityID = source.Qualify(m.o.ID, m.source, value)
	v.SourceKey = source.Qualify(m.o.Key, m.source, value)
	switch {
	case v.SourceKey != "":
	case m.o.Key != "":
		return source.MissingKey
	case v.AuthorityID != "":
		v.SourceKey = v.AuthorityID
	default:
		at := ""
		if v.Lng != nil {
			at = fmt.Sprintf("%.6f %.6f ", *v.Lng, *v.Lat)
		}
		sum := sha256.Sum256([]byte(at + v.Name + v.Address))
		v.SourceKey = fmt.Sprintf("%s:%x", m.source, sum[:8])
	}
	return reason.Reason{}
}
