package build

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/pois"
	"quartier/schemas"
)

// packing is a file of the server and the SpatiaLite file that it is made from.
type packing struct {
	what, from, to string
	write          func(ctx context.Context, from, to string) error
}

// packings are the files of the server. That of the small areas comes about with demographics.sqlite, of which it is
// made and for which it is needed.
var (
	packings = []packing{
		{"geographies", schemas.GeographiesFile, schemas.GeographiesPack, packGeographies},
		{"pois", schemas.POIsFile, schemas.POIsPack, packPOIs},
		{"streets", schemas.AccessFile, schemas.AccessPack, packAccess},
		{"people", schemas.DemographicsFile, schemas.DemographicsPack, packPeople},
	}
	allPackings = append(slices.Clip(packings), packing{"small areas", schemas.DemographicsFile, schemas.SmallAreasPack, packSmallAreas})
)

// writePacks makes files of the server in dir from the SpatiaLite files in the release folder from. Equal rows give
// equal bytes, by which a verifier knows that both tell the same. They are made side by side.
func writePacks(ctx context.Context, from, dir string, packings []packing) error {
	errs := make([]error, len(packings))
	var all sync.WaitGroup
	for i, p := range packings {
		all.Go(func() {
			if err := p.write(ctx, filepath.Join(from, p.from), filepath.Join(dir, p.to)); err != nil {
				errs[i] = fmt.Errorf("pack %s: %w", p.what, err)
			}
		})
	}
	all.Wait()
	return cmp.Or(errs...) // the first in this order, whichever came first
}

func packGeographies(ctx context.Context, from, to string) error {
	db, err := released.Open(from)
	if err != nil {
		return err
	}
	defer db.Close()
	w, err := geographies.NewWriter(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer w.Close()
	if err := eachGeography(ctx, db, w.Add); err != nil {
		return err
	}
	if err := eachCoverage(ctx, db, w.AddCoverage); err != nil {
		return err
	}
	return finishPack(to, w.Finish)
}

// finishPack writes a pack of the sections that finish adds.
func finishPack(path string, finish func(*pack.Writer) error) error {
	out, err := pack.Create(path)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := finish(out); err != nil {
		return err
	}
	return out.Close()
}

// geographyRecords is the query behind eachGeography: current and superseded geographies with the names of their
// city and metro. A holder may be superseded itself.
const geographyRecords = `
WITH every AS (
	SELECT 0 AS superseded, '' AS replaced_by, geog_id, level, name_en, name_fr, country_code, state_codes, city_id,
		metro_id, area_m2, west, south, east, north, centroid_lng, centroid_lat, population, geometry
	FROM geography
	UNION ALL
	SELECT 1, coalesce(replaced_by, ''), geog_id, level, name_en, name_fr, country_code, state_codes, city_id,
		metro_id, area_m2, west, south, east, north, centroid_lng, centroid_lat, population, geometry
	FROM geography_superseded
), named AS (
	SELECT geog_id, name_en, name_fr FROM geography
	UNION ALL
	SELECT geog_id, name_en, name_fr FROM geography_superseded
)
SELECT e.superseded, e.replaced_by, e.geog_id, e.level, e.name_en, e.name_fr, e.country_code, e.state_codes,
	c.geog_id, c.name_en, c.name_fr, m.geog_id, m.name_en, m.name_fr,
	e.area_m2, e.west, e.south, e.east, e.north, e.centroid_lng, e.centroid_lat, e.population, e.geometry
FROM every AS e
LEFT JOIN named AS c ON c.geog_id = e.city_id
LEFT JOIN named AS m ON m.geog_id = e.metro_id`

func eachGeography(ctx context.Context, db *sql.DB, visit func(*geographies.Record) error) error {
	rows, err := db.Query(geographyRecords)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var r geographies.Record
		var states string
		var city, metro [3]sql.NullString
		var population sql.NullInt64
		var blob sql.RawBytes
		if err := rows.Scan(&r.Superseded, &r.ReplacedBy, &r.ID, &r.Level, &r.Name.EN, &r.Name.FR, &r.CountryCode,
			&states, &city[0], &city[1], &city[2], &metro[0], &metro[1], &metro[2], &r.AreaM2,
			&r.BBox.Min[0], &r.BBox.Min[1], &r.BBox.Max[0], &r.BBox.Max[1], &r.Centroid[0], &r.Centroid[1],
			&population, &blob); err != nil {
			return err
		}
		r.StateCodes = listed(states)
		r.City, r.Metro = ref(city), ref(metro)
		if population.Valid {
			r.Population = &population.Int64
		}
		if r.Geometry, err = released.ReadMultiPolygon(blob); err != nil {
			return fmt.Errorf("geography %s: %w", r.ID, err)
		}
		if err := visit(&r); err != nil {
			return fmt.Errorf("geography %s: %w", r.ID, err)
		}
	}
	return rows.Err()
}

func ref(row [3]sql.NullString) *geographies.Ref {
	if !row[0].Valid {
		return nil
	}
	return &geographies.Ref{ID: row[0].String, Name: schemas.Text{EN: row[1].String, FR: row[2].String}}
}

// listed splits a comma list; ” has no members.
func listed(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

func eachCoverage(ctx context.Context, db *sql.DB, visit func(code string, m orb.MultiPolygon) error) error {
	// Outlines before extents: where both know a point, the outline is the exact one.
	rows, err := db.Query("SELECT region_code, geometry FROM coverage ORDER BY source_key LIKE 'extent:%', fid")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var code string
		var blob sql.RawBytes
		if err := rows.Scan(&code, &blob); err != nil {
			return err
		}
		m, err := released.ReadMultiPolygon(blob)
		if err != nil {
			return fmt.Errorf("coverage of %s: %w", code, err)
		}
		if err := visit(code, m); err != nil {
			return fmt.Errorf("coverage of %s: %w", code, err)
		}
	}
	return rows.Err()
}

func packPOIs(ctx context.Context, from, to string) error {
	db, err := released.Open(from)
	if err != nil {
		return err
	}
	defer db.Close()
	w, err := pois.NewWriter(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer w.Close()
	brands, err := collect(db, "SELECT brand_id, brand_name, brand_name FROM brand ORDER BY brand_id", scanTerm)
	if err != nil {
		return err
	}
	tags, err := collect(db, "SELECT tag_id, label_en, label_fr FROM tag ORDER BY tag_id", scanTerm)
	if err != nil {
		return err
	}
	w.Describe(brands, tags)
	if err := eachRecord(ctx, db, w.Add); err != nil {
		return err
	}
	return finishPack(to, w.Finish)
}

func scanTerm(rows *sql.Rows, t *pois.Term) error {
	return rows.Scan(&t.ID, &t.Label.EN, &t.Label.FR)
}

// poiTerms are the tables of what a POI may carry several of, in the order of eachRecord's cursors.
var poiTerms = []string{"poi_category", "poi_base_category", "poi_brand", "poi_tag"}

// eachRecord visits the POIs in the order of fid.
func eachRecord(ctx context.Context, db *sql.DB, visit func(*pois.Record) error) error {
	cursors := make([]*termCursor, len(poiTerms))
	for i, table := range poiTerms {
		c, err := openTerms(db, table)
		if err != nil {
			return err
		}
		defer c.rows.Close()
		cursors[i] = c
	}
	rows, err := db.Query(`SELECT fid, poi_key, geometry, name, coalesce(address, ''), coalesce(suite, ''),
		coalesce(city, ''), coalesce(state_code, ''), coalesce(postal_code, ''), country_code, coalesce(phone, ''),
		coalesce(url, '') FROM poi ORDER BY fid`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var fid int64
		var r pois.Record
		var country string
		var blob sql.RawBytes
		if err := rows.Scan(&fid, &r.Key, &blob, &r.Name, &r.Address, &r.Suite, &r.City, &r.State, &r.PostalCode,
			&country, &r.Phone, &r.URL); err != nil {
			return err
		}
		if fid&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
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
			if *list, err = cursors[i].of(fid); err != nil {
				return fmt.Errorf("poi %s: %w", r.Key, err)
			}
		}
		if err := visit(&r); err != nil {
			return fmt.Errorf("poi %s: %w", r.Key, err)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for i, c := range cursors {
		if c.more {
			return fmt.Errorf("%s has a row of poi %d, which is not there", poiTerms[i], c.fid)
		}
	}
	return nil
}

// termCursor walks a table of a POI's terms beside the POIs.
type termCursor struct {
	rows *sql.Rows
	fid  int64
	id   string
	more bool
}

func openTerms(db *sql.DB, table string) (*termCursor, error) {
	rows, err := db.Query("SELECT * FROM " + table + " ORDER BY 1, 2")
	if err != nil {
		return nil, err
	}
	c := &termCursor{rows: rows}
	return c, c.next()
}

func (c *termCursor) next() error {
	if c.more = c.rows.Next(); !c.more {
		return c.rows.Err()
	}
	return c.rows.Scan(&c.fid, &c.id)
}

// of lists the terms of a POI; POIs are asked for in ascending order.
func (c *termCursor) of(fid int64) ([]string, error) {
	var ids []string
	for c.more && c.fid <= fid {
		if c.fid < fid {
			return nil, fmt.Errorf("term %q is of poi %d, which is not there", c.id, c.fid)
		}
		ids = append(ids, c.id)
		if err := c.next(); err != nil {
			return nil, err
		}
	}
	return slices.Clip(ids), nil
}
