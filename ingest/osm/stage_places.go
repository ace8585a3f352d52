package osm

import (
	"context"

	"github.com/paulmach/orb"

	"quartier/ingest/osm/element"
	"quartier/ingest/osm/place"
	"quartier/ingest/source"
	"quartier/internal/geo"
)

// stageWays stages the closed ways that are places.
func (s *stager) stageWays(b *element.Batch) error {
	for i := range b.Ways {
		w := &b.Ways[i]
		if !s.claims(s.rules.Judge(w.Tags), element.Ways, w.ID, w.Tags) {
			continue
		}
		name := w.Tags.Get("name")
		if !w.Closed() || w.Tags.Get("area") == "no" {
			s.out.Issue(source.Skipped, "a place drawn as a line", where(element.Ways, w.ID, name))
			continue
		}
		line, missing := s.nodes.Line(w.Refs)
		if missing > 0 {
			s.out.Issue(leaves.severity, leaves.reason, where(element.Ways, w.ID, name))
			continue
		}
		if err := s.stageArea(element.Ways, w.ID, w.Tags.Map(), orb.MultiPolygon{{orb.Ring(line)}}); err != nil {
			return err
		}
	}
	return nil
}

// stageRelations stages the multipolygons that are places.
func (s *stager) stageRelations(ctx context.Context) error {
	for _, f := range s.features {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !f.place {
			continue
		}
		geometry, trouble := s.outline(f)
		if trouble != nil {
			s.out.Issue(trouble.severity, trouble.reason, f.where())
			continue
		}
		if err := s.stageArea(f.kind, f.id, f.tags, geometry); err != nil {
			return err
		}
	}
	return nil
}

// stageArea stages a place that is an area by a point inside and its size.
func (s *stager) stageArea(kind element.Kinds, id int64, tags map[string]string, geometry orb.MultiPolygon) error {
	inside, ok := geo.InteriorPoint(geometry)
	if !ok {
		s.out.Issue(void.severity, void.reason, where(kind, id, tags["name"]))
		return nil
	}
	size := geo.Area(geometry)
	return s.stagePlace(kind, id, tags, inside, &size)
}

// stagePlace stages a place at a point, with its size where it is an area.
func (s *stager) stagePlace(kind element.Kinds, id int64, tags map[string]string, at orb.Point, size *float64) error {
	row := place.Row(kind.Key(id), tags)
	row.Point, row.AreaM2 = at, size
	return s.out.POI(row)
}
