// Package journeys reads from flags how one travels, and explains times from door to door by the journeys behind them, in words.
package journeys

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/internal/travel"
	"quartier/internal/travel/timetable"
)

// Errors of a question.
var (
	ErrUsage  = errors.New("usage")                                   // options that contradict each other
	ErrAbsent = errors.New("the release does not have what is asked") // a mode without streets, a date without timetables
)

// Flags are those of how one travels, with the default of --percentiles.
func Flags(percentiles string) []cli.Flag {
	o := travel.Defaults(travel.Transit)
	return []cli.Flag{
		&cli.StringFlag{Name: "mode", Value: o.Mode.String(), Usage: "`MODE`: " + strings.Join(travel.Modes, ", ")},
		&cli.StringFlag{Name: "date", Value: o.Day.String(), Usage: "`DATE` such as 2025-03-04, or a typical tuesday, saturday or sunday"},
		&cli.StringFlag{Name: "depart", Value: "08:00", Usage: "`TIME` when the window of departures begins"},
		&cli.IntFlag{Name: "window", Value: o.Window, Usage: "`MINUTES` in each of which one may leave"},
		&cli.StringFlag{Name: "percentiles", Value: percentiles,
			Usage: "`LIST` such as 25,50,75: so many percent of the departures take the minutes or fewer"},
		&cli.Float64Flag{Name: "walk-speed", Value: o.WalkKmh, Usage: "`KM/H` on foot"},
		&cli.IntFlag{Name: "max-walk-minutes", Value: o.MaxWalk,
			Usage: "with transit, `MINUTES` on foot at most to the first stop, from the last one, or all the way"},
		&cli.IntFlag{Name: "max-rides", Value: o.MaxRides, Usage: "at most so many `RIDES`"},
		&cli.IntFlag{Name: "max-minutes", Value: o.MaxMinutes, Usage: "at most so many `MINUTES` from door to door"},
		&cli.StringFlag{Name: "rules", Value: o.Rules.String(), Usage: "`NAME`: ours, or r5, those of Conveyal R5, for comparison"},
	}
}

// Options are those of the flags. The error is ErrUsage.
func Options(c *cli.Context) (o travel.Options, err error) {
	if o, err = options(c); err == nil {
		err = o.Check()
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrUsage, err)
	}
	return o, err
}

func options(c *cli.Context) (travel.Options, error) {
	mode, ok := travel.ParseMode(c.String("mode"))
	o := travel.Defaults(mode)
	if !ok {
		return o, fmt.Errorf("--mode %q is none of %s", c.String("mode"), strings.Join(travel.Modes, ", "))
	}
	if o.Rules, ok = travel.ParseRules(c.String("rules")); !ok {
		return o, fmt.Errorf("--rules %q is none of %s", c.String("rules"), strings.Join(travel.RuleNames, ", "))
	}
	var err error
	if o.Day, err = travel.ParseDay(c.String("date")); err != nil {
		return o, fmt.Errorf("--date: %w", err)
	}
	at, err := time.Parse("15:04", c.String("depart"))
	if err != nil {
		return o, fmt.Errorf("--depart %q is not a time such as 08:00", c.String("depart"))
	}
	o.Depart = int32(at.Hour()*3600 + at.Minute()*60)
	o.Percentiles = nil
	for _, text := range strings.Split(c.String("percentiles"), ",") {
		p, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			return o, fmt.Errorf("--percentiles %q is not a list of numbers such as 25,50,75", c.String("percentiles"))
		}
		o.Percentiles = append(o.Percentiles, p)
	}
	o.Window, o.WalkKmh, o.MaxWalk = c.Int("window"), c.Float64("walk-speed"), c.Int("max-walk-minutes")
	o.MaxRides, o.MaxMinutes = c.Int("max-rides"), c.Int("max-minutes")
	return o, nil
}

// Check returns ErrAbsent unless a release has what options need. w may be nil.
func Check(w *travel.World, o travel.Options) error {
	switch {
	case w == nil || !w.Has(o.Mode):
		return fmt.Errorf("%w: travel times by %v", ErrAbsent, o.Mode)
	case o.Mode != travel.Transit || o.Day.Date == 0:
		return nil
	}
	var dates []string
	for i, f := range w.Timetable.Feeds {
		if f.Covers(o.Day.Date) {
			return nil
		}
		dates = append(dates, fmt.Sprintf("%s from %v to %v", w.Timetable.FeedNames.At(uint32(i)), f.First, f.Last))
	}
	return fmt.Errorf("%w: a timetable of %v; it has those of %s", ErrAbsent, o.Day, strings.Join(dates, ", "))
}

// Clocks says how times count on a day on which clocks are changed; "" on others.
func Clocks(w *travel.World, o travel.Options) string {
	if o.Mode != travel.Transit || !slices.ContainsFunc(w.Timetable.Clocks, func(c timetable.Clock) bool { return c.Date == o.Day.Date }) {
		return ""
	}
	return "clocks are changed on " + o.Day.String() + ": times before that are those of timetables, which count from twelve hours before noon"
}

// Words say how one travels.
func Words(o travel.Options) string {
	text := "by " + o.Mode.String()
	if o.Mode == travel.Walk {
		text = "on foot"
	}
	if o.Mode == travel.Transit {
		day := "a typical " + o.Day.Weekday.String()
		if o.Day.Date != 0 {
			day = o.Day.Weekday.String() + ", " + o.Day.String()
		}
		times := fmt.Sprintf("one of %d minutes", o.Window)
		if o.Every > 1 {
			times = fmt.Sprintf("one of %d minutes, %d apart,", o.Departures(), o.Every)
		}
		text += fmt.Sprintf(" on %s, leaving in %s from %s on, with at most %d rides and walks of at most %d minutes at %g km/h", day, times,
			timetable.TimeOfDay(o.Depart)[:len("08:00")], o.MaxRides, o.MaxWalk, o.WalkKmh)
	} else if o.Mode == travel.Walk {
		text += fmt.Sprintf(" at %g km/h", o.WalkKmh)
	}
	text += fmt.Sprintf(", within %d minutes", o.MaxMinutes)
	if o.Rules != travel.Ours {
		text += ", by the rules of " + o.Rules.String()
	}
	return text
}
