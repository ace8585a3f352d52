package facts

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/bits"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/released"
	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/pointindex"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/profile"
)

// counted are the categories whose places are counted, each with what must be known for it: a measure, or only the class
// of places and any measure of places. Those that are only listed are counted where there are no scores, which say
// more.
var counted = []struct {
	category, measure, class string
	section                  profile.Section
}{
	{"groceries", "nearest_general_grocery_store_proximity", "grocery", profile.Services},
	{"groceries_specialized", "specialty_grocery_store_access", "specialty_grocery", profile.Services},
	{"convenience_stores", "", "convenience", profile.Services},
	{"restaurants", "restaurant_access", "restaurant", profile.Services},
	{"cafes", "coffee_shop_access", "cafe", profile.Services},
	{"nightlife", "nightlife_access", "nightlife", profile.Services},
	{"clothing", "clothing_and_accessory_store_access", "clothing", profile.Services},
	{"department_stores", "department_store_access", "department_store", profile.Services},
	{"banks", "", "bank", profile.Services},
	{"pharmacies", "nearest_pharmacy_proximity", "pharmacy", profile.Services},
	{"libraries", "", "library", profile.Services},
	{"entertainment", "entertainment_venue_access", "entertainment", profile.Services},
	{"fitness", "fitness_establishment_access", "fitness", profile.Services},
	{"sport_facilities", "sports_facility_access", "sports", profile.Services},
	{"daycares", "", "daycare", profile.Services},
	{"personal_care", "", "personal_care", profile.Services},
	{"art_culture_science", "", "art_culture_science", profile.Services},
	{"home_improvement", "", "home_improvement", profile.Services},
	{"primary_schools", "primary_schools", "primary_school", profile.Services},
	{"high_schools", "high_schools", "high_school", profile.Services},
	{"rapid_transit_stations", "", listedOnly, profile.Transport},
	{"train_stations", "", listedOnly, profile.Transport},
	{"tram_stops", "", listedOnly, profile.Transport},
	{"schools", "", listedOnly, profile.Summary},
	{"shops_and_services", "", listedOnly, profile.Summary},
}

// lively are categories whose places, where no score is known, say how lively a place is.
var lively = []string{"nightlife", "entertainment", "art_culture_science"}

// listedOnly is the class of categories that are counted only without scores.
const listedOnly = ""

// fronting are the categories of places that front on streets.
var fronting = []string{
	"groceries", "groceries_specialized", "convenience_stores", "restaurants", "cafes", "nightlife", "clothing", "department_stores", "banks",
	"pharmacies", "non_food_shops", "food_shops", "personal_care", "retail",
}

// frontBit is set in the categories of a place that fronts on streets.
const frontBit = 63

// placeMeasures are the bits of the measures of places: where none is known, neither are places.
var placeMeasures = func() (all uint64) {
	for _, c := range counted {
		if c.measure != "" {
			all |= 1 << schemas.MustChannel(c.measure)
		}
	}
	return all | 1<<schemas.MustChannel("park_access")
}()

// poi is a place that counts.
type poi struct {
	at         orb.Point
	categories uint64 // a bit for each of counted, and frontBit
	fid        int64  // of a school, negative
	brand      uint32 // in poiIndex.brands; 0: none
	street     uint32 // that it fronts on, from 1; 0: none is known; while they are resolved also byAddress
}

// poiIndex finds the places in a box.
type poiIndex struct {
	index   *pointindex.Index
	pois    []poi
	streets []frontStreet
	brands  []string
}

// poiStripM is the height of a strip of the index in metres.
const poiStripM = 500

// readPOIs reads the places of counted categories of a release, and its schools, and resolves on which streets they front.
func readPOIs(ctx context.Context, dir string, a *assembly.Assembly) (*poiIndex, error) {
	db, err := released.Open(filepath.Join(dir, schemas.POIsFile))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	count, err := countPOIs(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("count places: %w", err)
	}
	categories, err := readCategories(ctx, db, count)
	if err != nil {
		return nil, err
	}
	brands, names, err := readBrands(ctx, db, count)
	if err != nil {
		return nil, err
	}
	f := &fronts{streets: map[string]uint32{}}
	all, err := readSchools(ctx, filepath.Join(dir, schemas.SchoolsFile))
	if err != nil {
		return nil, err
	}
	counting := 0
	for fid := range categories {
		if categories[fid] != 0 || brands[fid] != 0 {
			counting++
		}
	}
	all = slices.Grow(all, counting)
	err = a.EachRegion(func(region string, derived *duck.DB) error {
		if err := f.read(ctx, derived); err != nil {
			return err
		}
		first := len(all)
		query := "SELECT fid, coalesce(address, ''), geometry FROM poi WHERE region = ? ORDER BY fid"
		err := released.Each(ctx, db, query, []any{region}, sqlrow.Visit3(func(fid int64, address string, blob sql.RawBytes) error {
			if fid < 1 || fid >= int64(len(categories)) {
				return fmt.Errorf("poi %d of %d", fid, len(categories)-1)
			}
			p := poi{fid: fid, categories: categories[fid], brand: brands[fid]}
			if p.categories == 0 && p.brand == 0 {
				return nil
			}
			var err error
			if p.at, err = released.ReadPoint(blob); err == nil {
				f.resolveAddress(&p, address)
				all = append(all, p)
			}
			return err
		}))
		f.resolveRest(all[first:])
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read places: %w", err)
	}
	f.name()
	slices.SortFunc(all, func(a, b poi) int { return cmp.Compare(a.fid, b.fid) })
	points := make([]coord.Point, len(all))
	for i := range all {
		points[i], _ = coord.NewPoint(all[i].at[0], all[i].at[1])
	}
	index, order := pointindex.New(points, poiStripM)
	reorder(all, order)
	return &poiIndex{index: index, pois: all, streets: f.list, brands: names}, nil
}

// reorder puts item order[i] in place i, without a second list. It uses up order.
func reorder[T any](list []T, order []uint32) {
	const done = math.MaxUint32
	for begin := range order {
		if order[begin] == done {
			continue
		}
		first, to := list[begin], begin
		for from := order[to]; int(from) != begin; from = order[to] {
			list[to] = list[from]
			order[to] = done
			to = int(from)
		}
		list[to], order[to] = first, done
	}
}

// countPOIs returns the number of POIs, whose fids are 1, 2, 3 …
func countPOIs(ctx context.Context, db *sql.DB) (count int64, err error) {
	err = db.QueryRowContext(ctx, "SELECT coalesce(max(fid), 0) FROM poi").Scan(&count)
	return count, err
}

// readCategories returns the categories of the places that count, by fid; 0 of the others.
func readCategories(ctx context.Context, db *sql.DB, count int64) ([]uint64, error) {
	bit := map[string]uint64{}
	for i, c := range counted {
		bit[c.category] = 1 << i
	}
	for _, id := range fronting {
		bit[id] |= 1 << frontBit
	}
	categories := make([]uint64, count+1)
	err := released.Each(ctx, db, "SELECT fid, category_id FROM poi_category", nil, sqlrow.Visit2(func(fid int64, id string) error {
		if fid < 1 || fid > count {
			return fmt.Errorf("category of poi %d of %d", fid, count)
		}
		categories[fid] |= bit[id]
		return nil
	}))
	if err != nil {
		return nil, fmt.Errorf("read categories of places: %w", err)
	}
	return categories, nil
}

// places counts the places in the geography, and in and near it, by category, where they are known; and those in it by the
// street that they front on.
func (c *collector) places() {
	var in, near [64]int
	x, nearM := c.world.pois, constants().NearM
	clear(c.fronts)
	clear(c.brands)
	x.index.SearchBox(expand(c.outline.Bound(), nearM), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := &x.pois[i]
			inside := c.outline.Contains(p.at)
			if !inside && !(c.outline.DistanceWithin(p.at, nearM) <= nearM) {
				continue
			}
			for set := p.categories; set != 0; set &= set - 1 {
				category := bits.TrailingZeros64(set)
				near[category]++
				if inside {
					in[category]++
				}
			}
			if inside && p.brand != 0 {
				c.brands[p.brand]++
			}
			if inside && p.street != 0 && p.categories>>frontBit != 0 {
				c.fronts[p.street] = append(c.fronts[p.street], p.fid)
			}
		}
	})
	for _, k := range c.knownCategories() {
		if near[k.category] == 0 && !k.everywhere {
			continue
		}
		c.count(profile.CountFact, k.category, in[k.category], near[k.category])
		in[k.category] = 0
	}
	for i := range counted {
		// Beside homes without scores there are sources of a part of the geography; stations are those of lines.
		if c.unrated() && (c.weight == 0 || counted[i].section == profile.Transport) && in[i] > 0 && !c.ruledOut(counted[i].category) {
			c.count(profile.ListedFact, i, in[i], near[i])
		}
	}
	c.chains()
	c.streets()
}

// count adds how many places of a category are in the geography, and in and near it.
func (c *collector) count(code profile.Code, category, in, near int) {
	k := &counted[category]
	section, table := k.section, "poi_category:"
	if slices.ContainsFunc(schoolCategories, func(s schoolCategory) bool { return s.category == k.category }) {
		table = "school:"
	}
	if code == profile.ListedFact && slices.Contains(lively, k.category) {
		section = profile.Character
	}
	c.add(profile.Fact{
		Section: section, Code: code, Subject: k.category, Value: float64(in), Further: float64(near),
		Source: table + k.category + " geography:" + c.place.ID,
	})
}

// streets gives the streets that most places front on. Of places larger than a city none are given: streets of several
// towns have the same name.
func (c *collector) streets() {
	if schemas.Level(c.place.Level) > schemas.PostalArea {
		return
	}
	least := calibration.Standard().Access.Frontage.MinPlaces
	var list []uint32
	for street, fids := range c.fronts {
		if len(fids) >= least {
			list = append(list, street)
		}
	}
	all := c.world.pois.streets
	slices.SortFunc(list, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(len(c.fronts[b]), len(c.fronts[a])), cmp.Compare(all[a-1].name, all[b-1].name))
	})
	for _, street := range list[:min(len(list), constants().MostStreets)] {
		s, fids := &all[street-1], c.fronts[street]
		source := "street_edge:" + s.key
		slices.Sort(fids)
		for _, fid := range fids {
			source += " poi:" + strconv.FormatInt(fid, 10)
		}
		c.add(profile.Fact{
			Section: profile.Services, Code: profile.StreetFact, Name: s.name, NameFR: s.nameFR, Value: float64(len(fids)), Source: source,
		})
	}
}

// expand is a box and what is within some metres of it.
func expand(box orb.Bound, metres float64) orb.Bound {
	sw, ne := geo.CircleBound(box.Min, metres), geo.CircleBound(box.Max, metres)
	return sw.Union(ne)
}
