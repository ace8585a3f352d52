package market

import (
	"encoding/binary"
	"fmt"
	"slices"

	"quartier/schemas/market"
)

// step is a piece of the JSON of a cell: a member, or the beginning or end of an object.
type step struct {
	text   [textBytes]byte // `,"min":` of a member, `,"asking_price":` of an object, then anything
	length uint8           // of the text; at the end of an object that of its beginning
	metric market.Metric
	kind   kind
}

// textBytes is the size of texts, which are copied as a whole: that takes a fraction of the time of a copy of their length.
const textBytes = 40

type kind uint8

const (
	whole  kind = iota // a member that is a whole number
	tenths             // one with one decimal
	fine               // one with up to four decimals
	cents              // one with two decimals
	word               // the assessment
	open
	shut
)

func text(name string) (s step) {
	s.length = uint8(copy(s.text[:], `,"`+name+`":`))
	return s
}

func member(name string, m market.Metric) step {
	s := text(name)
	s.metric = m
	switch {
	case m == market.Assessment:
		s.kind = word
	case m.Decimals() == 1:
		s.kind = tenths
	case m.Decimals() == 2:
		s.kind = cents
	case m.Decimals() == 4:
		s.kind = fine
	}
	return s
}

// object is an object with steps. Every member begins with a comma, the first one's is replaced by a brace.
func object(name string, steps ...step) []step {
	head := text(name)
	head.kind = open
	return append(append([]step{head}, steps...), step{kind: shut, length: head.length})
}

// percentiles are five metrics that follow each other except for the middle one.
func percentiles(name string, p10, p25, p50, p75, p90 market.Metric) []step {
	return object(name, member("10", p10), member("25", p25), member("50", p50), member("75", p75), member("90", p90))
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
			member("active_listings_count", market.Active), member("pending_listings_count", market.Pending), member("under_contract_listings_count", market.UnderContract),
			member("active_listings_median_age_days", market.ActiveMedianAge), member("active_listings_median_size_sqft", market.ActiveMedianSize),
		},
		object("asking_price", join(
			[]step{member("min", market.AskMin), member("median", market.AskMedian), member("max", market.AskMax), member("median_per_sqft", market.AskPerSqft)},
			percentiles("percentiles", market.AskP10, market.AskP25, market.AskMedian, market.AskP75, market.AskP90),
		)...),
		[]step{member("median_days_on_market", market.DaysOnMarketMedian)},
		percentiles("days_on_market_percentiles", market.DaysOnMarketP10, market.DaysOnMarketP25, market.DaysOnMarketMedian, market.DaysOnMarketP75, market.DaysOnMarketP90),
	)...),
	object("interval_wide", join(
		[]step{member("homes_sold_count", market.Sold), member("new_listings_count", market.New)},
		object("sales_price", join(
			[]step{member("min", market.SaleMin), member("median", market.SaleMedian), member("max", market.SaleMax), member("median_per_sqft", market.SalePerSqft)},
			percentiles("percentiles", market.SaleP10, market.SaleP25, market.SaleMedian, market.SaleP75, market.SaleP90),
		)...),
		object("asking_to_sales_price", member("median_difference", market.MedianDifference), member("median_percent_difference", market.MedianPercentDifference)),
		[]step{
			member("percent_sold_above_asking", market.SoldAbove), member("percent_sold_below_asking", market.SoldBelow),
			member("median_construction_year", market.MedianYearBuilt), member("median_size_sqft", market.SoldMedianSize),
			member("absorption_rate", market.Absorption), member("total_sales_volume", market.Volume),
			member("median_days_on_market", market.SoldMedianDaysOnMarket), member("median_days_to_sell", market.DaysToSellMedian),
		},
		percentiles("days_to_sell_percentiles", market.DaysToSellP10, market.DaysToSellP25, market.DaysToSellMedian, market.DaysToSellP75, market.DaysToSellP90),
		object("market_conditions", member("assessment", market.Assessment), member("qualifier", market.Qualifier)),
	)...),
)

// Assessments are the words of the API for the values of market.Assessment.
var Assessments = [...]string{market.BuyersMarket: "buyers_market", market.NeutralMarket: "neutral_market", market.SellersMarket: "sellers_market"}

// noneMembers are the members of a cell without anything to count.
const noneMembers = `,"point_in_time":{"active_listings_count":0,"pending_listings_count":0,"under_contract_listings_count":0},"interval_wide":{"homes_sold_count":0,"new_listings_count":0}}`

// Append appends the code of an interval and its schemas.MarketPeriods to dst. missing reports that nothing was active at
// its end, or nothing sold in it. A geography without a time zone has no intervals, so that nothing is appended.
func (r *Row) Append(dst []byte, interval int) (_ []byte, missing bool) {
	if r.heads == nil {
		return dst, true
	}
	dst = append(dst, r.heads[interval]...)
	var values market.Values
	mask, ok := r.values(interval, &values)
	if !ok {
		return append(dst, noneMembers...), true
	}
	return append(appendCell(dst, mask, &values), '}'), values[market.Active] == 0 || values[market.Sold] == 0
}

// cellBytes is more than the JSON of a cell without its period takes.
const cellBytes = 4 << 10

// appendCell appends the members of a cell, each with a comma before it.
func appendCell(dst []byte, mask uint64, values *market.Values) []byte {
	dst = slices.Grow(dst, cellBytes)
	out := dst[len(dst):][:cellBytes]
	var begun [4]int // where the members of the open objects begin
	n, depth := 0, 0
	for i := range steps {
		s := &steps[i]
		switch {
		case s.kind == open:
			*(*[textBytes]byte)(out[n:]) = s.text
			n += int(s.length)
			begun[depth] = n
			depth++
		case s.kind == shut:
			depth--
			if first := begun[depth]; first == n {
				n -= int(s.length)
			} else {
				out[first] = '{'
				out[n] = '}'
				n++
			}
		case mask&(1<<s.metric) != 0:
			*(*[textBytes]byte)(out[n:]) = s.text
			n = putNumber(out, n+int(s.length), s.kind, values[s.metric])
		}
	}
	return dst[:len(dst)+n]
}

// putNumber writes a metric at n as encoding/json does its value, and returns where it ends.
func putNumber(out []byte, n int, k kind, v int64) int {
	if k == word {
		out[n] = '"'
		n += 1 + copy(out[n+1:], Assessments[v])
		out[n] = '"'
		return n + 1
	}
	abs := uint64(v)
	if v < 0 {
		out[n] = '-'
		n, abs = n+1, -abs
	}
	switch k {
	case tenths:
		n = putWhole(out, n, abs/10)
		if rest := abs % 10; rest != 0 {
			out[n], out[n+1] = '.', byte('0'+rest)
			n += 2
		}
		return n
	case cents:
		return putFraction(out, putWhole(out, n, abs/100), abs%100*100)
	case fine:
		return putFraction(out, putWhole(out, n, abs/10000), abs%10000)
	}
	return putWhole(out, n, abs)
}

// putFraction writes a fraction in ten-thousandths without zeros at its end: 1200 is .12, 0 is nothing.
func putFraction(out []byte, n int, rest uint64) int {
	if rest == 0 {
		return n
	}
	out[n] = '.'
	binary.LittleEndian.PutUint32(out[n+1:], fours[rest])
	n += 5
	for out[n-1] == '0' {
		n--
	}
	return n
}

// fours are the four digits of the numbers below 10,000 in the order of memory, with zeros before them.
var fours = func() (all [10000]uint32) {
	for i := range all {
		all[i] = binary.LittleEndian.Uint32(fmt.Appendf(nil, "%04d", i))
	}
	return all
}()

// putWhole writes a whole number, four digits at a time.
func putWhole(out []byte, n int, v uint64) int {
	switch {
	case v < 10:
		out[n] = byte('0' + v)
		return n + 1
	case v < 10000:
		zeros := 0
		switch {
		case v < 100:
			zeros = 2
		case v < 1000:
			zeros = 1
		}
		binary.LittleEndian.PutUint32(out[n:], fours[v]>>(8*zeros))
		return n + 4 - zeros
	}
	n = putWhole(out, n, v/10000)
	binary.LittleEndian.PutUint32(out[n:], fours[v%10000])
	return n + 4
}
