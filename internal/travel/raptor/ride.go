package raptor

import (
	"math"
	"slices"
)

// boardAt boards at a stop whatever leaves earlier than what was boarded there so far in as many rides.
func (s *Search) boardAt(stop uint32, round int) {
	at := s.reaches[int(stop)*s.rounds+round]
	ready := at + s.rules.BoardWait
	missed := &s.missed[int(stop)*s.rounds+round]
	if ready > *missed {
		return
	}
	last := int32(math.MinInt32)
	for _, b := range s.boards[s.day.BoardFirst[stop]:s.day.BoardFirst[stop+1]] {
		so := s.trips[int(b.call)*s.rounds+round]
		if b.trips == 0 {
			s.boardHeadway(b, round, at+s.rules.MeetWait, so)
			last = never
			continue
		}
		if so == 0 {
			continue
		}
		departures := s.day.Departures[b.departures : b.departures+uint32(so)]
		if departures[so-1] >= ready {
			so = earliest(departures, ready)
			s.ride(b, round, so)
		}
		if so > 0 {
			last = max(last, departures[so-1])
		}
	}
	*missed = last
}

// earliest is the number of the first departure from ready on, which is at most the last one.
func earliest(departures []int32, ready int32) int32 {
	i := len(departures) - 1
	for stop := max(i-8, 0); i > stop; i-- { // mostly a few trips before the one that was boarded for a later departure
		if departures[i-1] < ready {
			return int32(i)
		}
	}
	first, _ := slices.BinarySearch(departures[:i+1], ready)
	return int32(first)
}

// ride gets off a trip at every call after that where one boards, until where one was on it before.
func (s *Search) ride(b board, round int, trip int32) {
	lane := &s.day.Lanes[b.lane]
	arrivals := s.day.Arrivals[lane.Times+uint32(trip)*lane.Calls:][:lane.Calls]
	s.follow(b, round, trip, arrivals, 0)
}

// boardHeadway is boardAt and ride for a lane with a headway.
func (s *Search) boardHeadway(b board, round int, ready, so int32) {
	lane := &s.day.Lanes[b.lane]
	start := s.rules.Start(lane, s.offsets[b.lane], ready-s.day.Departures[b.departures])
	if start < so {
		s.follow(b, round, start, s.day.Arrivals[lane.Times:][:lane.Calls], start)
	}
}

func (s *Search) follow(b board, round int, trip int32, arrivals []int32, shift int32) {
	lane := &s.day.Lanes[b.lane]
	calls := s.calls[lane.Call:][:len(arrivals)]
	for call := int(b.call - lane.Call); ; {
		left := s.trips[(int(lane.Call)+call)*s.rounds:][:s.rounds]
		if left[round] <= trip {
			return
		}
		for j := round; j < len(left) && left[j] > trip; j++ {
			left[j] = trip
		}
		if call++; call == len(arrivals) {
			return
		}
		at := arrivals[call] + shift
		if at > s.horizon {
			return
		}
		if stop := calls[call]; stop < noAlighting {
			s.getOff(stop, round, at, b, trip)
		}
	}
}

func (s *Search) getOff(stop uint32, round int, at int32, b board, trip int32) {
	labels := s.rides[int(stop)*s.rounds:][:s.rounds]
	if at >= labels[round] {
		return
	}
	for j := round; j < len(labels) && at < labels[j]; j++ {
		labels[j] = at
	}
	if s.rideMark[stop] != s.stamp {
		s.rideMark[stop] = s.stamp
		s.rideList = append(s.rideList, stop)
		if s.arrivalMark[stop] < s.departStamp {
			s.arrivalMark[stop] = s.stamp
			s.arrived = append(s.arrived, stop)
		}
	}
	if s.parents != nil {
		s.parents.ride[int(stop)*s.rounds+round] = leg{b.lane, b.call, trip}
	}
}
