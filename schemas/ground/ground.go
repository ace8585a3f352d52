// Package ground has the vocabulary of the ground of the map: the layers and kinds of staged.ground. They are those of the
// Shortbread schema of vector tiles, 1.1, that quartier has.
package ground

import (
	_ "embed"
	"strconv"

	"quartier/schemas/tsv"
)

// Layer is a layer of the ground.
type Layer struct {
	ID    string
	Shape string // "point", "line" or "area"
	Kinds []Kind
}

// Kind is a kind of a layer. MinZoom is the lowest zoom of tiles that have it, unless the row of a feature has its own.
type Kind struct {
	ID      string
	MinZoom int
}

//go:embed layers.tsv
var table string

// Layers are in the order of layers.tsv. Rail, runways and taxiways are streets, as in Shortbread; a kind of streets has its
// ramps too.
var Layers = read()

func read() (layers []Layer) {
	for _, cells := range tsv.MustParse("layers.tsv", table, "layer", "shape", "kind", "min_zoom") {
		zoom, err := strconv.Atoi(cells[3])
		if err != nil {
			panic(err) // the table is a part of the program
		}
		if n := len(layers); n == 0 || layers[n-1].ID != cells[0] {
			layers = append(layers, Layer{ID: cells[0], Shape: cells[1]})
		}
		layer := &layers[len(layers)-1]
		layer.Kinds = append(layer.Kinds, Kind{ID: cells[2], MinZoom: zoom})
	}
	return layers
}

// Find returns a layer and its kind; false if there is no such layer or kind.
func Find(layer, kind string) (Layer, Kind, bool) {
	for _, l := range Layers {
		for _, k := range l.Kinds {
			if l.ID == layer && k.ID == kind {
				return l, k, true
			}
		}
	}
	return Layer{}, Kind{}, false
}
