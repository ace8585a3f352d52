package staging

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

// stageStreet stages a street.
func (s *sink) stageStreet(v source.Street) error {
	if ok, err := s.accept(v, v.Key+" "+v.Name, checkStreet(v), v.Key); !ok {
		return err
	}
	line, err := geo.WKB(v.Line)
	if err != nil {
		return s.fail(err)
	}
	if !(v.SpeedKMH > 0) || math.IsInf(v.SpeedKMH, 1) {
		v.SpeedKMH = 0
	}
	return write(s, v.Table(), staged.Street{
		SourceID: s.source, SourceKey: v.Key, Class: v.Class, Name: v.Name, NameFR: v.NameFR, Foot: v.Foot, Bicycle: v.Bicycle,
		Car: v.Car, Lanes: int32(v.Lanes), SpeedKMH: v.SpeedKMH, Sidewalk: v.Sidewalk, Cycleway: v.Cycleway,
		Parking: v.Parking, Bridge: v.Bridge, Tunnel: v.Tunnel, Nodes: encodeIDs(v.Nodes), Geom: line,
	})
}

func checkStreet(v source.Street) reason.Reason {
	if why := checkTexts([]field{{"key", v.Key}, {"name", v.Name}, {"French name", v.NameFR}}); !why.OK() {
		return why
	}
	switch {
	case v.Key == "":
		return source.MissingKey
	case !slices.Contains(schemas.StreetClasses, v.Class):
		return unknownStreetClass
	case !slices.Contains([]string{"no", "both", "forward", "backward"}, v.Car):
		return invalidCarDirection
	case v.Nodes != nil && len(v.Nodes) != len(v.Line):
		return nodeCountMismatch
	}
	return checkLine(v.Line, maxSegmentM)
}

// stageFeature stages a point, line or area that shapes a place, areas repaired where necessary.
func (s *sink) stageFeature(f source.Feature) error {
	where := f.Kind + " " + f.Key + " " + f.Name
	if ok, err := s.accept(f, where, checkFeature(f), f.Kind, f.Key); !ok {
		return err
	}
	var geom []byte
	var err error
	if area, ok := f.Geometry.(orb.MultiPolygon); ok {
		geom, err = s.outline(area, where)
	} else {
		geom, err = geo.WKB(f.Geometry)
	}
	if geom == nil || err != nil {
		return s.fail(err)
	}
	return write(s, f.Table(), staged.Feature{
		SourceID: s.source, SourceKey: f.Key, Kind: f.Kind, Class: f.Class, Name: f.Name, Year: int32(f.Year),
		Size: s.inRange(f.Size, 1e13, sizeRemoved, where), Bridge: f.Bridge, Geom: geom,
	})
}

func checkFeature(f source.Feature) reason.Reason {
	if why := checkTexts([]field{{"key", f.Key}, {"name", f.Name}}); !why.OK() {
		return why
	}
	i := slices.IndexFunc(schemas.FeatureKinds, func(k schemas.FeatureKind) bool { return k.ID == f.Kind })
	switch {
	case f.Key == "":
		return source.MissingKey
	case i < 0:
		return unknownFeatureKind
	}
	kind := schemas.FeatureKinds[i]
	if kind.Classes == nil && f.Class != "" || kind.Classes != nil && !slices.Contains(kind.Classes, f.Class) {
		return source.UnknownFeatureClass.With(kind.ID)
	}
	switch g := f.Geometry.(type) {
	case orb.Point:
		if kind.Shape == "point" || kind.Shape == "point or area" {
			return checkLocation(g)
		}
	case orb.LineString:
		if kind.Shape == "line" {
			return checkLine(g, maxSegmentOf(kind))
		}
	case orb.MultiPolygon:
		if kind.Shape == "area" || kind.Shape == "point or area" {
			return checkExtent(g, maxExtentOf(kind, f.Class))
		}
	}
	return source.WrongGeometryType.With(kind.ID)
}

// stageTimetable stages the period of a timetable.
func (s *sink) stageTimetable(t source.Timetable) error {
	if ok, err := s.accept(t, "timetable "+t.FeedName, checkTexts([]field{{"feed name", t.FeedName}}), ""); !ok {
		return err
	}
	return write(s, t.Table(), staged.Timetable{
		SourceID: s.source, FeedName: t.FeedName, FirstDay: t.FirstDay, LastDay: t.LastDay, Week: t.Week, Trips: t.Trips,
	})
}

// stageStop stages a stop of public transport.
func (s *sink) stageStop(v source.Stop) error {
	fault := checkTexts([]field{{"key", v.Key}, {"name", v.Name}, {"French name", v.NameFR}})
	switch {
	case !fault.OK():
	case v.Key == "":
		fault = source.MissingKey
	case v.Name == "":
		fault = source.MissingName
	default:
		fault = checkLocation(v.Point)
	}
	if ok, err := s.accept(v, v.Key+" "+v.Name, fault, v.Key); !ok {
		return err
	}
	return write(s, v.Table(), staged.Stop{
		SourceID: s.source, SourceKey: v.Key, Name: v.Name, NameFR: v.NameFR, ParentKey: v.ParentKey,
		Lng: v.Point[0], Lat: v.Point[1],
	})
}

// stageRoute stages a line of public transport.
func (s *sink) stageRoute(r source.Route) error {
	fault := checkTexts([]field{{"key", r.Key}, {"agency", r.Agency}, {"name", r.Name}, {"long name", r.LongName}, {"French name", r.NameFR}})
	switch {
	case !fault.OK():
	case r.Key == "":
		fault = source.MissingKey
	case r.Name == "":
		fault = source.MissingName
	case !slices.Contains(schemas.TransitModes, r.Mode):
		fault = unknownTransitMode
	}
	where := r.Key + " " + r.Name
	if ok, err := s.accept(r, where, fault, r.Key); !ok {
		return err
	}
	return write(s, r.Table(), staged.Route{
		SourceID: s.source, SourceKey: r.Key, Agency: r.Agency, Name: r.Name, LongName: r.LongName, NameFR: r.NameFR,
		Mode: r.Mode, SpacingM: s.inRange(r.SpacingM, 1e7, stopSpacingRemoved, where),
	})
}

// stageStopService stages the departures of a line at a stop.
func (s *sink) stageStopService(v source.StopService) error {
	where := fmt.Sprintf("%s at %s, direction %d", v.RouteKey, v.StopKey, v.Direction)
	var fault reason.Reason
	if v.TripsWeek < 1 || v.Direction < 0 || v.Direction > 1 {
		fault = invalidStopService
	}
	if ok, err := s.accept(v, where, fault, v.StopKey, v.RouteKey, fmt.Sprint(v.Direction)); !ok {
		return err
	}
	return write(s, v.Table(), staged.StopService{
		SourceID: s.source, StopKey: v.StopKey, RouteKey: v.RouteKey, Direction: int32(v.Direction), TripsWeek: int32(v.TripsWeek),
	})
}

// stageElevationTile stages a grid of elevations.
func (s *sink) stageElevationTile(e source.ElevationTile) error {
	var fault reason.Reason
	if e.Columns < 2 || e.Rows < 2 || len(e.Cells) != e.Columns*e.Rows || !(e.StepLng > 0) || !(e.StepLat > 0) ||
		!checkPoint(orb.Point{e.West, e.North}).OK() {
		fault = invalidGrid
	}
	if ok, err := s.accept(e, fmt.Sprintf("tile at %v, %v", e.West, e.North), fault); !ok {
		return err
	}
	cells := make([]byte, 0, 4*len(e.Cells))
	for _, metres := range e.Cells {
		cells = binary.LittleEndian.AppendUint32(cells, math.Float32bits(metres))
	}
	s.tiles++
	return write(s, e.Table(), staged.ElevationTile{
		SourceID: s.source, Tile: s.tiles - 1, West: e.West, North: e.North, StepLng: e.StepLng, StepLat: e.StepLat,
		Columns: int32(e.Columns), Rows: int32(e.Rows), Cells: cells,
	})
}

// encodeIDs is the nodes column of a street; nil where its nodes are not known.
func encodeIDs(ids []int64) []byte {
	if ids == nil {
		return nil
	}
	out := make([]byte, 0, 8*len(ids))
	for _, id := range ids {
		out = binary.LittleEndian.AppendUint64(out, uint64(id))
	}
	return out
}
