package facts

import (
	"math"
	"strings"

	"quartier/build/homes"
	"quartier/internal/areal"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/demographics"
	"quartier/schemas/profile"
	"quartier/schemas/release"
)

// collector collects the facts of one geography after another.
type collector struct {
	world   *world
	weights homes.Quantiles
	near    []int32            // homes
	pois    []poi              // of a block
	fronts  map[uint32][]int64 // places by street
	brands  map[uint32]int     // places by brand
	served  map[lineID]*served

	// Of the geography under way.
	place   *profile.Place
	region  string
	rows    *rows
	outline *geo.Prepared
	shape   areal.Shape // the outline, if shaped
	shaped  bool
	found   []int32 // homes in it
	weight  uint64  // of these
	center  int32   // the home in the middle of them; -1: there are none
	facts   []profile.Fact
	err     error
}

func (w *world) newCollector() *collector {
	return &collector{world: w, fronts: map[uint32][]int64{}, brands: map[uint32]int{}, served: map[lineID]*served{}}
}

// begin turns to another geography and finds its homes.
func (c *collector) begin(s *subject, r *rows) {
	c.place, c.region, c.rows, c.facts, c.shaped = &s.place, s.region, r, nil, false
	c.outline = geo.Prepare(r.outline)
	index := c.world.homes
	c.near = index.InBox(c.near[:0], c.outline.Bound())
	c.found = index.In(c.found[:0], c.near, c.outline)
	c.weight = 0
	for _, i := range c.found {
		c.weight += index.Homes[i].Weight
	}
	c.center = c.middle()
}

// from is the source of what is measured from the middle home.
func (c *collector) from() string { return c.world.from(c.center) }

func (c *collector) add(f profile.Fact) { c.facts = append(c.facts, f) }

// sectionOf are the sections of the categories of scores.
var sectionOf = map[string]profile.Section{
	"transportation": profile.Transport, "amenities": profile.Services, "education": profile.Services,
	"character": profile.Character, "nature": profile.Character, "wellness": profile.Summary,
}

// scores gives the scores of the geography with their spread over homes, and how steep it is.
func (c *collector) scores() {
	if len(c.rows.scores) == 0 {
		return
	}
	c.weights.Set(c.world.homes, c.found)
	stored := map[string]*release.GeographyScore{}
	for i := range c.rows.scores {
		stored[c.rows.scores[i].Score] = &c.rows.scores[i]
	}
	for s, score := range schemas.Scores {
		row := stored[score.ID]
		if row == nil {
			continue
		}
		f := profile.Fact{
			Section: sectionOf[score.Category], Code: profile.ScoreFact, Subject: score.ID,
			Value: unit(row.Value), Low: math.NaN(), High: math.NaN(), Source: "geography_score:" + c.place.ID + "/" + score.ID,
		}
		low, high := c.weights.Tenths(s, 1), c.weights.Tenths(s, 9)
		// The homes of a superseded geography may be others than those that its score is of.
		if low != schemas.AbsentValue && int64(low) <= row.Value && row.Value <= int64(high) {
			f.Low, f.High = unit(int64(low)), unit(int64(high))
		}
		c.add(f)
	}
	if v := c.weights.Median(homes.Steepness); v != schemas.AbsentValue {
		c.add(profile.Fact{
			Section: profile.Character, Code: profile.TerrainFact, Value: unit(int64(v)),
			Source: "street_node:terrain_steepness geography:" + c.place.ID,
		})
	}
}

// unit is a value of the 0–5 scale.
func unit(tenThousandths int64) float64 { return float64(tenThousandths) / schemas.UnitValue }

// typologies gives the shares of the homes by typology, of a geography most of whose homes have one.
func (c *collector) typologies() {
	if len(c.rows.scores) == 0 {
		return
	}
	var weights [256]uint64
	known := uint64(0)
	for _, i := range c.found {
		if t := c.world.typologies[i]; t != 0 {
			weights[t] += c.world.homes.Homes[i].Weight
			known += c.world.homes.Homes[i].Weight
		}
	}
	if known == 0 || 2*known < c.weight {
		return
	}
	for i, id := range schemas.Typologies {
		if share := float64(weights[i+1]) / float64(known); share >= constants().LeastTypology {
			c.add(profile.Fact{Section: profile.Character, Code: profile.TypologyFact, Subject: id, Value: share,
				Source: "typology:" + id + " geography:" + c.place.ID})
		}
	}
}

// knownCategory is a category whose places are known in the geography.
type knownCategory struct {
	category   int
	everywhere bool // at all homes, so that none is none
}

// knownCategories returns which of the counted categories are known.
func (c *collector) knownCategories() (list []knownCategory) {
	for i := range counted {
		if counted[i].class == listedOnly {
			continue
		}
		known := c.knownWeight(counted[i].measure, c.world.verdicts[counted[i].class], placeMeasures)
		if known > 0 && float64(known) >= constants().KnownShare*float64(c.weight) {
			list = append(list, knownCategory{i, known == c.weight})
		}
	}
	return list
}

// knownWeight is the weight of the homes at which a measure is known, in the regions given by number; nil: in all. Without a
// measure it is that of the homes where any of the channels of a mask is.
func (c *collector) knownWeight(measure string, regions []bool, mask uint64) (known uint64) {
	if measure != "" {
		mask = 1 << schemas.MustChannel(measure)
	}
	for _, i := range c.found {
		h := &c.world.homes.Homes[i]
		if h.Known&mask != 0 && (regions == nil || regions[h.Region]) {
			known += h.Weight
		}
	}
	return known
}

// dwellingCodes are the facts that variables of dwellings become, by category. Variables of people become none.
var dwellingCodes = map[string]profile.Code{
	"housing_type": profile.DwellingFact, "property_tenure": profile.TenureFact,
	"housing_construction_year": profile.PeriodFact, "housing_bedroom_count": profile.BedroomsFact,
}

// dwellings gives the number of homes, and the shares of types, tenure, periods of construction and numbers of bedrooms.
func (c *collector) dwellings() {
	for i := range c.rows.variables {
		v := &c.rows.variables[i]
		if v.Category == "households" && v.Variable == "households_total" {
			c.homes(v)
		}
		code, ok := dwellingCodes[v.Category]
		if !ok || !shares[v.Category+"/"+v.Variable] {
			continue
		}
		f := profile.Fact{
			Section: profile.Housing, Code: code, Subject: strings.TrimPrefix(v.Variable, "housing_construction_year_"),
			Value: v.Value, Low: math.NaN(), High: math.NaN(), Source: "geography_variable:" + c.place.ID + "/" + v.Category + "/" + v.Variable,
		}
		if v.Lower != nil && v.Upper != nil {
			f.Low, f.High = *v.Lower, *v.Upper
		}
		c.add(f)
	}
}

// homes gives the number of occupied homes. Texts say nothing of who lives in them, or how many.
func (c *collector) homes(v *release.GeographyVariable) {
	f := profile.Fact{
		Section: profile.Housing, Code: profile.HomesFact, Value: v.Value, Low: math.NaN(), High: math.NaN(),
		Source: "geography_variable:" + c.place.ID + "/" + v.Category + "/" + v.Variable,
	}
	if v.Lower != nil && v.Upper != nil {
		f.Low, f.High = *v.Lower, *v.Upper
	}
	c.add(f)
}

// shares are the variables of dwellings that are shares, with category.
var shares = func() map[string]bool {
	all := map[string]bool{}
	for _, category := range demographics.ByGeography {
		for _, v := range category.Variables {
			all[category.ID+"/"+v.ID] = v.Method == demographics.Share
		}
	}
	return all
}()
