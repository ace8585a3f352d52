package schools

import (
	"slices"
	"strings"

	"quartier/schemas"
)

// span is the grades that a school teaches as ranks, both inclusive: indexes in schemas.Grades.
type span struct {
	first, last int
	known       bool
}

// Ranks of grades: kindergarten, and the first grade, after which they are numbers.
const (
	rankJK       = 1
	rankK        = 2
	rankOne      = 3
	rankFive     = rankOne + 4
	rankSix      = rankOne + 5
	rankSeven    = rankOne + 6
	rankEight    = rankOne + 7
	rankNine     = rankOne + 8
	rankThirteen = rankOne + 12
)

// ranksOf are the ranks of schemas.SchoolLevels: PK and junior kindergarten, K–5, 6–8, 9–13. In Canada grade 6 is
// elementary, as in its census of education (ISCED 1) and in Ontario's intermediate division of 7 and 8.
func ranksOf(country string) [][2]int {
	if country == "CA" {
		return [][2]int{{0, rankJK}, {rankK, rankSix}, {rankSeven, rankEight}, {rankNine, rankThirteen}}
	}
	return [][2]int{{0, rankJK}, {rankK, rankFive}, {rankSix, rankEight}, {rankNine, rankThirteen}}
}

// gradeRank is the rank of a grade's code.
func gradeRank(code string) (int, bool) {
	i := slices.IndexFunc(schemas.Grades, func(codes []string) bool { return slices.Contains(codes, code) })
	return i, i >= 0
}

// spanOfGrades is the span of 'JK-8' or '9'; unknown for anything else.
func spanOfGrades(grades string) span {
	from, to, ranges := strings.Cut(grades, "-")
	if !ranges {
		to = from
	}
	first, ok := gradeRank(from)
	last, ok2 := gradeRank(to)
	return span{first, last, ok && ok2 && first <= last}
}

// spanOfLevels is the span from the first to the last of a comma list of levels.
func spanOfLevels(levels, country string) (s span) {
	ranks := ranksOf(country)
	for i, level := range schemas.SchoolLevels {
		if !slices.Contains(list(levels), level) {
			continue
		}
		if !s.known {
			s.first = ranks[i][0]
		}
		s.last, s.known = ranks[i][1], true
	}
	return s
}

// teaches is what a record says about the grades that it teaches. "Elementary" alone is grades up to the eighth in Canada.
func teaches(grades, levels, country string) span {
	if s := spanOfGrades(grades); s.known {
		return s
	}
	if levels == "elementary" && country == "CA" {
		return span{rankJK, rankEight, true}
	}
	return spanOfLevels(levels, country)
}

// contradicts reports whether two schools have no grade in common.
func (s span) contradicts(other span) bool {
	return s.known && other.known && (s.last < other.first || other.last < s.first)
}

// levels is the comma list of the levels in which grades of the span are, in a country; "" if it is unknown.
func (s span) levels(country string) string {
	var levels []string
	for i, ranks := range ranksOf(country) {
		if s.known && s.first <= ranks[1] && ranks[0] <= s.last {
			levels = append(levels, schemas.SchoolLevels[i])
		}
	}
	return strings.Join(levels, ",")
}

// orderLevels is the comma list of levels in their order, each once.
func orderLevels(levels []string) string {
	var ordered []string
	for _, level := range schemas.SchoolLevels {
		if slices.Contains(levels, level) {
			ordered = append(ordered, level)
		}
	}
	return strings.Join(ordered, ",")
}

// list splits a comma list; nil for "".
func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}
