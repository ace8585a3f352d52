package build

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/schemas"
)

// streets carries the derived streets of the regions into access.sqlite, where they stand side by side.
type streets struct {
	*draft
	tx    *sql.Tx
	taken fids
	// Of all regions so far.
	homes []home
	hulls []*geo.Prepared // of their nodes
	// The region under way.
	region  int
	derived *duck.DB
	first   fids
	ground  *ground // nil where the region has no homes
	hull    geo.Hull
}

// fids are how many rows of the numbered tables are taken.
type fids struct {
	nodes, edges, barriers, destinations int64
}

// copyRegion writes the streets of a region.
func (s *streets) copyRegion(ctx context.Context, region int) (err error) {
	if s.derived, err = duck.Open(s.regions[region].Derived); err != nil {
		return err
	}
	defer s.derived.Close()
	// Rows are read once: what the database would keep of them serves nobody.
	if _, err := s.derived.ExecContext(ctx, "SET memory_limit = '256MB'"); err != nil {
		return err
	}
	s.region, s.first, s.ground, s.hull = region, s.taken, nil, geo.Hull{}
	homes, err := s.countOf(ctx, "home")
	if err != nil {
		return err
	}
	if homes > 0 {
		s.ground = &ground{}
	}
	for _, copyTable := range []func(context.Context) error{
		s.copyNodes, s.copyEdges, s.copyBarriers, s.copyDestinations, s.copyServices, s.copyTypologies, s.readHomes, s.readGround,
	} {
		if err := copyTable(ctx); err != nil {
			return err
		}
	}
	s.addHull()
	return nil
}

func (s *streets) countOf(ctx context.Context, table string) (n int64, err error) {
	err = s.derived.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&n)
	return n, err
}

// name is the region's.
func (s *streets) name() string { return s.regions[s.region].Name }

// declared refuses a source that the region does not declare.
func (s *streets) declared(source string) error {
	for i := range s.sources {
		if s.sources[i].region == s.region && s.sources[i].ID == source {
			return nil
		}
	}
	return fmt.Errorf("is of source %q, which the region does not declare", source)
}

// insertInto prepares an INSERT of so many values.
func (s *streets) insertInto(table string, values int) (*sql.Stmt, error) {
	statement := []byte("INSERT INTO " + table + " VALUES (?")
	for range values - 1 {
		statement = append(statement, ", ?"...)
	}
	return s.tx.Prepare(string(append(statement, ')')))
}

// boxed are all values that a channel can hold, as the driver takes them: 63 of them a node are not made anew.
var boxed = func() (values [math.MaxUint16 + 1]any) {
	for v := range 5*schemas.UnitValue + 1 {
		values[v] = int64(v)
	}
	return values // schemas.AbsentValue, as all that is not on the scale, is NULL
}()

func (s *streets) copyNodes(ctx context.Context) error {
	insert, err := s.insertInto("street_node", schemas.ChannelCount+3)
	if err != nil {
		return err
	}
	defer insert.Close()
	row := make([]any, schemas.ChannelCount+3)
	row[1] = s.name()
	return eachNumbered(ctx, s.derived, "street_node", "node", "lng, lat, channels", func(number int64, rows *sql.Rows) error {
		var p orb.Point
		var channels sql.RawBytes
		if err := rows.Scan(&p[0], &p[1], &channels); err != nil {
			return err
		}
		if !geo.Valid(p) || len(channels) != 2*schemas.ChannelCount {
			return fmt.Errorf("lies at %v, %v with %d bytes of channels", p[0], p[1], len(channels))
		}
		for c := range schemas.ChannelCount {
			v := binary.LittleEndian.Uint16(channels[2*c:])
			if row[2+c] = boxed[v]; row[2+c] == nil && v != schemas.AbsentValue {
				return fmt.Errorf("%s is %d ten-thousandths", schemas.ChannelName(schemas.Channel(c)), v)
			}
		}
		s.ground.addNode(channels)
		s.hull.Add(p)
		s.taken.nodes++
		row[0], row[schemas.ChannelCount+2] = s.taken.nodes, released.PointBlob(p)
		_, err := insert.Exec(row...)
		return err
	})
}

func (s *streets) copyEdges(ctx context.Context) error {
	insert, err := s.insertInto("street_edge", 11)
	if err != nil {
		return err
	}
	defer insert.Close()
	const columns = "a, b, length_m, class, name, name_fr, source_id, source_key, geom"
	return eachNumbered(ctx, s.derived, "street_edge", "edge", columns, func(number int64, rows *sql.Rows) error {
		var a, b int64
		var length float64
		var class, source, key string
		var name, nameFR sql.NullString
		var geom sql.RawBytes
		if err := rows.Scan(&a, &b, &length, &class, &name, &nameFR, &source, &key, &geom); err != nil {
			return err
		}
		line, err := decodeLine(geom)
		if err != nil {
			return err
		}
		nodes := s.taken.nodes - s.first.nodes
		switch {
		case a < 0 || b < 0 || a >= nodes || b >= nodes:
			return fmt.Errorf("leads from node %d to node %d of %d", a, b, nodes)
		case !(length >= 0 && length <= maxEdgeM):
			return fmt.Errorf("is %v metres long", length)
		case !slices.Contains(schemas.StreetClasses, class):
			return fmt.Errorf("is of class %q", class)
		}
		if err := s.declared(source); err != nil {
			return err
		}
		s.ground.addEdge(a, b, length)
		s.taken.edges++
		_, err = insert.Exec(s.taken.edges, s.name(), s.first.nodes+a+1, s.first.nodes+b+1, length, class, name, nameFR, source, key, released.LineBlob(line))
		return err
	})
}

// maxEdgeM is the most metres that an edge of a street can have.
const maxEdgeM = 1e6

// decodeLine reads WKB of a line between points on earth.
func decodeLine(geom []byte) (orb.LineString, error) {
	line, err := geo.LineString(geom)
	if err != nil {
		return nil, err
	}
	if len(line) < 2 {
		return nil, errors.New("is a line of less than two points")
	}
	for _, p := range line {
		if !geo.Valid(p) {
			return nil, fmt.Errorf("has a point at %v, %v", p[0], p[1])
		}
	}
	return line, nil
}

func (s *streets) copyBarriers(ctx context.Context) error {
	insert, err := s.insertInto("barrier", 4)
	if err != nil {
		return err
	}
	defer insert.Close()
	return eachNumbered(ctx, s.derived, "barrier", "barrier", "kind, geom", func(number int64, rows *sql.Rows) error {
		var kind string
		var geom sql.RawBytes
		if err := rows.Scan(&kind, &geom); err != nil {
			return err
		}
		line, err := decodeLine(geom)
		if err != nil {
			return err
		}
		s.taken.barriers++
		_, err = insert.Exec(s.taken.barriers, s.name(), kind, released.LineBlob(line))
		return err
	})
}
