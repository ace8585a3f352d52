package files

import (
	"context"
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

// termTable is a table of terms that a POI has any number of. T is its row type.
type termTable[T any] struct {
	insert *sqlrow.Inserter[T]
	row    func(fid int64, id string) T
	known  map[string]bool  // nil: all ids are allowed
	pois   map[string]int64 // number of POIs by id
}

func newTermTable[T any](ctx context.Context, f *file, table string, row func(int64, string) T, known []schemas.Category) (*termTable[T], error) {
	insert, err := sqlrow.NewInserter[T](ctx, f.tx, table)
	if err != nil {
		return nil, err
	}
	t := &termTable[T]{insert: insert, row: row, pois: map[string]int64{}}
	if known != nil {
		t.known = make(map[string]bool, len(known))
		for _, c := range known {
			t.known[c.ID] = true
		}
	}
	return t, nil
}

// add inserts the ids of a comma list.
func (t *termTable[T]) add(fid int64, list string) error {
	for id := range strings.SplitSeq(list, ",") {
		if id == "" {
			continue
		}
		if t.known != nil && !t.known[id] {
			return fmt.Errorf("unknown category %q", id)
		}
		if err := t.insert.Row(t.row(fid, id)); err != nil {
			return fmt.Errorf("%q: %w", id, err)
		}
		t.pois[id]++
	}
	return nil
}

// poiTables are the tables that have rows of a POI.
type poiTables struct {
	pois           *sqlrow.Inserter[release.POI]
	categories     *termTable[release.POICategory]
	baseCategories *termTable[release.POIBaseCategory]
	brands         *termTable[release.POIBrand]
	tags           *termTable[release.POITag]
}

func newPOITables(ctx context.Context, f *file) (t *poiTables, err error) {
	t = &poiTables{}
	if t.pois, err = sqlrow.NewInserter[release.POI](ctx, f.tx, "poi"); err != nil {
		return nil, err
	}
	t.categories, err = newTermTable(ctx, f, "poi_category", func(fid int64, id string) release.POICategory {
		return release.POICategory{FID: fid, CategoryID: id}
	}, schemas.Categories)
	if err != nil {
		return nil, err
	}
	t.baseCategories, err = newTermTable(ctx, f, "poi_base_category", func(fid int64, id string) release.POIBaseCategory {
		return release.POIBaseCategory{FID: fid, CategoryID: id}
	}, schemas.BaseCategories)
	if err != nil {
		return nil, err
	}
	t.brands, err = newTermTable(ctx, f, "poi_brand", func(fid int64, id string) release.POIBrand {
		return release.POIBrand{FID: fid, BrandID: id}
	}, nil)
	if err != nil {
		return nil, err
	}
	t.tags, err = newTermTable(ctx, f, "poi_tag", func(fid int64, id string) release.POITag {
		return release.POITag{FID: fid, TagID: id}
	}, nil)
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
	if err == nil {
		err = t.categories.add(p.FID, p.Categories)
	}
	if err == nil {
		err = t.baseCategories.add(p.FID, p.BaseCategories)
	}
	if err == nil {
		err = t.brands.add(p.FID, p.Brands)
	}
	if err == nil {
		err = t.tags.add(p.FID, p.Tags)
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
