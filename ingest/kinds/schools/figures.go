package schools

import (
	"math"
	"strings"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
)

// figure sets a number or property of a school.
type figure struct {
	number bool
	count  func(v *source.School) **int64
	flag   func(v *source.School) **bool
}

// figures are those of the option, by name.
var figures = map[string]figure{
	"students":              {number: true, count: func(v *source.School) **int64 { return &v.Students }},
	"female":                {number: true, count: func(v *source.School) **int64 { return &v.Female }},
	"male":                  {number: true, count: func(v *source.School) **int64 { return &v.Male }},
	"free_lunch":            {number: true, count: func(v *source.School) **int64 { return &v.FreeLunch }},
	"reduced_lunch":         {number: true, count: func(v *source.School) **int64 { return &v.ReducedLunch }},
	"student_teacher_ratio": {number: true},
	"charter":               {flag: func(v *source.School) **bool { return &v.Charter }},
	"magnet":                {flag: func(v *source.School) **bool { return &v.Magnet }},
	"title_i":               {flag: func(v *source.School) **bool { return &v.TitleI }},
	"advanced_placement":    {flag: func(v *source.School) **bool { return &v.AdvancedPlacement }},
	"library":               {flag: func(v *source.School) **bool { return &v.Library }},
}

// figures sets the figures of a row; what is no number, negative, or neither yes nor no is missing.
func (m *mapping) figures(v *source.School, f vector.Feature, value func(string) string) {
	for name, column := range m.o.Figures {
		kind := figures[name]
		if kind.flag != nil {
			*kind.flag(v) = yes(value(column))
			continue
		}
		n, ok := f.Number(column, "")
		if !ok || n < 0 || n > math.MaxInt32 || value(column) == "" {
			continue
		}
		if kind.count == nil {
			v.StudentTeacherRatio = &n
			continue
		}
		whole := int64(math.Round(n))
		*kind.count(v) = &whole
	}
}

// yes reads a text as yes or no; nil where it says neither.
func yes(text string) *bool {
	var is bool
	switch strings.ToLower(text) {
	case "yes", "y", "true", "t", "1", "oui":
		is = true
	case "no", "n", "false", "f", "0", "non":
	default:
		return nil
	}
	return &is
}
