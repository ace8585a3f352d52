package main

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/internal/testenv"
	"quartier/schemas/calibration"
)

// shareOf is a kind that a table counts in block groups, by key, and all that it counts.
type shareOf struct{ kind, all map[string]float64 }

// publishedShares are kinds of tables that are published for block groups: of Washington, New York, Oregon and
// Washington State.
func publishedShares(t *testing.T, data string) map[string][]shareOf {
	dc := func(table, column string) map[string]float64 {
		return estimatesOf(t, filepath.Join(data, "us-dc", "acs-2015", "ACS_15_5YR_"+table+"_with_ann.csv"), "GEO.id2", "HD01_VD"+column)
	}
	newYork := func(table, column string) map[string]float64 {
		return estimatesOf(t, filepath.Join(data, "us-newyork", "acs-2020", "ACSDT5Y2020."+table+"-Data.csv"), "GEO_ID", table+"_"+column+"E")
	}
	all := map[string][]shareOf{"tenure": {{dc("B25063", "01"), dc("B25002", "02")}}}
	for _, column := range []string{"02", "10", "19"} {
		all["commute_mode"] = append(all["commute_mode"], shareOf{dc("B08301", column), dc("B08301", "01")},
			shareOf{newYork("B08301", "0"+column), newYork("B08301", "001")})
	}
	for _, column := range []string{"002", "008"} {
		all["families"] = append(all["families"], shareOf{newYork("B11001", column), newYork("B11001", "001")})
	}
	for name, of := range map[string]struct {
		file, code string
		kinds      [][2]int
	}{
		"household_income": {"acs_household_income_2014_blkgrp.csv", "ABDOE", [][2]int{{2, 5}, {6, 10}, {11, 13}, {14, 17}}},
		"education":        {"acs_educational_attainment_2010_2014_blkgrp.csv", "ABC4E", [][2]int{{2, 16}, {17, 18}, {22, 22}, {23, 23}}},
	} {
		rows := table(t, filepath.Join(data, "us-portland", "acs", of.file))
		for _, kind := range of.kinds {
			one := shareOf{map[string]float64{}, map[string]float64{}}
			for _, row := range rows {
				key := row["STATEA"] + row["COUNTYA"] + row["TRACTA"] + row["BLKGRPA"]
				one.all[key] = number(t, row[of.code+"001"])
				for n := kind[0]; n <= kind[1]; n++ {
					one.kind[key] += number(t, row[fmt.Sprintf("%s%03d", of.code, n)])
				}
			}
			all[name] = append(all[name], one)
		}
	}
	return all
}

func estimatesOf(t *testing.T, path, key, column string) map[string]float64 {
	all := map[string]float64{}
	for id, f := range figuresOf(t, path, key, column, "") {
		all[id] = f.Estimate
	}
	return all
}

// TestIntervalsOfShares prints the variance of shares of block groups from those of their tracts over p(1 − p)(1 − w)/w, by
// the share w of the block group: it is the same for all. The constants of the calibration are near it: a little above for
// homes, of which only one city is known, below for others, because the intervals of the published figures cover the samples.
//
//	go test ./cmd/quartier -run Intervals -v
func TestIntervalsOfShares(t *testing.T) {
	all := publishedShares(t, testenv.NeedData(t, ""))
	parts := calibration.Standard().Demographics.Parts
	constants := map[string]float64{"tenure": parts.Homes, "household_income": parts.Households, "families": parts.Households,
		"education": parts.Persons, "commute_mode": parts.Persons}
	lines := []string{"shares of block groups, variance over p(1 − p)(1 − w)/w, and the same for w up to 0.2, 0.4, 0.6 and above; constant"}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		var sum, n float64
		var sums, ns [4]float64
		for _, of := range all[name] {
			kinds, totals := map[string]float64{}, map[string]float64{}
			for key, count := range of.all {
				kinds[key[:11]] += of.kind[key]
				totals[key[:11]] += count
			}
			for _, key := range slices.Sorted(maps.Keys(of.all)) {
				p, w := kinds[key[:11]]/totals[key[:11]], of.all[key]/totals[key[:11]]
				if of.all[key] < 20 || !(p > 0 && p < 1 && w < 1) {
					continue
				}
				v := math.Pow(of.kind[key]/of.all[key]-p, 2) / (p * (1 - p)) * w / (1 - w)
				at := min(int(w*5), 3)
				sum, n, sums[at], ns[at] = sum+v, n+1, sums[at]+v, ns[at]+1
			}
		}
		rho := sum / n
		lines = append(lines, fmt.Sprintf("%-16s %6.0f  %.3f  %.3f %.3f %.3f %.3f  %.3f", name, n, rho, sums[0]/ns[0], sums[1]/ns[1],
			sums[2]/ns[2], sums[3]/ns[3], constants[name]))
		if c := constants[name]; c < rho/1.6 || c > rho*1.6 {
			t.Errorf("%s: the constant is %.3f, the variance %.3f", name, c, rho)
		}
	}
	t.Log("\n" + strings.Join(lines, "\n"))
}
