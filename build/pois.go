package build

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/schemas"
)

// poiRow is a POI of the assembly.
type poiRow struct {
	fid                                       int64
	key, source, name, country                string
	region                                    int
	point                                     orb.Point
	address, suite, city, state, postal       sql.NullString
	phone, url                                sql.NullString
	categories, baseCategories, brands, terms string // comma lists
}

// eachPOI visits the POIs in the order of fid.
func (a *assembly) eachPOI(ctx context.Context, visit func(*poiRow) error) error {
	rows, err := a.conn.QueryContext(ctx, query("pois"))
	if err != nil {
		return fmt.Errorf("read pois: %w", err)
	}
	defer rows.Close()
	var p poiRow
	for rows.Next() {
		if err := rows.Scan(&p.fid, &p.key, &p.region, &p.source, &p.point[0], &p.point[1], &p.name, &p.address,
			&p.suite, &p.city, &p.state, &p.postal, &p.country, &p.phone, &p.url, &p.categories, &p.baseCategories,
			&p.brands, &p.terms); err != nil {
			return fmt.Errorf("read pois: %w", err)
		}
		if err := visit(&p); err != nil {
			return fmt.Errorf("poi %s of region %s: %w", p.key, a.regions[p.region].Name, err)
		}
	}
	return rows.Err()
}

// termTable is a table of what a POI may carry several of, and how many POIs carry each.
type termTable struct {
	insert *sql.Stmt
	known  map[string]bool // nil: any id
	pois   map[string]int64
}

func newTermTable(tx *sql.Tx, table string, known []schemas.Category) (*termTable, error) {
	insert, err := tx.Prepare("INSERT INTO " + table + " VALUES (?, ?)")
	if err != nil {
		return nil, err
	}
	t := &termTable{insert: insert, pois: map[string]int64{}}
	if known != nil {
		t.known = make(map[string]bool, len(known))
		for _, c := range known {
			t.known[c.ID] = true
		}
	}
	return t, nil
}

// add writes the ids of a comma list.
func (t *termTable) add(fid int64, list string) error {
	for id := range strings.SplitSeq(list, ",") {
		if id == "" {
			continue
		}
		if t.known != nil && !t.known[id] {
			return fmt.Errorf("unknown category %q", id)
		}
		if _, err := t.insert.Exec(fid, id); err != nil {
			return fmt.Errorf("write %q: %w", id, err)
		}
		t.pois[id]++
	}
	return nil
}

// poiTables are the tables of a POI under way.
type poiTables struct {
	poi                              *sql.Stmt
	categories, bases, brands, terms *termTable
}

func newPOITables(tx *sql.Tx) (t *poiTables, err error) {
	t = &poiTables{}
	if t.poi, err = tx.Prepare("INSERT INTO poi VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"); err != nil {
		return nil, err
	}
	if t.categories, err = newTermTable(tx, "poi_category", schemas.Categories); err != nil {
		return nil, err
	}
	if t.bases, err = newTermTable(tx, "poi_base_category", schemas.BaseCategories); err != nil {
		return nil, err
	}
	if t.brands, err = newTermTable(tx, "poi_brand", nil); err != nil {
		return nil, err
	}
	t.terms, err = newTermTable(tx, "poi_tag", nil)
	return t, err
}

func (t *poiTables) add(p *poiRow, region string) error {
	if p.categories == "" {
		return fmt.Errorf("is in no category")
	}
	if _, err := t.poi.Exec(p.fid, p.key, region, p.source, p.name, p.address, p.suite, p.city, p.state, p.postal,
		p.country, p.phone, p.url, released.PointBlob(p.point)); err != nil {
		return err
	}
	if err := t.categories.add(p.fid, p.categories); err != nil {
		return err
	}
	if err := t.bases.add(p.fid, p.baseCategories); err != nil {
		return err
	}
	if err := t.brands.add(p.fid, p.brands); err != nil {
		return err
	}
	return t.terms.add(p.fid, p.terms)
}

// writePOIs makes pois.sqlite.
func (d *draft) writePOIs(ctx context.Context, path string) error {
	f, err := newSpatialFile(path, schemas.BundlePOIs, schemas.BundleProvenance)
	if err != nil {
		return err
	}
	defer f.Close()
	err = f.fill(func(tx *sql.Tx) error {
		t, err := newPOITables(tx)
		if err != nil {
			return err
		}
		if err := d.eachPOI(ctx, func(p *poiRow) error {
			d.counts.POIs++
			return t.add(p, d.regions[p.region].Name)
		}); err != nil {
			return err
		}
		if err := d.insertVocabularies(ctx, tx, t); err != nil {
			return err
		}
		if err := d.insertMerges(ctx, tx); err != nil {
			return err
		}
		return d.writeProvenance(tx)
	})
	if err != nil {
		return err
	}
	if _, err := f.db.ExecContext(ctx, poiIndexes); err != nil {
		return fmt.Errorf("index pois: %w", err)
	}
	return f.finish(ctx, d.asOf, schemas.POIColumns)
}

// poiIndexes are made when the rows are in, which is faster than before.
const poiIndexes = `
CREATE UNIQUE INDEX poi_by_key ON poi (poi_key);
CREATE INDEX poi_category_by_id ON poi_category (category_id);
CREATE INDEX poi_brand_by_id ON poi_brand (brand_id);
CREATE INDEX poi_tag_by_id ON poi_tag (tag_id);`

// insertVocabularies writes the categories in full, and the brands and tags that POIs carry.
func (d *draft) insertVocabularies(ctx context.Context, tx *sql.Tx, t *poiTables) error {
	for _, c := range schemas.Categories {
		n := t.categories.pois[c.ID]
		d.counts.POIsByCategory = append(d.counts.POIsByCategory, schemas.CategoryCount{Category: c.ID, Rows: n})
		if _, err := tx.Exec("INSERT INTO category VALUES (?, ?, ?, ?)", c.ID, c.Label.EN, c.Label.FR, n); err != nil {
			return fmt.Errorf("write category %s: %w", c.ID, err)
		}
	}
	for _, c := range schemas.BaseCategories {
		if _, err := tx.Exec("INSERT INTO base_category VALUES (?, ?, ?, ?)", c.ID, c.Label.EN, c.Label.FR, t.bases.pois[c.ID]); err != nil {
			return fmt.Errorf("write base category %s: %w", c.ID, err)
		}
	}
	names, err := d.brandNames(ctx)
	if err != nil {
		return fmt.Errorf("read brands: %w", err)
	}
	for _, id := range slices.Sorted(maps.Keys(t.brands.pois)) {
		name, ok := names[id]
		if !ok {
			return fmt.Errorf("brand %s is carried by pois but no region names it", id)
		}
		if _, err := tx.Exec("INSERT INTO brand VALUES (?, ?, ?)", id, name, t.brands.pois[id]); err != nil {
			return fmt.Errorf("write brand %s: %w", id, err)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(t.terms.pois)) {
		label, ok := schemas.TagLabel(id)
		if !ok {
			return fmt.Errorf("tag %s is carried by pois but is not in the vocabulary", id)
		}
		if _, err := tx.Exec("INSERT INTO tag VALUES (?, ?, ?, ?)", id, label.EN, label.FR, t.terms.pois[id]); err != nil {
			return fmt.Errorf("write tag %s: %w", id, err)
		}
	}
	d.counts.Brands, d.counts.Tags = int64(len(t.brands.pois)), int64(len(t.terms.pois))
	return nil
}

func (d *draft) brandNames(ctx context.Context) (map[string]string, error) {
	rows, err := d.conn.QueryContext(ctx, query("brands"))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names := map[string]string{}
	for rows.Next() {
		var id, name string
		if err := rows.Scan(&id, &name); err != nil {
			return nil, err
		}
		names[id] = name
	}
	return names, rows.Err()
}

func (d *draft) insertMerges(ctx context.Context, tx *sql.Tx) error {
	rows, err := d.conn.QueryContext(ctx, query("merges"))
	if err != nil {
		return fmt.Errorf("read merges: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var kept, merged, reason string
		var region int
		var distance, similarity float64
		if err := rows.Scan(&kept, &merged, &region, &distance, &similarity, &reason); err != nil {
			return fmt.Errorf("read merges: %w", err)
		}
		if _, err := tx.Exec("INSERT INTO poi_merge VALUES (?, ?, ?, ?, ?, ?)",
			kept, merged, d.regions[region].Name, distance, similarity, reason); err != nil {
			return fmt.Errorf("write merge of %s into %s: %w", merged, kept, err)
		}
		d.counts.MergedPOIs++
	}
	return rows.Err()
}
