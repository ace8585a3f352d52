// Package market declares what market statistics are made of: types of property, intervals of days, and the metrics of a
// geography, type and interval. It has no data and computes no statistics.
package market

import "slices"

// PropertyType is a type of property in the order of the API.
type PropertyType uint8

// The types of property. A listing has one of those from SingleFamily on, and AllResidential and ResidentialIncome are
// unions: the former of SingleFamily, CondoTownhome and MultiFamilyUnder5, the latter of MultiFamily5Plus and what is listed
// as residential income without being under five units.
const (
	AllResidential PropertyType = iota
	ResidentialIncome
	SingleFamily
	CondoTownhome
	MultiFamilyUnder5
	MultiFamily5Plus
	VacantLand
	Commercial // counts alone
	Other      // counts alone
	TypeCount
)

// typeNames are the identifiers of the API.
var typeNames = [TypeCount]string{
	"all_residential_properties", "residential_income_properties", "single_family", "condo_townhome", "multi_family_under_5_units",
	"multi_family_5_plus_units", "vacant_land", "commercial", "other_and_unclassified",
}

// String is the identifier of the API.
func (t PropertyType) String() string { return typeNames[t] }

// TypeNames are the identifiers of all types in the order of the API.
func TypeNames() []string { return slices.Clone(typeNames[:]) }

// TypeNamed returns the type with an identifier of the API; false if there is none.
func TypeNamed(name string) (PropertyType, bool) {
	i := slices.Index(typeNames[:], name)
	return PropertyType(max(i, 0)), i >= 0
}

// DefaultTypes are those that an answer has where none are asked for, in the order of the contract.
var DefaultTypes = []PropertyType{SingleFamily, MultiFamilyUnder5, CondoTownhome, AllResidential}

// CountsAlone reports whether statistics of a type are its counts alone.
func (t PropertyType) CountsAlone() bool { return t == Commercial || t == Other }

// Metric is a number of the statistics of a geography, type and interval.
type Metric uint8

// The metrics. Those of the point in time are of the last day of the interval, the others of all its days.
const (
	// Of the point in time.
	Active           Metric = iota // active listings
	Pending                        // pending listings
	UnderContract                  // listings under contract, still on the market
	ActiveMedianAge                // tenths of days since they were listed, the day of listing being 1
	ActiveMedianSize               // square feet
	AskMin                         // dollars, this and the following
	AskP10
	AskP25
	AskMedian
	AskP75
	AskP90
	AskMax
	AskPerSqft
	DaysOnMarketP10 // of active listings, tenths of days since the first listing of a re-listed home, this and the following
	DaysOnMarketP25
	DaysOnMarketMedian
	DaysOnMarketP75
	DaysOnMarketP90

	// Of the interval.
	Sold    // homes sold
	New     // listings that came on
	SaleMin // dollars, this and the following
	SaleP10
	SaleP25
	SaleMedian
	SaleP75
	SaleP90
	SaleMax
	SalePerSqft
	MedianDifference        // dollars, sale less asking price
	MedianPercentDifference // ten-thousandths of the asking price
	SoldAbove               // ten-thousandths of the homes sold with an asking price, sold above it
	SoldBelow
	MedianYearBuilt
	SoldMedianSize // square feet
	Absorption     // ten-thousandths
	Volume         // dollars
	SoldMedianDaysOnMarket
	DaysToSellP10 // tenths of days, this and the following
	DaysToSellP25
	DaysToSellMedian
	DaysToSellP75
	DaysToSellP90
	Assessment // of the market: BuyersMarket, NeutralMarket or SellersMarket
	Qualifier  // hundredths, −100 to 100
	MetricCount
)

// metricNames are the columns of the metrics in market.sqlite and market.parquet.
var metricNames = [MetricCount]string{
	"active_listings", "pending_listings", "under_contract_listings", "active_median_age_days", "active_median_size_sqft",
	"ask_min", "ask_p10", "ask_p25", "ask_median", "ask_p75", "ask_p90", "ask_max", "ask_median_per_sqft",
	"dom_p10", "dom_p25", "dom_median", "dom_p75", "dom_p90",
	"homes_sold", "new_listings", "sale_min", "sale_p10", "sale_p25", "sale_median", "sale_p75", "sale_p90", "sale_max",
	"sale_median_per_sqft",
	"median_difference", "median_percent_difference", "share_above_asking", "share_below_asking", "median_construction_year",
	"sold_median_size_sqft", "absorption_rate", "total_sales_volume", "sold_median_dom",
	"days_to_sell_p10", "days_to_sell_p25", "days_to_sell_median", "days_to_sell_p75", "days_to_sell_p90", "market_assessment",
	"market_qualifier",
}

// String is the name of the metric's column.
func (m Metric) String() string { return metricNames[m] }

// Decimals is the number of decimals of a metric: a value of 125 with one decimal is 12.5.
func (m Metric) Decimals() int {
	switch m {
	case ActiveMedianAge, DaysOnMarketP10, DaysOnMarketP25, DaysOnMarketMedian, DaysOnMarketP75, DaysOnMarketP90,
		SoldMedianDaysOnMarket, DaysToSellP10, DaysToSellP25, DaysToSellMedian, DaysToSellP75, DaysToSellP90:
		return 1
	case Qualifier:
		return 2
	case MedianPercentDifference, SoldAbove, SoldBelow, Absorption:
		return 4
	}
	return 0
}

// The values of Assessment.
const (
	BuyersMarket int64 = iota
	NeutralMarket
	SellersMarket
)

// Absent is the value of a metric that cannot be had.
const Absent int64 = -1 << 63

// Values are the metrics of a geography, type and interval, each an integer with Metric.Decimals, or Absent. Counts are
// never absent.
type Values [MetricCount]int64

// Cell is the statistics of one type and interval of a geography.
type Cell struct {
	Type     PropertyType
	Interval uint8 // index in Intervals of the day that the data is of
	Values   Values
}

// Statistics are the cells of a geography. A type and interval of which all counts are 0 has none.
type Statistics struct {
	Geography uint32 // index in geographies.pack
	Cells     []Cell // by type, then interval
	Computed  []bool // by interval; nil: all. Cells of the others are those of an earlier day
}

// Status is the state of a listing as its system has it, in the terms of RESO.
type Status uint8

// The states. Leases and records that are Incomplete or ComingSoon count nowhere.
const (
	StatusUnknown Status = iota
	StatusActive
	StatusUnderContract // ActiveUnderContract
	StatusPending
	StatusClosed
	StatusHold
	StatusWithdrawn
	StatusCanceled
	StatusExpired
	StatusComingSoon
	StatusIncomplete
	StatusDelete // takes the listing out
)
