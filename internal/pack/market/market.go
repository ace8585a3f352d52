// Package market is the packed table of market statistics: the build writes it, the server appends the JSON of cells from
// it. A cell is the statistics of a geography, type of property and interval; most have none.
//
// The sections of n geographies, those of geographies.pack in its order:
//
//	market.metric   uint8 × 32         SHA-256 of the names of metrics, members, types and intervals, in their order
//	market.day      int64 × 1          day of the data, days since 1970-01-01; the intervals follow from it
//	market.zone     texts              names of time zones, sorted
//	market.zone.of  uint8 × n          index of the geography's zone; 255: none
//	market.closed   lists of uint8 × n cells of the geography in months and quarters; empty if it has none
//	market.moving   lists of uint8 × n those in the intervals that move with the day
//	market.state    texts              states with listings, "US_OR", sorted
//
// A cell depends on its numbers alone and not on others, so that the list of a geography is copied from the table of the day
// before where nothing changed. A list, integers being little-endian:
//
//	0   2     bit t is set if it has cells of type t
//	    for each of these types:
//	    b     bit i is set if it has a cell of the i-th of these intervals; 10 bytes of closed ones, 1 of those that move
//	    2 …   where each of these cells ends, from the first one's beginning
//	          for each of these intervals:
//	          4    CRC-32C of what follows
//	          8    set of members of the JSON: bit k is set if member k is present, bit 63 if nothing is active at the end or
//	               nothing sold
//	          ½ …  lengths of the numbers of the set in the order of the JSON, four bits each, the lower ones first;
//	               that of a word is 0, and the median has one number for both of its members
//	          …    the numbers as the JSON has them
//	    16    zeros
//
// A cell with one active listing, its age of 3.5 days and nothing else but counts has, after its checksum and its set, the
// lengths 11 31 11 and the text 1003.500: eleven bytes.
package market

import (
	"fmt"
	"slices"

	"quartier/schemas/market"
)

// IntervalCount is the number of intervals of a day.
var IntervalCount = len(market.Intervals(0))

// part is the intervals from first to before end, of which a list has the cells.
type part struct {
	name       string // of the section
	first, end int
}

// parts are closed and moving intervals.
var parts = func() [2]part {
	first := slices.IndexFunc(market.Intervals(0), func(i market.Interval) bool { return i.Closed })
	return [2]part{closed: {"market.closed", first, IntervalCount}, moving: {"market.moving", 0, first}}
}()

const (
	closed = iota
	moving
)

// bitBytes is the length of a bit for each interval.
func (p *part) bitBytes() int { return (p.end - p.first + 7) / 8 }

const (
	noZone    = 255
	typeBytes = 2
	endBytes  = 2
	sumBytes  = 4
	setBytes  = 8
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
	for _, s := range members {
		all = append(all, s.json())
	}
	all = append(all, market.TypeNames()...)
	for _, i := range market.Intervals(0) {
		all = append(all, i.Code)
	}
	return all
}
