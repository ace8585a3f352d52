package gtfs

import (
	"context"
	"math"
	"strconv"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas/reason"
)

// stops are the stops of a feed in the order of the file.
type stops struct {
	ids    []string
	names  []string // in the feed's language
	points []orb.Point
	place  map[string]int32 // index of an id in ids; notAStop where vehicles cannot stop

	children map[string][]int32 // stops of a station, by its id
}

// notAStop is the index of stations, entrances and other locations.
const notAStop int32 = -1

// Location types.
const (
	aStop    = "0"
	aStation = "1"
)

// readStops stages stops and stations. It reads the stations first, to find stops whose station is missing.
func (s *stage) readStops(ctx context.Context) error {
	s.stops = stops{place: map[string]int32{}, children: map[string][]int32{}}
	stations, err := s.stations(ctx)
	if err != nil {
		return err
	}
	t, err := s.feed.required(s.out, stopsFile)
	if err != nil {
		return err
	}
	id, name, lat, lon := t.Column("stop_id"), t.Column("stop_name"), t.Column("stop_lat"), t.Column("stop_lon")
	kind, parent, code := t.Column("location_type"), t.Column("parent_station"), t.Column("stop_code")
	var failed error
	var misplaced source.Misplaced
	err = t.each(ctx, func() reason.Reason {
		stop := source.Stop{SourceKey: s.key(t.Text(id)), ParentKey: t.Text(parent)}
		switch location := t.Text(kind); {
		case len(t.At(id)) == 0:
			return source.MissingKey.With("stop_id")
		case s.stops.known(t.At(id)):
			return source.DuplicateKey.With("stop_id")
		case location != "" && location != aStop && location != aStation:
			s.stops.place[t.Text(id)] = notAStop
			return excludedLocation
		default:
			at, fault := point(t.At(lon), t.At(lat))
			if fault == source.CoordinateOutOfRange {
				misplaced.Add(at)
			}
			if !fault.OK() {
				return fault
			}
			stop.Lng, stop.Lat = at[0], at[1]
			s.stops.add(t.Text(id), t.Text(name), at, location == aStation)
		}
		stop.Name, stop.NameFR = s.translations.names(s.publisher.language, "stop_name", t.Text(id), t.Text(name))
		if stop.Name == "" {
			stop.Name = t.Text(id)
			if label := t.Text(code); label != "" {
				stop.Name = label
			}
			t.repaired(stopNameFilled)
		}
		if stop.ParentKey != "" {
			if stations[stop.ParentKey] {
				s.stops.children[stop.ParentKey] = append(s.stops.children[stop.ParentKey], int32(len(s.stops.ids)-1))
				stop.ParentKey = s.key(stop.ParentKey)
			} else {
				stop.ParentKey = ""
				t.repaired(stationRemoved)
			}
		}
		failed = s.out.Row(stop)
		return reason.Reason{}
	}, &failed)
	if err == nil && len(s.stops.ids) == 0 {
		err = source.BadFile(s.feed.path, "none of the %d rows of %s is a stop or station with a position%s", t.rows, stopsFile, misplaced.Hint())
	}
	return err
}

// stations returns the ids of the stations that will be staged.
func (s *stage) stations(ctx context.Context) (map[string]bool, error) {
	found := map[string]bool{}
	t, err := s.feed.required(source.Discard{}, stopsFile)
	if err != nil {
		return nil, err
	}
	id, lat, lon, kind := t.Column("stop_id"), t.Column("stop_lat"), t.Column("stop_lon"), t.Column("location_type")
	return found, t.each(ctx, func() reason.Reason {
		if _, fault := point(t.At(lon), t.At(lat)); fault.OK() && t.Text(kind) == aStation {
			found[t.Text(id)] = true
		}
		return reason.Reason{}
	}, nil)
}

func (s *stops) known(id []byte) bool {
	_, known := s.place[string(id)]
	return known
}

func (s *stops) add(id, name string, at orb.Point, station bool) {
	s.place[id] = notAStop
	if !station {
		s.place[id] = int32(len(s.ids))
	}
	s.ids, s.names, s.points = append(s.ids, id), append(s.names, name), append(s.points, at)
}

// point parses longitude and latitude, or returns why they are invalid.
func point(lon, lat []byte) (p orb.Point, fault reason.Reason) {
	for i, text := range [...][]byte{lon, lat} {
		if len(text) == 0 {
			return p, source.MissingGeometry
		}
		number, err := strconv.ParseFloat(string(text), 64)
		if err != nil || math.IsNaN(number) || math.IsInf(number, 0) {
			return p, source.CoordinateFault(string(text))
		}
		p[i] = number
	}
	switch {
	case !geo.Valid(p):
		return p, source.CoordinateOutOfRange
	case p == orb.Point{}:
		return p, source.ZeroCoordinates
	}
	return p, fault
}
