package gtfs

import (
	"context"
	"slices"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// demandColumns are the columns of stop_times.txt that are filled where a vehicle comes on demand, in a window of time or
// in a zone. Feeds of 2021 and before spell the windows dropoff.
var demandColumns = []string{
	"start_pickup_drop_off_window", "end_pickup_drop_off_window", "start_pickup_dropoff_window", "end_pickup_dropoff_window",
	"location_id", "location_group_id",
}

// onDemand returns the function that reports whether the row of stop_times.txt is of a service on demand; nil where the
// file has no column for that.
func onDemand(t *tableReader) func() bool {
	var columns []int
	for _, name := range demandColumns {
		if i := t.Column(name); i >= 0 {
			columns = append(columns, i)
		}
	}
	if columns == nil {
		return nil
	}
	return func() bool {
		return slices.ContainsFunc(columns, func(column int) bool { return len(t.At(column)) > 0 })
	}
}

// skipDemand skips the trips without a scheduled stop, so that the timetable week is chosen by the others. It reads
// stop_times.txt only where that may have some.
func (s *stage) skipDemand(ctx context.Context) error {
	t, err := s.feed.required(source.Discard{}, stopTimesFile)
	if err != nil {
		return err
	}
	demanded := onDemand(t)
	if demanded == nil {
		return t.close()
	}
	id := t.Column("trip_id")
	const some, scheduled = 1, 2
	found := make([]uint8, len(s.trips.rows))
	err = t.each(ctx, func() reason.Reason {
		i, known := s.trips.place[string(t.At(id))]
		switch {
		case !known:
		case demanded():
			found[i] |= some
		default:
			found[i] |= scheduled
		}
		return reason.Reason{}
	}, nil)
	if err != nil {
		return err
	}
	ids := s.trips.ids()
	for i := range s.trips.rows {
		if s.trips.rows[i].route != notStaged && found[i] == some {
			s.trips.rows[i].route = notStaged
			s.out.Issue(demandResponsiveTrip, "trip "+ids[i])
		}
	}
	return nil
}
