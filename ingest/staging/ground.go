package staging

import (
	"cmp"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/internal/outline"
	"quartier/schemas"
	"quartier/schemas/reason"
)

// stageGround stages a feature of the ground of the map, areas repaired where necessary. It is no part of the coverage of its
// source: nothing can be asked of it.
func (s *sink) stageGround(v source.Ground) error {
	where := v.Layer + " " + v.Kind + " " + v.SourceKey + " " + v.Name
	if ok, err := s.accept("ground", where, checkGround(v), v.Layer, v.SourceKey); !ok {
		return err
	}
	var err error
	if area, ok := v.Geometry.(orb.MultiPolygon); ok {
		v.Geom, err = s.outline(area, where)
	} else {
		v.Geom, err = geo.WKB(v.Geometry)
	}
	if v.Geom == nil || err != nil {
		return s.fail(err)
	}
	if negative(v.Population) {
		v.Population = nil
		s.Issue(source.PopulationRemoved, where)
	}
	v.SourceID = s.source
	return write(s, "ground", v.Ground)
}

func checkGround(v source.Ground) reason.Reason {
	layer, _, known := schemas.GroundKindOf(v.Layer, v.Kind)
	why := cmp.Or(
		checkTexts("key", v.SourceKey, "name", v.Name, "French name", v.NameFR, "number", v.Ref, "service", v.Service),
		when(v.SourceKey == "", source.MissingKey),
		when(!known, unknownGroundKind),
		when(v.MinZoom != nil && (*v.MinZoom < 0 || *v.MinZoom > 14), source.InvalidNumber.With("lowest zoom")),
	)
	if !why.OK() {
		return why
	}
	shape, lines := "", []orb.LineString{}
	switch g := v.Geometry.(type) {
	case orb.Point:
		shape, lines = "point", append(lines, orb.LineString{g})
	case orb.LineString:
		shape, lines = "line", append(lines, g)
	case orb.MultiPolygon:
		shape = "area"
		for _, polygon := range g {
			for _, ring := range polygon {
				lines = append(lines, orb.LineString(ring))
			}
		}
	}
	if shape != layer.Shape {
		return source.WrongGeometryType.With(layer.ID)
	}
	if why = checkDrawn(shape, lines); !why.OK() {
		return why.With(layer.ID)
	}
	return why
}

// checkDrawn returns why a geometry cannot be on a map of Canada and the United States, if it cannot. It may reach far beyond
// them, as an ocean does.
func checkDrawn(shape string, lines []orb.LineString) reason.Reason {
	near, moves := false, shape != "line"
	for _, line := range lines {
		for _, p := range line {
			switch {
			case !finite(p):
				return source.InvalidCoordinate
			case !inRange(p):
				return source.CoordinateOutOfRange
			}
			near, moves = near || outline.Near(p), moves || p != line[0]
		}
	}
	return cmp.Or(when(!moves, zeroLength), when(!near && len(lines) > 0, source.OutsideNorthAmerica))
}
