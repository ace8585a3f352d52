package grade

import (
	"regexp"
	"strconv"
	"strings"
)

// Dates that spreadsheets make of two numbers: 12-SEP, SEP-12, 2019-09-12 00:00:00, 9/12/2019. The first of the two numbers
// is the month.
var (
	dayMonth = regexp.MustCompile(`^(\d{1,2})[-. ]([^\d\s.-]{3,9})\.?$`)
	monthDay = regexp.MustCompile(`^([^\d\s.-]{3,9})\.?[-. ](\d{1,2})$`)
	isoDate  = regexp.MustCompile(`^\d{4}-(\d{2})-(\d{2})(?:[ T]00:00(?::00)?(?:\.0+)?)?$`)
	usDate   = regexp.MustCompile(`^(\d{1,2})/(\d{1,2})/\d{2}(?:\d{2})?$`)
)

// months are the beginnings of their names, in English and French.
var months = []string{"JAN", "FEB FÉV FEV", "MAR", "APR AVR", "MAY MAI", "JUN JUIN", "JUL JUIL", "AUG AOÛ AOU", "SEP", "OCT", "NOV",
	"DEC DÉC"}

// ofDate returns the two grades of which a date was made.
func ofDate(text string) (low, high string, is bool) {
	if m := dayMonth.FindStringSubmatch(text); m != nil {
		low, high = month(m[2]), m[1]
	} else if m := monthDay.FindStringSubmatch(text); m != nil {
		low, high = month(m[1]), m[2]
	} else if m := isoDate.FindStringSubmatch(text); m != nil {
		low, high = m[1], m[2]
	} else if m := usDate.FindStringSubmatch(text); m != nil {
		low, high = m[1], m[2]
	}
	low, high = code(low), code(high)
	return low, high, low != "" && rank(low) > 0 && rank(high) > 0
}

// month returns the number of a month as text; "" where the name is none.
func month(name string) string {
	for i, beginnings := range months {
		for _, beginning := range strings.Fields(beginnings) {
			if strings.HasPrefix(name, beginning) {
				return strconv.Itoa(i + 1)
			}
		}
	}
	return ""
}
