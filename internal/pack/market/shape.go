package market

import "quartier/schemas/market"

// step is a member with a number or word, or the beginning or end of an object.
type step struct {
	name   string
	kind   kind
	metric market.Metric
	value  int64 // of a word: that of the metric
}

type kind uint8

const (
	number kind = iota
	again       // a number that an earlier member has too
	word        // a word, which is there for one value of its metric
	open
	shut
)

func member(name string, m market.Metric) step { return step{name: name, metric: m} }

// wordsOf are members of which a cell has at most one.
func wordsOf(name string, m market.Metric, count int) (all []step) {
	for value := range count {
		all = append(all, step{name: name, kind: word, metric: m, value: int64(value)})
	}
	return all
}

// json is the text before the number of a member, or the whole of a word.
func (s *step) json() string {
	text := `"` + s.name + `":`
	if s.kind == word {
		text += `"` + Assessments[s.value] + `"`
	}
	return text
}

// object is an object with steps.
func object(name string, steps ...step) []step {
	return append(append([]step{{name: name, kind: open}}, steps...), step{kind: shut})
}

// percentiles are five metrics, the median again.
func percentiles(name string, p10, p25, p50, p75, p90 market.Metric) []step {
	return object(name, member("10", p10), member("25", p25), step{name: "50", kind: again, metric: p50}, member("75", p75), member("90", p90))
}

func join(parts ...[]step) (all []step) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// steps are a schemas.MarketPeriods without its period.
var steps = join(
	object("point_in_time", join(
		[]step{
			member("active_listings_count", market.Active), member("pending_listings_count", market.Pending),
			member("under_contract_listings_count", market.UnderContract),
			member("active_listings_median_age_days", market.ActiveMedianAge), member("active_listings_median_size_sqft", market.ActiveMedianSize),
		},
		object("asking_price", join(
			[]step{member("min", market.AskMin), member("median", market.AskMedian), member("max", market.AskMax),
				member("median_per_sqft", market.AskPerSqft)},
			percentiles("percentiles", market.AskP10, market.AskP25, market.AskMedian, market.AskP75, market.AskP90),
		)...),
		[]step{member("median_days_on_market", market.DaysOnMarketMedian)},
		percentiles("days_on_market_percentiles", market.DaysOnMarketP10, market.DaysOnMarketP25, market.DaysOnMarketMedian,
			market.DaysOnMarketP75, market.DaysOnMarketP90),
	)...),
	object("interval_wide", join(
		[]step{member("homes_sold_count", market.Sold), member("new_listings_count", market.New)},
		object("sales_price", join(
			[]step{member("min", market.SaleMin), member("median", market.SaleMedian), member("max", market.SaleMax),
				member("median_per_sqft", market.SalePerSqft)},
			percentiles("percentiles", market.SaleP10, market.SaleP25, market.SaleMedian, market.SaleP75, market.SaleP90),
		)...),
		object("asking_to_sales_price", member("median_difference", market.MedianDifference),
			member("median_percent_difference", market.MedianPercentDifference)),
		[]step{
			member("percent_sold_above_asking", market.SoldAbove), member("percent_sold_below_asking", market.SoldBelow),
			member("median_construction_year", market.MedianYearBuilt), member("median_size_sqft", market.SoldMedianSize),
			member("absorption_rate", market.Absorption), member("total_sales_volume", market.Volume),
			member("median_days_on_market", market.SoldMedianDaysOnMarket), member("median_days_to_sell", market.DaysToSellMedian),
		},
		percentiles("days_to_sell_percentiles", market.DaysToSellP10, market.DaysToSellP25, market.DaysToSellMedian, market.DaysToSellP75,
			market.DaysToSellP90),
		object("market_conditions", append(wordsOf("assessment", market.Assessment, len(Assessments)), member("qualifier", market.Qualifier))...),
	)...),
)

// Assessments are the words of the API for the values of market.Assessment.
var Assessments = [...]string{market.BuyersMarket: "buyers_market", market.NeutralMarket: "neutral_market",
	market.SellersMarket: "sellers_market"}

// noneMembers are the members of a cell without anything to count.
const noneMembers = `,"point_in_time":{"active_listings_count":0,"pending_listings_count":0,"under_contract_listings_count":0},` +
	`"interval_wide":{"homes_sold_count":0,"new_listings_count":0}}`
