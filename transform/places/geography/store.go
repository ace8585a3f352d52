package geography

import (
	"context"
	"database/sql"
	"database/sql/driver"
	_ "embed"
	"fmt"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/schemas"
)

//go:embed boundaries.sql
var boundariesSQL string

//go:embed extents.sql
var extentsSQL string

// Read reads the staged boundaries and extents. Errors name the row.
func Read(ctx context.Context, staged *duck.DB) ([]Boundary, []Extent, error) {
	boundaries, err := query(ctx, staged, boundariesSQL, func(rows *sql.Rows) (b Boundary, err error) {
		var level int32
		var people sql.NullInt64
		var data []byte
		if err := rows.Scan(&b.Source, &b.Key, &b.Priority, &level, &b.NameEN, &b.NameFR, &b.Country, &b.State,
			&people, &data); err != nil {
			return b, err
		}
		if b.Level = schemas.Level(level); !b.Level.Valid() {
			return b, fmt.Errorf("%s: unknown level %d", b.Key, level)
		}
		if people.Valid {
			b.Population = &people.Int64
		}
		b.Geometry, err = outline(b.Key, data)
		return b, err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read staged boundaries: %w", err)
	}
	extents, err := query(ctx, staged, extentsSQL, func(rows *sql.Rows) (e Extent, err error) {
		var data []byte
		if err := rows.Scan(&e.Source, &e.Country, &e.State, &data); err != nil {
			return e, err
		}
		if _, known := schemas.FindState(e.Country, e.State); !known {
			return e, fmt.Errorf("extent of %s: no state %q in country %q", e.Source, e.State, e.Country)
		}
		e.Geometry, err = outline("extent of "+e.Source, data)
		return e, err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read staged coverage: %w", err)
	}
	return boundaries, extents, nil
}

func query[T any](ctx context.Context, db *duck.DB, text string, scan func(*sql.Rows) (T, error)) ([]T, error) {
	rows, err := db.QueryContext(ctx, text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		item, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, rows.Err()
}

// outline decodes and validates a staged outline.
func outline(key string, data []byte) (orb.MultiPolygon, error) {
	m, err := geo.MultiPolygon(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	for _, polygon := range m {
		for _, ring := range polygon {
			for _, p := range ring {
				if !geo.Valid(p) {
					return nil, fmt.Errorf("%s: invalid coordinate %v", key, p)
				}
			}
			if len(ring) < 4 || ring[0] != ring[len(ring)-1] {
				return nil, fmt.Errorf("%s: ring of %d vertices is not closed", key, len(ring))
			}
		}
	}
	return m, nil
}

// Write writes derived.geography and derived.coverage.
func Write(ctx context.Context, derived *duck.DB, result Result) error {
	err := appendRows(ctx, derived, "geography", result.Geographies, func(g Geography) ([]driver.Value, error) {
		data, err := geo.WKB(g.Geometry)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.Key, err)
		}
		var people driver.Value
		if g.Population != nil {
			people = *g.Population
		}
		return []driver.Value{g.Key, g.Source, int32(g.Level), g.NameEN, g.NameFR, g.Country, strings.Join(g.States, ","),
			duck.Null(g.CityKey), duck.Null(g.MetroKey), duck.Null(g.StateKey), duck.Null(g.CountryKey), g.AreaM2,
			g.Bound.Min[0], g.Bound.Min[1], g.Bound.Max[0], g.Bound.Max[1], g.Centroid[0], g.Centroid[1],
			people, data}, nil
	})
	if err != nil {
		return err
	}
	return appendRows(ctx, derived, "coverage", result.Coverage.Covers, func(c Cover) ([]driver.Value, error) {
		data, err := geo.WKB(c.Geometry)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Key, err)
		}
		return []driver.Value{c.Code(), c.Key, data}, nil
	})
}

func appendRows[T any](ctx context.Context, db *duck.DB, table string, list []T, row func(T) ([]driver.Value, error)) error {
	rows, err := db.Append(ctx, table)
	if err != nil {
		return err
	}
	for _, item := range list {
		values, err := row(item)
		if err == nil {
			err = rows.Row(values...)
		}
		if err != nil {
			rows.Close()
			return err
		}
	}
	return rows.Close()
}
