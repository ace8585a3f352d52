// Package destination derives the places that the access engine counts, snapped to the streets: POIs by class, parks by
// their entrances and edges, schools by level (merged ones, else POIs), stops with their departures, ramps of highways. Input:
// derived.poi, derived.school,
// staged.poi, features, timetables and the network. Output: a Set, and the derived tables destination and
// transit_service.
package destination

import (
	"cmp"
	"context"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/issue"
	"quartier/transform/network/street"
	"quartier/transform/places/transitstop"
)

// Destination is a row of derived.destination. Its number there is its index in Set.List.
type Destination struct {
	Class             string // schemas.DestinationClasses
	Key, Source, Name string
	Station           string  // key that the platforms of a station share; Key for other places
	Hectares          float64 // of a park; 0: unknown
	Point             orb.Point
	Place             network.Place
	Services          []Service // of class stop
}

// Service is a row of derived.transit_service.
type Service = rating.Service

// Set is the destinations of a region.
type Set struct {
	List  []Destination // by class, key and point
	Ramps []orb.Point   // where ramps join highways, for driving distances

	Contents        []Content                 // of the sources of POIs, by source
	Others          map[string]map[string]int // number of POIs by category that is no class of destinations, and source
	Extracted       map[string]bool           // sources of which neighbours lend an extract, and the lent ones: of the same id and kind
	SchoolLists     []string                  // sources of the region's merged schools, which are its schools then; nil: POIs are
	Complete, Lacks []string                  // classes that some source is declared to have all of, or not to have

	// Channels of transit, and modes of lines that count for no channel but that of all transit (ferries, slow trams).
	AllLines     map[string]bool // of which a list of all lines has some: no line near means that none is there
	PartialLines map[string]bool // of which a list of some of the lines has some
	SomeLines    bool            // some list of lines is partial
	Lists        map[string]List // by source
}

// List is a timetable or a list of lines.
type List struct {
	Timed, Partial bool
}

// Content is what a source has.
type Content struct {
	Source string
	Places int // POIs of any class or none
	Kinds  int // categories that occur, broad ones aside
}

// Transport are the classes of places to board.
var Transport = []string{"bus_stop", "rapid_station", "train_station", "stop"}

// Of is the destinations of a class.
func (s *Set) Of(class string) []Destination {
	first, _ := slices.BinarySearchFunc(s.List, class, func(d Destination, class string) int {
		return cmp.Compare(rank[d.Class], rank[class])
	})
	last := first
	for last < len(s.List) && s.List[last].Class == class {
		last++
	}
	return s.List[first:last]
}

// ClassContent is what the sources of a region have of a class.
type ClassContent struct {
	Places    int             // different ones
	Some      int             // of them, those of lists of some of the lines
	Lent      int             // of neighbours that have an extract of the same source
	Timed     bool            // some are of a timetable of all lines
	Extracted bool            // neighbours lend places of the same source, or would if it had some near
	Sources   map[string]bool // of the region, that have some
}

// Content is what the sources have of a class of schemas.RatedClasses.
func (s *Set) Content(class string) ClassContent {
	c := ClassContent{Sources: map[string]bool{}}
	add := func(source string, places int) {
		if staged.Lent(source) && !s.Extracted[source] {
			return
		}
		c.Extracted = c.Extracted || s.Extracted[source]
		list := s.Lists[source]
		c.Timed = c.Timed || list.Timed && !list.Partial
		switch {
		case staged.Lent(source) && !list.Partial:
			c.Lent += places
		case !staged.Lent(source):
			c.Sources[source] = true
			c.Places += places
			if list.Partial {
				c.Some += places
			}
		}
	}
	for source, places := range s.Others[class] {
		add(source, places)
	}
	last := ""
	for _, d := range s.Of(class) {
		if d.Key != last {
			add(d.Source, 1)
		}
		last = d.Key
	}
	return c
}

// Points are the positions of the places of some classes, each once.
func (s *Set) Points(classes []string) (points []orb.Point) {
	seen := map[string]bool{}
	for _, class := range classes {
		for _, d := range s.Of(class) {
			if !seen[d.Key] {
				seen[d.Key] = true
				points = append(points, d.Point)
			}
		}
	}
	return points
}

// rank is the index of a class in schemas.DestinationClasses.
var rank = func() map[string]int {
	ranks := make(map[string]int, len(schemas.DestinationClasses))
	for i, class := range schemas.DestinationClasses {
		ranks[class] = i
	}
	return ranks
}()

// deriver collects destinations.
type deriver struct {
	staged, derived *duck.DB
	net             *street.Network
	c               *calibration.Calibration
	issues          *issue.Counter
	set             *Set
	modes           transitstop.Modes
}

// Derive derives the destinations of a region whose derived.poi is complete. net.Walk must not be nil.
func Derive(ctx context.Context, staged, derived *duck.DB, net *street.Network, c *calibration.Calibration) (*Set, []issue.Issue, error) {
	f := &deriver{staged: staged, derived: derived, net: net, c: c, issues: issue.NewCounter("access"), set: &Set{}}
	for _, derive := range []func(context.Context) error{f.declarations, f.extracts, f.lists, f.pois, f.parks, f.nonPOIs, f.stops, f.ramps} {
		if err := derive(ctx); err != nil {
			return nil, nil, err
		}
	}
	slices.SortFunc(f.set.List, func(a, b Destination) int {
		return cmp.Or(cmp.Compare(rank[a.Class], rank[b.Class]), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Point[0], b.Point[0]),
			cmp.Compare(a.Point[1], b.Point[1]), cmp.Compare(a.Place.Edge, b.Place.Edge))
	})
	return f.set, f.issues.Issues(), ctx.Err()
}
