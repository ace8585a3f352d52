package osm

import (
	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/placetags"
	"quartier/ingest/source"
)

// stageArea stages a place that is an area by a point inside and its size.
func (s *stager) stageArea(kind element.Kinds, id int64, tags map[string]string, ground *enclosed) error {
	inside, size, trouble := ground.spot()
	if trouble != nil {
		s.out.Issue(source.Uncoded(trouble.severity, trouble.reason), where(kind, id, tags["name"]))
		return nil
	}
	return s.stagePlace(kind, id, tags, inside, &size)
}

// stagePlace stages a place at a point, with its size where it is an area.
func (s *stager) stagePlace(kind element.Kinds, id int64, tags map[string]string, at orb.Point, size *float64) error {
	row := placetags.Row(kind.Key(id), tags)
	row.Point, row.AreaM2 = at, size
	return s.out.POI(row)
}
