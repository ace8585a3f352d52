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
func (r *Result) mergeStops(stops []*POI, issues *issue.Counter) {
	slices.SortFunc(stops, func(a, b *POI) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Key, b.Key))
	})
	byKey := map[string]*POI{}
	var merges []Merge
	for len(stops) > 0 {
		n := 1
		for n < len(stops) && stops[n].Source == stops[0].Source {
			n++
		}
		others := indexStops(r.POIs)
		for _, p := range stops[:n] {
			if m := others.reduce(p, byKey); p.categories == 0 {
				merges = append(merges, m)
				continue
			}
			r.POIs = append(r.POIs, p)
			if !staged.Lent(p.Source) {
				issues.Add(stopAdded, p.Key)
			}
		}
		stops = stops[n:]
	}
	nameStops(merges, byKey)
	r.Merges = append(r.Merges, merges...)
	slices.SortFunc(r.POIs, func(a, b *POI) int { return cmp.Compare(a.Key, b.Key) })
	slices.SortFunc(r.Merges, func(a, b Merge) int { return cmp.Compare(a.MergedKey, b.MergedKey) })
}

// nameStops names places after the nearest stop that is merged into each.
func nameStops(merges []Merge, byKey map[string]*POI) {
	nearest := slices.Clone(merges)
	slices.SortStableFunc(nearest, func(a, b Merge) int { return cmp.Compare(a.DistanceM, b.DistanceM) })
	for _, m := range nearest {
		if place, stop := byKey[m.KeptKey], byKey[m.MergedKey]; place.unnamed && !stop.unnamed {
			place.Name, place.name, place.unnamed = stop.Name, stop.name, false
		}
	}
}

// stopIndex finds the places of each of stopKinds.
type stopIndex struct {
	places [][]*POI
	near   []near.Points
}

func indexStops(list []*POI) *stopIndex {
	x := &stopIndex{make([][]*POI, len(stopKinds)), make([]near.Points, len(stopKinds))}
	for i, kind := range stopKinds {
		for _, p := range list {
			if p.categories.has(kind.categories) {
				x.places[i], x.near[i].List = append(x.places[i], p), append(x.near[i].List, p.Point)
			}
		}
		x.near[i].Build()
	}
	return x
}

// reduce removes the kinds of a stop of which a place is near; with the merge into the nearest of these. byKey gets both.
func (x *stopIndex) reduce(p *POI, byKey map[string]*POI) Merge {
	best := Merge{MergedKey: p.Key, Reason: stopReason}
	for i, kind := range stopKinds {
		if !p.categories.has(kind.categories) {
			continue
		}
		x.near[i].Within(p.Point, kind.metres, func(at int) bool {
			place := x.places[i][at]
			metres := distance(place.Point, p.Point)
			if best.KeptKey == "" || cmp.Or(cmp.Compare(metres, best.DistanceM), cmp.Compare(place.Key, best.KeptKey)) < 0 {
				best.KeptKey, best.DistanceM, best.NameSimilarity = place.Key, metres, similarity(place.name, p.name)
				byKey[place.Key], byKey[p.Key] = place, p
			}
			p.categories &^= kind.categories
			return true
		})
	}
	if !p.categories.has(urbanRail) {
		p.Tags = nil // they say what kind of rail
	}
	return best
}

func distance(a, b orb.Point) float64 { return geo.NewPlane(a).Distance(b) }
