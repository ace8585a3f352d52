package tiles

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas"
)

// scan reads the rows of the release, each layer by one goroutine, and calls emit for each.
type scan struct {
	in    *Input
	reads []string // files of the release, of Archive
	emit  func(*feature) error
}

// eachRow calls visit for each row of a query in a file of the release.
func (s *scan) eachRow(ctx context.Context, file, query string, visit func(*sql.Rows) error, args ...any) error {
	if !slices.Contains(s.reads, file) {
		return fmt.Errorf("%s is not among the files that the archive reads", file)
	}
	db, err := released.Open(filepath.Join(s.in.Dir, file))
	if err != nil {
		return err
	}
	defer db.Close()
	if err := released.Each(ctx, db, query, args, visit); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// outlines emits geographies and their names.
func (s *scan) outlines(ctx context.Context) error {
	const query = "SELECT fid, geog_id, level, name_en, name_fr, population, centroid_lng, centroid_lat, geometry FROM geography ORDER BY fid"
	var fid, level uint64
	var id, en, fr string
	var people sql.NullInt64
	var center orb.Point
	var blob sql.RawBytes
	return s.eachRow(ctx, schemas.GeographiesFile, query, func(rows *sql.Rows) error {
		if err := rows.Scan(&fid, &id, &level, &en, &fr, &people, &center[0], &center[1], &blob); err != nil {
			return err
		}
		m, err := released.ReadMultiPolygon(blob)
		if err != nil {
			return fmt.Errorf("geography %s: %w", id, err)
		}
		f := feature{min: levelZooms[schemas.Level(level)], number: fid, id: fid, wide: wide(schemas.Level(level))}
		props := properties{id, int64(level), en, other(fr, en)}
		f.layer, f.props, f.geometry = outlines, props.encode(), areaOnGrid(m)
		if err := s.emit(&f); err != nil {
			return err
		}
		var population any
		if people.Valid {
			population = people.Int64
		}
		f.layer, f.props, f.geometry = names, append(props, population).encode(), onGrid(center)
		return s.emit(&f)
	})
}

// other is a name if it is not the same as another, nil otherwise.
func other(name, than string) any {
	if name == than {
		return nil
	}
	return orNil(name)
}

// longest is how many points a piece of a line has at most: what is far from it is not read for its sake.
const longest = 64

// line emits a line in pieces.
func (s *scan) line(f *feature, line orb.LineString) error {
	rest := lineOnGrid(line)
	for len(rest) >= 2 {
		n := min(len(rest), longest)
		f.geometry = rest[:n:n]
		if err := s.emit(f); err != nil {
			return err
		}
		rest = rest[n-1:]
	}
	return nil
}

// pois emits POIs with the first of their categories.
func (s *scan) pois(ctx context.Context) error {
	const query = "SELECT p.fid, p.name, (SELECT group_concat(category_id) FROM poi_category AS c WHERE c.fid = p.fid), p.geometry FROM poi " +
		"AS p ORDER BY p.fid"
	return s.eachRow(ctx, schemas.POIsFile, query, sqlrow.Visit4(func(fid uint64, name, categories string, blob sql.RawBytes) error {
		p, err := released.ReadPoint(blob)
		if err != nil {
			return fmt.Errorf("poi %s: %w", name, err)
		}
		list := strings.Split(categories, ",")
		for _, c := range schemas.Categories {
			if slices.Contains(list, c.ID) {
				return s.emit(&feature{layer: pois, min: layers[pois].min, number: fid, id: fid, props: properties{c.ID, name}.encode(),
					geometry: onGrid(p)})
			}
		}
		return fmt.Errorf("poi %s has the categories %q", name, categories)
	}))
}

// area emits an area from the zoom on at which it is large enough, its lowest one at the earliest.
func (s *scan) area(f *feature, m orb.MultiPolygon) error {
	shape := areaOnGrid(m)
	if len(shape) == 0 {
		return nil
	}
	f.min, f.geometry = areaZoom(sizeOf(shape), f.min), shape
	return s.emit(f)
}

// sizeOf is the size of the parts of an area without their holes, in square units of the grid.
func sizeOf(m orb.MultiPolygon) (size float64) {
	for _, polygon := range m {
		size += math.Abs(area(polygon[0]))
	}
	return size
}

// eachOf calls visit for the rows of a query in a database of a region.
func eachOf[T any](ctx context.Context, path, query string, visit func(*T) error) error {
	db, err := duck.Open(path)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Exec("SET memory_limit = '128MB'"); err != nil { // rows are read once
		return err
	}
	for row, err := range sqlrow.Select[T](ctx, db, query) {
		if err == nil {
			err = visit(row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
