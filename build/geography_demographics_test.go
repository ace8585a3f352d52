package build

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"quartier/build/compare"
	"quartier/build/released"
	"quartier/build/verify"
	"quartier/internal/pack"
	"quartier/internal/pack/people"
	"quartier/schemas"
	"quartier/schemas/demographics"
)

// valuesOf returns the values of a variable as "key value lower–upper", with "old key" for superseded geographies.
func valuesOf(t *testing.T, o Options, variable string) []string {
	t.Helper()
	db := openBoth(t, filepath.Join(o.Out, schemas.GeographiesFile), filepath.Join(o.Out, schemas.DemographicsFile))
	list, err := released.Values[string](context.Background(), db, fmt.Sprintf(`SELECT g.source_key || ' ' || v.value || ' ' || ifnull(v.lower || '–' || v.upper, '–') || CASE v.open_end WHEN 'upper' THEN ' or more' WHEN 'lower' THEN ' or less' ELSE '' END
		FROM newer.geography_variable AS v JOIN (SELECT geog_id, source_key FROM older.geography UNION ALL
		SELECT geog_id, 'old ' || source_key FROM older.geography_superseded) AS g USING (geog_id) WHERE v.variable = '%s' ORDER BY 1`, variable))
	must(t, err)
	return list
}

// indexOf returns the index of a variable among those of geographies.
func indexOf(variable string) int {
	return slices.IndexFunc(demographics.Flat(demographics.ByGeography), func(at demographics.Place) bool {
		return demographics.ByGeography[at.Category].Variables[at.Variable].ID == variable
	})
}

func TestGeographiesAreSumsOfSmallAreas(t *testing.T) {
	m, o := built(t, "", peopled())
	_, err := verify.Release(context.Background(), o.Out, "")
	must(t, err)
	if m.Counts.DescribedGeographies != 4 {
		t.Errorf("counts %+v", m.Counts)
	}
	for variable, want := range map[string][]string{
		// Dover is three block groups, and its halves add up to it. The counts of blocks have no margins of error.
		"total_individuals": {"m:dover 700.0 –", "n:east 200.0 –", "n:west 500.0 –", "p:dover 700.0 –"},
		// Dover: √(16² + 8² + 7²) around 160 + 80 + 40. West Dover is 160 + ½ 80, where a block is cut: Wilson's interval of ½ with
		// a deviation of 0.3 · ½ is 0.279 to 0.721, and with empty parts it begins at 0.223. √(16² + (½ 8)² + (0.277 · 80)²) below
		// and √(16² + (½ 8)² + (0.221 · 80)²) above.
		"property_tenure_total": {"m:dover 280.0 261.0–299.0", "n:east 80.0 56.0–99.0", "n:west 200.0 172.0–224.0", "p:dover 280.0 261.0–299.0"},
		// Dover: 200 of 280, √(12² + 10² + 11² − (200/280)² (16² + 8² + 7²)) / 280 on either side. West Dover: all
		// households of the area that is cut own their homes. The published margins are √(12² + (½ 10)² + 0.8² (16² + (½ 8)²)) / 200 =
		// 0.093, and how much of the area counts adds √(1 − 0.8²) · 80 · √((0.277² + 0.221²) / 2) / 200 = 0.060.
		"prop_owner": {"m:dover 0.7143 0.6668–0.7618", "n:east 0.5 0.2405–0.7595", "n:west 0.8 0.6896–0.9104",
			"p:dover 0.7143 0.6668–0.7618"},
		"housing_affordability_index": nil,
	} {
		if got := valuesOf(t, o, variable); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", variable, got, want)
		}
	}
	if got := rows(t, o, schemas.DemographicsFile, "SELECT DISTINCT vintage FROM geography_vintage"); !slices.Equal(got,
		[]string{"2019-2023"}) {
		t.Errorf("vintages %q", got)
	}
}

func TestPublishedFiguresReplaceSums(t *testing.T) {
	r := peopled()
	r.people.published = []testPublished{
		{"p:dover", "2021", testFigure{"tenure.total", 290, 5, ""}},
		{"p:dover", "2021", testFigure{"tenure.owner", 190, 9, ""}},
		{"p:dover", "2021", testFigure{"tenure.renter", 100, 8, ""}},
		{"z:far", "2021", testFigure{"population.total", 30, 3, ""}},
		{"z:none", "2021", testFigure{"population.total", 0.4, 3, ""}},
		{"n:ghost", "2021", testFigure{"population.total", 30, 3, ""}}, // not a geography
	}
	r.places = append(r.places,
		testPlace{key: "z:far", level: schemas.PostalArea, west: -75.1, south: 38.1, east: -75, north: 38.2},
		testPlace{key: "z:none", level: schemas.PostalArea, west: -75.3, south: 38.1, east: -75.2, north: 38.2},
		testPlace{key: "z:empty", level: schemas.PostalArea, west: -75.6, south: 38.1, east: -75.5, north: 38.2})
	second := testRegion{name: "us-second", extent: true, people: &testPeople{published: []testPublished{
		{"p:dover", "2022", testFigure{"tenure.total", 999, 1, ""}},      // the first region has this table
		{"p:dover", "2022", testFigure{"households.total", 300, 10, ""}}, // and not this one
	}}}
	m, o := built(t, "", r, second)
	_, err := verify.Release(context.Background(), o.Out, "")
	must(t, err)
	for variable, want := range map[string][]string{
		"total_individuals":     {"m:dover 700.0 –", "n:east 200.0 –", "n:west 500.0 –", "p:dover 700.0 –", "z:far 30.0 27.0–33.0"},
		"property_tenure_total": {"m:dover 280.0 261.0–299.0", "n:east 80.0 56.0–99.0", "n:west 200.0 172.0–224.0", "p:dover 290.0 285.0–295.0"},
		"households_total":      {"p:dover 300.0 290.0–310.0"},
	} {
		if got := valuesOf(t, o, variable); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", variable, got, want)
		}
	}
	want := []string{"2019-2023", "2019-2023, 2022, 2021", "2021"}
	if got := rows(t, o, schemas.DemographicsFile, "SELECT DISTINCT vintage FROM geography_vintage ORDER BY 1"); !slices.Equal(got, want) {
		t.Errorf("vintages %q", got)
	}
	if m.Counts.DescribedGeographies != 5 {
		t.Errorf("counts %+v", m.Counts)
	}
}

// Of a county that small areas cover to nine tenths there are counts, to a half shares, and of less nothing. Ground ends with
// the state at 75 degrees west.
func TestSumsNeedCoverage(t *testing.T) {
	r := peopled()
	r.places = append(r.places,
		testPlace{key: "k:wide", level: schemas.County, west: -75.55, south: 39.1, east: -74.9, north: 39.2},
		testPlace{key: "k:published", level: schemas.County, west: -75.55, south: 39.1, east: -74.8, north: 39.2},
		testPlace{key: "k:half", level: schemas.County, west: -75.6, south: 39.1, east: -75.1, north: 39.2},
		testPlace{key: "k:most", level: schemas.County, west: -75.6, south: 39.1, east: -75.28, north: 39.2})
	r.people.published = []testPublished{{"k:published", "2019-2023", testFigure{"households.total", 50, 5, ""}}}
	m, o := built(t, "", r)
	_, err := verify.Release(context.Background(), o.Out, "")
	must(t, err)
	if got, want := valuesOf(t, o, "total_individuals"), []string{"k:most 700.0 –", "m:dover 700.0 –", "n:east 200.0 –", "n:west 500.0 –",
		"p:dover 700.0 –"}; !slices.Equal(got, want) {
		t.Errorf("people %q, want %q", got, want)
	}
	if got := valuesOf(t, o, "prop_renter"); len(got) != 6 ||
		!slices.ContainsFunc(got, func(v string) bool { return strings.HasPrefix(v, "k:half 0.2857") }) {
		t.Errorf("renters %q", got)
	}
	covered := rows(t, o, schemas.DemographicsFile, "SELECT round(coverage, 4) FROM geography_coverage ORDER BY 1")
	if want := []string{"0.6", "0.9375"}; !slices.Equal(covered, want) {
		t.Errorf("coverage %q, want %q", covered, want)
	}
	if got := valuesOf(t, o, "households_total"); !slices.Equal(got, []string{"k:published 50.0 45.0–55.0"}) {
		t.Errorf("households %q", got)
	}
	if notes := strings.Join(m.Notes, "\n"); !strings.Contains(notes,
		"because the small areas of the release cover only part of them: 2 of level 37") {
		t.Errorf("notes:\n%s", notes)
	}
}

func TestGISReadsTheSmallAreas(t *testing.T) {
	_, o := built(t, "", peopled())
	path := filepath.Join(o.Out, schemas.DemographicsFile)
	for _, tt := range []struct{ query, want string }{
		{"SELECT CheckSpatialMetaData(), CheckSpatialIndex('small_area_part', 'geometry')", "3|1"},
		{"SELECT min(ST_IsValid(geometry)), min(ST_SRID(geometry)), min(ST_GeometryType(geometry)), round(sum(ST_Area(geometry)), 3) FROM " +
			"small_area_part", "1|4326|MULTIPOLYGON|0.2"},
	} {
		out := tool(t, "spatialite", "-silent", "-bail", path, tt.query+";")
		if got := strings.TrimSpace(out); got != tt.want {
			t.Errorf("%s\n%q, want %q", tt.query, got, tt.want)
		}
	}
	if out := tool(t, "ogrinfo", "-ro", "-so", path, "small_area_part"); !strings.Contains(out, "Feature Count: 8") {
		t.Errorf("%s", out)
	}
}

func TestAffordability(t *testing.T) {
	income := testPublished{"m:dover", "2019-2023", testFigure{"median_household_income.value", 80000, 4000, ""}}
	cheap := []string{"m:dover 0.2667 –", "n:east 0.4 –", "n:west 0.2667 –", "p:dover 0.2667 –"}
	for _, tt := range []struct {
		name      string
		published []testPublished
		homes     []testHomeValue
		spoil     func(r *testRegion)
		want      []string
		note      string
	}{
		// Of the owners of West Dover 120 have homes of 300,000 dollars and 40 of 200,000.
		{name: "by the homes of owners", published: []testPublished{income}, want: cheap},
		{name: "without an income", want: nil},
		// .43 of it are in the metro area
		{name: "without a metro", published: []testPublished{income}, spoil: func(r *testRegion) { r.places[3].north = 39.8 },
			want: cheap[:3]},
		// 80,000 / 250,000, and √(4,000² + (0.32 · 10,000)²) / 250,000 on either side.
		{name: "as published", published: []testPublished{income,
			{"p:dover", "2019-2023", testFigure{"median_home_value.value", 250000, 10000, ""}}},
			want: []string{cheap[0], cheap[1], cheap[2], "p:dover 0.32 0.2995–0.3405"}},
		// Half of the homes are worth 200,000 to 250,000 dollars, half 250,000 to 300,000: 250,000 ± 3,536, as √(5² + 5²) / 200 of
		// them are 3,536 dollars apart.
		{name: "by homes in bins", published: []testPublished{income, {"p:dover", "2019-2023", testFigure{"home_value.total", 100, 5, ""}},
			{"p:dover", "2019-2023", testFigure{"home_value.0200000_0249999", 50, 5, ""}},
			{"p:dover", "2019-2023", testFigure{"home_value.0250000_0299999", 50, 5, ""}}},
			want: []string{cheap[0], cheap[1], cheap[2], "p:dover 0.32 0.3034–0.3366"}},
		{name: "as published for other years", published: []testPublished{income,
			{"p:dover", "2018-2022", testFigure{"median_home_value.value", 250000, -1, ""}}},
			want: []string{cheap[0], cheap[1], cheap[2], "p:dover 0.3073 –"}}, // 292.655 / 304.702 of 0.32
		{name: "at most", published: []testPublished{income, {"p:dover", "2019-2023", testFigure{"median_home_value.value", 2000001, -1, ""}}},
			want: []string{cheap[0], cheap[1], cheap[2], "p:dover 0.04 – or less"},
			note: "geographies whose affordability index is a bound, because the median of home values or incomes is in an open bin: 1"},
		{name: "at least", published: []testPublished{income, {"p:dover", "2019-2023", testFigure{"median_home_value.value", 9999, -1, ""}}},
			want: []string{cheap[0], cheap[1], cheap[2], "p:dover 8.0 – or more"}},
		{name: "nothing of two bounds", published: []testPublished{{"m:dover", "2019-2023",
			testFigure{"median_household_income.value", 250001, -1, ""}},
			{"p:dover", "2019-2023", testFigure{"median_home_value.value", 2000001, -1, ""}}},
			want: []string{"m:dover 0.8333 – or more", "n:east 1.25 – or more", "n:west 0.8333 – or more"}},
		// The year after has no prices. In those of 2023 it is 290,000 · 304.702 / 292.655.
		{name: "by an index", published: []testPublished{income,
			{"n:west", "2019-2023", testFigure{"median_home_value.value", 250000, 10000, ""}}},
			homes: []testHomeValue{{"n:west", 2021, 280000}, {"n:west", 2022, 290000}, {"n:west", 2026, 500000}},
			want:  []string{cheap[0], cheap[1], "n:west 0.265 –", cheap[3]}},
		{name: "by an index of a year without prices", published: []testPublished{income}, homes: []testHomeValue{{"n:west", 2026, 500000}},
			want: cheap},
		{name: "by the income of homes in bins", published: incomeBins("m:dover"),
			want: []string{"m:dover 0.25 –", "n:east 0.375 –", "n:west 0.25 –", "p:dover 0.25 –"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := peopled()
			r.people.published, r.people.homes = tt.published, tt.homes
			if tt.spoil != nil {
				tt.spoil(&r)
			}
			m, o := built(t, "", r)
			if got := valuesOf(t, o, "housing_affordability_index"); !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
			if notes := strings.Join(m.Notes, "\n"); !strings.Contains(notes, tt.note) {
				t.Errorf("notes lack %q:\n%s", tt.note, notes)
			}
		})
	}
}

// incomeBins are 50 households on either side of 75,000 dollars.
func incomeBins(key string) (list []testPublished) {
	for _, f := range []testFigure{{"household_income.total", 100, 5, ""}, {"household_income.060000_074999", 50, 5, ""},
		{"household_income.075000_099999", 50, -1, ""}} {
		list = append(list, testPublished{key, "2019-2023", f})
	}
	return list
}

func TestSupersededGeographiesKeepTheirDemographics(t *testing.T) {
	first := peopled()
	m1, o1 := built(t, "", first)
	second := peopled()
	second.places[4].east, second.places[5].west = -75.52, -75.52
	second.people.areas[0].figures[0].estimate = 800
	second.people.vintages = [][2]string{{"US", "2020-2024"}}
	for a := range second.people.areas {
		for f := range second.people.areas[a].figures {
			second.people.areas[a].figures[f].vintage = "2020-2024"
		}
	}
	m2, o2 := built(t, o1.Out, second)
	_, err := verify.Release(context.Background(), o2.Out, "")
	must(t, err)
	want := []string{"m:dover 1100.0 –", "n:east 240.0 –", "n:west 860.0 –", "old n:east 200.0 –", "old n:west 500.0 –", "p:dover 1100.0 –"}
	if got := valuesOf(t, o2, "total_individuals"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if m1.Counts.DescribedGeographies != 4 || m2.Counts.DescribedGeographies != 6 {
		t.Errorf("described: %d, then %d", m1.Counts.DescribedGeographies, m2.Counts.DescribedGeographies)
	}
	got := rows(t, o2, schemas.DemographicsFile, "SELECT vintage || ' ' || count(*) FROM geography_vintage GROUP BY vintage ORDER BY 1")
	if !slices.Equal(got, []string{"2019-2023 2", "2020-2024 4"}) {
		t.Errorf("vintages %q", got)
	}
	// The metro area and the city changed from 700 to 1,100. The neighbourhoods are superseded: their last figures, which
	// never change, do not count.
	c, err := compare.Releases(context.Background(), o1.Out, o2.Out)
	must(t, err)
	for _, f := range populations(c) {
		if f.Known != 1 || f.Moved != 1 || f.Gained+f.Lost != 0 || math.Abs(f.Quantiles[2]-100*400./700) > 1e-9 {
			t.Errorf("people: %+v", f)
		}
	}
	third := peopled()
	third.people.areas[0].figures[0].estimate = 435
	third.places = third.places[:5]
	_, o3 := built(t, "", third)
	c, err = compare.Releases(context.Background(), o1.Out, o3.Out)
	must(t, err)
	var growth []string
	for _, f := range populations(c) {
		growth = append(growth, fmt.Sprintf("%d: %d %.1f", f.Level, f.Known, f.Quantiles[2]))
	}
	if want := []string{"10: 1 7.0", "30: 1 5.0", "40: 1 5.0"}; !slices.Equal(growth, want) {
		t.Errorf("people %q, want %q", growth, want)
	}
}

// populations are the changes of the number of people by level.
func populations(c *compare.Comparison) (list []compare.FigureChange) {
	for _, f := range c.Figures {
		if f.Figure == "population_total/total_individuals" {
			list = append(list, f)
		}
	}
	return list
}

func TestPackOfDemographics(t *testing.T) {
	r := peopled()
	r.people.published = incomeBins("m:dover")
	_, o := built(t, "", r)
	f, err := pack.Open(filepath.Join(o.Out, schemas.DemographicsPack))
	must(t, err)
	defer f.Close()
	table, err := people.Open(f)
	must(t, err)
	ids := rows(t, o, schemas.GeographiesFile, "SELECT geog_id FROM geography WHERE source_key IN ('p:dover', 's:de') ORDER BY level")
	record, ok := table.Find(ids[0])
	if !ok || record.Country() != "US" || record.Vintage() != "2019-2023" || table.Len() != 4 {
		t.Fatalf("%v %v of %d", record, ok, table.Len())
	}
	if v, lower, upper := record.Value(indexOf("prop_owner")); v != 7143 || lower != 6668 || upper != 7618 {
		t.Errorf("owners: %d, %d to %d", v, lower, upper)
	}
	if v, lower, _ := record.Value(indexOf("housing_affordability_index")); v != 2500 || lower != people.Absent {
		t.Errorf("index: %d from %d", v, lower)
	}
	if _, ok := table.Find(ids[1]); ok {
		t.Errorf("a state has demographics")
	}
}

func TestDemographicsAreTheSameOnOneProcessor(t *testing.T) {
	r, second := crowded(), southBank()
	_, first := built(t, "", r, second)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	_, other := built(t, "", r, second)
	for _, name := range []string{schemas.ManifestFile, schemas.DemographicsFile, schemas.DemographicsPack, schemas.SmallAreasPack} {
		a, err := os.ReadFile(filepath.Join(first.Out, name))
		must(t, err)
		b, err := os.ReadFile(filepath.Join(other.Out, name))
		must(t, err)
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs", name)
		}
	}
}

// crowded is peopled with 200 more neighbourhoods, which overlap.
func crowded() testRegion {
	r := peopled()
	r.people.published = append(incomeBins("m:dover"), testPublished{"n:77", "2021", testFigure{"households.total", 300, 10, ""}})
	for i := range 200 {
		west, south := -75.6+0.01*float64(i%19), 39.1+0.007*float64(i%13)
		r.places = append(r.places, testPlace{
			key: fmt.Sprintf("n:%d", i), level: schemas.Neighbourhood, west: west, south: south, east: west + 0.013, north: south + 0.017,
		})
	}
	return r
}

func TestVerifyFindsDamagedDemographics(t *testing.T) {
	r := peopled()
	r.people.published = incomeBins("m:dover")
	_, o := built(t, "", r)
	const first = "(SELECT min(geog_id) FROM geography_vintage)"
	for _, tt := range []struct{ name, statement, want string }{
		{"a figure of a small area", "UPDATE small_area_value SET estimate = estimate + 1 WHERE area = 2 AND cell = 'population.total'",
			"small_areas.pack is not what"},
		{"a margin", "UPDATE small_area_value SET moe = moe + 1 WHERE area = 2 AND cell = 'tenure.owner'", "small_areas.pack is not what"},
		{"a weight", "UPDATE small_area_part SET persons = 101 WHERE fid = 1", "small_areas.pack is not what"},
		{"a negative weight", "UPDATE small_area_part SET persons = -1 WHERE fid = 1", "no weight is negative: not so for small_area_part 1"},
		{"an area without weight", "UPDATE small_area_part SET persons = 0, households = 0, dwellings = 0 WHERE area = 3",
			"no weight is negative: not so for census:bg:c"},
		{"a part of another area", "UPDATE small_area_part SET area = 3 WHERE fid = 1", "parts are ordered by small area"},
		{"a negative figure", "UPDATE small_area_value SET estimate = -1 WHERE area = 1", "not negative: not so for 1"},
		{"a figure of an unknown area", "INSERT INTO small_area_value VALUES (4, 'population.total', 1, 1)", "figures belong to a small area"},
		{"an unknown cell", "UPDATE small_area_value SET cell = 'x' WHERE area = 1 AND cell = 'population.total'", `unknown cell "x"`},
		{"an unknown region", "UPDATE small_area SET region = 'x' WHERE fid = 1", "in a region of the release"},
		{"a missing area", "DELETE FROM small_area WHERE fid = 3", "figures belong to a small area"},
		{"missing parts", "DELETE FROM small_area_part WHERE fid > 4", "a part with a positive weight"},
		{"a variable", "UPDATE geography_variable SET value = value + 1 WHERE variable = 'total_individuals'", "demographics.pack is not what"},
		{"a limit", "UPDATE geography_variable SET upper = upper + 1 WHERE variable = 'property_tenure_total'", "demographics.pack is not what"},
		{"a limit above its value", "UPDATE geography_variable SET lower = value + 1 WHERE variable = 'property_tenure_total'",
			"variables are inside their intervals"},
		{"half an interval", "UPDATE geography_variable SET lower = NULL WHERE variable = 'property_tenure_total'",
			"variables are inside their intervals"},
		{"a larger share", "UPDATE geography_variable SET value = value + 0.01 WHERE variable = 'prop_renter'",
			"the shares of property_tenure add up to"},
		{"a bound with an interval", "UPDATE geography_variable SET open_end = 'upper' WHERE variable = 'property_tenure_total'",
			"variables are inside their intervals"},
		{"an unknown variable", "UPDATE geography_variable SET variable = 'x' WHERE variable = 'prop_renter'",
			"unknown variable x of property_tenure"},
		{"a vintage", "UPDATE geography_vintage SET vintage = '1900'", "demographics.pack is not what"},
		{"no vintage", "UPDATE geography_vintage SET vintage = '' WHERE geog_id = " + first, "every geography with variables has a vintage"},
		{"a vintage without variables", "DELETE FROM geography_variable WHERE geog_id = " + first,
			"every geography with a vintage has variables"},
		{"variables without a geography", "UPDATE geography_vintage SET geog_id = 'g10_unknown' WHERE geog_id = " + first,
			"every geography with variables has a vintage"},
		{"missing demographics", "DELETE FROM geography_variable WHERE geog_id = " + first + "; DELETE FROM geography_vintage WHERE geog_id = " +
			first, "3 geographies with demographics, the manifest has 4"},
		{"the spatial index", "DELETE FROM idx_small_area_part_geometry WHERE pkid = 1", "every part is in the spatial index"},
		{"another release's name", "UPDATE release SET name = 'other'", "is of release other"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := copyRelease(t, o.Out)
			alter(t, filepath.Join(dir, schemas.DemographicsFile), tt.statement)
			updateManifest(t, dir)
			_, err := verify.Release(context.Background(), dir, "")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// TestVintagesOfWhatIsAnswered: the second block group has its tenure from an older survey, and the people are those of a census.
// Each geography has the vintages of the small areas inside of it and of what is published for it, and no others.
func TestVintagesOfWhatIsAnswered(t *testing.T) {
	r := peopled()
	for a := range r.people.areas {
		for f := range r.people.areas[a].figures {
			switch figure := &r.people.areas[a].figures[f]; {
			case figure.cell == "population.total":
				figure.vintage = "2020"
			case a == 2:
				figure.vintage = "2014-2018"
			}
		}
	}
	r.people.published = []testPublished{{"p:dover", "2019-2023", testFigure{"households.total", 300, 9, ""}}}
	_, o := built(t, "", r)
	db := openBoth(t, filepath.Join(o.Out, schemas.GeographiesFile), filepath.Join(o.Out, schemas.DemographicsFile))
	const query = `SELECT g.source_key || ' ' || v.vintage || ifnull('; ' || (SELECT group_concat(category || ' ' || vintage, '; ' ORDER BY category) FROM newer.geography_category_vintage AS c WHERE c.geog_id = v.geog_id), '')
		FROM newer.geography_vintage AS v JOIN older.geography AS g USING (geog_id) ORDER BY 1`
	got, err := released.Values[string](context.Background(), db, query)
	must(t, err)
	want := []string{
		"m:dover 2019-2023, 2020, 2014-2018; population_total 2020; property_tenure 2019-2023, 2014-2018",
		"n:east 2019-2023, 2020, 2014-2018; population_total 2020; property_tenure 2019-2023, 2014-2018",
		"n:west 2019-2023, 2020; population_total 2020; property_tenure 2019-2023",
		"p:dover 2019-2023, 2020, 2014-2018; households 2019-2023; population_total 2020; property_tenure 2019-2023, 2014-2018",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	_, err = verify.Release(context.Background(), o.Out, "")
	must(t, err)
}
