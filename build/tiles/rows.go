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
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
)

// scan reads the rows of the release, each layer by one goroutine, and calls emit for each.
type scan struct {
	in   *Input
	emit func(*feature) error
}

// eachRow calls visit for each row of a file of the release.
func (s *scan) eachRow(ctx context.Context, file, query string, visit func(*sql.Rows) error) error {
	db, err := released.Open(filepath.Join(s.in.Dir, file))
	if err != nil {
		return err
	}
	defer db.Close()
	if err := released.Each(ctx, db, query, nil, visit); err != nil {
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

// streets emits the streets that are open to pedestrians, and then the others of each region.
func (s *scan) streets(ctx context.Context) error {
	const query = "SELECT class, coalesce(name, ''), coalesce(name_fr, ''), geometry FROM street_edge ORDER BY fid"
	var number uint64
	err := s.eachRow(ctx, schemas.AccessFile, query, sqlrow.Visit4(func(class, name, fr string, blob sql.RawBytes) error {
		line, err := released.ReadLine(blob)
		if err != nil {
			return fmt.Errorf("street %s: %w", name, err)
		}
		number++
		return s.street(number, class, name, fr, line)
	}))
	if err != nil {
		return err
	}
	type row struct {
		Class  string `col:"class"`
		Name   string `col:"name,null"`
		NameFR string `col:"name_fr,null"`
		Geom   []byte `col:"geom"`
	}
	const roads = "SELECT class, name, name_fr, geom FROM street WHERE NOT foot AND car <> 'no' ORDER BY source_id, source_key"
	return each(ctx, s.in.Regions, stagedOf, roads, func(r *row) error {
		line, err := geo.LineString(r.Geom)
		if err != nil {
			return fmt.Errorf("street %s: %w", r.Name, err)
		}
		number++
		return s.street(number, r.Class, r.Name, r.NameFR, line)
	})
}

func (s *scan) street(number uint64, class, name, fr string, line orb.LineString) error {
	props := properties{class, orNil(name), other(fr, name)}
	return s.line(&feature{layer: streets, min: streetZoom(class), number: number, props: props.encode()}, line)
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

// parks emits the parks whose outlines are known.
func (s *scan) parks(ctx context.Context) error {
	const query = "SELECT fid, coalesce(name, ''), coalesce(name_fr, ''), geometry FROM landmark WHERE kind = 'park' ORDER BY fid"
	return s.eachRow(ctx, schemas.ProfilesFile, query, sqlrow.Visit4(func(fid uint64, name, fr string, blob sql.RawBytes) error {
		wkb, err := released.WKB(blob)
		if err != nil {
			return fmt.Errorf("park %s: %w", name, err)
		}
		g, err := geo.Geometry(wkb)
		if err != nil {
			return fmt.Errorf("park %s: %w", name, err)
		}
		m, isArea := g.(orb.MultiPolygon)
		if !isArea {
			return nil
		}
		return s.area(&feature{layer: parks, number: fid, id: fid, props: properties{orNil(name), other(fr, name)}.encode()}, m)
	}))
}

// area emits an area from the zoom on at which it is large enough.
func (s *scan) area(f *feature, m orb.MultiPolygon) error {
	shape := areaOnGrid(m)
	var size float64
	for _, polygon := range shape {
		size += math.Abs(area(polygon[0]))
	}
	f.min, f.geometry = areaZoom(size, layers[f.layer].min), shape
	if len(shape) == 0 {
		return nil
	}
	return s.emit(f)
}

func stagedOf(r Region) string  { return r.Staged }
func derivedOf(r Region) string { return r.Derived }

// each calls visit for the rows of a query in a database of each region.
func each[T any](ctx context.Context, regions []Region, path func(Region) string, query string, visit func(*T) error) error {
	for _, r := range regions {
		if err := eachOf(ctx, path(r), query, visit); err != nil {
			return fmt.Errorf("region %s: %w", r.Name, err)
		}
	}
	return nil
}

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

// waters emits the water of each region: areas, and lines of rivers, canals and shores.
func (s *scan) waters(ctx context.Context) error {
	type shape struct {
		Geom []byte `col:"geom"`
	}
	var number uint64
	err := each(ctx, s.in.Regions, derivedOf, "SELECT geom FROM water ORDER BY water", func(r *shape) error {
		m, err := geo.MultiPolygon(r.Geom)
		if err != nil {
			return fmt.Errorf("water: %w", err)
		}
		number++
		return s.area(&feature{layer: water, number: number, props: properties{"area", nil}.encode()}, m)
	})
	if err != nil {
		return err
	}
	return s.features(ctx, "water", func(r *staged) error {
		line, err := geo.LineString(r.Geom)
		if err != nil {
			return err
		}
		number++
		return s.line(&feature{layer: water, min: lineZoom(r.Class), number: number, props: properties{r.Class, orNil(r.Name)}.encode()}, line)
	})
}

// staged is a staged feature.
type staged struct {
	Class string   `col:"class"`
	Name  string   `col:"name,null"`
	Size  *float64 `col:"size"`
	Geom  []byte   `col:"geom"`
}

// features calls visit for the staged features of a kind.
func (s *scan) features(ctx context.Context, kind string, visit func(*staged) error) error {
	query := "SELECT class, name, size, geom FROM feature WHERE kind = '" + kind + "' ORDER BY source_id, source_key"
	if err := each(ctx, s.in.Regions, stagedOf, query, visit); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return nil
}

// rail emits tracks.
func (s *scan) rail(ctx context.Context) error {
	var number uint64
	return s.features(ctx, "rail", func(r *staged) error {
		line, err := geo.LineString(r.Geom)
		if err != nil {
			return err
		}
		number++
		return s.line(&feature{layer: rail, min: railZoom(r.Class), number: number, props: properties{r.Class}.encode()}, line)
	})
}

// buildings emits buildings as points.
func (s *scan) buildings(ctx context.Context) error {
	var number uint64
	return s.features(ctx, "building", func(r *staged) error {
		g, err := geo.Geometry(r.Geom)
		if err != nil {
			return err
		}
		p, isPoint := g.(orb.Point)
		if !isPoint {
			return fmt.Errorf("a building is a %T", g)
		}
		var size any
		if r.Size != nil {
			size = int64(math.Round(*r.Size))
		}
		number++
		return s.emit(&feature{layer: buildings, min: layers[buildings].min, number: number, props: properties{r.Class, size}.encode(),
			geometry: onGrid(p)})
	})
}

// scores emits the nodes of the walking network that have a score.
func (s *scan) scores(ctx context.Context) error {
	columns := strings.Join(schemas.ScoreIDs(), ", ")
	values := make([]sql.NullInt64, len(schemas.Scores))
	var fid uint64
	var blob sql.RawBytes
	targets := []any{&fid, &blob}
	for i := range values {
		targets = append(targets, &values[i])
	}
	props := make(properties, len(values))
	return s.eachRow(ctx, schemas.AccessFile, "SELECT fid, geometry, "+columns+" FROM street_node ORDER BY fid", func(rows *sql.Rows) error {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		known := false
		for i, v := range values {
			if props[i] = nil; v.Valid {
				props[i], known = stepsOf(v.Int64), true
			}
		}
		if !known {
			return nil
		}
		p, err := released.ReadPoint(blob)
		if err != nil {
			return fmt.Errorf("street node %d: %w", fid, err)
		}
		return s.emit(&feature{layer: heat, min: layers[heat].min, number: fid, props: props.encode(), geometry: onGrid(p)})
	})
}

// stepsOf is a stored score in twentieths of a point, rounded: 0 to 100.
func stepsOf(stored int64) int64 { return (stored*20 + schemas.UnitValue/2) / schemas.UnitValue }
