package timetable

import (
	"cmp"
	"slices"
	"time"
)

// keptDays is how many days a timetable keeps prepared.
const keptDays = 6

// Day is what runs on a date. It is prepared the first time and kept for a while.
func (t *Timetable) Day(date Date) *Day {
	dates := make([]Date, len(t.Feeds))
	for i := range dates {
		dates[i] = date
	}
	return t.day(dates)
}

// Typical is what runs on a typical day of the week, each feed on its own date.
func (t *Timetable) Typical(day time.Weekday) *Day {
	dates := make([]Date, len(t.Feeds))
	for i, feed := range t.Feeds {
		dates[i] = feed.Typical(day)
	}
	return t.day(dates)
}

func (t *Timetable) day(dates []Date) *Day {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := slices.IndexFunc(t.days, func(d *Day) bool { return slices.Equal(d.Dates, dates) })
	if kept < 0 {
		day := t.prepare(dates)
		t.days = slices.Insert(t.days, 0, day)
		t.days = t.days[:min(len(t.days), keptDays)]
		return day
	}
	day := t.days[kept]
	t.days = slices.Insert(slices.Delete(t.days, kept, kept+1), 0, day)
	return day
}

// run is a trip on a date.
type run struct {
	LaneTrip
	shift                  int32 // from the times of the trip to those of the day
	arrivals, departures   []uint32
	headway, first, latest int32 // of an inexact frequency; latest: the end of it
}

func (r *run) departure(call int) int32 { return int32(r.departures[call]) + r.shift }
func (r *run) arrival(call int) int32   { return int32(r.arrivals[call]) + r.shift }

// passed reports whether r is at every call no earlier than another run.
func (r *run) passed(by *run) bool {
	for i := range r.arrivals {
		if r.arrival(i) < by.arrival(i) || r.departure(i) < by.departure(i) {
			return false
		}
	}
	return true
}

// preparation is the work of prepare.
type preparation struct {
	*Day
	runs  []run // of the pattern at hand
	lanes [][]run
}

func (t *Timetable) prepare(dates []Date) *Day {
	p := preparation{Day: &Day{Table: t, Dates: dates}}
	for pattern := range uint32(max(len(t.Patterns)-1, 0)) {
		p.collect(pattern)
		p.divide()
		for _, lane := range p.lanes {
			p.add(pattern, lane)
		}
	}
	p.index()
	return p.Day
}

// Midnight is the midnight of a service day of a feed, in seconds after that of another day.
func (t *Timetable) Midnight(feed uint32, of, after Date) (seconds int32) {
	seconds = int32(of-after) * secondsOfDay
	for _, c := range t.Clocks {
		switch {
		case c.Feed != feed:
		case after < c.Date && c.Date <= of:
			seconds += c.Seconds - secondsOfDay
		case of < c.Date && c.Date <= after:
			seconds -= c.Seconds - secondsOfDay
		}
	}
	return seconds
}

// collect lists the runs of a pattern on the day.
func (p *preparation) collect(pattern uint32) {
	t := p.Table
	feed := t.Routes[t.Patterns[pattern].Route].Feed
	date := p.Dates[feed]
	if date == NoDate {
		p.runs = p.runs[:0]
		return
	}
	var midnights [maxDays + 2]int32
	for i := range midnights {
		midnights[i] = t.Midnight(uint32(feed), date+Date(i-maxDays), date)
	}
	p.runs = p.runs[:0]
	first, end := t.TripsOf(pattern)
	frequency, _ := slices.BinarySearchFunc(t.Frequencies, first, func(f Frequency, trip uint32) int { return cmp.Compare(f.Trip, trip) })
	for trip := first; trip < end; trip++ {
		r := run{LaneTrip: LaneTrip{Trip: trip}}
		r.arrivals, r.departures = t.TimesOf(pattern, trip)
		begin := frequency
		for frequency < len(t.Frequencies) && t.Frequencies[frequency].Trip == trip {
			frequency++
		}
		for i, midnight := range midnights {
			if r.Date = date + Date(i-maxDays); t.Runs(t.Trips[trip].Service, r.Date) {
				r.shift = midnight
				p.repeat(r, t.Frequencies[begin:frequency])
			}
		}
	}
	slices.SortStableFunc(p.runs, func(a, b run) int {
		last := len(a.arrivals) - 1
		return cmp.Or(cmp.Compare(a.departure(0), b.departure(0)), cmp.Compare(a.arrival(last), b.arrival(last)))
	})
}

// repeat adds a run as its frequencies say.
func (p *preparation) repeat(r run, frequencies []Frequency) {
	if len(frequencies) == 0 {
		p.addRun(r)
		return
	}
	midnight, leaves := r.shift, int32(r.departures[0])
	for _, f := range frequencies {
		if f.Exact == 0 {
			r.shift, r.headway = -leaves, int32(f.Headway)
			r.first, r.latest = midnight+int32(f.First), midnight+int32(f.End)
			if r.latest+r.arrival(len(r.arrivals)-1) >= 0 && r.first < Horizon {
				p.runs = append(p.runs, r)
			}
			continue
		}
		r.headway = 0
		for start := f.First; start < f.End; start += f.Headway {
			r.shift = midnight + int32(start) - leaves
			p.addRun(r)
		}
	}
}

// addRun adds a run at its times, if it is on the road during the day.
func (p *preparation) addRun(r run) {
	if r.arrival(len(r.arrivals)-1) >= 0 && r.departure(0) < Horizon {
		p.runs = append(p.runs, r)
	}
}

// divide puts each run into the first lane that it overtakes nothing of.
func (p *preparation) divide() {
	p.lanes = p.lanes[:0]
	for _, r := range p.runs {
		fits := slices.IndexFunc(p.lanes, func(lane []run) bool {
			last := &lane[len(lane)-1]
			return r.headway == 0 && last.headway == 0 && r.passed(last)
		})
		if fits < 0 {
			p.lanes = append(p.lanes, []run{r})
		} else {
			p.lanes[fits] = append(p.lanes[fits], r)
		}
	}
}

// add writes a lane of a pattern.
func (p *preparation) add(pattern uint32, runs []run) {
	stops, flags := p.Table.CallsOf(pattern)
	p.Lanes = append(p.Lanes, Lane{
		Pattern: pattern,
		Call:    uint32(len(p.CallStops)), Calls: uint32(len(stops)),
		Trip: uint32(len(p.LaneTrips)), Trips: uint32(len(runs)),
		Times:   uint32(len(p.Arrivals)),
		Headway: runs[0].headway, First: runs[0].first, End: runs[0].latest,
	})
	p.CallStops = append(p.CallStops, stops...)
	p.CallFlags = append(p.CallFlags, flags...)
	for i := range runs {
		p.LaneTrips = append(p.LaneTrips, runs[i].LaneTrip)
		for call := range stops {
			p.Arrivals = append(p.Arrivals, runs[i].arrival(call))
		}
	}
	for call := range stops {
		for i := range runs {
			p.Departures = append(p.Departures, runs[i].departure(call))
		}
	}
}

// index lists the calls by stop.
func (p *preparation) index() {
	p.BoardFirst = make([]uint32, p.Table.Stops()+1)
	each := func(visit func(stop uint32, b Boarding)) {
		for number, lane := range p.Lanes {
			for call := lane.Call; call < lane.Call+lane.Calls-1; call++ {
				if p.CallFlags[call]&NoBoarding == 0 {
					visit(p.CallStops[call], Boarding{uint32(number), call})
				}
			}
		}
	}
	each(func(stop uint32, _ Boarding) { p.BoardFirst[stop+1]++ })
	for s := range p.Table.Stops() {
		p.BoardFirst[s+1] += p.BoardFirst[s]
	}
	p.Boards = make([]Boarding, p.BoardFirst[p.Table.Stops()])
	next := slices.Clone(p.BoardFirst)
	each(func(stop uint32, b Boarding) {
		p.Boards[next[stop]] = b
		next[stop]++
	})
}
