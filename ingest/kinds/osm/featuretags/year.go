package featuretags

import (
	"strconv"
	"strings"

	"quartier/ingest/formats/element"
)

// Year returns the year of construction of a building; 0 if no tag has it.
func Year(tags element.Tags) int {
	for _, key := range [...]string{"start_date", "building:year", "year_of_construction", "building:start_date", "construction_date",
		"year_built"} {
		if year := ParseYear(tags.Get(key)); year != 0 {
			return year
		}
	}
	return 0
}

// The years of construction that are plausible.
const (
	firstYear = 1500
	lastYear  = 2100
)

// ParseYear reads the first year in a date as mappers write them: '1893', '1890-05-01', '~1905', '1914..1918',
// 'before 1910', '1920s', 'C19', 'mid C18', '5/1/1890'. A decade or century gives its first year, the middle or end of a
// century the first year of that third: 'mid C18' is 1733. 0: none.
func ParseYear(text string) int {
	text = strings.ToLower(text)
	if year := century(text); year != 0 {
		return year
	}
	for rest := text; rest != ""; {
		start := strings.IndexFunc(rest, digit)
		if start < 0 {
			return 0
		}
		rest = rest[start:]
		end := strings.IndexFunc(rest, func(r rune) bool { return !digit(r) })
		if end < 0 {
			end = len(rest)
		}
		if year, err := strconv.Atoi(rest[:end]); err == nil && end == 4 && year >= firstYear && year <= lastYear {
			return year
		}
		rest = rest[end:]
	}
	return 0
}

func digit(r rune) bool { return r >= '0' && r <= '9' }

// century reads 'C19', with or without early, mid or late.
func century(text string) int {
	words := strings.Fields(text)
	if len(words) == 0 {
		return 0
	}
	number, isCentury := strings.CutPrefix(words[len(words)-1], "c")
	n, err := strconv.Atoi(number)
	if !isCentury || err != nil || n < 16 || n > 21 {
		return 0
	}
	year := 100 * (n - 1)
	switch words[0] {
	case "mid":
		year += 33
	case "late":
		year += 66
	}
	return year
}
