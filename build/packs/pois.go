package packs

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"

	"quartier/build/released"
	"quartier/internal/pack/pois"
	"quartier/internal/parallel"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/release"
)

func writePOIs(ctx context.Context, db *sql.DB, _, to string) error {
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
	for p, err := range parallel.Ahead(sqlrow.Select[release.POI](ctx, db, "SELECT * FROM poi ORDER BY fid")) {
		if err != nil {
			return err
		}
		r, err := record(p)
		if err != nil {
			return fmt.Errorf("poi %s: %w", p.Key, err)
		}
		for i, list := range []*[]string{&r.Categories, &r.BaseCategories, &r.Brands, &r.Tags} {
			ids, err := terms[i].of(p.FID)
			if err != nil {
				return fmt.Errorf("poi %s: %w", p.Key, err)
			}
			*list = slices.Clone(ids)
		}
		if err := visit(&r); err != nil {
			return fmt.Errorf("poi %s: %w", p.Key, err)
		}
	}
	for _, t := range terms {
		if err := t.end(); err != nil {
			return err
		}
	}
	return nil
}

// record is a POI without its terms.
func record(p *release.POI) (pois.Record, error) {
	at, err := released.ReadPoint(p.Geometry)
	r := pois.Record{
		Key: p.Key, Lng: at[0], Lat: at[1], Name: p.Name, Address: p.Address, Suite: p.Suite, City: p.City, State: p.StateCode,
		PostalCode: p.PostalCode, Country: schemas.CountryName(p.CountryCode).EN, Phone: p.Phone, URL: p.URL, Attributes: p.Attributes,
	}
	if r.State != "" {
		r.RegionCode = p.CountryCode + "_" + r.State
	}
	return r, err
}
