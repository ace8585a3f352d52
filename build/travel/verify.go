package travel

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"quartier/internal/pack"
	"quartier/internal/pack/access"
	packed "quartier/internal/pack/travel"
	doors "quartier/internal/travel"
	"quartier/internal/travel/timetable"
	"quartier/schemas"
)

// Count sets the numbers of trips of a release, and of their calls.
func Count(dir string, counts *schemas.ReleaseCounts) error {
	return withTable(dir, func(t *packed.Table) error {
		counts.Trips, counts.TripStops = int64(len(t.Timetable.Trips)), int64(len(t.Timetable.Arrivals))
		return nil
	})
}

// Verify checks the timetables and streets of a release: that all that they refer to is there, that no trip goes back in time, that they
// are as many as the manifest counts, for typical days that what is searched is what runs, and times between some places by other means.
func Verify(ctx context.Context, dir string, counts *schemas.ReleaseCounts) error {
	if err := verifyTable(dir, counts); err != nil {
		return err
	}
	return verifyWorld(ctx, dir)
}

// checked is how many pairs of places are searched by other means.
const checked = 20

// verifyWorld checks times of a typical Tuesday morning.
func verifyWorld(ctx context.Context, dir string) error {
	file, err := pack.Open(filepath.Join(dir, schemas.TravelPack))
	if err != nil {
		return err
	}
	defer file.Close()
	streets, err := pack.Open(filepath.Join(dir, schemas.AccessPack))
	if err != nil {
		return err
	}
	defer streets.Close()
	on, err := access.Open(streets)
	if err != nil {
		return err
	}
	world, err := packed.OpenWorld(file, on)
	if err != nil {
		return err
	}
	o := doors.Defaults(doors.Transit)
	o.Window, o.MaxMinutes = 10, 60
	if err := world.Check(ctx, o, checked); err != nil {
		return fmt.Errorf("%s: %w", schemas.TravelPack, err)
	}
	return nil
}

func verifyTable(dir string, counts *schemas.ReleaseCounts) error {
	return withTable(dir, func(t *packed.Table) error {
		trips, stops := int64(len(t.Timetable.Trips)), int64(len(t.Timetable.Arrivals))
		if trips != counts.Trips || stops != counts.TripStops {
			return fmt.Errorf("%s: %d trips with %d stops, the manifest has %d with %d", schemas.TravelPack, trips, stops,
				counts.Trips, counts.TripStops)
		}
		for _, weekday := range []time.Weekday{time.Tuesday, time.Saturday, time.Sunday} {
			if err := checkDay(t.Timetable, weekday); err != nil {
				return fmt.Errorf("%s: typical %v: %w", schemas.TravelPack, weekday, err)
			}
		}
		return nil
	})
}

// sampled is how many trips of a day are looked up.
const sampled = 10_000

// checkDay compares what is prepared for a day with a sample of the trips and their services, one by one: it has each trip of the
// day and no other, and no trip of a lane overtakes the one before.
func checkDay(tt *timetable.Timetable, weekday time.Weekday) error {
	day := tt.Typical(weekday)
	prepared := map[timetable.LaneTrip]bool{}
	for _, lane := range day.Lanes {
		for i := range lane.Trips {
			prepared[day.LaneTrips[lane.Trip+i]] = true
			for call := range lane.Calls {
				if at := lane.Times + i*lane.Calls + call; i > 0 && day.Arrivals[at] < day.Arrivals[at-lane.Calls] {
					return fmt.Errorf("trip %d overtakes", day.LaneTrips[lane.Trip+i].Trip)
				}
			}
		}
	}
	repeated := map[uint32]bool{}
	for _, f := range tt.Frequencies {
		repeated[f.Trip] = true
	}
	step := uint32(len(tt.Trips)/sampled + 1)
	for pattern := range uint32(len(tt.Patterns) - 1) {
		first, end := tt.TripsOf(pattern)
		date := day.Dates[tt.Routes[tt.Patterns[pattern].Route].Feed]
		for trip := first; trip < end; trip++ {
			if _, departures := tt.TimesOf(pattern, trip); trip%step != 0 || repeated[trip] || departures[0] >= timetable.Horizon {
				continue
			}
			runs := date != timetable.NoDate && tt.Runs(tt.Trips[trip].Service, date)
			if prepared[timetable.LaneTrip{Trip: trip, Date: date}] != runs {
				return fmt.Errorf("trip %d: it runs on %v: %v, unlike what is searched", trip, date, runs)
			}
		}
	}
	return nil
}

// withTable opens the timetables of a release for visit.
func withTable(dir string, visit func(*packed.Table) error) error {
	file, err := pack.Open(filepath.Join(dir, schemas.TravelPack))
	if err != nil {
		return err
	}
	defer file.Close()
	t, err := packed.Open(file)
	if err != nil {
		return err
	}
	return visit(t)
}
