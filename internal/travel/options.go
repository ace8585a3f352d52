package travel

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"quartier/internal/travel/raptor"
	"quartier/internal/travel/streets"
	"quartier/internal/travel/timetable"
)

// Mode is how one travels.
type Mode uint8

// The modes. Transit begins and ends on foot.
const (
	Walk Mode = iota
	Bicycle
	Car
	Transit
)

// Modes are the names of the modes.
var Modes = []string{"walk", "bicycle", "car", "transit"}

func (m Mode) String() string { return Modes[m] }

// ParseMode is the mode of a name; false if there is none.
func ParseMode(name string) (Mode, bool) {
	i := slices.Index(Modes, name)
	return Mode(max(i, 0)), i >= 0
}

// Rules are what engines do in different ways.
type Rules uint8

// The rules: those of this program, and those of Conveyal R5, for comparison.
const (
	Ours Rules = iota
	R5
)

// RuleNames are the names of the rules.
var RuleNames = []string{"ours", "r5"}

func (r Rules) String() string { return RuleNames[r] }

// ParseRules are the rules of a name; false if there are none.
func ParseRules(name string) (Rules, bool) {
	i := slices.Index(RuleNames, name)
	return Rules(max(i, 0)), i >= 0
}

// Day is a date, or a typical day of the week.
type Day struct {
	Weekday time.Weekday   // Tuesday for all working days, Saturday or Sunday
	Date    timetable.Date // 0: the typical Weekday
}

// ParseDay reads "tuesday", "saturday", "sunday", or a date such as 2025-03-04.
func ParseDay(text string) (Day, error) {
	for _, day := range []time.Weekday{time.Tuesday, time.Saturday, time.Sunday} {
		if text == strings.ToLower(day.String()) {
			return Day{Weekday: day}, nil
		}
	}
	date, err := timetable.ParseDate(text)
	if err != nil || len(text) != len(time.DateOnly) || date <= 0 {
		return Day{}, fmt.Errorf("day %q is neither tuesday, saturday nor sunday, nor a date such as 2025-03-04", text)
	}
	return Day{Weekday: date.Weekday(), Date: date}, nil
}

// String is the day as ParseDay reads it.
func (d Day) String() string {
	if d.Date != 0 {
		return d.Date.String()
	}
	return strings.ToLower(d.Weekday.String())
}

// Options are when and how one travels. The window, rides and percentiles count with Transit alone.
type Options struct {
	Mode        Mode
	Day         Day
	Depart      int32   // seconds after midnight when the window begins
	Window      int     // minutes in which one may leave
	Every       int     // minutes from one departure to the next; 0: one
	Percentiles []int   // 1 to 99, ascending; of departures, those without a way last
	WalkKmh     float64 // speed on foot
	MaxWalk     int     // with Transit: minutes of the walk to the first stop, of that from the last one, and of a way on foot alone
	MaxRides    int     // 0: one walks
	MaxMinutes  int     // from door to door
	Rules       Rules
}

// Limits of options.
const (
	MinWalkKmh, MaxWalkKmh = 1.0, 15.0
	MostWalk               = 60
	MostWindow             = 180
	MostPercentiles        = 9
)

// Defaults are the options of a mode, at eight on a typical Tuesday.
func Defaults(m Mode) Options {
	return Options{Mode: m, Day: Day{Weekday: time.Tuesday}, Depart: 8 * 3600, Window: 60, Percentiles: []int{50}, WalkKmh: 4.8,
		MaxWalk: EgressMinutes, MaxRides: 4, MaxMinutes: 120}
}

// Check returns what is wrong with options, nil if nothing is.
func (o Options) Check() error {
	switch {
	case int(o.Mode) >= len(Modes) || int(o.Rules) >= len(RuleNames):
		return fmt.Errorf("mode %d with rules %d", o.Mode, o.Rules)
	case len(o.Percentiles) < 1 || len(o.Percentiles) > MostPercentiles || o.Percentiles[0] < 1 || slices.Max(o.Percentiles) > 99:
		return fmt.Errorf("percentiles %v: 1 to %d numbers from 1 to 99", o.Percentiles, MostPercentiles)
	case !slices.IsSorted(o.Percentiles) || len(slices.Compact(slices.Clone(o.Percentiles))) < len(o.Percentiles):
		return fmt.Errorf("percentiles %v are not in order", o.Percentiles)
	case !(o.WalkKmh >= MinWalkKmh && o.WalkKmh <= MaxWalkKmh):
		return fmt.Errorf("a walk at %v km/h, not %v to %v", o.WalkKmh, MinWalkKmh, MaxWalkKmh)
	case o.MaxWalk < 1 || o.MaxWalk > MostWalk:
		return fmt.Errorf("walks of %d minutes, not 1 to %d", o.MaxWalk, MostWalk)
	case o.Window < 1 || o.Window > MostWindow:
		return fmt.Errorf("a window of %d minutes, not 1 to %d", o.Window, MostWindow)
	}
	return o.query().Check(0)
}

// Departures are how many departures there are in the window.
func (o Options) Departures() int { return (o.Window + max(o.Every, 1) - 1) / max(o.Every, 1) }

// query is what a search of the timetable is asked, without the walks to stops.
func (o Options) query() raptor.Query {
	walk := uint32(60 * o.MaxWalk)
	return raptor.Query{Depart: o.Depart, Window: o.Departures(), Every: o.Every, Rides: o.MaxRides, Minutes: o.MaxMinutes,
		MaxAccess: walk, MaxEgress: walk}
}

// rules are those of the timetable.
func (o Options) rules() raptor.Rules {
	if o.Rules == R5 {
		return raptor.R5
	}
	return raptor.Ours
}

// linkM is how far from a street a point may be, in metres.
func (o Options) linkM() float64 {
	if o.Rules == R5 {
		return streets.LimitR5M
	}
	return LinkM
}
