package raptor

import (
	"math"

	"quartier/internal/travel/timetable"
)

// Search answers queries on a day. It keeps its memory from one to the next; each goroutine needs one of its own.
type Search struct {
	day   *timetable.Day
	rules Rules

	boards   []board  // by stop, as timetable.Day.Boards
	calls    []uint32 // the stop of each call, with noAlighting
	headways []uint32 // the lanes that have one
	offsets  []int32  // of these in the draw at hand, by lane; empty: there are none

	query  Query
	rounds int // query.Rides
	draws  int

	// Labels are of the departures so far, from the last one of the window to the first one.
	rides   []int32 // by stop and round: when one gets off there after at most round+1 rides
	reaches []int32 // by stop and round: when one is there after at most round rides and a walk
	trips   []int32 // by call and round: the earliest trip on which one leaves the call, of headways when it left its first one
	begins  []int32 // trips before a search
	missed  []int32 // by stop and round: the last departure there that was missed so far, or later

	stamp            uint32
	rideMark         []uint32 // by stop: the stamp of the round in which it is in rideList
	reachMark        []uint32
	arrivalMark      []uint32 // by stop: the stamp of the departure in which it is in arrived
	rideList, starts []uint32 // stops that became better in a round: by getting off, by any way
	arrived          []uint32 // stops that became better for a departure
	horizon          int32    // of the departure at hand
	departStamp      uint32   // the first stamp of it

	rows
	parents *parents        // nil: journeys are not recorded
	near    []timetable.Leg // of the target at hand
	tally   tally
	journey *Search // for Journey
}

// board is a call where one may board.
type board struct {
	departures uint32 // its first in day.Departures
	trips      uint32 // 0: it has a headway
	call, lane uint32
}

// noAlighting marks the stops of calls where nobody gets off.
const noAlighting = 1 << 31

// New returns a search of a day by rules.
func New(day *timetable.Day, rules Rules) *Search {
	s := &Search{day: day, rules: rules}
	stops := day.Table.Stops()
	s.rideMark, s.reachMark, s.arrivalMark = make([]uint32, stops), make([]uint32, stops), make([]uint32, stops)
	s.boards = make([]board, len(day.Boards))
	for i, b := range day.Boards {
		lane := &day.Lanes[b.Lane]
		s.boards[i] = board{lane.Times + (b.Call-lane.Call)*lane.Trips, lane.Trips, b.Call, b.Lane}
		if lane.Headway > 0 {
			s.boards[i].trips = 0
		}
	}
	s.calls = make([]uint32, len(day.CallStops))
	for i, stop := range day.CallStops {
		s.calls[i] = stop
		if day.CallFlags[i]&timetable.NoAlighting != 0 {
			s.calls[i] |= noAlighting
		}
	}
	for number := range day.Lanes {
		if day.Lanes[number].Headway > 0 {
			s.headways = append(s.headways, uint32(number))
		}
	}
	if len(s.headways) > 0 {
		s.offsets = make([]int32, len(day.Lanes))
	}
	return s
}

// Run answers a query: Seconds, Targets and Journey are about it until the next one.
func (s *Search) Run(q Query) error {
	if err := q.Check(s.day.Table.Stops()); err != nil {
		return err
	}
	s.query, s.draws = q, 1
	if len(s.headways) > 0 && s.rules.Wait == Draws {
		s.draws = max(s.rules.Draws, 1)
	}
	s.prepareRounds(q.Rides)
	s.rows.begin(s.day.Table.Stops(), q.Window, s.draws)
	drawn := len(s.headways) > 0 && s.rules.Wait == Draws
	for draw := range s.draws {
		s.draw(q.Draw(draw, q.Window-1))
		for minute := q.Window - 1; minute >= 0; minute-- {
			s.depart(q.Departs(minute))
			s.note(draw, minute)
			if drawn { // each departure has draws of its own: what is known of later ones does not count
				s.rows.writeKnown(draw, minute, &s.query)
				s.draw(q.Draw(draw, minute-1))
			}
		}
		s.rows.writeKnown(draw, 0, &s.query)
	}
	s.rows.end()
	return nil
}

// Values is the number of values of a stop or target: the departures of the window, of each draw.
func (s *Search) Values() int { return s.values }

// Method says how waits for vehicles without times are taken, "" where all have times, and how often draws were made.
func (s *Search) Method() (wait string, draws int) {
	if len(s.headways) == 0 {
		return "", 1
	}
	return s.rules.Wait.String(), s.draws
}

// prepareRounds makes room for labels of rounds.
func (s *Search) prepareRounds(rounds int) {
	if s.rounds == rounds && s.rides != nil {
		return
	}
	s.rounds = rounds
	stops := s.day.Table.Stops()
	s.rides, s.reaches, s.missed = resize(s.rides, stops*rounds), resize(s.reaches, stops*rounds), resize(s.missed, stops*rounds)
	s.begins, s.trips = resize(s.begins, len(s.calls)*rounds), resize(s.trips, len(s.calls)*rounds)
	for i := range s.day.Lanes {
		lane := &s.day.Lanes[i]
		latest := int32(lane.Trips)
		if lane.Headway > 0 {
			latest = never
		}
		first := int(lane.Call) * rounds
		for j := range int(lane.Calls) * rounds {
			s.begins[first+j] = latest
		}
	}
}

// resize returns a slice of a length, in the memory of list where it suffices.
func resize[T any](list []T, length int) []T {
	if cap(list) < length {
		return make([]T, length)
	}
	return list[:length]
}

// draw forgets all labels and draws the offsets of lines.
func (s *Search) draw(draw int) {
	for _, labels := range [][]int32{s.rides, s.reaches, s.missed} {
		for i := range labels {
			labels[i] = never
		}
	}
	copy(s.trips, s.begins)
	for _, lane := range s.headways {
		s.offsets[lane] = s.rules.Offset(draw, lane, s.day.Lanes[lane].Headway)
	}
}

// depart improves the labels by those who leave at a second.
func (s *Search) depart(at int32) {
	s.arrived = s.arrived[:0]
	s.horizon = at + 60*int32(s.query.Minutes)
	if s.rounds == 0 {
		return
	}
	s.nextStamp()
	s.departStamp = s.stamp
	s.starts = s.starts[:0]
	access, transfer, _ := s.query.Limits()
	for _, leg := range s.query.Access {
		if leg.Seconds <= access && leg.Seconds <= uint32(60*s.query.Minutes) {
			s.reach(leg.Stop, 0, at+int32(leg.Seconds), leg.Stop)
		}
	}
	for round := 0; round < s.rounds && len(s.starts) > 0; round++ {
		s.rideList = s.rideList[:0]
		for _, stop := range s.starts {
			s.boardAt(stop, round)
		}
		if round+1 < s.rounds {
			s.nextStamp()
			s.walk(round, transfer)
		}
	}
}

// nextStamp begins a round with empty lists.
func (s *Search) nextStamp() {
	if s.stamp == math.MaxUint32 {
		s.stamp = 0
		for _, marks := range [][]uint32{s.rideMark, s.reachMark, s.arrivalMark} {
			clear(marks)
		}
	}
	s.stamp++
}

// reach notes that one is at a stop after rides, coming from another stop or the same one.
func (s *Search) reach(stop uint32, rides int, at int32, from uint32) {
	labels := s.reaches[int(stop)*s.rounds : (int(stop)+1)*s.rounds]
	if at >= labels[rides] {
		return
	}
	for j := rides; j < len(labels) && at < labels[j]; j++ {
		labels[j] = at
	}
	if s.reachMark[stop] != s.stamp {
		s.reachMark[stop] = s.stamp
		s.starts = append(s.starts, stop)
	}
	if s.parents != nil {
		s.parents.reach[int(stop)*s.rounds+rides] = from
	}
}

// walk goes from where one got off in a round.
func (s *Search) walk(round int, limit uint32) {
	s.starts = s.starts[:0]
	for _, stop := range s.rideList {
		at := s.rides[int(stop)*s.rounds+round]
		s.reach(stop, round+1, at, stop)
		for _, leg := range s.day.Table.TransfersOf(stop) {
			if leg.Seconds > limit || leg.Seconds > uint32(max(s.horizon-at, 0)) {
				break
			}
			s.reach(leg.Stop, round+1, at+int32(leg.Seconds), stop)
		}
	}
}
