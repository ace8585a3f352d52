// Package people is the packed table of the variables of geographies: the build writes it, the server answers from it.
//
// What goes in, through a Writer: geographies with their variables in the order of
// demographics.Flat(demographics.ByGeography), the limits of their 90 % confidence intervals, country and vintage. What
// comes out: a Table over the mapped file that finds a geography by its id and reads its variables as whole numbers.
//
// Every geography has a record of the same width, whatever it lacks: a number of its country and vintage, then value,
// lower and upper limit of every variable, times ten to the power of its decimals.
package people

import (
	"fmt"
	"math"

	"quartier/schemas/demographics"
)

// Absent stands for a number that is not known.
const Absent = math.MaxUint32

// Value is a variable of a geography.
type Value struct {
	Value, Lower, Upper float64 // Lower and Upper bound the 90 % confidence interval where Interval
	Interval, Present   bool
}

// Geography is what is known of the people of a geography.
type Geography struct {
	ID      string  // geog_id
	Country string  // 'CA' or 'US'
	Vintage string  // of its figures: '2019-2023', '2021'
	Values  []Value // in the order of demographics.Flat(demographics.ByGeography)
}

// countries by their number in a record.
var countries = [...]string{"CA", "US"}

// flat are the variables in the order of the records, and width is the numbers of one.
var (
	flat  = demographics.Flat(demographics.ByGeography)
	width = 1 + 3*len(flat)
)

// Variables is the number of variables of a geography.
func Variables() int { return len(flat) }

// variable is the variable at a place.
func variable(place int) *demographics.Variable {
	at := flat[place]
	return &demographics.ByGeography[at.Category].Variables[at.Variable]
}

// has reports whether a country has the variable at a place.
func has(place int, country string) bool {
	return demographics.ByGeography[flat[place].Category].Has(country) && variable(place).Has(country)
}

// words say by which variables a file is laid out.
func words() []string {
	words := make([]string, len(flat))
	for place, at := range flat {
		v := variable(place)
		words[place] = fmt.Sprintf("%s/%s to %d decimals", demographics.ByGeography[at.Category].ID, v.ID, v.Decimals())
	}
	return words
}

// idChars is the length of a geog_id: 'g', two digits of its level, '_' and ten characters.
const idChars = 14

// idNumber is a geog_id as a number, in the same order; false where it is none.
func idNumber(id string) (uint64, bool) {
	if len(id) != idChars || id[0] != 'g' || id[3] != '_' {
		return 0, false
	}
	number := uint64(0)
	for i := 1; i < idChars; i++ {
		if i == 3 {
			continue
		}
		c, digit := id[i], uint64(0)
		switch {
		case c >= '0' && c <= '9':
			digit = uint64(c - '0')
		case c >= 'a' && c <= 'z' && i > 3:
			digit = uint64(c-'a') + 10
		default:
			return 0, false
		}
		number = number*36 + digit
	}
	return number, true
}
