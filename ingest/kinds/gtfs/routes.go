package gtfs

import (
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// routes are the lines of a feed in the order of the file.
type routes struct {
	rows  []source.Route
	place map[string]int32 // of an id in rows; leftOut where the line is not staged
}

// leftOut is the place of a line that is not staged, and of a trip that does not count.
const leftOut int32 = -1

func (s *stage) readRoutes() error {
	s.routes = routes{place: map[string]int32{}}
	t, err := s.feed.needed(s.ctx, s.out, routesFile, "route_id", "route_type")
	if err != nil {
		return err
	}
	id, agency, kind := t.Column("route_id"), t.Column("agency_id"), t.Column("route_type")
	err = t.each(func() reason.Reason {
		key := t.Text(id)
		if key == "" {
			return source.MissingKey.With("route_id")
		}
		if _, known := s.routes.place[key]; known {
			return source.DuplicateKey.With("route_id")
		}
		s.routes.place[key] = leftOut
		mode, known := modeOf(t.At(kind))
		switch {
		case !known:
			return unknownRouteType
		case mode == "":
			return excludedRouteType
		}
		route := source.Route{Key: s.key(key), Mode: mode}
		s.nameRoute(&route, t, key)
		if route.Agency, known = s.publisher.agency(t.At(agency)); !known {
			t.repaired(agencyRemoved)
		}
		s.routes.place[key] = int32(len(s.routes.rows))
		s.routes.rows = append(s.routes.rows, route)
		return reason.Reason{}
	}, nil)
	if err == nil && len(s.routes.place) == 0 {
		err = source.BadFile(s.feed.path, "%s has no lines", routesFile)
	}
	return err
}

// nameRoute calls a line by its short name, else its long one, else its id.
func (s *stage) nameRoute(route *source.Route, t *reading, id string) {
	short, long := t.Text(t.Column("route_short_name")), t.Text(t.Column("route_long_name"))
	en, fr := s.translations.names(s.publisher.language, "route_long_name", id, long)
	route.LongName = en
	switch {
	case short != "":
		route.Name, route.NameFR = s.translations.names(s.publisher.language, "route_short_name", id, short)
	case long != "":
		route.Name, route.NameFR = en, fr
	default:
		route.Name = id
	}
}

// stageRoutes stages the lines; counts is nil where nothing runs.
func (s *stage) stageRoutes(counts *counts) error {
	for i, route := range s.routes.rows {
		if counts != nil {
			route.SpacingM = counts.spacing(i)
		}
		if err := s.out.Row(route); err != nil {
			return err
		}
	}
	return nil
}
