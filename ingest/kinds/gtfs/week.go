package gtfs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"quartier/ingest/source"
)

// dailyTrips has the number of trips on each day of a timetable, from its first to its last day with service.
type dailyTrips struct {
	first day
	trips []int64
}

func (h *dailyTrips) last() day { return h.first + day(len(h.trips)) - 1 }

// of returns the trips of the seven days from d.
func (h *dailyTrips) of(d day) (trips int64) {
	for i := range day(7) {
		if at := d + i - h.first; at >= 0 && int(at) < len(h.trips) {
			trips += h.trips[at]
		}
	}
	return trips
}

// newDailyTrips adds up the trips of all services by day; service i has departures[i] per day. It is empty where no
// service runs.
func newDailyTrips(services []service, departures []int64) *dailyTrips {
	first, last := latest, earliest
	for i := range services {
		if departures[i] > 0 {
			from, to := services[i].span()
			first, last = min(first, from), max(last, to)
		}
	}
	h := &dailyTrips{first: first}
	if first > last {
		return h
	}
	h.trips = make([]int64, last-first+1)
	for i := range services {
		if departures[i] == 0 {
			continue
		}
		from, to := services[i].span()
		for d := from; d <= to; d++ {
			if services[i].runs(d) {
				h.trips[d-first] += departures[i]
			}
		}
	}
	for len(h.trips) > 0 && h.trips[0] == 0 {
		h.first, h.trips = h.first+1, h.trips[1:]
	}
	for len(h.trips) > 0 && h.trips[len(h.trips)-1] == 0 {
		h.trips = h.trips[:len(h.trips)-1]
	}
	return h
}

// weeksCompared is the number of weeks of which the median is the timetable week (docs/methods.md, 1.6).
const weeksCompared = 4

// representative returns the first day of the timetable week. Of the complete weeks, Monday to Sunday, the four
// consecutive ones with the most trips are chosen (the earliest such four), and of these, or of all weeks where there are
// fewer, the lower median by trips (the earlier of equal ones). This avoids weeks of holidays and weeks in which an old and
// a new calendar overlap:
//
//	trips by week 900 1000 1010 990 1900 (overlap) 300 (holidays): weeks 2 to 5 have the most, the lower median is 1000
//
// A week without service is not among them. Without a complete week with service it is the seven consecutive days with the most trips, the
// earliest such; a timetable of fewer
// than seven days is used as it is.
func (h *dailyTrips) representative() day {
	monday := h.first + day((7-h.first.weekday())%7)
	var weeks []day
	all := int64(0)
	for d := monday; d+6 <= h.last(); d += 7 {
		weeks = append(weeks, d)
		all += h.of(d)
	}
	if all == 0 {
		return h.busiest()
	}
	best := weeks
	if len(weeks) > weeksCompared {
		most := int64(-1)
		for i := range len(weeks) - weeksCompared + 1 {
			trips := int64(0)
			for _, d := range weeks[i : i+weeksCompared] {
				trips += h.of(d)
			}
			if trips > most {
				best, most = weeks[i:i+weeksCompared], trips
			}
		}
	}
	best = slices.DeleteFunc(slices.Clone(best), func(d day) bool { return h.of(d) == 0 })
	var trips []int64
	for _, d := range best {
		trips = append(trips, h.of(d))
	}
	median := slices.Sorted(slices.Values(trips))[(len(trips)-1)/2]
	return best[slices.Index(trips, median)]
}

func (h *dailyTrips) busiest() day {
	best := h.first
	for d := h.first; d+6 <= h.last(); d++ {
		if h.of(d) > h.of(best) {
			best = d
		}
	}
	return best
}

// noService returns the fault of the option week.
func noService(week, first, last day) error {
	var f source.Faults
	f.Option(true, "week", "there is no service in the seven days from %s; the timetable is from %s to %s", week, first, last)
	return f.Err()
}

// checkWeek returns a fault if no service runs in the seven days from week.
func (f *feed) checkWeek(ctx context.Context, week day) error {
	s := &stage{out: source.Discard{}, feed: f}
	if err := s.readCalendar(ctx); err != nil {
		return err
	}
	departures := make([]int64, len(s.calendar.services))
	for i := range departures {
		departures[i] = 1
	}
	if h := newDailyTrips(s.calendar.services, departures); h.of(week) == 0 {
		return noService(week, h.first, h.last())
	}
	return nil
}

// parseWeek parses the option week.
func parseWeek(week string) (day, error) {
	t, err := time.Parse(time.DateOnly, week)
	if err != nil {
		return 0, fmt.Errorf("%q is not a date like 2021-05-03", week)
	}
	return dayOf(t), nil
}
