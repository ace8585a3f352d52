package timetable

import (
	"fmt"
	"math"
	"time"
)

// Date is a day of the calendar, counted from 1970-01-01.
type Date int32

// NoDate is no day at all.
const NoDate Date = math.MinInt32

const secondsOfDay = 24 * 60 * 60

// NewDate is a day of a month of a year.
func NewDate(year int, month time.Month, day int) Date {
	return Date(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay)
}

// ParseDate reads a date as 2025-03-04 or as feeds write it, 20250304.
func ParseDate(text string) (Date, error) {
	layout := time.DateOnly
	if len(text) == len("20060102") {
		layout = "20060102"
	}
	t, err := time.Parse(layout, text)
	if err != nil {
		return NoDate, err
	}
	return NewDate(t.Date()), nil
}

func (d Date) time() time.Time { return time.Unix(int64(d)*secondsOfDay, 0).UTC() }

// Weekday is the day of the week.
func (d Date) Weekday() time.Weekday { return d.time().Weekday() }

// String is the date as 2025-03-04.
func (d Date) String() string { return d.time().Format(time.DateOnly) }

// TimeOfDay is a second after midnight as 08:07:30; after the day it goes on counting hours.
func TimeOfDay(second int32) string {
	return fmt.Sprintf("%02d:%02d:%02d", second/3600, second/60%60, second%60)
}
