package nces

import (
	"math"
	"strconv"
	"strings"

	"quartier/ingest/source"
	"quartier/schemas/staged"
)

// facts are what tables other than those of schools have of a school.
type facts struct {
	geocode  *source.School // coordinates and address
	figures  staged.SchoolFigures
	teachers *float64 // full-time equivalents
	female   sum
	male     sum
	used     bool
}

// sum adds up the pupils of a sex: the subtotals by race where there are any, else those by race and grade.
type sum struct {
	subtotals, cells partial
}

// partial is a sum of which terms may be missing.
type partial struct {
	n          int64
	some, lack bool
}

func (p *partial) add(count *int64) {
	if count == nil {
		p.lack = true
		return
	}
	p.n, p.some = p.n+*count, true
}

// total is the sum; nil where a term is missing.
func (s *sum) total() *int64 {
	for _, p := range []partial{s.subtotals, s.cells} {
		switch {
		case p.lack:
			return nil
		case p.some:
			return &p.n
		}
	}
	return nil
}

// of returns the facts of a school by its number.
func (s *stager) of(id string) *facts {
	f := s.facts[id]
	if f == nil {
		f = &facts{}
		s.facts[strings.Clone(id)] = f
	}
	return f
}

// learn takes a row of figures or geocodes.
func (s *stager) learn(t *tableFile, r row) error {
	id, ok := idOf(r.value("NCESSCH", "PPIN"))
	if !ok {
		s.out.Issue(invalidID, r.where+": "+strconv.Quote(r.value("NCESSCH", "PPIN")))
		return nil
	}
	switch f := s.of(id); t.name {
	case "geocodes":
		return s.geocode(f, id, r)
	case "membership":
		f.membership(r)
	case "lunch":
		f.lunch(r)
	default:
		f.figures = merge(f.figures, figures(r))
		if n := number(r.value("TEACHERS", "FTE")); n != nil {
			f.teachers = n
		}
	}
	return nil
}

// The rows of the tables of membership that are used: all pupils without those of adult education, and the rows that add up
// to each sex.
const (
	allPupils   = "Derived - Education Unit Total minus Adult Education Count"
	allAndAdult = "Education Unit Total"
	bySex       = "Derived - Subtotal by Race/Ethnicity and Sex minus Adult Education Count"
	byCell      = "Category Set A"
)

func (f *facts) membership(r row) {
	indicator, n := r.value("TOTAL_INDICATOR"), count(r.value("STUDENT_COUNT"))
	sum := &f.male
	switch r.value("SEX") {
	case "Female":
		sum = &f.female
	case "Male":
	default:
		sum = nil
	}
	switch {
	case indicator == allPupils && n != nil:
		f.figures.Students = n
	case indicator == allAndAdult && f.figures.Students == nil:
		f.figures.Students = n
	case indicator == bySex && sum != nil:
		sum.subtotals.add(n)
	case strings.HasPrefix(indicator, byCell) && sum != nil && !strings.HasPrefix(r.value("GRADE"), "Adult"):
		sum.cells.add(n)
	}
}

func (f *facts) lunch(r row) {
	switch n := count(r.value("STUDENT_COUNT")); r.value("LUNCH_PROGRAM") {
	case "Free lunch qualified":
		f.figures.FreeLunch = n
	case "Reduced-price lunch qualified":
		f.figures.ReducedLunch = n
	}
}

// races are the prefixes of the columns with the pupils of all grades by race and sex, such as AMALM and AMALF.
var races = []string{"AM", "AS", "HI", "BL", "WH", "HP", "TR"}

// figures returns those that a row of any table has in columns of their own.
func figures(r row) staged.SchoolFigures {
	f := staged.SchoolFigures{
		Students:            count(r.value("MEMBER", "STUDENTS", "NUMSTUDS", "PSS_ENROLL_TK12", "PSS_ENROLL_T")),
		FreeLunch:           count(r.value("FRELCH", "FREE LUNCH")),
		ReducedLunch:        count(r.value("REDLCH", "REDUCED LUNCH")),
		StudentTeacherRatio: number(r.value("STUDENT TEACHER RATIO", "PSS_STDTCH_RT")),
		Charter:             yes(r.value("CHARTER_TEXT", "CHARTR", "CHARTER")),
		Magnet:              yes(r.value("MAGNET_TEXT", "MAGNET")),
		TitleI:              titleI(r),
		Library:             yes(r.value("PSS_LIBRARY")),
	}
	var female, male partial
	for _, race := range races {
		if n := count(r.value(race + "ALF")); n != nil {
			female.add(n)
		}
		if n := count(r.value(race + "ALM")); n != nil {
			male.add(n)
		}
	}
	if female.some && male.some {
		f.Female, f.Male = &female.n, &male.n
	}
	return f
}

// titleI reads whether a school is eligible for Title I: by the status of today's files, TITLEI of older ones.
func titleI(r row) *bool {
	switch status := strings.ToUpper(r.value("TITLEI_STATUS", "TITLEISTAT")); status {
	case "", "MISSING", "NOTREPORTED":
		return yes(r.value("TITLEI"))
	default:
		eligible := status != "NOTTITLE1ELIG" && status != "6"
		return &eligible
	}
}

// merge returns figures with those of b where a has none.
func merge(a, b staged.SchoolFigures) staged.SchoolFigures {
	ints := [][2]**int64{{&a.Students, &b.Students}, {&a.Female, &b.Female}, {&a.Male, &b.Male}, {&a.FreeLunch, &b.FreeLunch},
		{&a.ReducedLunch, &b.ReducedLunch}}
	for _, p := range ints {
		if *p[0] == nil {
			*p[0] = *p[1]
		}
	}
	flags := [][2]**bool{{&a.Charter, &b.Charter}, {&a.Magnet, &b.Magnet}, {&a.TitleI, &b.TitleI}, {&a.Library, &b.Library}}
	for _, p := range flags {
		if *p[0] == nil {
			*p[0] = *p[1]
		}
	}
	if a.StudentTeacherRatio == nil {
		a.StudentTeacherRatio = b.StudentTeacherRatio
	}
	return a
}

// number reads a number of at least 0; nil where it is missing.
func number(text string) *float64 {
	n, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil || !(n >= 0) || n > math.MaxInt32 {
		return nil
	}
	return &n
}

func count(text string) *int64 {
	n := number(text)
	if n == nil {
		return nil
	}
	whole := int64(math.Round(*n))
	return &whole
}

// yes reads Yes or No, or 1 or 2; N is not applicable, which is missing.
func yes(text string) *bool {
	var is bool
	switch strings.ToUpper(text) {
	case "YES", "Y", "1":
		is = true
	case "NO", "2":
	default:
		return nil
	}
	return &is
}
