package overpass

import (
	"errors"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/placetags"
	"quartier/ingest/kinds/osm/polygon"
	"quartier/ingest/source"
	"quartier/internal/geo"
)

// id names an object.
type id struct {
	kind   element.Kinds // a single one
	number int64
}

// newID reads a kind by its name or its first letter, of either case.
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

// object is what the files say of one object, beside its geometry in the collection.
type object struct {
	id     id
	tags   map[string]string
	where  string // first place where its tags stand
	center *orb.Point
	area   orb.MultiPolygon // of GeoJSON
	open   bool             // GeoJSON has it as a line
}

// collection gathers the files of a source, since an object's parts may stand behind it or in another file.
type collection struct {
	out       source.Sink
	rules     placetags.Rules
	extra     map[string]string // tags for every object
	file      string            // base name of the file being read
	all       map[id]*object
	nodes     map[int64]orb.Point
	ways      map[int64]outline
	relations map[int64][]member
}

// outline is a way by its nodes, or by its points where the file gives them.
type outline struct {
	refs []int64
	line orb.LineString
}

func newCollection(extra map[string]string, out source.Sink) (*collection, error) {
	rules, err := placetags.NewRules()
	return &collection{
		out: out, rules: rules, extra: extra, all: map[id]*object{}, nodes: map[int64]orb.Point{}, ways: map[int64]outline{},
		relations: map[int64][]member{},
	}, err
}

// object finds or makes the object. The first tags stay; every further appearance of the object is counted.
func (c *collection) object(at id, tags map[string]string, where string) *object {
	o := c.all[at]
	if o == nil {
		o = &object{id: at, where: where}
		c.all[at] = o
	} else {
		c.out.Issue(source.Uncoded(source.Skipped, "object repeated"), where)
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
	if whole, ok := line(e.Geometry); ok && w.line == nil {
		w.line = whole
	}
	c.ways[e.ID] = w
}

// objects are those with tags of their own. The others are counted: they are corners and sides of outlines.
func (c *collection) objects() []*object {
	var tagged []*object
	bare := 0
	for _, o := range c.all {
		if o.tags == nil {
			bare++
			continue
		}
		tagged = append(tagged, o)
	}
	for range bare {
		c.out.Issue(source.Uncoded(source.Skipped, "without tags"), c.file)
	}
	return tagged
}

// What is no area and no fault either.
var (
	errOpen      = errors.New("a place drawn as a line")
	errNoOutline = errors.New("relation without an outline")
)

// stage hands out one object, or says why not.
func (c *collection) stage(o *object) error {
	for key, value := range c.extra {
		if o.tags[key] == "" {
			o.tags[key] = value
		}
	}
	where := o.where + " (" + o.id.key() + ")"
	if verdict := c.rules.Judge(element.TagsOf(o.tags)); verdict != placetags.Place {
		c.out.Issue(source.Uncoded(source.Skipped, verdict.Reason()), where)
		return nil
	}
	row := placetags.Row(o.id.key(), o.tags)
	if o.id.kind == element.Nodes {
		p, known := c.nodes[o.id.number]
		if !known {
			c.out.Issue(source.Uncoded(source.Rejected, "no coordinates"), where)
			return nil
		}
		row.Point = p
		return c.out.POI(row)
	}
	shape, err := c.shape(o)
	if err == nil {
		if p, inside := geo.InteriorPoint(shape); inside {
			m2 := geo.Area(shape)
			row.Point, row.AreaM2 = p, &m2
			return c.out.POI(row)
		}
		err = polygon.ErrEmpty
	}
	if errors.Is(err, errOpen) || (errors.Is(err, errNoOutline) && o.center == nil) {
		c.out.Issue(source.Uncoded(source.Skipped, err.Error()), where)
		return nil
	}
	if o.center == nil {
		c.out.Issue(source.Uncoded(source.Rejected, reasonOf(err)), where)
		return nil
	}
	row.Point = *o.center
	return c.out.POI(row)
}

// reasonOf is short and the same for all objects with the same fault.
func reasonOf(err error) string {
	var open *polygon.OpenError
	if errors.As(err, &open) {
		return "the outline is open"
	}
	return err.Error()
}

// shape is the area of a way or relation.
func (c *collection) shape(o *object) (orb.MultiPolygon, error) {
	if o.area != nil {
		return o.area, nil
	}
	if o.open {
		return nil, errOpen
	}
	if o.id.kind == element.Ways {
		return c.wayShape(o)
	}
	members := c.relations[o.id.number]
	if kind := o.tags["type"]; kind != "" && kind != "multipolygon" && kind != "boundary" {
		return nil, errNoOutline
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
			return nil, errors.New("a part of the outline is not in the file")
		}
		lines = append(lines, side)
	}
	if lines == nil {
		return nil, errors.New("no geometry")
	}
	return polygon.Assemble(lines)
}

func (c *collection) wayShape(o *object) (orb.MultiPolygon, error) {
	refs := c.ways[o.id.number].refs
	if (len(refs) > 0 && refs[0] != refs[len(refs)-1]) || o.tags["area"] == "no" {
		return nil, errOpen
	}
	side, ok := c.wayLine(o.id.number)
	switch {
	case !ok && len(refs) > 0:
		return nil, errors.New("a part of the outline is not in the file")
	case !ok:
		return nil, errors.New("no geometry")
	case side[0] != side[len(side)-1]:
		return nil, errOpen
	}
	return polygon.Assemble([]orb.LineString{side})
}

// wayLine is the line of a way; false where a point of it is not in the files.
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
