package reso

import (
	"math"
	"strconv"
	"strings"
	"time"

	"quartier/ingest/formats/table"
	"quartier/schemas/market"
)

// The years that a date may have.
const (
	firstYear = 1900
	lastYear  = 2199
)

// dayForms are forms of dates beside those of digits alone, which parseDay reads itself.
var dayForms = []string{"Jan 2, 2006", "January 2, 2006", "Jan 2 2006", "2-Jan-2006", "02-Jan-06", "2 Jan 2006"}

// parseDay reads a date, of a time its date as written:
//
//	2016-06-22, 2016-06-22T00:00:00.000Z, 2016/06/22 00:00:00+00, 6/22/2016, 6/22/16, 20160622, 20160622T000000, Jun 22, 2016
//
// Years of two digits are those from 1970 to 2069.
func parseDay(text string) (market.Day, bool) {
	head := text
	if i := strings.IndexAny(head, "T "); i >= 6 && head[0] >= '0' && head[0] <= '9' {
		head = head[:i]
	}
	if y, m, d, ok := splitDate(head); ok {
		return dayOf(y, m, d)
	}
	if n, err := strconv.ParseInt(head, 10, 64); err == nil {
		switch len(head) {
		case 8:
			return dayOf(int(n/10000), int(n/100%100), int(n%100))
		case 12, 13: // milliseconds since 1970, of map servers
			t := time.UnixMilli(n).UTC()
			return dayOf(t.Year(), int(t.Month()), t.Day())
		}
		return 0, false
	}
	for _, form := range dayForms {
		if t, err := time.Parse(form, text); err == nil {
			return dayOf(t.Year(), int(t.Month()), t.Day())
		}
	}
	return 0, false
}

// splitDate splits 2016-06-22, 2016/6/22, 6/22/2016, 6/22/16 and 06-22-2016.
func splitDate(text string) (year, month, day int, ok bool) {
	var parts [3]int
	var digits [3]int
	n := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			parts[n] = parts[n]*10 + int(c-'0')
			if digits[n]++; digits[n] > 4 {
				return 0, 0, 0, false
			}
		case (c == '-' || c == '/') && n < 2 && digits[n] > 0:
			n++
		default:
			return 0, 0, 0, false
		}
	}
	switch {
	case n != 2 || digits[1] > 2:
		return 0, 0, 0, false
	case digits[0] == 4 && digits[2] >= 1 && digits[2] <= 2:
		return parts[0], parts[1], parts[2], true
	case digits[0] <= 2 && digits[2] == 4:
		return parts[2], parts[0], parts[1], true
	case digits[0] <= 2 && digits[2] == 2:
		if year = 2000 + parts[2]; parts[2] >= 70 {
			year = 1900 + parts[2]
		}
		return year, parts[0], parts[1], true
	}
	return 0, 0, 0, false
}

// dayOf returns a day of the calendar.
func dayOf(year, month, day int) (market.Day, bool) {
	if year < firstYear || year > lastYear || month < 1 || month > 12 || day < 1 || day > 31 {
		return 0, false
	}
	d := market.DayOf(year, time.Month(month), day)
	if day > 28 {
		if _, m, _ := d.Date(); int(m) != month {
			return 0, false
		}
	}
	return d, true
}

// instantForms are forms of times; without an offset they are UTC.
var instantForms = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999-07",
	"2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999-0700", "2006-01-02T15:04", "2006-01-02", "1/2/2006 3:04:05 PM",
	"1/2/2006 15:04:05", "1/2/2006",
}

// parseInstant reads a time as microseconds since 1970, UTC.
func parseInstant(text string) (int64, bool) {
	for _, form := range instantForms {
		if t, err := time.Parse(form, text); err == nil {
			return t.UnixMicro(), t.Year() >= firstYear && t.Year() <= lastYear
		}
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && (len(text) == 12 || len(text) == 13) {
		return n * 1000, true
	}
	return 0, false
}

// currencies are marks of dollars of the United States before or after a price, the longest first.
var currencies = []string{"U.S. $", "US DOLLARS", "DOLLARS", "US $", "US$", "USD", "$"}

// withoutCurrency is a text without the mark of dollars at one of its ends.
func withoutCurrency(text string) string {
	for _, mark := range currencies {
		if n := len(mark); len(text) > n && strings.EqualFold(text[:n], mark) {
			return strings.TrimSpace(text[n:])
		} else if len(text) > n && strings.EqualFold(text[len(text)-n:], mark) {
			return strings.TrimSpace(text[:len(text)-n])
		}
	}
	return text
}

// parseNumber reads a number with or without thousands and a mark of dollars, negative in parentheses; absent is a text without
// a digit, such as "$ -".
func parseNumber(text string) (n float64, absent, ok bool) {
	if !strings.ContainsAny(text, "0123456789") {
		return 0, strings.Trim(text, " $-–—.") == "", false
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n, false, !math.IsInf(n, 0) && !math.IsNaN(n)
	}
	text = withoutCurrency(strings.TrimSpace(text))
	if inner, found := strings.CutPrefix(text, "("); found && strings.HasSuffix(inner, ")") {
		text = "-" + withoutCurrency(strings.TrimSpace(strings.TrimSuffix(inner, ")")))
	}
	n, ok = table.ParseNumber([]byte(text), '.')
	return n, false, ok
}

// mostDollars is beyond any price.
const mostDollars = 1e12

// dollars rounds a price half away from zero.
func dollars(n float64) int64 { return int64(math.Round(n)) }
