package staging

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/paulmach/orb"
	"golang.org/x/text/encoding/charmap"

	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/internal/outline"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

// nearState is the distance in metres within which a school beyond the border of its state is taken as in it: the outlines
// of the states are coarse.
const nearState = 5000

// maxPupils and maxRatio are the limits of plausible schools; the largest, of pupils who learn at home, have 40,000.
const (
	maxPupils = 200_000
	maxRatio  = 1000
)

// stageSchool stages a record of a school. Its texts become one line each.
func (s *sink) stageSchool(v source.School) error {
	v.SourceID = s.source
	fault := tidy(s, &v)
	where := strings.TrimSpace(v.SourceKey + " " + v.Name)
	if fault.OK() {
		fault = checkSchool(&v)
	}
	if fault.OK() && v.Lng != nil {
		fault = s.locateSchool(&v, where)
	}
	if ok, err := s.accept("school", where, fault, v.SourceKey); !ok {
		return err
	}
	if v.Lng != nil {
		s.located(v.Name != "", orb.Point{*v.Lng, *v.Lat}) // a list of ids with coordinates is of no use alone
	}
	if v.AuthorityID != "" && v.AuthorityID != v.SourceKey && !s.addKey("authority of school", v.AuthorityID) {
		s.Issue(authorityIDRemoved, where+": "+v.AuthorityID)
		v.AuthorityID = ""
	}
	for _, n := range []**int64{&v.Students, &v.Female, &v.Male, &v.FreeLunch, &v.ReducedLunch} {
		if *n != nil && (**n < 0 || **n > maxPupils) {
			s.Issue(schoolFigureRemoved, where)
			*n = nil
		}
	}
	v.StudentTeacherRatio = s.inRange(v.StudentTeacherRatio, maxRatio, schoolFigureRemoved, where)
	return write(s, "school", v)
}

// tidy makes each text of a row one line, with letters that were encoded twice restored, and returns why one cannot be
// staged, if it cannot.
func tidy[T any](s *sink, row *T) (fault reason.Reason) {
	sqlrow.Texts(row, func(column string, text *string) {
		if why := checkText(column, *text); fault.OK() {
			fault = why
		}
		once, twice := encodedOnce(*text)
		if twice {
			s.Issue(encodedTwice, *text)
		}
		*text = strings.Join(strings.Fields(once), " ")
	})
	return fault
}

// encodedOnce returns a text whose UTF-8 was read as Windows-1252 and written as UTF-8 again as it was before: Ã‰cole is École.
func encodedOnce(text string) (once string, twice bool) {
	if !strings.ContainsAny(text, "ÃÂ") {
		return text, false
	}
	once, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil || !utf8.ValidString(once) {
		return text, false
	}
	return once, true
}

// addKey reports whether a key is new in a set of keys.
func (s *sink) addKey(set, key string) bool {
	if s.keys[set] == nil {
		s.keys[set] = keySet{}
	}
	return s.keys[set].add(key)
}

func checkSchool(v *source.School) reason.Reason {
	known := subset(v.Levels, schemas.SchoolLevels) && subset(v.Types, []string{"public", "private"}) && gradesKnown(v.Grades)
	return cmp.Or(
		when(v.SourceKey == "", source.MissingKey),
		when(v.Name == "" && v.AuthorityID == "", nameless),
		when(v.CountryCode != "" && !twoLetters(v.CountryCode), invalidCountryCode),
		when(v.StateCode != "" && !twoLetters(v.StateCode), invalidStateCode),
		when(!known, invalidSchool),
		when((v.Lng == nil) != (v.Lat == nil), source.InvalidCoordinate),
	)
}

// subset reports whether all of a comma list are in a vocabulary; an empty list is.
func subset(list string, vocabulary []string) bool {
	return list == "" || !slices.ContainsFunc(strings.Split(list, ","), func(id string) bool { return !slices.Contains(vocabulary, id) })
}

// gradesKnown reports whether grades are 'K-8' or '9', first to last, or none.
func gradesKnown(grades string) bool {
	if grades == "" {
		return true
	}
	last := -1
	for _, code := range strings.SplitN(grades, "-", 2) {
		rank := slices.IndexFunc(schemas.Grades, func(codes []string) bool { return slices.Contains(codes, code) })
		if rank < 0 || rank <= last {
			return false
		}
		last = rank
	}
	return true
}

// locateSchool returns why coordinates cannot be those of a school, if they cannot. It exchanges them where they are in the
// row's state only so.
func (s *sink) locateSchool(v *source.School, where string) reason.Reason {
	p := orb.Point{*v.Lng, *v.Lat}
	if !finite(p) {
		return source.InvalidCoordinate
	}
	if p == (orb.Point{}) {
		return source.ZeroCoordinates
	}
	if v.StateCode == "" {
		return checkLocation(p)
	}
	if inState(p, v.StateCode) {
		return reason.Reason{}
	}
	if inState(orb.Point{p[1], p[0]}, v.StateCode) {
		s.Issue(coordinatesSwapped, where)
		v.Lng, v.Lat = v.Lat, v.Lng
		return reason.Reason{}
	}
	return cmp.Or(checkLocation(p), outsideState)
}

// inState reports whether a point is in a state or near it; every point is in one that is not known or has no outline.
func inState(p orb.Point, code string) bool {
	i := slices.IndexFunc(schemas.States, func(s schemas.StateEntry) bool { return s.Code == code }) // no code is used in both countries
	if i < 0 {
		return true
	}
	state := schemas.States[i].Country + "_" + code
	if outline.At(p) == state || outline.Of(state) == nil {
		return true
	}
	if !outline.Near(p) {
		return false
	}
	lng, lat := geo.MetresPerDegree(p[1])
	for i := range 8 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 4)
		if outline.At(orb.Point{p[0] + nearState*cos/lng, p[1] + nearState*sin/lat}) == state {
			return true
		}
	}
	return false
}

// stageCatchment stages the outline of what a school serves, repaired where necessary.
func (s *sink) stageCatchment(v source.Catchment) error {
	row := staged.Catchment{SourceID: s.source, SourceKey: v.Key, SchoolID: v.SchoolID, SchoolName: v.SchoolName, Level: v.Level,
		Grade: v.Grade, Program: v.Program}
	fault := tidy(s, &row)
	where := strings.TrimSpace(row.SourceKey + " " + row.SchoolName)
	fault = cmp.Or(
		fault,
		when(row.SourceKey == "", source.MissingKey),
		when(row.SchoolID == "" && row.SchoolName == "", noSchool),
		when(strings.Contains(row.Level, ",") || !subset(row.Level, schemas.SchoolLevels) || !gradesKnown(row.Grade), invalidSchool),
		checkExtent(v.Geometry, maxExtentLargeDeg),
	)
	s.locatedArea(false, v.Geometry)
	if ok, err := s.accept("catchment", where, fault, row.SourceKey); !ok {
		return err
	}
	var err error
	if row.Geom, err = s.outline(v.Geometry, where); row.Geom == nil {
		return err
	}
	return write(s, "catchment", row)
}

// stageSchoolRating stages a mark of a school.
func (s *sink) stageSchoolRating(v source.SchoolRating) error {
	v.SourceID = s.source
	fault := tidy(s, &v)
	fault = cmp.Or(
		fault,
		when(v.SourceKey == "", source.MissingKey),
		when(v.SchoolID == "" && v.SchoolName == "", noSchool),
		when(v.Share == nil && v.Letter == "", noMark),
		when(v.Share != nil && !(*v.Share >= 0 && *v.Share <= 1), shareOutOfRange),
	)
	return put(s, "school_rating", v, v.SourceKey+" "+v.SchoolName, fault, v.SourceKey)
}
