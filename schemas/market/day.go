package market

import (
	"fmt"
	"time"
)

// Day is a day of the calendar as days since 1970-01-01. It has no time zone.
type Day int32

// NoDay is the day of what has not happened or is not known.
const NoDay Day = -1 << 31

// DayOf returns the day of a date; impossible dates become the day that time.Date makes of them.
func DayOf(year int, month time.Month, day int) Day {
	return Day(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsPerDay)
}

const secondsPerDay = 24 * 60 * 60

// ParseDay reads YYYY-MM-DD.
func ParseDay(text string) (Day, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return NoDay, fmt.Errorf("%q is not a date (YYYY-MM-DD)", text)
	}
	return DayOf(t.Date()), nil
}

// Date returns year, month and day of the month.
func (d Day) Date() (int, time.Month, int) { return d.midnight().Date() }

// String is the day as YYYY-MM-DD; "" for NoDay.
func (d Day) String() string {
	if d == NoDay {
		return ""
	}
	return d.midnight().Format(time.DateOnly)
}

func (d Day) midnight() time.Time { return time.Unix(int64(d)*secondsPerDay, 0).UTC() }

// AddMonths returns the day n months later, or before if n is negative: 31 March less a month is the last day of February.
func (d Day) AddMonths(n int) Day {
	year, month, day := d.Date()
	last := DayOf(year, month+time.Month(n)+1, 0)
	return min(DayOf(year, month+time.Month(n), 1)+Day(day)-1, last)
}
