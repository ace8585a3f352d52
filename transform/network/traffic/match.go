package traffic

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas/calibration"
	"quartier/transform/network/street"
)

// matcher finds the streets of counts.
type matcher struct {
	c       *calibration.Counts
	streets []street.Street
	roads   []string // name of each street, comparable
	boxes   *coord.BoxIndex
	owner   []int32 // of each box, its street
	begins  []int32 // and the first vertex of its segment
	on      map[int]*sums
}

// Directions of travel along a street of which vehicles are counted.
const (
	both = iota // or all of a one-way street
	forward
	backward
	ways
)

// sums are the counts of a street, over the points at which they were matched.
type sums struct {
	aadt, heavy, lanes [ways]float64
	n, nHeavy, nLanes  [ways]float64
	kmh                float64
	keys               map[string]int // points of each count
}

func newMatcher(streets []street.Street, c *calibration.Traffic) *matcher {
	m := &matcher{c: &c.Counts, streets: streets, roads: make([]string, len(streets))}
	var boxes []orb.Bound
	for i := range streets {
		s := &streets[i]
		if !m.takes(s) {
			continue
		}
		m.roads[i] = roadName(s.Name)
		for k := 1; k < len(s.Line); k++ {
			boxes = append(boxes, orb.LineString(s.Line[k-1:k+1]).Bound())
			m.owner, m.begins = append(m.owner, int32(i)), append(m.begins, int32(k-1))
		}
	}
	m.boxes = coord.NewBoxIndex(boxes)
	return m
}

// takes reports whether a street may have a count.
func (m *matcher) takes(s *street.Street) bool {
	return s.Flow.AADT > 0 && len(s.Line) > 1 && slices.Contains(m.c.Classes, s.Class)
}

// begin begins a source.
func (m *matcher) begin() { m.on = map[int]*sums{} }

// candidate is a street near a point of a count.
type candidate struct {
	street  int
	cost    float64
	bearing float64 // of its line there
}

// match adds a count to its streets. It reports whether it has one, and whether a street of it has a count of a source
// before, which stays.
func (m *matcher) match(n *count) (found, before bool) {
	n.at(m.c.SampleM, func(p orb.Point, bearing float64) {
		if n.Heading != nil {
			bearing = *n.Heading
		}
		list := m.near(n, p, bearing)
		if len(list) == 0 {
			return
		}
		best := list[0]
		s := &m.streets[best.street]
		if s.Flow.Count != "" {
			before = true
			return
		}
		found = true
		switch {
		case !n.OneWay && s.Car != "both":
			share := 1.0
			if other, divided := m.opposite(list); divided {
				share = .5
				m.add(other.street, both, n, share)
			}
			m.add(best.street, both, n, share)
		case !n.OneWay || s.Car != "both":
			m.add(best.street, both, n, 1)
		case math.IsNaN(bearing) || turn(bearing, best.bearing) <= 90:
			m.add(best.street, forward, n, 1)
		default:
			m.add(best.street, backward, n, 1)
		}
	})
	return found, before
}

// near are the streets that a count at p may be of, the best first.
func (m *matcher) near(n *count, p orb.Point, bearing float64) (list []candidate) {
	plane := geo.NewPlane(p)
	best := map[int]candidate{}
	m.boxes.Search(geo.CircleBound(p, max(m.c.WithinM, m.c.NamedM)), func(box int) bool {
		i, k := int(m.owner[box]), m.begins[box]
		line := m.streets[i].Line
		v := candidate{i, plane.SegmentDistance(p, line[k], line[k+1]), bearingOf(plane, line[k], line[k+1])}
		if m.allows(n, &v, bearing) {
			if known, ok := best[i]; !ok || v.cost < known.cost {
				best[i] = v
			}
		}
		return true
	})
	for _, i := range sortedKeys(best) {
		list = append(list, best[i])
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		switch {
		case a.cost < b.cost:
			return -1
		case a.cost > b.cost:
			return 1
		}
		return a.street - b.street
	})
	return list
}

// allows completes the cost of a candidate, and reports whether it may be the street of a count.
func (m *matcher) allows(n *count, v *candidate, bearing float64) bool {
	s := &m.streets[v.street]
	if !math.IsNaN(bearing) {
		angle := turn(bearing, v.bearing)
		if s.Car == "backward" {
			angle = turn(bearing, v.bearing+180)
		}
		if s.Car == "both" || n.Heading == nil {
			angle = min(angle, 180-angle)
		}
		if angle > m.c.TurnDeg {
			return false
		}
	}
	limit, road := m.c.WithinM, m.roads[v.street]
	switch {
	case n.road != "" && n.road == road:
		limit = m.c.NamedM
	case n.road != "" && road != "":
		v.cost += m.c.OtherM
	}
	if n.Class != "" && classDistance(n.Class, s.Class) > 1 {
		v.cost += m.c.OtherM
	}
	return v.cost <= limit
}

// ranks are the classes of streets by importance; links are of the class that they lead to.
var ranks = map[string]int{"motorway": 0, "motorway_link": 0, "trunk": 1, "trunk_link": 1, "primary": 2, "primary_link": 2, "secondary": 3,
	"secondary_link": 3,
	"tertiary":       4, "tertiary_link": 4, "unclassified": 5, "residential": 5, "living_street": 6}

// classDistance is how many ranks two classes are apart; 0 if one of them has none.
func classDistance(a, b string) int {
	x, known := ranks[a]
	y, too := ranks[b]
	if !known || !too {
		return 0
	}
	return max(x-y, y-x)
}

// opposite is the other carriageway of a divided road: one-way the other way, of the same class and name.
func (m *matcher) opposite(list []candidate) (candidate, bool) {
	first := &m.streets[list[0].street]
	for _, v := range list[1:] {
		s := &m.streets[v.street]
		if s.Car != "both" && s.Class == first.Class && m.roads[v.street] == m.roads[list[0].street] &&
			turn(travel(s, v), travel(first, list[0])) > 90 {
			return v, true
		}
	}
	return candidate{}, false
}

// travel is the direction in which a one-way street is driven.
func travel(s *street.Street, v candidate) float64 {
	if s.Car == "backward" {
		return v.bearing + 180
	}
	return v.bearing
}

// add adds a share of a count to a street without a count of a source before.
func (m *matcher) add(i, way int, n *count, share float64) {
	if m.streets[i].Flow.Count != "" {
		return
	}
	s := m.on[i]
	if s == nil {
		s = &sums{keys: map[string]int{}}
		m.on[i] = s
	}
	s.aadt[way] += share * n.AADT
	s.n[way]++
	if n.Heavy != nil {
		s.heavy[way] += *n.Heavy
		s.nHeavy[way]++
	}
	if n.Lanes > 0 {
		s.lanes[way] += share * float64(n.Lanes)
		s.nLanes[way]++
	}
	s.kmh = max(s.kmh, n.SpeedKMH)
	s.keys[n.key]++
}

// finish sets the flow of the streets with counts and returns them.
func (m *matcher) finish() []int {
	list := sortedKeys(m.on)
	for _, i := range list {
		m.on[i].set(&m.streets[i])
	}
	return list
}

// set sets the flow of a street: the mean of its two-way counts, else the sum of both directions or twice that of one.
func (s *sums) set(to *street.Street) {
	flow := &to.Flow
	flow.Beyond = 0
	if s.n[both] > 0 {
		flow.AADT = s.aadt[both] / s.n[both]
	} else {
		known, sum := 0.0, 0.0
		for _, way := range []int{forward, backward} {
			if s.n[way] > 0 {
				sum += s.aadt[way] / s.n[way]
				known++
			}
		}
		flow.AADT = sum * 2 / known
	}
	heavy, nHeavy, lanes, nLanes := 0.0, 0.0, 0.0, 0.0
	for way := range ways {
		heavy, nHeavy = heavy+s.heavy[way], nHeavy+s.nHeavy[way]
		if s.nLanes[way] > 0 && (way == both) == (s.n[both] > 0) {
			lanes += s.lanes[way] / s.nLanes[way]
			nLanes++
		}
	}
	if nHeavy > 0 {
		flow.Heavy = heavy / nHeavy
	}
	if to.Lanes == 0 && nLanes > 0 {
		if s.n[both] == 0 && nLanes == 1 {
			lanes *= 2
		}
		flow.Lanes = math.Max(1, math.Round(lanes))
	}
	if to.SpeedKMH == 0 && s.kmh > 0 {
		flow.SpeedKMH = s.kmh
	}
	most := 0
	for _, key := range sortedKeys(s.keys) {
		if s.keys[key] > most {
			most, flow.Count = s.keys[key], key
		}
	}
}
