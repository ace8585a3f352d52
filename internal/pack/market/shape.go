package market

import (
	"quartier/schemas/column"
	"quartier/schemas/market"
)

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

// json is the text before the number of a member, or the whole of a word.
func (s *step) json() string {
	text := `"` + s.name + `":`
	if s.kind == word {
		text += `"` + Assessments[s.value] + `"`
	}
	return text
}

// steps are a schemas.MarketPeriods without its period. Of the words of the assessment a cell has at most one.
var steps = func() (all []step) {
	for _, m := range column.MarketMembers() {
		switch {
		case m.Object && m.Name == "":
			all = append(all, step{kind: shut})
		case m.Object:
			all = append(all, step{name: m.Name, kind: open})
		case m.Again:
			all = append(all, step{name: m.Name, kind: again, metric: m.Metric})
		case m.Metric == market.Assessment:
			for value := range Assessments {
				all = append(all, step{name: m.Name, kind: word, metric: m.Metric, value: int64(value)})
			}
		default:
			all = append(all, step{name: m.Name, metric: m.Metric})
		}
	}
	return all
}()

// Assessments are the words of the API for the values of market.Assessment.
var Assessments = [...]string{market.BuyersMarket: "buyers_market", market.NeutralMarket: "neutral_market",
	market.SellersMarket: "sellers_market"}

// noneMembers are the members of a cell without anything to count.
const noneMembers = `,"point_in_time":{"active_listings_count":0,"pending_listings_count":0,"under_contract_listings_count":0},` +
	`"interval_wide":{"homes_sold_count":0,"new_listings_count":0}}`
