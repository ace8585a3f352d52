package travel

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/streets"
	"quartier/internal/travel/timetable"
)

// traveller is the memory of searches with options that have the same key, one after the other.
type traveller struct {
	key    travellerKey
	w      *World
	query  *streets.Query      // from a point; with Transit that of stops
	stops  *streets.StopsQuery // with Transit: from a point
	back   *streets.StopsQuery // with Transit: to a point; the same where the ways are
	search *raptor.Search      // with Transit

	o      Options
	from   network.Place
	access []timetable.Leg
	values []uint16 // of a target, by percentile
	reach           // of Reach
}

// travellerKey is what the memory of searches depends on.
type travellerKey struct {
	mode  Mode
	walks *walks         // with Walk and Transit
	day   *timetable.Day // with Transit
}

// traveller takes the memory of searches with options, a new one if none is idle.
func (w *World) traveller(ctx context.Context, o Options) (*traveller, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if !w.Has(o.Mode) {
		return nil, fmt.Errorf("%w: mode %v", ErrAbsent, o.Mode)
	}
	key := travellerKey{mode: o.Mode}
	if o.Mode == Walk || o.Mode == Transit {
		key.walks = w.walksOf(o)
	}
	if o.Mode == Transit {
		table, err := key.walks.timetable(ctx, w)
		if err != nil {
			return nil, err
		}
		if key.day = table.Typical(o.Day.Weekday); o.Day.Date != 0 {
			key.day = table.Day(o.Day.Date)
		}
	}
	t := w.idleTraveller(key)
	if t == nil {
		t = w.newTraveller(key, o)
	}
	t.o = o
	t.values = slices.Grow(t.values[:0], len(o.Percentiles))[:len(o.Percentiles)]
	return t, nil
}

// idleTraveller takes one that is idle; nil if there is none.
func (w *World) idleTraveller(key travellerKey) *traveller {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.idle, func(t *traveller) bool { return t.key == key })
	if i < 0 {
		return nil
	}
	t := w.idle[i]
	w.idle = slices.Delete(w.idle, i, i+1)
	return t
}

func (w *World) newTraveller(key travellerKey, o Options) *traveller {
	t := &traveller{key: key, w: w}
	switch o.Mode {
	case Transit:
		t.stops = key.walks.near.NewQuery()
		if t.query, t.back = t.stops.Query, t.stops; key.walks.back != key.walks.near {
			t.back = key.walks.back.NewQuery()
		}
		t.search = raptor.New(key.day, o.rules())
	case Walk:
		t.query = key.walks.access.NewQuery()
	default:
		t.query = w.Streets[o.Mode].NewQuery()
	}
	return t
}

// release keeps a traveller for other searches: two for each processor, those that were used last.
func (t *traveller) release() {
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	t.w.idle = slices.Insert(t.w.idle, 0, t)
	t.w.idle = slices.Delete(t.w.idle, min(len(t.w.idle), 2*runtime.GOMAXPROCS(0)), len(t.w.idle))
}

// pace is that of ways along streets from a point.
func (t *traveller) pace() streets.Pace {
	switch t.o.Mode {
	case Bicycle:
		return streets.Bicycle
	case Car:
		return streets.Car
	}
	return t.key.walks.pace
}

// most are the seconds of ways along streets.
func (t *traveller) most() uint32 {
	if t.o.Mode == Transit {
		return uint32(60 * min(t.o.MaxWalk, t.o.MaxMinutes))
	}
	return uint32(60 * t.o.MaxMinutes)
}

// snap links a point to the streets.
func (t *traveller) snap(p coord.Point) (network.Place, bool) { return t.query.Snap(p, t.o.linkM()) }

// start searches from a place.
func (t *traveller) start(from network.Place) error {
	t.from = from
	if t.o.Mode != Transit {
		t.query.Start(t.pace(), t.most())
		t.query.Add(from, 0)
		t.query.Run()
		return nil
	}
	t.access = append(t.access[:0], t.stops.From(from, t.pace(), t.most())...)
	q := t.o.query()
	q.Access = t.access
	return t.search.Run(q)
}
