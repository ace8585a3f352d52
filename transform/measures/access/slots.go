package access

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	"quartier/internal/rating"
	"quartier/schemas/calibration"
)

// slots adds up the errands of every node (methods, 1.1) in whole units, so that searches may end in any order.
type slots struct {
	d                  *deriver
	known              []calibration.Slot // that have ground
	unknown            []string
	walk, shops, cycle []uint32 // slotUnit of a weight
	all, ofShops       share
}

// share is how much of the weights has ground.
type share struct{ known, all float64 }

// slotUnit is 1 of weight: 15 of them fit.
const slotUnit = 1e8

func (d *deriver) newSlots() *slots {
	n := len(d.graph.Nodes)
	s := &slots{d: d, walk: make([]uint32, n), shops: make([]uint32, n), cycle: make([]uint32, n)}
	for _, slot := range d.c.Access.Slots {
		weight := rating.Total(slot.Weights)
		known := false
		for _, class := range slot.Classes {
			known = known || d.ground.known[class]
		}
		s.all.add(weight, known)
		if slot.Shops {
			s.ofShops.add(weight, known)
		}
		if known {
			s.known = append(s.known, slot)
		} else {
			s.unknown = append(s.unknown, slot.Name)
		}
	}
	return s
}

func (s *share) add(weight float64, known bool) {
	s.all += weight
	if known {
		s.known += weight
	}
}

// stands tells whether enough has ground for the rest to stand for all.
func (s *slots) stands(of share) bool {
	return of.known > 0 && of.known >= s.d.c.Coverage.SlotShare*of.all
}

func (s *slots) plan(p plan) {
	stretch := s.d.c.Walking.BicycleFactor
	for _, slot := range s.known {
		k := len(slot.Weights)
		p.add(slot.Classes, k, s.d.walk.Reach()*stretch, func(node int, metres []float64) {
			var buffer [16]float64
			walked := units(rating.Slots(slot.Weights, s.d.worths(buffer[:0], metres, k, 1)))
			atomic.AddUint32(&s.walk[node], walked)
			if slot.Shops {
				atomic.AddUint32(&s.shops[node], walked)
			}
			atomic.AddUint32(&s.cycle[node], units(rating.Slots(slot.Weights, s.d.worths(buffer[:0], metres, k, stretch))))
		})
	}
}

func units(weight float64) uint32 { return uint32(math.Round(weight * slotUnit)) }

// finish makes shares of the sums, by the weights that have ground.
func (s *slots) finish() {
	n := len(s.walk)
	s.d.reach.Base, s.d.reach.BicycleBase = absent(n), absent(n)
	at := channelOf("shops_and_services_access")
	for node := range n {
		if !s.d.ground.places[node] {
			continue
		}
		if s.stands(s.all) {
			s.d.reach.Base[node] = float32(float64(s.walk[node]) / slotUnit / s.all.known)
			s.d.reach.BicycleBase[node] = float32(float64(s.cycle[node]) / slotUnit / s.all.known)
		}
		if s.stands(s.ofShops) {
			s.d.m.Set(node, at, 5*float64(s.shops[node])/slotUnit/s.ofShops.known)
		}
	}
}

func (s *slots) notes() []Note {
	if len(s.unknown) == 0 || !s.stands(s.all) {
		return nil
	}
	return []Note{{"pedestrian_friendly", fmt.Sprintf("made without the errands of which nothing is known: %s", strings.Join(s.unknown, ", "))}}
}
