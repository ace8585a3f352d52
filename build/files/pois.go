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
	"quartier/internal/parallel"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/bundle"
	"quartier/schemas/release"
)

// WritePOIs writes pois.sqlite.
func WritePOIs(ctx context.Context, r *Release) error {
	f, err := r.create(schemas.POIsFile, bundle.POIs, bundle.Provenance)
	if err != nil {
		return err
	}
	defer f.Close()
	t, err := newPOITables(ctx, f)
	if err != nil {
		return err
	}
	for p, err := range parallel.Ahead(r.Assembly.POIs(ctx)) {
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
	grounds, err := r.Assembly.KnownGrounds(ctx)
	if err != nil {
		return err
	}
	if err := sqlrow.Insert(ctx, f.tx, "known_ground", grounds...); err != nil {
		return err
	}
	merges := sqlrow.NewInserter[release.Merge](ctx, f.tx, "poi_merge")
	for m, err := range r.Assembly.Merges(ctx) {
		if err != nil {
			return fmt.Errorf("read merges: %w", err)
		}
		if err := merges.Row(*m); err != nil {
			return fmt.Errorf("merge of %s into %s: %w", m.MergedKey, m.KeptKey, err)
		}
	}
	corrections := sqlrow.NewInserter[release.Correction](ctx, f.tx, "poi_correction")
	for c, err := range r.Assembly.Corrections(ctx) {
		if err != nil {
			return fmt.Errorf("read corrections: %w", err)
		}
		if err := corrections.Row(*c); err != nil {
			return fmt.Errorf("correction of %s: %w", c.POIKey, err)
		}
	}
	return f.finish(ctx, &r.Provenance, bundle.POIColumns,
		"CREATE UNIQUE INDEX poi_by_key ON poi (poi_key)",
		"CREATE INDEX poi_category_by_id ON poi_category (category_id)",
		"CREATE INDEX poi_brand_by_id ON poi_brand (brand_id)",
		"CREATE INDEX poi_tag_by_id ON poi_tag (tag_id)")
}

// The kinds of terms of which a POI has any number.
const (
	categories = iota
	baseCategories
	brands
	tags
	termKinds
)

// termTables are the tables of terms by kind. Where ids are known, all others are errors.
var termTables = [termKinds]struct {
	table, column string
	known         []schemas.Category
}{
	{"poi_category", "category_id", schemas.Categories},
	{"poi_base_category", "category_id", schemas.BaseCategories},
	{"poi_brand", "brand_id", nil},
	{"poi_tag", "tag_id", nil},
}

// poiTables are the tables that have rows of a POI.
type poiTables struct {
	rows  *sqlrow.Inserter[release.POI]
	terms [termKinds]*sql.Stmt
	pois  [termKinds]map[string]int64 // number of POIs by term
}

func newPOITables(ctx context.Context, f *file) (t *poiTables, err error) {
	t = &poiTables{rows: sqlrow.NewInserter[release.POI](ctx, f.tx, "poi")}
	for kind, k := range termTables {
		t.pois[kind] = map[string]int64{}
		if t.terms[kind], err = f.tx.Prepare(fmt.Sprintf("INSERT INTO %s (fid, %s) VALUES (?, ?)", k.table, k.column)); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *poiTables) add(p *assembly.POI) error {
	if p.Categories == "" {
		return fmt.Errorf("has no category")
	}
	err := t.rows.Row(release.POI{
		FID: p.FID, Key: p.Key, Region: p.Region, SourceID: p.SourceID, Name: p.Name,
		Geometry: released.PointBlob(orb.Point{p.Lng, p.Lat}), Details: p.Details,
	})
	for kind, list := range [termKinds]string{p.Categories, p.BaseCategories, p.Brands, p.Tags} {
		if err == nil {
			err = t.addTerms(kind, p.FID, list)
		}
	}
	return err
}

// addTerms inserts the ids of a comma list.
func (t *poiTables) addTerms(kind int, fid int64, list string) error {
	known := termTables[kind].known
	for id := range strings.SplitSeq(list, ",") {
		if id == "" {
			continue
		}
		if known != nil && !slices.ContainsFunc(known, func(c schemas.Category) bool { return c.ID == id }) {
			return fmt.Errorf("unknown category %q", id)
		}
		if _, err := t.terms[kind].Exec(fid, id); err != nil {
			return fmt.Errorf("%q: %w", id, err)
		}
		t.pois[kind][id]++
	}
	return nil
}

// insertVocabularies inserts all categories, and the brands and tags that POIs have.
func (f *file) insertVocabularies(ctx context.Context, a *assembly.Assembly, t *poiTables) error {
	for kind, table := range []string{categories: "category", baseCategories: "base_category"} {
		var rows []release.Category
		for _, c := range termTables[kind].known {
			rows = append(rows, release.Category{CategoryID: c.ID, LabelEN: c.Label.EN, LabelFR: c.Label.FR, POIs: t.pois[kind][c.ID]})
		}
		if err := sqlrow.Insert(ctx, f.tx, table, rows...); err != nil {
			return err
		}
	}
	names, err := a.BrandNames(ctx)
	if err != nil {
		return err
	}
	var brandRows []release.Brand
	for _, id := range slices.Sorted(maps.Keys(t.pois[brands])) {
		name, ok := names[id]
		if !ok {
			return fmt.Errorf("no region has the name of brand %s", id)
		}
		brandRows = append(brandRows, release.Brand{BrandID: id, BrandName: name, POIs: t.pois[brands][id]})
	}
	if err := sqlrow.Insert(ctx, f.tx, "brand", brandRows...); err != nil {
		return err
	}
	var tagRows []release.Tag
	for _, id := range slices.Sorted(maps.Keys(t.pois[tags])) {
		label, ok := schemas.TagLabel(id)
		if !ok {
			return fmt.Errorf("unknown tag %s", id)
		}
		tagRows = append(tagRows, release.Tag{TagID: id, LabelEN: label.EN, LabelFR: label.FR, POIs: t.pois[tags][id]})
	}
	return sqlrow.Insert(ctx, f.tx, "tag", tagRows...)
}
