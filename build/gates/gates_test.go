package gates

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quartier/build/compare"
	"quartier/schemas"
)

func known(v float64) sql.NullFloat64 { return sql.NullFloat64{Float64: v, Valid: true} }

// calm is a comparison of releases that hardly differ, with something for every gate.
func calm() *compare.Comparison {
	return &compare.Comparison{
		Levels: []compare.LevelSum{
			{Level: 10, Older: 2000, Newer: 2003, OlderPopulation: known(800000), NewerPopulation: known(804000)},
			{Level: 70, Older: 2, Newer: 2},
		},
		ChangedIDs: slices.Concat(changed(compare.Retired, 19), changed(compare.Replaced, 99), changed(compare.New, 400),
			changed(compare.Coarser, 100),
			[]compare.ChangedID{{Level: 70, GeogID: "g70_aaaaaaaaaa", Name: "Canada", Fate: compare.Replaced}}), // one of two: too few
		Coverage: []compare.Coverage{{Product: "scores", Level: 10, Older: 1900, Newer: 1899},
			{Product: "profiles", Level: 70, Older: 2, Newer: 2}, {Product: "market", Level: 10, Older: 40, Newer: 38}},
		Categories: []compare.POIChange{{Category: "cafes", Kept: 105, Removed: 9, Added: 12}, {Category: "casinos", Kept: 1, Removed: 4}},
		Brands:     []compare.CountChange{{ID: "b", Name: "Bean", Older: 12, Newer: 9}},
		Schools:    compare.POIChange{Kept: 200, Removed: 3, Added: 4},
		Scores: []compare.ScoreSpread{
			{Score: "parks", Older: compare.Spread{Known: 900, Median: 2.5}, Newer: compare.Spread{Known: 901, Median: 2.56}, Distance: 0.03},
			{Score: "quiet", Older: compare.Spread{Known: 10, Median: 1}, Newer: compare.Spread{Known: 11, Median: 4}, Distance: 0.9}, // too few
		},
		Sources: []compare.SourceChange{{Source: "r/osm", Older: compare.SourceRows{Read: 1000, Taken: 990, Rejected: 10},
			Newer: compare.SourceRows{Read: 1100, Taken: 1080, Rejected: 20}}},
		Texts:         compare.TextChange{Older: compare.TextRows{Written: 198, LeftOut: 2}, Newer: compare.TextRows{Written: 200, LeftOut: 6}},
		MarketMetrics: []compare.MarketChange{{Metric: "ask_median", Cells: 300, Shift: 0.02}, {Metric: "sale_median", Cells: 2, Shift: 0.9}},
	}
}

// changed are neighbourhoods with the same fate.
func changed(fate compare.Fate, n int) (list []compare.ChangedID) {
	for i := range n {
		list = append(list, compare.ChangedID{Level: 10, GeogID: fmt.Sprintf("g10_%d", i), Name: fmt.Sprintf("%s %d", fate, i), Fate: fate})
	}
	return list
}

func TestGatesTrip(t *testing.T) {
	if err := Judge(calm(), nil, nil).Err(); err != nil {
		t.Fatalf("nothing is wrong, and %v", err)
	}
	for want, damage := range map[string]func(*compare.Comparison){
		"lost_ids: 1, limit 0 (Pine (g10_cccccccccc))": func(c *compare.Comparison) {
			c.ChangedIDs = append(c.ChangedIDs, compare.ChangedID{Level: 10, GeogID: "g10_cccccccccc", Name: "Pine", Fate: compare.Lost})
		},
		"retired_ids.10: 1.1 %, limit 1.0 %: 2,000 → 2,003 (retired 0 (g10_0), retired 1 (g10_1), retired 2 (g10_2), retired 3 (g10_3), " +
			"retired 4 (g10_4) and 16 more)": func(c *compare.Comparison) {
			c.ChangedIDs = append(c.ChangedIDs, changed(compare.Retired, 2)...)
		},
		"replaced_ids.10: 5.1 %, limit 5.0 %: 2,000 → 2,003 (replaced 0 (g10_0), replaced 1 (g10_1), replaced 2 (g10_2), replaced 3 (g10_3), " +
			"replaced 4 (g10_4) and 96 more)": func(c *compare.Comparison) {
			c.ChangedIDs = append(c.ChangedIDs, changed(compare.Replaced, 2)...)
		},
		"replaced_ids.70: 100.0 %, limit 5.0 %: 2 → 2 (Canada (g70_aaaaaaaaaa), United States (g70_bbbbbbbbbb))": func(c *compare.Comparison) {
			c.ChangedIDs = append(c.ChangedIDs, compare.ChangedID{Level: 70, GeogID: "g70_bbbbbbbbbb", Name: "United States",
				Fate: compare.Replaced})
		},
		"new_ids.10: 20.1 %, limit 20.0 %: 2,000 → 2,003 (new 0 (g10_0), new 1 (g10_1), new 2 (g10_2), new 3 (g10_3), new 4 (g10_4) and 397 " +
			"more)": func(c *compare.Comparison) {
			c.ChangedIDs = append(c.ChangedIDs, changed(compare.New, 2)...)
		},
		"coarser_outlines.10: 5.1 %, limit 5.0 %: 2,000 → 2,003 (coarser 0 (g10_0), coarser 1 (g10_1), coarser 2 (g10_2), coarser 3 (g10_3), " +
			"coarser 4 (g10_4) and 97 more)": func(c *compare.Comparison) {
			c.ChangedIDs = append(c.ChangedIDs, changed(compare.Coarser, 2)...)
		},
		"coverage.scores.10: 25.7 %, limit 2.0 %: 1,900 → 1,412": func(c *compare.Comparison) {
			c.Coverage[0].Newer = 1412
		},
		"coverage.profiles.70: 100.0 %, limit 2.0 %: 2 → 0": func(c *compare.Comparison) {
			c.Coverage[1].Newer = 0
		},
		"coverage.market.10: 100.0 %, limit 2.0 %: 40 → 0": func(c *compare.Comparison) {
			c.Coverage[2].Newer = 0
		},
		"category.cafes: 53.8 %, limit 30.0 %: 114 → 247": func(c *compare.Comparison) {
			c.Categories[0].Added = 142
		},
		"category.casinos: 100.0 %, limit 30.0 %: 5 → 0": func(c *compare.Comparison) {
			c.Categories[1] = compare.POIChange{Category: "casinos", Removed: 5}
		},
		"brand.b: 58.3 %, limit 50.0 %: 12 → 5 (Bean)": func(c *compare.Comparison) {
			c.Brands[0].Newer = 5
		},
		"schools: 50.2 %, limit 10.0 %: 203 → 101": func(c *compare.Comparison) {
			c.Schools = compare.POIChange{Kept: 101, Removed: 102}
		},
		"score_spread.parks: 16.0 %, limit 15.0 %: median 2.50 of 900 → median 2.56 of 901": func(c *compare.Comparison) {
			c.Scores[0].Distance = 0.16
		},
		"score_median.parks: 0.50 points, limit 0.25 points: median 2.50 of 900 → median 2.00 of 901": func(c *compare.Comparison) {
			c.Scores[0].Newer.Median = 2
		},
		"population.10: 50.0 %, limit 5.0 %: 800,000 → 400,000": func(c *compare.Comparison) { c.Levels[0].NewerPopulation = known(400000) },
		"market.ask_median: 12.0 %, limit 10.0 %: -12.0 % (300 geographies and types of property)": func(c *compare.Comparison) {
			c.MarketMetrics[0].Shift = -0.12
		},
		"rows.r/osm: 50.0 %, limit 30.0 %: 990 → 495": func(c *compare.Comparison) { c.Sources[0].Newer.Taken = 495 },
		"rows.r/osm: 100.0 %, limit 30.0 %: 990 → 0": func(c *compare.Comparison) {
			c.Sources[0].Newer = compare.SourceRows{}
		},
		"rejected.r/osm: 4.0 %, limit 2.0 %: 10 of 1,000 → 55 of 1,100": func(c *compare.Comparison) { c.Sources[0].Newer.Rejected = 55 },
		"texts: 5.0 %, limit 1.0 %: 2 of 200 → 12 of 200": func(c *compare.Comparison) {
			c.Texts.Newer = compare.TextRows{Written: 188, LeftOut: 12}
		},
		"licences: 1, limit 0 (ODbL: © OpenStreetMap contributors)": func(c *compare.Comparison) {
			c.LicencesLost = []string{"ODbL: © OpenStreetMap contributors"}
		},
	} {
		c := calm()
		damage(c)
		verdicts := Judge(c, nil, nil)
		tripped := verdicts.Tripped()
		if len(tripped) != 1 || tripped[0].String() != want {
			var got []string
			for _, v := range tripped {
				got = append(got, v.String())
			}
			t.Errorf("%q\nwant %q", got, want)
			continue
		}
		gate := tripped[0].Gate
		id := gateID(gate)
		if err := verdicts.Err(); !errors.Is(err, ErrTripped) || !strings.Contains(err.Error(), "--accept '"+gate+"=REASON'") {
			t.Errorf("%s: %v", gate, err)
		}
		for _, name := range []string{gate, id} {
			if err := Judge(c, nil, []schemas.Acceptance{{Gate: name, Reason: "that is so"}}).Err(); err != nil {
				t.Errorf("accepted by %s: %v", name, err)
			}
			if err := Judge(c, []schemas.GateLimit{{Gate: name, Limit: 2}}, nil).Err(); err != nil {
				t.Errorf("with another limit of %s: %v", name, err)
			}
		}
		other := []schemas.Acceptance{{Gate: "schools", Reason: "x"}}
		if id == "schools" {
			other[0].Gate = "brand"
		}
		if Judge(c, nil, other).Err() == nil {
			t.Errorf("%s is accepted by another gate", gate)
		}
	}
}

func TestLimitsBySubject(t *testing.T) {
	limits := []schemas.GateLimit{{Gate: "category", Limit: 0.9}, {Gate: "category.cafes", Limit: 0.1}}
	for name, want := range map[string]float64{"category.cafes": 0.1, "category.banks": 0.9, "schools": 0.1, "licences": 0} {
		if got := schemas.LimitOf(name, limits); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for name, ok := range map[string]bool{"category": true, "category.cafes": true, "category.": false, "schools.10": false, "cafes": false,
		"": false} {
		if err := schemas.CheckGate(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestManyTrippedGates: the line that accepts many subjects of a gate names the gate once.
func TestManyTrippedGates(t *testing.T) {
	c := calm()
	for i := range 6 {
		c.Categories = append(c.Categories, compare.POIChange{Category: string(rune('a' + i)), Removed: 10})
	}
	err := Judge(c, nil, nil).Err()
	if err == nil || !strings.HasSuffix(err.Error(), "\nif this is right: --accept 'category=REASON'") ||
		strings.Count(err.Error(), "\n  category.") != 6 {
		t.Error(err)
	}
	var ids []string
	for _, v := range Judge(c, nil, nil) {
		if id := gateID(v.Gate); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for i, g := range schemas.Gates {
		if i >= len(ids) || ids[i] != g.ID {
			t.Errorf("order %v", ids)
			break
		}
	}
}
