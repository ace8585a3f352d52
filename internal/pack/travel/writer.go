package travel

import (
	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/travel/timetable"
)

// Write writes the sections of a table, which stays as it is until out is closed. It fails if the table is not valid.
func Write(out *pack.Writer, t *Table) error {
	if err := t.check(); err != nil {
		return err
	}
	tt := t.Timetable
	pack.PutRecords(out, "feed.date", tt.Feeds)
	putTexts(out, "feed.name", &tt.FeedNames)
	writeFeeds(out, t.Feeds)
	pack.PutRecords(out, "clock", tt.Clocks)
	pack.PutLater(out, "stop.point", tt.StopAt)
	pack.PutLater(out, "stop.feed", tt.StopFeed)
	putTexts(out, "stop.name", &tt.StopNames)
	pack.PutRecords(out, "route", tt.Routes)
	putTexts(out, "route.name", &tt.RouteNames)
	putTexts(out, "headsign", &tt.Headsigns)
	pack.PutRecords(out, "pattern", tt.Patterns)
	pack.PutLater(out, "call.stop", tt.CallStops)
	flags := pack.NewSection[uint8](out, "call.flag")
	for _, f := range tt.CallFlags {
		flags.Append(uint8(f))
	}
	pack.PutRecords(out, "trip", tt.Trips)
	putTexts(out, "trip.name", &tt.TripNames)
	pack.PutLater(out, "time.arrival", tt.Arrivals)
	pack.PutLater(out, "time.departure", tt.Departures)
	pack.PutRecords(out, "headway", tt.Frequencies)
	pack.Put(out, "service.calendar", []int32{int32(tt.FirstDate), int32(tt.ServiceWords)})
	pack.PutLater(out, "service.day", tt.ServiceDays)
	pack.PutLater(out, "transfer.first", tt.TransferFirst)
	pack.PutRecords(out, "transfer", tt.Transfers)
	pack.PutRecords(out, "change", t.Changes)
	return out.Err()
}

func writeFeeds(out *pack.Writer, feeds []Feed) {
	partial := pack.NewSection[uint8](out, "feed.partial")
	rings, points := pack.NewLists[uint32](out, "feed.ring"), pack.NewLists[coord.Point](out, "feed.point")
	var sources []string
	for _, f := range feeds {
		sources = append(sources, f.Source)
		some := uint8(0)
		if f.Partial {
			some = 1
		}
		partial.Append(some)
		rings.Append(f.Ground.Ends)
		points.Append(f.Ground.Points)
	}
	pack.PutTexts(out, "feed.source", sources)
}

func putTexts(out *pack.Writer, name string, texts *timetable.Texts) {
	pack.PutLater(out, name+".end", texts.Ends)
	pack.PutLater(out, name+".byte", texts.Bytes)
}
