package journeys

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"quartier/cmd/quartier/explained"
	"quartier/internal/coord"
	"quartier/internal/travel"
	"quartier/internal/travel/timetable"
	"quartier/serve/release"
)

// Report is a time from door to door with the journeys behind it.
type Report struct {
	Release   string     `json:"release"`
	AsOf      string     `json:"as_of"`
	From      [2]float64 `json:"from"` // latitude, longitude
	To        [2]float64 `json:"to"`
	Terms     string     `json:"terms"`     // how one travels
	Reason    string     `json:"reason"`    // why there are no minutes; "": there are
	Waits     string     `json:"waits"`     // how waits for lines are taken of which only the headway is known; "": there are none
	Clocks    string     `json:"clocks"`    // how times count where clocks are changed; "": they are not
	Departure int        `json:"departure"` // number of departures that are looked at
	Numbers   []Number   `json:"numbers"`   // by percentile
}

// Number is the minutes of a percentile with their journey.
type Number struct {
	Percentile int    `json:"percentile"`
	Minutes    *int   `json:"minutes"` // null: Reason
	Departs    string `json:"departs"` // of the first departure that takes as long
	Arrives    string `json:"arrives"`
	Legs       []Leg  `json:"legs"`
}

// Leg is a part of a journey.
type Leg struct {
	Begins  string `json:"begins"` // with the wait, if there is one
	Wait    int32  `json:"wait_seconds"`
	Seconds int32  `json:"seconds"`
	Mode    string `json:"mode"` // transit: a ride
	To      string `json:"to"`   // name of the stop; "": the door
	Line    string `json:"line,omitempty"`
	Towards string `json:"towards,omitempty"`
	From    string `json:"from,omitempty"` // the stop where one gets on
	Feed    string `json:"feed,omitempty"`
	Trip    string `json:"trip,omitempty"`    // trip_id
	Date    string `json:"date,omitempty"`    // of the service of the trip
	Stops   int    `json:"stops,omitempty"`   // after that where one gets on
	Headway bool   `json:"headway,omitempty"` // only the headway of the line is known
}

// FromFlags answers the question of flags: a release, --lat and --lng, --to, and those of Flags.
func FromFlags(c *cli.Context) (*Report, error) {
	o, err := Options(c)
	if err != nil {
		return nil, err
	}
	from, err := origin(c)
	if err != nil {
		return nil, err
	}
	end, ok := pointOf(c.String("to"))
	if !ok {
		return nil, fmt.Errorf("%w: --to %q is no point such as 45.42,-75.69 in degrees, latitude first", ErrUsage, c.String("to"))
	}
	r, err := release.Open(c.Path("release"))
	if err != nil {
		return nil, err
	}
	defer r.Done()
	if err := Check(r.Travel, o); err != nil {
		return nil, err
	}
	report, err := Explain(c.Context, r.Travel, from, end, o)
	if err == nil {
		report.Release, report.AsOf = r.Manifest.Release, r.Manifest.AsOf
	}
	return report, err
}

// origin is the point of --lat and --lng.
func origin(c *cli.Context) (coord.Point, error) {
	p, ok := coord.NewPoint(c.Float64("lng"), c.Float64("lat"))
	if !ok {
		return p, fmt.Errorf("%w: latitude %v and longitude %v are out of range", ErrUsage, c.Float64("lat"), c.Float64("lng"))
	}
	return p, nil
}

// pointOf is a point written as its latitude and longitude; false if it is none.
func pointOf(text string) (coord.Point, bool) {
	before, after, _ := strings.Cut(text, ",")
	lat, err := strconv.ParseFloat(strings.TrimSpace(before), 64)
	lng, err2 := strconv.ParseFloat(strings.TrimSpace(after), 64)
	p, ok := coord.NewPoint(lng, lat)
	return p, ok && err == nil && err2 == nil
}

// Explain finds the journeys behind the minutes between two points.
func Explain(ctx context.Context, w *travel.World, from, to coord.Point, o travel.Options) (*Report, error) {
	r := &Report{From: degrees(from), To: degrees(to), Terms: Words(o), Clocks: Clocks(w, o), Departure: 1}
	if o.Mode == travel.Transit {
		r.Departure = o.Departures()
	} else {
		o.Percentiles = []int{50} // they are the same
	}
	for _, p := range o.Percentiles {
		j, ok, err := w.Journey(ctx, from, to, o, p)
		if err != nil {
			return nil, err
		}
		n := Number{Percentile: p}
		if ok {
			minutes := int(j.Minutes)
			n.Minutes, n.Departs, n.Arrives, r.Waits = &minutes, timetable.TimeOfDay(j.Departs), timetable.TimeOfDay(j.Arrives), j.Waits
			n.Legs = legs(w, &j)
		} else if r.Reason == "" {
			r.Reason = reason(w, from, to, o, j.Minutes)
		}
		r.Numbers = append(r.Numbers, n)
	}
	return r, nil
}

func degrees(p coord.Point) [2]float64 {
	lng, lat := p.Degrees()
	return [2]float64{lat, lng}
}

// reason is why there are no minutes.
func reason(w *travel.World, from, to coord.Point, o travel.Options, m travel.Minutes) string {
	for _, end := range []struct {
		name string
		at   coord.Point
	}{{"the beginning", from}, {"the end", to}} {
		switch _, linked := w.Snap(end.at, o.Mode); {
		case !w.Cover(end.at, o.Day).Streets:
			return "not known: " + end.name + " is beyond the streets of the release"
		case !linked:
			return fmt.Sprintf("none: no street of the mode is within %d m of %s", travel.LinkM, end.name)
		case m == travel.Unknown && !w.Cover(end.at, o.Day).Known(o.Mode):
			return "not known: " + end.name + " is beyond the ground of the timetables, or they have some lines there only"
		}
	}
	if m == travel.Unknown {
		return "not known: no region of the release has the streets of both ends"
	}
	return "more than the limits"
}

func legs(w *travel.World, j *travel.Journey) (list []Leg) {
	at := j.Departs
	for _, l := range j.Legs {
		leg := Leg{Begins: timetable.TimeOfDay(at), Wait: l.Wait, Seconds: l.Seconds, Mode: l.Mode.String(), To: l.To.Name}
		if ride := l.Ride; ride != nil {
			leg.Line, leg.Towards, leg.From, leg.Trip = ride.Line, ride.Headsign, l.From.Name, ride.Trip
			leg.Feed, leg.Date = w.Timetable.FeedNames.At(uint32(ride.Feed)), ride.Date.String()
			leg.Stops, leg.Headway = len(ride.Stops)-1, ride.Expected
		}
		at += l.Wait + l.Seconds
		list = append(list, leg)
	}
	return list
}

// Write writes a report for people.
func (r *Report) Write(w io.Writer) error {
	fmt.Fprintf(w, "%.5f, %.5f to %.5f, %.5f in release %s as of %s\n", r.From[0], r.From[1], r.To[0], r.To[1], r.Release, r.AsOf)
	explained.Text(w, "", "travel", r.Terms)
	for _, n := range r.Numbers {
		switch {
		case n.Minutes == nil:
			explained.Text(w, "", "minutes", fmt.Sprintf("%s: %s", share(&n, r.Departure), r.Reason))
		case r.Departure == 1:
			explained.Text(w, "", "minutes", fmt.Sprint(*n.Minutes))
		default:
			explained.Text(w, "", "minutes", fmt.Sprintf("%s take %d or fewer", share(&n, r.Departure), *n.Minutes))
		}
	}
	if r.Clocks != "" {
		explained.Text(w, "", "note", r.Clocks)
	}
	if r.Waits != "" {
		explained.Text(w, "", "waits", "for lines of which only the headway is known: "+strings.ReplaceAll(r.Waits, "_", " "))
	}
	var last Number
	for _, n := range r.Numbers {
		switch {
		case n.Minutes == nil:
			continue
		case n.Departs == last.Departs:
			fmt.Fprintf(w, "\nFor %d %%: the same.\n", n.Percentile)
			continue
		}
		last = n
		fmt.Fprintf(w, "\nFor %d %%: of the departures that take so long, the first leaves at %s and arrives at %s.\n", n.Percentile,
			n.Departs, n.Arrives)
		n.writeLegs(w)
	}
	return nil
}

func (n *Number) writeLegs(w io.Writer) {
	for _, l := range n.Legs {
		explained.Text(w, "", l.Begins, l.words())
	}
}

func share(n *Number, departures int) string {
	return fmt.Sprintf("%d %% of the %d departures", n.Percentile, departures)
}

// words say what one does.
func (l *Leg) words() string {
	to := "the end"
	if l.To != "" {
		to = l.To
	}
	if l.Mode != travel.Transit.String() {
		verb := map[string]string{"walk": "walk", "bicycle": "cycle", "car": "drive"}[l.Mode]
		return fmt.Sprintf("%s %s to %s", verb, spent(l.Seconds), to)
	}
	text := fmt.Sprintf("at %s wait %s, ride %s", l.From, spent(l.Wait), l.Line)
	if l.Towards != "" {
		text += " towards " + l.Towards
	}
	if l.Headway {
		text += ", of which only the headway is known,"
	}
	stops := fmt.Sprintf("%d stops", l.Stops)
	if l.Stops == 1 {
		stops = "1 stop"
	}
	return text + fmt.Sprintf(" %s, %s, to %s (trip %s of %s on %s)", spent(l.Seconds), stops, to, l.Trip, l.Feed, l.Date)
}

// spent is a time in words.
func spent(seconds int32) string {
	if seconds < 60 {
		return fmt.Sprintf("%d s", seconds)
	}
	return fmt.Sprintf("%d min %02d s", seconds/60, seconds%60)
}
