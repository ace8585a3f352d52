package poi

import (
	"context"
	"database/sql/driver"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"quartier/internal/duck"
)

//go:embed records.sql
var recordsSQL string

//go:embed rules.sql
var rulesSQL string

// Records passes every staged record to visit and stops at its first error. Other errors name the record.
func Records(ctx context.Context, staged *duck.DB, visit func(Record) error) error {
	rows, err := staged.QueryContext(ctx, recordsSQL)
	if err != nil {
		return fmt.Errorf("read staged pois: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var r Record
		var classes string
		if err := rows.Scan(&r.Source, &r.Key, &r.Priority, &r.Point[0], &r.Point[1], &r.Name, &r.NameFR, &r.Scheme, &classes,
			&r.Brand, &r.BrandWikidata, &r.Operator, &r.HouseNumber, &r.Street, &r.Address, &r.Unit,
			&r.City, &r.Postal, &r.Phone, &r.URL, &r.AreaM2); err != nil {
			return fmt.Errorf("read staged pois: %w", err)
		}
		var into any = &r.Classes
		if r.Scheme == "osm" {
			into = &r.Tags
		}
		if err := json.Unmarshal([]byte(classes), into); err != nil {
			return fmt.Errorf("read staged pois: %s of %s: classes: %w", r.Key, r.Source, err)
		}
		if err := visit(r); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read staged pois: %w", err)
	}
	return nil
}

// Rules reads the staged brand rules.
func Rules(ctx context.Context, staged *duck.DB) ([]BrandRule, error) {
	rows, err := staged.QueryContext(ctx, rulesSQL)
	if err != nil {
		return nil, fmt.Errorf("read brand rules: %w", err)
	}
	defer rows.Close()
	var list []BrandRule
	for rows.Next() {
		var r BrandRule
		var names, countries, tags string
		if err := rows.Scan(&r.Source, &r.Priority, &r.ID, &r.Name, &r.Wikidata, &r.Key, &r.Value, &names, &countries, &tags); err != nil {
			return nil, fmt.Errorf("read brand rules: %w", err)
		}
		if err := r.parse(names, countries, tags); err != nil {
			return nil, fmt.Errorf("read brand rules: %w", err)
		}
		list = append(list, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read brand rules: %w", err)
	}
	return list, nil
}

// Write writes derived.poi, derived.brand and derived.poi_merge.
func Write(ctx context.Context, derived *duck.DB, result *Result) error {
	c := result.mapping.categories
	err := appendRows(ctx, derived, "poi", result.POIs, func(p *POI) []driver.Value {
		return []driver.Value{p.Key, p.Source, p.Point[0], p.Point[1], p.Name, duck.Null(p.Address), duck.Null(p.Suite),
			duck.Null(p.City), duck.Null(p.State), duck.Null(p.Postal), p.Country, duck.Null(p.Phone), duck.Null(p.URL),
			p.categories.ids(), p.brandIDs(), strings.Join(p.Tags, ","), c.baseIDs(p.categories, p.Tags)}
	})
	if err != nil {
		return err
	}
	err = appendRows(ctx, derived, "brand", result.Brands, func(b Brand) []driver.Value {
		return []driver.Value{b.ID, b.Name}
	})
	if err != nil {
		return err
	}
	return appendRows(ctx, derived, "poi_merge", result.Merges, func(m Merge) []driver.Value {
		return []driver.Value{m.Kept, m.Merged, m.DistanceM, m.Similarity, m.Reason}
	})
}

func (p *POI) brandIDs() string {
	ids := make([]string, len(p.brands))
	for i, b := range p.brands {
		ids[i] = b.ID
	}
	return strings.Join(ids, ",")
}

func appendRows[T any](ctx context.Context, db *duck.DB, table string, list []T, row func(T) []driver.Value) error {
	rows, err := db.Append(ctx, table)
	if err != nil {
		return err
	}
	for i := range list {
		if i%chunk == 0 && ctx.Err() != nil {
			rows.Close()
			return ctx.Err()
		}
		if err := rows.Row(row(list[i])...); err != nil {
			rows.Close()
			return err
		}
	}
	return rows.Close()
}
