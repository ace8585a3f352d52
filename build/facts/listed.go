package facts

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"quartier/build/released"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/profile"
)

// unrated reports whether the geography has no scores: no streets of it are known, or too few.
func (c *collector) unrated() bool { return len(c.rows.scores) == 0 }

// ruledOut reports whether a verdict on the region of the geography rules out that its sources list most places of a category.
// Regions without streets have no verdicts: what their sources list is there, and there may be more.
func (c *collector) ruledOut(category string) bool {
	region := slices.Index(c.world.regions, c.region)
	list := c.world.refused[schemas.CategoryClass(category)]
	return region >= 0 && list != nil && list[region]
}

// schoolCategory is a category of schools, with the level that a school of it has; "": any.
type schoolCategory struct{ category, level string }

var schoolCategories = []schoolCategory{{"primary_schools", "elementary"}, {"high_schools", "secondary"}, {"schools", ""}}

// readSchools reads the schools as places of their categories.
func readSchools(ctx context.Context, path string) ([]poi, error) {
	db, err := released.Open(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	list, err := released.Collect(ctx, db, "SELECT -fid, levels, geometry FROM school ORDER BY fid", func(rows *sql.Rows, p *poi) error {
		var levels string
		var blob sql.RawBytes
		if err := rows.Scan(&p.fid, &levels, &blob); err != nil {
			return err
		}
		for i := range counted {
			for _, s := range schoolCategories {
				if counted[i].category == s.category && (s.level == "" || slices.Contains(strings.Split(levels, ","), s.level)) {
					p.categories |= 1 << i
				}
			}
		}
		var err error
		p.at, err = released.ReadPoint(blob)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read schools: %w", err)
	}
	return list, nil
}

// readBrands returns the brand of the places by fid, the first by its id, as its position in the names of brands; 0: none.
func readBrands(ctx context.Context, db *sql.DB, count int64) (of []uint32, names []string, err error) {
	of, names = make([]uint32, count+1), []string{""}
	number := map[string]uint32{}
	const query = "SELECT fid, brand_id, brand_name FROM poi_brand JOIN brand USING (brand_id) ORDER BY fid, brand_id"
	err = released.Each(ctx, db, query, nil, sqlrow.Visit3(func(fid int64, id, name string) error {
		if fid < 1 || fid > count {
			return fmt.Errorf("brand of poi %d of %d", fid, count)
		}
		if of[fid] != 0 {
			return nil
		}
		if number[id] == 0 {
			number[id] = uint32(len(names))
			names = append(names, name)
		}
		of[fid] = number[id]
		return nil
	}))
	if err != nil {
		return nil, nil, fmt.Errorf("read brands: %w", err)
	}
	return of, names, nil
}

// chains gives the brands that most places in the geography have, from two places on.
func (c *collector) chains() {
	var list []uint32
	for brand, n := range c.brands {
		if n >= 2 {
			list = append(list, brand)
		}
	}
	names := c.world.pois.brands
	slices.SortFunc(list, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(c.brands[b], c.brands[a]), cmp.Compare(names[a], names[b]), cmp.Compare(a, b))
	})
	for _, brand := range list[:min(len(list), constants().MostNamed)] {
		name, _, _ := strings.Cut(names[brand], " (") // A&W (Canada)
		c.add(profile.Fact{
			Section: profile.Services, Code: profile.BrandFact, Name: name, Value: float64(c.brands[brand]),
			Source: "poi_brand:" + names[brand] + " geography:" + c.place.ID,
		})
	}
}
