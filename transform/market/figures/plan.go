package figures

import (
	"slices"
	"strings"

	"quartier/schemas/calibration"
	"quartier/schemas/market"
)

// Plan is what the statistics of all geographies as of a day have in common: their intervals, and the days at which and
// between which listings are counted.
type Plan struct {
	Intervals []market.Interval

	need        []bool // of an interval: it is computed; nil: all
	calibration *calibration.Market
	windows     []window
	groups      []group
	own         []int        // window of an interval
	parts       [][]int      // windows over which its market conditions are added up; nil: its own
	interval    []bool       // of a window: it is an interval's own
	ends        []market.Day // last days of intervals, each once, in order
	end         []int        // of an interval: the index of its last day in ends
	nextEnd     index        // of a day: the first of ends that is not before it
}

// window is a span of days, both included.
type window struct{ first, last market.Day }

// group is consecutive windows, the earliest first.
type group struct {
	base, count int // numbers of its windows
	first, last market.Day
	at          index // of a day: the window of the group that it is in
}

// NewPlan is the plan of statistics as of a day.
func NewPlan(asOf market.Day, c *calibration.Market) *Plan {
	p := &Plan{Intervals: market.Intervals(asOf), calibration: c}
	var months, quarters []window
	last := market.NoDay // of the closed months
	for _, i := range slices.Backward(p.Intervals) {
		switch {
		case i.Closed && strings.Contains(i.Code, "Q"):
			quarters = append(quarters, window{i.First, i.Last})
		case i.Closed:
			last = i.Last
		}
	}
	// The first quarter may have months before those that are intervals.
	for day := quarters[0].first; day <= last; day = day.AddMonths(1) {
		months = append(months, window{day, day.AddMonths(1) - 1})
	}
	p.add(months)
	p.add(quarters)
	year := asOf.AddMonths(-12)
	for _, last := range []market.Day{asOf - 1, year - 1} {
		p.add(back(last, int(asOf-year)/c.WindowDays, c.WindowDays))
	}
	for _, i := range p.Intervals {
		if own := (window{i.First, i.Last}); !slices.Contains(p.windows, own) {
			p.add([]window{own})
		}
	}
	p.interval = make([]bool, len(p.windows))
	for _, i := range p.Intervals {
		own := slices.Index(p.windows, window{i.First, i.Last})
		p.own, p.interval[own] = append(p.own, own), true
		p.parts = append(p.parts, p.partsOf(i))
		p.ends = append(p.ends, i.Last)
	}
	p.setEnds()
	return p
}

// Only is the plan of some of the intervals, in whose windows and at whose ends listings are counted.
func (p *Plan) Only(need []bool) *Plan {
	o := *p
	o.need, o.groups, o.ends, o.end, o.nextEnd, o.interval = need, nil, nil, nil, index{}, make([]bool, len(p.windows))
	counted := make([]bool, len(p.windows))
	for n, i := range p.Intervals {
		if !need[n] {
			continue
		}
		o.interval[p.own[n]], counted[p.own[n]] = true, true
		for _, part := range p.parts[n] {
			counted[part] = true
		}
		o.ends = append(o.ends, i.Last)
	}
	for _, g := range p.groups {
		if slices.Contains(counted[g.base:g.base+g.count], true) {
			o.groups = append(o.groups, g)
		}
	}
	o.setEnds()
	return &o
}

// back is the windows of so many days before and with the last one, the earliest first.
func back(last market.Day, count, days int) []window {
	var list []window
	for n := count - 1; n >= 0; n-- {
		end := last - market.Day(n*days)
		list = append(list, window{end - market.Day(days) + 1, end})
	}
	return list
}

func (p *Plan) add(windows []window) {
	g := group{base: len(p.windows), count: len(windows), first: windows[0].first, last: windows[len(windows)-1].last}
	g.at.from = g.first
	for n, w := range windows {
		for range w.last - w.first + 1 {
			g.at.number = append(g.at.number, int16(n))
		}
	}
	p.groups = append(p.groups, g)
	p.windows = append(p.windows, windows...)
}

// partsOf is the windows by which the market conditions of an interval are those of about a month: of a quarter its months,
// of another interval of more than 31 days the whole windows counted back from its last day.
func (p *Plan) partsOf(i market.Interval) []int {
	length := int(i.Last-i.First) + 1
	if length <= 31 {
		return nil
	}
	var parts []int
	if i.Closed {
		for n, w := range p.windows[:p.groups[0].count] {
			if w.first >= i.First && w.last <= i.Last {
				parts = append(parts, n)
			}
		}
		return parts
	}
	for _, w := range back(i.Last, length/p.calibration.WindowDays, p.calibration.WindowDays) {
		parts = append(parts, slices.Index(p.windows, w))
	}
	return parts
}

func (p *Plan) setEnds() {
	slices.Sort(p.ends)
	p.ends = slices.Compact(p.ends)
	for _, i := range p.Intervals {
		at, _ := slices.BinarySearch(p.ends, i.Last)
		p.end = append(p.end, at)
	}
	p.nextEnd.from = p.ends[0]
	for n, end := range p.ends {
		for day := p.nextEnd.from + market.Day(len(p.nextEnd.number)); day <= end; day++ {
			p.nextEnd.number = append(p.nextEnd.number, int16(n))
		}
	}
	p.nextEnd.number = append(p.nextEnd.number, int16(len(p.ends)))
}

// endsIn is the range of ends in [from, before).
func (p *Plan) endsIn(from, before market.Day) (lo, hi int) {
	return max(p.nextEnd.of(from), 0), max(p.nextEnd.of(before), 0)
}

// windowsOf is the range of the group's windows in which something was on the market from a day to another, both included,
// and nothing of the same home until the day before.
func (g *group) windowsOf(from, to, before market.Day) (lo, hi int) {
	if from > g.last || to < g.first || before >= g.last {
		return 0, 0
	}
	lo = max(g.at.of(from), 0)
	if before >= g.first {
		lo = max(lo, g.at.of(before)+1)
	}
	return lo, max(g.at.of(to)+1, lo)
}

// window is the number of the window of the group that a day is in; false if none.
func (g *group) window(day market.Day) (int, bool) {
	if day < g.first || day > g.last {
		return 0, false
	}
	return g.base + g.at.of(day), true
}

// index is a number for each day from one on; −1 before it, and after the last one the last number.
type index struct {
	from   market.Day
	number []int16
}

func (x *index) of(day market.Day) int {
	at := int(day) - int(x.from)
	if at < 0 {
		return -1
	}
	return int(x.number[min(at, len(x.number)-1)])
}
