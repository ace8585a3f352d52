package schemas

// MarketStatsAnswer is the answer of GET /v3/market-stats/{geog_id}.
type MarketStatsAnswer struct {
	Data MarketStatsData `json:"data" doc:"The statistics."`
	Meta MarketStatsMeta `json:"meta" doc:"Where statistics are missing."`
}

// MarketStatsData has the statistics of a geography by property type and interval.
type MarketStatsData struct {
	GeogID        string                              `json:"geog_id" column:"all.geog_id"`
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
	ActiveListingsCount          int64                  `json:"active_listings_count" column:"market_stats.active_listings_count"`
	PendingListingsCount         int64                  `json:"pending_listings_count" column:"market_stats.pending_listings_count"`
	UnderContractListingsCount   int64                  `json:"under_contract_listings_count" column:"market_stats.under_contract_listings_count"`
	ActiveListingsMedianAgeDays  *float64               `json:"active_listings_median_age_days,omitempty" column:"market_stats.active_listings_median_age_days"`
	ActiveListingsMedianSizeSqft *float64               `json:"active_listings_median_size_sqft,omitempty" column:"market_stats.active_listings_median_size_sqft"`
	AskingPrice                  *MarketPrices          `json:"asking_price,omitempty" column:"market_stats.asking_price"`
	MedianDaysOnMarket           *float64               `json:"median_days_on_market,omitempty" column:"market_stats.point_median_days_on_market"`
	DaysOnMarketPercentiles      *MarketDaysPercentiles `json:"days_on_market_percentiles,omitempty" column:"market_stats.days_on_market_percentiles"`
}

// MarketIntervalWide is what happened on the days of an interval. What cannot be had is absent.
type MarketIntervalWide struct {
	HomesSoldCount         int64                  `json:"homes_sold_count" column:"market_stats.homes_sold_count"`
	NewListingsCount       int64                  `json:"new_listings_count" column:"market_stats.new_listings_count"`
	SalesPrice             *MarketPrices          `json:"sales_price,omitempty" column:"market_stats.sales_price"`
	AskingToSalesPrice     *MarketPriceDifference `json:"asking_to_sales_price,omitempty" column:"market_stats.asking_to_sales_price"`
	PercentSoldAboveAsking *float64               `json:"percent_sold_above_asking,omitempty" column:"market_stats.percent_sold_above_asking"`
	PercentSoldBelowAsking *float64               `json:"percent_sold_below_asking,omitempty" column:"market_stats.percent_sold_below_asking"`
	MedianConstructionYear *float64               `json:"median_construction_year,omitempty" column:"market_stats.median_construction_year"`
	MedianSizeSqft         *float64               `json:"median_size_sqft,omitempty" column:"market_stats.median_size_sqft"`
	AbsorptionRate         *float64               `json:"absorption_rate,omitempty" column:"market_stats.absorption_rate"`
	TotalSalesVolume       *int64                 `json:"total_sales_volume,omitempty" column:"market_stats.total_sales_volume"`
	MedianDaysOnMarket     *float64               `json:"median_days_on_market,omitempty" column:"market_stats.median_days_on_market"`
	MedianDaysToSell       *float64               `json:"median_days_to_sell,omitempty" column:"market_stats.median_days_to_sell"`
	DaysToSellPercentiles  *MarketDaysPercentiles `json:"days_to_sell_percentiles,omitempty" column:"market_stats.days_to_sell_percentiles"`
	MarketConditions       *MarketConditions      `json:"market_conditions,omitempty" column:"market_stats.market_conditions"`
}

// MarketPrices is a distribution of prices in whole dollars.
type MarketPrices struct {
	Min           *int64                  `json:"min,omitempty" column:"market_stats.min"`
	Median        *int64                  `json:"median,omitempty" column:"market_stats.median"`
	Max           *int64                  `json:"max,omitempty" column:"market_stats.max"`
	MedianPerSqft *int64                  `json:"median_per_sqft,omitempty" column:"market_stats.median_per_sqft"`
	Percentiles   *MarketPricePercentiles `json:"percentiles,omitempty" doc:"Percentiles of the prices."`
}

// MarketPricePercentiles are percentiles of prices in whole dollars.
type MarketPricePercentiles struct {
	P10 *int64 `json:"10,omitempty" column:"market_stats.price_p10"`
	P25 *int64 `json:"25,omitempty" column:"market_stats.price_p25"`
	P50 *int64 `json:"50,omitempty" column:"market_stats.price_p50"`
	P75 *int64 `json:"75,omitempty" column:"market_stats.price_p75"`
	P90 *int64 `json:"90,omitempty" column:"market_stats.price_p90"`
}

// MarketDaysPercentiles are percentiles of numbers of days.
type MarketDaysPercentiles struct {
	P10 *float64 `json:"10,omitempty" column:"market_stats.days_p10"`
	P25 *float64 `json:"25,omitempty" column:"market_stats.days_p25"`
	P50 *float64 `json:"50,omitempty" column:"market_stats.days_p50"`
	P75 *float64 `json:"75,omitempty" column:"market_stats.days_p75"`
	P90 *float64 `json:"90,omitempty" column:"market_stats.days_p90"`
}

// MarketPriceDifference compares prices of sales with the last asking prices.
type MarketPriceDifference struct {
	MedianDifference        *int64   `json:"median_difference,omitempty" column:"market_stats.median_difference"`
	MedianPercentDifference *float64 `json:"median_percent_difference,omitempty" column:"market_stats.median_percent_difference"`
}

// MarketConditions is whom a market favours.
type MarketConditions struct {
	Assessment string   `json:"assessment,omitempty" enum:"MarketAssessment" column:"market_stats.assessment"`
	Qualifier  *float64 `json:"qualifier,omitempty" column:"market_stats.qualifier"`
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
