// Package raptor says how long transit takes from a point, for every minute of a window in which one may leave: range RAPTOR
// (Delling, Pajor, Werneck: Round-Based Public Transit Routing, 2012/2015) over a day of a timetable. Rounds are rides. It
// begins with the walks from the point to stops, and ends with the walks from stops to targets; between two rides is one walk
// to another stop or none. Package scan finds the same, slowly.
package raptor

import (
	"fmt"
	"math"

	"quartier/internal/travel/timetable"
)

// Wait is how long one waits for a vehicle of which only the headway is known.
type Wait uint8

const (
	// HalfHeadway: always half the headway.
	HalfHeadway Wait = iota
	// Draws: each line leaves at a second of its headway that is drawn, for each departure anew and several times; each draw
	// counts like a departure.
	Draws
)

// String says which it is in results.
func (w Wait) String() string { return [...]string{"half_headway", "draws"}[w] }

// Rules are what engines do in different ways.
type Rules struct {
	BoardWait  int32  // the least seconds from reaching a stop to a departure by the timetable
	MeetWait   int32  // and to one that is only known by its headway
	Wait       Wait   // where headways are not exact
	Draws      int    // with Wait Draws: how many for each departure, from 1 on
	Seed       uint64 // of the draws
	CutMinutes bool   // seconds of minutes are cut off, else rounded
}

var (
	// Ours are the rules of this program.
	Ours = Rules{BoardWait: 30, MeetWait: 30, Wait: HalfHeadway}
	// R5 are the rules of Conveyal R5. Of a timetable it boards what leaves after its 60 seconds, not what leaves with them.
	R5 = Rules{BoardWait: 61, MeetWait: 60, Wait: Draws, Draws: 5, CutMinutes: true}
)

// Minutes are whole minutes of seconds; -1 for Unreached.
func (r Rules) Minutes(seconds uint16) int {
	switch {
	case seconds >= Unreached:
		return -1
	case r.CutMinutes:
		return int(seconds) / 60
	}
	return (int(seconds) + 30) / 60
}

const (
	// Unreached is more seconds than any limit.
	Unreached uint16 = 1 << 14
	// NoWalk is the direct walk to a target that is too far for it.
	NoWalk uint32 = math.MaxUint32

	// MaxMinutes, MaxRides and MaxWindow are the largest limits of a query.
	MaxMinutes = 240
	MaxRides   = 8
	MaxWindow  = 24 * 60

	never = math.MaxInt32
)

// Query is where, when and how one travels.
type Query struct {
	Access  []timetable.Leg // the walks from the origin to stops
	Depart  int32           // the first second when one leaves, after midnight of the day
	Window  int             // departures; 1: at Depart only
	Every   int             // minutes from one to the next; 0: one
	Rides   int             // at most; 0: one walks
	Minutes int             // at most, from door to door

	// Most seconds of the walks to the first stop, between rides, and from the last stop or without any ride; 0: no limit.
	MaxAccess, MaxTransfer, MaxEgress uint32
}

// Check returns what is wrong with a query, for a timetable of so many stops.
func (q Query) Check(stops int) error {
	last := int(q.Departs(q.Window-1)) + 60*q.Minutes
	switch {
	case q.Window < 1 || q.Window > MaxWindow || q.Every < 0 || q.Every > MaxWindow:
		return fmt.Errorf("%d departures, one each %d minutes, not 1 to %d", q.Window, q.Every, MaxWindow)
	case q.Rides < 0 || q.Rides > MaxRides:
		return fmt.Errorf("at most %d rides, not 0 to %d", q.Rides, MaxRides)
	case q.Minutes < 1 || q.Minutes > MaxMinutes:
		return fmt.Errorf("at most %d minutes, not 1 to %d", q.Minutes, MaxMinutes)
	case q.Depart < 0 || last > timetable.Horizon:
		return fmt.Errorf("from second %d to %d of the day, not within 0 to %d", q.Depart, last, timetable.Horizon)
	}
	for _, leg := range q.Access {
		if int(leg.Stop) >= stops {
			return fmt.Errorf("no stop %d of %d", leg.Stop, stops)
		}
	}
	return nil
}

// Departs is the second of a departure of the window.
func (q Query) Departs(number int) int32 { return q.Depart + q.step()*int32(number) }

// step is the seconds from a departure to the next one.
func (q Query) step() int32 { return int32(60 * max(q.Every, 1)) }

// Draw is the number of a draw for a departure of the window.
func (q Query) Draw(draw, minute int) int { return draw*q.Window + minute }

// limit is a limit in seconds where 0 is none.
func limit(seconds uint32) uint32 {
	if seconds == 0 {
		return NoWalk - 1
	}
	return seconds
}

// Limits are the most seconds of the walks to the first stop, between rides and from the last stop, none of them 0.
func (q Query) Limits() (access, transfer, egress uint32) {
	return limit(q.MaxAccess), limit(q.MaxTransfer), limit(q.MaxEgress)
}

// Offset is the second of its headway at which a lane leaves in a draw.
func (r Rules) Offset(draw int, lane uint32, headway int32) int32 {
	x := r.Seed + uint64(draw)<<32 + uint64(lane) + 1
	x *= 0x9e3779b97f4a7c15 // splitmix64
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int32((x ^ x>>31) % uint64(headway))
}

// Start is when a vehicle of a lane with a headway leaves its first call, for somebody who could board it there from second
// ready on; never if none does. Offset is that of the draw.
func (r Rules) Start(lane *timetable.Lane, offset, ready int32) int32 {
	start := max(ready, lane.First) + lane.Headway/2
	if r.Wait == Draws {
		start = lane.First + offset
		if ready > start {
			start += (ready - start + lane.Headway - 1) / lane.Headway * lane.Headway
		}
	}
	if start >= lane.End {
		return never
	}
	return start
}
