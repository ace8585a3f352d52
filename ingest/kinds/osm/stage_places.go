package osm

import (
	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/placetags"
)

// stageArea stages a place that is an area by a point inside and its size.
func (s *stager) stageArea(kind element.Kinds, id int64, tags map[string]string, area *areaGeometry) error {
	inside, m2, why := area.pointInside()
	if !why.OK() {
		s.out.Issue(why, where(kind, id, tags["name"]))
		return nil
	}
	return s.stagePlace(kind, id, tags, inside, &m2)
}

// stagePlace stages a place at a point, with its size in m² if it is an area.
func (s *stager) stagePlace(kind element.Kinds, id int64, tags map[string]string, at orb.Point, m2 *float64) error {
	row := placetags.Row(kind.Key(id), tags)
	row.Point, row.AreaM2 = at, m2
	return s.out.Row(row)
}
