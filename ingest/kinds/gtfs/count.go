package gtfs

import (
	"cmp"
	"maps"
	"slices"

	"quartier/ingest/source"
	"quartier/internal/geo"
)

// counts are the trips of the timetable week.
type counts struct {
	trips     int64
	services  map[signed]int64
	distances [][]float64 // by route, between consecutive stops, once for each pattern of stops
}

// stopRoute is a route at a stop in a direction.
type stopRoute struct {
	stop, route int32
	direction   uint8
}

// signed is trips of a route at a stop that go to one place: a headsign, else the name of their last stop, in trips.signs.
type signed struct {
	stopRoute
	sign int32
}

// count adds up the trips of the week. A trip is counted once at a stop, even if it stops there several times.
func (s *stage) count(times []stopTime) *counts {
	c := &counts{services: map[signed]int64{}, distances: make([][]float64, len(s.routes.rows))}
	seen := make([]int32, len(s.stops.ids)) // last trip that stopped there, counted from 1
	patterns := map[pattern]bool{}
	for first := 0; first < len(times); {
		end := first + 1
		for end < len(times) && times[end].trip == times[first].trip {
			end++
		}
		run := times[first:end]
		first = end
		trip := s.trips.rows[run[0].trip]
		c.trips += trip.runs
		sign := trip.sign
		if sign == 0 {
			sign = s.trips.signs.of(s.stops.names[run[len(run)-1].stop])
		}
		for _, t := range run {
			if seen[t.stop] != int32(t.trip)+1 {
				seen[t.stop] = int32(t.trip) + 1
				c.services[signed{stopRoute{t.stop, trip.route, trip.direction}, sign}] += trip.runs
			}
		}
		if p := patternOf(trip.route, run); !patterns[p] {
			patterns[p] = true
			c.distances[trip.route] = s.between(c.distances[trip.route], run)
		}
	}
	return c
}

// pattern is a route and a hash of the stops of a trip.
type pattern struct {
	route int32
	stops uint64
}

func patternOf(route int32, run []stopTime) pattern {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	digest := uint64(offset)
	for _, t := range run {
		for shift := 0; shift < 32; shift += 8 {
			digest = (digest ^ uint64(byte(t.stop>>shift))) * prime
		}
	}
	return pattern{route, digest}
}

// between appends the straight distances between consecutive stops of a trip.
func (s *stage) between(distances []float64, run []stopTime) []float64 {
	for i := 1; i < len(run); i++ {
		if run[i].stop != run[i-1].stop {
			distances = append(distances, geo.Distance(s.stops.points[run[i-1].stop], s.stops.points[run[i].stop]))
		}
	}
	return distances
}

// spacing returns the lower median distance in metres between consecutive stops of a route; nil where no trip has two
// stops.
func (c *counts) spacing(route int) *float64 {
	distances := c.distances[route]
	if len(distances) == 0 {
		return nil
	}
	slices.Sort(distances)
	return &distances[(len(distances)-1)/2]
}

// stageServices stages the trips of routes at stops, in order of stop, route and direction, with where most of them go.
func (s *stage) stageServices(c *counts) error {
	all := slices.SortedFunc(maps.Keys(c.services), func(a, b signed) int {
		return cmp.Or(cmp.Compare(a.stop, b.stop), cmp.Compare(a.route, b.route), cmp.Compare(a.direction, b.direction),
			cmp.Compare(c.services[b], c.services[a]), cmp.Compare(s.trips.signs.texts[a.sign], s.trips.signs.texts[b.sign]))
	})
	for first := 0; first < len(all); {
		at, trips, end := all[first], int64(0), first
		for ; end < len(all) && all[end].stopRoute == at.stopRoute; end++ {
			trips += c.services[all[end]]
		}
		first = end
		err := s.out.Row(source.StopService{StopKey: s.key(s.stops.ids[at.stop]), RouteKey: s.routes.rows[at.route].SourceKey,
			Direction: int32(at.direction), TripsWeek: clamp(trips), Headsign: s.trips.signs.texts[at.sign]})
		if err != nil {
			return err
		}
	}
	return nil
}
