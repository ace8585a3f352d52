package build

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"

	"quartier/internal/pack"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
)

// writeDemographics makes demographics.sqlite, the small areas of one region after the other and then what is made of
// all of them, and small_areas.pack beside it.
func (d *draft) writeDemographics(ctx context.Context, path string) error {
	if err := d.readVintages(ctx); err != nil {
		return err
	}
	f, err := newSpatialFile(path, schemas.BundleDemographics, schemas.BundleProvenance)
	if err != nil {
		return err
	}
	defer f.Close()
	all := &smallAreas{draft: d}
	if err := f.fill(func(tx *sql.Tx) error { return all.copyRegions(ctx, tx) }); err != nil {
		return err
	}
	// What is in the file so far lies there to be read; the geographies are described by the table made of it.
	packed := filepath.Join(filepath.Dir(path), schemas.SmallAreasPack)
	if err := packSmallAreas(ctx, path, packed); err != nil {
		return fmt.Errorf("pack small areas: %w", err)
	}
	table, closeTable, err := openSmallAreas(packed)
	if err != nil {
		return err
	}
	defer closeTable()
	err = d.previous.fill(f, schemas.DemographicsFile, func(tx *sql.Tx) error {
		if err := d.describePeople(ctx, tx, table, all.hulls); err != nil {
			return err
		}
		if err := d.countTables(tx, demographicsCounts(&d.counts)); err != nil {
			return err
		}
		if err := d.notePeople(ctx, tx, all.again); err != nil {
			return err
		}
		return d.writeProvenance(tx)
	})
	if err != nil {
		return err
	}
	return f.finish(ctx, d.asOf, schemas.DemographicsColumns)
}

func openSmallAreas(path string) (*smallareas.Table, func() error, error) {
	f, err := pack.Open(path)
	if err != nil {
		return nil, nil, err
	}
	table, err := smallareas.Open(f)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return table, f.Close, nil
}

func demographicsCounts(c *schemas.ReleaseCounts) []tableCount {
	return []tableCount{
		{"small areas", "SELECT count(*) FROM small_area", &c.SmallAreas},
		{"parts of small areas", "SELECT count(*) FROM small_area_part", &c.SmallAreaParts},
		{"described geographies", "SELECT count(*) FROM geography_vintage", &c.DescribedGeographies},
	}
}

// regionVintage is when the figures of a region's small areas of a country are of.
type regionVintage struct {
	region           int
	country, vintage string
}

func (d *draft) readVintages(ctx context.Context) error {
	rows, err := d.conn.QueryContext(ctx, "SELECT region, country_code, vintage FROM vintage_row ORDER BY region, country_code")
	if err != nil {
		return fmt.Errorf("read vintages: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var v regionVintage
		if err := rows.Scan(&v.region, &v.country, &v.vintage); err != nil {
			return fmt.Errorf("read vintages: %w", err)
		}
		d.vintages = append(d.vintages, v)
	}
	return rows.Err()
}

func (d *draft) hasVintage(region int, country string) bool {
	return slices.ContainsFunc(d.vintages, func(v regionVintage) bool { return v.region == region && v.country == country && v.vintage != "" })
}

// notePeople tells what a reader of the figures about people would not expect. again counts the small areas that a
// second region told.
func (d *draft) notePeople(ctx context.Context, tx *sql.Tx, again int64) error {
	for region, r := range d.regions {
		n, err := d.count(ctx, fmt.Sprintf("SELECT count(*) FROM peopled WHERE region = %d", region))
		if err != nil {
			return fmt.Errorf("count figures: %w", err)
		}
		if n == 0 {
			d.note("%s: no figures about people: none of its sources is a census or survey with tables of its area", r.Name)
		}
	}
	if again > 0 {
		d.note("small areas that a second region told again: %d", again)
	}
	for _, country := range []string{"CA", "US"} {
		var areas, known int64
		err := tx.QueryRow(`SELECT count(*), count(*) FILTER (WHERE EXISTS (SELECT 1 FROM small_area_value WHERE area = fid AND moe IS NOT NULL))
			FROM small_area WHERE region_code LIKE ? || '/_%' ESCAPE '/'`, country).Scan(&areas, &known)
		if err != nil {
			return fmt.Errorf("count margins of error: %w", err)
		}
		if areas > 0 && known == 0 {
			d.note("no margins of error are known of the small areas of %s, nor confidence intervals of what is added up over them", country)
		}
	}
	return nil
}
