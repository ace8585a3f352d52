package trafficcounts

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// days are the counts of detectors by day.
type days struct {
	minutes   int     // of an interval
	intervals int     // of a day
	share     float64 // that a day must have
	detectors map[string]*detector
	count     int    // days of all detectors
	most      int    // limit of count
	layout    string // of the last time, which the next one probably has too
}

// detector is what a detector counted.
type detector struct {
	days map[int]*day // by date as a number, YYYYMMDD
	used bool
}

type day struct {
	vehicles float64
	counted  int      // intervals
	seen     []uint64 // a bit for each interval of the day
}

func newDays(o *Options) *days {
	minutes := max(1, o.Minutes)
	return &days{minutes: minutes, intervals: 24 * 60 / minutes, share: o.DayShare, detectors: map[string]*detector{},
		most: source.MaxCountedDays}
}

// mean is the mean of the days that count, each scaled to all of its intervals; false if none does. A day of 95 of 96
// intervals with 9,500 vehicles has 9,600.
func (d *days) mean(key string) (vehicles float64, ok bool) {
	of := d.detectors[key]
	if of == nil {
		return 0, false
	}
	of.used = true
	n := 0.0
	for _, date := range slices.Sorted(maps.Keys(of.days)) {
		if on := of.days[date]; float64(on.counted) >= d.share*float64(d.intervals) {
			vehicles += on.vehicles * float64(d.intervals) / float64(on.counted)
			n++
		}
	}
	return vehicles / n, n > 0
}

// unused are the keys that no detector of the other file has.
func (d *days) unused() (keys []string) {
	if d != nil {
		for _, key := range slices.Sorted(maps.Keys(d.detectors)) {
			if !d.detectors[key].used {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// add adds the vehicles of an interval, or says why the row is none. The error is that of a time at which no interval
// begins, since then all counts are of intervals of another length, and of too many days.
func (d *days) add(key, text string, vehicles float64, isNumber bool) (why reason.Reason, err error) {
	at, ok := d.time(text)
	if key == "" || !ok || !isNumber || !(vehicles >= 0 && vehicles <= maxVolume) {
		return badInterval, nil
	}
	minute := at.Hour()*60 + at.Minute()
	if minute%d.minutes != 0 || at.Second() != 0 || at.Nanosecond() != 0 {
		return why, fmt.Errorf("detector %s, %s: no interval of %d minutes begins at %s; set the option minutes to the length of an interval",
			key, at.Format(time.DateOnly), d.minutes, at.Format("15:04:05.999"))
	}
	on, err := d.day(key, at)
	if err != nil {
		return why, err
	}
	word, bit := minute/d.minutes/64, uint64(1)<<(minute/d.minutes%64)
	if on.seen[word]&bit != 0 {
		return duplicateInterval, nil
	}
	on.seen[word] |= bit
	on.vehicles += vehicles
	on.counted++
	return why, nil
}

// day returns the day of a detector.
func (d *days) day(key string, at time.Time) (*day, error) {
	of := d.detectors[key]
	if of == nil {
		of = &detector{days: map[int]*day{}}
		d.detectors[key] = of
	}
	date := at.Year()*10_000 + int(at.Month())*100 + at.Day()
	on := of.days[date]
	if on == nil {
		if d.count++; d.count > d.most {
			return nil, source.TooLarge("the file of counts", int64(d.most), "days of detectors")
		}
		on = &day{seen: make([]uint64, (d.intervals+63)/64)}
		of.days[date] = on
	}
	return on, nil
}

// timeLayouts are those of the option counts_time; time.Parse reads a fraction of seconds with each.
var timeLayouts = func() (layouts []string) {
	for _, date := range []string{"20060102", "2006-01-02", "2006/01/02", "2006.01.02"} {
		layouts = append(layouts, date)
		for _, between := range []string{"", " ", "T"} {
			for _, clock := range []string{"1504", "15:04", "150405", "15:04:05"} {
				layouts = append(layouts, date+between+clock)
			}
		}
	}
	return layouts
}()

// time reads the local time at which an interval begins: 201603220715, 2016-03-22T07:15:00, or a date alone, which is its
// midnight. Other orders of the date, AM and PM, seconds since 1970 and times with a zone are none.
func (d *days) time(text string) (at time.Time, ok bool) {
	text = strings.TrimSpace(text)
	if d.layout != "" {
		if at, err := time.Parse(d.layout, text); err == nil {
			return at, true
		}
	}
	for _, layout := range timeLayouts {
		if at, err := time.Parse(layout, text); err == nil {
			d.layout = layout
			return at, true
		}
	}
	return at, false
}
