// Package market is the packed table of market statistics: the build writes it, the server appends the JSON of cells from
// it. A cell is the statistics of a geography, type of property and interval; most have none.
//
// It is a file of the intervals that move with the day, and one for each year of the closed months and quarters of that year,
// which is the same from day to day where none of its cells changed. The sections of n geographies, those of geographies.pack
// in its order:
//
//	market.metric   uint8 × 32         SHA-256 of the names of metrics, members, types and intervals, in their order
//	market.cells    lists of uint8 × n cells of the geography; empty if it has none
//
// and of the intervals that move:
//
//	market.day      int64 × 1          day of the data, days since 1970-01-01; the intervals follow from it
//	market.zone     texts              names of time zones, sorted
//	market.zone.of  uint8 × n          index of the geography's zone; 255: none
//	market.state    texts              states with listings, "US_OR", sorted
//
// and of a year:
//
//	market.year     int64 × 1          the year
//	market.count    int64 × 1          number of its cells
//
// A cell depends on its numbers alone and not on others, so that the list of a geography is copied from the table of the day
// before where nothing of its year changed. A list, integers being little-endian:
//
//	0   2     bit t is set if it has cells of type t
//	    for each of these types:
//	    2     bit i is set if it has a cell of the i-th of these intervals: those that move in their order; of a year the months,
//	          then the quarters
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

// maxParts is the number of parts of the intervals of a day: 60 months are of six years at most.
const maxParts = 7

// part is the intervals of a file.
type part struct {
	year      int   // 0: those that move
	intervals []int // by the number of their bit; none where the day does not have it
}

// none is in place of an interval.
const none = -1

// place is where the cells of an interval are.
type place struct{ part, bit int }

// partsOf are the parts of the intervals of a day, that of those that move first, then by year; and where each interval is.
func partsOf(intervals []market.Interval) (parts []part, places []place) {
	years := append([]int{0}, market.Years(intervals)...)
	for _, year := range years {
		parts = append(parts, part{year: year})
	}
	for n, i := range intervals {
		at := place{slices.Index(years, i.Year()), n}
		if _, month, _ := i.First.Date(); i.Closed {
			at.bit = int(month) - 1
			if i.Last-i.First > 31 {
				at.bit = 12 + at.bit/3
			}
		}
		p := &parts[at.part]
		for len(p.intervals) <= at.bit {
			p.intervals = append(p.intervals, none)
		}
		p.intervals[at.bit] = n
		places = append(places, at)
	}
	return parts, places
}

const (
	noZone    = 255
	typeBytes = 2
	bitBytes  = 2
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
