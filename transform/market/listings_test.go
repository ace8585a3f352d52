package market_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/fixtures/resofile"
	"quartier/ingest"
	"quartier/ingest/listings"
	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/packtest"
	"quartier/internal/testenv"
	"quartier/schemas"
	days "quartier/schemas/market"
	"quartier/transform/market"
)

// zipCodes are a table of ZIP codes, each a small square of its own.
func zipCodes(t testing.TB, state string, west, south float64, codes ...string) *geographies.Table {
	t.Helper()
	w, err := geographies.NewWriter(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for n, code := range codes {
		box := orb.Bound{Min: orb.Point{west + float64(n)*0.01, south}, Max: orb.Point{west + float64(n+1)*0.01, south + 0.01}}
		err := w.Add(&geographies.Record{ID: "g32_" + code, Level: schemas.PostalArea, Name: schemas.Text{EN: code, FR: code}, CountryCode: "US",
			StateCodes: []string{state}, AreaM2: 1e6, BBox: box, Centroid: box.Center(), Geometry: orb.MultiPolygon{box.ToPolygon()}})
		if err != nil {
			t.Fatal(err)
		}
	}
	table, err := geographies.Open(packtest.Open(t, w.Finish))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// take takes a file or a listings file into a work folder and opens its database.
func take(t testing.TB, path, work string) *duck.DB {
	t.Helper()
	vars := func(string) (string, bool) { return testenv.Data(""), true }
	region, err := ingest.ReadListings(path, vars, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ingest.TakeListings(t.Context(), region, work, nil, nil); err != nil {
		t.Fatal(err)
	}
	db, err := duck.Open(filepath.Join(work, listings.File))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// computed are values by geography, type and interval.
func computed(t testing.TB, in market.Input) (map[string]days.Values, market.Summary) {
	t.Helper()
	intervals, all := days.Intervals(in.AsOf), map[string]days.Values{}
	summary, err := market.Compute(t.Context(), in, func(s days.Statistics) error {
		for _, c := range s.Cells {
			all[fmt.Sprintf("%s %s %s", in.Places.ID(int(s.Geography)), c.Type, intervals[c.Interval].Code)] = c.Values
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, summary
}

func day(t testing.TB, text string) days.Day {
	t.Helper()
	d, err := days.ParseDay(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestHandWorked has the numbers of fixtures/resofile/handworked.md and those that follow from its listings, worked out by
// hand: a metric that a case does not have is absent.
func TestHandWorked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "handworked.jsonl")
	if err := os.WriteFile(path, resofile.HandWorked, 0o600); err != nil {
		t.Fatal(err)
	}
	in := market.Input{Listings: take(t, path, t.TempDir()), Places: zipCodes(t, "US_VT", -72.575, 44.99, "05990"), AsOf: day(t, "2025-03-01")}
	got, _ := computed(t, in)
	for _, c := range []struct{ cell, want string }{
		// Active at the end are A1 (400,000; 2,000 sq ft), A2 (500,000; 1,999.93), R2 (410,000; 1,900) and F1 (450,000;
		// 2,250), aged 19, 40, 40 and 81 days, active for 19, 40, 131 and 66. Per sq ft 200, 250.01, 215.79 and 200.
		{"single_family 2025-02", `active_listings 4, pending_listings 1, under_contract_listings 1, active_median_age_days 400, active_median_size_sqft 2000,
			ask_min 400000, ask_p10 403000, ask_p25 407500, ask_median 430000, ask_p75 462500, ask_p90 485000, ask_max 500000, ask_median_per_sqft 208,
			dom_p10 253, dom_p25 348, dom_median 530, dom_p75 823, dom_p90 1115, homes_sold 1, new_listings 2,
			sale_min 275000, sale_p10 275000, sale_p25 275000, sale_median 275000, sale_p75 275000, sale_p90 275000, sale_max 275000, sale_median_per_sqft 229,
			median_construction_year 1948, sold_median_size_sqft 1200, absorption_rate 0, total_sales_volume 275000, market_assessment 0, market_qualifier -100`},
		// C1 and S1 were sold. One of six sold: 0.1667, and (1/6 − 0.175)/0.175 = −0.05.
		{"single_family 30d", `active_listings 4, pending_listings 1, under_contract_listings 1, active_median_age_days 400, active_median_size_sqft 2000,
			ask_min 400000, ask_p10 403000, ask_p25 407500, ask_median 430000, ask_p75 462500, ask_p90 485000, ask_max 500000, ask_median_per_sqft 208,
			dom_p10 253, dom_p25 348, dom_median 530, dom_p75 823, dom_p90 1115, homes_sold 2, new_listings 2,
			sale_min 275000, sale_p10 278500, sale_p25 283750, sale_median 292500, sale_p75 301250, sale_p90 306500, sale_max 310000, sale_median_per_sqft 218,
			median_difference 10000, median_percent_difference 333, share_above_asking 10000, share_below_asking 0,
			median_construction_year 1952, sold_median_size_sqft 1350, absorption_rate 1667, total_sales_volume 585000, sold_median_dom 200,
			days_to_sell_p10 610, days_to_sell_p25 610, days_to_sell_median 610, days_to_sell_p75 610, days_to_sell_p90 610, market_assessment 1, market_qualifier -5`},
		// Active are A2 at 520,000, P1 360,000 (1,800 sq ft), R2 and F1: ages 12, 17, 12 and 53, active for 12, 17, 103 and 38.
		// Per sq ft 260.01, 200, 215.79 and 200; sizes 1,999.93, 1,800, 1,900 and 2,250. Four listings are too few for
		// market conditions.
		{"single_family 2025-01", `active_listings 4, pending_listings 0, under_contract_listings 0, active_median_age_days 145, active_median_size_sqft 1950,
			ask_min 360000, ask_p10 375000, ask_p25 397500, ask_median 430000, ask_p75 467500, ask_p90 499000, ask_max 520000, ask_median_per_sqft 208,
			dom_p10 135, dom_p25 158, dom_median 275, dom_p75 543, dom_p90 835, homes_sold 1, new_listings 2,
			sale_min 310000, sale_p10 310000, sale_p25 310000, sale_median 310000, sale_p75 310000, sale_p90 310000, sale_max 310000, sale_median_per_sqft 207,
			median_difference 10000, median_percent_difference 333, share_above_asking 10000, share_below_asking 0,
			median_construction_year 1955, sold_median_size_sqft 1500, absorption_rate 2500, total_sales_volume 310000, sold_median_dom 200,
			days_to_sell_p10 610, days_to_sell_p25 610, days_to_sell_median 610, days_to_sell_p75 610, days_to_sell_p90 610`},
		// C2, asked for 240,000; it went off in January, so that it is not inside of February.
		{"condo_townhome 2025-02", `active_listings 0, pending_listings 0, under_contract_listings 0, homes_sold 1, new_listings 0,
			sale_min 235000, sale_p10 235000, sale_p25 235000, sale_median 235000, sale_p75 235000, sale_p90 235000, sale_max 235000,
			median_difference -5000, median_percent_difference -208, share_above_asking 0, share_below_asking 10000, median_construction_year 1972,
			total_sales_volume 235000, sold_median_dom 560, days_to_sell_p10 960, days_to_sell_p25 960, days_to_sell_median 960, days_to_sell_p75 960, days_to_sell_p90 960`},
		{"vacant_land 2025-01", `active_listings 1, pending_listings 0, under_contract_listings 0, active_median_age_days 1840,
			ask_min 80000, ask_p10 80000, ask_p25 80000, ask_median 80000, ask_p75 80000, ask_p90 80000, ask_max 80000,
			dom_p10 1840, dom_p25 1840, dom_median 1840, dom_p75 1840, dom_p90 1840, homes_sold 0, new_listings 0, absorption_rate 0`},
		{"vacant_land 2025-02",
			"active_listings 0, pending_listings 0, under_contract_listings 0, homes_sold 0, new_listings 0, absorption_rate 0"},
	} {
		v, ok := got["g32_05990 "+c.cell]
		var have []string
		for m, n := range v {
			if n != days.Absent {
				have = append(have, fmt.Sprintf("%s %d", days.Metric(m), n))
			}
		}
		if want := strings.Join(strings.Fields(c.want), " "); !ok || strings.Join(have, ", ") != want {
			t.Errorf("%s:\n got %s\nwant %s", c.cell, strings.Join(have, ", "), want)
		}
	}
	for _, c := range []struct {
		cell   string
		metric days.Metric
		want   int64
	}{
		{"all_residential_properties 2025-02", days.Sold, 2}, {"all_residential_properties 2025-02", days.SaleMedian, 255_000},
		{"all_residential_properties 2025-02", days.Volume, 510_000}, {"all_residential_properties 2025-02", days.Absorption, 1667},
		{"single_family 2024Q4", days.New, 3}, {"single_family 2024Q4", days.Active, 1}, {"single_family 2024Q4", days.Pending, 1},
		{"vacant_land 2024-08", days.New, 1}, {"single_family 12m", days.New, 7}, {"single_family 12m", days.Sold, 2},
	} {
		if v, ok := got["g32_05990 "+c.cell]; !ok || v[c.metric] != c.want {
			t.Errorf("%s: %s is %d, want %d", c.cell, c.metric, v[c.metric], c.want)
		}
	}
}

// TestNewYork compares recorded sales with medians and 90th percentiles by ZIP code and month that DuckDB computes from the
// files themselves, of the copies of a sale (parcel, unit, day and price) the last: a percentile in whole numbers, a hundred times over,
// rounded half away from zero. Its quantile_cont(0.9)
// multiplies by a 0.9 that is no binary fraction, so that half dollars, and nothing else, may be a little less or more.
func TestNewYork(t *testing.T) {
	folder := testenv.Data("us-newyork/sales")
	testenv.SkipWithoutData(t, folder)
	query, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer query.Close()
	_, err = query.Exec(fmt.Sprintf(`CREATE TABLE sale AS SELECT DISTINCT ON (column00, column04, column05, unit, price, day) trim(column10) AS zip,
		regexp_replace(CASE WHEN trim(column09) <> '' THEN column09 WHEN regexp_matches(trim(split_part(column08, ',', 2)), '^[^ ]*[0-9][^ ]*$')
			AND length(trim(split_part(column08, ',', 2))) <= 5 THEN split_part(column08, ',', 2) ELSE '' END, '[^A-Z0-9]', '', 'g') AS unit, trim(column02)[1:2] AS class,
		try_cast(replace(trim(column19), ',', '') AS BIGINT) AS price, coalesce(try_strptime(trim(column20), '%%m/%%d/%%Y'), try_strptime(trim(column20), '%%m/%%d/%%y')) AS day,
		coalesce(try_cast(replace(trim(column11), ',', '') AS INTEGER), 0) AS units
		FROM (SELECT *, row_number() OVER () AS n FROM read_csv('%s/*.csv', header = false, all_varchar = true, columns = %s, auto_detect = false, delim = ',', quote = '"', null_padding = true, ignore_errors = true)) ORDER BY n DESC`, folder, csvColumns(21)))
	if err != nil {
		t.Fatal(err)
	}
	// Dates as 5/25/16 are of 2016: with four digits they are of the year 16.
	rows, err := query.Query(`SELECT zip, single, month, sold, median, volume, hundredfold, quantile_90 FROM (
		SELECT zip, class IN ('01') AS single, strftime(CASE WHEN year(day) < 100 THEN day + INTERVAL 2000 YEAR ELSE day END, '%Y-%m') AS month,
		count(*) AS sold, round(quantile_cont(price, 0.5))::BIGINT AS median, sum(price)::BIGINT AS volume, list_sort(list(price)) AS sorted,
		(90 * (count(*) - 1) // 100)::INTEGER AS at, 90 * (count(*) - 1) % 100 AS rest, round(quantile_cont(price, 0.9))::BIGINT AS quantile_90,
		100 * sorted[at + 1] + rest * (coalesce(sorted[at + 2], 0) - sorted[at + 1]) AS hundredfold
		FROM sale WHERE price >= 1000 AND length(zip) = 5 AND units < 5 AND class IN ('01', '04', '09', '10', '12', '13', '15', '16', '17') GROUP BY ALL) ORDER BY ALL`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	type expected struct {
		zip, month           string
		single               bool
		sold, median, volume int64

		hundredfold, quantile90 int64 // the 90th percentile, exact, and as quantile_cont has it
	}
	var all []expected
	codes := map[string]bool{}
	var list []string
	for rows.Next() {
		var e expected
		if err := rows.Scan(&e.zip, &e.single, &e.month, &e.sold, &e.median, &e.volume, &e.hundredfold, &e.quantile90); err != nil {
			t.Fatal(err)
		}
		if !codes[e.zip] {
			codes[e.zip], list = true, append(list, e.zip)
		}
		all = append(all, e)
	}
	work := t.TempDir()
	in := market.Input{Listings: take(t, "../../regions/listings/us-newyork.yaml", work), Places: zipCodes(t, "US_NY", -74, 40.5, list...),
		AsOf: day(t, "2017-05-01")}
	got, _ := computed(t, in)
	if len(all) < 1500 {
		t.Fatalf("%d ZIP codes and months", len(all))
	}
	inexact := 0
	for _, e := range all {
		kind := "condo_townhome"
		if e.single {
			kind = "single_family"
		}
		v, ok := got[fmt.Sprintf("g32_%s %s %s", e.zip, kind, e.month)]
		if !ok || v[days.Sold] != e.sold || v[days.SaleMedian] != e.median || v[days.Volume] != e.volume {
			t.Errorf("%s %s %s: sold %d, median %d, volume %d; want %+v", e.zip, kind, e.month, v[days.Sold], v[days.SaleMedian], v[days.Volume], e)
		}
		if exact := (e.hundredfold + 50) / 100; v[days.SaleP90] != exact {
			t.Errorf("%s %s %s: 90th percentile %d, want %d", e.zip, kind, e.month, v[days.SaleP90], exact)
		} else if e.quantile90 != exact {
			if inexact++; e.hundredfold%100 != 50 || exact-e.quantile90 != 1 {
				t.Errorf("%s %s %s: 90th percentile %d hundredths, DuckDB has %d", e.zip, kind, e.month, e.hundredfold, e.quantile90)
			}
		}
		if ok && (v[days.Active] != 0 || v[days.Absorption] != days.Absent || v[days.SoldMedianDaysOnMarket] != days.Absent) {
			t.Errorf("%s %s %s: public sales were on the market: %v", e.zip, kind, e.month, v)
		}
	}
	if inexact == 0 || inexact > len(all)/100 {
		t.Errorf("quantile_cont rounds %d of %d otherwise", inexact, len(all))
	}
}

// csvColumns are the columns of a headless CSV for read_csv.
func csvColumns(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ", 'column%02d': 'VARCHAR'", i)
	}
	return "{" + b.String()[2:] + "}"
}

// TestExplain adds up what the hand-worked listings are in numbers.
func TestExplain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "handworked.jsonl")
	if err := os.WriteFile(path, resofile.HandWorked, 0o600); err != nil {
		t.Fatal(err)
	}
	in := market.Input{Listings: take(t, path, t.TempDir()), Places: zipCodes(t, "US_VT", -72.575, 44.99, "05990"), AsOf: day(t, "2025-03-01")}
	entries, err := market.Explain(t.Context(), in, 0, days.SingleFamily, "2025-02")
	if err != nil {
		t.Fatal(err)
	}
	var text []string
	sums := map[days.Metric]float64{}
	for _, e := range entries {
		text = append(text, fmt.Sprintf("%s %s %d", e.Listing.Key, e.State, e.Price))
		for _, p := range e.Parts {
			if p.Counts {
				sums[p.Metric] += p.Value
			}
		}
	}
	if got, want := strings.Join(text, ", "),
		"A1 active 400000, A2 active 500000, F1 active 450000, P1 pending 0, R2 active 410000, S1 closed 0, U1 under contract 350000"; got !=
		want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for m, want := range map[days.Metric]float64{days.Active: 4, days.Pending: 1, days.UnderContract: 1, days.New: 2, days.Sold: 1,
		days.Absorption: 6,
		days.AskMedian:  1_760_000, days.DaysOnMarketMedian: 256, days.ActiveMedianAge: 180, days.SaleMedian: 275_000} {
		if sums[m] != want {
			t.Errorf("%s adds up to %v, want %v", m, sums[m], want)
		}
	}
	if _, err := market.Explain(t.Context(), in, 0, days.SingleFamily, "2025-03"); err == nil {
		t.Error("an open month was explained")
	}
	// By what a run keeps, of the day before as well, they are the same.
	in.Work, in.AsOf = t.TempDir(), in.AsOf-1
	in.Earlier = days.NoDay
	if _, err := market.Compute(t.Context(), in, func(days.Statistics) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(in.Work, schemas.KeptNext), filepath.Join(in.Work, schemas.KeptFolder)); err != nil {
		t.Fatal(err)
	}
	in.AsOf++
	again, err := market.Explain(t.Context(), in, 0, days.SingleFamily, "2025-02")
	if err != nil {
		t.Fatal(err)
	}
	if difference := cmp.Diff(entries, again); difference != "" {
		t.Error(difference)
	}
}
