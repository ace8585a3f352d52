package destination

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"quartier/schemas/tsv"
	"quartier/transform/places/schools"
)

// level is the set of levels that a school teaches.
type level uint8

const (
	primary level = 1 << iota
	high
	daycare
)

// levels are those of schools.tsv. A middle school counts as both.
var levels = map[string]level{"primary": primary, "high": high, "middle": primary | high, "unknown": 0}

// classLevels are the levels of schemas.SchoolLevels as destinations: a school that teaches no grade from kindergarten on is
// a daycare.
var classLevels = map[string]level{"preschool": daycare, "elementary": primary, "middle": primary | high, "secondary": high}

// levelOf is the level of a school that teaches some of schemas.SchoolLevels.
func levelOf(levels []string) (l level) {
	for _, name := range levels {
		l |= classLevels[name]
	}
	return withoutDaycare(l)
}

func (l level) classes() []string {
	var classes []string
	for i, class := range []string{"primary_school", "high_school", "daycare"} {
		if l&(1<<i) != 0 {
			classes = append(classes, class)
		}
	}
	return classes
}

//go:embed schools.tsv
var schoolsTSV string

// schoolRule is a row of schools.tsv.
type schoolRule struct{ class, level string }

var schoolRules = sync.OnceValue(func() []schoolRule {
	rows := tsv.MustParse("schools.tsv", schoolsTSV)
	rules := make([]schoolRule, len(rows))
	for i, row := range rows {
		rules[i] = schoolRule{row[0], row[1]}
	}
	return rules
})

// school is a record that is a school.
type school struct {
	record
	level level
	known bool // level is from the record, not assumed
}

// newSchool converts a record to a school; false if it is none. Its level is that of its source, else that of its name,
// else primary.
func newSchool(r *record) (school, bool) {
	s := school{record: *r}
	if s.scheme == "osm" {
		if s.tags["amenity"] != "school" {
			return s, false
		}
		s.level, s.known = levelOfTags(s.tags)
	} else {
		found := false
		for _, rule := range schoolRules() {
			if slices.Contains(s.ids, rule.class) {
				found = true
				s.level |= levels[rule.level]
			}
		}
		if !found {
			return s, false
		}
		s.known = s.level != 0
	}
	if !s.known {
		var levels []string
		levels, s.known = schools.LevelsOfName(s.name+" | "+s.nameFR, "")
		s.level = levelOf(levels)
	}
	if !s.known {
		s.level = primary
	}
	return s, s.level != 0
}

// levelOfTags is the level according to OSM tags: isced:level, or grades.
func levelOfTags(tags map[string]string) (l level, known bool) {
	for _, part := range strings.FieldsFunc(tags["isced:level"], func(r rune) bool { return r == ';' || r == ',' || r == ' ' }) {
		first, last, spans := strings.Cut(part, "-")
		if !spans {
			last = first
		}
		from, err1 := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err1 != nil || err2 != nil {
			continue
		}
		for n := from; n <= min(to, 8); n++ {
			known = true
			l |= []level{daycare, primary, primary | high, high, 0, 0, 0, 0, 0}[max(n, 0)]
		}
	}
	if known {
		return withoutDaycare(l), true
	}
	for _, key := range []string{"school:grades", "grades", "grade"} {
		if l, known = levelOfGrades(tags[key]); known {
			return l, true
		}
	}
	return 0, false
}

// withoutDaycare removes the daycare of a school that also teaches.
func withoutDaycare(l level) level {
	if l&^daycare != 0 {
		return l &^ daycare
	}
	return l
}

var gradePattern = regexp.MustCompile(`(?i)pre-?k|kindergarten|\bpk|jk|sk|k|\d{1,2}`)

// levelOfGrades is the level of grades such as K-5, 6-8 or 9-12; false if there are none. Kindergarten is grade 0.
func levelOfGrades(text string) (l level, known bool) {
	lowest, highest := 99, -1
	for _, token := range gradePattern.FindAllString(text, -1) {
		grade, err := strconv.Atoi(token)
		if err != nil {
			grade = 0
		}
		if grade <= 13 {
			lowest, highest = min(lowest, grade), max(highest, grade)
		}
	}
	if highest < 0 {
		return 0, false
	}
	if lowest <= 6 {
		l |= primary
	}
	if highest >= 9 {
		l |= high
	}
	if lowest >= 5 && highest >= 7 && highest <= 9 { // a middle school
		l |= primary | high
	}
	if l == 0 { // grades 7 and 8 alone
		l = primary | high
	}
	return l, true
}
