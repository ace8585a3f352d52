package timeline

import (
	"time"

	"quartier/schemas/market"
	"quartier/schemas/staged"
)

// state is the state of a listing at the end of a day.
type state uint8

const (
	none state = iota // not yet on the market
	active
	contingent
	pending
	off
	closed
)

func stateOf(status uint8) state {
	switch market.Status(status) {
	case market.StatusActive:
		return active
	case market.StatusUnderContract:
		return contingent
	case market.StatusPending:
		return pending
	case market.StatusClosed:
		return closed
	case market.StatusComingSoon, market.StatusIncomplete:
		return none
	}
	return off
}

// segment is a state from a day to the next segment.
type segment struct {
	from  market.Day
	state state
}

// replay is the states of a listing by its history: the dates until the first change, then the changes, the last of a day
// counting, then what the dates have after the last change. Nothing is on the market before the listing's first day, or
// once it is closed.
//
// An example: on the 1st, contract on the 30th, and changes Active → Pending on the 10th and Pending → Active on the 20th:
// active from the 1st, pending from the 10th, active from the 20th, pending from the 30th.
func replay(d dates, changes []staged.ListingChange, zone *time.Location) []segment {
	var list segments
	start := DayAt(changes[0].At, zone)
	if d.on != Never {
		before := none
		if changes[0].Before != 0 {
			before = stateOf(changes[0].Before)
		} else if d.on < start {
			before = active
			if d.contingent < start && d.contingent < d.end() {
				list.add(d.on, active)
				list.add(max(d.contingent, d.on), contingent)
				before = contingent
			}
		}
		list.add(d.on, before)
	}
	last := start
	for _, c := range changes {
		last = DayAt(c.At, zone)
		if s := stateOf(c.Status); d.on == Never || last >= d.on {
			list.add(last, s)
		} else {
			list.add(d.on, s)
		}
	}
	list.dates(d, last)
	return list.until(d)
}

// segments are states in order. Those of one day are all kept, because a listing that came on and went off in a day was on
// the market; at the day's end the last one counts.
type segments []segment

func (l *segments) add(from market.Day, s state) {
	if n := len(*l); n > 0 && (*l)[n-1].state == s {
		return
	}
	*l = append(*l, segment{from, s})
}

// now is the state after all segments.
func (l segments) now() state {
	if len(l) == 0 {
		return none
	}
	return l[len(l)-1].state
}

// dates adds what the dates have after the last change.
func (l *segments) dates(d dates, last market.Day) {
	for _, e := range d.events() {
		now := l.now()
		onMarket := now == active || now == contingent
		if e.from <= last || e.from == Never {
			continue
		}
		switch {
		case e.state == contingent && now == active, e.state == pending && onMarket, e.state == off && onMarket,
			e.state == off && now == pending && (e.from == d.withdrawn || e.from == d.canceled):
			l.add(e.from, e.state)
		}
	}
}

// events are the days on which dates change the state, in order.
func (d dates) events() []segment {
	list := []segment{{d.contingent, contingent}, {d.pending, pending}, {min(d.off, d.expires), off}, {min(d.withdrawn, d.canceled), off}}
	for i := range list { // four of them: sorted by insertion, equal days in the order above
		for j := i; j > 0 && list[j].from < list[j-1].from; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	return list
}

// until cuts the states at the day of closing.
func (l segments) until(d dates) []segment {
	if d.close != Never && (d.closed || l.now() != none) {
		kept := l[:0:0]
		for _, s := range l {
			if s.from <= d.close && s.state != closed {
				kept = append(kept, s)
			}
		}
		kept.add(d.close, closed)
		return kept
	}
	return l
}

// spells are the times on the market. A listing that is active after it was under contract has a new one.
func spells(list []segment) []Spell {
	var out []Spell
	onMarket := false
	for _, s := range list {
		if onMarket && s.state != contingent {
			out[len(out)-1].Off = s.from
		}
		if n := len(out); n > 0 && out[n-1].Pending != Never && out[n-1].Ended == Never && s.state != pending {
			out[n-1].Ended = s.from
		}
		fresh := Spell{From: s.from, Contingent: Never, Off: Never, Pending: Never, Ended: Never}
		switch s.state {
		case active:
			out = append(out, fresh)
		case contingent:
			if !onMarket {
				out = append(out, fresh)
			}
			out[len(out)-1].Contingent = s.from
		case pending:
			if n := len(out); n == 0 || out[n-1].Pending != Never {
				fresh.Off = s.from
				out = append(out, fresh)
			}
			out[len(out)-1].Pending = s.from
		}
		onMarket = s.state == active || s.state == contingent
	}
	return out
}
