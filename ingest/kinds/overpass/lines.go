package overpass

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/linetags"
)

// kindsByName are the kinds of members.
var kindsByName = map[string]element.Kinds{"node": element.Nodes, "way": element.Ways, "relation": element.Relations}

// stageLines stages the lines of public transport among the objects and returns the objects that are no route relations.
func (c *collection) stageLines(objects []*object) ([]*object, error) {
	var routes []*linetags.Route
	masters := map[int64][]int64{}
	geometry := map[int64]map[element.Member]member{} // of the members of a relation
	rest := slices.DeleteFunc(slices.Clone(objects), func(o *object) bool {
		if o.id.kind != element.Relations {
			return false
		}
		tags := element.TagsOf(o.tags)
		if o.tags["type"] == "route_master" {
			for _, m := range c.relations[o.id.number] {
				masters[o.id.number] = append(masters[o.id.number], m.Ref)
			}
		}
		mode, why, isRoute := linetags.Mode(tags)
		if !isRoute {
			return o.tags["type"] == "route_master"
		}
		if !why.OK() {
			c.out.Issue(why, o.where+" ("+o.id.key()+")")
			return true
		}
		route := &linetags.Route{ID: o.id.number, Mode: mode, Tags: o.tags}
		geometry[o.id.number] = map[element.Member]member{}
		for _, m := range c.relations[o.id.number] {
			at := element.Member{Kind: kindsByName[m.Type], Ref: m.Ref, Role: m.Role}
			route.Members = append(route.Members, at)
			geometry[o.id.number][at] = m
		}
		routes = append(routes, route)
		return true
	})
	out := linetags.Stager{Out: c.out}
	for _, l := range linetags.Lines(routes, masters) {
		var stops []linetags.Stop
		var course []orb.LineString
		for _, route := range l.Routes {
			hasStops := route.HasStops()
			for _, at := range route.Members {
				m := geometry[route.ID][at]
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
			return nil, err
		}
	}
	return rest, nil
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
