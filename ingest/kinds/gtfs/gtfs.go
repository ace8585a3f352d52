// Package gtfs is the kind for transit timetables: GTFS feeds, zipped or in a folder. It stages stops and routes, the
// number of trips of each route at each stop in one representative week, and which week that is.
package gtfs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
)

// Options of a gtfs source.
type Options struct {
	Week    string `yaml:"week" doc:"YYYY-MM-DD, first day of the timetable week; default: chosen as described in the notes"`
	Partial bool   `yaml:"partial" doc:"the feed has some of the lines of its area only: beyond its stops public transport is unknown, not absent; default false"`
}

// timetableWeek is the option week; nil where it is not set.
func (o *Options) timetableWeek() (*day, error) {
	if o.Week == "" {
		return nil, nil
	}
	week, err := parseWeek(o.Week)
	return &week, err
}

// Kind is the source kind "gtfs".
var Kind = source.Declaration[Options]{
	Kind:  "gtfs",
	Title: "Transit timetables (GTFS)",
	Formats: []string{
		"GTFS Schedule feed in a .zip, at its top level, in one subfolder, or in a .zip in it",
		"a folder with the files of a feed",
	},
	Yields: []string{"timetable", "line_list", "stop", "route", "stop_service", "schedule", "schedule_stop", "schedule_route",
		"schedule_service", "schedule_pattern", "schedule_trip", "schedule_headway", "schedule_transfer"},
	Own: &reasons,
	Reasons: append(table.Reasons(), source.MissingKey, source.DuplicateKey, source.MissingGeometry, source.InvalidCoordinate,
		source.CoordinateInMinutes,
		source.CoordinateOutOfRange, source.ZeroCoordinates, source.WrongFieldCount, source.AssumedWindows1252),
	Notes: "The timetable week represents a feed. Of its complete weeks, Monday to Sunday, the four consecutive ones with the most trips " +
		"are chosen (the earliest such four), " +
		"and of these, or of all weeks where there are fewer, the lower median by trips. Without a complete week it is the seven consecutive " +
		"days with the most trips; where a feed has fewer than seven days, the missing ones count as days without service.\n" +
		"A trip is counted once at a stop, even if it stops there several times, and not at all where neither boarding nor alighting is " +
		"allowed. Headways are converted to departures; those under 30 seconds are rejected. " +
		"Stations are staged in addition to stops, because stops refer to them; entrances, generic nodes and boarding areas are skipped. " +
		"A route is named by its short name, otherwise its long name, otherwise its id; flights, taxis and self-drive vehicles are skipped. " +
		"Stop times on demand (GTFS-Flex: with a window of time, a zone or a group of stops) are skipped, and so are trips without others. " +
		"Texts of a French feed are French names, with English ones where translations.txt has them. Text that is not UTF-8 is read as " +
		"Windows-1252. A feed of some lines of a city is partial: with that option a value beyond its stops is absent, without it 0. " +
		"A trip whose service is in no calendar file is rejected. A feed without service on any day is refused.\n" +
		"The whole timetable is staged beside the week, for travel times: the trips of all days with every call. A blank arrival is the " +
		"departure, and the other way round; where both are blank, the vehicle is taken to be at the same speed along the straight lines " +
		"from stop to stop between two stops with times, seconds cut off, and to depart at once. Times are up to 96:00:00 of the day on " +
		"which a trip begins. A trip of one call, without a time at its first or last stop, or that goes back in time is counted in the week, " +
		"and travel times are without it. Headways stay headways, exact or not. Transfers of types 0 to 3 are staged, those of a station for " +
		"each of its stops; those between trips of one vehicle (types 4 and 5), and of some routes or trips alone, are skipped.",
	Complete: func(o *Options, _ source.Input) error {
		_, err := o.timetableWeek()
		var f source.Faults
		f.Option(err != nil, "week", "%v", err)
		return f.Err()
	},
	Inspect: func(_ context.Context, in source.Input, _ *Options) error {
		feed, err := openFeed(in.Path, in.Limits)
		if err != nil {
			return err
		}
		defer feed.close()
		return feed.check()
	},
	Then: func(ctx context.Context, in source.Input, o *Options) error {
		week, _ := o.timetableWeek()
		if week == nil {
			return nil
		}
		feed, err := openFeed(in.Path, in.Limits)
		if err != nil {
			return err
		}
		defer feed.close()
		return feed.checkWeek(ctx, *week)
	},
	Read: readFeed,
}

// readFeed reads the feed into memory, except for the stop times.
func readFeed(ctx context.Context, in source.Input, o *Options, out source.Sink) (err error) {
	s := &stage{out: out, source: in.Source, partial: o.Partial}
	s.week, _ = o.timetableWeek()
	if s.feed, err = openFeed(in.Path, in.Limits); err != nil {
		return err
	}
	defer s.feed.close()
	return s.run(ctx)
}

// stage is one run of the kind.
type stage struct {
	out     source.Sink
	source  string
	week    *day // of the options
	partial bool
	feed    *feed

	publisher    publisher
	translations translations
	stops        stops
	routes       routes
	calendar     *calendar
	trips        trips
}

func (s *stage) run(ctx context.Context) error {
	var err error
	if s.publisher, err = readPublisher(ctx, s.feed, s.out); err != nil {
		return err
	}
	if s.translations, err = readTranslations(ctx, s.feed, s.out); err != nil {
		return err
	}
	for _, read := range []func(context.Context) error{s.readStops, s.readRoutes, s.readCalendar, s.readTrips, s.readFrequencies, s.skipDemand,
		s.serve} {
		if err := read(ctx); err != nil {
			return err
		}
	}
	return nil
}

// serve counts the trips of the timetable week and stages timetable, routes and services.
func (s *stage) serve(ctx context.Context) error {
	h := newDailyTrips(s.calendar.services, s.trips.departures(len(s.calendar.services)))
	if len(h.trips) == 0 {
		return s.nothingLeft("runs on any day")
	}
	week := h.representative()
	if s.week != nil {
		if week = *s.week; h.of(week) == 0 {
			return noService(week, h.first, h.last())
		}
	}
	if len(h.trips) < 7 {
		s.out.Issue(shortService, fmt.Sprintf("%s to %s", h.first, h.last()))
	}
	times, calls, err := s.readTimes(ctx, week)
	if err != nil {
		return err
	}
	counts := s.count(times)
	if counts.trips == 0 {
		return s.nothingLeft("of the timetable week stops anywhere")
	}
	s.out.Part("")
	if err := s.out.Row(source.Timetable{FeedName: s.publisher.name, FirstDay: h.first.String(), LastDay: h.last().String(),
		Week: week.String(), Trips: counts.trips}); err != nil {
		return err
	}
	if err := s.out.Row(source.LineList{Partial: s.partial}); err != nil {
		return err
	}
	if err := s.stageRoutes(counts); err != nil {
		return err
	}
	if err := s.stageServices(counts); err != nil {
		return err
	}
	return s.stageSchedule(ctx, h, calls)
}

// nothingLeft returns the error of a feed without trips, with the reasons for which they are left out.
func (s *stage) nothingLeft(what string) error {
	var texts []string
	for why, n := range s.trips.lost {
		texts = append(texts, fmt.Sprintf("%d× %s (%s)", n, why, why.Description))
	}
	slices.Sort(texts)
	if texts == nil {
		texts = []string{"none was left out by itself; see the issues of " + stopTimesFile}
	}
	return fmt.Errorf("%w: %s: none of its %d trips %s: %s", source.ErrNothingLeft, s.feed.path, len(s.trips.place), what,
		strings.Join(texts, "; "))
}

// key returns the key of a stop or route in the staged tables.
func (s *stage) key(id string) string { return "gtfs:" + s.source + ":" + id }
