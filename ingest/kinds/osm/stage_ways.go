package osm

import (
	"context"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/streettags"
	"quartier/ingest/source"
	"quartier/internal/geo"
)

// stageWays stages the ways that are streets, places or features.
func (s *stager) stageWays(b *element.Batch) error {
	for i := range b.Ways {
		w := &b.Ways[i]
		ground := &enclosed{outline: func() (orb.MultiPolygon, *trouble) { return s.ring(w) }}
		if err := s.stageStreet(w); err != nil {
			return err
		}
		if s.pois && s.claims(s.places.Judge(w.Tags), element.Ways, w.ID, w.Tags) {
			if trouble := drawnAsLine(w, "a place drawn as a line"); trouble != nil {
				s.out.Issue(source.Uncoded(trouble.severity, trouble.reason), where(element.Ways, w.ID, w.Tags.Get("name")))
			} else if err := s.stageArea(element.Ways, w.ID, w.Tags.Map(), ground); err != nil {
				return err
			}
		}
		if err := s.stageWayFeatures(w, ground); err != nil {
			return err
		}
	}
	return nil
}

// drawnAsLine tells why a way encloses nothing; nil where it does.
func drawnAsLine(w *element.Way, reason string) *trouble {
	if w.Closed() && w.Tags.Get("area") != "no" {
		return nil
	}
	return &trouble{source.Skipped, reason}
}

// ring is the outline of a closed way.
func (s *stager) ring(w *element.Way) (orb.MultiPolygon, *trouble) {
	line, missing := s.nodes.Line(w.Refs)
	if missing > 0 {
		return nil, s.gap(w.Refs)
	}
	return orb.MultiPolygon{{orb.Ring(line)}}, nil
}

// stageStreet stages a way that is a street.
func (s *stager) stageStreet(w *element.Way) error {
	if !s.streets {
		return nil
	}
	var row source.Street
	verdict, flaws := s.ways.Row(&row, w.Tags, w.Closed())
	if verdict == streettags.None {
		return nil
	}
	s.out.Read(1)
	at := where(element.Ways, w.ID, w.Tags.Get("name"))
	if verdict != streettags.Street {
		s.out.Issue(source.Uncoded(source.Skipped, verdict.Reason()), at)
		return nil
	}
	cut, ok := streettags.Lay(&row, w, &s.nodes)
	astray := cut && s.nodes.Misplaced(w.Refs)
	switch {
	case !ok && astray:
		s.out.Issue(source.Uncoded(source.Rejected, offWorld), at)
		return nil
	case !ok && cut:
		s.out.Issue(source.Uncoded(source.Skipped, "a street outside of the extract"), at)
		return nil
	case !ok:
		s.out.Issue(source.Uncoded(source.Rejected, "a street of one node"), at)
		return nil
	case astray:
		s.out.Issue(source.Uncoded(source.Repaired, offWorld+", a street cut off there"), at)
	case cut:
		s.out.Issue(source.Uncoded(source.Repaired, "a street that leaves the extract cut off there"), at)
	}
	for _, reason := range flaws.Reasons() {
		s.out.Issue(source.Uncoded(source.Repaired, reason), at)
	}
	return s.out.Street(row)
}

// stageRelations stages the multipolygons that are places or features.
func (s *stager) stageRelations(ctx context.Context) error {
	for _, f := range s.objects {
		if err := ctx.Err(); err != nil {
			return err
		}
		ground := &enclosed{outline: func() (orb.MultiPolygon, *trouble) { return s.outline(f) }}
		if f.place {
			if err := s.stageArea(f.kind, f.id, f.tags, ground); err != nil {
				return err
			}
		}
		if len(f.features) > 0 {
			if err := s.stageRelationFeatures(f, ground); err != nil {
				return err
			}
		}
	}
	return nil
}

// enclosed is the ground inside an outline, worked out when somebody asks for it, and once.
type enclosed struct {
	outline func() (orb.MultiPolygon, *trouble)

	known, measured bool
	geometry        orb.MultiPolygon
	trouble         *trouble
	inside          orb.Point
	size            float64
}

// area is the outline itself.
func (e *enclosed) area() (orb.MultiPolygon, *trouble) {
	if !e.known {
		e.known = true
		e.geometry, e.trouble = e.outline()
	}
	return e.geometry, e.trouble
}

// spot is a point inside and the size in m².
func (e *enclosed) spot() (orb.Point, float64, *trouble) {
	geometry, trouble := e.area()
	if trouble == nil && !e.measured {
		e.measured = true
		var ok bool
		if e.inside, ok = geo.InteriorPoint(geometry); !ok {
			e.trouble = &void
		}
		e.size = geo.Area(geometry)
	}
	return e.inside, e.size, e.trouble
}
