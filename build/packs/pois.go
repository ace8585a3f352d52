package packs

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"

	"quartier/build/released"
	"quartier/internal/pack/pois"
	"quartier/internal/sqlrow"
	"quartier/schemas"
)

func writePOIs(ctx context.Context, db *sql.DB, to string) error {
	w, err := pois.NewWriter(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer w.Close()
	brands, err := released.Collect(ctx, db, "SELECT brand_id, brand_name, brand_name FROM brand ORDER BY brand_id", scanTerm)
	if err != nil {
		return err
	}
	tags, err := released.Collect(ctx, db, "SELECT tag_id, label_en, label_fr FROM tag ORDER BY tag_id", scanTerm)
	if err != nil {
		return err
	}
	w.Describe(brands, tags)
	if err := eachPOI(ctx, db, w.Add); err != nil {
		return err
	}
	const query = "SELECT categories, base_categories, geometry FROM known_ground ORDER BY fid"
	err = released.Each(ctx, db, query, nil, sqlrow.Visit3(func(categories, baseCategories string, blob sql.RawBytes) error {
		outline, err := released.ReadMultiPolygon(blob)
		if err != nil {
			return fmt.Errorf("known ground: %w", err)
		}
		return w.AddKnown(splitList(categories), splitList(baseCategories), outline)
	}))
	if err != nil {
		return err
	}
	return finishPack(to, w.Finish)
}

func scanTerm(rows *sql.Rows, t *pois.Term) error {
	return rows.Scan(&t.ID, &t.Label.EN, &t.Label.FR)
}

// termQueries select the terms of POIs, in the order of the lists in eachPOI.
var termQueries = []string{
	"SELECT fid, category_id FROM poi_category ORDER BY fid, category_id",
	"SELECT fid, category_id FROM poi_base_category ORDER BY fid, category_id",
	"SELECT fid, brand_id FROM poi_brand ORDER BY fid, brand_id",
	"SELECT fid, tag_id FROM poi_tag ORDER BY fid, tag_id",
}

// eachPOI visits the POIs ordered by fid.
func eachPOI(ctx context.Context, db *sql.DB, visit func(*pois.Record) error) error {
	terms := make([]*childRows[string], len(termQueries))
	for i, query := range termQueries {
		var err error
		terms[i], err = newChildRows(db, query, func(rows *sql.Rows, fid *int64, id *string) error { return rows.Scan(fid, id) })
		if err != nil {
			return err
		}
		defer terms[i].rows.Close()
	}
	const query = `SELECT fid, poi_key, geometry, name, coalesce(address, ''), coalesce(suite, ''), coalesce(city, ''),
		coalesce(state_code, ''), coalesce(postal_code, ''), country_code, coalesce(phone, ''), coalesce(url, '')
		FROM poi ORDER BY fid`
	err := released.Each(ctx, db, query, nil, func(rows *sql.Rows) error {
		var fid int64
		var r pois.Record
		var country string
		var blob sql.RawBytes
		err := rows.Scan(&fid, &r.Key, &blob, &r.Name, &r.Address, &r.Suite, &r.City, &r.State, &r.PostalCode,
			&country, &r.Phone, &r.URL)
		if err != nil {
			return err
		}
		p, err := released.ReadPoint(blob)
		if err != nil {
			return fmt.Errorf("poi %s: %w", r.Key, err)
		}
		r.Lng, r.Lat = p[0], p[1]
		r.Country = schemas.CountryName(country).EN
		if r.State != "" {
			r.RegionCode = country + "_" + r.State
		}
		for i, list := range []*[]string{&r.Categories, &r.BaseCategories, &r.Brands, &r.Tags} {
			ids, err := terms[i].of(fid)
			if err != nil {
				return fmt.Errorf("poi %s: %w", r.Key, err)
			}
			*list = slices.Clone(ids)
		}
		if err := visit(&r); err != nil {
			return fmt.Errorf("poi %s: %w", r.Key, err)
		}
		return nil
	})
	for _, t := range terms {
		if err == nil {
			err = t.end()
		}
	}
	return err
}
