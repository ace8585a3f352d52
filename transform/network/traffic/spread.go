package traffic

import (
	"container/heap"

	"github.com/paulmach/orb"

	"quartier/schemas/calibration"
	"quartier/transform/network/street"
)

// spread gives the counts of streets to the streets that continue them: those that share an end, are driven in as many
// directions, and have the same name, or no name and the same class where no third street of the class meets. A count
// holds for SpreadM to the middle of a street; of several the nearest counts. It returns the number of streets.
//
// Main Street in pieces a–b–c–d–e of 300 m, counted on a and on d: b has the count of a, c and e that of d.
func spread(streets []street.Street, counted []int, c *calibration.Traffic) (more int) {
	ends := map[orb.Point][]int{}
	for i := range streets {
		if s := &streets[i]; s.Flow.AADT > 0 {
			for _, p := range endsOf(s) {
				ends[p] = append(ends[p], i)
			}
		}
	}
	q := &reached{}
	from := map[int]int{} // the counted street of each street that is done
	for _, i := range counted {
		heap.Push(q, step{street: i, from: i})
	}
	for q.Len() > 0 {
		at := heap.Pop(q).(step)
		if _, done := from[at.street]; done {
			continue
		}
		from[at.street] = at.from
		s := &streets[at.street]
		for _, p := range endsOf(s) {
			for _, i := range ends[p] {
				other := &streets[i]
				length := lengthOf(other.Line)
				if _, done := from[i]; done || other.Flow.Count != "" || at.metres+length/2 > c.Counts.SpreadM || !continues(streets, ends[p], s, other) {
					continue
				}
				heap.Push(q, step{at.metres + length, i, at.from})
			}
		}
	}
	for i, origin := range from {
		if i == origin {
			continue
		}
		more++
		flow, source := &streets[i].Flow, &streets[origin].Flow
		flow.AADT, flow.Heavy, flow.Count = source.AADT, source.Heavy, source.Count
	}
	return more
}

// continues reports whether a street continues another one at a point where some streets end.
func continues(streets []street.Street, here []int, s, other *street.Street) bool {
	if (s.Car == "both") != (other.Car == "both") || steps(s.Class, other.Class) > 1 {
		return false
	}
	if s.Name != "" || other.Name != "" {
		return roadName(s.Name) == roadName(other.Name)
	}
	same := 0
	for _, i := range here {
		if streets[i].Class == s.Class {
			same++
		}
	}
	return s.Class == other.Class && same == 2
}

func endsOf(s *street.Street) [2]orb.Point { return [2]orb.Point{s.Line[0], s.Line[len(s.Line)-1]} }

// step is a street that is reached along its road.
type step struct {
	metres       float64 // from the end of the counted street to the far end of this one
	street, from int
}

// reached are streets by distance, then by number.
type reached []step

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
func (q *reached) Push(x any) { *q = append(*q, x.(step)) }
func (q *reached) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
