// Package travel makes the timetables and the networks of streets of a release, travel.pack, from the derived databases of all regions
// and the streets of the release, and checks them.
//
// Feeds are read in the order of the regions and of their sources. A trip that a feed before has, too, is left out on the days on
// which both run it: the same feed of two regions or sources, or two editions of one that overlap. Trips are the same if their lines
// have the same name and kind, and they stop at the same places at the same times, with the same headways. Stops and lines of which
// no trip is left are left out.
package travel

import (
	"context"
	"fmt"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	packed "quartier/internal/pack/travel"
	"quartier/internal/sqlrow"
	"quartier/internal/timezone"
	"quartier/internal/travel/timetable"
	"quartier/schemas/derived"
)

// Region is a region with the DuckDB file that transform wrote.
type Region struct{ Name, Derived string }

// Write writes the pack of regions to a path, one without feeds if there are none, and returns what the manifest has to say about it.
// The streets on foot are those of the access.pack of the release.
func Write(ctx context.Context, regions []Region, streets, path string) (notes []string, err error) {
	table, notes, err := Read(ctx, regions)
	if err != nil {
		return nil, err
	}
	file, err := pack.Open(streets)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	on, err := access.Open(file)
	if err != nil {
		return nil, err
	}
	n, stops, err := networks(ctx, regions, on, table)
	if err != nil {
		return nil, err
	}
	notes = append(notes, unlinked(table, stops)...)
	out, err := pack.Create(path)
	if err != nil {
		return nil, err
	}
	defer out.Abort()
	if err := packed.Write(out, table); err != nil {
		return nil, err
	}
	if err := packed.WriteNetworks(out, n); err != nil {
		return nil, err
	}
	return notes, out.Close()
}

// Read makes the timetables of regions.
func Read(ctx context.Context, regions []Region) (*packed.Table, []string, error) {
	m := &maker{builder: timetable.NewBuilder(timetable.Rules{}), services: map[string]uint32{}, seen: map[digest][]dates{}}
	for _, r := range regions {
		if err := m.region(ctx, r); err != nil {
			return nil, nil, fmt.Errorf("timetables of region %s: %w", r.Name, err)
		}
	}
	m.table.Timetable = m.builder.Finish()
	return &m.table, m.notes, nil
}

// maker makes the timetables of one feed after the other.
type maker struct {
	builder  *timetable.Builder
	table    packed.Table
	notes    []string
	services map[string]uint32  // numbers by dates
	seen     map[digest][]dates // of the trips of feeds before
}

func (m *maker) region(ctx context.Context, r Region) error {
	db, err := duck.Open(r.Derived)
	if err != nil {
		return err
	}
	defer db.Close()
	feeds, err := sqlrow.All[derived.TravelFeed](ctx, db, "SELECT * FROM travel_feed ORDER BY source_id")
	if err != nil {
		return err
	}
	for i := range feeds {
		if err := m.feed(ctx, db, r.Name, &feeds[i]); err != nil {
			return fmt.Errorf("source %s: %w", feeds[i].SourceID, err)
		}
	}
	return nil
}

// feed adds a feed.
func (m *maker) feed(ctx context.Context, db *duck.DB, region string, row *derived.TravelFeed) error {
	if len(m.table.Feeds) == 1<<16 {
		return fmt.Errorf("more than %d feeds", 1<<16)
	}
	first, err := timetable.ParseDate(row.FirstDay)
	if err != nil {
		return err
	}
	f := &feedMaker{maker: m, db: db, row: row, first: first, fresh: map[digest][]dates{}}
	about := timetable.Feed{First: first, Last: first + timetable.Date(row.Days) - 1}
	for i, date := range []*timetable.Date{&about.Tuesday, &about.Saturday, &about.Sunday} {
		text := []string{row.Tuesday, row.Saturday, row.Sunday}[i]
		if *date = timetable.NoDate; text == "" {
			continue
		}
		if *date, err = timetable.ParseDate(text); err != nil {
			return err
		}
	}
	zone, err := timezone.Location(row.Timezone)
	if row.Timezone == "" || err != nil {
		zone = nil
		m.notes = append(m.notes, fmt.Sprintf("timetable of source %s/%s: the time zone %q is not known, so that days on which clocks "+
			"are changed have 24 hours", region, row.SourceID, row.Timezone))
	}
	covers := packed.Feed{Source: region + "/" + row.SourceID, Partial: row.Partial}
	if row.Ground != nil {
		ground, err := geo.MultiPolygon(row.Ground)
		if err == nil {
			covers.Ground, err = coord.NewArea(ground)
		}
		if err != nil {
			return fmt.Errorf("ground: %w", err)
		}
	}
	m.table.Feeds = append(m.table.Feeds, covers)
	f.number = m.builder.AddFeed(row.Name, about, zone)
	return f.read(ctx)
}
