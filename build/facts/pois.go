package facts

import (
	"context"
	"database/sql"
	"fmt"
	"math/bits"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pointindex"
	"quartier/schemas"
	"quartier/schemas/profile"
)

// nearM is how far from a geography places are near it, metres in a straight line.
const nearM = 800

// counted are the categories whose places are counted, each with what must be known for it: a measure, or only the class
// of places and any measure of places.
var counted = []struct{ category, measure, class string }{
	{"groceries", "nearest_general_grocery_store_proximity", "grocery"},
	{"groceries_specialized", "specialty_grocery_store_access", "specialty_grocery"},
	{"convenience_stores", "", "convenience"},
	{"restaurants", "restaurant_access", "restaurant"},
	{"cafes", "coffee_shop_access", "cafe"},
	{"nightlife", "nightlife_access", "nightlife"},
	{"clothing", "clothing_and_accessory_store_access", "clothing"},
	{"department_stores", "department_store_access", "department_store"},
	{"banks", "", "bank"},
	{"pharmacies", "nearest_pharmacy_proximity", "pharmacy"},
	{"libraries", "", "library"},
	{"entertainment", "entertainment_venue_access", "entertainment"},
	{"fitness", "fitness_establishment_access", "fitness"},
	{"sport_facilities", "sports_facility_access", "sports"},
	{"daycares", "", "daycare"},
}

// placeMeasures are the bits of the measures of places: where none is known, neither are places.
var placeMeasures = func() (all uint64) {
	for _, c := range counted {
		if c.measure != "" {
			all |= 1 << schemas.MustChannel(c.measure)
		}
	}
	return all | 1<<schemas.MustChannel("park_access")
}()

// poiIndex finds the places in a box with their categories.
type poiIndex struct {
	index      *pointindex.Index
	points     []orb.Point
	categories []uint64 // a bit for each of counted
}

// poiStripM is the height of a strip of the index in metres.
const poiStripM = 500

// readPOIs reads the places of counted categories.
func readPOIs(ctx context.Context, path string) (*poiIndex, error) {
	db, err := released.Open(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	bit := map[string]int{}
	for i, c := range counted {
		bit[c.category] = i
	}
	categories := map[int64]uint64{}
	err = released.Each(ctx, db, "SELECT fid, category_id FROM poi_category", nil, func(rows *sql.Rows) error {
		var fid int64
		var id string
		err := rows.Scan(&fid, &id)
		if i, ok := bit[id]; ok {
			categories[fid] |= 1 << i
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read categories of places: %w", err)
	}
	var points []coord.Point
	var at []orb.Point
	var found []uint64
	err = released.Each(ctx, db, "SELECT fid, geometry FROM poi ORDER BY fid", nil, func(rows *sql.Rows) error {
		var fid int64
		var blob sql.RawBytes
		if err := rows.Scan(&fid, &blob); err != nil {
			return err
		}
		if categories[fid] == 0 {
			return nil
		}
		p, err := released.ReadPoint(blob)
		point, _ := coord.NewPoint(p[0], p[1])
		points, at, found = append(points, point), append(at, p), append(found, categories[fid])
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read places: %w", err)
	}
	index, order := pointindex.New(points, poiStripM)
	x := &poiIndex{index: index, points: make([]orb.Point, len(at)), categories: make([]uint64, len(at))}
	for i, from := range order {
		x.points[i], x.categories[i] = at[from], found[from]
	}
	return x, nil
}

// counts counts the places in the geography, and in and near it, by category, where they are known.
func (c *collector) counts() {
	known := c.knownCategories()
	if len(known) == 0 {
		return
	}
	var in, near [64]int
	x := c.world.pois
	x.index.SearchBox(expand(c.outline.Bound(), nearM), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			inside := c.outline.Contains(x.points[i])
			if !inside && !(c.outline.DistanceWithin(x.points[i], nearM) <= nearM) {
				continue
			}
			for set := x.categories[i]; set != 0; set &= set - 1 {
				category := bits.TrailingZeros64(set)
				near[category]++
				if inside {
					in[category]++
				}
			}
		}
	})
	for _, k := range known {
		if near[k.category] == 0 && !k.everywhere {
			continue
		}
		id := counted[k.category].category
		c.add(profile.Fact{
			Section: profile.Services, Code: profile.CountFact, Subject: id, Value: float64(in[k.category]), Further: float64(near[k.category]),
			Source: "poi_category:" + id + " geography:" + c.place.ID,
		})
	}
}

// expand is a box and what is within some metres of it.
func expand(box orb.Bound, metres float64) orb.Bound {
	sw, ne := geo.CircleBound(box.Min, metres), geo.CircleBound(box.Max, metres)
	return sw.Union(ne)
}
