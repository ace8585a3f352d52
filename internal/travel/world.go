// Package travel computes travel times from door to door, on foot, by bicycle, by car and by transit, from the networks of streets
// and the timetables of a release: times between points, the journey behind a time, and what is reached from a point. Its parts are
// packages below it: streets, timetable and raptor, and scan, which checks them.
//
// What is not known is kept apart from what is not reached: beyond the streets of the release nothing is known, nor of transit
// beyond the ground of its feeds.
package travel

import (
	"errors"
	"slices"
	"sync"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/streets"
	"quartier/internal/travel/timetable"
)

// LinkM is how far from a street a point or a stop may be, in metres.
const LinkM = 1000

// EgressMinutes are the walks at streets.Walk that Parts.Egress has, and TransferMinutes those between stops.
const (
	EgressMinutes   = 20
	TransferMinutes = 10
)

// Minutes are whole minutes, or why there are none.
type Minutes int16

const (
	// Unreached: not within the limits, and all that is needed to say so is known.
	Unreached Minutes = -1
	// Unknown: not within the limits, but one of the points is beyond the streets, or beyond the ground of the feeds, or they are in
	// regions apart, between which no streets are known.
	Unknown Minutes = -2
)

// ErrAbsent marks questions about a mode for which a release has neither streets nor timetables.
var ErrAbsent = errors.New("not in this release")

// Parts are what a World consists of. They are not copied, and may lie in a mapped file.
type Parts struct {
	Streets   [Transit]*streets.Network // by Walk, Bicycle and Car; nil: there is none
	Extents   []coord.Area              // of the streets, by region
	Timetable *timetable.Timetable      // with the walks that feeds have; nil: there is none
	Feeds     []Feed                    // of Timetable
	Barred    [][2]uint32               // stops between which nobody changes, in order
	Stops     *streets.Stops            // of Timetable, on Streets[Walk]
	Transfers raptor.Targets            // the walks from each stop to others at streets.Walk, as Transfers has them
	Egress    raptor.Targets            // the walks from stops to each node of Streets[Walk] within EgressMinutes at streets.Walk, by seconds
}

// Feed is what a feed covers.
type Feed struct {
	Ground  coord.Area // where it has all of its lines; no rings: not known
	Partial bool       // it has some of them only
}

// World answers questions about the streets and timetables of a release. It is safe for concurrent use, and keeps the memory of
// searches for the next ones.
type World struct {
	Parts

	standard *walks // at streets.Walk; nil: there are no streets on foot

	mu    sync.Mutex
	walks []*walks     // others, lately used, the last one first
	idle  []*traveller // the same
}

// New makes a World of its parts.
func New(p Parts) *World {
	w := &World{Parts: p}
	if p.Streets[Walk] != nil {
		w.standard = w.newWalks(walksKey{streets.Walk.Street, Ours})
	}
	return w
}

// Has reports whether there are streets of a mode, and for Transit also stops.
func (w *World) Has(m Mode) bool {
	if m == Transit {
		return w.Streets[Walk] != nil && w.Timetable != nil && w.Timetable.Stops() > 0
	}
	return w.Streets[m] != nil
}

// Network is the streets of a mode, for Transit those on foot; nil: there are none.
func (w *World) Network(m Mode) *streets.Network { return w.Streets[m%Transit] }

// Snap links a point to the nearest street of a mode; false if there is none within LinkM.
func (w *World) Snap(p coord.Point, m Mode) (network.Place, bool) {
	n := w.Network(m)
	if n == nil {
		return network.Place{}, false
	}
	return n.Snap(p, LinkM)
}

// Coverage is what is known at a point.
type Coverage struct {
	Streets bool // it is within the extent of the streets
	Transit bool // and on the ground of a feed that has all of its lines there, on the day
	Partial bool // and on the ground of a feed that has some of its lines
}

// Known reports whether a point without a way in a mode has none.
func (c Coverage) Known(m Mode) bool { return c.Streets && (m != Transit || c.Transit) }

// within reports whether a feed says what runs on a day: on a date of its calendar, or on one such day of the week.
func (d Day) within(f timetable.Feed) bool {
	if d.Date != 0 {
		return f.Covers(d.Date)
	}
	return f.Typical(d.Weekday) != timetable.NoDate || f.Last-f.First >= 6
}

// Cover says what is known at a point on a day.
func (w *World) Cover(p coord.Point, day Day) (c Coverage) {
	within := func(a coord.Area) bool { return a.Contains(p) }
	if c.Streets = slices.ContainsFunc(w.Extents, within); !c.Streets {
		return c // nor are the ways to stops known
	}
	for i, f := range w.Feeds {
		if !day.within(w.Timetable.Feeds[i]) || !within(f.Ground) {
			continue
		}
		if f.Partial {
			c.Partial = true
		} else {
			c.Transit = true
		}
	}
	return c
}
