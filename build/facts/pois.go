package facts

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math/bits"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
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

// poiIndex finds the places in a box.
type poiIndex struct {
	file    *poiFile
	boxes   *coord.BoxIndex // of the blocks of the file
	streets []frontStreet
	brands  []string
}

// readPOIs reads the places of counted categories of a release, and its schools, and resolves on which streets they front. The
// places stay in a file, because there may be more than there is memory for.
func readPOIs(ctx context.Context, in *Input) (x *poiIndex, err error) {
	db, err := released.Open(filepath.Join(in.Dir, schemas.POIsFile))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	x = &poiIndex{}
	number, names, err := readBrands(ctx, db)
	if err != nil {
		return nil, err
	}
	if x.file, err = newPOIFile(in.Scratch); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			x.file.close()
		}
	}()
	if err := readSchools(ctx, filepath.Join(in.Dir, schemas.SchoolsFile), x.file.add); err != nil {
		return nil, err
	}
	spans, err := in.Assembly.POISpans(ctx)
	if err != nil {
		return nil, err
	}
	f := &fronts{streets: map[string]uint32{}}
	err = in.Assembly.EachRegion(func(region string, derived *duck.DB) error {
		if err := f.read(ctx, derived); err != nil {
			return err
		}
		addressed, err := newPOIFile(in.Scratch)
		if err != nil {
			return err
		}
		defer addressed.close()
		err = readRegion(ctx, db, region, spans[region], number, func(p *poi, address string) error {
			f.resolveAddress(p, address)
			return addressed.add(*p)
		})
		if err != nil {
			return err
		}
		return addressed.each(func(places []poi) error {
			f.resolveRest(places)
			return x.file.add(places...)
		})
	})
	if err == nil {
		err = x.file.spool.Flush()
	}
	if err != nil {
		return nil, fmt.Errorf("read places: %w", err)
	}
	f.name()
	x.boxes, x.streets, x.brands = coord.NewBoxIndex(x.file.boxes), f.list, names
	return x, nil
}

// categoryBits are the bits of poi.categories by category.
var categoryBits = func() map[string]uint64 {
	bit := map[string]uint64{}
	for i, c := range counted {
		bit[c.category] = 1 << i
	}
	for _, id := range fronting {
		bit[id] |= 1 << frontBit
	}
	return bit
}()

// poisOfRegion has the categories of each place as a comma list, and the first of its brands.
const poisOfRegion = `SELECT fid, coalesce(address, ''), geometry,
	coalesce((SELECT group_concat(category_id) FROM poi_category AS c WHERE c.fid = poi.fid), ''),
	coalesce((SELECT min(brand_id) FROM poi_brand AS b WHERE b.fid = poi.fid), '')
	FROM poi WHERE fid BETWEEN ? AND ? AND region = ? ORDER BY fid`

// readRegion visits the places of a region that count, with their addresses, by fid, from the first to the last. number has the numbers of
// brands.
func readRegion(ctx context.Context, db *sql.DB, region string, span [2]int64, number map[string]uint32,
	visit func(*poi, string) error) error {
	return released.Each(ctx, db, poisOfRegion, []any{span[0], span[1], region},
		sqlrow.Visit5(func(fid int64, address string, blob sql.RawBytes, categories, brand string) (err error) {
			p := poi{fid: fid, brand: number[brand]}
			for id := range strings.SplitSeq(categories, ",") {
				p.categories |= categoryBits[id]
			}
			if p.categories == 0 && p.brand == 0 {
				return nil
			}
			if p.at, err = released.ReadPoint(blob); err != nil {
				return err
			}
			return visit(&p, address)
		}))
}

// places counts the places in the geography, and in and near it, by category, where they are known; and those in it by the
// street that they front on.
func (c *collector) places() {
	var in, near [64]int
	nearM := constants().NearM
	clear(c.fronts)
	clear(c.brands)
	c.eachPOI(expand(c.outline.Bound(), nearM), func(p *poi) {
		inside := c.outline.Contains(p.at)
		if !inside && !(c.outline.DistanceWithin(p.at, nearM) <= nearM) {
			return
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
		if inside && p.street != 0 && p.categories>>frontBit != 0 && c.hasStreets() {
			c.fronts[p.street] = append(c.fronts[p.street], p.fid)
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

// eachPOI visits the places in a box.
func (c *collector) eachPOI(box orb.Bound, visit func(*poi)) {
	x := c.world.pois
	x.boxes.Search(box, func(block int) bool {
		if c.pois, c.err = x.file.read(block, c.pois[:0]); c.err != nil {
			return false
		}
		for i := range c.pois {
			if box.Contains(c.pois[i].at) {
				visit(&c.pois[i])
			}
		}
		return true
	})
}

// hasStreets reports whether streets of the geography are given. Of places larger than a city none are: streets of several towns
// have the same name.
func (c *collector) hasStreets() bool { return schemas.Level(c.place.Level) <= schemas.PostalArea }

// streets gives the streets that most places front on.
func (c *collector) streets() {
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
