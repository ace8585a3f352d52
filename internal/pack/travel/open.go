package travel

import (
	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/travel/timetable"
)

// Open opens the table in f, of which it reads every number once. Names are not copied.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	tt := &timetable.Timetable{
		Feeds: pack.LoadRecords[timetable.Feed](l, "feed.date", pack.Any), FeedNames: loadTexts(l, "feed.name"),
		Clocks: pack.LoadRecords[timetable.Clock](l, "clock", pack.Any),
		StopAt: pack.Load[coord.Point](l, "stop.point", pack.Any), StopFeed: pack.Load[uint16](l, "stop.feed", pack.Any),
		StopNames: loadTexts(l, "stop.name"),
		Routes:    pack.LoadRecords[timetable.Route](l, "route", pack.Any), RouteNames: loadTexts(l, "route.name"),
		Headsigns: loadTexts(l, "headsign"),
		Patterns:  pack.LoadRecords[timetable.Pattern](l, "pattern", pack.Any), CallStops: pack.Load[uint32](l, "call.stop", pack.Any),
		Trips: pack.LoadRecords[timetable.Trip](l, "trip", pack.Any), TripNames: loadTexts(l, "trip.name"),
		Arrivals: pack.Load[uint32](l, "time.arrival", pack.Any), Departures: pack.Load[uint32](l, "time.departure", pack.Any),
		Frequencies:   pack.LoadRecords[timetable.Frequency](l, "headway", pack.Any),
		ServiceDays:   pack.Load[uint64](l, "service.day", pack.Any),
		TransferFirst: pack.Load[uint32](l, "transfer.first", pack.Any), Transfers: pack.LoadRecords[timetable.Leg](l, "transfer", pack.Any),
	}
	if calendar := pack.Load[int32](l, "service.calendar", 2); l.Err() == nil {
		tt.FirstDate, tt.ServiceWords = timetable.Date(calendar[0]), uint32(calendar[1])
	}
	for _, f := range pack.Load[uint8](l, "call.flag", len(tt.CallStops)) {
		tt.CallFlags = append(tt.CallFlags, timetable.CallFlags(f))
	}
	t := &Table{Timetable: tt, Changes: pack.LoadRecords[Change](l, "change", pack.Any)}
	t.loadFeeds(l, len(tt.Feeds))
	if l.Err() == nil {
		if err := t.check(); err != nil {
			l.Fail("%v", err)
		}
	}
	return t, l.Err()
}

func (t *Table) loadFeeds(l *pack.Loader, feeds int) {
	sources, partial := pack.LoadTexts(l, "feed.source", feeds), pack.Load[uint8](l, "feed.partial", feeds)
	rings, points := pack.LoadLists[uint32](l, "feed.ring", feeds), pack.LoadLists[coord.Point](l, "feed.point", feeds)
	if l.Err() != nil {
		return
	}
	for i := range feeds {
		t.Feeds = append(t.Feeds, Feed{sources[i], partial[i] == 1, coord.Area{Points: points.At(i), Ends: rings.At(i)}})
	}
}

func loadTexts(l *pack.Loader, name string) timetable.Texts {
	return timetable.Texts{Ends: pack.Load[uint32](l, name+".end", pack.Any), Bytes: pack.Load[uint8](l, name+".byte", pack.Any)}
}
