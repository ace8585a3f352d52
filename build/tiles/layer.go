package tiles

import (
	"quartier/schemas"
)

// layer is a layer of vector tiles, by its index in layers.
type layer uint8

const (
	water layer = iota
	parks
	buildings
	outlines
	rail
	streets
	pois
	names
	heat
)

// The layers of both archives.
var (
	mapLayers  = []layer{water, parks, buildings, outlines, rail, streets, pois, names}
	heatLayers = []layer{heat}
)

// layers describe what the metadata says of each layer, in the order in which tiles have them: areas first, so that a style
// that draws them in order hides nothing.
var layers = []struct {
	name, about string
	min         uint8 // lowest zoom of any feature
	fields      []field
}{
	water: {"water", "Areas of water of at least a hectare, rivers and canals, shores", 4, []field{
		{"class", "String", "area, river, canal or shore"}, {"name", "String", "of a line"}}},
	parks: {"parks", "Parks with a known outline", 8, []field{
		{"name", "String", ""}, {"name_fr", "String", "if it differs"}}},
	buildings: {"buildings", "Buildings: a point of each, because sources keep no outlines", 14, []field{
		{"class", "String", "detached, house, apartments, residential, retail, commercial, industrial, garage or other"},
		{"m2", "Number", "of the footprint; absent: not known"}}},
	outlines: {"outlines", "Geographies", 0, []field{
		{"id", "String", "geog_id"}, {"level", "Number", "10 to 70"}, {"name", "String", ""}, {"name_fr", "String", "if it differs"},
		{lastField, "Number", "1 at zoom 10 where higher zooms have no tiles; absent: they have"}}},
	rail: {"rail", "Tracks above ground", 8, []field{
		{"class", "String", "main, branch, industrial, yard, light_rail, subway or tram"}}},
	streets: {"streets", "Streets and paths", 5, []field{
		{"class", "String", "of OpenStreetMap's highway tag"}, {"name", "String", ""}, {"name_fr", "String", "if it differs"}}},
	pois: {"pois", "Points of interest", 14, []field{
		{"category", "String", "the first of the API's categories"}, {"name", "String", ""}}},
	names: {"names", "A point inside of each geography, for its label", 0, []field{
		{"id", "String", "geog_id"}, {"level", "Number", "10 to 70"}, {"name", "String", ""}, {"name_fr", "String", "if it differs"},
		{"population", "Number", "absent: not known"}}},
	heat: {"heat", "Nodes of the walking network with their scores: value × 20, 0 to 100; absent: not known", 10, scoreFields()},
}

// field is a property of the features of a layer.
type field struct{ name, kind, about string }

func scoreFields() (list []field) {
	for _, s := range schemas.Scores {
		list = append(list, field{s.ID, "Number", s.Label.EN})
	}
	return list
}

// lastField says of an outline that no tile of a higher zoom has it. No row has this field; encode sets it.
const lastField = "last"

// WideZoom is the highest zoom whose tiles go as far as the outlines of countries and states do. Above it there are tiles
// near rows of other kinds alone: in the tiles of WideZoom that have some, and in those around them.
const WideZoom = 10

// wide reports whether a geography may be far larger than the regions of a release.
func wide(level schemas.Level) bool { return level == schemas.State || level == schemas.Country }

// MinZoom and MaxZoom are the zooms of the map, MinHeatZoom is the lowest one of the heat.
const (
	MinZoom     = 0
	MinHeatZoom = 10
	MaxZoom     = 14
)

// levelZooms are the lowest zooms of outlines and names.
var levelZooms = map[schemas.Level]uint8{
	schemas.Country: 0, schemas.State: 2, schemas.Metro: 5, schemas.Region: 5, schemas.County: 6, schemas.CountySubdivision: 8,
	schemas.Municipality: 8, schemas.PostalArea: 9, schemas.Borough: 10, schemas.Neighbourhood: 10,
}

// streetZoom is the lowest zoom of a class of streets.
func streetZoom(class string) uint8 {
	switch class {
	case "motorway", "trunk":
		return 5
	case "primary":
		return 8
	case "secondary":
		return 9
	case "tertiary", "motorway_link", "trunk_link":
		return 11
	case "primary_link", "secondary_link", "tertiary_link", "unclassified", "residential", "living_street":
		return 12
	case "pedestrian", "service", "track", "path", "cycleway", "bridleway":
		return 13
	}
	return 14
}

// railZoom is the lowest zoom of a class of rail.
func railZoom(class string) uint8 {
	switch class {
	case "main", "branch":
		return 8
	case "light_rail", "subway":
		return 10
	}
	return 12
}

// lineZoom is the lowest zoom of a line of water. Shores are not simplified by name, so that they are drawn wherever areas
// of water are.
func lineZoom(class string) uint8 {
	switch class {
	case "shore":
		return 6
	case "river":
		return 8
	}
	return 11
}

// areaZoom is the lowest zoom at which an area of some square units of the grid (see grid.go) is drawn: at which it has at
// least leastArea of the tile's own units.
func areaZoom(area float64, lowest uint8) uint8 {
	z := uint8(MaxZoom)
	for z > lowest && area >= leastArea*unit(z-1)*unit(z-1) {
		z--
	}
	return z
}
