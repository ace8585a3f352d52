package catchments

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"quartier/ingest/formats/vector"
	"quartier/ingest/grade"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// catchments returns those of a feature, or why there are none, and counts what was changed in them.
func (o *Options) catchments(f vector.Record) (source.Row, reason.Reason) {
	first := source.Catchment{Key: f.In.Source + ":" + cmp.Or(f.Text(o.Key, ""), f.Value("@row")), Program: f.Value(o.Program),
		Geometry: vector.Outline(f.Geometry)}
	switch {
	case f.Geometry == nil:
		return nil, source.MissingGeometry
	case len(first.Geometry) == 0:
		return nil, source.WrongGeometryType
	case len(o.Key) > 0 && f.Text(o.Key, "") == "":
		return nil, source.MissingKey
	case len(o.GradeSchools) > 0:
		return o.byGrade(first, f)
	}
	changed := func(why ...reason.Reason) {
		for _, c := range why {
			f.Out.Issue(c, f.Where(f.Value(o.SchoolName)))
		}
	}
	first.SchoolID = source.Qualify(o.SchoolID, f.In.Source, f.Value)
	name, moved := grade.Permanent(f.Value(o.SchoolName))
	if first.SchoolName = name; moved {
		changed(grade.Interim)
	}
	var known bool
	if first.Level, known = o.level(f.Feature); !known {
		changed(grade.NoLevel)
	}
	r := o.grades(f.Feature)
	changed(r.Changed()...)
	first.Grade = r.Grades
	list := spans(r.Grades)
	if first.Level != "" || len(list) < 2 {
		if first.Level == "" && len(list) == 1 {
			first.Level = list[0].Level
		}
		return first, reason.Reason{}
	}
	var rows source.Rows
	for _, s := range list {
		if r.Levels == nil || slices.Contains(r.Levels, s.Level) {
			rows = append(rows, of(first, s))
		}
	}
	return rows, reason.Reason{}
}

// of is a catchment for the grades of one level.
func of(c source.Catchment, s grade.Span) source.Catchment {
	c.Key, c.Level, c.Grade = c.Key+":"+s.Grades, s.Level, s.Grades
	return c
}

// level returns the level of an outline; false where the column has a value that is not known.
func (o *Options) level(f vector.Feature) (level string, known bool) {
	text := f.Value(o.LevelOf)
	if text == "" {
		return o.Level, true
	}
	levels, mapped := o.Levels[text]
	if !mapped {
		levels = grade.Levels(text)
	}
	switch {
	case len(levels) == 1:
		return levels[0], true
	case len(levels) > 1: // the grades divide it
		return "", true
	}
	return o.Level, mapped
}

// grades returns those of an outline.
func (o *Options) grades(f vector.Feature) grade.Range {
	switch {
	case o.GradeLow != "":
		return grade.Between(f.Value(o.GradeLow), f.Value(o.GradeHigh))
	case o.Grades != "":
		return grade.Parse(f.Value(o.Grades))
	}
	return grade.Parse(o.Grade)
}

func spans(grades string) []grade.Span { return grade.Spans(grade.Parse(grades).Grades) }

// byGrade returns a catchment for each school and level of an outline that has a school for each grade: one school from K to 8
// and another from 9 to 12 make three, elementary K-5, middle 6-8 and secondary 9-12.
func (o *Options) byGrade(first source.Catchment, f vector.Record) (source.Row, reason.Reason) {
	schools := map[string][]string{} // grades by level and school
	for _, column := range slices.Sorted(maps.Keys(o.GradeSchools)) {
		if id := source.Qualify(column, f.In.Source, f.Value); id != "" {
			s := spans(o.GradeSchools[column])[0]
			schools[s.Level+" "+id] = append(schools[s.Level+" "+id], s.Grades)
		}
	}
	var list []source.Catchment
	for _, key := range slices.Sorted(maps.Keys(schools)) {
		level, id, _ := strings.Cut(key, " ")
		c := of(first, grade.Span{Level: level, Grades: grade.Parse(strings.Join(schools[key], ",")).Grades})
		c.SchoolID = id
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b source.Catchment) int {
		return cmp.Or(grade.Compare(a.Grade, b.Grade), cmp.Compare(a.SchoolID, b.SchoolID))
	})
	if list == nil {
		return nil, openEnrolment
	}
	var rows source.Rows
	for _, c := range list {
		rows = append(rows, c)
	}
	return rows, reason.Reason{}
}
