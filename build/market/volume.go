package market

import (
	"cmp"
	"slices"

	"quartier/schemas"
	"quartier/schemas/market"
)

// volume is the files of some intervals: those that move with the day, or the closed ones of a year.
type volume struct {
	year      int   // 0: those that move
	intervals []int // in the order of their rows
}

// volumesOf are the volumes of the intervals of a day, in the order of their rows.
func volumesOf(intervals []market.Interval) (list []volume) {
	for _, year := range append(market.Years(intervals), 0) {
		v := volume{year: year}
		for n, i := range intervals {
			if i.Year() == year {
				v.intervals = append(v.intervals, n)
			}
		}
		slices.SortFunc(v.intervals, func(a, b int) int {
			return cmp.Compare(firstRow(a, intervals[a]), firstRow(b, intervals[b]))
		})
		list = append(list, v)
	}
	return list
}

// name is the file of the volume for market.pack, market.sqlite or market.parquet.
func (v *volume) name(of string) string { return schemas.MarketYear(of, v.year) }

// yearFiles are the files of a year.
func yearFiles(year int) []string {
	return []string{schemas.MarketYear(schemas.MarketPack, year), schemas.MarketYear(schemas.MarketFile, year),
		schemas.MarketYear(schemas.MarketParquet, year)}
}
