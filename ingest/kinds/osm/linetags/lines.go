// Package linetags makes lines of public transport of OpenStreetMap's route relations: the directions and variants of a
// line become one, with the stops of all of them. The kinds osm and overpass share it.
package linetags

import (
	"cmp"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var own reason.List

// WithoutStops is the reason of a line that leaves the file.
var WithoutStops = own.Skipped("line_outside_extract", "No stop and no way of the line is in the file.")

// Reasons are all of them.
func Reasons() []reason.Reason { return append(slices.Clone(own), source.NotInUse) }

// modes are the modes of lines by route=* or route_master=*.
var modes = map[string]string{
	"bus": "bus", "minibus": "bus", "trolleybus": "trolleybus", "tram": "tram", "light_rail": "light_rail", "subway": "subway",
	"train":    "rail",
	"monorail": "monorail", "ferry": "ferry", "funicular": "funicular", "aerialway": "gondola",
}

// Mode returns the mode of a route of public transport, or why it is not staged. ok is false for other relations.
func Mode(tags element.Tags) (mode string, why reason.Reason, ok bool) {
	mode = modes[tags.Get("route")]
	if tags.Get("type") != "route" || mode == "" {
		return "", why, false
	}
	for key, value := range tags.All() {
		if element.NotInUse(key, value) || key == "state" && value == "proposed" {
			return "", source.NotInUse, true
		}
	}
	return mode, why, true
}

// Route is a route relation: a direction or variant of a line.
type Route struct {
	ID      int64
	Mode    string
	Tags    map[string]string
	Members []element.Member
}

// Stops reports whether a member is where the line stops.
func Stops(m element.Member) bool {
	role := m.Role
	return m.Kind == element.Nodes && (role == "" || strings.Contains(role, "stop")) || strings.HasPrefix(role, "platform")
}

// Course reports whether a member is a part of the way of the line.
func Course(m element.Member) bool {
	return m.Kind == element.Ways && slices.Contains([]string{"", "forward", "backward", "route"}, m.Role)
}

// HasStops reports whether a route has enough members that are stops to be known by these; its ways are then not used.
func (r *Route) HasStops() bool {
	n := 0
	for _, m := range r.Members {
		if Stops(m) {
			n++
		}
	}
	return n >= 2
}

// Line is a line with its routes.
type Line struct {
	Key, Name, Agency, Mode string
	Ends                    string   // "Depot – Harbour"; "": not mapped
	Routes                  []*Route // in order of id
}

// Lines groups routes of one mode, network and ref, or of one route_master where they have no ref. masters are the
// members of route_master relations, by their own id.
//
// Example: the relations "Bus 7: Depot => Harbour" and "Bus 7: Harbour => Depot" with ref=7 and one network are line 7, with
// the key of the first.
func Lines(routes []*Route, masters map[int64][]int64) []Line {
	masterOf := map[int64]int64{}
	for master, members := range masters {
		for _, route := range members {
			if known, twice := masterOf[route]; !twice || master < known {
				masterOf[route] = master
			}
		}
	}
	type group struct {
		mode, network, ref string
		id                 int64
	}
	slices.SortFunc(routes, func(a, b *Route) int { return cmp.Compare(a.ID, b.ID) })
	index := map[group]int{}
	var lines []Line
	for _, r := range routes {
		g := group{mode: r.Mode, network: strings.ToLower(cmp.Or(r.Tags["network"], r.Tags["operator"])), ref: strings.ToLower(r.Tags["ref"])}
		if g.ref == "" {
			g = group{mode: r.Mode, id: r.ID}
			if master, ok := masterOf[r.ID]; ok {
				g.id = -master
			}
		}
		i, known := index[g]
		if !known {
			i = len(lines)
			index[g] = i
			key := element.Relations.Key(r.ID)
			lines = append(lines, Line{Key: key, Name: cmp.Or(r.Tags["ref"], r.Tags["name"], key),
				Agency: cmp.Or(r.Tags["operator"], r.Tags["network"]), Mode: r.Mode})
		}
		lines[i].Routes = append(lines[i].Routes, r)
		lines[i].Ends = cmp.Or(lines[i].Ends, ends(r))
	}
	return lines
}

// ends are the names of the ends of a route: from=* and to=*.
func ends(r *Route) string {
	if r.Tags["from"] == "" || r.Tags["to"] == "" {
		return r.Tags["to"]
	}
	return r.Tags["from"] + " – " + r.Tags["to"]
}

// Stop is a stop of a line.
type Stop struct {
	Key, Name string
	Point     orb.Point
}

// Stager stages lines, a stop once.
type Stager struct {
	Out    source.Sink
	staged map[string]bool // stops
	refs   map[string]bool // lines of RefLines
}

// Stage stages a line with its stops or, if it has fewer than two, its course. It counts one that has neither.
func (s *Stager) Stage(l Line, stops []Stop, course []orb.LineString) error {
	if len(stops) >= 2 {
		course = nil
	} else {
		stops = nil
	}
	if len(stops)+len(course) == 0 {
		s.Out.Issue(WithoutStops, l.Key+" "+l.Name)
		return nil
	}
	if err := s.Out.Row(source.Route{SourceKey: l.Key, Agency: l.Agency, Name: l.Name, Ends: l.Ends, Mode: l.Mode,
		Kind: l.kind(), Directions: l.directions(), Stops: l.stops()}); err != nil {
		return err
	}
	here := map[string]bool{}
	for _, stop := range stops {
		if here[stop.Key] {
			continue
		}
		here[stop.Key] = true
		if err := s.serve(stop, l.Key); err != nil {
			return err
		}
	}
	for part, line := range course {
		if err := s.Out.Row(source.RouteShape{RouteKey: l.Key, Part: part, Line: line}); err != nil {
			return err
		}
	}
	return nil
}
