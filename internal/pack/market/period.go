package market

import (
	"encoding/json"
	"fmt"
	"time"

	"quartier/internal/timezone"
	"quartier/schemas"
	"quartier/schemas/market"
)

// PeriodOf is the days of an interval in a time zone.
func PeriodOf(i market.Interval, zone *time.Location) schemas.MarketPeriod {
	at := func(day market.Day, hour, minute, second int) string {
		year, month, dayOfMonth := day.Date()
		return time.Date(year, month, dayOfMonth, hour, minute, second, 0, zone).Format(time.RFC3339)
	}
	return schemas.MarketPeriod{
		StartDate: i.First.String(), EndDate: i.Last.String(),
		StartTimestamp: at(i.First, 0, 0, 0), EndTimestamp: at(i.Last, 23, 59, 59),
		Description: describe(i),
	}
}

var quarters = [...]string{"First", "Second", "Third", "Fourth"}

// describe is an interval in words: "November 2026", "Third quarter of 2026", "The 30 days from October 23, 2026 to November
// 21, 2026".
func describe(i market.Interval) string {
	year, month, _ := i.First.Date()
	switch {
	case i.Closed && i.Last-i.First < 31:
		return fmt.Sprintf("%s %d", month, year)
	case i.Closed:
		return fmt.Sprintf("%s quarter of %d", quarters[(month-1)/3], year)
	}
	span := fmt.Sprintf("%d days", i.Last-i.First+1)
	if i.Code == "12m" || i.Code == "13-24m" {
		span = "12 months"
	}
	return fmt.Sprintf("The %s from %s to %s", span, inWords(i.First), inWords(i.Last))
}

func inWords(d market.Day) string {
	year, month, day := d.Date()
	return fmt.Sprintf("%s %d, %d", month, day, year)
}

// headsOf is the JSON of intervals in a zone from the code to the members of the period:
// "30d":{"period":{…},"point_in_time":{
func headsOf(zone string, intervals []market.Interval) ([]string, error) {
	location, err := timezone.Location(zone)
	if err != nil {
		return nil, err
	}
	heads := make([]string, len(intervals))
	for n, i := range intervals {
		period, err := json.Marshal(PeriodOf(i, location))
		if err != nil {
			return nil, err
		}
		heads[n] = `"` + i.Code + `":{"period":` + string(period)
	}
	return heads, nil
}
