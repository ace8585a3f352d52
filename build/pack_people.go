package build

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"path/filepath"

	"quartier/build/released"
	"quartier/internal/margin"
	"quartier/internal/pack"
	"quartier/internal/pack/people"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
	"quartier/schemas/demographics"
)

func packSmallAreas(ctx context.Context, from, to string) error {
	db, err := released.Open(from)
	if err != nil {
		return err
	}
	defer db.Close()
	return finishPack(to, func(out *pack.Writer) error {
		w := smallareas.NewWriter(out)
		if err := eachSmallArea(ctx, db, w.AddArea); err != nil {
			return err
		}
		return w.Finish()
	})
}

// eachSmallArea visits the small areas in the order of fid with what stands beside them in the other tables.
func eachSmallArea(ctx context.Context, db *sql.DB, visit func(code string, values []smallareas.Value, parts []smallareas.Part) error) error {
	values, err := besideAreas(db, "SELECT area, cell, estimate, moe FROM small_area_value ORDER BY area, cell", scanValue)
	if err != nil {
		return err
	}
	defer values.rows.Close()
	parts, err := besideAreas(db, "SELECT area, persons, households, dwellings, geometry FROM small_area_part ORDER BY fid", scanPart)
	if err != nil {
		return err
	}
	defer parts.rows.Close()
	err = released.Each(ctx, db, "SELECT fid, source_key, region_code FROM small_area ORDER BY fid", nil, func(rows *sql.Rows) error {
		var fid int64
		var key, code string
		if err := rows.Scan(&fid, &key, &code); err != nil {
			return err
		}
		err := values.read(fid)
		if err == nil {
			err = parts.read(fid)
		}
		if err == nil {
			err = visit(code, values.list, parts.list)
		}
		if err != nil {
			return fmt.Errorf("small area %s: %w", key, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if values.more || parts.more {
		return fmt.Errorf("a figure of small area %d or a part of %d, which are not there", values.area, parts.area)
	}
	return nil
}

// beside walks a table of small areas' things beside the areas.
type beside[T any] struct {
	rows *sql.Rows
	scan func(rows *sql.Rows, area *int64, item *T) error
	list []T   // of the area that was read
	area int64 // of the row that is read ahead
	item T
	more bool
}

func besideAreas[T any](db *sql.DB, query string, scan func(*sql.Rows, *int64, *T) error) (*beside[T], error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	b := &beside[T]{rows: rows, scan: scan}
	if err := b.next(); err != nil {
		rows.Close()
		return nil, err
	}
	return b, nil
}

func (b *beside[T]) next() error {
	if b.more = b.rows.Next(); !b.more {
		return b.rows.Err()
	}
	return b.scan(b.rows, &b.area, &b.item)
}

// read gathers the rows of an area; areas are asked for in ascending order.
func (b *beside[T]) read(area int64) error {
	b.list = b.list[:0]
	for b.more && b.area <= area {
		if b.area < area {
			return fmt.Errorf("a row of small area %d, which is not there", b.area)
		}
		b.list = append(b.list, b.item)
		if err := b.next(); err != nil {
			return err
		}
	}
	return nil
}

func scanValue(rows *sql.Rows, area *int64, v *smallareas.Value) (err error) {
	var cell string
	var moe sql.NullFloat64
	if err := rows.Scan(area, &cell, &v.Estimate, &moe); err != nil {
		return err
	}
	v.Cell, err = checkFigure(cell, v.Estimate, moe)
	v.Figure = figure(v.Estimate, moe)
	return err
}

// figure is an estimate with its margin of error, of which NULL is none known.
func figure(estimate float64, moe sql.NullFloat64) margin.Figure {
	if !moe.Valid {
		return margin.Figure{Estimate: estimate, MOE: math.NaN()}
	}
	return margin.Figure{Estimate: estimate, MOE: moe.Float64}
}

func scanPart(rows *sql.Rows, area *int64, p *smallareas.Part) (err error) {
	var blob sql.RawBytes
	if err := rows.Scan(area, &p.Weights[0], &p.Weights[1], &p.Weights[2], &blob); err != nil {
		return err
	}
	p.Outline, err = released.ReadMultiPolygon(blob)
	return err
}

// packPeople takes the countries of the geographies from the file beside the one with their variables.
func packPeople(ctx context.Context, from, to string) error {
	countries, err := readCountries(ctx, filepath.Join(filepath.Dir(from), schemas.GeographiesFile))
	if err != nil {
		return err
	}
	db, err := released.Open(from)
	if err != nil {
		return err
	}
	defer db.Close()
	return finishPack(to, func(out *pack.Writer) error {
		w := people.NewWriter(out)
		if err := eachDescribed(ctx, db, countries, w.Add); err != nil {
			return err
		}
		return w.Finish()
	})
}

func readCountries(ctx context.Context, path string) (map[string]string, error) {
	db, err := released.Open(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	countries := map[string]string{}
	const query = "SELECT geog_id, country_code FROM geography UNION ALL SELECT geog_id, country_code FROM geography_superseded"
	err = released.Each(ctx, db, query, nil, func(rows *sql.Rows) error {
		var id, country string
		err := rows.Scan(&id, &country)
		countries[id] = country
		return err
	})
	return countries, err
}

// variablePlaces are the places of the variables of geographies by category and variable.
var variablePlaces = func() map[[2]string]int {
	places := map[[2]string]int{}
	for i, at := range variables {
		c := &demographics.ByGeography[at.Category]
		places[[2]string{c.ID, c.Variables[at.Variable].ID}] = i
	}
	return places
}()

// eachDescribed visits the described geographies by id.
func eachDescribed(ctx context.Context, db *sql.DB, countries map[string]string, visit func(people.Geography) error) error {
	const query = `SELECT g.geog_id, g.vintage, v.category, v.variable, v.value, v.lower, v.upper
		FROM geography_vintage AS g JOIN geography_variable AS v USING (geog_id) ORDER BY g.geog_id`
	var g people.Geography
	flush := func() error {
		if g.ID == "" {
			return nil
		}
		return visit(g)
	}
	err := released.Each(ctx, db, query, nil, func(rows *sql.Rows) error {
		var id, vintage string
		var at [2]string
		v := people.Value{Present: true}
		var lower, upper sql.NullFloat64
		if err := rows.Scan(&id, &vintage, &at[0], &at[1], &v.Value, &lower, &upper); err != nil {
			return err
		}
		if id != g.ID {
			if err := flush(); err != nil {
				return err
			}
			country, ok := countries[id]
			if !ok {
				return fmt.Errorf("people of geography %s, which is not in the release", id)
			}
			g = people.Geography{ID: id, Country: country, Vintage: vintage, Values: make([]people.Value, len(variablePlaces))}
		}
		place, ok := variablePlaces[at]
		if !ok {
			return fmt.Errorf("geography %s: there is no variable %s of %s", id, at[1], at[0])
		}
		v.Lower, v.Upper, v.Interval = lower.Float64, upper.Float64, lower.Valid && upper.Valid
		g.Values[place] = v
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}
