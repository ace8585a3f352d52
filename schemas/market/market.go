// Package market declares what market statistics are made of: types of property, intervals of days, and the metrics of a
// geography, type and interval. It has no data and computes no statistics.
package market

import (
	_ "embed"
	"fmt"
	"slices"

	"quartier/schemas/tsv"
)

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

//go:embed metrics.tsv
var metricsText string

// metrics are the rows of metrics.tsv.
var metrics = func() (all [MetricCount]struct {
	name, kind string
	decimals   int
	members    []string
}) {
	for m, row := range tsv.MustParse("metrics.tsv", metricsText, "metric", "type", "member", "again") {
		of := &all[m]
		of.name, of.kind, of.members = row[0], row[1], slices.DeleteFunc(row[2:4], func(path string) bool { return path == "" })
		fmt.Sscanf(of.kind, "decimal(18,%d)", &of.decimals)
	}
	return all
}()

// String is the name of the metric's column in market.sqlite and market.parquet.
func (m Metric) String() string { return metrics[m].name }

// Type is that of the metric's column: int64, string, or decimal(18,1) with its decimals.
func (m Metric) Type() string { return metrics[m].kind }

// Decimals is the number of decimals of a metric: a value of 125 with one decimal is 12.5.
func (m Metric) Decimals() int { return metrics[m].decimals }

// Members are the paths of the metric in schemas.MarketPeriods, such as point_in_time.asking_price.min: one or, of a median
// that is among percentiles too, two.
func (m Metric) Members() []string { return metrics[m].members }

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
