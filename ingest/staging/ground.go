package staging

import (
	"cmp"
	"math"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas/ground"
	"quartier/schemas/reason"
)

// stageGround stages a feature of the ground of the map, areas repaired where necessary. It is no part of the coverage of its
// source: nothing can be asked of it.
func (s *sink) stageGround(v source.Ground) (err error) {
	where := v.Layer + " " + v.Kind + " " + v.SourceKey + " " + v.Name
	if ok, err := s.accept("ground", where, checkGround(v), v.Layer, v.SourceKey); !ok {
		return err
	}
	if area, ok := v.Geometry.(orb.MultiPolygon); ok {
		v.Geom, err = s.outline(area, where)
	} else {
		v.Geom, err = geo.WKB(v.Geometry)
	}
	if v.Geom == nil || err != nil {
		return s.fail(err)
	}
	v.SourceID = s.source
	return write(s, "ground", v.Ground)
}

func checkGround(v source.Ground) reason.Reason {
	layer, _, known := ground.Find(v.Layer, v.Kind)
	why := cmp.Or(
		checkTexts("key", v.SourceKey, "name", v.Name, "French name", v.NameFR, "number", v.Ref, "service", v.Service),
		when(v.SourceKey == "", source.MissingKey),
		when(!known, unknownGroundKind),
		when(v.MinZoom != nil && (*v.MinZoom < 0 || *v.MinZoom > 14), source.InvalidNumber),
		when(negative(v.Population), source.NegativeCount),
	)
	if !why.OK() {
		return why
	}
	shape := source.WrongGeometryType.With(layer.ID)
	switch g := v.Geometry.(type) {
	case orb.Point:
		shape = cmp.Or(when(layer.Shape != "point", shape), checkLocation(g))
	case orb.LineString:
		shape = cmp.Or(when(layer.Shape != "line", shape), checkLine(g, math.Inf(1)))
	case orb.MultiPolygon:
		shape = when(layer.Shape != "area", shape)
		if shape.OK() && v.Layer != "ocean" { // which may reach far beyond Canada and the United States
			shape = checkOutline(g)
		}
	}
	return shape
}
