package files

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/released"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/release"
)

// streets copies the derived streets of all regions to access.sqlite. Numbers in derived tables start at 0 in each
// region; fids go on from one region to the next. Example: node 0 of the second region is fid 1001 if the first region
// has 1000 nodes.
type streets struct {
	tx         *sql.Tx
	sources    []release.Source
	notes      []string
	duplicates int64 // typology cells that an earlier region has
	next       rowCounts
	// Of the region under way.
	region string
	db     *duck.DB
	first  rowCounts // next, before the region
}

// rowCounts are the numbers of rows of the numbered tables.
type rowCounts struct {
	nodes, edges, barriers, destinations, homes, lentEdges, lentDestinations int64
}

func (s *streets) copyRegion(ctx context.Context, region string, db *duck.DB) error {
	s.region, s.db, s.first = region, db, s.next
	for _, copyTable := range []func(context.Context) error{
		s.copyNodes, s.copyParts, s.copyEdges, s.copyBarriers, s.copyDestinations, s.copyServices, s.copyLent, s.copyHomes, s.copyTypologies,
		s.copyNotes,
	} {
		if err := copyTable(ctx); err != nil {
			return err
		}
	}
	return nil
}

// checkSource returns an error where the region does not declare a source.
func (s *streets) checkSource(id string) error {
	region, own, lent := strings.Cut(id, "/")
	if !lent {
		region, own = s.region, id
	}
	if slices.ContainsFunc(s.sources, func(source release.Source) bool { return source.Region == region && source.SourceID == own }) {
		return nil
	}
	return fmt.Errorf("has source %q, which the region does not declare", id)
}

// copyNumbered copies a table of derived rows D, whose key is 0, 1, 2 …, to a table of released rows R.
func copyNumbered[D, R any](ctx context.Context, tx *sql.Tx, db *duck.DB, table, key string, convert func(*D) (R, error)) error {
	insert := sqlrow.NewInserter[R](ctx, tx, table)
	return assembly.EachNumbered(ctx, db, table, key, "", func(_ int64, row *D) error {
		converted, err := convert(row)
		if err != nil {
			return err
		}
		return insert.Row(converted)
	})
}

// boxedValues are all values of a channel as the driver takes them, so that none is allocated per node and channel. Those
// that are not on the scale, schemas.AbsentValue among them, are nil.
var boxedValues = func() (values [math.MaxUint16 + 1]any) {
	for v := range 5*schemas.UnitValue + 1 {
		values[v] = int64(v)
	}
	return values
}()

// insertNode inserts into street_node, whose columns follow from the channels.
var insertNode = func() string {
	columns := []string{"fid", "region"}
	for c := range schemas.Channel(schemas.ChannelCount) {
		columns = append(columns, schemas.ChannelName(c))
	}
	columns = append(columns, "geometry")
	return fmt.Sprintf("INSERT INTO street_node (%s) VALUES (?%s)", strings.Join(columns, ", "), strings.Repeat(", ?", len(columns)-1))
}()

func (s *streets) copyNodes(ctx context.Context) error {
	insert, err := s.tx.Prepare(insertNode)
	if err != nil {
		return err
	}
	row := make([]any, schemas.ChannelCount+3)
	row[1] = s.region
	return assembly.EachNumbered(ctx, s.db, "street_node", "node", "", func(_ int64, n *derived.StreetNode) error {
		p := orb.Point{n.Lng, n.Lat}
		if !geo.Valid(p) || len(n.Channels) != 2*schemas.ChannelCount {
			return fmt.Errorf("is at %v, %v with %d bytes of channels", n.Lng, n.Lat, len(n.Channels))
		}
		for c := range schemas.ChannelCount {
			v := binary.LittleEndian.Uint16(n.Channels[2*c:])
			if row[2+c] = boxedValues[v]; row[2+c] == nil && v != schemas.AbsentValue {
				return fmt.Errorf("%s is %d ten-thousandths", schemas.ChannelName(schemas.Channel(c)), v)
			}
		}
		s.next.nodes++
		row[0], row[schemas.ChannelCount+2] = s.next.nodes, released.PointBlob(p)
		_, err := insert.Exec(row...)
		return err
	})
}

// copyParts copies what composite scores are made of.
func (s *streets) copyParts(ctx context.Context) error {
	return copyNumbered(ctx, s.tx, s.db, "street_node_part", "node", func(p *derived.StreetNodePart) (release.StreetNodePart, error) {
		return release.StreetNodePart{FID: s.first.nodes + int64(p.Node) + 1, NodeParts: p.NodeParts}, nil
	})
}

func (s *streets) copyEdges(ctx context.Context) error {
	return copyNumbered(ctx, s.tx, s.db, "street_edge", "edge", func(e *derived.StreetEdge) (row release.StreetEdge, err error) {
		line, err := decodeLine(e.Geom)
		if err != nil {
			return row, err
		}
		nodes := s.next.nodes - s.first.nodes
		a, b := int64(e.A), int64(e.B)
		switch {
		case a < 0 || b < 0 || a >= nodes || b >= nodes:
			return row, fmt.Errorf("is from node %d to node %d of %d", a, b, nodes)
		case !(e.LengthM >= 0 && e.LengthM <= assembly.MaxEdgeM):
			return row, fmt.Errorf("is %v metres long", e.LengthM)
		case !slices.Contains(schemas.StreetClasses, e.Class):
			return row, fmt.Errorf("has class %q", e.Class)
		}
		s.next.edges++
		return release.StreetEdge{
			FID: s.next.edges, Region: s.region, A: s.first.nodes + a + 1, B: s.first.nodes + b + 1, LengthM: e.LengthM,
			Class: e.Class, Name: e.Name, NameFR: e.NameFR, SourceID: e.SourceID, SourceKey: e.SourceKey, AADT: e.AADT, CountKey: e.CountKey,
			Geometry: released.LineBlob(line),
		}, s.checkSource(e.SourceID)
	})
}

// decodeLine decodes the WKB of a line of at least two valid points.
func decodeLine(geom []byte) (orb.LineString, error) {
	line, err := geo.LineString(geom)
	if err != nil {
		return nil, err
	}
	if len(line) < 2 {
		return nil, errors.New("is a line of fewer than two points")
	}
	for _, p := range line {
		if !geo.Valid(p) {
			return nil, fmt.Errorf("has a point at %v, %v", p[0], p[1])
		}
	}
	return line, nil
}

func (s *streets) copyBarriers(ctx context.Context) error {
	return copyNumbered(ctx, s.tx, s.db, "barrier", "barrier", func(b *derived.Barrier) (row release.Barrier, err error) {
		line, err := decodeLine(b.Geom)
		s.next.barriers++
		return release.Barrier{FID: s.next.barriers, Region: s.region, Kind: b.Kind, Geometry: released.LineBlob(line)}, err
	})
}

func (s *streets) copyDestinations(ctx context.Context) error {
	return copyNumbered(ctx, s.tx, s.db, "destination", "destination", func(d *derived.Destination) (release.Destination, error) {
		row, err := s.destination(d, d.Edge >= 0 && s.first.edges+int64(d.Edge) < s.next.edges, s.next.edges-s.first.edges)
		s.next.destinations++
		row.FID, row.Edge = s.next.destinations, s.first.edges+int64(d.Edge)+1
		return row, err
	})
}

// destination checks and converts a row, but its number and that of its edge, which is one of a number of edges.
func (s *streets) destination(d *derived.Destination, on bool, edges int64) (row release.Destination, err error) {
	p := orb.Point{d.Lng, d.Lat}
	isLength := func(m float64) bool { return m >= 0 && m <= assembly.MaxEdgeM }
	switch {
	case !slices.Contains(schemas.DestinationClasses, d.Class):
		err = fmt.Errorf("has class %q", d.Class)
	case !geo.Valid(p):
		err = fmt.Errorf("is at %v, %v", d.Lng, d.Lat)
	case !on:
		err = fmt.Errorf("is on edge %d of %d", d.Edge, edges)
	case !isLength(d.AlongM) || !isLength(d.LegM):
		err = fmt.Errorf("is %v metres along its edge and %v metres away from it", d.AlongM, d.LegM)
	default:
		err = s.checkSource(d.SourceID)
	}
	if err != nil {
		return row, fmt.Errorf("%s %w", d.PlaceKey, err)
	}
	return release.Destination{
		Region: s.region, Class: d.Class, PlaceKey: d.PlaceKey, Station: d.Station,
		SourceID: d.SourceID, Name: d.Name, Size: d.Size, AlongM: d.AlongM, LegM: d.LegM, Geometry: released.PointBlob(p),
	}, nil
}

// copyHomes copies the homes.
func (s *streets) copyHomes(ctx context.Context) error {
	return copyNumbered(ctx, s.tx, s.db, "home", "home", func(h *derived.Home) (row release.Home, err error) {
		p := orb.Point{h.Lng, h.Lat}
		edge, edges := int64(h.Edge), s.next.edges-s.first.edges
		switch {
		case !geo.Valid(p):
			err = fmt.Errorf("is at %v, %v", h.Lng, h.Lat)
		case edge < 0 || edge >= edges:
			err = fmt.Errorf("is on edge %d of %d", edge, edges)
		}
		s.next.homes++
		return release.Home{
			FID: s.next.homes, Region: s.region, Basis: h.Basis, Weight: h.Weight, Edge: s.first.edges + edge + 1, AlongM: h.AlongM,
			Geometry: released.PointBlob(p),
		}, err
	})
}

// copyServices copies the departures of transit routes at stops.
func (s *streets) copyServices(ctx context.Context) error {
	return s.services(ctx, "transit_service", s.first.destinations, s.next.destinations)
}

// services copies departures at the stops that have the numbers after first up to next, a chunk of stops at a time.
func (s *streets) services(ctx context.Context, table string, first, next int64) error {
	insert := sqlrow.NewInserter[release.TransitService](ctx, s.tx, table)
	var last int64
	if err := s.db.QueryRowContext(ctx, "SELECT coalesce(max(destination), -1) FROM "+table).Scan(&last); err != nil {
		return fmt.Errorf("read %s: %w", table, err)
	}
	if last >= next-first {
		return fmt.Errorf("%s of destination %d of %d", table, last, next-first)
	}
	query := "SELECT * FROM " + table + " WHERE destination >= ? AND destination < ? ORDER BY destination, route_key, direction"
	for from := int64(0); from <= last; from += assembly.ChunkRows {
		for t, err := range sqlrow.Select[derived.TransitService](ctx, s.db, query, from, from+assembly.ChunkRows) {
			if err != nil {
				return fmt.Errorf("read %s: %w", table, err)
			}
			row, err := service(t)
			if err != nil {
				return fmt.Errorf("%s: %w", table, err)
			}
			row.Destination = first + int64(t.Destination) + 1
			if err := insert.Row(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// service checks and converts a row, but the number of its stop.
func service(t *derived.TransitService) (row release.TransitService, err error) {
	if !slices.Contains(schemas.TransitModes, t.Mode) || !slices.Contains(schemas.ServiceBases, t.Basis) || t.TripsWeek < 1 ||
		t.Kind != "" && !slices.Contains(schemas.LineKinds, t.Kind) {
		return row, fmt.Errorf("route %s with mode %q runs %d times a week by %q, kind %q", t.RouteKey, t.Mode, t.TripsWeek, t.Basis, t.Kind)
	}
	return release.TransitService{
		RouteKey: t.RouteKey, RouteName: t.RouteName, Mode: t.Mode, Rapid: t.Rapid, Direction: int64(t.Direction), Headsign: t.Headsign,
		TripsWeek: int64(t.TripsWeek), Basis: t.Basis, Kind: t.Kind,
	}, nil
}

// copyTypologies copies the cells that no earlier region has, a chunk at a time.
func (s *streets) copyTypologies(ctx context.Context) error {
	insert := sqlrow.NewInserter[release.Typology](ctx, s.tx, "typology")
	exists, err := s.tx.Prepare("SELECT EXISTS (SELECT 1 FROM typology WHERE geohash = ?)")
	if err != nil {
		return err
	}
	query := fmt.Sprintf("SELECT * FROM typology WHERE geohash > ? ORDER BY geohash LIMIT %d", assembly.ChunkRows)
	last := ""
	for {
		before := last
		for t, err := range sqlrow.Select[derived.Typology](ctx, s.db, query, before) {
			if err != nil {
				return fmt.Errorf("read typology: %w", err)
			}
			if !slices.Contains(schemas.Typologies, t.Typology) {
				return fmt.Errorf("typology: cell %s has %q", t.Geohash, t.Typology)
			}
			last = t.Geohash
			var duplicate bool
			if err := exists.QueryRow(t.Geohash).Scan(&duplicate); err != nil {
				return err
			}
			if duplicate {
				s.duplicates++
				continue
			}
			if err := insert.Row(release.Typology(*t)); err != nil {
				return err
			}
		}
		if last == before {
			return nil
		}
	}
}

// copyNotes collects the region's notes for the manifest.
func (s *streets) copyNotes(ctx context.Context) error {
	notes, err := sqlrow.All[derived.Note](ctx, s.db, "SELECT * FROM note ORDER BY topic")
	for _, n := range notes {
		s.notes = append(s.notes, s.region+": "+n.Text)
	}
	return err
}
