package gtfs

import (
	"context"
	"fmt"
	"strconv"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// routes are the routes of a feed in the order of the file.
type routes struct {
	rows  []source.Route
	kinds []int32          // route_type of each
	color []string         // of each, six hexadecimal digits; "": not published
	place map[string]int32 // index of an id in rows; notStaged where the route is not staged
}

// notStaged is the index of a route that is not staged; a trip of it is not counted.
const notStaged int32 = -1

func (s *stage) readRoutes(ctx context.Context) error {
	s.routes = routes{place: map[string]int32{}}
	t, err := s.feed.required(s.out, routesFile)
	if err != nil {
		return err
	}
	id, agency, kind := t.Column("route_id"), t.Column("agency_id"), t.Column("route_type")
	hue := t.Column("route_color")
	err = t.each(ctx, func() reason.Reason {
		key := t.Text(id)
		if key == "" {
			return source.MissingKey.With("route_id")
		}
		if _, known := s.routes.place[key]; known {
			return source.DuplicateKey.With("route_id")
		}
		s.routes.place[key] = notStaged
		mode, known := modeOf(t.At(kind))
		switch {
		case !known:
			return unknownRouteType
		case mode == "":
			return excludedRouteType
		}
		route := source.Route{SourceKey: s.key(key), Mode: mode}
		s.nameRoute(&route, t, key)
		if route.Agency, known = s.publisher.agency(t.At(agency)); !known {
			t.repaired(agencyRemoved)
		}
		s.routes.place[key] = int32(len(s.routes.rows))
		s.routes.rows = append(s.routes.rows, route)
		number, _ := strconv.Atoi(string(t.At(kind))) // modeOf knows it
		s.routes.kinds, s.routes.color = append(s.routes.kinds, int32(number)), append(s.routes.color, color(t.Text(hue)))
		return reason.Reason{}
	}, nil)
	if err == nil && len(s.routes.place) == 0 {
		err = source.BadFile(s.feed.path, "%s has no routes", routesFile)
	}
	return err
}

// nameRoute names a route by its short name, otherwise its long name, otherwise its id.
func (s *stage) nameRoute(route *source.Route, t *tableReader, id string) {
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

// color is a colour of a feed, in upper case; "" for other texts.
func color(text string) string {
	if n, err := strconv.ParseUint(text, 16, 32); err == nil && len(text) == 6 {
		return fmt.Sprintf("%06X", n)
	}
	return ""
}

// stageRoutes stages the routes.
func (s *stage) stageRoutes(counts *counts) error {
	for i, route := range s.routes.rows {
		route.SpacingM = counts.spacing(i)
		if err := s.out.Row(route); err != nil {
			return err
		}
	}
	return nil
}
