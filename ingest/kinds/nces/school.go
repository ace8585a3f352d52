package nces

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/address"
	"quartier/ingest/formats/table"
	"quartier/ingest/grade"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

// stager joins the tables of a source.
type stager struct {
	options Options
	out     source.Sink
	facts   map[string]*facts // by number
	listed  bool              // the source has a table of schools
}

var (
	publicID  = regexp.MustCompile(`^\d{12}$`)
	privateID = regexp.MustCompile(`^[A-Z0-9]{8}$`)
)

// idOf returns the number of a school, with the zero that a spreadsheet removed at its beginning; false for other texts.
func idOf(text string) (string, bool) {
	if len(text) == 11 {
		text = "0" + text
	}
	return text, publicID.MatchString(text) || privateID.MatchString(text)
}

// stage passes a row of a table of schools on, with what other tables have of it.
func (s *stager) stage(r row) error {
	text := r.value("NCESSCH", "NCES SCHOOL ID", "PPIN", "PSS_SCHOOL_ID")
	id, ok := idOf(text)
	private := r.value("PPIN", "PSS_SCHOOL_ID") != ""
	v := s.described(id, private, r)
	where := r.where + " " + strconv.Quote(v.Name)
	known := s.facts[id]
	if known == nil {
		known = &facts{}
	}
	known.used = true
	var why reason.Reason
	switch {
	case !ok:
		why, where = invalidID, where+": "+strconv.Quote(text)
	case !s.selected(v.StateCode):
		why = source.ExcludedByOption.With("states")
	case v.Name == "":
		why = source.MissingName
	case grade.Other(r.value("SCH_TYPE_TEXT", "TYPE")), grade.Other(r.value("LEVEL", "PSS_LEVEL")):
		why = grade.NoSchool
	default:
		why = status(r)
	}
	if why.OK() {
		if why = coordinates(&v, r); why == source.MissingGeometry { // the geocodes may have them
			why = reason.Reason{}
			if g := known.geocode; g != nil {
				v.Lng, v.Lat, v.Geocoded = g.Lng, g.Lat, true
			}
		}
	}
	if why.OK() && v.Lng != nil && !s.options.BBox.Contains(orb.Point{*v.Lng, *v.Lat}) {
		why = source.OutsideBBox
	}
	if !why.OK() {
		s.out.Issue(why, where)
		return nil
	}
	if !private {
		s.complete(&v, known, r)
	} else if n := number(r.value("NUMTEACH", "PSS_FTE_TEACH")); v.StudentTeacherRatio == nil {
		v.StudentTeacherRatio = ratio(v.Students, n)
	}
	for _, c := range s.grades(&v, private, r) {
		s.out.Issue(c, where+": "+table.Shorten(r.value("GSLO", "LOW GRADE", "LOGR", "LOGRADE"))+", "+
			table.Shorten(r.value("GSHI", "HIGH GRADE", "HIGR", "HIGRADE")))
	}
	return s.out.Row(v)
}

// described returns the texts of a row.
func (s *stager) described(id string, private bool, r row) source.School {
	v := source.School{
		SourceKey: "nces:school:" + id, AuthorityID: "nces:" + id, CountryCode: "US", Types: "public",
		Name:       r.value("SCH_NAME", "SCHNAM", "SCHOOL NAME", "PINST", "PSS_INST"),
		Address:    r.value("LSTREET1", "LSTREE", "STREET ADDRESS", "PL_ADD", "PADDRS", "PSS_ADDRESS", "STREET", "MSTREET1", "MSTREE"),
		City:       r.value("LCITY", "PL_CIT", "PCITY", "PSS_CITY", "CITY", "MCITY"),
		PostalCode: address.PostalCode(r.value("LZIP", "PL_ZIP", "PZIP", "PSS_ZIP5", "ZIP", "MZIP")),
		StateCode:  address.State(r.value("LSTATE", "PL_STABB", "PSTABB", "PSS_STABB", "STATE", "ST", "MSTATE")),
		Phone:      r.value("PHONE", "PPHONE", "PSS_PHONE"), URL: r.value("WEBSITE"), BoardName: r.value("LEA_NAME", "LEANM", "DISTRICT"),
		SchoolFigures: figures(r),
	}
	if private {
		v.Types = "private"
	}
	if state, known := schemas.StateByFIPS(r.value("FIPST", "FIPS")); v.StateCode == "" && known {
		v.StateCode = state.Code
	}
	return v
}

func (s *stager) selected(state string) bool {
	return len(s.options.States) == 0 || slices.Contains(s.options.States, state)
}

// complete sets the figures of other tables.
func (s *stager) complete(v *source.School, known *facts, r row) {
	v.SchoolFigures = merge(v.SchoolFigures, known.figures)
	if female, male := known.female.total(), known.male.total(); v.Female == nil && female != nil && male != nil {
		v.Female, v.Male = female, male
	}
	if v.StudentTeacherRatio != nil {
		return
	}
	teachers := known.teachers
	if n := number(r.value("FTE")); n != nil {
		teachers = n
	}
	v.StudentTeacherRatio = ratio(v.Students, teachers)
}

// ratio is pupils by teachers; nil where one is missing or there are no teachers.
func ratio(pupils *int64, teachers *float64) *float64 {
	if pupils == nil || teachers == nil || *teachers <= 0 {
		return nil
	}
	n := float64(*pupils) / *teachers
	return &n
}

// statuses are the codes and words of schools that are not open; 1, 3, 4, 5 and 8 are.
var statuses = map[string]reason.Reason{
	"2": source.PermanentlyClosed, "CLOSED": source.PermanentlyClosed, "6": inactive, "INACTIVE": inactive, "TEMPORARILY CLOSED": inactive,
	"7": future, "FUTURE": future,
}

func status(r row) reason.Reason {
	return statuses[strings.ToUpper(r.value("UPDATED_STATUS", "SY_STATUS", "STATUS"))]
}

// coordinates sets those of a row, or returns why it cannot.
func coordinates(v *source.School, r row) reason.Reason {
	var p orb.Point
	for i, names := range [][]string{{"LONGCODE", "LONCOD", "LONGITUDE", "LON"}, {"LATCODE", "LATCOD", "LATITUDE", "LAT"}} {
		text := r.value(names...)
		if text == "" {
			return source.MissingGeometry
		}
		n, ok := table.ParseNumber([]byte(text), '.')
		if !ok {
			return source.CoordinateFault(text)
		}
		p[i] = n
	}
	v.Lng, v.Lat, v.Geocoded = &p[0], &p[1], true // NCES locates addresses
	return reason.Reason{}
}

// offered are the columns of the directory with the grades that are offered.
var offered = []string{"PK", "KG", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13"}

// grades sets the grades of a school, or its level where it has none, and returns what was changed in them.
func (s *stager) grades(v *source.School, private bool, r row) []reason.Reason {
	var list []string
	for _, g := range offered {
		if strings.EqualFold(r.value("G_"+g+"_OFFERED"), "Yes") {
			list = append(list, g)
		}
	}
	found := grade.Parse(strings.Join(list, ","))
	if found.Grades == "" {
		found = grade.Between(privateGrade(r.value("LOGR")), privateGrade(r.value("HIGR")))
	}
	if found.Grades == "" && !found.Unknown {
		found = grade.Between(r.value("GSLO", "LOW GRADE", "LOGRADE"), r.value("GSHI", "HIGH GRADE", "HIGRADE"))
	}
	v.Grades = found.Grades
	switch {
	case found.Levels != nil:
		v.Levels = grade.Join(found.Levels)
	case v.Grades == "":
		v.Grades = grade.OfName(r.value("LEVEL", "PSS_LEVEL"))
		v.Levels = levels(r.value("LEVEL", "PSS_LEVEL"), private)
	}
	return found.Changed()
}

// privateGrade returns the grade of a code of PSS: 2 is PK, 3 kindergarten, 4 and 5 transitional classes, 6 to 17 grades 1 to
// 12; 1 is ungraded.
func privateGrade(text string) string {
	code, err := strconv.Atoi(text)
	if err != nil {
		return text
	}
	names := []string{"", "UG", "PK", "K", "TK", "T1"}
	switch {
	case code > 0 && code < len(names):
		return names[code]
	case code >= len(names) && code <= 17:
		return strconv.Itoa(code - 5)
	}
	return text
}

// levels returns those of a code or word of the level.
func levels(text string, private bool) string {
	switch {
	case text == "1":
		return "elementary"
	case text == "2" && private, text == "3" && !private:
		return "secondary"
	case text == "2":
		return "middle"
	case text == "3":
		return "elementary,middle,secondary"
	}
	return grade.Join(grade.Levels(text))
}

// geocode takes a row of coordinates.
func (s *stager) geocode(f *facts, id string, r row) error {
	v := s.described(id, len(id) == 8, r)
	v.Name = ""
	if !s.selected(v.StateCode) {
		s.out.Issue(source.ExcludedByOption.With("states"), r.where)
		return nil
	}
	if why := coordinates(&v, r); !why.OK() {
		s.out.Issue(why, r.where)
		return nil
	}
	f.geocode = &v
	return nil
}

// geocodes passes on the rows of coordinates without a school: of a source without a table of schools as they are.
func (s *stager) geocodes(ctx context.Context) error {
	for _, id := range slices.Sorted(maps.Keys(s.facts)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch f := s.facts[id]; {
		case f.geocode == nil || f.used:
		case s.listed:
			s.out.Issue(withoutSchool, id)
		case !s.options.BBox.Contains(orb.Point{*f.geocode.Lng, *f.geocode.Lat}):
			s.out.Issue(source.OutsideBBox, id)
		default:
			if err := s.out.Row(*f.geocode); err != nil {
				return err
			}
		}
	}
	return nil
}
