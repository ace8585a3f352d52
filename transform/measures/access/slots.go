package access

import (
	"math"
	"sync/atomic"

	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/transform/network/channel"
)

// slots adds up the errands of every node (docs/methods.md, 1.1) in integer units, so that the order in which searches
// end makes no difference.
type slots struct {
	d                   *deriver
	all, shops          *rating.Errands
	walk, shop, bicycle []uint32 // sums of slotUnit a node

	unseenWalk, unseenShop, unseenBicycle []uint32 // of the weights, beyond the edges of the data
}

// slotUnit is 1 of weight: 15 of them fit into 32 bits.
const slotUnit = 1e8

func (d *deriver) newSlots() *slots {
	n := len(d.graph.Nodes)
	return &slots{d: d, walk: make([]uint32, n), shop: make([]uint32, n), bicycle: make([]uint32, n),
		unseenWalk: make([]uint32, n), unseenShop: make([]uint32, n), unseenBicycle: make([]uint32, n),
		all: rating.NewErrands(d.c, false, d.known.Has), shops: rating.NewErrands(d.c, true, d.known.Has)}
}

func (s *slots) plan(p searchPlan) {
	w, factor := s.d.walk, s.d.c.Walking.BicycleFactor
	byBicycle := s.d.stretched(factor)
	for _, slot := range s.all.Slots {
		total := rating.Total(slot.Weights)
		onFoot, cycled := s.d.onFoot(slot.Classes, len(slot.Weights)), s.d.edges.NewSearch(slot.Classes, len(slot.Weights), byBicycle)
		p.add(slot.Classes, len(slot.Weights), w.Reach()*factor, func(node int, metres []float64) {
			beyond := units(total * onFoot.Beyond(node, metres))
			atomic.AddUint32(&s.unseenWalk[node], beyond)
			if slot.Shops {
				atomic.AddUint32(&s.unseenShop[node], beyond)
			}
			atomic.AddUint32(&s.unseenBicycle[node], units(total*cycled.Beyond(node, metres)))
			walked := units(w.Sum(slot.Weights, metres, 1, nil))
			atomic.AddUint32(&s.walk[node], walked)
			if slot.Shops {
				atomic.AddUint32(&s.shop[node], walked)
			}
			atomic.AddUint32(&s.bicycle[node], units(w.Sum(slot.Weights, metres, factor, nil)))
		})
	}
}

func units(weight float64) uint32 { return uint32(math.Round(weight * slotUnit)) }

// finish turns the sums into shares of the weights with data.
func (s *slots) finish() {
	n := len(s.walk)
	s.d.s.WalkErrands, s.d.s.BicycleErrands = channel.Absent(n), channel.Absent(n)
	at := schemas.MustChannel("shops_and_services_access")
	for node := range n {
		if !s.d.coverage.places[node] {
			continue
		}
		if s.all.Enough() && s.seen(s.all, s.unseenWalk, node) {
			s.d.s.WalkErrands[node] = float32(s.all.Share(float64(s.walk[node])/slotUnit, nil))
		}
		if s.all.Enough() && s.seen(s.all, s.unseenBicycle, node) {
			s.d.s.BicycleErrands[node] = float32(s.all.Share(float64(s.bicycle[node])/slotUnit, nil))
		}
		if s.shops.Enough() && s.seen(s.shops, s.unseenShop, node) {
			s.d.m.Set(node, at, rating.Shops(s.shops.Share(float64(s.shop[node])/slotUnit, nil), nil))
		}
	}
}

// seen reports whether the searches for some errands do not reach too far beyond the edges of the data, by their weights.
func (s *slots) seen(e *rating.Errands, unseen []uint32, node int) bool {
	all := 0.0
	for _, slot := range e.Slots {
		all += rating.Total(slot.Weights)
	}
	return s.d.edges.Allows(node, float64(unseen[node])/slotUnit/all)
}

// notes describe the errands of the region, all of them known or not.
func (s *slots) notes() []Note {
	if !s.all.Enough() {
		return nil
	}
	return []Note{{"pedestrian_friendly", "pedestrian_friendly counts " + s.all.Note()}}
}
