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

// catchments returns those of a feature and what was changed in them, or why there are none.
func (o *Options) catchments(sourceID string, f vector.Feature) (rows []source.Catchment, changed []reason.Reason, why reason.Reason) {
	if !f.Fault.OK() {
		return nil, nil, f.Fault
	}
	first := source.Catchment{Key: sourceID + ":" + cmp.Or(f.Text(o.Key, ""), f.Value("@row")), Program: f.Value(o.Program), Geometry: vector.Outline(f.Geometry)}
	switch {
	case f.Geometry == nil:
		return nil, nil, source.MissingGeometry
	case len(first.Geometry) == 0:
		return nil, nil, source.WrongGeometryType
	case len(o.Key) > 0 && f.Text(o.Key, "") == "":
		return nil, nil, source.MissingKey
	case len(o.GradeSchools) > 0:
		if rows = o.byGrade(sourceID, first, f); rows == nil {
			why = openEnrolment
		}
		return rows, nil, why
	}
	first.SchoolID = schoolID(o.SchoolID, sourceID, f)
	name, moved := grade.Permanent(f.Value(o.SchoolName))
	if first.SchoolName = name; moved {
		changed = append(changed, grade.Interim)
	}
	var known bool
	if first.Level, known = o.level(f); !known {
		changed = append(changed, grade.NoLevel)
	}
	r := o.grades(f)
	first.Grade = r.Grades
	list := spans(r.Grades)
	if first.Level != "" || len(list) < 2 {
		if first.Level == "" && len(list) == 1 {
			first.Level = list[0].Level
		}
		return []source.Catchment{first}, append(changed, r.Changed()...), why
	}
	for _, s := range list {
		if r.Levels == nil || slices.Contains(r.Levels, s.Level) {
			rows = append(rows, of(first, s))
		}
	}
	return rows, append(changed, r.Changed()...), why
}

// of is a catchment for the grades of one level.
func of(c source.Catchment, s grade.Span) source.Catchment {
	c.Key, c.Level, c.Grade = c.Key+":"+s.Grades, s.Level, s.Grades
	return c
}

// schoolID returns the number of the school with its scheme; "" where the feature has none.
func schoolID(option, sourceID string, f vector.Feature) string {
	switch {
	case strings.Contains(option, "{"):
		return source.Fill(option, f.Value)
	case option == "" || f.Value(option) == "":
		return ""
	}
	return sourceID + ":" + f.Value(option)
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
func (o *Options) byGrade(sourceID string, first source.Catchment, f vector.Feature) (rows []source.Catchment) {
	schools := map[string][]string{} // grades by level and school
	for _, column := range slices.Sorted(maps.Keys(o.GradeSchools)) {
		if id := schoolID(column, sourceID, f); id != "" {
			s := spans(o.GradeSchools[column])[0]
			schools[s.Level+" "+id] = append(schools[s.Level+" "+id], s.Grades)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(schools)) {
		level, id, _ := strings.Cut(key, " ")
		c := of(first, grade.Span{Level: level, Grades: grade.Parse(strings.Join(schools[key], ",")).Grades})
		c.SchoolID = id
		rows = append(rows, c)
	}
	slices.SortFunc(rows, func(a, b source.Catchment) int {
		return cmp.Or(grade.Compare(a.Grade, b.Grade), cmp.Compare(a.SchoolID, b.SchoolID))
	})
	return rows
}
