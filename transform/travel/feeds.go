package travel

import (
	"cmp"
	"context"
	"slices"
	"time"

	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/internal/timezone"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/schemas/schedule"
	"quartier/schemas/staged"
	"quartier/transform/network/edges"
)

// feed is a feed as it is staged.
type feed struct {
	SourceID string `col:"source_id"`
	Name     string `col:"name,null"`
	Timezone string `col:"timezone,null"`
	FirstDay string `col:"first_day"`
	Days     int32  `col:"days"`
	Week     string `col:"week"`
	Partial  bool   `col:"partial"`
}

// feeds derives the feeds with their typical days and their ground.
func (d *deriver) feeds(ctx context.Context, c *calibration.Hull) error {
	extents, err := edges.OfTimetables(ctx, d.from, c)
	if err != nil {
		return err
	}
	counts, err := d.departures(ctx)
	if err != nil {
		return err
	}
	const query = `SELECT s.source_id, t.feed_name AS name, s.timezone, s.first_day, s.days, coalesce(t.week, s.first_day) AS week,
			coalesce(l.partial, false) AS partial
		FROM schedule AS s LEFT JOIN timetable AS t ON t.source_id = s.source_id LEFT JOIN line_list AS l ON l.source_id = s.source_id
		ORDER BY s.source_id`
	return copyRows(ctx, d, "travel_feed", query, func(f *feed) (derived.TravelFeed, bool, error) {
		row := derived.TravelFeed{SourceID: f.SourceID, Name: f.Name, Timezone: f.Timezone, FirstDay: f.FirstDay, Days: f.Days,
			Partial: f.Partial}
		first, err1 := time.Parse(time.DateOnly, f.FirstDay)
		week, err2 := time.Parse(time.DateOnly, f.Week)
		if err := cmp.Or(err1, err2); err != nil {
			return row, false, err
		}
		zone, err := timezone.Location(f.Timezone)
		if err != nil {
			zone = time.UTC // the build says so
		}
		at := func(day time.Weekday) string { return typical(first, counts[f.SourceID], week, day, zone) }
		row.Tuesday, row.Saturday, row.Sunday = at(time.Tuesday), at(time.Saturday), at(time.Sunday)
		err = nil
		if e := extents[f.SourceID]; e != nil {
			row.Ground, err = geo.WKB(e.Outline)
		}
		return row, true, err
	})
}

// departures counts the departures of the feeds on each of their days.
func (d *deriver) departures(ctx context.Context) (map[string][]int64, error) {
	counts, days := map[string][]int64{}, map[key]schedule.Days{}
	for s, err := range sqlrow.Select[staged.Schedule](ctx, d.from, "SELECT * FROM schedule") {
		if err != nil {
			return nil, err
		}
		counts[s.SourceID] = make([]int64, s.Days)
	}
	for s, err := range sqlrow.Select[staged.ScheduleService](ctx, d.from, "SELECT * FROM schedule_service") {
		if err != nil {
			return nil, err
		}
		days[key{s.SourceID, s.Service}] = s.Days
	}
	var source string
	var service int32
	var departures int64
	const query = `SELECT t.source_id, t.service,
		CAST(sum(CASE WHEN h.trip IS NULL THEN 1 ELSE (h.last_s - h.start_s) // h.headway_s + 1 END) AS BIGINT)
		FROM schedule_trip AS t LEFT JOIN schedule_headway AS h ON h.source_id = t.source_id AND h.trip = t.trip
		GROUP BY t.source_id, t.service`
	return counts, sqlrow.Scan(ctx, d.from, query, []any{&source, &service, &departures}, func() error {
		for day := range counts[source] {
			if days[key{source, service}].Has(day) {
				counts[source][day] += departures
			}
		}
		return nil
	})
}

// typicalWeeks is how far from the timetable week typical days are looked for.
const typicalWeeks = 4

// typical is the date of a weekday that is typical of a feed; "" if it runs on none. Of those with service up to four weeks from the
// one in the timetable week it is the lower median by departures, of equal ones the nearest to that week, then the earlier one. So
// neither a holiday is typical, nor a day on which an old and a new calendar overlap. Where there is none, it is the nearest with
// service. No typical day begins or ends in a night in which clocks are changed.
func typical(first time.Time, departures []int64, week time.Time, weekday time.Weekday, zone *time.Location) string {
	const day = 24 * time.Hour
	middle := week.Add(time.Duration((int(weekday)-int(week.Weekday())+7)%7) * day)
	type date struct {
		at         time.Time
		departures int64
		away       time.Duration
	}
	var steady, all []date
	for i, n := range departures {
		at := first.Add(time.Duration(i) * day)
		if at.Weekday() != weekday || n == 0 {
			continue
		}
		all = append(all, date{at, n, at.Sub(middle).Abs()})
		if noon(at.Add(day), zone).Sub(noon(at.Add(-day), zone)) == 2*day {
			steady = append(steady, all[len(all)-1])
		}
	}
	if len(steady) > 0 {
		all = steady
	}
	near := slices.DeleteFunc(slices.Clone(all), func(d date) bool { return d.away > typicalWeeks*7*day })
	nearest := func(a, b date) int { return cmp.Or(cmp.Compare(a.away, b.away), a.at.Compare(b.at)) }
	switch {
	case len(all) == 0:
		return ""
	case len(near) == 0:
		return slices.MinFunc(all, nearest).at.Format(time.DateOnly)
	}
	slices.SortFunc(near, func(a, b date) int { return cmp.Compare(a.departures, b.departures) })
	median := near[(len(near)-1)/2].departures
	near = slices.DeleteFunc(near, func(d date) bool { return d.departures != median })
	return slices.MinFunc(near, nearest).at.Format(time.DateOnly)
}

// noon is that of a day in a zone.
func noon(at time.Time, zone *time.Location) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), 12, 0, 0, 0, zone)
}
