package tiles

import (
	"slices"
	"strings"

	"quartier/schemas/ground"
	"quartier/schemas/staged"
)

// The layers of the ground are those of the Shortbread schema of vector tiles, 1.1, with its names of fields, so that styles
// made for it draw them. Their rows are staged.Ground: those of ground.Layers as they are, and layers of labels.

// layerNamed are the layers of the ground by name.
var layerNamed = func() map[string]layer {
	byName := map[string]layer{}
	for l := firstOfGround; int(l) < len(layers); l++ {
		byName[layers[l].name] = l
	}
	return byName
}()

var groundList = func() (list []layer) {
	for l := firstOfGround; int(l) < len(layers); l++ {
		list = append(list, l)
	}
	return list
}()

// Fields of the ground that several layers have.
var (
	kindField = field{name: "kind", kind: "String", about: "of the feature, as in Shortbread"}
	named     = []field{kindField, nameField, frenchField}
)

// groundFields are the fields of layers that have more than a kind.
var groundFields = map[string][]field{
	"ocean":            {{name: "wide", kind: "Number", about: "1: of a source for low zooms"}, last},
	"water_polygons":   {kindField, last},
	"buildings":        {{name: "dummy", kind: "Number", about: "1"}},
	"public_transport": named,
	"ferries":          named,
	"streets": {kindField, {name: "rail", kind: "Boolean"}, {name: "link", kind: "Boolean", about: "a ramp", late: true},
		{name: "bridge", kind: "Boolean", late: true}, {name: "tunnel", kind: "Boolean", late: true},
		{name: "service", kind: "String", about: "such as yard or driveway", late: true}},
	"boundaries": {{name: "admin_level", kind: "Number", about: "2 or 4"}, {name: "maritime", kind: "Boolean", about: "at sea"},
		{name: "disputed", kind: "Boolean", about: "false"}, last},
	"place_labels": {kindField, nameField, frenchField, peopleField,
		{name: "rank", kind: "Number", about: "by which labels are placed: 0 the most important"}},
	"street_labels": {kindField, nameField, frenchField, {name: "ref", kind: "String", about: "numbers, one a line"},
		{name: "ref_rows", kind: "Number", about: "number of lines of ref"}, {name: "ref_cols", kind: "Number", about: "length of the longest"},
		{name: "tunnel", kind: "Boolean"}},
	"water_lines_labels":      named,
	"water_polygons_labels":   append(slices.Clone(named), field{name: "way_area", kind: "Number", about: "square metres of Mercator's map"}),
	"streets_polygons_labels": named,
}

// groundLayers describe the layers of the ground, lowest first.
func groundLayers() (list []layerInfo) {
	for _, l := range ground.Layers {
		lowest := MaxZoom
		for _, kind := range l.Kinds {
			lowest = min(lowest, kind.MinZoom)
		}
		list = append(list, layerInfo{name: l.ID, about: "As in Shortbread 1.1", min: uint8(lowest)})
	}
	list = append(list,
		layerInfo{name: "water_lines_labels", about: "Rivers, canals and streams with a name", min: waterLabelZoom},
		layerInfo{name: "water_polygons_labels", about: "A point inside of each area of water with a name"},
		layerInfo{name: "streets_polygons_labels", about: "A point inside of each square with a name", min: MaxZoom},
		layerInfo{name: "street_labels", about: "Streets, railways and runways with a name or number", min: 10})
	for i := range list {
		l := &list[i]
		l.fields = groundFields[l.name]
		if l.fields == nil {
			l.fields = []field{kindField}
		}
		l.wide = slices.Contains(l.fields, last)
		switch l.name {
		case "streets":
			l.full = 11
		case "ocean", "water_polygons", "water_lines", "boundaries", "place_labels":
			l.min = 0 // a source may propose a lower zoom than Shortbread's
		}
	}
	return list
}

// waterLabelZoom is the lowest zoom of names along rivers and canals.
const waterLabelZoom = 12

// rails are the kinds of streets that are railways.
var rails = []string{"rail", "narrow_gauge", "tram", "light_rail", "funicular", "subway", "monorail"}

// labelZoom is the lowest zoom at which a kind of streets has labels.
func labelZoom(kind string, link bool) uint8 {
	z, found := map[string]uint8{
		"motorway": 10, "trunk": 12, "primary": 12, "secondary": 13, "tertiary": 13, "runway": 11, "taxiway": 13,
	}[kind]
	switch {
	case slices.Contains(rails, kind):
		return 10
	case !found || link && kind == "tertiary":
		return MaxZoom
	case link:
		return 13
	}
	return z
}

// placeZoom is the lowest zoom of a kind of places.
func placeZoom(kind string) uint8 {
	_, k, _ := ground.Find("place_labels", kind)
	return uint8(k.MinZoom)
}

// lowestZoom is the lowest zoom of a row: that of its layer and kind, or a lower one of a layer that has lower ones.
func lowestZoom(r *staged.Ground, kind ground.Kind) uint8 {
	switch {
	case slices.Contains(rails, r.Kind) && r.Service != "":
		return max(10, uint8(kind.MinZoom))
	case r.MinZoom == nil:
		return uint8(kind.MinZoom)
	}
	return min(max(uint8(*r.MinZoom), layers[layerNamed[r.Layer]].min), MaxZoom)
}

// kindOf is the kind of streets of a class of schemas.StreetClasses, whether it is a ramp, and its kind of service.
func kindOf(class string) (kind string, link bool, service string) {
	switch class {
	case "driveway", "parking_aisle", "alley":
		return "service", false, class
	case "sidewalk", "crossing":
		return "footway", false, ""
	case "bridleway":
		return "path", false, ""
	}
	kind, link = strings.CutSuffix(class, "_link")
	return kind, link, ""
}

// valueOf is the value of a field of a row.
func valueOf(r *staged.Ground, f *field) any {
	switch f.name {
	case "kind":
		if r.Link && r.Layer == "street_labels" {
			return r.Kind + "_link"
		}
		return r.Kind
	case "name":
		return orNil(r.Name)
	case "name_fr":
		return other(r.NameFR, r.Name)
	case "ref":
		return orNil(strings.ReplaceAll(r.Ref, ";", "\n"))
	case "ref_rows", "ref_cols":
		return refSize(r.Ref, f.name == "ref_rows")
	case "rail":
		return slices.Contains(rails, r.Kind)
	case "link":
		return r.Link
	case "bridge":
		return r.Bridge
	case "tunnel":
		return r.Tunnel
	case "maritime":
		return r.Maritime
	case "disputed":
		return false
	case "service":
		return orNil(r.Service)
	case "admin_level":
		return map[string]int64{"country": 2, "state": 4}[r.Kind]
	case "population":
		if r.Population != nil {
			return *r.Population
		}
	case "rank":
		return rankOf(r)
	case "dummy":
		return int64(1)
	case "wide":
		if isWide(r) {
			return int64(1)
		}
	}
	return nil
}

// refSize is the number of lines of a reference, or the length of the longest; nil for none.
func refSize(ref string, lines bool) any {
	if ref == "" {
		return nil
	}
	parts := strings.Split(ref, ";")
	if lines {
		return int64(len(parts))
	}
	longest := 0
	for _, part := range parts {
		longest = max(longest, len([]rune(part)))
	}
	return int64(longest)
}

// placeRanks are where the ranks of kinds of places begin, and what a place without a rank has beyond that.
var placeRanks = map[string][2]int64{
	"capital": {0, 2}, "state_capital": {2, 3}, "city": {3, 4}, "town": {10, 5}, "village": {20, 5}, "suburb": {18, 5}, "quarter": {24, 5},
	"hamlet": {30, 5}, "island": {30, 5}, "neighbourhood": {32, 5}, "locality": {44, 5}, "isolated_dwelling": {46, 5}, "farm": {46, 5},
}

// rankOf is the rank of a place: of its kind, then of the place among those of its kind.
func rankOf(r *staged.Ground) int64 {
	at := placeRanks[r.Kind]
	if r.Rank == nil {
		return at[0] + at[1]
	}
	return at[0] + min(max(int64(*r.Rank), 0), 11)
}

// streetOrder is the place of a row among streets, the lowest drawn first: tunnels, then by kind, then bridges.
func streetOrder(r *staged.Ground) uint64 {
	order := len(streetKinds) - slices.Index(streetKinds, r.Kind)
	switch {
	case r.Bridge:
		order += 2 * len(streetKinds)
	case !r.Tunnel:
		order += len(streetKinds)
	}
	return uint64(order)
}

// streetKinds are the kinds of streets, the most important first.
var streetKinds = func() (list []string) {
	for _, l := range ground.Layers {
		if l.ID == "streets" {
			for _, kind := range l.Kinds {
				list = append(list, kind.ID)
			}
		}
	}
	return list
}()
