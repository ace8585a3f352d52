package travel

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"quartier/internal/travel/raptor"
	"quartier/internal/travel/streets"
	"quartier/internal/travel/timetable"
)

// walks are the ways on foot at a speed, by rules. What Parts has of them is there from the start, the rest is computed when it is
// asked for first, which takes seconds for a city.
type walks struct {
	key    walksKey
	access *streets.Network // from points
	pace   streets.Pace     // on it
	near   *streets.Stops   // on it; nil: there are none
	back   *streets.Stops   // on the network of Walk
	egress streets.Pace     // on that, to and from stops
	most   uint32           // seconds of these walks

	mu    sync.Mutex
	table *timetable.Timetable // with the walks between stops; nil: not yet
	nodes *raptor.Targets      // the walks from stops to nodes; nil: not yet
	far   uint32               // their seconds at most
}

// walksKey is what walks differ by.
type walksKey struct {
	metres uint32 // an hour
	rules  Rules
}

const (
	keptWalks = 2    // of other speeds and rules than the usual ones
	farR5     = 2000 // metres from a stop that R5 walks at most
	changeR5  = 1000 // metres between stops that it walks at most
)

// walksOf are those of options.
func (w *World) walksOf(o Options) *walks {
	key := walksKey{streets.Foot(o.WalkKmh).Street, o.Rules}
	if key == w.standard.key {
		return w.standard
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.walks, func(k *walks) bool { return k.key == key })
	if i < 0 {
		i, w.walks = 0, slices.Insert(w.walks, 0, w.newWalks(key))
	}
	k := w.walks[i]
	w.walks = slices.Insert(slices.Delete(w.walks, i, i+1), 0, k)
	w.walks = w.walks[:min(len(w.walks), keptWalks)]
	return k
}

// newWalks are those of a key, with what Parts has of them.
func (w *World) newWalks(key walksKey) *walks {
	speed := streets.Foot(float64(key.metres) / 1000)
	k := &walks{key: key, access: w.Streets[Walk], pace: speed, near: w.Stops, back: w.Stops, egress: speed, most: 60 * MostWalk}
	switch {
	case key.rules == R5:
		open := w.Streets[Walk].Unbarred()
		k.access, k.pace, k.most = open.RulesR5(float64(key.metres)/1000), streets.R5, min(k.most, speed.Seconds(10*farR5))
		if w.Has(Transit) {
			k.near, k.back = k.access.Link(w.Timetable.StopAt, streets.LimitR5M), open.Link(w.Timetable.StopAt, streets.LimitR5M)
		}
	case speed == streets.Walk && w.Has(Transit):
		k.table = w.Timetable.WithTransfers(w.Transfers.First, w.Transfers.Legs)
		k.nodes, k.far = &w.Egress, 60*EgressMinutes
	}
	return k
}

// timetable is that of w with the walks between stops.
func (k *walks) timetable(ctx context.Context, w *World) (*timetable.Timetable, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.table != nil {
		return k.table, nil
	}
	var walks raptor.Targets
	var err error
	if k.key.rules == R5 {
		walks.First, walks.Legs, err = k.back.Transfers(ctx, k.egress, k.egress.Seconds(10*changeR5))
		walks = nearestOfPatterns(w.Timetable, walks)
	} else {
		walks, err = Transfers(ctx, &w.Parts, k.egress)
	}
	if err != nil {
		return nil, err
	}
	k.table = w.Timetable.WithTransfers(walks.First, walks.Legs)
	return k.table, nil
}

// egressTo are the walks from stops to all nodes within at least so many minutes, in the order of their seconds.
func (k *walks) egressTo(ctx context.Context, w *World, minutes int) (*raptor.Targets, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if want := min(uint32(60*minutes), k.most); k.nodes == nil || want > k.far {
		nodes, err := Egress(ctx, k.back, k.egress, want)
		if err != nil {
			return nil, err
		}
		k.nodes, k.far = &nodes, want
	}
	return k.nodes, nil
}

// Egress are the walks from stops to each node within some seconds, in the order of their seconds.
func Egress(ctx context.Context, stops *streets.Stops, pace streets.Pace, seconds uint32) (raptor.Targets, error) {
	first, legs, err := stops.Egress(ctx, pace, seconds)
	t := raptor.Targets{First: first, Legs: legs}
	for node := range t.Len() {
		byTime(legs[first[node]:first[node+1]])
	}
	return t, err
}

// Transfers are the walks between stops: those along streets within TransferMinutes, and those that feeds have, which count where both
// do. There are none where nobody changes. They are in the order of their seconds.
func Transfers(ctx context.Context, p *Parts, pace streets.Pace) (raptor.Targets, error) {
	first, legs, err := p.Stops.Transfers(ctx, pace, 60*TransferMinutes)
	if err != nil {
		return raptor.Targets{}, err
	}
	t := raptor.Targets{First: []uint32{0}}
	for stop := range uint32(p.Timetable.Stops()) {
		begin, published := len(t.Legs), p.Timetable.TransfersOf(stop)
		t.Legs = append(t.Legs, published...)
		for _, leg := range legs[first[stop]:first[stop+1]] {
			if !slices.ContainsFunc(published, func(l timetable.Leg) bool { return l.Stop == leg.Stop }) {
				t.Legs = append(t.Legs, leg)
			}
		}
		t.Legs = append(t.Legs[:begin], slices.DeleteFunc(t.Legs[begin:], func(l timetable.Leg) bool {
			_, barred := slices.BinarySearchFunc(p.Barred, [2]uint32{stop, l.Stop}, func(a, b [2]uint32) int { return slices.Compare(a[:], b[:]) })
			return barred
		})...)
		byTime(t.Legs[begin:])
		t.First = append(t.First, uint32(len(t.Legs)))
	}
	return t, nil
}

// byTime orders walks by their seconds, then by stop.
func byTime(legs []timetable.Leg) {
	slices.SortFunc(legs, func(a, b timetable.Leg) int {
		return cmp.Or(cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.Stop, b.Stop))
	})
}

// nearestOfPatterns are those of the walks from each stop that lead to the nearest stop of some pattern, as R5 has it.
func nearestOfPatterns(t *timetable.Timetable, all raptor.Targets) raptor.Targets {
	patterns := make([][]uint32, t.Stops())
	for pattern := range uint32(max(len(t.Patterns)-1, 0)) {
		stops, _ := t.CallsOf(pattern)
		for _, stop := range stops {
			patterns[stop] = append(patterns[stop], pattern)
		}
	}
	near := raptor.Targets{First: []uint32{0}}
	for stop := range all.Len() {
		passed := map[uint32]bool{}
		legs := all.Legs[all.First[stop]:all.First[stop+1]]
		byTime(legs)
		for _, leg := range legs {
			nearest := false
			for _, pattern := range patterns[leg.Stop] {
				nearest, passed[pattern] = nearest || !passed[pattern], true
			}
			if nearest {
				near.Legs = append(near.Legs, leg)
			}
		}
		near.First = append(near.First, uint32(len(near.Legs)))
	}
	return near
}
