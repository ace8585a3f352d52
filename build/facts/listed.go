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

// readSchools adds the schools as places of their categories.
func readSchools(ctx context.Context, path string, add func(...poi) error) error {
	db, err := released.Open(path)
	if err != nil {
		return err
	}
	defer db.Close()
	const query = "SELECT fid, levels, geometry FROM school ORDER BY fid"
	err = released.Each(ctx, db, query, nil, sqlrow.Visit3(func(fid int64, levels string, blob sql.RawBytes) (err error) {
		p := poi{fid: -fid}
		for i := range counted {
			for _, s := range schoolCategories {
				if counted[i].category == s.category && (s.level == "" || slices.Contains(strings.Split(levels, ","), s.level)) {
					p.categories |= 1 << i
				}
			}
		}
		if p.at, err = released.ReadPoint(blob); err != nil {
			return err
		}
		return add(p)
	}))
	if err != nil {
		return fmt.Errorf("read schools: %w", err)
	}
	return nil
}

// readBrands returns the numbers of the brands by id, from 1, and the names of the brands by number; 0: none.
func readBrands(ctx context.Context, db *sql.DB) (number map[string]uint32, names []string, err error) {
	number, names = map[string]uint32{}, []string{""}
	err = released.Each(ctx, db, "SELECT brand_id, brand_name FROM brand ORDER BY brand_id", nil, sqlrow.Visit2(func(id, name string) error {
		number[id], names = uint32(len(names)), append(names, name)
		return nil
	}))
	if err != nil {
		return nil, nil, fmt.Errorf("read brands: %w", err)
	}
	return number, names, nil
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
