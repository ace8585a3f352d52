package phrase

import (
	"math"
	"strconv"
)

// MetresPerMinute is the pace of a walk.
const MetresPerMinute = 80

// Minutes is the time of a walk in whole minutes, at least one.
func Minutes(metres float64) float64 { return max(1, math.Round(metres/MetresPerMinute)) }

// RoundTwo rounds a number from 100 on to two digits: 1,243 becomes 1,200.
func RoundTwo(n float64) float64 {
	if n < 100 {
		return math.Round(n)
	}
	unit := math.Pow(10, math.Floor(math.Log10(n))-1)
	return math.Round(n/unit) * unit
}

// Metres is a distance as it is written: below 950 m to 50 m, from there on in kilometres to 0.1.
func Metres(m float64) (n float64, kilometres bool) {
	if m < 975 {
		return max(50, 50*math.Round(m/50)), false
	}
	return math.Round(m/100) / 10, true
}

// Feet is a distance as it is written in the United States: below 950 feet to 50 feet, from there on in miles to 0.1.
func Feet(m float64) (n float64, miles bool) {
	const foot, mile = 0.3048, 1609.344
	if feet := m / foot; feet < 975 {
		return max(50, 50*math.Round(feet/50)), false
	}
	return math.Round(10*m/mile) / 10, true
}

// Extent is a size as it is written: to 0.1 below 10, whole from there on; at least 0.1.
func Extent(n float64) float64 {
	if n < 9.95 {
		return max(0.1, math.Round(10*n)/10)
	}
	return math.Round(n)
}

// SquareMiles and Acres are what square metres and hectares are in the United States.
const (
	SquareMile = 2589988.110336
	Acre       = 0.40468564224 // hectares
)

// Digits are the digits of a whole number from 0 to 999, which are the same in both languages; "" for other numbers.
func Digits(n float64) string {
	if n != math.Trunc(n) || n < 0 || n > 999 {
		return ""
	}
	return strconv.Itoa(int(n))
}
