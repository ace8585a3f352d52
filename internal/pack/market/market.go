// Package market is the packed table of market statistics: the build writes it, the server appends the JSON of cells from
// it. A cell is the statistics of a geography, type of property and interval; most have none.
//
// The sections of n geographies, those of geographies.pack in its order:
//
//	market.metric   uint8 × 32         SHA-256 of the names of metrics, types and intervals, in their order
//	market.day      int64 × 1          day of the data, days since 1970-01-01; the intervals follow from it
//	market.zone     texts              names of time zones, sorted
//	market.zone.of  uint8 × n          index of the geography's zone; 255: none
//	market.mask     uint64             sets of metrics that cells have: bit m is set if metric m is present
//	market.cells    lists of uint8 × n cells of the geography; empty if it has none
//	market.state    texts              states with listings, "US_OR", sorted
//
// The cells of a geography:
//
//	0   2     bit t is set if it has cells of type t; little-endian
//	    for each of these types:
//	    11    bit i is set if it has a cell of interval i; little-endian
//	    v     bytes of the cells that follow
//	          for each of these intervals:
//	          v    bytes of the cell
//	          v    index of its set of metrics
//	          v …  the metrics of the set in their order, as integers with Metric.Decimals
//
// v is an unsigned varint; metrics that can be negative are zigzag varints. A cell with one active listing, its age of 3.5
// days and nothing else but counts is 07 00 01 00 00 23 00 00 if that set of metrics is the first: seven bytes, set 0, one
// active, none pending, none under contract, 35 tenths of days, none sold, none new.
package market

import (
	"fmt"

	"quartier/schemas/market"
)

// IntervalCount is the number of intervals of a day.
var IntervalCount = len(market.Intervals(0))

const (
	noZone        = 255
	typeBytes     = 2
	intervalBytes = 11 // for up to 88 intervals
)

// counts are the metrics that are never absent.
var counts = []market.Metric{market.Active, market.Pending, market.UnderContract, market.Sold, market.New}

// signed reports whether a metric can be negative.
func signed(m market.Metric) bool {
	return m == market.MedianDifference || m == market.MedianPercentDifference || m == market.Qualifier
}

// words are the names whose numbers are in the pack.
func words() []string {
	var all []string
	for m := range market.MetricCount {
		all = append(all, fmt.Sprintf("%s to %d decimals", m, m.Decimals()))
	}
	all = append(all, market.TypeNames()...)
	for _, i := range market.Intervals(0) {
		all = append(all, i.Code)
	}
	return all
}
