package schemas

import "strconv"

// GroundLayer is a layer of staged.ground.
type GroundLayer struct {
	ID    string
	Shape string // "point", "line" or "area"
	Kinds []GroundKind
}

// GroundKind is a kind of a layer of staged.ground. MinZoom is the lowest zoom of tiles that have it, unless the row of a
// feature has its own.
type GroundKind struct {
	ID      string
	MinZoom int
}

// GroundLayers are the layers and kinds of the Shortbread schema of vector tiles, 1.1, that the ground has, in the order of
// vocabulary/ground.tsv, which is that of drawing, the lowest first. Rail, runways and taxiways are streets, as there;
// a kind of streets has its ramps too.
var GroundLayers = groundLayers()

func groundLayers() []GroundLayer {
	var layers []GroundLayer
	ReadVocabulary("ground.tsv", func(cells []string) string {
		zoom, err := strconv.Atoi(cells[3])
		if err != nil {
			panic(err)
		}
		if n := len(layers); n == 0 || layers[n-1].ID != cells[0] {
			layers = append(layers, GroundLayer{ID: cells[0], Shape: cells[1]})
		}
		layer := &layers[len(layers)-1]
		layer.Kinds = append(layer.Kinds, GroundKind{ID: cells[2], MinZoom: zoom})
		return ""
	})
	return layers
}

// GroundKindOf returns a layer of staged.ground and its kind; false if there is no such layer or kind.
func GroundKindOf(layer, kind string) (GroundLayer, GroundKind, bool) {
	for _, l := range GroundLayers {
		if l.ID != layer {
			continue
		}
		for _, k := range l.Kinds {
			if k.ID == kind {
				return l, k, true
			}
		}
	}
	return GroundLayer{}, GroundKind{}, false
}
