package build

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/schemas"
)

func (s *streets) copyDestinations(ctx context.Context) error {
	insert, err := s.insertInto("destination", 12)
	if err != nil {
		return err
	}
	defer insert.Close()
	const columns = "class, place_key, station, source_id, name, size, lng, lat, edge, along_m, leg_m"
	return eachNumbered(ctx, s.derived, "destination", "destination", columns, func(number int64, rows *sql.Rows) error {
		var class, key, station, source string
		var name sql.NullString
		var size sql.NullFloat64
		var p orb.Point
		var edge int64
		var along, leg float64
		if err := rows.Scan(&class, &key, &station, &source, &name, &size, &p[0], &p[1], &edge, &along, &leg); err != nil {
			return err
		}
		switch {
		case !slices.Contains(schemas.DestinationClasses, class):
			return fmt.Errorf("%s is of class %q", key, class)
		case !geo.Valid(p):
			return fmt.Errorf("%s lies at %v, %v", key, p[0], p[1])
		}
		if err := s.onEdge(edge, along, leg); err != nil {
			return fmt.Errorf("%s %w", key, err)
		}
		if err := s.declared(source); err != nil {
			return fmt.Errorf("%s %w", key, err)
		}
		s.taken.destinations++
		_, err := insert.Exec(s.taken.destinations, s.name(), class, key, station, source, name, size, s.first.edges+edge+1, along, leg, released.PointBlob(p))
		return err
	})
}

// onEdge refuses a place that is not along an edge of the region.
func (s *streets) onEdge(edge int64, along, leg float64) error {
	if edges := s.taken.edges - s.first.edges; edge < 0 || edge >= edges {
		return fmt.Errorf("is on edge %d of %d", edge, edges)
	}
	if !(along >= 0 && along <= maxEdgeM && leg >= 0 && leg <= maxEdgeM) {
		return fmt.Errorf("is %v metres along its edge and %v beside it", along, leg)
	}
	return nil
}

// copyServices writes how often lines serve stops. A part of the stops is asked for at a time.
func (s *streets) copyServices(ctx context.Context) error {
	insert, err := s.insertInto("transit_service", 7)
	if err != nil {
		return err
	}
	defer insert.Close()
	var last int64
	if err := s.derived.QueryRowContext(ctx, "SELECT coalesce(max(destination), -1) FROM transit_service").Scan(&last); err != nil {
		return fmt.Errorf("read transit_service: %w", err)
	}
	stops := s.taken.destinations - s.first.destinations
	if last >= stops {
		return fmt.Errorf("transit_service of destination %d of %d", last, stops)
	}
	for first := int64(0); first <= last; first += chunk {
		if err := s.copyServicesOf(ctx, insert, first); err != nil {
			return fmt.Errorf("transit_service: %w", err)
		}
	}
	return nil
}

func (s *streets) copyServicesOf(ctx context.Context, insert *sql.Stmt, first int64) error {
	rows, err := s.derived.QueryContext(ctx, `SELECT destination, route_key, route_name, mode, rapid, direction, trips_week
		FROM transit_service WHERE destination >= ? AND destination < ? ORDER BY destination, route_key, direction`, first, first+chunk)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var destination, direction, trips int64
		var key, name, mode string
		var rapid bool
		if err := rows.Scan(&destination, &key, &name, &mode, &rapid, &direction, &trips); err != nil {
			return err
		}
		if !slices.Contains(schemas.TransitModes, mode) || trips < 1 {
			return fmt.Errorf("route %s runs %d times a week with %q", key, trips, mode)
		}
		if _, err := insert.Exec(s.first.destinations+destination+1, key, name, mode, rapid, direction, trips); err != nil {
			return err
		}
	}
	return rows.Err()
}

// copyTypologies writes the cells of the region that none before it told.
func (s *streets) copyTypologies(ctx context.Context) error {
	insert, err := s.tx.Prepare("INSERT OR IGNORE INTO typology VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	last := ""
	for {
		before := last
		if last, err = s.copyTypologiesAfter(ctx, insert, before); err != nil {
			return fmt.Errorf("typology: %w", err)
		}
		if last == before {
			return nil
		}
	}
}

// copyTypologiesAfter writes a part of the cells and returns the last of them.
func (s *streets) copyTypologiesAfter(ctx context.Context, insert *sql.Stmt, last string) (string, error) {
	rows, err := s.derived.QueryContext(ctx, fmt.Sprintf(`SELECT geohash, typology, population_km2, households_km2
		FROM typology WHERE geohash > ? ORDER BY geohash LIMIT %d`, chunk), last)
	if err != nil {
		return last, err
	}
	defer rows.Close()
	for rows.Next() {
		var typology string
		var population, households float64
		if err := rows.Scan(&last, &typology, &population, &households); err != nil {
			return last, err
		}
		if !slices.Contains(schemas.Typologies, typology) {
			return last, fmt.Errorf("cell %s is %q", last, typology)
		}
		result, err := insert.Exec(last, typology, population, households)
		if err != nil {
			return last, err
		}
		if n, err := result.RowsAffected(); err == nil && n == 0 {
			s.toldAgain++
		}
	}
	return last, rows.Err()
}

// readGround notes what the region's numbers stand on.
func (s *streets) readGround(ctx context.Context) error {
	rows, err := s.derived.QueryContext(ctx, "SELECT text FROM note ORDER BY topic")
	if err != nil {
		return fmt.Errorf("read notes: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var note string
		if err := rows.Scan(&note); err != nil {
			return fmt.Errorf("read notes: %w", err)
		}
		s.note("%s: %s", s.name(), note)
	}
	return rows.Err()
}
