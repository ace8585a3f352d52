// Package gtfs is the kind for timetables of public transport: GTFS feeds, zipped or in a folder. Out come the stops and
// lines, how often each line serves each stop in one week that stands for the timetable, and which week that is.
package gtfs

import (
	"context"
	"fmt"
	"slices"

	"quartier/ingest/source"
)

// Kind is the source kind "gtfs".
type Kind struct{}

// Options of a gtfs source.
type Options struct {
	Week string `yaml:"week" doc:"YYYY-MM-DD, the first of the seven days that stand for the timetable; absent: chosen as the notes say"`
}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "gtfs",
		Title: "Timetables of public transport (GTFS)",
		Formats: []string{
			"GTFS static feed in a .zip, its files at the top or in one sub-folder",
			"a folder with such files",
		},
		Yields:  []string{"timetable", "stop", "route", "stop_service"},
		Options: Options{},
		Reasons: append(slices.Clone(reasons), source.MissingKey, source.DuplicateKey, source.MissingGeometry, source.InvalidCoordinate,
			source.CoordinateOutOfRange, source.ZeroCoordinates, source.WrongFieldCount, source.AssumedWindows1252),
		Notes: "The week that stands for a timetable: of its whole weeks, Monday to Sunday, the four consecutive ones with the most trips (the earliest such four) are taken, " +
			"and of them, or of all where there are fewer, the lower median by trips. Without a whole week it is the seven consecutive days with the most trips; of a timetable of less than seven days the missing days count as days without service. " +
			"A trip counts once at a stop, however often it stops there, and not at all where neither boarding nor alighting is allowed; headways count as the departures that they give, those under 30 seconds are rejected. " +
			"Stations are staged beside stops, because stops point to them; entrances, junctions and boarding areas are skipped. " +
			"Lines are called by their short name, else the long one, else their id; flights, taxis and self-drive are skipped. " +
			"Texts of a French feed are French names, and the English ones where translations.txt has them. Text that is not UTF-8 is read as windows-1252. " +
			"A feed without service on any day, or without a row in either calendar, yields stops and lines, and no timetable.",
	}
}

// Stage reads the feed: what is small into memory, the times of stops one by one.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	var options Options
	if err := in.Decode(&options); err != nil {
		return err
	}
	s := &stage{ctx: ctx, out: out, source: in.Source}
	if options.Week != "" {
		week, err := asked(options.Week)
		if err != nil {
			return fmt.Errorf("%w of source %s: %w", source.ErrBadOptions, in.Source, err)
		}
		s.asked = &week
	}
	var err error
	if s.feed, err = openFeed(in.Path); err != nil {
		return err
	}
	defer s.feed.close()
	return s.run()
}

// stage is one run of the kind.
type stage struct {
	ctx    context.Context
	out    source.Sink
	source string
	asked  *day // by the options
	feed   *feed

	publisher    publisher
	translations translations
	stops        stops
	routes       routes
	calendar     *calendar
	trips        trips
}

func (s *stage) run() error {
	var err error
	if s.publisher, err = readPublisher(s.ctx, s.feed, s.out); err != nil {
		return err
	}
	if s.translations, err = readTranslations(s.ctx, s.feed, s.out); err != nil {
		return err
	}
	for _, read := range []func() error{s.readStops, s.readRoutes} {
		if err := read(); err != nil {
			return err
		}
	}
	if s.calendar, err = readCalendar(s.ctx, s.feed, s.out); err != nil {
		return err
	}
	for _, read := range []func() error{s.readTrips, s.readFrequencies} {
		if err := read(); err != nil {
			return err
		}
	}
	return s.serve()
}

// serve counts the trips of the week that stands for the timetable, and stages what is left to stage.
func (s *stage) serve() error {
	h := newHistory(s.calendar.services, s.trips.departures(len(s.calendar.services)))
	if len(h.trips) == 0 {
		s.out.Issue(feedWithoutService, s.feed.path)
		return s.stageRoutes(nil)
	}
	week := h.representative()
	if s.asked != nil {
		if week = *s.asked; h.of(week) == 0 {
			return fmt.Errorf("%w of source %s: week: there is no service in the seven days from %s; the timetable goes from %s to %s",
				source.ErrBadOptions, s.source, week, h.first, h.last())
		}
	}
	if len(h.trips) < 7 {
		s.out.Issue(shortService, fmt.Sprintf("%s to %s", h.first, h.last()))
	}
	times, err := s.readTimes(week)
	if err != nil {
		return err
	}
	counts := s.count(times)
	if err := s.out.Row(source.Timetable{FeedName: s.publisher.name, FirstDay: h.first.String(), LastDay: h.last().String(),
		Week: week.String(), Trips: counts.trips}); err != nil {
		return err
	}
	if err := s.stageRoutes(counts); err != nil {
		return err
	}
	return s.stageServices(counts)
}

// key is the key of a stop or a line in the staged tables.
func (s *stage) key(id string) string { return "gtfs:" + s.source + ":" + id }
