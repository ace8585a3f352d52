package access

import (
	"math"
	"sync/atomic"

	"quartier/internal/extent"
	"quartier/internal/rating"
	"quartier/internal/wording"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/network/channel"
)

// slots adds up the errands of every node (docs/methods.md, 1.1).
type slots struct {
	d                  *deriver
	walk, shops, cycle *errandSum
}

// errandSum is the sum of the errands of every node in integer units, so that the order in which searches end makes no
// difference.
type errandSum struct {
	*rating.Errands
	d      *deriver
	factor float64        // distances are divided by it
	weight *extent.Weight // of a search
	sums   []uint32       // in slotUnit
	beyond []uint32       // of the weights, what is beyond the edges of the data
	most   []uint32       // by how much places beyond the edges could raise the sums
}

// slotUnit is 1 of weight: those of all kinds of errand fit into 32 bits.
const slotUnit = 1e8

func (d *deriver) newSlots() *slots {
	sum := func(m *calibration.Moments, shopsOnly bool, factor float64) *errandSum {
		n := len(d.graph.Nodes)
		return &errandSum{rating.NewErrands(d.c, m, shopsOnly, d.known.Has), d, factor, d.stretched(factor), make([]uint32, n), make([]uint32, n),
			make([]uint32, n)}
	}
	e := &d.c.Estimates
	return &slots{d, sum(e.Walk, false, 1), sum(e.Walk, true, 1), sum(e.Bicycle, false, d.c.Walking.BicycleFactor)}
}

func (s *slots) plan(p searchPlan) {
	for _, sum := range []*errandSum{s.walk, s.shops, s.cycle} {
		if sum.Enough() {
			sum.plan(p)
		}
	}
}

func (s *errandSum) plan(p searchPlan) {
	for _, slot := range s.Slots {
		total, seen := rating.Total(slot.Weights), s.d.edges.NewSearch(slot.Classes, len(slot.Weights), s.weight)
		p.add(slot.Classes, len(slot.Weights), s.d.walk.Reach()*s.factor, func(node int, metres []float64) {
			sum := s.d.walk.Sum(slot.Weights, metres, s.factor, nil)
			atomic.AddUint32(&s.sums[node], units(sum))
			if beyond := seen.Beyond(node, metres); beyond > 0 {
				var buffer [16]float64
				atomic.AddUint32(&s.beyond[node], units(total*beyond))
				atomic.AddUint32(&s.most[node], units(s.d.walk.Sum(slot.Weights, seen.Most(buffer[:], node, metres), s.factor, nil)-sum))
			}
		})
	}
}

func units(weight float64) uint32 { return uint32(math.Round(weight * slotUnit)) }

// shares are the errands of all nodes as shares of the weights, absent where the searches reach too far beyond the edges of
// the data, by their weights.
func (s *errandSum) shares() []float32 {
	shares, all := channel.Absent(len(s.sums)), 0.0
	for _, slot := range s.Slots {
		all += rating.Total(slot.Weights)
	}
	for node, sum := range s.sums {
		known := s.d.edges.Narrow(5*float64(s.most[node])/slotUnit/s.Of) || s.d.edges.Allows(node, float64(s.beyond[node])/slotUnit/all)
		if s.Enough() && s.d.coverage.places[node] && known {
			shares[node] = float32(s.Share(float64(sum)/slotUnit, nil))
		}
	}
	return shares
}

// finish turns the sums into quantities and the measure of shops.
func (s *slots) finish() {
	s.d.s.WalkErrands, s.d.s.BicycleErrands = s.walk.shares(), s.cycle.shares()
	at := schemas.MustChannel("shops_and_services_access")
	for node, share := range s.shops.shares() {
		s.d.m.Set(node, at, rating.Shops(float64(share), nil))
	}
}

// notes describe the errands of the region, all of them known or not.
func (s *slots) notes() []Note {
	if !s.walk.Enough() {
		return nil
	}
	return []Note{{"pedestrian_friendly", "pedestrian_friendly counts " + wording.English.Text(s.walk.Note())}}
}
