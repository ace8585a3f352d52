package figures

import (
	"quartier/schemas/market"
	"quartier/transform/market/timeline"
)

// Slots are the types whose listings are counted, in an order in which those of every type of the API are consecutive: a
// listing has one, and another in extra if it is also of residential income.
const (
	slotSingle = iota
	slotCondo
	slotUnder5
	slotFivePlus
	slotExtra
	slotLand
	slotCommercial
	slotOther
	slots

	detailed = slotCommercial // slots before have more than counts
)

// slotOf is the slot of a type.
var slotOf = [market.TypeCount]uint8{
	market.SingleFamily: slotSingle, market.CondoTownhome: slotCondo, market.MultiFamilyUnder5: slotUnder5,
	market.MultiFamily5Plus: slotFivePlus, market.VacantLand: slotLand, market.Commercial: slotCommercial, market.Other: slotOther,
}

// slotsOf is the range of slots of a type.
var slotsOf = [market.TypeCount][2]int{
	market.AllResidential: {slotSingle, slotUnder5 + 1}, market.ResidentialIncome: {slotFivePlus, slotExtra + 1},
	market.SingleFamily: {slotSingle, slotSingle + 1}, market.CondoTownhome: {slotCondo, slotCondo + 1},
	market.MultiFamilyUnder5: {slotUnder5, slotUnder5 + 1}, market.MultiFamily5Plus: {slotFivePlus, slotFivePlus + 1},
	market.VacantLand: {slotLand, slotLand + 1}, market.Commercial: {slotCommercial, slotCommercial + 1},
	market.Other: {slotOther, slotOther + 1},
}

// Kernel computes the cells of one geography after the other. It is for one goroutine.
type Kernel struct {
	plan  *Plan
	since market.Day

	// Counts of windows and of ends by slot.
	inside, soldListed, fresh      [][slots]int64
	active, underContract, pending [][slots]int64
	sold                           [][slots]int64

	sales   [][]*Sale // of a window that is an interval's own
	listed  [][]*Span // active at an end
	columns columns
	far     []*Sale                           // of the interval that is computed, whose prices are far from their asking prices
	points  [][market.TypeCount]market.Values // of an end, by type
	cells   []market.Cell                     // in the order in which they are computed; reused
}

// NewKernel is a kernel of a plan.
func NewKernel(p *Plan) *Kernel {
	k := &Kernel{plan: p, since: p.Since()}
	for _, counts := range []*[][slots]int64{&k.inside, &k.soldListed, &k.fresh, &k.sold} {
		*counts = make([][slots]int64, len(p.windows))
	}
	for _, counts := range []*[][slots]int64{&k.active, &k.underContract, &k.pending} {
		*counts = make([][slots]int64, len(p.ends))
	}
	k.sales, k.listed = make([][]*Sale, len(p.windows)), make([][]*Span, len(p.ends))
	k.points = make([][market.TypeCount]market.Values, len(p.ends))
	return k
}

// Reset forgets the rows.
func (k *Kernel) Reset() {
	for _, counts := range [][][slots]int64{k.inside, k.soldListed, k.fresh, k.sold, k.active, k.underContract, k.pending} {
		clear(counts)
	}
	for w := range k.sales {
		k.sales[w] = k.sales[w][:0]
	}
	for e := range k.listed {
		k.listed[e] = k.listed[e][:0]
	}
}

// Spans adds spans, which must not change until the next Reset.
func (k *Kernel) Spans(rows []Span) {
	for i := range rows {
		s := &rows[i]
		if !s.Since(k.since) {
			continue
		}
		slot := slotOf[s.Type]
		k.span(s, slot)
		if s.Income {
			k.span(s, slotExtra)
		}
		if lo, hi := k.plan.endsIn(s.From, min(s.Contingent, s.Off)); lo < hi {
			for e := lo; e < hi; e++ {
				k.listed[e] = append(k.listed[e], s)
			}
		}
	}
}

// Since reports whether a span may count in an interval from a day on.
func (s *Span) Since(day market.Day) bool {
	return s.Off >= day || s.Pending != timeline.Never && s.Ended >= day || s.On >= day
}

func (k *Kernel) span(s *Span, slot uint8) {
	p := k.plan
	count := func(counts [][slots]int64, from, before market.Day) {
		lo, hi := p.endsIn(from, before)
		for e := lo; e < hi; e++ {
			counts[e][slot]++
		}
	}
	count(k.active, s.From, min(s.Contingent, s.Off))
	count(k.underContract, max(s.Contingent, s.From), s.Off)
	count(k.pending, s.Pending, s.Ended)
	for i := range p.groups {
		g := &p.groups[i]
		lo, hi := g.windowsOf(s.From, s.Off, s.Before)
		for w := lo; w < hi; w++ {
			k.inside[g.base+w][slot]++
		}
		if !s.New {
			continue
		}
		if w, ok := g.window(s.On); ok {
			k.fresh[w][slot]++
		}
	}
}

// Sales adds sales, which must not change until the next Reset.
func (k *Kernel) Sales(rows []Sale) {
	for i := range rows {
		s := &rows[i]
		if s.Day < k.since {
			continue
		}
		for g := range k.plan.groups {
			w, ok := k.plan.groups[g].window(s.Day)
			if !ok {
				continue
			}
			if k.plan.interval[w] {
				k.sales[w] = append(k.sales[w], s)
			}
			k.sale(s, w, slotOf[s.Type])
			if s.Income {
				k.sale(s, w, slotExtra)
			}
		}
	}
}

func (k *Kernel) sale(s *Sale, window int, slot uint8) {
	k.sold[window][slot]++
	if s.Listed {
		k.soldListed[window][slot]++
	}
}

// Cells is the cells of the intervals of the plan, by type, then interval.
func (k *Kernel) Cells() []market.Cell {
	done := make([]bool, len(k.plan.ends))
	k.cells = k.cells[:0]
	for i := range k.plan.Intervals {
		if k.plan.need != nil && !k.plan.need[i] {
			continue
		}
		if end := k.plan.end[i]; !done[end] {
			k.point(end)
			done[end] = true
		}
		k.cells = k.cellsOf(k.cells, i)
	}
	return ordered(k.cells, len(k.plan.Intervals))
}
