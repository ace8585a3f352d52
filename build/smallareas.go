package build

import (
	"context"
	"database/sql"
	"fmt"

	"quartier/build/released"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/schemas/demographics"
)

// smallAreas carries the derived small areas of the regions into demographics.sqlite, where they stand side by side.
type smallAreas struct {
	*draft
	tx           *sql.Tx
	areas, parts int64           // rows taken
	again        int64           // small areas that a region before told
	hulls        []*geo.Prepared // of the parts of each region so far
	// The region under way.
	region  int
	derived *duck.DB
	fids    []int64 // of its small areas by number, 0 where a region before told the area
	hull    geo.Hull
}

func (s *smallAreas) copyRegions(ctx context.Context, tx *sql.Tx) error {
	s.tx = tx
	for i, r := range s.regions {
		if err := s.copyRegion(ctx, i); err != nil {
			return fmt.Errorf("region %s: %w", r.Name, err)
		}
	}
	return nil
}

// copyRegion writes the small areas of a region.
func (s *smallAreas) copyRegion(ctx context.Context, region int) (err error) {
	if s.derived, err = duck.Open(s.regions[region].Derived); err != nil {
		return err
	}
	defer s.derived.Close()
	// Rows are read once: what the database would keep of them serves nobody.
	if _, err := s.derived.ExecContext(ctx, "SET memory_limit = '256MB'"); err != nil {
		return err
	}
	s.region, s.fids, s.hull = region, nil, geo.Hull{}
	for _, copyTable := range []func(context.Context) error{s.copyAreas, s.copyParts, s.copyValues} {
		if err := copyTable(ctx); err != nil {
			return err
		}
	}
	s.addHull()
	return nil
}

// copyAreas writes the small areas that no region before told.
func (s *smallAreas) copyAreas(ctx context.Context) error {
	insert, err := s.tx.Prepare("INSERT OR IGNORE INTO small_area VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	name := s.regions[s.region].Name
	return eachNumbered(ctx, s.derived, "small_area", "area", "source_key, region_code", func(_ int64, rows *sql.Rows) error {
		var key, code string
		if err := rows.Scan(&key, &code); err != nil {
			return err
		}
		if len(code) != 5 || code[:3] != "CA_" && code[:3] != "US_" {
			return fmt.Errorf("%s lies in %q", key, code)
		}
		if !s.hasVintage(s.region, code[:2]) {
			return fmt.Errorf("%s has figures of no vintage", key)
		}
		result, err := insert.Exec(s.areas+1, name, key, code)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return err
		}
		s.areas += n
		s.again += 1 - n
		s.fids = append(s.fids, n*s.areas)
		return nil
	})
}

// copyParts writes the parts. They stand area by area, and every area has one that weighs something.
func (s *smallAreas) copyParts(ctx context.Context) error {
	insert, err := s.tx.Prepare("INSERT INTO small_area_part VALUES (?, ?, ?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	last, weighs := int64(-1), true
	follow := func(area int64) error {
		switch {
		case !weighs:
			return fmt.Errorf("small area %d has no part that weighs anything", last)
		case area != last+1:
			return fmt.Errorf("the parts of small area %d of %d follow those of %d", area, len(s.fids), last)
		}
		last, weighs = area, false
		return nil
	}
	const columns = "area, source_key, persons, households, dwellings, geom"
	err = eachNumbered(ctx, s.derived, "small_area_part", "part", columns, func(_ int64, rows *sql.Rows) error {
		var area int64
		var key string
		var weights [demographics.Universes]float64
		var geom sql.RawBytes
		if err := rows.Scan(&area, &key, &weights[0], &weights[1], &weights[2], &geom); err != nil {
			return err
		}
		if area != last {
			if err := follow(area); err != nil {
				return err
			}
		}
		if area >= int64(len(s.fids)) {
			return fmt.Errorf("%s is of small area %d of %d", key, area, len(s.fids))
		}
		for _, w := range weights {
			if !(w >= 0 && w <= mostWeight) {
				return fmt.Errorf("%s weighs %v", key, weights)
			}
			weighs = weighs || w > 0
		}
		outline, err := decodeOutline(geom)
		if err != nil {
			return fmt.Errorf("outline of %s: %w", key, err)
		}
		for _, polygon := range outline {
			for _, p := range polygon[0] {
				s.hull.Add(p)
			}
		}
		fid := s.fids[area]
		if fid == 0 {
			return nil
		}
		s.parts++
		_, err = insert.Exec(s.parts, fid, key, weights[0], weights[1], weights[2], released.MultiPolygonBlob(outline))
		return err
	})
	if err != nil {
		return err
	}
	return follow(int64(len(s.fids)))
}

// Bounds of what is believed of a weight and of a figure.
const (
	mostWeight = 1e12
	mostFigure = 1e15 // dollars of a country
)

// areasAtATime is how many small areas have their figures in memory.
const areasAtATime = chunk / demographics.CellCount

func (s *smallAreas) copyValues(ctx context.Context) error {
	insert, err := s.tx.Prepare("INSERT INTO small_area_value VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	var stray sql.NullInt64
	err = s.derived.QueryRowContext(ctx, "SELECT min(area) FROM small_area_value WHERE area < 0 OR area >= ?", len(s.fids)).Scan(&stray)
	if err == nil && stray.Valid {
		err = fmt.Errorf("is of small area %d of %d", stray.Int64, len(s.fids))
	}
	for first := 0; first < len(s.fids) && err == nil; first += areasAtATime {
		err = s.copyValuesFrom(ctx, insert, first)
	}
	if err != nil {
		return fmt.Errorf("small_area_value: %w", err)
	}
	return nil
}

func (s *smallAreas) copyValuesFrom(ctx context.Context, insert *sql.Stmt, first int) error {
	rows, err := s.derived.QueryContext(ctx, `SELECT area, cell, estimate, moe FROM small_area_value
		WHERE area >= ? AND area < ? ORDER BY area, cell`, first, first+areasAtATime)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var area int64
		var cell string
		var estimate float64
		var moe sql.NullFloat64
		if err := rows.Scan(&area, &cell, &estimate, &moe); err != nil {
			return err
		}
		if _, err := checkFigure(cell, estimate, moe); err != nil {
			return fmt.Errorf("small area %d: %w", area, err)
		}
		if fid := s.fids[area]; fid > 0 {
			if _, err := insert.Exec(fid, cell, estimate, moe); err != nil {
				return err
			}
		}
	}
	return rows.Err()
}

// checkFigure is the place of a cell, and refuses what its figure cannot be.
func checkFigure(id string, estimate float64, moe sql.NullFloat64) (cell int, err error) {
	cell, ok := demographics.CellOf(id)
	switch {
	case !ok:
		return 0, fmt.Errorf("there is no cell %q", id)
	case !(estimate >= 0 && estimate <= mostFigure):
		return 0, fmt.Errorf("%s is %v", id, estimate)
	case moe.Valid && !(moe.Float64 >= 0 && moe.Float64 <= mostFigure):
		return 0, fmt.Errorf("%s has a margin of error of %v", id, moe.Float64)
	}
	return cell, nil
}
