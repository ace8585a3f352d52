package poi

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
)

//go:embed rules.sql
var rulesSQL string

// stagedRecord is a row of staged.poi with the priority of its source.
type stagedRecord struct {
	staged.POI
	Priority int32 `col:"priority"`
}

const recordsSQL = "SELECT poi.*, source.priority FROM poi LEFT JOIN source USING (source_id)"

// Records calls visit with every staged record and stops at its first error. Errors of its own name the record.
func Records(ctx context.Context, db *duck.DB, visit func(Record) error) error {
	for row, err := range sqlrow.Select[stagedRecord](ctx, db, recordsSQL) {
		if err != nil {
			return fmt.Errorf("read staged pois: %w", err)
		}
		r := Record{
			Source: row.SourceID, Key: row.SourceKey, Priority: int(row.Priority), Point: orb.Point{row.Lng, row.Lat},
			Scheme: row.Scheme, Details: row.Details,
		}
		var into any = &r.Classes
		if r.Scheme == "osm" {
			into = &r.Tags
		}
		if err := json.Unmarshal([]byte(row.Classes), into); err != nil {
			return fmt.Errorf("read staged pois: %s of %s: classes: %w", r.Key, r.Source, err)
		}
		if err := visit(r); err != nil {
			return err
		}
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
func Write(ctx context.Context, db *duck.DB, result *Result) error {
	c := result.mapping.categories
	err := duck.Write(ctx, db, "poi", func(yield func(derived.POI) bool) {
		for _, p := range result.POIs {
			if !yield(derived.POI{
				Key: p.Key, SourceID: p.Source, Lng: p.Point[0], Lat: p.Point[1], Name: p.Name, Details: p.Details,
				Categories: p.categories.ids(), Brands: p.brandIDs(), Tags: strings.Join(p.Tags, ","),
				BaseCategories: c.baseIDs(p.categories, p.Tags),
			}) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	brands := make([]derived.Brand, len(result.Brands))
	for i, b := range result.Brands {
		brands[i] = derived.Brand{BrandID: b.ID, BrandName: b.Name}
	}
	if err := duck.Write(ctx, db, "brand", slices.Values(brands)); err != nil {
		return err
	}
	return duck.Write(ctx, db, "poi_merge", slices.Values(result.Merges))
}

func (p *POI) brandIDs() string {
	ids := make([]string, len(p.brands))
	for i, b := range p.brands {
		ids[i] = b.ID
	}
	return strings.Join(ids, ",")
}
