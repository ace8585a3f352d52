package osm

import (
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/linetags"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// transit is the route relations of a file and what is needed of their members.
type transit struct {
	routes  []*linetags.Route
	masters map[int64][]int64
	names   map[int64]string // of nodes that may be stops
	listed  []listedStop     // in the order of the file
}

// listedStop is a stop that lists the lines that stop there.
type listedStop struct {
	stop  linetags.Stop
	lines []linetags.Line
}

// readRoute keeps a route of public transport and requests its stops, or its ways if it has none.
func (s *stager) readRoute(r *element.Relation) {
	if r.Tags.Get("type") == "route_master" {
		for _, m := range r.Members {
			if m.Kind == element.Relations {
				s.transit.masters[r.ID] = append(s.transit.masters[r.ID], m.Ref)
			}
		}
		return
	}
	mode, why, isRoute := linetags.Mode(r.Tags)
	if !isRoute {
		return
	}
	if !why.OK() {
		counted{s.out}.Issue(why, where(element.Relations, r.ID, r.Tags.Get("name")))
		return
	}
	route := &linetags.Route{ID: r.ID, Mode: mode, Tags: r.Tags.Map()}
	for _, m := range r.Members {
		m.Role = strings.Clone(m.Role)
		route.Members = append(route.Members, m)
	}
	var nodes, ways []int64
	hasStops := route.HasStops()
	for _, m := range route.Members {
		switch {
		case linetags.Stops(m) && m.Kind == element.Nodes:
			nodes = append(nodes, m.Ref)
		case linetags.Stops(m) && m.Kind == element.Ways, !hasStops && linetags.Course(m):
			ways = append(ways, m.Ref)
		}
	}
	s.nodes.Want(nodes)
	s.lines.want(ways)
	s.transit.routes = append(s.transit.routes, route)
}

// readStop keeps the name of a node that may be a stop, and the lines that it lists.
func (s *stager) readStop(n *element.Node) {
	if lines := linetags.RefLines(n.Tags); len(lines) > 0 {
		stop := linetags.Stop{Key: element.Nodes.Key(n.ID), Name: strings.Clone(n.Tags.Get("name")), Point: n.Point}
		s.transit.listed = append(s.transit.listed, listedStop{stop, lines})
	}
	if name := n.Tags.Get("name"); name != "" && (n.Tags.Get("public_transport") != "" || n.Tags.Get("highway") == "bus_stop" ||
		n.Tags.Get("railway") != "" || n.Tags.Get("amenity") == "ferry_terminal") {
		s.transit.names[n.ID] = strings.Clone(name)
	}
}

// stageTransit stages the lines of public transport.
func (s *stager) stageTransit() error {
	out := linetags.Stager{Out: counted{s.out}}
	for _, line := range linetags.Lines(s.transit.routes, s.transit.masters) {
		var stops []linetags.Stop
		var course []orb.LineString
		for _, route := range line.Routes {
			hasStops := route.HasStops()
			for _, m := range route.Members {
				switch {
				case linetags.Stops(m):
					if p, ok := s.memberPoint(m); ok {
						stops = append(stops, linetags.Stop{Key: m.Kind.Key(m.Ref), Name: s.transit.names[m.Ref], Point: p})
					}
				case !hasStops && linetags.Course(m):
					if refs, _ := s.lines.of([]int64{m.Ref}); len(refs) > 0 {
						if run, _, _ := s.nodes.LongestKnownRun(refs[0], nil, nil); len(run) > 1 {
							course = append(course, run)
						}
					}
				}
			}
		}
		if err := out.Stage(line, stops, course); err != nil {
			return err
		}
	}
	for _, l := range s.transit.listed {
		if err := out.StageRefs(l.stop, l.lines); err != nil {
			return err
		}
	}
	return nil
}

// counted is a sink that counts every row and issue as a row read: lines have no elements of their own.
type counted struct{ source.Sink }

// Row counts and stages a row.
func (c counted) Row(row source.Row) error {
	c.Read(1)
	return c.Sink.Row(row)
}

// Issue counts a row and why it is not staged.
func (c counted) Issue(why reason.Reason, where string) {
	c.Read(1)
	c.Sink.Issue(why, where)
}

// memberPoint is where a stop is: of a platform that is a way, its first known node.
func (s *stager) memberPoint(m element.Member) (orb.Point, bool) {
	switch m.Kind {
	case element.Nodes:
		return s.nodes.Point(m.Ref)
	case element.Ways:
		refs, _ := s.lines.of([]int64{m.Ref})
		if len(refs) > 0 {
			if line, _ := s.nodes.Line(refs[0]); len(line) > 0 {
				return line[0], true
			}
		}
	}
	return orb.Point{}, false
}
