package staged

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/reason"
)

// Street stages a stretch of street.
func (s *sink) Street(v source.Street) error {
	where := v.Key + " " + v.Name
	return s.row("street", where, streetFault(v), []string{v.Key}, func() ([]driver.Value, error) {
		geom, err := geo.WKB(v.Line)
		return []driver.Value{s.source.ID, v.Key, v.Class, duck.Null(v.Name), duck.Null(v.NameFR), v.Foot, v.Bicycle, v.Car,
			known(v.Lanes), positive(v.SpeedKMH), optional(v.Sidewalk), duck.Null(v.Cycleway), optional(v.Parking), v.Bridge, v.Tunnel,
			nodeIDs(v.Nodes), geom}, err
	})
}

func streetFault(v source.Street) reason.Reason {
	if why := textFault([]field{{"key", v.Key}, {"name", v.Name}, {"French name", v.NameFR}}); !why.OK() {
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
	return lineFault(v.Line, longestStretch)
}

// Feature stages a point, line or area that shapes a place; areas are mended where that is needed.
func (s *sink) Feature(f source.Feature) error {
	where := f.Kind + " " + f.Key + " " + f.Name
	return s.row("feature", where, featureFault(f), []string{f.Kind, f.Key}, func() ([]driver.Value, error) {
		var geom []byte
		var err error
		if area, ok := f.Geometry.(orb.MultiPolygon); ok {
			geom, err = s.outline(area, where)
		} else {
			geom, err = geo.WKB(f.Geometry)
		}
		if geom == nil || err != nil {
			return nil, err
		}
		return []driver.Value{s.source.ID, f.Key, f.Kind, f.Class, duck.Null(f.Name), known(f.Year),
			s.within(f.Size, 1e13, sizeRemoved, where), f.Bridge, geom}, nil
	})
}

func featureFault(f source.Feature) reason.Reason {
	if why := textFault([]field{{"key", f.Key}, {"name", f.Name}}); !why.OK() {
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
			return groundFault(g)
		}
	case orb.LineString:
		if kind.Shape == "line" {
			return lineFault(g, longestOf(kind))
		}
	case orb.MultiPolygon:
		if kind.Shape == "area" || kind.Shape == "point or area" {
			return areaFault(g, widestOf(kind, f.Class))
		}
	}
	return source.WrongGeometryType.With(kind.ID)
}

// Timetable stages what a timetable is of.
func (s *sink) Timetable(t source.Timetable) error {
	return s.row("timetable", "timetable "+t.FeedName, textFault([]field{{"feed name", t.FeedName}}), []string{}, func() ([]driver.Value, error) {
		return []driver.Value{s.source.ID, duck.Null(t.FeedName), t.FirstDay, t.LastDay, t.Week, t.Trips}, nil
	})
}

// Stop stages a stop.
func (s *sink) Stop(v source.Stop) error {
	fault := textFault([]field{{"key", v.Key}, {"name", v.Name}, {"French name", v.NameFR}})
	switch {
	case !fault.OK():
	case v.Key == "":
		fault = source.MissingKey
	case v.Name == "":
		fault = source.MissingName
	default:
		fault = groundFault(v.Point)
	}
	return s.row("stop", v.Key+" "+v.Name, fault, []string{v.Key}, func() ([]driver.Value, error) {
		return []driver.Value{s.source.ID, v.Key, v.Name, duck.Null(v.NameFR), duck.Null(v.ParentKey), v.Point[0], v.Point[1]}, nil
	})
}

// Route stages a line of public transport.
func (s *sink) Route(r source.Route) error {
	fault := textFault([]field{{"key", r.Key}, {"agency", r.Agency}, {"name", r.Name}, {"long name", r.LongName}, {"French name", r.NameFR}})
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
	return s.row("route", where, fault, []string{r.Key}, func() ([]driver.Value, error) {
		return []driver.Value{s.source.ID, r.Key, duck.Null(r.Agency), r.Name, duck.Null(r.LongName), duck.Null(r.NameFR), r.Mode,
			s.within(r.SpacingM, 1e7, stopSpacingRemoved, where)}, nil
	})
}

// StopService stages how often a line serves a stop.
func (s *sink) StopService(v source.StopService) error {
	where := fmt.Sprintf("%s at %s, direction %d", v.RouteKey, v.StopKey, v.Direction)
	fault := reason.Reason{}
	if v.TripsWeek < 1 || v.Direction < 0 || v.Direction > 1 {
		fault = invalidStopService
	}
	return s.row("stop_service", where, fault, []string{v.StopKey, v.RouteKey, fmt.Sprint(v.Direction)}, func() ([]driver.Value, error) {
		return []driver.Value{s.source.ID, v.StopKey, v.RouteKey, int32(v.Direction), int32(v.TripsWeek)}, nil
	})
}

// ElevationTile stages a grid of heights.
func (s *sink) ElevationTile(e source.ElevationTile) error {
	fault := reason.Reason{}
	if e.Columns < 2 || e.Rows < 2 || len(e.Cells) != e.Columns*e.Rows || !(e.StepLng > 0) || !(e.StepLat > 0) || !pointFault(orb.Point{e.West, e.North}).OK() {
		fault = invalidGrid
	}
	return s.row("elevation_tile", fmt.Sprintf("tile at %v, %v", e.West, e.North), fault, nil, func() ([]driver.Value, error) {
		cells := make([]byte, 0, 4*len(e.Cells))
		for _, metres := range e.Cells {
			cells = binary.LittleEndian.AppendUint32(cells, math.Float32bits(metres))
		}
		s.tiles++
		return []driver.Value{s.source.ID, int32(s.tiles - 1), e.West, e.North, e.StepLng, e.StepLat, int32(e.Columns), int32(e.Rows), cells}, nil
	})
}

// Block stages a census block, its outline mended where that is needed.
func (s *sink) Block(b source.Block) error {
	fault := textFault([]field{{"key", b.Key}, {"area key", b.AreaKey}})
	switch {
	case !fault.OK():
	case b.Key == "":
		fault = source.MissingKey
	case negative(b.Population) || negative(b.Dwellings) || negative(b.Households):
		fault = source.NegativeCount
	default:
		fault = outlineFault(b.Geometry)
	}
	return s.row("block", b.Key, fault, []string{b.Key}, func() ([]driver.Value, error) {
		geom, err := s.outline(b.Geometry, b.Key)
		if geom == nil || err != nil {
			return nil, err
		}
		return []driver.Value{s.source.ID, b.Key, duck.Null(b.AreaKey), optional(b.Population), optional(b.Dwellings), optional(b.Households),
			s.within(b.LandM2, 1e13, landAreaRemoved, b.Key), geom}, nil
	})
}

// Home stages a place on a street where people of a block live.
func (s *sink) Home(h source.Home) error {
	fault := textFault([]field{{"key", h.Key}, {"block key", h.BlockKey}})
	switch {
	case !fault.OK():
	case h.Key == "" || h.BlockKey == "":
		fault = source.MissingKey
	case !(h.Weight > 0) || math.IsInf(h.Weight, 1):
		fault = source.InvalidWeight
	default:
		fault = groundFault(h.Point)
	}
	return s.row("home", h.Key, fault, []string{h.Key}, func() ([]driver.Value, error) {
		return []driver.Value{s.source.ID, h.Key, h.BlockKey, h.Weight, h.Point[0], h.Point[1]}, nil
	})
}

// row stages a row of a table unless it has a fault or its key was there; nil keys are not looked at. values makes the
// columns, or none where the row was rejected on the way.
func (s *sink) row(table, where string, fault reason.Reason, key []string, values func() ([]driver.Value, error)) error {
	if err := s.proceed(); err != nil {
		return err
	}
	if !fault.OK() {
		s.Issue(fault, where)
		return nil
	}
	if key != nil {
		if s.keys[table] == nil {
			s.keys[table] = keySet{}
		}
		if !s.keys[table].add(key...) {
			s.Issue(source.DuplicateKey, where)
			return nil
		}
	}
	columns, err := values()
	if columns == nil || err != nil {
		return s.fail(err)
	}
	return s.append(table, columns...)
}

// known is a number that is absent where it is 0.
func known(n int) driver.Value {
	if n == 0 {
		return nil
	}
	return int32(n)
}

func positive(n float64) driver.Value {
	if n > 0 && !math.IsInf(n, 1) {
		return n
	}
	return nil
}

func optional[T any](v *T) driver.Value {
	if v == nil {
		return nil
	}
	return *v
}

func negative(n *int64) bool { return n != nil && *n < 0 }

func nodeIDs(ids []int64) driver.Value {
	if ids == nil {
		return nil
	}
	out := make([]byte, 0, 8*len(ids))
	for _, id := range ids {
		out = binary.LittleEndian.AppendUint64(out, uint64(id))
	}
	return out
}
