package osm

import (
	"cmp"
	"context"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/placetags"
	"quartier/ingest/kinds/osm/streettags"
	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas/reason"
)

// stageWays stages the ways that are streets, places or features.
func (s *stager) stageWays(b *element.Batch) error {
	for i := range b.Ways {
		w := &b.Ways[i]
		area := &areaGeometry{assemble: func() (orb.MultiPolygon, reason.Reason) { return s.ring(w) }}
		if err := s.stageStreet(w); err != nil {
			return err
		}
		if s.pois && s.isPlace(element.Ways, w.ID, w.Tags) {
			if notAnArea(w) {
				s.out.Issue(placetags.PlaceAsLine, where(element.Ways, w.ID, w.Tags.Get("name")))
			} else if err := s.stageArea(element.Ways, w.ID, w.Tags.Map(), area); err != nil {
				return err
			}
		}
		if err := cmp.Or(s.stageWayFeatures(w, area), s.stageWayGround(w, area)); err != nil {
			return err
		}
	}
	return nil
}

// notAnArea reports whether a way does not enclose an area.
func notAnArea(w *element.Way) bool { return !w.Closed() || w.Tags.Get("area") == "no" }

// ring returns the outline of a closed way, or why it has none.
func (s *stager) ring(w *element.Way) (orb.MultiPolygon, reason.Reason) {
	line, missing := s.nodes.Line(w.Refs)
	if missing > 0 {
		return nil, s.missingNodesReason(w.Refs)
	}
	return orb.MultiPolygon{{orb.Ring(line)}}, reason.Reason{}
}

// stageStreet stages a way if it is a street.
func (s *stager) stageStreet(w *element.Way) error {
	if !s.streets {
		return nil
	}
	var row source.Street
	status, repairs := s.ways.Row(&row, w.Tags, w.Closed())
	if status == streettags.None {
		return nil
	}
	s.out.Read(1)
	at := where(element.Ways, w.ID, w.Tags.Get("name"))
	if status != streettags.Street {
		s.out.Issue(status.Reason(), at)
		return nil
	}
	clipped, ok := streettags.SetGeometry(&row, w, &s.nodes)
	if !s.checkLine(w, ok, clipped, "street", at) {
		return nil
	}
	for _, why := range repairs {
		s.out.Issue(why, at)
	}
	return s.out.Row(row)
}

// stageRelations stages the multipolygons that are places or features.
func (s *stager) stageRelations(ctx context.Context) error {
	for _, f := range s.objects {
		if err := ctx.Err(); err != nil {
			return err
		}
		area := &areaGeometry{assemble: func() (orb.MultiPolygon, reason.Reason) { return s.area(f) }}
		if f.place {
			if err := s.stageArea(f.kind, f.id, f.tags, area); err != nil {
				return err
			}
		}
		if len(f.features) > 0 {
			if err := s.stageRelationFeatures(f, area); err != nil {
				return err
			}
		}
		if err := s.stageGround(f.ground, f.kind, f.id, element.TagsOf(f.tags), area.drawn); err != nil {
			return err
		}
	}
	return nil
}

// areaGeometry is the area inside an outline, computed once when it is needed.
type areaGeometry struct {
	assemble func() (orb.MultiPolygon, reason.Reason)

	assembled, measured bool
	outline             orb.MultiPolygon
	why                 reason.Reason // there is no outline
	inside              orb.Point
	m2                  float64
}

// polygon returns the outline, or why there is none.
func (a *areaGeometry) polygon() (orb.MultiPolygon, reason.Reason) {
	if !a.assembled {
		a.assembled = true
		a.outline, a.why = a.assemble()
	}
	return a.outline, a.why
}

// pointInside returns a point inside and the size in m².
func (a *areaGeometry) pointInside() (orb.Point, float64, reason.Reason) {
	outline, why := a.polygon()
	if why.OK() && !a.measured {
		a.measured = true
		var ok bool
		if a.inside, ok = geo.InteriorPoint(outline); !ok {
			a.why = source.ZeroArea
		}
		a.m2 = geo.Area(outline)
	}
	return a.inside, a.m2, a.why
}
