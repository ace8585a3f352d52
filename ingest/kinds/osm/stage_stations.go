package osm

import (
	"maps"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
)

// station is a node that is a station of an untagged kind of railway. It is staged when the tracks and lines that lead
// through it are known.
type station struct {
	tags  map[string]string
	point orb.Point
}

// stageStations stages the kept stations.
func (s *stager) stageStations() error {
	for _, route := range s.transit.routes {
		s.stationKinds.AddLine(route)
	}
	for _, id := range slices.Sorted(maps.Keys(s.stations)) {
		at := s.stations[id]
		if kind := s.stationKinds.Kind(id, at.tags); kind != "" {
			at.tags["station"] = kind
		}
		if err := s.stagePlace(element.Nodes, id, at.tags, at.point, nil); err != nil {
			return err
		}
	}
	return nil
}
