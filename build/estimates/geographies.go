package estimates

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

	"quartier/build/assembly"
	"quartier/internal/demography"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// Geography is the demographics of one geography.
type Geography struct {
	ID      string
	Vintage string // of its figures; several are joined by ", "

	Vintages []CategoryVintage // of its categories in the order of demographics.ByGeography, where they differ

	Coverage float64            // share of its ground that small areas cover, 0 to 1; 1 where no figure is a sum over them
	Values   []demography.Value // in the order of demographics.Flat(demographics.ByGeography)
}

// Input is what the demographics of a release are computed from.
type Input struct {
	Assembly    *assembly.Assembly
	Geographies []assembly.Geography
	Wanted      []bool            // of the geographies: whether they are computed; nil: all are
	IDs         []string          // of the geographies
	Areas       *smallareas.Table // of all regions
}

// Geographies computes the demographics of the geographies of levels 10 to 40. emit is called for those that have any,
// metro areas first, otherwise ordered by id. The notes are for the manifest.
func Geographies(ctx context.Context, in Input, emit func(*Geography) error) (notes []string, err error) {
	c := &computation{
		Input: in, constants: &calibration.Standard().Demographics, emit: emit,
		incomes: map[string]amount{}, partlyCovered: assembly.LevelCounts{},
	}
	if err := c.readAreaVintages(ctx); err != nil {
		return nil, err
	}
	if err := c.setOrder(ctx); err != nil {
		return nil, fmt.Errorf("order published figures: %w", err)
	}
	if err := c.readCounties(ctx); err != nil {
		return nil, err
	}
	c.composed = make([]bool, len(c.order))
	// Metro areas first, because the affordability of other geographies depends on their incomes.
	metros := sort.Search(len(c.order), func(place int) bool { return c.at(place).Level >= schemas.Metro })
	for _, span := range [][2]int{{metros, len(c.order)}, {0, metros}} {
		for first := span[0]; first < span[1]; first += batchSize {
			end := min(first+batchSize, span[1])
			if err := c.computeBatch(ctx, first, end); err != nil {
				return nil, fmt.Errorf("compute demographics of geographies: %w", err)
			}
		}
	}
	if c.bounds > 0 {
		notes = append(notes,
			fmt.Sprintf("geographies whose affordability index is a bound, because the median of home values or incomes is in an open bin: %d",
				c.bounds))
	}
	composed := assembly.LevelCounts{}
	for place, is := range c.composed {
		if is {
			composed[c.at(place).Level]++
		}
	}
	if levels := composed.String(); levels != "" {
		notes = append(notes, "geographies with tables that are sums of those published for their counties: "+levels)
	}
	if levels := c.partlyCovered.String(); levels != "" {
		notes = append(notes, "geographies with published demographics only, because the small areas of the release cover only part of them: "+
			levels)
	}
	return notes, nil
}

// computation is the state of Geographies. A place is the position of a geography in the order of computation.
type computation struct {
	Input
	constants     *calibration.Demographics
	emit          func(*Geography) error
	vintages      areaVintages
	order         []int                // indexes of geographies by place
	incomes       map[string]amount    // median household income by source key of the metro area
	bounds        int                  // number of geographies whose affordability index is a bound
	partlyCovered assembly.LevelCounts // geographies of which small areas cover some, but too little
	counties      []county
	composed      []bool // of the geographies, by place: whether tables of counties were added up

	// Of the batch under way.
	first     int                  // place
	published []assembly.Published // by place, from first
}

// at returns the geography at a place.
func (c *computation) at(place int) *assembly.Geography { return &c.Input.Geographies[c.order[place]] }

// setOrder orders the geographies by level and id.
func (c *computation) setOrder(ctx context.Context) error {
	list := c.Input.Geographies
	for i := range list {
		if list[i].Level <= schemas.Metro && (c.Wanted == nil || c.Wanted[i]) {
			c.order = append(c.order, i)
		}
	}
	slices.SortFunc(c.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(list[a].Level, list[b].Level), cmp.Compare(c.IDs[a], c.IDs[b]))
	})
	keys := make([]string, len(c.order))
	for place := range keys {
		keys[place] = c.at(place).Key
	}
	return c.Assembly.OrderPublished(ctx, keys)
}

func (c *computation) computeBatch(ctx context.Context, first, end int) (err error) {
	c.first = first
	if c.published, err = c.Assembly.ReadPublished(ctx, first, end); err != nil {
		return err
	}
	return computeBatch(ctx, c.Areas, &c.vintages, first, end, c.request, c.receive)
}

// publishedAt returns what is published for the geography at a place of the batch.
func (c *computation) publishedAt(place int) *assembly.Published { return &c.published[place-c.first] }

// request returns the geography at a place with its outline. It is safe for concurrent use.
func (c *computation) request(place int) (Request, error) {
	g := c.at(place)
	outline, err := c.Assembly.Outlines.Get(c.order[place])
	if err != nil {
		return Request{}, fmt.Errorf("geography %s: %w", g.Key, err)
	}
	if err := c.compose(place, outline); err != nil {
		return Request{}, fmt.Errorf("geography %s: %w", g.Key, err)
	}
	return Request{
		Country: g.Country, Outline: outline, Published: c.publishedAt(place).Figures,
		HomeValue: c.metro(place) != "" && c.publishedHomeValue(place, 0).year == 0,
	}, nil
}

// metro returns the source key of the metro area that a geography is or is in; "" where there is none.
func (c *computation) metro(place int) string {
	if g := c.at(place); g.Level != schemas.Metro {
		return g.Parents[assembly.Metro]
	}
	return c.at(place).Key
}

// receive completes a result and emits it.
func (c *computation) receive(place int, r *Result) error {
	g := c.at(place)
	if r.Coverage > 0 && r.Coverage < c.constants.MinCoverage {
		c.partlyCovered[g.Level]++
	}
	if r.Values == nil {
		return nil
	}
	if g.Level == schemas.Metro {
		c.incomes[g.Key] = c.income(place, r)
	}
	coverage := 1.0
	if r.Summed {
		coverage = r.Coverage
	}
	index, sources := c.affordability(place, r)
	r.Values[affordabilityIndex] = index
	emitted := &Geography{ID: c.IDs[c.order[place]], Values: r.Values, Coverage: coverage}
	emitted.setVintages(c.tableVintages(place, r), &r.Cells, sources)
	return c.emit(emitted)
}

// tableVintages returns the vintages of a geography's tables, published and summed.
func (c *computation) tableVintages(place int, r *Result) tableVintages {
	all := maps.Clone(r.Vintages)
	if all == nil {
		all = tableVintages{}
	}
	published := tableVintages{}
	for _, f := range c.publishedAt(place).Figures {
		published.add(demographics.Cells[f.Cell].Table, f.Vintage)
	}
	maps.Copy(all, published)
	return all
}

// income returns the median household income of a result; year 0 where it is not known.
func (c *computation) income(place int, r *Result) amount {
	country := c.at(place).Country
	f, ok := demography.Income(country, &r.Cells, c.constants)
	if !ok || r.Values == nil {
		return amount{}
	}
	tables := c.tableVintages(place, r)
	vintage := joinVintages(tables[incomeTable])
	if _, published := r.Cells.Get(incomeCell); published {
		vintage = joinVintages(tables[demographics.Cells[incomeCell].Table])
	}
	return amount{f, incomeYear(country, vintage), vintage}
}

// publishedHomeValue returns the home value published for a geography: from an index of home values for the nearest
// year, otherwise from a census or survey. Its year is 0 where none is published.
func (c *computation) publishedHomeValue(place, year int) amount {
	if v := nearestYear(c.publishedAt(place).HomeValues, year, consumerPrices(c.at(place).Country, c.constants)); v.year != 0 {
		return v
	}
	for _, f := range c.publishedAt(place).Figures {
		if f.Cell == homeValueCell {
			return amount{demography.Published(f.Cell, f.Figure), lastYear(f.Vintage), f.Vintage}
		}
	}
	return amount{}
}

// affordability returns the affordability index of a geography, and the vintages of what it is made of.
func (c *computation) affordability(place int, r *Result) (demography.Value, []string) {
	income, ok := c.incomes[c.metro(place)]
	if !ok {
		return demography.Value{}, nil
	}
	home := c.publishedHomeValue(place, income.year)
	if home.year == 0 && !math.IsNaN(r.HomeValue.Estimate) {
		vintage := joinVintages(c.tableVintages(place, r)[r.homeValueTable])
		home = amount{r.HomeValue, lastYear(vintage), vintage}
	}
	v := affordability(c.at(place).Country, income, home, c.constants)
	if v.Open != demographics.Closed {
		c.bounds++
	}
	return v, []string{income.vintage, home.vintage}
}
