package market

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// Intervals that are kept at most, as the contract limits them.
const (
	keptMonths   = 60
	keptQuarters = 20
)

// Interval is a span of days that statistics are about.
type Interval struct {
	Code        string // 30d, 31-60d, 12m, 2026-10, 2026Q3
	First, Last Day    // both included
	Closed      bool   // a month or quarter, whose days do not move with the date of the data
}

// rolling are the intervals that move with the date of the data, asOf, whose own day is not over.
func rolling(asOf Day) []Interval {
	year := asOf.AddMonths(-12)
	return []Interval{
		{"30d", asOf - 30, asOf - 1, false},
		{"60d", asOf - 60, asOf - 1, false},
		{"90d", asOf - 90, asOf - 1, false},
		{"120d", asOf - 120, asOf - 1, false},
		{"31-60d", asOf - 60, asOf - 31, false},
		{"12m", year, asOf - 1, false},
		{"13-24m", asOf.AddMonths(-24), year - 1, false},
	}
}

// Intervals are all intervals that data as of a day has, in this order: those that move with the day, the 60 latest closed
// months and the 20 latest closed quarters, each from the latest to the earliest.
func Intervals(asOf Day) []Interval {
	list := rolling(asOf)
	year, month, _ := asOf.Date()
	for n := range keptMonths {
		list = append(list, month1(year, month-time.Month(n)-1))
	}
	first := month - (month-1)%3 // of the quarter that is not over
	for n := range keptQuarters {
		list = append(list, quarter(year, first-time.Month(3*(n+1))))
	}
	return list
}

func month1(year int, month time.Month) Interval {
	i := Interval{First: DayOf(year, month, 1), Last: DayOf(year, month+1, 1) - 1, Closed: true}
	y, m, _ := i.First.Date()
	i.Code = fmt.Sprintf("%04d-%02d", y, m)
	return i
}

func quarter(year int, first time.Month) Interval {
	i := Interval{First: DayOf(year, first, 1), Last: DayOf(year, first+3, 1) - 1, Closed: true}
	y, m, _ := i.First.Date()
	i.Code = fmt.Sprintf("%04dQ%d", y, (m+2)/3)
	return i
}

// Year is the year of a closed interval; 0 of one that moves with the day.
func (i Interval) Year() int {
	if !i.Closed {
		return 0
	}
	year, _, _ := i.First.Date()
	return year
}

// Years are the years of closed intervals, ascending.
func Years(intervals []Interval) (years []int) {
	for _, i := range intervals {
		if i.Closed {
			years = append(years, i.Year())
		}
	}
	slices.Sort(years)
	return slices.Compact(years)
}

// Default are the codes that an answer has where none are asked for: 30d and the latest 12 closed months.
func Default(intervals []Interval) []Interval {
	chosen := []Interval{intervals[0]}
	for _, i := range intervals {
		if i.Closed && len(chosen) < 13 {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

var closedCode = regexp.MustCompile(`^(\d{4})(?:-(\d{2})|Q(\d))$`)

// Parse returns the index of a code in the intervals of a day. The error says why there is none: another form, an impossible or
// open month or quarter, or one that is older than what is kept.
func Parse(code string, asOf Day, intervals []Interval) (int, error) {
	for i := range intervals {
		if intervals[i].Code == code {
			return i, nil
		}
	}
	m := closedCode.FindStringSubmatch(code)
	if m == nil {
		return 0, fmt.Errorf("interval %q is none of 30d, 60d, 90d, 120d, 31-60d, 12m, 13-24m, yyyy-mm and yyyyQn", code)
	}
	month, _ := strconv.Atoi(m[2])
	if q, _ := strconv.Atoi(m[3]); m[3] != "" {
		if q < 1 || q > 4 {
			return 0, fmt.Errorf("interval %s: there is no quarter %d", code, q)
		}
		month = 3*q - 2
	}
	if month < 1 || month > 12 {
		return 0, fmt.Errorf("interval %s: there is no month %s", code, m[2])
	}
	year, _ := strconv.Atoi(m[1])
	if DayOf(year, time.Month(month), 1) < asOf {
		y, mo, _ := asOf.Date()
		if !(year == y && time.Month(month) <= mo && int(mo)-month < 3) {
			return 0, fmt.Errorf("interval %s is older than the %d latest closed months and %d latest closed quarters", code, keptMonths,
				keptQuarters)
		}
	}
	return 0, fmt.Errorf("interval %s is not over as of %s", code, asOf)
}
