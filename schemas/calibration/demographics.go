package calibration

import (
	"math"

	"quartier/schemas/demographics"
)

// Demographics is the constants of areal interpolation of figures, and of their errors.
type Demographics struct {
	Parts      Parts      `yaml:"parts"`      // what parts of an area consist of
	Ground     Ground     `yaml:"ground"`     // allocation error of people by ground
	Settlement Settlement `yaml:"settlement"` // the same where streets or buildings show where they live
	// the same of households or dwellings by people: standard deviation by_people · √(share · (1 − share))
	ByPeople   float64 `yaml:"by_people"`
	RoundingSE float64 `yaml:"rounding_se"` // standard error of a count with random rounding to base 5
	// bins up to this width are interpolated linearly, wider ones by a Pareto distribution
	LinearDollars float64 `yaml:"linear_dollars"`
	MinHouseholds float64 `yaml:"least_households"` // no median and no mean of fewer households
	// minimum share of the people of a place whose areas have a table, for the table to be reported
	MinKnown float64 `yaml:"least_known"`
	// the same share from which counts are reported in addition to shares, medians and means
	MinKnownForCounts float64 `yaml:"mostly_known"`
	// minimum share of a geography's ground in small areas for shares and medians over them to represent it
	MinCoverage       float64 `yaml:"least_ground"`
	MinCoverageCounts float64 `yaml:"mostly_ground"` // the same share from which counts are reported, too
	// minimum share of a region or metro area in counties with a published table for their sum to be its table
	MinComposed float64 `yaml:"composed"`
	// minimum share of a county in a region or metro area for it to be one of its counties
	MinMember float64 `yaml:"member"`
	// greatest share of the people of a region whose areas have no table of a survey; more fails the region
	MaxUnmatched float64 `yaml:"most_unjoined"`
	// the people of a small area by a table and by its blocks are a mismatch if one is this many times the other
	OddsFactor float64 `yaml:"odds_factor"`
	// parts of a table may exceed their total by this share, and by the rounding base 5 for each part
	RoundingSlack    float64         `yaml:"rounding_slack"`
	ConsumerPricesUS map[int]float64 `yaml:"consumer_prices_us"` // index by year
	ConsumerPricesCA map[int]float64 `yaml:"consumer_prices_ca"`
}

// Parts is how much the parts of an area differ from it. A share p of a table has in a part with the share w of the area the
// variance of the area's published share, and ρ · p(1 − p) · (1 − w)/w.
type Parts struct {
	Persons    float64 `yaml:"persons"`    // ρ by what a table counts
	Households float64 `yaml:"households"` // the same
	Homes      float64 `yaml:"homes"`      // the same of tables of homes

	// of dollars and children, which are no parts of a table: standard deviation in a part sums · √((1 − w)/w) of what it has by
	// its share
	Sums  float64 `yaml:"sums"`
	Small float64 `yaml:"small"` // share of an area from which on down the interval of the people of a part narrows, see margin.Placed
	Empty float64 `yaml:"empty"` // share of its people that a part may lack beyond that interval
}

// Variance is that of the figure of a cell in a part of an area, over w(1 − w), where all parts of its table together are
// counted.
func (p *Parts) Variance(cell int, estimate, counted float64) float64 {
	c := &demographics.Cells[cell]
	t := &demographics.Tables[c.Table]
	switch {
	case c.Role == demographics.Total || c.Role == demographics.Base:
		return 0
	case c.Role == demographics.OutsideParts || demographics.Cells[t.Cells[0]].Role == demographics.Base || counted <= 0:
		return p.Sums * p.Sums * estimate * estimate
	}
	rho := p.Households
	switch {
	case t.OfHomes():
		rho = p.Homes
	case t.US == demographics.Persons || t.CA == demographics.Persons:
		rho = p.Persons
	}
	return rho * estimate * max(counted-estimate, 0)
}

// Ground is the allocation error of people who are distributed over the ground that they live on: the standard deviation of
// the share of a part is σ · √(share · (1 − share)), where σ falls with the density of the area.
type Ground struct {
	Scale    float64 `yaml:"scale"`    // σ of an area that is as dense as its surroundings
	Exponent float64 `yaml:"exponent"` // of the ratio of densities
	Least    float64 `yaml:"least"`    // bounds of σ
	Most     float64 `yaml:"most"`
	Block    float64 `yaml:"block"`   // σ within a block whose people are counted
	Settled  float64 `yaml:"settled"` // people per km² of built-up land at least, as surroundings

	HouseholdSize float64 `yaml:"household_size"` // people, where only households are known

	// Areas with fewer or more people to a household have towers of flats, or students and inmates, on some of their ground.
	LeastSize float64 `yaml:"least_size"`
	MostSize  float64 `yaml:"most_size"`
	Uncommon  float64 `yaml:"uncommon"` // least σ of these
}

// Sigma is σ of an area with a density, in people per km², and a number of people to a household, whose surroundings have
// another density; Most if the density is not known.
//
// An area of 500 people per km² in a county whose people live at 2,500 is settled to a fifth: what a circle cuts off from
// it has an unknown part of its people.
func (g Ground) Sigma(density, surroundings, size float64) float64 {
	ratio, sigma := density/max(surroundings, g.Settled), g.Most
	if ratio > 0 { // not NaN
		sigma = min(max(g.Scale*math.Pow(ratio, -g.Exponent), g.Least), g.Most)
	}
	if size < g.LeastSize || size > g.MostSize {
		return max(sigma, g.Uncommon)
	}
	return sigma
}

// Settlement is how people of an area without blocks are apportioned to cells of it by streets with houses and by buildings,
// and the error of that.
type Settlement struct {
	Streets   map[string]float64       `yaml:"streets"`   // classes of streets, by the share of their length with houses
	FrontM    float64                  `yaml:"front_m"`   // from the middle of a street to the houses
	StepM     float64                  `yaml:"step_m"`    // from house to house, at most
	Buildings map[string]HomeBuildings `yaml:"buildings"` // classes of buildings that people live in
	NearM     float64                  `yaml:"near_m"`    // from the front of a street to its buildings, at most
	Land      map[string]float64       `yaml:"land"`      // classes of land that is settled less than other land, by how much of that
	// minimum share of an area within the hull of the streets, and of its fronts with buildings for these to be mapped
	Mapped float64 `yaml:"mapped"`
	RoomM2 float64 `yaml:"room_m2"` // buildings of so much for each person are all of the buildings
	// most people to a km of street with houses; of more, most live in high-rises, which stand anywhere
	CrowdedKM float64 `yaml:"crowded_km"`
	Evenly    float64 `yaml:"evenly"`     // share of the people of an area that is spread over all of its ground
	CellM     float64 `yaml:"cell_m"`     // side of the smallest cells, about
	MostCells int     `yaml:"most_cells"` // of an area
	Uneven    float64 `yaml:"uneven"`     // share of its people up to which a cell may be settled unevenly
	Between   float64 `yaml:"between"`    // σ of the share of some cells
	Within    float64 `yaml:"within"`     // σ of the share of a part of a cell
	Crowded   float64 `yaml:"crowded"`    // least σ of the ground of an area beyond crowded_km
}

// HomeBuildings is how many people buildings of a class have room for.
type HomeBuildings struct {
	Storeys float64 `yaml:"storeys"`  // with homes
	LeastM2 float64 `yaml:"least_m2"` // smaller ones are sheds
	MostM2  float64 `yaml:"most_m2"`  // larger ones are halls; 0: none is
}
