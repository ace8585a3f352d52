package travel

import (
	"context"
	"fmt"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/parallel"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/timetable"
)

// Targets are points to which one travels with some options, linked to the streets and, with Transit, to the stops around. It is safe
// for concurrent use.
type Targets struct {
	w      *World
	o      Options
	to     []coord.Point
	places []network.Place
	walks  raptor.Targets // with Transit
	state  []state
}

// state is what is known of a target.
type state struct{ linked, known bool }

// prepared is how many targets are linked by one goroutine at a time.
const prepared = 64

// Targets links points to which one travels, which are not copied.
func (w *World) Targets(ctx context.Context, to []coord.Point, o Options) (*Targets, error) {
	t := &Targets{w: w, o: o, to: to, places: make([]network.Place, len(to)), state: make([]state, len(to))}
	t.walks.First = []uint32{0}
	legs := make([][]timetable.Leg, len(to))
	begin := func() struct{} { return struct{}{} }
	err := parallel.EachWith(ctx, (len(to)+prepared-1)/prepared, begin, func(_ struct{}, part int) error {
		one, err := w.traveller(ctx, o)
		if err != nil {
			return err
		}
		defer one.release()
		for i := part * prepared; i < min((part+1)*prepared, len(to)); i++ {
			t.state[i].known = w.Cover(to[i], o.Day).Known(o.Mode)
			if t.places[i], t.state[i].linked = one.snap(to[i]); t.state[i].linked && o.Mode == Transit {
				legs[i] = append(legs[i], one.egress(to[i])...)
				byTime(legs[i])
			}
		}
		return nil
	})
	for _, list := range legs {
		t.walks.Legs = append(t.walks.Legs, list...)
		t.walks.First = append(t.walks.First, uint32(len(t.walks.Legs)))
	}
	return t, err
}

// egress are the walks from stops to a point, in the order of the stops.
func (t *traveller) egress(to coord.Point) []timetable.Leg {
	place, ok := t.back.Query.Snap(to, t.o.linkM())
	if !ok {
		return nil
	}
	return t.back.From(place, t.key.walks.egress, min(t.most(), t.key.walks.most))
}

// Len is the number of targets.
func (t *Targets) Len() int { return len(t.places) }

// From writes the minutes from a point to all targets, one target after the other with a number for each percentile of the options.
func (t *Targets) From(ctx context.Context, from coord.Point, into []Minutes) error {
	n := len(t.o.Percentiles)
	if len(into) != n*t.Len() {
		return fmt.Errorf("room for %d numbers of %d targets with %d percentiles", len(into), t.Len(), n)
	}
	one, err := t.w.traveller(ctx, t.o)
	if err != nil {
		return err
	}
	defer one.release()
	place, linked := one.snap(from)
	if linked {
		if err := one.start(place); err != nil {
			return err
		}
	}
	for i, s := range t.state {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for k := range one.values {
			one.values[k] = raptor.Unreached
		}
		if linked && s.linked {
			one.to(t, i)
		}
		for k, seconds := range one.values {
			into[i*n+k] = Minutes(t.o.rules().Minutes(seconds))
		}
	}
	t.mark(from, into)
	return nil
}

// mark says Unknown in place of Unreached where that is not known from a point: also between two extents, where streets of no region are.
func (t *Targets) mark(from coord.Point, into []Minutes) {
	n := len(t.o.Percentiles)
	known := t.w.Cover(from, t.o.Day).Known(t.o.Mode)
	var around []coord.Area
	for _, a := range t.w.Extents {
		if a.Contains(from) {
			around = append(around, a)
		}
	}
	for i, m := range into {
		together := func(a coord.Area) bool { return a.Contains(t.to[i/n]) }
		if m == Unreached && !(known && t.state[i/n].known && slices.ContainsFunc(around, together)) {
			into[i] = Unknown
		}
	}
}

// to fills values with the seconds to a target.
func (t *traveller) to(to *Targets, i int) {
	walk := t.query.To(to.places[i])
	if t.o.Mode == Transit {
		t.search.Percentiles(to.target(i, walk), t.o.Percentiles, t.values)
		return
	}
	for k := range t.values {
		t.values[k] = uint16(min(walk, uint32(raptor.Unreached)))
	}
}

// target is a target of the search of the timetable.
func (t *Targets) target(i int, walk uint32) raptor.Target {
	return raptor.Target{Legs: t.walks.Legs[t.walks.First[i]:t.walks.First[i+1]], Walk: walk}
}

// Times are the minutes from a point to others, as Targets.From writes them.
func (w *World) Times(ctx context.Context, from coord.Point, to []coord.Point, o Options) ([]Minutes, error) {
	targets, err := w.Targets(ctx, to, o)
	if err != nil {
		return nil, err
	}
	into := make([]Minutes, len(to)*len(o.Percentiles))
	return into, targets.From(ctx, from, into)
}

// FromAll writes the minutes from points to all targets, those of one point after those of another, each as From does. It uses all
// processors.
func (t *Targets) FromAll(ctx context.Context, from []coord.Point, into []Minutes) error {
	row := t.Len() * len(t.o.Percentiles)
	if len(into) != row*len(from) {
		return fmt.Errorf("room for %d numbers from %d points, %d each", len(into), len(from), row)
	}
	if t.o.Mode == Bicycle || t.o.Mode == Car {
		return t.matrix(ctx, from, into)
	}
	begin := func() struct{} { return struct{}{} }
	return parallel.EachWith(ctx, len(from), begin, func(_ struct{}, i int) error {
		return t.From(ctx, from[i], into[i*row:][:row])
	})
}

// matrix is FromAll along streets alone.
func (t *Targets) matrix(ctx context.Context, from []coord.Point, into []Minutes) error {
	one, err := t.w.traveller(ctx, t.o)
	if err != nil {
		return err
	}
	defer one.release()
	begins, linked := make([]network.Place, len(from)), make([]bool, len(from))
	for i, p := range from {
		begins[i], linked[i] = one.snap(p)
	}
	seconds, err := one.query.Matrix(ctx, begins, t.places, one.pace(), one.most())
	if err != nil {
		return err
	}
	n := len(t.o.Percentiles)
	for i, p := range from {
		row := into[i*t.Len()*n:][:t.Len()*n]
		for k := range row {
			value := raptor.Unreached
			if linked[i] && t.state[k/n].linked { // those of others are of any street
				value = uint16(min(seconds[i*t.Len()+k/n], uint32(raptor.Unreached)))
			}
			row[k] = Minutes(t.o.rules().Minutes(value))
		}
		t.mark(p, row)
	}
	return nil
}
