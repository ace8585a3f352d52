package files

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/released"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/release"
)

// WritePOIs writes pois.sqlite.
func WritePOIs(ctx context.Context, r *Release) error {
	f, err := r.create(schemas.POIsFile, schemas.BundlePOIs, schemas.BundleProvenance)
	if err != nil {
		return err
	}
	defer f.Close()
	t, err := newPOITables(ctx, f)
	if err != nil {
		return err
	}
	for p, err := range r.Assembly.POIs(ctx) {
		if err != nil {
			return fmt.Errorf("read pois: %w", err)
		}
		if err := t.add(p); err != nil {
			return fmt.Errorf("poi %s of region %s: %w", p.Key, p.Region, err)
		}
	}
	if err := f.insertVocabularies(ctx, r.Assembly, t); err != nil {
		return err
	}
	merges, err := sqlrow.NewInserter[release.Merge](ctx, f.tx, "poi_merge")
	if err != nil {
		return err
	}
	for m, err := range r.Assembly.Merges(ctx) {
		if err != nil {
			return fmt.Errorf("read merges: %w", err)
		}
		if err := merges.Row(*m); err != nil {
			return fmt.Errorf("merge of %s into %s: %w", m.MergedKey, m.KeptKey, err)
		}
	}
	return f.finish(ctx, &r.Provenance, schemas.POIColumns,
		"CREATE UNIQUE INDEX poi_by_key ON poi (poi_key)",
		"CREATE INDEX poi_category_by_id ON poi_category (category_id)",
		"CREATE INDEX poi_brand_by_id ON poi_brand (brand_id)",
		"CREATE INDEX poi_tag_by_id ON poi_tag (tag_id)")
}

// termTable is a table of terms of which a POI has any number.
type termTable struct {
	insert *sql.Stmt
	known  []schemas.Category // nil: all ids are allowed
	pois   map[string]int64   // number of POIs by id
}

func newTermTable(f *file, table, column string, known []schemas.Category) (*termTable, error) {
	insert, err := f.tx.Prepare(fmt.Sprintf("INSERT INTO %s (fid, %s) VALUES (?, ?)", table, column))
	return &termTable{insert, known, map[string]int64{}}, err
}

// add inserts the ids of a comma list.
func (t *termTable) add(fid int64, list string) error {
	for id := range strings.SplitSeq(list, ",") {
		if id == "" {
			continue
		}
		if t.known != nil && !slices.ContainsFunc(t.known, func(c schemas.Category) bool { return c.ID == id }) {
			return fmt.Errorf("unknown category %q", id)
		}
		if _, err := t.insert.Exec(fid, id); err != nil {
			return fmt.Errorf("%q: %w", id, err)
		}
		t.pois[id]++
	}
	return nil
}

// poiTables are the tables that have rows of a POI.
type poiTables struct {
	pois                                     *sqlrow.Inserter[release.POI]
	categories, baseCategories, brands, tags *termTable
}

func newPOITables(ctx context.Context, f *file) (t *poiTables, err error) {
	t = &poiTables{}
	if t.pois, err = sqlrow.NewInserter[release.POI](ctx, f.tx, "poi"); err != nil {
		return nil, err
	}
	if t.categories, err = newTermTable(f, "poi_category", "category_id", schemas.Categories); err != nil {
		return nil, err
	}
	if t.baseCategories, err = newTermTable(f, "poi_base_category", "category_id", schemas.BaseCategories); err != nil {
		return nil, err
	}
	if t.brands, err = newTermTable(f, "poi_brand", "brand_id", nil); err != nil {
		return nil, err
	}
	t.tags, err = newTermTable(f, "poi_tag", "tag_id", nil)
	return t, err
}

func (t *poiTables) add(p *assembly.POI) error {
	if p.Categories == "" {
		return fmt.Errorf("has no category")
	}
	err := t.pois.Row(release.POI{
		FID: p.FID, Key: p.Key, Region: p.Region, SourceID: p.SourceID, Name: p.Name,
		Geometry: released.PointBlob(orb.Point{p.Lng, p.Lat}), Details: p.Details,
	})
	for _, terms := range []struct {
		table *termTable
		ids   string
	}{{t.categories, p.Categories}, {t.baseCategories, p.BaseCategories}, {t.brands, p.Brands}, {t.tags, p.Tags}} {
		if err == nil {
			err = terms.table.add(p.FID, terms.ids)
		}
	}
	return err
}

// insertVocabularies inserts all categories, and the brands and tags that POIs have.
func (f *file) insertVocabularies(ctx context.Context, a *assembly.Assembly, t *poiTables) error {
	var categories []release.Category
	for _, c := range schemas.Categories {
		categories = append(categories, release.Category{CategoryID: c.ID, LabelEN: c.Label.EN, LabelFR: c.Label.FR, POIs: t.categories.pois[c.ID]})
	}
	if err := sqlrow.Insert(ctx, f.tx, "category", categories...); err != nil {
		return err
	}
	var baseCategories []release.BaseCategory
	for _, c := range schemas.BaseCategories {
		baseCategories = append(baseCategories, release.BaseCategory{CategoryID: c.ID, LabelEN: c.Label.EN, LabelFR: c.Label.FR, POIs: t.baseCategories.pois[c.ID]})
	}
	if err := sqlrow.Insert(ctx, f.tx, "base_category", baseCategories...); err != nil {
		return err
	}
	names, err := a.BrandNames(ctx)
	if err != nil {
		return err
	}
	var brands []release.Brand
	for _, id := range slices.Sorted(maps.Keys(t.brands.pois)) {
		name, ok := names[id]
		if !ok {
			return fmt.Errorf("no region has the name of brand %s", id)
		}
		brands = append(brands, release.Brand{BrandID: id, BrandName: name, POIs: t.brands.pois[id]})
	}
	if err := sqlrow.Insert(ctx, f.tx, "brand", brands...); err != nil {
		return err
	}
	var tags []release.Tag
	for _, id := range slices.Sorted(maps.Keys(t.tags.pois)) {
		label, ok := schemas.TagLabel(id)
		if !ok {
			return fmt.Errorf("unknown tag %s", id)
		}
		tags = append(tags, release.Tag{TagID: id, LabelEN: label.EN, LabelFR: label.FR, POIs: t.tags.pois[id]})
	}
	return sqlrow.Insert(ctx, f.tx, "tag", tags...)
}
