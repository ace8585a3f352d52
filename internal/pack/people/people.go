// Package people is the packed table of the demographic variables of geographies: the build writes it, the server finds a
// geography by its id and reads its variables with the limits of their 90 % confidence intervals.
//
// Every geography has a record of the same width. The sections of n geographies, v variables being those of
// demographics.Flat(demographics.ByGeography):
//
//	people.variable  uint8 × 32         SHA-256 of the names of the variables, in their order
//	people.id        uint64 × n         geog_ids as numbers in base 36 without g and _, ascending
//	people.record    uint32 × n·(2+3v)  records
//	people.vintage   texts              vintages: "2019-2023", "2021" …, and of categories: "2019-2023, 2021;income=2019-2023;age=2021"
//
// A record:
//
//	0        2·(index of the vintage) + (0: Canada, 1: United States)
//	1        share of the ground that small areas cover, in ten-thousandths, where figures are sums over them and it is not complete
//	2+3i     value of variable i, times 10 to the power of its decimals
//	3+3i     lower limit of its interval
//	4+3i     upper limit
//
// A value that is a bound has itself as its only limit: as the lower one if the median is that or more.
//
// 4,294,967,295 is a number that is not known. A published US geography of the first vintage with 41.5 % renters (0.4 to
// 0.43) as variable 0 with four decimals and an unknown variable 1 begins with 1, Absent, 4150, 4000, 4300, Absent, Absent,
// Absent.
package people

import (
	"fmt"
	"math"

	"quartier/schemas/demographics"
)

// Absent represents a number that is not known.
const Absent = math.MaxUint32

// Value is a variable of a geography.
type Value struct {
	Value, Lower, Upper float64 // Lower and Upper are the 90 % confidence interval, if Interval
	Interval, Present   bool
	Open                demographics.OpenEnd // Value is a bound, without an interval
}

// Geography is the variables of a geography.
type Geography struct {
	ID      string  // geog_id
	Country string  // 'CA' or 'US'
	Vintage string  // of its figures: '2019-2023', '2021'
	Values  []Value // in the order of demographics.Flat(demographics.ByGeography)

	Coverage *float64 // share of the ground that small areas cover, 0 to 1; nil where it is complete or no figure is a sum over them

	Vintages string // of its categories: 'commute_mode=2011-2015;income=2014-2018'; "" where these do not differ
}

// header is the numbers of a record before its variables.
const header = 2

// countries by their number in a record.
var countries = [...]string{"CA", "US"}

// flat is the variables in the order of the records, width the numbers of a record.
var (
	flat  = demographics.Flat(demographics.ByGeography)
	width = header + 3*len(flat)
)

// Variables is the number of variables of a geography.
func Variables() int { return len(flat) }

// variable is the variable with an index.
func variable(place int) *demographics.Variable {
	at := flat[place]
	return &demographics.ByGeography[at.Category].Variables[at.Variable]
}

// has reports whether a country publishes the variable with an index.
func has(place int, country string) bool {
	return demographics.ByGeography[flat[place].Category].Has(country) && variable(place).Has(country)
}

// words are the names of the columns of a record.
func words() []string {
	words := make([]string, len(flat))
	for place, at := range flat {
		v := variable(place)
		words[place] = fmt.Sprintf("%s/%s to %d decimals", demographics.ByGeography[at.Category].ID, v.ID, v.Decimals())
	}
	return words
}
