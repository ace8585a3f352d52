package overpass

import (
	"cmp"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/linetags"
)

// kindsByName are the kinds of members.
var kindsByName = map[string]element.Kinds{"node": element.Nodes, "way": element.Ways, "relation": element.Relations}

// lines are the lines of public transport among the objects.
type lines struct {
	routes   []*linetags.Route
	masters  map[int64][]int64
	geometry map[int64]map[element.Member]member // of the members of each route
	listing  []*object                           // stops that list their lines
}

// takeLines returns the lines of public transport among the objects, and the objects that are no parts of lines.
func (c *collection) takeLines(objects []*object) (l lines, rest []*object) {
	l = lines{masters: map[int64][]int64{}, geometry: map[int64]map[element.Member]member{}}
	for _, o := range objects {
		mode, why, isRoute := linetags.Mode(element.TagsOf(o.tags))
		switch {
		case o.id.kind == element.Relations && o.tags["type"] == "route_master":
			for _, m := range c.relations[o.id.number] {
				if m.Type == "relation" {
					l.masters[o.id.number] = append(l.masters[o.id.number], m.Ref)
				}
			}
			c.out.Issue(routeMaster, o.where+" ("+o.id.key()+")")
		case o.id.kind != element.Relations || !isRoute:
			rest = append(rest, o)
			if _, known := c.nodes[o.id.number]; known && o.id.kind == element.Nodes && len(linetags.RefLines(element.TagsOf(o.tags))) > 0 {
				l.listing = append(l.listing, o)
			}
		case !why.OK():
			c.out.Issue(why, o.where+" ("+o.id.key()+")")
		default:
			l.add(o, mode, c.relations[o.id.number])
		}
	}
	return l, rest
}

// add adds a route relation.
func (l *lines) add(o *object, mode string, members []member) {
	route := &linetags.Route{ID: o.id.number, Mode: mode, Tags: o.tags}
	geometry := map[element.Member]member{}
	for _, m := range members {
		at := element.Member{Kind: kindsByName[m.Type], Ref: m.Ref, Role: m.Role}
		route.Members = append(route.Members, at)
		geometry[at] = m
	}
	l.routes, l.geometry[route.ID] = append(l.routes, route), geometry
}

// findStations finds the kinds of the stations among the objects.
func (c *collection) findStations(objects []*object, routes []*linetags.Route) {
	for _, o := range objects {
		if o.id.kind == element.Nodes {
			c.stations.Add(o.id.number, element.TagsOf(o.tags))
		}
	}
	for _, o := range objects {
		if o.id.kind == element.Ways {
			c.stations.AddTrack(o.tags["railway"], c.ways[o.id.number].refs)
		}
	}
	for _, route := range routes {
		c.stations.AddLine(route)
	}
}

// stageLines stages lines of public transport.
func (c *collection) stageLines(all lines) error {
	out := linetags.Stager{Out: c.out}
	for _, l := range linetags.Lines(all.routes, all.masters) {
		var stops []linetags.Stop
		var course []orb.LineString
		for _, route := range l.Routes {
			hasStops := route.HasStops()
			for _, at := range route.Members {
				m := all.geometry[route.ID][at]
				switch {
				case linetags.Stops(at):
					if p, known := c.memberPoint(m); known {
						stops = append(stops, linetags.Stop{Key: at.Kind.Key(m.Ref), Name: c.nameOf(id{at.Kind, m.Ref}), Point: p})
					}
				case !hasStops && linetags.Course(at):
					if run, known := c.memberLine(m); known && len(run) > 1 {
						course = append(course, run)
					}
				}
			}
		}
		if err := out.Stage(l, stops, course); err != nil {
			return err
		}
	}
	for _, o := range all.listing {
		stop := linetags.Stop{Key: o.id.key(), Name: o.tags["name"], Point: c.nodes[o.id.number]}
		if err := out.StageRefs(stop, linetags.RefLines(element.TagsOf(o.tags))); err != nil {
			return err
		}
	}
	return nil
}

// memberPoint is where a stop is: of a platform that is a way, its first point.
func (c *collection) memberPoint(m member) (orb.Point, bool) {
	if m.Type != "node" {
		run, known := c.memberLine(m)
		if !known || len(run) == 0 {
			return orb.Point{}, false
		}
		return run[0], true
	}
	if p, known := (&latLon{m.Lat, m.Lon}).point(); known {
		return p, true
	}
	p, known := c.nodes[m.Ref]
	return p, known
}

func (c *collection) memberLine(m member) (orb.LineString, bool) {
	if run, known := line(m.Geometry); known {
		return run, true
	}
	return c.wayLine(m.Ref)
}

func (c *collection) nameOf(at id) string {
	if o := c.all[at]; o != nil {
		return cmp.Or(o.tags["name"], o.tags["ref"])
	}
	return ""
}
