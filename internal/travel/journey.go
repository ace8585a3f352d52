package travel

import (
	"context"

	"quartier/internal/coord"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/streets"
	"quartier/internal/travel/timetable"
)

// Journey is a way from door to door.
type Journey struct {
	Departs, Arrives int32 // seconds after midnight of the day
	Minutes          Minutes
	Legs             []Leg
	Waits            string // how waits for lines that have only headways are taken: "half_headway" or "draws"; "": they have times
}

// Leg is a part of a journey: a ride with the wait before it, or a way along streets.
type Leg struct {
	Mode     Mode  // Transit: a ride
	Wait     int32 // seconds before the ride
	Seconds  int32 // of the ride or way, without Wait
	From, To Stop
	Ride     *Ride // nil: along streets
}

// Stop is where a leg begins or ends.
type Stop struct {
	Number int    // of the timetable; -1: the door
	Name   string // "": the door
	At     coord.Point
}

// Ride is what a ride is on.
type Ride struct {
	Line     string
	Color    uint32 // 0xRRGGBB; 0: not published, or black
	Kind     uint16 // route_type of GTFS
	Headsign string // "": not published
	Feed     int
	Trip     string         // the trip_id of its feed
	Date     timetable.Date // of the service of the trip
	Leaves   int32          // seconds after midnight of the day; the expected ones of a line that has only headways
	Arrives  int32
	Expected bool          // the line has only headways
	Stops    []coord.Point // from the first to the last one
}

// Journey is the way of the first departure of the window that takes as long as a percentile says; false with Unreached or Unknown in
// its Minutes if there is none.
func (w *World) Journey(ctx context.Context, from, to coord.Point, o Options, percentile int) (j Journey, ok bool, err error) {
	o.Percentiles = []int{percentile}
	targets, err := w.Targets(ctx, []coord.Point{to}, o)
	if err != nil {
		return j, false, err
	}
	t, err := w.traveller(ctx, o)
	if err != nil {
		return j, false, err
	}
	defer t.release()
	minutes := []Minutes{Unreached}
	targets.mark(from, minutes)
	j.Minutes = minutes[0]
	place, linked := t.snap(from)
	if !linked || !targets.state[0].linked {
		return j, false, nil
	}
	if err := t.start(place); err != nil {
		return j, false, err
	}
	way, ok := t.way(targets, percentile)
	if !ok {
		return j, false, nil
	}
	if o.Mode == Transit {
		j.Waits, _ = t.search.Method()
	}
	j.Departs, j.Arrives, j.Minutes = way.Departs, way.Arrives, Minutes(o.rules().Minutes(uint16(way.Arrives-way.Departs)))
	j.Legs = t.legs(way, Stop{Number: -1, At: from}, Stop{Number: -1, At: to})
	return j, true, nil
}

// way is the way to the first target with a percentile.
func (t *traveller) way(to *Targets, percentile int) (way raptor.Journey, ok bool) {
	walk := t.query.To(to.places[0])
	if t.o.Mode != Transit {
		return raptor.Journey{Departs: t.o.Depart, Arrives: t.o.Depart + int32(walk), Walk: walk}, walk != streets.Never
	}
	target := to.target(0, walk)
	minute, draw, ok := t.search.Median(target, percentile)
	if !ok {
		return way, false
	}
	return t.search.Journey(target, minute, draw)
}

// legs are the parts of a way.
func (t *traveller) legs(way raptor.Journey, from, to Stop) (legs []Leg) {
	mode := t.o.Mode % Transit
	at, here := way.Departs+int32(way.Walk), from
	if len(way.Rides) == 0 {
		return []Leg{{Mode: mode, Seconds: int32(way.Walk), From: from, To: to}}
	}
	walk := way.Walk
	for _, r := range way.Rides {
		board, alight := t.stop(r.Board), t.stop(r.Alight)
		if walk > 0 || here.Number != board.Number {
			legs = append(legs, Leg{Mode: mode, Seconds: int32(walk), From: here, To: board})
		}
		legs = append(legs, Leg{Mode: Transit, Wait: r.Leaves - at, Seconds: r.Arrives - r.Leaves, From: board, To: alight, Ride: t.ride(r)})
		at, here, walk = r.Arrives+int32(r.Walk), alight, r.Walk
	}
	return append(legs, Leg{Mode: mode, Seconds: int32(walk), From: here, To: to})
}

func (t *traveller) stop(number uint32) Stop {
	table := t.key.day.Table
	return Stop{int(number), table.StopNames.At(number), table.StopAt[number]}
}

// ride describes a ride of a way.
func (t *traveller) ride(r raptor.Ride) *Ride {
	day := t.key.day
	table, lane := day.Table, day.Lanes[r.Lane]
	number := table.Patterns[lane.Pattern].Route
	route, trip := table.Routes[number], table.Trips[r.Trip.Trip]
	ride := &Ride{Line: table.RouteNames.At(number), Color: route.Color, Kind: route.Kind, Headsign: table.Headsigns.At(trip.Headsign),
		Feed: int(route.Feed), Trip: table.TripNames.At(r.Trip.Trip), Date: r.Trip.Date, Leaves: r.Leaves, Arrives: r.Arrives,
		Expected: r.FromHeadway}
	for _, stop := range day.CallStops[lane.Call+r.From : lane.Call+r.To+1] {
		ride.Stops = append(ride.Stops, table.StopAt[stop])
	}
	return ride
}
