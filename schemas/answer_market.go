package schemas

// MarketStatsAnswer is the answer of GET /v3/market-stats/{geog_id}.
type MarketStatsAnswer struct {
	Data MarketStatsData `json:"data" doc:"The statistics."`
	Meta MarketStatsMeta `json:"meta" doc:"Where statistics are missing."`
}

// MarketStatsData has the statistics of a geography by property type and interval.
type MarketStatsData struct {
	GeogID        string                              `json:"geog_id" doc:"Id of the geography."`
	PropertyTypes map[string]map[string]MarketPeriods `json:"property_types" keys:"PropertyType" doc:"By property type, in the order asked for, then by code of the interval, in the order asked for."`
}

// MarketPeriods is the statistics of a property type in an interval.
type MarketPeriods struct {
	Period       MarketPeriod       `json:"period" doc:"The days of the interval, in the time zone of the geography."`
	PointInTime  MarketPointInTime  `json:"point_in_time" doc:"The state at the end of its last day."`
	IntervalWide MarketIntervalWide `json:"interval_wide" doc:"What happened on its days."`
}

// MarketPeriod is the days of an interval.
type MarketPeriod struct {
	StartDate      string `json:"start_date" doc:"First day, YYYY-MM-DD."`
	EndDate        string `json:"end_date" doc:"Last day, YYYY-MM-DD."`
	StartTimestamp string `json:"start_timestamp" doc:"Midnight at the beginning of the first day, RFC 3339 with the offset of the geography's time zone."`
	EndTimestamp   string `json:"end_timestamp" doc:"The last second of the last day, likewise."`
	Description    string `json:"description" doc:"The interval in words."`
}

// MarketPointInTime is the state of the market at the end of an interval. What cannot be had is absent.
type MarketPointInTime struct {
	ActiveListingsCount          int64                  `json:"active_listings_count" doc:"Listings on the market."`
	PendingListingsCount         int64                  `json:"pending_listings_count" doc:"Listings with a purchase contract, off the market."`
	UnderContractListingsCount   int64                  `json:"under_contract_listings_count" doc:"Listings with an accepted offer that are still on the market."`
	ActiveListingsMedianAgeDays  *float64               `json:"active_listings_median_age_days,omitempty" doc:"Median days since the active listings came on, the day that they did being 1."`
	ActiveListingsMedianSizeSqft *float64               `json:"active_listings_median_size_sqft,omitempty" doc:"Median living area of the active listings, square feet."`
	AskingPrice                  *MarketPrices          `json:"asking_price,omitempty" doc:"Asking prices of the active listings."`
	MedianDaysOnMarket           *float64               `json:"median_days_on_market,omitempty" doc:"Median days since the active listings were first listed; those over 365 days are left out."`
	DaysOnMarketPercentiles      *MarketDaysPercentiles `json:"days_on_market_percentiles,omitempty" doc:"Percentiles of the same."`
}

// MarketIntervalWide is what happened on the days of an interval. What cannot be had is absent.
type MarketIntervalWide struct {
	HomesSoldCount         int64                  `json:"homes_sold_count" doc:"Sales closed."`
	NewListingsCount       int64                  `json:"new_listings_count" doc:"Listings that came on; one that comes on again within 30 days does not count."`
	SalesPrice             *MarketPrices          `json:"sales_price,omitempty" doc:"Prices of the sales."`
	AskingToSalesPrice     *MarketPriceDifference `json:"asking_to_sales_price,omitempty" doc:"Sale price less the last asking price. Pairs that differ by half or more are left out."`
	PercentSoldAboveAsking *float64               `json:"percent_sold_above_asking,omitempty" doc:"Share of the sales above their asking price, 0 to 1."`
	PercentSoldBelowAsking *float64               `json:"percent_sold_below_asking,omitempty" doc:"Share of the sales below their asking price, 0 to 1."`
	MedianConstructionYear *float64               `json:"median_construction_year,omitempty" doc:"Median year of construction of the homes sold."`
	MedianSizeSqft         *float64               `json:"median_size_sqft,omitempty" doc:"Median living area of the homes sold, square feet."`
	AbsorptionRate         *float64               `json:"absorption_rate,omitempty" doc:"Homes sold as a share of the listings that were active at any time of the interval."`
	TotalSalesVolume       *int64                 `json:"total_sales_volume,omitempty" doc:"Sum of the prices of the sales, dollars."`
	MedianDaysOnMarket     *float64               `json:"median_days_on_market,omitempty" doc:"Median days from listing to contract of the homes sold; those over 365 days are left out."`
	MedianDaysToSell       *float64               `json:"median_days_to_sell,omitempty" doc:"Median days from listing to closing of the homes sold."`
	DaysToSellPercentiles  *MarketDaysPercentiles `json:"days_to_sell_percentiles,omitempty" doc:"Percentiles of the same."`
	MarketConditions       *MarketConditions      `json:"market_conditions,omitempty" doc:"Whom the market favours; absent under five different listings."`
}

// MarketPrices is a distribution of prices in whole dollars.
type MarketPrices struct {
	Min           *int64                  `json:"min,omitempty" doc:"Lowest price, dollars."`
	Median        *int64                  `json:"median,omitempty" doc:"Median price, dollars."`
	Max           *int64                  `json:"max,omitempty" doc:"Highest price, dollars."`
	MedianPerSqft *int64                  `json:"median_per_sqft,omitempty" doc:"Median of the prices per square foot of living area, dollars."`
	Percentiles   *MarketPricePercentiles `json:"percentiles,omitempty" doc:"Percentiles of the prices."`
}

// MarketPricePercentiles are percentiles of prices in whole dollars.
type MarketPricePercentiles struct {
	P10 *int64 `json:"10,omitempty" doc:"10th percentile, dollars."`
	P25 *int64 `json:"25,omitempty" doc:"25th percentile, dollars."`
	P50 *int64 `json:"50,omitempty" doc:"Median, dollars."`
	P75 *int64 `json:"75,omitempty" doc:"75th percentile, dollars."`
	P90 *int64 `json:"90,omitempty" doc:"90th percentile, dollars."`
}

// MarketDaysPercentiles are percentiles of numbers of days.
type MarketDaysPercentiles struct {
	P10 *float64 `json:"10,omitempty" doc:"10th percentile, days."`
	P25 *float64 `json:"25,omitempty" doc:"25th percentile, days."`
	P50 *float64 `json:"50,omitempty" doc:"Median, days."`
	P75 *float64 `json:"75,omitempty" doc:"75th percentile, days."`
	P90 *float64 `json:"90,omitempty" doc:"90th percentile, days."`
}

// MarketPriceDifference compares prices of sales with the last asking prices.
type MarketPriceDifference struct {
	MedianDifference        *int64   `json:"median_difference,omitempty" doc:"Median of the differences, dollars; negative below asking."`
	MedianPercentDifference *float64 `json:"median_percent_difference,omitempty" doc:"Median of the differences as a share of the asking price."`
}

// MarketConditions is whom a market favours.
type MarketConditions struct {
	Assessment string   `json:"assessment,omitempty" enum:"MarketAssessment" doc:"By the absorption rate: sellers_market from 0.2, buyers_market up to 0.15."`
	Qualifier  *float64 `json:"qualifier,omitempty" doc:"How much, -1 for buyers to 1 for sellers."`
}

// MarketStatsMeta is the success meta with what is missing.
type MarketStatsMeta struct {
	Meta
	MissingIntervals map[string][]string `json:"missing_intervals" keys:"PropertyType" doc:"Codes of the intervals without detailed statistics, by property type: nothing is active at their end, or nothing was sold in them."`
	Deprecation      *Deprecation        `json:"deprecation,omitempty" doc:"By geog_id, if that version is superseded."`
}

// MarketStatusAnswer is the answer of GET /v3/market-stats/status.
type MarketStatusAnswer struct {
	Data MarketStatusData `json:"data" doc:"The intervals."`
	Meta Meta             `json:"meta" doc:"That the call succeeded."`
}

// MarketStatusData has the intervals that can be asked for.
type MarketStatusData struct {
	Intervals     []string `json:"intervals" doc:"Codes of the intervals: those that move with the day, then the closed months and quarters, the latest first."`
	LastUpdatedOn string   `json:"last_updated_on" doc:"Day of the statistics as a timestamp, RFC 3339 in UTC: they have the days before it."`
}
