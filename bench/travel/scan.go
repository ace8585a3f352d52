package travel

import (
	"cmp"
	"encoding/binary"
	"os"
	"slices"

	"quartier/bench/fail"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/timetable"
)

// connection is a ride from a call to the next one, as csa.cpp reads it.
type connection struct {
	From, To        uint32
	Leaves, Arrives int32
	Trip, Flags     uint32 // 1: nobody boards, 2: nobody gets off
}

// connections are those of a day by departure, and the number of trips. Lines of which only the headway is known have none.
func connections(day *timetable.Day) (list []connection, trips uint32) {
	for _, lane := range day.Lanes {
		if lane.Headway > 0 {
			fail.Errorf("the peer does not know headways")
		}
		for trip := range lane.Trips {
			for call := range lane.Calls - 1 {
				at := lane.Call + call
				list = append(list, connection{day.CallStops[at], day.CallStops[at+1], day.Departures[lane.Times+call*lane.Trips+trip],
					day.Arrivals[lane.Times+trip*lane.Calls+call+1], trips,
					uint32(day.CallFlags[at]&timetable.NoBoarding | day.CallFlags[at+1]&timetable.NoAlighting)})
			}
			trips++
		}
	}
	slices.SortStableFunc(list, func(a, b connection) int { return cmp.Compare(a.Leaves, b.Leaves) })
	return list, trips
}

// write writes the input of the peer.
func (t *task) write(path string) {
	file := fail.Must(os.Create(path))
	defer file.Close()
	list, trips := connections(t.day)
	q, table := t.queries[0], t.day.Table
	put := func(count int, values any) {
		fail.Check(binary.Write(file, binary.LittleEndian, uint64(count)))
		fail.Check(binary.Write(file, binary.LittleEndian, values))
	}
	put(7, []uint32{uint32(table.Stops()), trips, uint32(q.Window), uint32(q.Rides), uint32(raptor.Ours.BoardWait), uint32(q.Minutes),
		uint32(q.Depart)})
	ranks := []uint32{}
	for _, p := range percentiles {
		ranks = append(ranks, uint32(p))
	}
	put(len(ranks), ranks)
	put(len(list), list)
	put(len(table.TransferFirst), table.TransferFirst)
	put(len(table.Transfers), table.Transfers)
	put(len(t.targets.First), t.targets.First)
	put(len(t.targets.Legs), t.targets.Legs)
	first, access := []uint32{0}, []timetable.Leg{}
	for _, q := range t.queries {
		access = append(access, q.Access...)
		first = append(first, uint32(len(access)))
	}
	put(len(first), first)
	put(len(access), access)
}

// checksum is the same as in csa.cpp.
func checksum(values []uint16) (sum, mix uint64) {
	for i, v := range values {
		sum += uint64(v)
		mix ^= (uint64(v) + uint64(i)) * 0x9E3779B97F4A7C15
	}
	return sum, mix
}
