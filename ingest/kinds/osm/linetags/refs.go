package linetags

import (
	"cmp"
	"slices"
	"strings"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
	"quartier/schemas/staged"
)

// RefLines returns the lines that a stop of buses or trams lists: route_ref, and route_ref:NETWORK. Lines of one mode and
// ref are one, whatever their network is called, because mappers write it in many ways.
//
// Example: highway=bus_stop with route_ref=7;12 and route_ref:OC=12;N75 lists the lines 7, 12 and N75.
func RefLines(tags element.Tags) (lines []Line) {
	mode := stopMode(tags)
	if mode == "" {
		return nil
	}
	lists := map[string]string{}
	for key, value := range tags.All() {
		if element.NotInUse(key, value) {
			return nil
		}
		if key == "route_ref" || strings.HasPrefix(key, "route_ref:") {
			lists[key] = value
		}
	}
	for _, list := range lists {
		for ref := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ';' || r == ',' }) {
			ref = strings.Join(strings.Fields(ref), " ")
			if ref != "" && !slices.Contains([]string{"yes", "no", "none"}, strings.ToLower(ref)) {
				lines = append(lines, Line{Key: staged.RouteRefKey + mode + ":" + strings.ToLower(ref), Name: strings.Clone(ref), Mode: mode})
			}
		}
	}
	slices.SortFunc(lines, func(a, b Line) int { return strings.Compare(a.Key+" "+a.Name, b.Key+" "+b.Name) })
	return slices.CompactFunc(lines, func(a, b Line) bool { return a.Key == b.Key })
}

// stopMode is the mode of the lines that stop at a node; "" if it is no stop of buses or trams.
func stopMode(tags element.Tags) string {
	switch {
	case tags.Get("railway") == "tram_stop", tags.Get("tram") == "yes" && tags.Get("bus") != "yes":
		return "tram"
	case tags.Get("railway") != "":
		return ""
	case tags.Get("highway") == "bus_stop", tags.Get("amenity") == "bus_station",
		slices.Contains([]string{"platform", "stop_position", "station"}, tags.Get("public_transport")):
		if tags.Get("trolleybus") == "yes" {
			return "trolleybus"
		}
		return "bus"
	}
	return ""
}

// StageRefs stages a stop with the lines that it lists.
func (s *Stager) StageRefs(stop Stop, lines []Line) error {
	for _, l := range lines {
		if s.refs == nil {
			s.refs = map[string]bool{}
		}
		if !s.refs[l.Key] {
			s.refs[l.Key] = true
			if err := s.Out.Row(source.Route{SourceKey: l.Key, Name: l.Name, Mode: l.Mode}); err != nil {
				return err
			}
		}
		if err := s.serve(stop, l.Key); err != nil {
			return err
		}
	}
	return nil
}

// serve stages a stop, if it is new, and that a line stops there.
func (s *Stager) serve(stop Stop, line string) error {
	if s.staged == nil {
		s.staged = map[string]bool{}
	}
	if !s.staged[stop.Key] {
		s.staged[stop.Key] = true
		if err := s.Out.Row(source.Stop{SourceKey: stop.Key, Name: cmp.Or(stop.Name, stop.Key), Lng: stop.Point[0],
			Lat: stop.Point[1]}); err != nil {
			return err
		}
	}
	return s.Out.Row(source.StopService{StopKey: stop.Key, RouteKey: line})
}
