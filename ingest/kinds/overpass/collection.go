package overpass

import (
	"errors"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/linetags"
	"quartier/ingest/kinds/osm/placetags"
	"quartier/ingest/kinds/osm/polygon"
	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas/reason"
)

// id identifies an object.
type id struct {
	kind   element.Kinds // a single kind
	number int64
}

// newID returns the id of a kind by its name or first letter.
func newID(name string, number int64) (id, bool) {
	switch name {
	case "node", "n", "N":
		return id{element.Nodes, number}, number != 0
	case "way", "w", "W":
		return id{element.Ways, number}, number != 0
	case "relation", "r", "R":
		return id{element.Relations, number}, number != 0
	}
	return id{}, false
}

func (i id) key() string { return i.kind.Key(i.number) }

// object is one object of the files; its geometry is in the collection.
type object struct {
	id     id
	tags   map[string]string
	where  string // where its tags are first
	center *orb.Point
	area   orb.MultiPolygon // of GeoJSON
	open   bool             // GeoJSON has it as a line
}

// collection has the objects of all files of a source, since the parts of an object may follow it or be in another file.
type collection struct {
	out       source.Sink
	rules     placetags.Rules
	extra     map[string]string // tags for every object
	limits    source.Limits
	file      string // base name of the file being read
	all       map[id]*object
	nodes     map[int64]orb.Point
	ways      map[int64]wayGeometry
	relations map[int64][]member
	stations  linetags.Stations
}

// wayGeometry has the nodes of a way, or its points if the file has them.
type wayGeometry struct {
	refs []int64
	line orb.LineString
}

func newCollection(extra map[string]string, limits source.Limits, out source.Sink) (*collection, error) {
	rules, err := placetags.NewRules()
	return &collection{
		out: out, rules: rules, extra: extra, limits: limits, all: map[id]*object{}, nodes: map[int64]orb.Point{}, ways: map[int64]wayGeometry{},
		relations: map[int64][]member{}, stations: linetags.Stations{},
	}, err
}

// object returns the object, which it creates if necessary. The first tags are kept; each repetition of the object is
// counted.
func (c *collection) object(at id, tags map[string]string, where string) *object {
	o := c.all[at]
	if o == nil {
		o = &object{id: at, where: where}
		c.all[at] = o
	} else {
		c.out.Issue(repeated, where)
	}
	if o.tags == nil && len(tags) > 0 {
		o.tags, o.where = tags, where
	}
	return o
}

func (c *collection) addNode(number int64, p orb.Point) {
	if _, known := c.nodes[number]; !known {
		c.nodes[number] = p
	}
}

func (c *collection) addWay(e *entry) {
	w := c.ways[e.ID]
	if w.refs == nil {
		w.refs = e.Nodes
	}
	if points, ok := line(e.Geometry); ok && w.line == nil {
		w.line = points
	}
	c.ways[e.ID] = w
}

// objects returns the objects with tags. The others, which are parts of outlines, are counted.
func (c *collection) objects() []*object {
	var tagged []*object
	untaggedCount := 0
	for _, o := range c.all {
		if o.tags == nil {
			untaggedCount++
			continue
		}
		tagged = append(tagged, o)
	}
	for range untaggedCount {
		c.out.Issue(untagged, c.file)
	}
	return tagged
}

// stage stages one object, or counts why it is skipped.
func (c *collection) stage(o *object) error {
	where := o.where + " (" + o.id.key() + ")"
	if why := c.rules.Classify(element.TagsOf(o.tags)).Reason(); !why.OK() {
		c.out.Issue(why, where)
		return nil
	}
	if kind := c.stations.Kind(o.id.number, o.tags); o.id.kind == element.Nodes && kind != "" {
		o.tags["station"] = kind
	}
	row := placetags.Row(o.id.key(), o.tags)
	why := c.locate(o, &row)
	if !why.OK() && why != placetags.PlaceAsLine && o.center != nil {
		row.Point, why = *o.center, reason.Reason{}
	}
	if !why.OK() {
		c.out.Issue(why, where)
		return nil
	}
	return c.out.Row(row)
}

// locate sets the point of a row, and the size of an area, or returns why the files do not have them.
func (c *collection) locate(o *object, row *source.POI) reason.Reason {
	if o.id.kind == element.Nodes {
		p, known := c.nodes[o.id.number]
		if !known {
			return source.MissingGeometry
		}
		row.Point = p
		return reason.Reason{}
	}
	shape, why := c.shape(o)
	if !why.OK() {
		return why
	}
	inside, ok := geo.InteriorPoint(shape)
	if !ok {
		return source.ZeroArea
	}
	m2 := geo.Area(shape)
	row.Point, row.AreaM2 = inside, &m2
	return reason.Reason{}
}

// shape returns the area of a way or relation, or why it has none.
func (c *collection) shape(o *object) (orb.MultiPolygon, reason.Reason) {
	if o.area != nil {
		return o.area, reason.Reason{}
	}
	if o.open {
		return nil, placetags.PlaceAsLine
	}
	if o.id.kind == element.Ways {
		return c.wayShape(o)
	}
	members := c.relations[o.id.number]
	if kind := o.tags["type"]; kind != "" && kind != "multipolygon" && kind != "boundary" {
		return nil, withoutOutline
	}
	var lines []orb.LineString
	for _, m := range members {
		if m.Type != "way" {
			continue
		}
		side, ok := line(m.Geometry)
		if !ok {
			side, ok = c.wayLine(m.Ref)
		}
		if !ok {
			return nil, incompleteOutline
		}
		lines = append(lines, side)
	}
	if lines == nil {
		return nil, source.MissingGeometry
	}
	return assemble(lines)
}

// assemble returns the area of an outline, or why it has none.
func assemble(lines []orb.LineString) (orb.MultiPolygon, reason.Reason) {
	area, err := polygon.Assemble(lines)
	if _, open := errors.AsType[*polygon.OpenError](err); open {
		return nil, polygon.OpenOutline
	} else if err != nil {
		return nil, source.ZeroArea
	}
	return area, reason.Reason{}
}

func (c *collection) wayShape(o *object) (orb.MultiPolygon, reason.Reason) {
	refs := c.ways[o.id.number].refs
	if (len(refs) > 0 && refs[0] != refs[len(refs)-1]) || o.tags["area"] == "no" {
		return nil, placetags.PlaceAsLine
	}
	side, ok := c.wayLine(o.id.number)
	switch {
	case !ok && len(refs) > 0:
		return nil, incompleteOutline
	case !ok:
		return nil, source.MissingGeometry
	case side[0] != side[len(side)-1]:
		return nil, placetags.PlaceAsLine
	}
	return assemble([]orb.LineString{side})
}

// wayLine returns the line of a way; false if a point of it is not in the files.
func (c *collection) wayLine(number int64) (orb.LineString, bool) {
	w := c.ways[number]
	if w.line != nil {
		return w.line, true
	}
	side := make(orb.LineString, 0, len(w.refs))
	for _, ref := range w.refs {
		p, known := c.nodes[ref]
		if !known {
			return nil, false
		}
		side = append(side, p)
	}
	return side, len(side) > 0
}
