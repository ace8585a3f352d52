// Package timetable has the timetables of transit in memory: stops, patterns of calls, trips with their times, services with
// their dates, headways and the walks between stops, as flat lists that can lie in a memory-mapped file. A Builder makes a
// Timetable from the trips of feeds, and a Day of it has what runs on a date, ready to search.
package timetable

import (
	"sync"
	"time"

	"quartier/internal/coord"
)

// Timetable is what several feeds run. Times are whole seconds after midnight of the service day, that is 12 hours before
// its noon, and may be over 24:00. Nothing changes a finished Timetable; it may be used by any number of goroutines, and
// must not be copied.
type Timetable struct {
	Feeds     []Feed
	FeedNames Texts
	Clocks    []Clock // by feed and date

	StopAt    []coord.Point
	StopFeed  []uint16
	StopNames Texts

	Routes     []Route
	RouteNames Texts // as on the vehicle: the short name where there is one
	Headsigns  Texts // each once; 0 is "": unknown

	Patterns  []Pattern // and one more, whose Calls, Trips and Times are the ends of those of the last pattern
	CallStops []uint32  // the stop of each call of each pattern
	CallFlags []CallFlags

	Trips       []Trip // by pattern, then by departure from the first call
	TripNames   Texts  // the identifiers of the feed
	Arrivals    []uint32
	Departures  []uint32    // at the same index as Arrivals: Times(pattern, trip) + number of the call
	Frequencies []Frequency // by Trip, then by First; a trip that has some runs only by them

	FirstDate    Date     // of the first bit of the services
	ServiceWords uint32   // words of 64 dates for each service
	ServiceDays  []uint64 // service s runs on FirstDate+d if bit d%64 of ServiceDays[s*ServiceWords+d/64] is set

	TransferFirst []uint32 // the walks from stop s are Transfers[TransferFirst[s]:TransferFirst[s+1]]; empty: none at all
	Transfers     []Leg    // by their seconds; none from a stop to itself

	mu   sync.Mutex
	days []*Day // lately asked for, the last one first
}

// Leg is a walk to or from a stop in seconds, as a transfer, an access or an egress.
type Leg struct{ Stop, Seconds uint32 }

// Feed is a feed of timetables.
type Feed struct {
	First, Last               Date // that it covers: outside it is unknown what runs
	Tuesday, Saturday, Sunday Date // days that are typical; NoDate: none
}

// Covers reports whether the feed says what runs on a date.
func (f Feed) Covers(d Date) bool { return f.First <= d && d <= f.Last }

// Typical is the typical date of a feed for a day of the week: its Tuesday for every day from Monday to Friday.
func (f Feed) Typical(day time.Weekday) Date {
	switch day {
	case time.Saturday:
		return f.Saturday
	case time.Sunday:
		return f.Sunday
	}
	return f.Tuesday
}

// Clock says that the midnight of a service day is not 24 hours after that of the day before, as clocks are changed.
type Clock struct {
	Feed    uint32
	Date    Date
	Seconds int32 // between both: 23 or 25 hours
}

// Route is a line of a feed.
type Route struct {
	Color uint32 // 0xRRGGBB
	Feed  uint16
	Kind  uint16 // route_type of GTFS
}

// Pattern is a sequence of calls on a route, with the trips that make them. Trips of a pattern may overtake one another here;
// those of a lane of a Day never do.
type Pattern struct {
	Route uint32
	Calls uint32 // its first in CallStops and CallFlags
	Trips uint32 // its first
	Times uint32 // its first in Arrivals and Departures
}

// CallFlags say what is not possible at a call.
type CallFlags uint8

const (
	// NoBoarding: nobody gets on (pickup_type 1).
	NoBoarding CallFlags = 1 << iota
	// NoAlighting: nobody gets off (drop_off_type 1).
	NoAlighting
)

// Trip is a run of a vehicle on every date of its service.
type Trip struct {
	Service  uint32
	Headsign uint32
}

// Frequency repeats a trip: it leaves its first call from First on, before End, every Headway seconds. The times of the trip
// count relative to its departure from its first call. Inexact ones keep the headway, but are not at these seconds.
type Frequency struct {
	Trip       uint32
	First, End uint32
	Headway    uint32
	Exact      uint32 // 1: at First, First + Headway and so on; 0: at some second of each headway
}

// Texts are numbered texts. Text i ends at byte Ends[i] and begins where the one before ends.
type Texts struct {
	Ends  []uint32
	Bytes []byte
}

// At is text i.
func (t *Texts) At(i uint32) string {
	begin := uint32(0)
	if i > 0 {
		begin = t.Ends[i-1]
	}
	return string(t.Bytes[begin:t.Ends[i]])
}

func (t *Texts) add(text string) (number uint32) {
	t.Bytes = append(t.Bytes, text...)
	t.Ends = append(t.Ends, uint32(len(t.Bytes)))
	return uint32(len(t.Ends) - 1)
}

// WithTransfers is the same timetable with other walks between stops, each by their seconds.
func (t *Timetable) WithTransfers(first []uint32, transfers []Leg) *Timetable {
	return &Timetable{
		Feeds: t.Feeds, FeedNames: t.FeedNames, Clocks: t.Clocks, StopAt: t.StopAt, StopFeed: t.StopFeed, StopNames: t.StopNames,
		Routes: t.Routes, RouteNames: t.RouteNames, Headsigns: t.Headsigns, Patterns: t.Patterns, CallStops: t.CallStops,
		CallFlags: t.CallFlags, Trips: t.Trips, TripNames: t.TripNames, Arrivals: t.Arrivals, Departures: t.Departures,
		Frequencies: t.Frequencies, FirstDate: t.FirstDate, ServiceWords: t.ServiceWords, ServiceDays: t.ServiceDays,
		TransferFirst: first, Transfers: transfers,
	}
}

// Stops is the number of stops.
func (t *Timetable) Stops() int { return len(t.StopAt) }

// CallsOf are the stops and flags of the calls of a pattern.
func (t *Timetable) CallsOf(pattern uint32) ([]uint32, []CallFlags) {
	begin, end := t.Patterns[pattern].Calls, t.Patterns[pattern+1].Calls
	return t.CallStops[begin:end], t.CallFlags[begin:end]
}

// TripsOf are the numbers of the first trip of a pattern and of the one after its last.
func (t *Timetable) TripsOf(pattern uint32) (first, end uint32) {
	return t.Patterns[pattern].Trips, t.Patterns[pattern+1].Trips
}

// TimesOf are the arrivals and departures of a trip of a pattern at its calls.
func (t *Timetable) TimesOf(pattern, trip uint32) (arrivals, departures []uint32) {
	p, next := t.Patterns[pattern], t.Patterns[pattern+1]
	calls := next.Calls - p.Calls
	begin := p.Times + (trip-p.Trips)*calls
	return t.Arrivals[begin : begin+calls], t.Departures[begin : begin+calls]
}

// Runs reports whether a service runs on a date.
func (t *Timetable) Runs(service uint32, date Date) bool {
	day := int(date) - int(t.FirstDate)
	if day < 0 || day >= int(t.ServiceWords)*64 {
		return false
	}
	return t.ServiceDays[int(service)*int(t.ServiceWords)+day/64]>>(day%64)&1 != 0
}

// TransfersOf are the walks from a stop to others.
func (t *Timetable) TransfersOf(stop uint32) []Leg {
	if len(t.TransferFirst) == 0 {
		return nil
	}
	return t.Transfers[t.TransferFirst[stop]:t.TransferFirst[stop+1]]
}
