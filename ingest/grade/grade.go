// Package grade reads what publishers write of schools: grades, levels, whether they are public, languages, remarks in names.
package grade

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quartier/schemas"
	"quartier/schemas/reason"
)

var reasons reason.List

// Reasons for which parts of a school's row are changed or left out.
var (
	Unknown  = reasons.Repaired("unknown_grade", "A grade is not known and was left out.")
	Reversed = reasons.Repaired("reversed_grades", "The first grade is after the last one; they were exchanged.")
	Dated    = reasons.Repaired("date_for_grades", "A spreadsheet made a date of the grades, such as 12-Sep of 9-12; they were restored.")
	NoLevel  = reasons.Repaired("unknown_school_level", "The level is not known and was left out.")
	NoType   = reasons.Repaired("unknown_school_type", "The text does not say whether the school is public or private; it was left out.")
	NoSchool = reasons.Skipped("not_a_school", "The type or level says that the record is an office, or for adults.")
	Interim  = reasons.Repaired("interim_site",
		"The name says that the school is at another one's site for a time; this was removed from the name, and the coordinates do not "+
			"outweigh those of other sources.")
)

// Reasons are those above.
func Reasons() []reason.Reason { return slices.Clone(reasons) }

// Range is what a text about grades says.
type Range struct {
	Grades string // codes of schemas.Grades, first to last: 'K-8', '9'; "" where there are none
	// of schemas.SchoolLevels, in their order, where the grades have a gap: 'PK, 6-8' has no elementary one; nil: those from first
	// to last
	Levels   []string
	Reversed bool // the first was after the last
	Dated    bool // the text was a date
	Unknown  bool // a part of the text is not known
}

// Parse reads a grade, a range or a list, in English or French: 'K-8', '09', 'pre K-5', 'K, 1, 2, 3', 'Maternelle à 6'. Ungraded
// and adult education are no grades. A date is what a spreadsheet makes of a range: 12-Sep is 9-12, and so is 2019-09-12.
func Parse(text string) Range {
	text = plain(text)
	if low, high, is := ofDate(text); is {
		r := Between(low, high)
		r.Reversed, r.Dated = false, true // 9-Dec is 9-12 where days are before months
		return r
	}
	var r Range
	var offered []bool
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(",;/&+", c) }) {
		codes := strings.Split(strings.TrimSpace(part), "-")
		if len(codes) == 1 {
			codes = append(codes, codes[0])
		}
		if len(codes) != 2 {
			r.Unknown = true
			continue
		}
		offered = r.add(offered, codes[0], codes[1])
	}
	r.levels(offered)
	return r
}

// Between reads the first and the last grade; one that is empty or ungraded is that of the other.
func Between(low, high string) Range {
	low, high = plain(low), plain(high)
	if low == "" || notGraded[low] {
		low = high
	}
	if high == "" || notGraded[high] {
		high = low
	}
	var r Range
	r.add(nil, low, high)
	return r
}

// add adds a range of grades to those offered, by rank.
func (r *Range) add(offered []bool, low, high string) []bool {
	low, high = code(low), code(high)
	for _, c := range []*string{&low, &high} {
		if notGraded[*c] {
			*c = ""
		} else if *c != "" && rank(*c) < 0 {
			r.Unknown, *c = true, ""
		}
	}
	switch {
	case low == "" && high == "":
		return offered
	case low == "":
		low = high
	case high == "":
		high = low
	}
	if rank(low) > rank(high) {
		low, high, r.Reversed = high, low, true
	}
	if offered == nil {
		offered = make([]bool, len(schemas.Grades))
	}
	for i := rank(low); i <= rank(high); i++ {
		offered[i] = true
	}
	first, last, found := strings.Cut(r.Grades, "-")
	if !found {
		last = first
	}
	if first == "" || rank(low) < rank(first) {
		first = low
	}
	if last == "" || rank(high) > rank(last) {
		last = high
	}
	if r.Grades = first; first != last {
		r.Grades += "-" + last
	}
	return offered
}

// levels sets the levels of a list with a gap.
func (r *Range) levels(offered []bool) {
	first, last := slices.Index(offered, true), lastTrue(offered)
	var some, all []string
	for i := first; i >= 0 && i <= last; i++ {
		l := levelOf(i)
		if !slices.Contains(all, l) {
			all = append(all, l)
		}
		if offered[i] && !slices.Contains(some, l) {
			some = append(some, l)
		}
	}
	if len(some) < len(all) {
		r.Levels = some
	}
}

func lastTrue(list []bool) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] {
			return i
		}
	}
	return -1
}

// rank is the position of a code in schemas.Grades; −1 where it has none.
func rank(code string) int {
	return slices.IndexFunc(schemas.Grades, func(codes []string) bool { return slices.Contains(codes, code) })
}

// levelOf is the level of the grade of a rank.
func levelOf(rank int) string {
	kindergarten := slices.IndexFunc(schemas.Grades, func(codes []string) bool { return slices.Contains(codes, "K") })
	switch n := rank - kindergarten; {
	case n < 0:
		return "preschool"
	case n <= 5:
		return "elementary"
	case n <= 8:
		return "middle"
	}
	return "secondary"
}

// Span is a range of grades within one level.
type Span struct{ Level, Grades string }

// Spans divides grades, as in Range, by level: 'K-8' is elementary K-5 and middle 6-8. It has none of "".
func Spans(grades string) (spans []Span) {
	first, last, found := strings.Cut(grades, "-")
	if !found {
		last = first
	}
	if rank(first) < 0 || rank(last) < 0 {
		return nil
	}
	for i := rank(first); i <= rank(last); i++ {
		at := schemas.Grades[i][len(schemas.Grades[i])-1]
		switch {
		case i == rank(first):
			at = first
		case i == rank(last):
			at = last
		case at == "K" && first == "JK":
			at = "SK"
		case at == "M": // what is before K has this name in some places alone
			continue
		}
		n := len(spans)
		if n == 0 || spans[n-1].Level != levelOf(i) {
			spans = append(spans, Span{levelOf(i), at})
			continue
		}
		from, _, _ := strings.Cut(spans[n-1].Grades, "-")
		spans[n-1].Grades = from + "-" + at
	}
	return spans
}

var (
	dashes   = regexp.MustCompile(`\s*[-–—−]\s*`)
	to       = regexp.MustCompile(`\s+(?:TO|THROUGH|THRU|À|AU)\s+`)
	and      = regexp.MustCompile(`\s+(?:AND|ET)\s+`)
	grades   = regexp.MustCompile(`\b(?:GRADES?|GR\b\.?|YEARS?|ANNÉES?)\s*`)
	ordinal  = regexp.MustCompile(`\b(\d{1,2})\s*(?:ST|ND|RD|TH|E|ÈRE|RE|ÈME)\b`)
	pre      = regexp.MustCompile(`\bPRE[- ]?(?:K(?:INDERGARTEN|G|DG)?\b|SCHOOL\b|SCHL\b)`)
	junior   = regexp.MustCompile(`\b(JUNIOR|JR\.?|SENIOR|SR\.?|TRANSITIONAL) KINDERGARTEN\b`)
	ofPhrase = map[byte]string{'J': "JK", 'S': "SK", 'T': "TKG"}
)

// plain writes ranges with a hyphen, lists with commas, and phrases as codes.
func plain(text string) string {
	text = strings.ToUpper(strings.Join(strings.Fields(text), " "))
	text = pre.ReplaceAllString(text, "PK")
	text = junior.ReplaceAllStringFunc(text, func(phrase string) string { return ofPhrase[phrase[0]] })
	text = to.ReplaceAllString(dashes.ReplaceAllString(text, "-"), "-")
	text = and.ReplaceAllString(text, ",")
	text = strings.TrimSpace(grades.ReplaceAllString(text, ""))
	return ordinal.ReplaceAllString(text, "$1")
}

// codes are the codes of grades as publishers write them, beside those of schemas.Grades and numbers. K4 is kindergarten of
// four-year-olds with some publishers and K-4 with others, so it is not known.
var codes = map[string]string{
	"P": "PK", "PS": "PK", "P3": "PK", "P4": "PK", "PK3": "PK", "PK4": "PK", "PREKINDERGARTEN": "PK", "4K": "PK", "3K": "PK",
	"TK": "TKG", "T1": "1", "NURSERY": "N", "MATERNELLE": "M", "JARDIN": "JK",
	"KG": "K", "KF": "K", "KH": "K", "KN": "K", "KDG": "K", "K5": "K", "0": "K", "00": "K", "KINDERGARTEN": "K",
}

var notGraded = map[string]bool{"UG": true, "AE": true, "UNGRADED": true, "ADULT": true, "ADULTS": true, "NONE": true, "N/A": true,
	"NA": true}

// code returns the code of a grade as schemas.Grades has it; the text itself where it is not known.
func code(text string) string {
	text = strings.TrimSpace(text)
	if known, ok := codes[text]; ok {
		return known
	}
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return strconv.Itoa(n)
	}
	return text
}

// inName is a range from kindergarten or before, or one that only a school has, in a name: 'South Shore K-8'.
var inName = regexp.MustCompile(`(?i)(?:^|[\s(])((?:pre-?k|pk|jk|tk|k)\s?[-–]\s?\d{1,2}|5-8|6-8|6-12|7-8|7-12|9-12)(?:$|[\s),.])`)

// OfName returns the grades in a school's name; "" where it has none.
func OfName(name string) string {
	if found := inName.FindStringSubmatch(name); found != nil {
		return Parse(found[1]).Grades
	}
	return ""
}

// Changed returns the reasons of what differs from the text.
func (r Range) Changed() (list []reason.Reason) {
	for _, c := range []struct {
		is  bool
		why reason.Reason
	}{{r.Dated, Dated}, {r.Reversed, Reversed}, {r.Unknown, Unknown}} {
		if c.is {
			list = append(list, c.why)
		}
	}
	return list
}

// Compare orders grades by the first, then by the last one.
func Compare(a, b string) int {
	firstA, lastA, _ := strings.Cut(a, "-")
	firstB, lastB, _ := strings.Cut(b, "-")
	return cmp.Or(cmp.Compare(rank(firstA), rank(firstB)), cmp.Compare(rank(lastA), rank(lastB)))
}
