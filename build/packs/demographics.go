package packs

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/pack"
	"quartier/internal/pack/people"
	"quartier/internal/pack/smallareas"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/demographics"
)

func writeSmallAreas(ctx context.Context, db *sql.DB, _, to string) error {
	return finishPack(to, func(out *pack.Writer) error {
		w := smallareas.NewWriter(out)
		if err := eachSmallArea(ctx, db, w.AddArea); err != nil {
			return err
		}
		if err := eachGround(ctx, db, w.AddGround); err != nil {
			return err
		}
		return w.Finish()
	})
}

// eachSmallArea visits the small areas with their figures and parts, ordered by fid.
func eachSmallArea(ctx context.Context, db *sql.DB,
	visit func(code string, sigma smallareas.Sigma, values []smallareas.Value, parts []smallareas.Part) error) error {
	values, err := newChildRows(db, "SELECT area, cell, estimate, moe FROM small_area_value ORDER BY area, cell", scanValue)
	if err != nil {
		return err
	}
	defer values.rows.Close()
	parts, err := newChildRows(db, "SELECT area, persons, households, dwellings, geometry FROM small_area_part ORDER BY fid", scanPart)
	if err != nil {
		return err
	}
	defer parts.rows.Close()
	err = released.Each(ctx, db, "SELECT fid, source_key, region_code, sigma_within, sigma_between FROM small_area ORDER BY fid", nil,
		sqlrow.Visit5(func(fid int64, key, code string, within, between float64) error {
			v, err := values.of(fid)
			var p []smallareas.Part
			if err == nil {
				p, err = parts.of(fid)
			}
			if err == nil {
				err = visit(code, smallareas.Sigma{Within: within, Between: between}, v, p)
			}
			if err != nil {
				return fmt.Errorf("small area %s: %w", key, err)
			}
			return nil
		}))
	if err == nil {
		err = values.end()
	}
	if err == nil {
		err = parts.end()
	}
	return err
}

// eachGround visits the pieces of the ground, ordered by fid.
func eachGround(ctx context.Context, db *sql.DB, visit func(code string, covered bool, outline orb.MultiPolygon) error) error {
	return released.Each(ctx, db, "SELECT region_code, covered, geometry FROM ground ORDER BY fid", nil,
		sqlrow.Visit3(func(code string, covered bool, blob sql.RawBytes) error {
			outline, err := released.ReadMultiPolygon(blob)
			if err != nil {
				return fmt.Errorf("ground of %s: %w", code, err)
			}
			return visit(code, covered, outline)
		}))
}

func scanValue(rows *sql.Rows, area *int64, v *smallareas.Value) (err error) {
	var cell string
	var estimate float64
	var moe *float64
	if err := rows.Scan(area, &cell, &estimate, &moe); err != nil {
		return err
	}
	v.Cell, v.Figure, err = released.ParseFigure(cell, estimate, moe)
	return err
}

func scanPart(rows *sql.Rows, area *int64, p *smallareas.Part) (err error) {
	var blob sql.RawBytes
	if err := rows.Scan(area, &p.Weights[0], &p.Weights[1], &p.Weights[2], &blob); err != nil {
		return err
	}
	p.Outline, err = released.ReadMultiPolygon(blob)
	return err
}

// writeDemographics takes the countries of the geographies from geographies.sqlite in folder dir.
func writeDemographics(ctx context.Context, db *sql.DB, dir, to string) error {
	countries, err := readCountries(ctx, filepath.Join(dir, schemas.GeographiesFile))
	if err != nil {
		return err
	}
	return finishPack(to, func(out *pack.Writer) error {
		w := people.NewWriter(out)
		if err := eachGeographyDemographics(ctx, db, countries, w.Add); err != nil {
			return err
		}
		return w.Finish()
	})
}

// readCountries returns the country codes of all geographies by geog_id.
func readCountries(ctx context.Context, path string) (map[string]string, error) {
	db, err := released.Open(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	countries := map[string]string{}
	const query = "SELECT geog_id, country_code FROM geography UNION ALL SELECT geog_id, country_code FROM geography_superseded"
	err = released.Each(ctx, db, query, nil, sqlrow.Visit2(func(id, country string) error {
		countries[id] = country
		return nil
	}))
	return countries, err
}

// variableIndex maps category and variable to the index in demographics.Flat(demographics.ByGeography).
var variableIndex = func() map[[2]string]int {
	places := map[[2]string]int{}
	for i, at := range demographics.Flat(demographics.ByGeography) {
		c := &demographics.ByGeography[at.Category]
		places[[2]string{c.ID, c.Variables[at.Variable].ID}] = i
	}
	return places
}()

// eachGeographyDemographics visits the geographies with demographics, ordered by id.
func eachGeographyDemographics(ctx context.Context, db *sql.DB, countries map[string]string, visit func(people.Geography) error) error {
	const query = `SELECT g.geog_id, g.vintage, coalesce(k.vintages, ''), c.coverage, v.category, v.variable, v.value, v.lower, v.upper, coalesce(v.open_end, '')
		FROM geography_vintage AS g JOIN geography_variable AS v USING (geog_id) LEFT JOIN geography_coverage AS c USING (geog_id)
		LEFT JOIN (SELECT geog_id, group_concat(category || '=' || vintage, ';' ORDER BY category) AS vintages FROM geography_category_vintage GROUP BY geog_id) AS k USING (geog_id)
		ORDER BY g.geog_id`
	var g people.Geography
	flush := func() error {
		if g.ID == "" {
			return nil
		}
		return visit(g)
	}
	err := released.Each(ctx, db, query, nil, func(rows *sql.Rows) error {
		var id, vintage, vintages string
		var at [2]string
		v := people.Value{Present: true}
		var lower, upper sql.NullFloat64
		var coverage *float64
		if err := rows.Scan(&id, &vintage, &vintages, &coverage, &at[0], &at[1], &v.Value, &lower, &upper, &v.Open); err != nil {
			return err
		}
		if id != g.ID {
			if err := flush(); err != nil {
				return err
			}
			country, ok := countries[id]
			if !ok {
				return fmt.Errorf("demographics of geography %s, which is not in the release", id)
			}
			g = people.Geography{ID: id, Country: country, Vintage: vintage, Vintages: vintages, Coverage: coverage,
				Values: make([]people.Value, len(variableIndex))}
		}
		place, ok := variableIndex[at]
		if !ok {
			return fmt.Errorf("geography %s: unknown variable %s of %s", id, at[1], at[0])
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
