package traffic

import (
	"container/heap"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/transform/network/street"
)

// spread gives the counts of streets to the streets that continue them: those that share an end, are driven in as many
// directions, and have the same name, or no name and the same class where no third street of the class meets. A count
// holds for SpreadM to the middle of a street; of several the nearest counts. It returns the number of streets that have
// the count of each counted one.
//
// Main Street in pieces a–b–c–d–e of 300 m, counted on a and on d: b has the count of a, c and e that of d.
func (m *matcher) spread(counted []int) (more map[int]int) {
	ends := map[orb.Point][]int{}
	for i := range m.streets {
		if s := &m.streets[i]; m.takes(s) {
			for _, p := range endsOf(s) {
				ends[p] = append(ends[p], i)
			}
		}
	}
	q := &reached{}
	from := map[int]int{} // the counted street of each street that is done
	for _, i := range counted {
		heap.Push(q, reachedStreet{street: i, from: i})
	}
	for q.Len() > 0 {
		at := heap.Pop(q).(reachedStreet)
		if _, done := from[at.street]; done {
			continue
		}
		from[at.street] = at.from
		for _, p := range endsOf(&m.streets[at.street]) {
			for _, i := range ends[p] {
				other := &m.streets[i]
				length := geo.Length(other.Line)
				if _, done := from[i]; done || other.Flow.Count != "" || at.metres+length/2 > m.c.SpreadM || !m.continues(ends[p], at.street, i) {
					continue
				}
				heap.Push(q, reachedStreet{at.metres + length, i, at.from})
			}
		}
	}
	more = map[int]int{}
	for i, origin := range from {
		if i == origin {
			continue
		}
		more[origin]++
		flow, source := &m.streets[i].Flow, &m.streets[origin].Flow
		flow.AADT, flow.Beyond, flow.Heavy, flow.Count = source.AADT, 0, source.Heavy, source.Count
	}
	return more
}

// continues reports whether street b continues street a at a point where some streets end.
func (m *matcher) continues(here []int, a, b int) bool {
	s, other := &m.streets[a], &m.streets[b]
	if (s.Car == "both") != (other.Car == "both") || classDistance(s.Class, other.Class) > 1 {
		return false
	}
	if s.Name != "" || other.Name != "" {
		return m.roads[a] == m.roads[b]
	}
	same := 0
	for _, i := range here {
		if m.streets[i].Class == s.Class {
			same++
		}
	}
	return s.Class == other.Class && same == 2
}

// endsOf are the ends of a street: one of a closed one.
func endsOf(s *street.Street) []orb.Point {
	first, last := s.Line[0], s.Line[len(s.Line)-1]
	if first == last {
		return []orb.Point{first}
	}
	return []orb.Point{first, last}
}

// reachedStreet is a street that is reached along its road.
type reachedStreet struct {
	metres       float64 // from the end of the counted street to the far end of this one
	street, from int
}

// reached are streets by distance, then by number.
type reached []reachedStreet

func (q reached) Len() int      { return len(q) }
func (q reached) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q reached) Less(i, j int) bool {
	a, b := q[i], q[j]
	switch {
	case a.metres != b.metres:
		return a.metres < b.metres
	case a.street != b.street:
		return a.street < b.street
	}
	return a.from < b.from
}
func (q *reached) Push(x any) { *q = append(*q, x.(reachedStreet)) }
func (q *reached) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
