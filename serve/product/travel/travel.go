// Package travel answers how long it takes from door to door, and what is reached within minutes, on foot, by bicycle, by car and by
// transit.
//
// In: points or a geography of the release, a mode, and for transit a typical day and a time of it. Out: minutes, journeys, counts and
// outlines. What is beyond the streets of the release, or beyond the ground of its timetables, is said to be not known: it is never 0,
// and no limit that was not kept.
package travel

import (
	"errors"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/travel"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/timetable"
	"quartier/schemas/trips"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// Limits of requests.
const (
	MaxTargets = 100
	MaxLegs    = 10  // targets with legs, each of which is a search of its own
	MaxMinutes = 120 // of times
	MaxReach   = 90  // of what is reached
	MaxLimits  = 6   // of what is reached
	MaxWindow  = 120
)

// Days are the typical days.
var Days = []string{"tuesday", "saturday", "sunday"}

// way is how one travels, as it is asked for.
type way struct {
	Mode, Day          param.Value[string]
	Depart             param.Value[int] // seconds after midnight
	Window, Percentile param.Value[int]
}

// wayParams declares the parameters of a way.
func wayParams[Q any](at func(*Q) *way) []*param.Param[Q] {
	return []*param.Param[Q]{
		param.Choice("mode", travel.Modes[0], travel.Modes, func(q *Q) *param.Value[string] { return &at(q).Mode }).
			Doc("By which means, on foot at 4.8 km/h. By transit one takes at most four vehicles, and walks at most 20 minutes to the first " +
				"stop, from the last one, or all the way; the parameters of departures count with transit alone."),
		param.Choice("day", Days[0], Days, func(q *Q) *param.Value[string] { return &at(q).Day }).
			Doc("The typical day; a Tuesday stands for all working days."),
		param.Clock("depart", "08:00", func(q *Q) *param.Value[int] { return &at(q).Depart }).Doc("The first minute when one may leave."),
		param.Count("window", MaxWindow, 60, func(q *Q) *param.Value[int] { return &at(q).Window }).
			Doc("In how many minutes one may leave, once in each."),
		param.Count("percentile", 99, 50, func(q *Q) *param.Value[int] { return &at(q).Percentile }).
			Doc("So many percent of these departures take the minutes of the answer or fewer; those without a way count last."),
	}
}

// options are those of a search, within minutes.
func (w *way) options(minutes int) (travel.Options, error) {
	mode, _ := travel.ParseMode(w.Mode.V)
	o := travel.Defaults(mode)
	o.MaxMinutes = minutes
	if mode != travel.Transit {
		return o, nil
	}
	var err error
	if o.Day, err = travel.ParseDay(w.Day.V); err != nil {
		return o, err
	}
	o.Depart, o.Window, o.Percentiles = int32(w.Depart.V), w.Window.V, []int{w.Percentile.V}
	return o, nil
}

// terms say how one travelled.
func terms(w *travel.World, o *travel.Options) trips.Travel {
	t := trips.Travel{Mode: o.Mode.String(), MaxMinutes: o.MaxMinutes}
	if o.Mode == travel.Transit {
		t.Day, t.Depart, t.Window, t.Percentile = o.Day.String(), clock(o.Depart, false), &o.Window, &o.Percentiles[0]
		if slices.ContainsFunc(w.Timetable.Frequencies, func(f timetable.Frequency) bool { return f.Exact == 0 }) {
			t.Wait = raptor.Ours.Wait.String()
		}
	}
	return t
}

// clock is a second after midnight as HH:MM, or with its seconds.
func clock(second int32, seconds bool) string {
	if seconds {
		return fmt.Sprintf("%02d:%02d:%02d", second/3600, second/60%60, second%60)
	}
	return fmt.Sprintf("%02d:%02d", second/3600, second/60%60)
}

// begin returns what answers about a mode: scope.ErrNoTravel where the release has nothing of it.
func begin(r *endpoint.Request, mode travel.Mode) (*travel.World, error) {
	world := r.Release.Travel()
	if world == nil || !world.Has(mode) {
		return nil, fmt.Errorf("%w: %v", scope.ErrNoTravel, mode)
	}
	return world, r.Share.Long()
}

// failed is the error of a search; nil where nobody waits for the answer any more, of which the server says so.
func failed(r *endpoint.Request, err error) error {
	if r.Release.Stop() {
		return nil
	}
	return err
}

// checkPoint checks a point of a parameter: outside Canada and the United States is 400, outside the regions of the agreement
// scope.ErrRegion. The release need not cover it.
func checkPoint(r *endpoint.Request, name string, p orb.Point) error {
	err := r.Release.CheckCountry(p[0], p[1])
	if errors.Is(err, scope.ErrAbroad) {
		return param.Bad(name, param.Abroad, "%s: %.7g,%.7g is outside Canada and the United States", name, p[1], p[0])
	}
	return err
}

// checkOrigin is checkPoint for the point where one begins, which the release has to cover, and that every look-up afterwards is about.
func checkOrigin(r *endpoint.Request, name string, p orb.Point) error {
	if err := checkPoint(r, name, p); err != nil {
		return err
	}
	return r.Release.CheckPlace(p[0], p[1])
}

func pointOf(p orb.Point) coord.Point {
	at, _ := coord.NewPoint(p[0], p[1]) // param has checked that it is on the globe
	return at
}

// The coverages, of trips.TravelTime.Coverage.
const (
	complete = "complete"
	partial  = "partial"
	none     = "none"
)

// transitAt is what is known of the lines at points, "" for other modes.
func transitAt(w *travel.World, o *travel.Options, points ...coord.Point) string {
	if o.Mode != travel.Transit {
		return ""
	}
	all, any := true, false
	for _, p := range points {
		c := w.Cover(p, o.Day)
		all, any = all && c.Transit, any || c.Transit || c.Partial
	}
	switch {
	case all:
		return complete
	case any:
		return partial
	}
	return none
}

// reasonOf is why there are no minutes between two points.
func reasonOf(w *travel.World, o *travel.Options, from, to coord.Point, m travel.Minutes) string {
	reason := "beyond_limit"
	if m == travel.Unknown {
		reason = "not_covered" // both ends have streets, of regions apart
		if o.Mode == travel.Transit && transitAt(w, o, from, to) != complete {
			reason = "no_timetable"
		}
	}
	for _, p := range []coord.Point{from, to} {
		if _, near := w.Snap(p, o.Mode); m == travel.Unknown && !w.Cover(p, o.Day).Streets {
			return "not_covered"
		} else if !near {
			reason = "no_street"
		}
	}
	return reason
}
