package staging

import (
	"cmp"
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
	if n := len(v.Line); n > 0 {
		s.located(true, v.Line[0], v.Line[n/2], v.Line[n-1])
	}
	if ok, err := s.accept("street", v.Key+" "+v.Name, checkStreet(v), v.Key); !ok {
		return err
	}
	line, err := geo.WKB(v.Line)
	if err != nil {
		return s.fail(err)
	}
	if !(v.SpeedKMH > 0) || math.IsInf(v.SpeedKMH, 1) {
		v.SpeedKMH = 0
	}
	return write(s, "street", staged.Street{
		SourceID: s.source, SourceKey: v.Key, Class: v.Class, Name: v.Name, NameFR: v.NameFR, Foot: v.Foot, Bicycle: v.Bicycle,
		Car: v.Car, Lanes: int32(v.Lanes), SpeedKMH: v.SpeedKMH, Sidewalk: v.Sidewalk, Cycleway: v.Cycleway,
		Parking: v.Parking, Bridge: v.Bridge, Tunnel: v.Tunnel, Nodes: encodeIDs(v.Nodes), Geom: line,
	})
}

func checkStreet(v source.Street) reason.Reason {
	return cmp.Or(
		checkTexts("key", v.Key, "name", v.Name, "French name", v.NameFR),
		when(v.Key == "", source.MissingKey),
		when(!slices.Contains(schemas.StreetClasses, v.Class), unknownStreetClass),
		when(!slices.Contains([]string{"no", "both", "forward", "backward"}, v.Car), invalidCarDirection),
		when(v.Nodes != nil && len(v.Nodes) != len(v.Line), nodeCountMismatch),
		checkLine(v.Line, maxSegmentM),
	)
}

// stageBikeway stages a piece of a cycling network.
func (s *sink) stageBikeway(v source.Bikeway) error {
	s.locatedFeature(v.Geometry)
	if ok, err := s.accept("bikeway", v.Class+" "+v.Key, checkBikeway(v), v.Key); !ok {
		return err
	}
	geom, err := geo.WKB(v.Geometry)
	if err != nil {
		return s.fail(err)
	}
	return write(s, "bikeway", staged.Bikeway{SourceID: s.source, SourceKey: v.Key, Class: v.Class, LengthM: v.LengthM, Geom: geom})
}

func checkBikeway(v source.Bikeway) reason.Reason {
	known := slices.ContainsFunc(schemas.BikewayClasses, func(c schemas.BikewayClass) bool { return c.ID == v.Class })
	if why := cmp.Or(checkText("key", v.Key), when(v.Key == "", source.MissingKey), when(!known, unknownBikewayClass)); !why.OK() {
		return why
	}
	switch g := v.Geometry.(type) {
	case orb.LineString:
		return checkLine(g, maxSegmentM)
	case orb.Point:
		return cmp.Or(checkLocation(g), when(v.LengthM == nil || !(*v.LengthM > 0), zeroLength))
	}
	return source.WrongGeometryType.With("bikeway")
}

// stageTrafficCount stages a count of traffic.
func (s *sink) stageTrafficCount(v source.TrafficCount) error {
	s.locatedFeature(v.Geometry)
	if ok, err := s.accept("traffic_count", v.Key+" "+v.Name, checkTrafficCount(v), v.Key); !ok {
		return err
	}
	geom, err := geo.WKB(v.Geometry)
	if err != nil {
		return s.fail(err)
	}
	return write(s, "traffic_count", staged.TrafficCount{SourceID: s.source, SourceKey: v.Key, Name: v.Name, Class: v.Class, AADT: v.AADT,
		Heavy:    v.Heavy,
		SpeedKMH: v.SpeedKMH, Lanes: v.Lanes, OneWay: v.OneWay, Heading: v.Heading, Geom: geom})
}

func checkTrafficCount(v source.TrafficCount) reason.Reason {
	shape := source.WrongGeometryType
	switch g := v.Geometry.(type) {
	case orb.Point:
		shape = checkLocation(g)
	case orb.LineString:
		shape = checkLine(g, maxSegmentM)
	}
	return cmp.Or(
		checkTexts("key", v.Key, "name", v.Name),
		when(v.Key == "", source.MissingKey),
		when(v.Class != "" && !slices.Contains(schemas.StreetClasses, v.Class), unknownStreetClass),
		when(!(v.AADT > 0) || math.IsInf(v.AADT, 1), source.InvalidNumber),
		shape,
	)
}

// stageFeature stages a point, line or area that shapes a place, areas repaired where necessary.
func (s *sink) stageFeature(f source.Feature) error {
	where := f.Kind + " " + f.Key + " " + f.Name
	s.locatedFeature(f.Geometry)
	if ok, err := s.accept("feature", where, checkFeature(f), f.Kind, f.Key); !ok {
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
	return write(s, "feature", staged.Feature{
		SourceID: s.source, SourceKey: f.Key, Kind: f.Kind, Class: f.Class, Name: f.Name, Year: int32(f.Year),
		Size: s.inRange(f.Size, 1e13, sizeRemoved, where), Bridge: f.Bridge, Geom: geom,
	})
}

func checkFeature(f source.Feature) reason.Reason {
	i := slices.IndexFunc(schemas.FeatureKinds, func(k schemas.FeatureKind) bool { return k.ID == f.Kind })
	why := cmp.Or(
		checkTexts("key", f.Key, "name", f.Name), when(f.Key == "", source.MissingKey), when(i < 0, unknownFeatureKind),
	)
	if !why.OK() {
		return why
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
	t.SourceID = s.source
	return put(s, "timetable", t, "timetable "+t.FeedName, checkText("feed name", t.FeedName), "")
}

// stageStop stages a stop of public transport.
func (s *sink) stageStop(v source.Stop) error {
	s.located(false, orb.Point{v.Lng, v.Lat})
	fault := cmp.Or(
		checkTexts("key", v.SourceKey, "name", v.Name, "French name", v.NameFR),
		when(v.SourceKey == "", source.MissingKey),
		when(v.Name == "", source.MissingName),
		checkLocation(orb.Point{v.Lng, v.Lat}),
	)
	v.SourceID = s.source
	return put(s, "stop", v, v.SourceKey+" "+v.Name, fault, v.SourceKey)
}

// stageRoute stages a line of public transport.
func (s *sink) stageRoute(r source.Route) error {
	fault := cmp.Or(
		checkTexts("key", r.SourceKey, "agency", r.Agency, "name", r.Name, "long name", r.LongName, "French name", r.NameFR),
		when(r.SourceKey == "", source.MissingKey),
		when(r.Name == "", source.MissingName),
		when(!slices.Contains(schemas.TransitModes, r.Mode), unknownTransitMode),
	)
	where := r.SourceKey + " " + r.Name
	if ok, err := s.accept("route", where, fault, r.SourceKey); !ok {
		return err
	}
	r.SourceID, r.SpacingM = s.source, s.inRange(r.SpacingM, 1e7, stopSpacingRemoved, where)
	return write(s, "route", r)
}

// stageRouteShape stages a piece of the course of a line.
func (s *sink) stageRouteShape(v source.RouteShape) error {
	if n := len(v.Line); n > 0 {
		s.located(false, v.Line[0], v.Line[n/2], v.Line[n-1])
	}
	fault := cmp.Or(
		checkTexts("key", v.RouteKey, "direction", v.Direction), when(v.RouteKey == "", source.MissingKey), checkLine(v.Line, maxSegmentWildM),
	)
	if ok, err := s.accept("route_shape", v.RouteKey, fault, v.RouteKey, fmt.Sprint(v.Part)); !ok {
		return err
	}
	line, err := geo.WKB(v.Line)
	if err != nil {
		return s.fail(err)
	}
	return write(s, "route_shape", staged.RouteShape{SourceID: s.source, RouteKey: v.RouteKey, Part: int32(v.Part), Direction: v.Direction,
		Geom: line})
}

// stageStopService stages the departures of a line at a stop.
func (s *sink) stageStopService(v source.StopService) error {
	v.SourceID = s.source
	where := fmt.Sprintf("%s at %s, direction %d", v.RouteKey, v.StopKey, v.Direction)
	fault := when(v.TripsWeek < 0 || v.Direction < 0 || v.Direction > 1, invalidStopService)
	return put(s, "stop_service", v, where, fault, v.StopKey, v.RouteKey, fmt.Sprint(v.Direction))
}

// stageElevationTile stages a grid of elevations.
func (s *sink) stageElevationTile(e source.ElevationTile) error {
	if ok, err := s.acceptTile("elevation_tile", tile{orb.Point{e.West, e.North}, e.StepLng, e.StepLat, e.Columns, e.Rows},
		len(e.Cells) == e.Columns*e.Rows); !ok {
		return err
	}
	cells := make([]byte, 0, 4*len(e.Cells))
	for _, metres := range e.Cells {
		cells = binary.LittleEndian.AppendUint32(cells, math.Float32bits(metres))
	}
	return write(s, "elevation_tile", staged.ElevationTile{
		SourceID: s.source, Tile: s.tiles - 1, West: e.West, North: e.North, StepLng: e.StepLng, StepLat: e.StepLat,
		Columns: int32(e.Columns), Rows: int32(e.Rows), Cells: cells,
	})
}

// stageLandCoverTile stages a grid of classes.
func (s *sink) stageLandCoverTile(c source.LandCoverTile) error {
	valid := len(c.Cells) == c.Columns*c.Rows && int(slices.Max(append([]byte{0}, c.Cells...))) <= len(schemas.CoverClasses)
	if ok, err := s.acceptTile("land_cover_tile", tile{orb.Point{c.West, c.North}, c.StepLng, c.StepLat, c.Columns, c.Rows}, valid); !ok {
		return err
	}
	return write(s, "land_cover_tile", staged.LandCoverTile{
		SourceID: s.source, Tile: s.tiles - 1, West: c.West, North: c.North, StepLng: c.StepLng, StepLat: c.StepLat,
		Columns: int32(c.Columns), Rows: int32(c.Rows), Cells: c.Cells,
	})
}

// tile is the position of a tile of a raster.
type tile struct {
	northWest        orb.Point // centre of the cell
	stepLng, stepLat float64
	columns, rows    int
}

// acceptTile accepts and counts a tile of a raster.
func (s *sink) acceptTile(table string, t tile, valid bool) (bool, error) {
	for i := range 9 { // corners, middles of the sides, middle
		x, y := float64(i%3)/2*float64(t.columns), float64(i/3)/2*float64(t.rows)
		s.located(false, orb.Point{t.northWest[0] + x*t.stepLng, t.northWest[1] - y*t.stepLat})
	}
	var fault reason.Reason
	if !valid || t.columns < 2 || t.rows < 2 || !(t.stepLng > 0) || !(t.stepLat > 0) || !checkPoint(t.northWest).OK() {
		fault = invalidGrid
	}
	ok, err := s.accept(table, fmt.Sprintf("tile at %v, %v", t.northWest[0], t.northWest[1]), fault)
	if ok {
		s.tiles++
	}
	return ok, err
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
