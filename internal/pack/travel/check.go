package travel

import (
	"cmp"
	"fmt"
	"slices"

	"quartier/internal/travel/timetable"
)

// Limits of what a timetable can say: times of a trip are at most a week after midnight, dates of services are of the years from 1970
// to 2149.
const (
	maxSeconds = 7 * 86_400
	maxDate    = 1 << 16
)

// check returns an error unless all numbers of a table are of something that it has, and all times are in order.
func (t *Table) check() error {
	tt := t.Timetable
	texts := func(name string, of *timetable.Texts, want int) func() error {
		return func() error { return checkTexts(name, of, want) }
	}
	on := func(check func(*timetable.Timetable) error) func() error { return func() error { return check(tt) } }
	for _, check := range []func() error{ // each relies on those before it
		texts("feed.name", &tt.FeedNames, len(tt.Feeds)), texts("stop.name", &tt.StopNames, len(tt.StopAt)),
		texts("route.name", &tt.RouteNames, len(tt.Routes)), texts("headsign", &tt.Headsigns, -1),
		texts("trip.name", &tt.TripNames, len(tt.Trips)),
		t.checkFeeds, on(checkStops), on(checkServices), on(checkPatterns), on(checkTrips), on(checkFrequencies), on(checkTransfers),
		t.checkChanges,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func checkTexts(name string, texts *timetable.Texts, want int) error {
	last := uint32(0)
	for _, end := range texts.Ends {
		if end < last {
			return fmt.Errorf("%s: ends go back", name)
		}
		last = end
	}
	if want >= 0 && len(texts.Ends) != want || int(last) != len(texts.Bytes) {
		return fmt.Errorf("%s: %d texts of %d bytes, not %d of %d", name, len(texts.Ends), last, want, len(texts.Bytes))
	}
	return nil
}

func (t *Table) checkFeeds() error {
	if len(t.Feeds) != len(t.Timetable.Feeds) {
		return fmt.Errorf("%d feeds, dates of %d", len(t.Feeds), len(t.Timetable.Feeds))
	}
	for i, f := range t.Timetable.Feeds {
		for _, d := range []timetable.Date{f.First, f.Last, f.Tuesday, f.Saturday, f.Sunday} {
			if d != timetable.NoDate && !dated(d) {
				return fmt.Errorf("feed %d: date %d", i, d)
			}
		}
		last := uint32(0)
		for _, end := range t.Feeds[i].Ground.Ends {
			if end < last {
				return fmt.Errorf("feed %d: rings of its ground go back", i)
			}
			last = end
		}
		if int(last) != len(t.Feeds[i].Ground.Points) {
			return fmt.Errorf("feed %d: rings of %d points, not %d", i, last, len(t.Feeds[i].Ground.Points))
		}
	}
	for _, c := range t.Timetable.Clocks {
		if int(c.Feed) >= len(t.Feeds) || !dated(c.Date) || c.Seconds < 43_200 || c.Seconds > 129_600 {
			return fmt.Errorf("clock %v", c)
		}
	}
	return nil
}

func dated(d timetable.Date) bool { return d >= -maxDate && d <= 2*maxDate }

func checkStops(tt *timetable.Timetable) error {
	if len(tt.StopFeed) != len(tt.StopAt) {
		return fmt.Errorf("%d stops, feeds of %d", len(tt.StopAt), len(tt.StopFeed))
	}
	for i, at := range tt.StopAt {
		if lng, lat := at.Degrees(); lng < -180 || lng > 180 || lat < -90 || lat > 90 || int(tt.StopFeed[i]) >= len(tt.Feeds) {
			return fmt.Errorf("stop %d: %v of feed %d", i, at, tt.StopFeed[i])
		}
	}
	for i, r := range tt.Routes {
		if int(r.Feed) >= len(tt.Feeds) || r.Color > 0xFFFFFF {
			return fmt.Errorf("route %d: %v", i, r)
		}
	}
	return nil
}

func checkServices(tt *timetable.Timetable) error {
	words := int(tt.ServiceWords)
	if words == 0 && len(tt.ServiceDays) == 0 {
		return nil
	}
	if words < 1 || words > maxDate/64 || len(tt.ServiceDays)%words != 0 || !dated(tt.FirstDate) {
		return fmt.Errorf("%d words of services of %d from %d", len(tt.ServiceDays), words, tt.FirstDate)
	}
	return nil
}

func checkPatterns(tt *timetable.Timetable) error {
	if len(tt.Patterns) == 0 || len(tt.CallFlags) != len(tt.CallStops) {
		return fmt.Errorf("%d patterns, %d calls with %d flags", len(tt.Patterns), len(tt.CallStops), len(tt.CallFlags))
	}
	last := len(tt.Patterns) - 1
	if first, end := tt.Patterns[0], tt.Patterns[last]; first.Calls != 0 || first.Trips != 0 || first.Times != 0 ||
		int(end.Calls) != len(tt.CallStops) || int(end.Trips) != len(tt.Trips) || int(end.Times) != len(tt.Arrivals) {
		return fmt.Errorf("patterns from %v to %v, %d calls, trips %d, times %d", first, end, len(tt.CallStops), len(tt.Trips), len(tt.Arrivals))
	}
	for i, p := range tt.Patterns[:last] {
		next := tt.Patterns[i+1]
		if int(p.Route) >= len(tt.Routes) || uint64(next.Calls) < uint64(p.Calls)+2 || next.Trips < p.Trips || next.Times < p.Times ||
			uint64(next.Times-p.Times) != uint64(next.Calls-p.Calls)*uint64(next.Trips-p.Trips) {
			return fmt.Errorf("pattern %d: %v, then %v", i, p, next)
		}
	}
	for i, stop := range tt.CallStops {
		if int(stop) >= len(tt.StopAt) || tt.CallFlags[i] > timetable.NoBoarding|timetable.NoAlighting {
			return fmt.Errorf("call %d: stop %d, flags %d", i, stop, tt.CallFlags[i])
		}
	}
	return nil
}

func checkTrips(tt *timetable.Timetable) error {
	services := 0
	if tt.ServiceWords > 0 {
		services = len(tt.ServiceDays) / int(tt.ServiceWords)
	}
	for i, trip := range tt.Trips {
		if int(trip.Service) >= services || int(trip.Headsign) >= len(tt.Headsigns.Ends) {
			return fmt.Errorf("trip %d: service %d, headsign %d", i, trip.Service, trip.Headsign)
		}
	}
	if len(tt.Departures) != len(tt.Arrivals) {
		return fmt.Errorf("%d arrivals, %d departures", len(tt.Arrivals), len(tt.Departures))
	}
	for pattern := range uint32(len(tt.Patterns) - 1) {
		first, end := tt.TripsOf(pattern)
		for trip := first; trip < end; trip++ {
			arrivals, departures := tt.TimesOf(pattern, trip)
			last := uint32(0)
			for i := range arrivals {
				if arrivals[i] < last || departures[i] < arrivals[i] {
					return fmt.Errorf("trip %d goes back in time at call %d", trip, i)
				}
				last = departures[i]
			}
			if last > maxSeconds {
				return fmt.Errorf("trip %d ends at %d", trip, last)
			}
		}
	}
	return nil
}

func checkFrequencies(tt *timetable.Timetable) error {
	for i, f := range tt.Frequencies {
		if int(f.Trip) >= len(tt.Trips) || f.Headway == 0 || f.First >= f.End || f.End > maxSeconds || f.Exact > 1 {
			return fmt.Errorf("headway %d: %v", i, f)
		}
	}
	ordered := func(a, b timetable.Frequency) int {
		return cmp.Or(cmp.Compare(a.Trip, b.Trip), cmp.Compare(a.First, b.First))
	}
	if !slices.IsSortedFunc(tt.Frequencies, ordered) {
		return fmt.Errorf("headways not in order")
	}
	return nil
}

func checkTransfers(tt *timetable.Timetable) error {
	first := tt.TransferFirst
	if len(first) == 0 && len(tt.Transfers) == 0 {
		return nil
	}
	if len(first) != len(tt.StopAt)+1 || first[0] != 0 || int(first[len(first)-1]) != len(tt.Transfers) || !slices.IsSorted(first) {
		return fmt.Errorf("%d walks, beginnings of %d stops", len(tt.Transfers), len(first)-1)
	}
	for i, leg := range tt.Transfers {
		if int(leg.Stop) >= len(tt.StopAt) || leg.Seconds > maxSeconds {
			return fmt.Errorf("walk %d: %v", i, leg)
		}
	}
	return nil
}

func (t *Table) checkChanges() error {
	for i, c := range t.Changes {
		if stops := uint32(t.Timetable.Stops()); c.From >= stops || c.To >= stops || c.Kind > 3 || c.Seconds > maxSeconds {
			return fmt.Errorf("change %d: %v", i, c)
		}
	}
	return nil
}
