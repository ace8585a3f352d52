package tiles

import (
	"quartier/schemas"
)

// layer is a layer of vector tiles, by its index in layers.
type layer uint8

const (
	outlines layer = iota
	pois
	names
	heat
	firstOfGround // and those after it, see ground.go
)

// The layers of each archive.
var (
	mapLayers  = []layer{outlines, pois, names}
	heatLayers = []layer{heat}
)

// layerInfo is what the metadata say of a layer, and how it is made.
type layerInfo struct {
	name, about string
	min         uint8 // lowest zoom of any feature
	fields      []field
	wide        bool  // it has lastField
	full        uint8 // lowest zoom at which features have the fields that are late
}

// layers describe each layer. Tiles have them in this order: areas first, so that a style that draws them in order hides nothing.
var layers = append([]layerInfo{
	outlines: {name: "outlines", about: "Geographies", wide: true, fields: []field{
		idField, levelField, nameField, frenchField, last}},
	pois: {name: "pois", about: "Points of interest", min: 14, fields: []field{
		{name: "category", kind: "String", about: "the first of the API's categories"}, nameField}},
	names: {name: "names", about: "A point inside of each geography, for its label", fields: []field{
		idField, levelField, nameField, frenchField, peopleField}},
	heat: {name: "heat", about: "Halves of the edges of the walking network with the scores of the node at which they begin: value × 20, " +
		"0 to 100; absent: not known", min: MinHeatZoom, fields: scoreFields()},
}, groundLayers()...)

// field is a property of the features of a layer.
type field struct {
	name, kind, about string
	late              bool // features have it from the layer's full zoom on
}

func scoreFields() (list []field) {
	for _, s := range schemas.Scores {
		list = append(list, field{name: s.ID, kind: "Number", about: s.Label.EN})
	}
	return list
}

// lastField says of a feature that no tile of a higher zoom has it. No row has this field; encode sets it.
const lastField = "last"

// Fields that several layers have.
var (
	idField     = field{name: "id", kind: "String", about: "geog_id"}
	levelField  = field{name: "level", kind: "Number", about: "10 to 70"}
	nameField   = field{name: "name", kind: "String"}
	frenchField = field{name: "name_fr", kind: "String", about: "if it differs"}
	peopleField = field{name: "population", kind: "Number", about: "absent: not known"}
	last        = field{name: lastField, kind: "Number", about: "1 at zoom 10 where higher zooms have no tiles; absent: they have"}
)

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

// areaZoom is the lowest zoom at which an area of some square units of the grid (see grid.go) is drawn: at which it has at
// least leastArea of the tile's own units.
func areaZoom(area float64, lowest uint8) uint8 {
	z := uint8(MaxZoom)
	for z > lowest && area >= leastArea*unit(z-1)*unit(z-1) {
		z--
	}
	return z
}
