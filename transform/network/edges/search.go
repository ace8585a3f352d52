package edges

import (
	"math"
	"sync/atomic"

	"quartier/internal/extent"
	"quartier/transform/network/channel"
)

// Search is a search for the nearest places of some classes, or for what is within a distance.
type Search struct {
	edges  *Edges
	of     []*layer
	weight *extent.Weight
	places int
	missed float64 // share of the weight beyond up to which a value is given that could be raised by twice as much

	straight bool // what is looked for makes a difference over water and where no street leads, as sound does
}

// NewHearing describes a search for all of a class of schemas.HeardClasses that is audible, in a straight line.
func (e *Edges) NewHearing(class string, weight *extent.Weight) Search {
	s := e.NewSearch([]string{class}, 0, weight)
	s.straight = true
	return s
}

// NewSearch describes a search for places of some classes, or for streets if there are none: for so many of them up to a
// weight's reach; 0 places: for all.
func (e *Edges) NewSearch(classes []string, places int, weight *extent.Weight) Search {
	s := Search{edges: e, weight: weight, places: places}
	if e == nil {
		return s
	}
	s.missed = e.missed
	if len(classes) == 0 && e.Streets != nil {
		s.of = append(s.of, e.Streets)
	}
	for _, class := range classes {
		if of := e.classes[class]; of != nil {
			s.of = append(s.of, of)
		}
	}
	return s
}

// Exactly is a search whose value is given only where it could hardly be raised, however little is beyond.
func (s Search) Exactly() Search {
	s.missed = 0
	return s
}

// Beyond is the share of a search's weight that is beyond the edge, 0–1. metres are the distances of the places found,
// nearest first: where all were found that are looked for, the search ends at the last of them.
//
// For example, a search for 2 cafés that found the second at 600 m looks no farther than 600 m, however far its reach: an
// edge 700 m away does not matter to it.
func (s *Search) Beyond(node int, metres []float64) float64 {
	limit := math.Inf(1)
	if len(s.of) == 0 {
		return 0
	}
	if s.places > 0 && len(metres) >= s.places {
		limit = metres[s.places-1]
	}
	beyond := 0.0
	for _, e := range s.of {
		if s.straight {
			beyond = max(beyond, e.Beyond(node, s.weight, limit))
		} else {
			beyond = max(beyond, e.beyond(node, s.weight, limit))
		}
	}
	return beyond
}

// Known reports whether a search's value may be given at a node, and notes that it may not.
func (s *Search) Known(node int, metres []float64) bool {
	allows := s.edges.Sees
	if s.straight {
		allows = s.edges.Finds
	}
	return allows(node, s.Beyond(node, metres))
}

// Bounded is Known of a value that more places can only raise: it may be given where the places that could be beyond the
// edge would not raise it by more than calibration.Coverage.MaxSpread, or by twice as much if hardly any ground is there.
func (s *Search) Bounded(node int, metres []float64, value func(metres []float64) float64) bool {
	beyond := s.Beyond(node, metres)
	if s.edges == nil || beyond == 0 {
		return true
	}
	var buffer [16]float64
	raised := value(s.Most(buffer[:], node, metres)) - value(metres)
	return s.edges.Narrow(raised) || s.edges.Narrow(raised/2) && beyond <= s.missed || s.edges.allows(node, beyond, 0)
}

// Narrow reports whether a value may be given of which so many points are unknown at most.
func (e *Edges) Narrow(points float64) bool { return e == nil || points <= e.spread }

// Settled is Narrow of a value of a node, and notes that it may not be given.
func (e *Edges) Settled(node int, points float64) bool {
	const little = .001 // the least share that is written
	return e.Narrow(points) || e.allows(node, little, 0)
}

// StreetsBeyond is the share of a disc around a node that is beyond the edge of the streets, in a straight line.
func (e *Edges) StreetsBeyond(node int, w *extent.Weight) float64 {
	if e == nil || e.Streets == nil {
		return 0
	}
	return e.Streets.Beyond(node, w, math.Inf(1))
}

// Allows reports whether a value of what surrounds a node may be given where a share of its weight is beyond the edge, and
// notes the share if it may not.
func (e *Edges) Allows(node int, beyond float64) bool {
	return e == nil || e.allows(node, beyond, e.most)
}

// Finds is Allows of a search for places.
func (e *Edges) Finds(node int, beyond float64) bool {
	return e == nil || e.allows(node, beyond, e.missed)
}

// Sees is Allows of a search without a bound.
func (e *Edges) Sees(node int, beyond float64) bool {
	return e == nil || e.allows(node, beyond, e.unseen)
}

func (e *Edges) allows(node int, beyond, most float64) bool {
	if beyond <= most {
		return true
	}
	for share := uint32(beyond * shareUnit); ; {
		known := atomic.LoadUint32(&e.beyond[node])
		if known >= share || atomic.CompareAndSwapUint32(&e.beyond[node], known, share) {
			return false
		}
	}
}

const shareUnit = 1e6

// Affected reports whether a value of a node is absent because it looks too far beyond the edge.
func (e *Edges) Affected(node int) bool { return e != nil && atomic.LoadUint32(&e.beyond[node]) != 0 }

// Greatest are the greatest shares beyond the edge of the values that are absent for it, by node; NaN where none is.
func (e *Edges) Greatest() []float32 {
	if e == nil {
		return nil
	}
	shares := channel.Absent(len(e.beyond))
	for node := range shares {
		if e.Affected(node) {
			shares[node] = float32(e.beyond[node]) / shareUnit
		}
	}
	return shares
}
