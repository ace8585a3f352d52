package timetable

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"quartier/internal/coord"
)

// Rules say how a Builder completes the times of trips.
type Rules struct {
	// CutSeconds cuts the seconds of blank times off, as R5 does; else they are rounded.
	CutSeconds bool
}

// Builder makes a Timetable. Everything is numbered from 0 in the order in which it is added. What it is given is its own
// from then on, and it checks the numbers: a wrong one is a mistake of the caller and panics.
type Builder struct {
	rules     Rules
	t         Timetable
	zones     []*time.Location // by feed
	services  [][]Date
	headsigns map[string]uint32
	patterns  map[string]uint32 // number by route, stops and flags
	routes    []uint32          // by pattern
	calls     []uint32          // first call by pattern
	trips     []builtTrip
	transfers []transfer
}

type builtTrip struct {
	Trip
	pattern, name, times uint32 // times: the first in t.Arrivals
	frequencies          []Headway
}

type transfer struct {
	from uint32
	Leg
}

// NewBuilder returns a builder of an empty timetable.
func NewBuilder(rules Rules) *Builder {
	b := &Builder{rules: rules, headsigns: map[string]uint32{}, patterns: map[string]uint32{}}
	b.headsign("")
	return b
}

// AddFeed adds a feed, whose times are those of a time zone; nil: one where clocks are never changed.
func (b *Builder) AddFeed(name string, feed Feed, zone *time.Location) (number uint16) {
	b.t.Feeds = append(b.t.Feeds, feed)
	b.zones = append(b.zones, zone)
	return uint16(b.t.FeedNames.add(name))
}

// AddStop adds a stop of a feed.
func (b *Builder) AddStop(name string, feed uint16, at coord.Point) (number uint32) {
	b.t.StopFeed = append(b.t.StopFeed, uint16(within(int(feed), len(b.t.Feeds), "feed")))
	b.t.StopAt = append(b.t.StopAt, at)
	return b.t.StopNames.add(name)
}

// AddRoute adds a route.
func (b *Builder) AddRoute(name string, route Route) (number uint32) {
	within(int(route.Feed), len(b.t.Feeds), "feed")
	b.t.Routes = append(b.t.Routes, route)
	return b.t.RouteNames.add(name)
}

// AddService adds a service with the dates on which it runs, in any order.
func (b *Builder) AddService(dates []Date) (number uint32) {
	b.services = append(b.services, dates)
	return uint32(len(b.services) - 1)
}

// AddTransfer adds a walk from a stop to another one. Of several the shortest one counts.
func (b *Builder) AddTransfer(from, to, seconds uint32) {
	within(int(from), b.t.Stops(), "stop")
	within(int(to), b.t.Stops(), "stop")
	if from != to {
		b.transfers = append(b.transfers, transfer{from, Leg{to, seconds}})
	}
}

func within(number, end int, what string) int {
	if number >= end {
		panic(fmt.Sprintf("timetable: no %s %d of %d", what, number, end))
	}
	return number
}

func (b *Builder) headsign(text string) uint32 {
	number, known := b.headsigns[text]
	if !known {
		number = b.t.Headsigns.add(text)
		b.headsigns[text] = number
	}
	return number
}

// pattern returns the number of the pattern of a route with calls, a new one if there is none.
func (b *Builder) pattern(route uint32, calls []Call) uint32 {
	key := binary.LittleEndian.AppendUint32(nil, route)
	for _, c := range calls {
		key = append(binary.LittleEndian.AppendUint32(key, c.Stop), byte(c.Flags))
	}
	number, known := b.patterns[string(key)]
	if !known {
		number = uint32(len(b.routes))
		b.patterns[string(key)] = number
		b.routes = append(b.routes, route)
		b.calls = append(b.calls, uint32(len(b.t.CallStops)))
		for _, c := range calls {
			b.t.CallStops = append(b.t.CallStops, c.Stop)
			b.t.CallFlags = append(b.t.CallFlags, c.Flags)
		}
	}
	return number
}

// Finish returns the timetable. The builder is of no more use.
func (b *Builder) Finish() *Timetable {
	b.finishServices()
	b.finishClocks()
	b.finishTransfers()
	b.finishTrips()
	return &b.t
}

// finishServices packs the dates of the services into bits.
func (b *Builder) finishServices() {
	t, last := &b.t, NoDate
	t.FirstDate = NoDate
	for _, dates := range b.services {
		for _, d := range dates {
			if t.FirstDate == NoDate || d < t.FirstDate {
				t.FirstDate = d
			}
			last = max(last, d)
		}
	}
	if t.FirstDate == NoDate {
		return
	}
	t.ServiceWords = uint32(last-t.FirstDate)/64 + 1
	t.ServiceDays = make([]uint64, len(b.services)*int(t.ServiceWords))
	for service, dates := range b.services {
		for _, d := range dates {
			day := uint32(d - t.FirstDate)
			t.ServiceDays[uint32(service)*t.ServiceWords+day/64] |= 1 << (day % 64)
		}
	}
}

// finishClocks looks for the dates whose midnights are not 24 hours apart, from the first day of service to some after.
func (b *Builder) finishClocks() {
	for feed, zone := range b.zones {
		if zone == nil || b.t.ServiceWords == 0 {
			continue
		}
		noon := func(d Date) int64 {
			at := d.time()
			return time.Date(at.Year(), at.Month(), at.Day(), 12, 0, 0, 0, zone).Unix()
		}
		for d := b.t.FirstDate; d <= b.t.FirstDate+Date(b.t.ServiceWords*64)+maxDays; d++ {
			if between := noon(d) - noon(d-1); between != secondsOfDay {
				b.t.Clocks = append(b.t.Clocks, Clock{uint32(feed), d, int32(between)})
			}
		}
	}
}

func (b *Builder) finishTransfers() {
	if len(b.transfers) == 0 {
		return
	}
	slices.SortFunc(b.transfers, func(a, c transfer) int {
		return cmp.Or(cmp.Compare(a.from, c.from), cmp.Compare(a.Stop, c.Stop), cmp.Compare(a.Seconds, c.Seconds))
	})
	b.transfers = slices.CompactFunc(b.transfers, func(a, c transfer) bool { return a.from == c.from && a.Stop == c.Stop })
	slices.SortStableFunc(b.transfers, func(a, c transfer) int {
		return cmp.Or(cmp.Compare(a.from, c.from), cmp.Compare(a.Seconds, c.Seconds))
	})
	b.t.TransferFirst = make([]uint32, b.t.Stops()+1)
	for _, w := range b.transfers {
		b.t.TransferFirst[w.from+1]++
		b.t.Transfers = append(b.t.Transfers, w.Leg)
	}
	for s := range b.t.Stops() {
		b.t.TransferFirst[s+1] += b.t.TransferFirst[s]
	}
}

// finishTrips orders the trips by pattern and departure and gives them their numbers.
func (b *Builder) finishTrips() {
	t, arrivals, departures, names := &b.t, b.t.Arrivals, b.t.Departures, b.t.TripNames
	slices.SortStableFunc(b.trips, func(a, c builtTrip) int {
		return cmp.Or(cmp.Compare(a.pattern, c.pattern), cmp.Compare(departures[a.times], departures[c.times]))
	})
	b.calls = append(b.calls, uint32(len(t.CallStops)))
	t.Arrivals, t.Departures, t.TripNames = make([]uint32, 0, len(arrivals)), make([]uint32, 0, len(arrivals)), Texts{}
	for _, trip := range b.trips {
		for uint32(len(t.Patterns)) <= trip.pattern {
			b.beginPattern()
		}
		end := trip.times + b.calls[trip.pattern+1] - b.calls[trip.pattern]
		t.Arrivals = append(t.Arrivals, arrivals[trip.times:end]...)
		t.Departures = append(t.Departures, departures[trip.times:end]...)
		for _, h := range trip.frequencies {
			t.Frequencies = append(t.Frequencies, h.of(uint32(len(t.Trips))))
		}
		t.Trips = append(t.Trips, trip.Trip)
		t.TripNames.add(names.At(trip.name))
	}
	for len(t.Patterns) < len(b.calls) {
		b.beginPattern()
	}
}

// beginPattern adds the next pattern without trips, or the end of the last one.
func (b *Builder) beginPattern() {
	t := &b.t
	p := Pattern{Calls: b.calls[len(t.Patterns)], Trips: uint32(len(t.Trips)), Times: uint32(len(t.Arrivals))}
	if len(t.Patterns) < len(b.routes) {
		p.Route = b.routes[len(t.Patterns)]
	}
	t.Patterns = append(t.Patterns, p)
}
