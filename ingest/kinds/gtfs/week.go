package gtfs

import (
	"fmt"
	"slices"
	"time"
)

// history is how many trips run on each day of a timetable, from its first day with service to its last.
type history struct {
	first day
	trips []int64
}

func (h *history) last() day { return h.first + day(len(h.trips)) - 1 }

// of is the trips of the seven days from d.
func (h *history) of(d day) (trips int64) {
	for i := range day(7) {
		if at := d + i - h.first; at >= 0 && int(at) < len(h.trips) {
			trips += h.trips[at]
		}
	}
	return trips
}

// newHistory adds up the trips of each service, departures[i] of service i, on its days. It is empty where nothing ever
// runs.
func newHistory(services []service, departures []int64) *history {
	first, last := latest, earliest
	for i := range services {
		if departures[i] > 0 {
			from, to := services[i].span()
			first, last = min(first, from), max(last, to)
		}
	}
	h := &history{first: first}
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

// weeksCompared are the weeks of which the median stands for a timetable (methods 1.6).
const weeksCompared = 4

// representative is the first of the seven days that stand for a timetable that has service. Of its whole weeks, Monday
// to Sunday, the four consecutive ones with the most trips are taken (the earliest such four), and of them, or of all
// where there are fewer, the lower median by trips (the earlier of equal ones): neither a week of holidays nor one in
// which an old and a new calendar overlap. Without a whole week it is the seven consecutive days with the most trips,
// the earliest such; a timetable of less than seven days counts as it is.
func (h *history) representative() day {
	monday := h.first + day((7-h.first.weekday())%7)
	var weeks []day
	for d := monday; d+6 <= h.last(); d += 7 {
		weeks = append(weeks, d)
	}
	if len(weeks) == 0 {
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
	var trips []int64
	for _, d := range best {
		trips = append(trips, h.of(d))
	}
	median := slices.Sorted(slices.Values(trips))[(len(trips)-1)/2]
	return best[slices.Index(trips, median)]
}

func (h *history) busiest() day {
	best := h.first
	for d := h.first; d+6 <= h.last(); d++ {
		if h.of(d) > h.of(best) {
			best = d
		}
	}
	return best
}

// asked reads the option week.
func asked(week string) (day, error) {
	t, err := time.Parse(time.DateOnly, week)
	if err != nil {
		return 0, fmt.Errorf("week: %q is not a date like 2021-05-03", week)
	}
	return dayOf(t), nil
}
