package poi

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas/staged"
	"quartier/transform/issue"
	"quartier/transform/places/near"
)

var stopAdded = Reasons.Noted("stop_without_other_source",
	"The stop of a timetable or list of lines is a place, because no other source has one of its kind there.")

// stopKind is categories of stops that are one place where two sources have them this near to each other. Publishers put
// poles where vehicles stop, on either side of a crossing, and stations somewhere on their ground.
type stopKind struct {
	categories set
	metres     float64 // [A]
}

var stopKinds = []stopKind{
	{mustSet("bus_stops"), 50},
	{urbanRail, 150},
	{mustSet("train_stations"), 300},
	{mustSet("ferry_terminals"), 300},
	{mustSet("cable_car_stations"), 300},
	{mustSet("funicular_stations"), 150},
}

// urbanRail is one kind, because what one publisher calls a tram is light rail to another.
var urbanRail = mustSet("tram_stops", "subway_or_separated_rail_stations", "rapid_transit_stations")

const stopReason = "stop of the same kind nearby"

// mergeStops adds stops of timetables and lists of lines to the places, in the order of their sources: each for those of its
// kinds of which no place of another source is near. One without any left is merged into the nearest of them, and names it
// where it has no name.
//
// For example "Main St & 1st" of a feed is served by trams and buses. A map has a pole 20 m away, "Bus stop 4711": the feed's
// stop is a tram stop only. "Main St & 2nd" has buses alone and a pole 30 m away: that pole is now called "Main St & 2nd".
func (s *places) mergeStops(issues *issue.Counter) {
	var stops []int32
	for i := range s.list {
		if s.list[i].stop {
			stops = append(stops, int32(i))
		}
	}
	from := func(i int32) source { return s.sources[s.list[i].source] }
	slices.SortFunc(stops, func(a, b int32) int {
		return cmp.Or(cmp.Compare(from(a).priority, from(b).priority), cmp.Compare(from(a).id, from(b).id), cmp.Compare(a, b))
	})
	for len(stops) > 0 {
		n := 1
		for n < len(stops) && from(stops[n]).id == from(stops[0]).id {
			n++
		}
		others := s.indexStops()
		for _, i := range stops[:n] {
			m := others.reduce(i)
			if s.list[i].categories == 0 {
				s.stops = append(s.stops, m)
				continue
			}
			if s.list[i].into = kept; !staged.Lent(from(i).id) {
				issues.Add(stopAdded, s.record(i).Key)
			}
		}
		stops = stops[n:]
	}
	for _, m := range s.stops {
		s.list[m.merged].into = m.kept
	}
	s.nameStops()
}

// nameStops names places after the nearest stop that is merged into each.
func (s *places) nameStops() {
	nearest := slices.Clone(s.stops)
	slices.SortStableFunc(nearest, func(a, b merged) int { return cmp.Compare(a.metres, b.metres) })
	for _, m := range nearest {
		if place, stop := &s.list[m.kept], &s.list[m.merged]; place.unnamed && !stop.unnamed {
			s.named[m.kept], place.unnamed = m.merged, false
		}
	}
}

// stopIndex finds the places of each of stopKinds.
type stopIndex struct {
	all    *places
	places [][]int32
	near   []near.Points
}

func (s *places) indexStops() *stopIndex {
	x := &stopIndex{s, make([][]int32, len(stopKinds)), make([]near.Points, len(stopKinds))}
	for i, kind := range stopKinds {
		for j := range s.list {
			if p := &s.list[j]; p.into == kept && p.categories.has(kind.categories) {
				x.places[i], x.near[i].List = append(x.places[i], int32(j)), append(x.near[i].List, p.point)
			}
		}
		x.near[i].Build()
	}
	return x
}

// reduce removes the kinds of a stop of which a place is near; with the merge into the nearest of these.
func (x *stopIndex) reduce(number int32) merged {
	best, p := merged{kept: kept, merged: number, reason: stopReason}, &x.all.list[number]
	for i, kind := range stopKinds {
		if !p.categories.has(kind.categories) {
			continue
		}
		x.near[i].Within(p.point, kind.metres, func(at int) bool {
			place := x.places[i][at]
			metres := distance(x.all.list[place].point, p.point)
			if best.kept == kept || cmp.Or(cmp.Compare(metres, best.metres), cmp.Compare(place, best.kept)) < 0 {
				best.kept, best.metres, best.similarity = place, metres, similarity(x.all.name(place), x.all.name(number))
			}
			p.categories &^= kind.categories
			return true
		})
	}
	p.untagged = p.untagged || !p.categories.has(urbanRail) // they say what kind of rail
	return best
}

func distance(a, b orb.Point) float64 { return geo.NewPlane(a).Distance(b) }
