package assembly

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quartier/build/released"
	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/schemas/release"
)

// MaxEdgeM is the maximum length of a street edge and of an access leg in metres.
const MaxEdgeM = 1e6

// Regions are the regions in the order of the release file.
func (a *Assembly) Regions() []Region { return a.regions }

// EachRegion calls visit with the name of each region and its derived database, in the order of the release file.
func (a *Assembly) EachRegion(visit func(name string, derived *duck.DB) error) error {
	for _, r := range a.regions {
		if err := visitRegion(r, visit); err != nil {
			return fmt.Errorf("region %s: %w", r.Name, err)
		}
	}
	return nil
}

func visitRegion(r Region, visit func(name string, derived *duck.DB) error) error {
	derived, err := duck.Open(r.Derived)
	if err != nil {
		return err
	}
	defer derived.Close()
	// Rows are read once, so that a larger cache would have no use.
	if _, err := derived.Exec("SET memory_limit = '256MB'"); err != nil {
		return err
	}
	return visit(r.Name, derived)
}

// Classes returns which classes of places are known in each region that has streets, in the order of schemas.KnownClasses.
func (a *Assembly) Classes(ctx context.Context, c *calibration.Known) (list []schemas.RegionClass, err error) {
	err = a.EachRegion(func(region string, db *duck.DB) error {
		rows, err := sqlrow.All[derived.RegionClass](ctx, db, "SELECT * FROM region_class")
		slices.SortFunc(rows, func(a, b derived.RegionClass) int {
			return cmp.Compare(slices.Index(schemas.KnownClasses, a.Class), slices.Index(schemas.KnownClasses, b.Class))
		})
		for _, row := range rows {
			class := schemas.RegionClass{
				Region: region, Class: row.Class, Places: row.Places, Usual: c.Usual[row.Class], People: row.People, Counted: row.Counted,
				Verdict: schemas.ClassVerdict(row.Verdict), LentPlaces: row.LentPlaces, LentPeople: row.LentPeople, Accepted: row.Accepted,
			}
			class.Rate = class.ClassRate()
			list = append(list, class)
		}
		return err
	})
	return list, err
}

// KnownGrounds reads where which categories of POIs are known, by region and source.
func (a *Assembly) KnownGrounds(ctx context.Context) (list []release.KnownGround, err error) {
	err = a.EachRegion(func(region string, db *duck.DB) error {
		for g, err := range sqlrow.Select[derived.KnownGround](ctx, db, "SELECT * FROM known_ground ORDER BY source_id") {
			if err != nil {
				return fmt.Errorf("read known_ground: %w", err)
			}
			outline, err := DecodeOutline(g.Geom)
			if err != nil {
				return fmt.Errorf("ground of source %s: %w", g.SourceID, err)
			}
			list = append(list, release.KnownGround{
				FID: int64(len(list) + 1), Region: region, SourceID: g.SourceID, Categories: g.Categories, BaseCategories: g.BaseCategories,
				Geometry: released.MultiPolygonBlob(outline),
			})
		}
		return nil
	})
	return list, err
}

// ChunkRows is the number of rows of a derived table that are in memory.
const ChunkRows = 1 << 17

// EachNumbered reads the rows of a derived table whose key is 0, 1, 2 …, in this order. The query has the columns of T
// and ends after its FROM clause; "" selects all columns of the table. Rows are read in chunks, because the driver keeps
// the result of a query in memory.
func EachNumbered[T any](ctx context.Context, db *duck.DB, table, key, query string, visit func(number int64, row *T) error) error {
	var count, last int64
	statement := fmt.Sprintf("SELECT count(*), coalesce(max(%s), -1) FROM %s WHERE %[1]s >= 0", key, table)
	if err := db.QueryRowContext(ctx, statement).Scan(&count, &last); err != nil {
		return fmt.Errorf("read %s: %w", table, err)
	}
	if count != last+1 {
		return fmt.Errorf("read %s: %d rows with numbers up to %d, want 0, 1, 2 …", table, count, last)
	}
	if query == "" {
		query = "SELECT * FROM " + table
	}
	query += fmt.Sprintf(" WHERE %s.%s >= ? AND %[1]s.%[2]s < ? ORDER BY %[1]s.%[2]s", table, key)
	number := int64(0)
	for number < count {
		for row, err := range sqlrow.Select[T](ctx, db, query, number, number+ChunkRows) {
			if err != nil {
				return fmt.Errorf("read %s: %w", table, err)
			}
			if err := visit(number, row); err != nil {
				return fmt.Errorf("%s %d: %w", table, number, err)
			}
			number++
		}
	}
	return nil
}
