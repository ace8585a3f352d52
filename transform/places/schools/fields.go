package schools

import (
	"cmp"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"quartier/schemas/derived"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
	"quartier/transform/issue"
	"quartier/transform/places/normalize"
)

// school is the school that the records of a group are; a reason if they are none. Its levels may still be unknown.
func (g *group) school(places Places) (s derived.School, why reason.Reason) {
	if !g.placed {
		return s, withoutPlace
	}
	country, state, ok := places.StateAt(g.at)
	if !ok {
		return s, issue.OutsideCoverage
	}
	first := g.first()
	s = derived.School{Key: first.SourceKey, SourceID: first.SourceID, Lng: g.at[0], Lat: g.at[1]}
	s.Name = cutText(g.bestName())
	if s.Name == "" {
		return s, withoutName
	}
	s.CountryCode, s.StateCode = country, state
	s.AuthorityID = g.text(func(r *record) string { return r.AuthorityID })
	s.NameFR = cutText(g.text(func(r *record) string { return r.NameFR }))
	s.Types = g.text(func(r *record) string { return r.Types })
	s.Address = cutText(g.text(func(r *record) string { return normalize.Space(r.Address) }))
	s.City = cutText(cmp.Or(g.text(func(r *record) string { return normalize.Space(r.City) }), places.CityAt(g.at)))
	s.PostalCode = g.text(func(r *record) string { return postalText(r.PostalCode, country) })
	s.Phone = g.text(func(r *record) string { return phoneText(r.Phone, country) })
	s.URL = g.text(func(r *record) string { return webText(r.URL) })
	s.BoardName = cutText(g.text(func(r *record) string { return normalize.Space(r.BoardName) }))
	s.BoardURL = g.text(func(r *record) string { return webText(r.BoardURL) })
	s.Programs = g.programs()
	s.Grades = g.text(func(r *record) string {
		if !spanOfGrades(r.Grades).known {
			return ""
		}
		return r.Grades
	})
	s.Levels = g.levels(s.Grades, country)
	switch country {
	case "CA":
		s.Languages = cmp.Or(g.text(func(r *record) string { return r.Languages }), languageOf(s.BoardName, s.Name))
	case "US":
		s.SchoolFigures = g.figures()
	}
	return s, reason.Reason{}
}

// text is the first text of the records that is not empty.
func (g *group) text(of func(*record) string) string {
	for _, m := range g.members {
		if text := of(m.record); text != "" {
			return text
		}
	}
	return ""
}

func (g *group) programs() string {
	var lists []string
	for _, m := range g.members {
		if m.Programs != "" {
			lists = append(lists, m.Programs)
		}
	}
	return programsText(lists)
}

// levels are those of the grades, else as published, else those of the name; "" if nothing implies them.
func (g *group) levels(grades, country string) string {
	if s := spanOfGrades(grades); s.known {
		return s.levels(country)
	}
	if levels := g.text(func(r *record) string { return orderLevels(list(r.Levels)) }); levels != "" {
		return levels
	}
	return g.text(func(r *record) string {
		levels, _ := LevelsOfName(r.Name+" | "+r.NameFR, country)
		return orderLevels(levels)
	})
}

// figures are the first ones of each kind.
func (g *group) figures() (f staged.SchoolFigures) {
	into := reflect.ValueOf(&f).Elem()
	for _, m := range g.members {
		from := reflect.ValueOf(&m.SchoolFigures).Elem()
		for i := range into.NumField() {
			if into.Field(i).IsNil() {
				into.Field(i).Set(from.Field(i))
			}
		}
	}
	return f
}

// bestName is the name of the first record whose name has upper and lower case and is not cut; else with both cases, else of
// the first record. Of names that differ by accents alone that with more of them wins.
func (g *group) bestName() string {
	best, bestFault := "", nameFaults
	for _, m := range g.members {
		text := normalize.Space(cmp.Or(normalize.Space(m.Name), m.NameFR))
		if text == "" {
			continue
		}
		fault := g.faultOf(text)
		if fault < bestFault || fault == bestFault && normalize.Name(text) == normalize.Name(best) && accents(text) > accents(best) {
			best, bestFault = text, fault
		}
	}
	return best
}

// nameFaults is more than faultOf returns.
const nameFaults = 3

// faultOf is how bad the spelling of a name is: 0 good, 1 cut, 2 in one case.
func (g *group) faultOf(text string) int {
	switch {
	case !strings.ContainsFunc(text, unicode.IsLower) || !strings.ContainsFunc(text, unicode.IsUpper):
		return 2
	case utf8.RuneCountInString(text) == cutRunes:
		return 1
	}
	return 0
}

// accents is the number of characters beyond ASCII.
func accents(text string) int { return len(text) - strings.Count(text, "") + 1 }
