package ground

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/formats/overturenames"
	"quartier/ingest/formats/vector"
	"quartier/ingest/kinds/osm/groundtags"
	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas/reason"
)

// feature stages the rows of a feature, or returns why it has none.
func feature(f vector.Feature, r vector.Run[settings]) (reason.Reason, error) {
	if !f.Fault.OK() || f.Geometry == nil || f.Geometry.Dimensions() < 0 {
		return cmp.Or(f.Fault, source.MissingGeometry), nil
	}
	tags := tagsOf(f)
	key := cmp.Or(f.Value("id"), f.Value("@id"), f.Value("@row"))
	if r.Options.Layout == naturalEarth {
		key = filepath.Base(r.In.Path) + "/" + cmp.Or(tags["ne_id"], f.Value("@row"))
	}
	if sort := tags["featurecla"]; r.Options.Layout == naturalEarth && (sort == "Land" || sort == "Minor island") {
		last := &r.Options.lands[len(r.Options.lands)-1]
		*last = append(*last, vector.Outline(f.Geometry)...)
		return reason.Reason{}, nil
	}
	kind := [...]element.Kinds{element.Nodes, element.Ways, element.Relations}[f.Geometry.Dimensions()]
	matches := layouts[r.Options.Layout].Classify(kind, false, element.TagsOf(tags), nil)
	if len(matches) == 0 {
		return notShown, nil
	}
	row := matches[0].Row(element.TagsOf(tags))
	row.MinZoom, row.Rank = cmp.Or(whole(tags["min_zoom"], 14), row.MinZoom), cmp.Or(row.Rank, whole(tags["scalerank"], 99))
	parts := shapes(f.Geometry, matches[0].Layer.Shape)
	if len(parts) == 0 {
		return source.MissingGeometry, nil
	}
	for i, part := range parts {
		row.SourceKey, row.Geometry = key, part
		if i > 0 {
			row.SourceKey = fmt.Sprintf("%s/%d", key, i)
		}
		if err := r.Out.Row(row); err != nil {
			return reason.Reason{}, err
		}
	}
	return reason.Reason{}, nil
}

// whole is a number rounded down; nil if it is none from 0 to most.
func whole(text string, most float64) *int32 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0 && n <= most) {
		return nil
	}
	return new(int32(n))
}

// shapes are the points, lines or the one area of a geometry, or a point in an area.
func shapes(g orb.Geometry, shape string) (parts []orb.Geometry) {
	switch g := g.(type) {
	case orb.MultiPoint:
		for _, p := range g {
			parts = append(parts, p)
		}
	case orb.MultiLineString:
		for _, line := range g {
			parts = append(parts, line)
		}
	case orb.Polygon, orb.MultiPolygon, orb.Collection:
		area := vector.Outline(g)
		if inside, ok := geo.InteriorPoint(area); ok && shape == "point" {
			return append(parts, inside)
		}
		return append(parts, area)
	default:
		parts = append(parts, g)
	}
	return parts
}

// tagsOf are the attributes of a feature, in small letters, with what Overture Maps has in structures and Natural Earth under
// other names as OpenStreetMap's tags. What is not as its publisher writes it is absent.
func tagsOf(f vector.Feature) map[string]string {
	tags := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(f.Attributes)) {
		tags[strings.ToLower(name)] = f.Attributes[name]
	}
	names := overturenames.Of(f.Attributes)
	tags["name"], tags["name:fr"] = cmp.Or(names.Best(), tags["name"]), cmp.Or(names.Common["fr"], tags["name_fr"])
	tags["population"] = cmp.Or(tags["population"], tags["pop_max"])
	tags["service"], tags["@row"] = tags["subclass"], f.Value("@row")
	if n, known := groundtags.Population(tags["population"]); known && n < 50_000 && tags["featurecla"] == "Populated place" {
		tags["featurecla"] = "Small populated place"
	}
	if tags["is_underground"] == "true" {
		tags["location"] = "underground"
	}
	if tags["class"] == "maritime" || strings.HasPrefix(tags["featurecla"], "Marine Indicator") {
		tags["maritime"] = "yes"
	}
	for _, route := range decoded[[]struct{ Ref string }](tags["routes"]) {
		tags["ref"] = cmp.Or(tags["ref"], route.Ref)
	}
	for _, flags := range decoded[[]struct {
		Values  []string
		Between any // of a part of the segment, which is not shown apart
	}](tags["road_flags"]) {
		for flag, tag := range map[string]string{"is_link": "highway", "is_bridge": "bridge", "is_tunnel": "tunnel"} {
			if flags.Between == nil && slices.Contains(flags.Values, flag) {
				tags[tag] = "a_link" // any value but no
			}
		}
	}
	for _, of := range decoded[[]struct{ Subtype string }](tags["capital_of_divisions"]) {
		capital := map[string]string{"country": "yes", "region": "4"}[of.Subtype]
		tags["capital"] = max(tags["capital"], capital) // "yes" is after "4"
	}
	if zoom := decoded[struct {
		MinZoom json.Number `json:"min_zoom"`
	}](tags["cartography"]).MinZoom; zoom != "" {
		tags["min_zoom"] = zoom.String()
	}
	return tags
}

// decoded is the value of a structure; its zero value if it is not as expected.
func decoded[T any](text string) (v T) {
	if json.Unmarshal([]byte(text), &v) != nil {
		return *new(T)
	}
	return v
}
