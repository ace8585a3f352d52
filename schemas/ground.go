package schemas

import "quartier/schemas/ground"

// GroundLayer is a layer of staged.ground.
type GroundLayer = ground.Layer

// GroundLayers are the layers and kinds of staged.ground.
var GroundLayers = ground.Layers

// GroundKindOf returns a layer of staged.ground and its kind; false if there is no such layer or kind.
func GroundKindOf(layer, kind string) (GroundLayer, ground.Kind, bool) {
	return ground.Find(layer, kind)
}
