package overpass

import (
	"cmp"
	"context"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/formats/geojson"
	"quartier/ingest/kinds/osm/polygon"
	"quartier/ingest/source"
)

// readFeatures reads a GeoJSON file.
func (c *collection) readFeatures(ctx context.Context, r io.Reader) error {
	return geojson.NewReader(r, c.limits).Each(ctx, c.file, c.out, func(f geojson.Feature, where string) error {
		c.addFeature(f, where)
		return nil
	})
}

func (c *collection) addFeature(f geojson.Feature, where string) {
	properties, err := f.Values()
	if err != nil {
		c.out.Issue(source.MalformedProperties, where)
		return
	}
	at, ok := featureID(f, properties)
	if !ok {
		c.out.Issue(source.MissingKey, where)
		return
	}
	tags, err := featureTags(properties)
	if err != nil {
		c.out.Issue(malformedHstore, where)
	}
	if len(tags) == 0 && len(c.extra) > 0 {
		tags = maps.Clone(c.extra)
	}
	c.place(at, f.Geometry, tags, where)
}

// place adds the tags and geometry of a feature. Further areas of the same object are parts of it.
func (c *collection) place(at id, geometry orb.Geometry, tags map[string]string, where string) {
	shape, isLine := areaOf(geometry)
	if o := c.all[at]; o != nil && o.area != nil && shape != nil && len(tags) > 0 && !contains(o.area, shape) {
		o.area = append(o.area, shape...)
		c.out.Issue(partMerged, where)
		return
	}
	o := c.object(at, tags, where)
	if p, ok := geometry.(orb.Point); ok {
		if at.kind == element.Nodes {
			c.addNode(at.number, p)
		} else if o.center == nil {
			o.center = &p
		}
	}
	if o.area == nil && !c.hasOutline(at) {
		o.area, o.open = shape, isLine && shape == nil
	}
}

// hasOutline reports whether an Overpass JSON file has the object's outline.
func (c *collection) hasOutline(at id) bool {
	return (at.kind == element.Ways && c.ways[at.number].refs != nil) || (at.kind == element.Relations && c.relations[at.number] != nil)
}

// areaOf returns the area that a geometry encloses, and whether it is a line.
func areaOf(geometry orb.Geometry) (shape orb.MultiPolygon, isLine bool) {
	var lines []orb.LineString
	switch g := geometry.(type) {
	case orb.Polygon:
		lines = rings(g)
	case orb.MultiPolygon:
		for _, p := range g {
			lines = append(lines, rings(p)...)
		}
	case orb.LineString:
		if len(g) < 4 || g[0] != g[len(g)-1] {
			return nil, true
		}
		lines, isLine = []orb.LineString{g}, true
	case orb.MultiLineString:
		return nil, true
	}
	shape, err := polygon.Assemble(lines)
	if err != nil {
		return nil, isLine
	}
	return shape, isLine
}

func rings(p orb.Polygon) []orb.LineString {
	var lines []orb.LineString
	for _, ring := range p {
		lines = append(lines, orb.LineString(ring))
	}
	return lines
}

// contains reports whether all polygons of b are among those of a.
func contains(a, b orb.MultiPolygon) bool {
	return !slices.ContainsFunc(b, func(p orb.Polygon) bool { return !slices.ContainsFunc(a, p.Equal) })
}

// featureID returns the id of the object, which each exporter writes differently.
func featureID(f geojson.Feature, properties map[string]any) (id, bool) {
	for _, full := range []string{geojson.Text(properties["@id"]), f.ID, geojson.Text(properties["id"])} {
		name, number, _ := strings.Cut(full, "/")
		if n, ok := integer(number); ok {
			if at, ok := newID(name, n); ok {
				return at, true
			}
		}
	}
	name := cmp.Or(geojson.Text(properties["@type"]), geojson.Text(properties["osm_type"]), geojson.Text(properties["type"]))
	for _, number := range []string{geojson.Text(properties["@id"]), geojson.Text(properties["osm_id"]), geojson.Text(properties["id"]),
		f.ID} {
		if n, ok := integer(number); ok {
			if at, ok := newID(name, n); ok {
				return at, true
			}
		}
	}
	if n, ok := integer(geojson.Text(properties["osm_way_id"])); ok {
		return newID("way", n)
	}
	n, ok := integer(geojson.Text(properties["osm_id"]))
	if !ok {
		return id{}, false
	}
	if _, point := f.Geometry.(orb.Point); point && n > 0 {
		return newID("node", n)
	}
	if n < 0 {
		return newID("relation", -n)
	}
	return newID("way", n)
}

// integer reads whole numbers, also in floating-point notation.
func integer(s string) (int64, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// notTags are properties of exporters that are not tags.
var notTags = map[string]bool{
	"id": true, "osm_id": true, "osm_way_id": true, "osm_type": true, "tags": true, "other_tags": true, "all_tags": true,
	"z_order": true, "way_area": true, "meta": true, "relations": true, "tainted": true, "geometry": true,
}

// featureTags returns the tags among the properties, under tags, and in an hstore text. With errHstore it returns those
// before the error.
func featureTags(properties map[string]any) (tags map[string]string, err error) {
	tags = map[string]string{}
	for key, value := range properties {
		if s := geojson.Text(value); s != "" && !notTags[key] && !strings.HasPrefix(key, "@") {
			tags[key] = s
		}
	}
	for _, key := range []string{"tags", "other_tags", "all_tags"} {
		switch nested := properties[key].(type) {
		case map[string]any:
			for k, v := range nested {
				if s := geojson.Text(v); s != "" {
					tags[k] = s
				}
			}
		case string:
			more, fault := parseHstore(nested)
			err = cmp.Or(err, fault)
			for k, v := range more {
				tags[k] = v
			}
		}
	}
	return tags, err
}
