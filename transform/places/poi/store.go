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

const recordsSQL = "SELECT poi.*, priority FROM poi LEFT JOIN source USING (source_id) WHERE hash(source_key) %% %d = %d"

// recordsAtOnce is about how many records are read by one query, whose whole result the database has in memory.
const recordsAtOnce = 500_000

//go:embed rules.sql
var rulesSQL string

// Records passes every staged record to visit, in any order, and stops at its first error. Other errors name the record.
func Records(ctx context.Context, db *duck.DB, visit func(Record) error) error {
	count := 0
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM poi").Scan(&count); err != nil {
		return fmt.Errorf("count staged pois: %w", err)
	}
	parts := (count + recordsAtOnce - 1) / recordsAtOnce
	for part := range parts {
		if err := recordsOf(ctx, db, parts, part, visit); err != nil {
			return err
		}
	}
	return nil
}

// recordsOf is Records for one of several parts.
func recordsOf(ctx context.Context, db *duck.DB, parts, part int, visit func(Record) error) error {
	type row struct {
		staged.POI
		Priority int32 `col:"priority"`
	}
	for row, err := range sqlrow.Select[row](ctx, db, fmt.Sprintf(recordsSQL, parts, part)) {
		if err != nil {
			return fmt.Errorf("read staged pois: %w", err)
		}
		r := Record{Source: row.SourceID, Key: row.SourceKey, Priority: int(row.Priority), Point: orb.Point{row.Lng, row.Lat},
			Scheme: row.Scheme, Details: row.Details}
		var into any = &r.Classes
		if r.Scheme == "osm" {
			into = &r.Tags
		}
		if err := json.Unmarshal([]byte(row.POI.Classes), into); err != nil {
			return fmt.Errorf("read staged pois: %s of %s: classes: %w", r.Key, r.Source, err)
		}
		if err := visit(r); err != nil {
			return err
		}
	}
	return nil
}

// Rules reads the staged brand rules.
func Rules(ctx context.Context, db *duck.DB) ([]BrandRule, error) {
	type row struct {
		staged.BrandRule
		Priority int32 `col:"priority"`
	}
	var list []BrandRule
	for row, err := range sqlrow.Select[row](ctx, db, rulesSQL) {
		if err != nil {
			return nil, fmt.Errorf("read brand rules: %w", err)
		}
		r := BrandRule{Source: row.SourceID, Priority: int(row.Priority), ID: row.BrandID, Name: row.BrandName,
			Wikidata: row.Wikidata, Key: row.Key, Value: row.Value}
		if err := r.parse(row.Names, row.Countries, row.Tags); err != nil {
			return nil, fmt.Errorf("read brand rules: %w", err)
		}
		list = append(list, r)
	}
	return list, nil
}

// Write writes derived.poi, derived.brand, derived.poi_merge and derived.poi_correction.
func Write(ctx context.Context, db *duck.DB, result *Result) error {
	err := duck.Fill(ctx, db, "poi", func(write func(derived.POI) error) error {
		return result.places.eachOnCurve(ctx, func(number int32, curve int64, p *POI) error {
			return write(derived.POI{Number: number, Curve: curve, Key: p.Key, SourceID: p.Source, Lng: p.Point[0], Lat: p.Point[1],
				Name: p.Name, Categories: p.categories.ids(), Brands: p.brandIDs(), Tags: strings.Join(p.Tags, ","),
				BaseCategories: result.mapping.categories.baseIDs(p.categories, p.Tags), Details: p.Details})
		})
	})
	if err != nil {
		return err
	}
	err = duck.WriteEach(ctx, db, "brand", result.Brands, func(_ int, b Brand) (derived.Brand, error) {
		return derived.Brand{BrandID: b.ID, BrandName: b.Name}, nil
	})
	if err != nil {
		return err
	}
	if err := duck.Fill(ctx, db, "poi_merge", result.places.eachMerge); err != nil {
		return err
	}
	return duck.Write(ctx, db, "poi_correction", slices.Values(result.Corrections))
}

func (p *POI) brandIDs() string {
	ids := make([]string, len(p.brands))
	for i, b := range p.brands {
		ids[i] = b.ID
	}
	return strings.Join(ids, ",")
}
