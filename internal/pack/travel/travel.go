// Package travel is the packed table of timetables and of the networks of streets: the build writes it, and programs search journeys in
// the mapped file. It has a timetable.Timetable, of which all lists but those of feeds stay in the file, the ground that feeds cover, and
// what feeds say about changes; and the streets.Network of each mode, with the ways on foot to and from stops.
//
// The sections of f feeds, s stops, r routes, v services of w words, p patterns with c calls, t trips with n trip-stops, which are
// 8 bytes each, and h headways. Records are uint32 each, structs of package timetable. Texts here are two sections: NAME.end,
// uint32, the end of each, and NAME.byte.
//
//	feed.date             int32 × 5f       first and last date with service, typical Tuesday, Saturday, Sunday: days since 1970-01-01;
//	                                       −2,147,483,648: none
//	feed.name             texts × f        of the publisher
//	feed.source           texts × f        "region/source"
//	feed.partial          uint8 × f        1: it has some of the lines of its ground only
//	feed.ring             lists of uint32 × f  ends of the rings of its ground; none: not known
//	feed.point            lists of Point × f   points of the rings
//	clock                 records × 3 …    Clock: dates on which clocks are changed
//	stop.point            Point × s        positions
//	stop.feed             uint16 × s       feed of each
//	stop.name             texts × s        names
//	route                 records × 2r     Route
//	route.name            texts × r        names as on the vehicle
//	headsign              texts            each once, the first is empty
//	pattern               records × 4(p+1) Pattern, and the ends of the last
//	call.stop             uint32 × c       stop of each call
//	call.flag             uint8 × c        1: nobody gets on, 2: nobody gets off
//	trip                  records × 2t     Trip
//	trip.name             texts × t        trip_id
//	time.arrival          uint32 × n       seconds after midnight of the day of the service, by trip and call
//	time.departure        uint32 × n
//	headway               records × 5h     Frequency
//	service.calendar      int32 × 2        date of the first bit, and w
//	service.day           uint64 × v·w     bits
//	transfer.first        uint32 × s+1     first walk from each stop, and their number; or none at all
//	transfer              records × 2 …    Leg: walks to other stops
//	change                records × 4 …    Change
//
// Those of the networks of n nodes, e edges and a arcs. MODE is walk, bicycle or car. The edges and lines on foot, and the barriers of
// all, are those of access.pack.
//
//	MODE.edge.a, .b       uint32 × e       nodes of each edge
//	MODE.edge.length      uint32 × e       decimetres
//	MODE.shape, .end      Point, uint32    as in access.pack, likewise MODE.box
//	MODE.cost.forth       uint32 × e       streets.Tables; none: the length
//	MODE.cost.back        uint32 × e
//	MODE.node.arc         uint32 × n+1     first arc from each node, and their number
//	MODE.arc              records × 2a     network.Arc
//	MODE.arc.edge         uint32 × a       edge of each
//	MODE.linked           uint32           points are linked to the edges below it; none: to all
//	MODE.node.up, .down   uint32 × n+1     the hierarchy of cars, and its arcs MODE.up and MODE.down, records × 2 …
//	stop.place            records × 3s     network.Place on the streets on foot; edge 4,294,967,295: no street
//	walk.first            uint32 × s+1     first walk from each stop, of the records × 2 in walk: Leg
//	egress.first          uint32 × n+1     first walk from stops to each node on foot, of the records × 2 in egress: Leg
//
// Open reads all of it once, so that a damaged file is refused and searches need no checks. An example: a trip of pattern 7 with 3
// calls, the second of the pattern, arrives at its last call at time.arrival[pattern[7].Times + 1·3 + 2].
package travel

import (
	"quartier/internal/coord"
	"quartier/internal/travel/timetable"
)

// Table is the timetables of a release.
type Table struct {
	Timetable *timetable.Timetable
	Feeds     []Feed // as in Timetable
	Changes   []Change
}

// Feed is what a feed covers.
type Feed struct {
	Source  string     // "region/source"
	Partial bool       // it has some of the lines of its ground only: no journey there is not known, rather than none
	Ground  coord.Area // of its stops, with what is as near as they are to each other; no rings: not known
}

// Change is what a feed says about changing from a stop to another one, or to another vehicle at the same.
type Change struct {
	From, To uint32
	Kind     uint32 // schedule.Recommended, Timed, TakesTime, NotPossible
	Seconds  uint32 // that it takes at least; 0: not published
}
