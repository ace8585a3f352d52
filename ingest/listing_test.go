package ingest

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quartier/fixtures/resofile"
	"quartier/fixtures/world/market"
	"quartier/fixtures/world/population"
	"quartier/ingest/listings"
	"quartier/internal/duck"
	"quartier/internal/testenv"
)

func ask(t *testing.T, work, query string) string {
	t.Helper()
	db, err := duck.Open(filepath.Join(work, listings.File))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT concat_ws('|', " + query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// TestNewYork takes in the recorded sales of three boroughs, whose numbers are those of shared/data/README.md.
func TestNewYork(t *testing.T) {
	data := testenv.Data("us-newyork/sales")
	testenv.SkipWithoutData(t, data)
	vars := func(string) (string, bool) { return strings.TrimSuffix(data, "/us-newyork/sales"), true }
	region, err := ReadListings("../regions/listings/us-newyork.yaml", vars, "")
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	changes, err := TakeListings(t.Context(), region, work, nil, nil)
	if err != nil || changes.RowsRead != 50_549 || changes.RowsStaged != 34_748 || changes.Listings != 34_500 {
		t.Fatalf("%+v, %v; want 34748 of 50549 rows, and 248 copies", changes, err)
	}
	for query, want := range map[string]string{
		"file, rows_read, rows_staged) FROM (SELECT path AS file, rows_read, rows_staged FROM listing_file ORDER BY " +
			"1)": "rollingsales_bronx.csv|6920|5006\nrollingsales_brooklyn.csv|24703|14998\nrollingsales_manhattan.csv|18926|14744",
		"code, sum(rows)) FROM listing_issue WHERE severity <> 'noted' GROUP BY code ORDER BY code": "copy_of_a_sale|248\n" +
			"nominal_sale|15801",
		"date '1970-01-01' + min(close_day), date '1970-01-01' + max(close_day)) FROM listing": "2015-10-01|2017-04-28",
		// the first row of Manhattan: three units for " 7,738,700 " on 12/22/2016
		"date '1970-01-01' + close_day, type, living_area_sqft, year_built, parcel, address, postal_code, state_code, public_sale) FROM " +
			"listing WHERE close_price = 7738700": "2016-12-22|4|3696.0|1900|NY//1-376-24|264 E 7TH ST 10009|10009|NY|true",
	} {
		if diff := cmp.Diff(want, ask(t, work, query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

// TestReadListings: a data file is a source of its own, a listings file has no other kinds, a build has no listings.
func TestReadListings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.jsonl")
	if err := os.WriteFile(file, []byte(`{"ListingKey":"1","StandardStatus":"Active","OnMarketDate":"2024-01-02"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	region, err := ReadListings(file, nil, "")
	if err != nil || len(NoListings([]*Region{region})) != 1 {
		t.Fatalf("%+v, %v", region, err)
	}
	changes, err := TakeListings(t.Context(), region, t.TempDir(), nil, nil)
	if err != nil || changes.Listings != 1 {
		t.Errorf("%+v, %v", changes, err)
	}
	if _, err := ReadListings(file+"x", nil, ""); err == nil || !strings.Contains(err.Error(), "missing file") {
		t.Error(err)
	}
	wrong := strings.TrimSuffix(file, ".jsonl") + ".yaml"
	text := "region: x\ntitle: x\nsources:\n  - {id: a, kind: zones, path: a.jsonl, as_of: 2024-01-01, licence: x, attribution: x}\n"
	if err := os.WriteFile(wrong, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadListings(wrong, nil, ""); err == nil || !strings.Contains(err.Error(), "not zones") ||
		!strings.Contains(err.Error(), ":4") {
		t.Error(err)
	}
}

// TestFixtures takes in the invented listings: every record but the faulty ones, with the reasons that they were written for.
func TestFixtures(t *testing.T) {
	asOf := market.DayOf(time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC))
	m := market.New(1, population.Homes(1, population.Blocks()), asOf)
	places := func(*market.Property) resofile.Place {
		return resofile.Place{Street: "Main Street", PostalCode: "05990"}
	}
	var records, changes []resofile.Record
	leases, deleted := 0, 0
	for i := range m.Listings {
		l := &m.Listings[i]
		records, changes = append(records, resofile.Property(l, asOf-1, places)), append(changes, resofile.History(l, 0, asOf-1)...)
		if s, _ := l.At(asOf - 1); l.Type == "ResidentialLease" {
			leases++
		} else if s.Status == market.Delete {
			deleted++
		}
	}
	good := len(records) - leases - deleted
	records = append(records, resofile.Defects(asOf)...)
	folder, work := t.TempDir(), t.TempDir()
	for name, body := range map[string][]byte{"a.jsonl": resofile.Lines(records),
		"history/b.json": resofile.Page("HistoryTransactional", changes, "")} {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, body, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	region, err := ReadListings(folder, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := TakeListings(t.Context(), region, work, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const keptDefects = 7 // d2, d4, d5, d7, d8, d9, d11
	if want := int64(good + keptDefects); got.Listings != want || leases == 0 || deleted == 0 {
		t.Errorf("%d listings, want %d; %d leases and %d deleted ones left out", got.Listings, want, leases, deleted)
	}
	if diff := cmp.Diff(fmt.Sprint(len(changes)), ask(t, work, "count(*)) FROM listing_change")); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	issues := resofile.DefectIssues()
	issues["lease"] = leases
	var want []string
	for _, code := range slices.Sorted(maps.Keys(issues)) {
		want = append(want, fmt.Sprintf("%s|%d", code, issues[code]))
	}
	if diff := cmp.Diff(strings.Join(want, "\n"),
		ask(t, work, "code, sum(rows)) FROM listing_issue GROUP BY code ORDER BY code")); diff != "" {
		t.Errorf("issues (-want +got):\n%s", diff)
	}
}

// TestHandWorked reads the twelve listings that were worked out by hand, field by field.
func TestHandWorked(t *testing.T) {
	file, work := filepath.Join(t.TempDir(), "hand.jsonl"), t.TempDir()
	if err := os.WriteFile(file, resofile.HandWorked, 0o600); err != nil {
		t.Fatal(err)
	}
	region, err := ReadListings(file, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := TakeListings(t.Context(), region, work, nil, nil); err != nil {
		t.Fatal(err)
	}
	day := func(column string) string {
		return "coalesce((date '1970-01-01' + " + column + ")::DATE::VARCHAR, '-')"
	}
	columns := strings.Join([]string{
		"listing_key", "status", "type", "public_sale", day("on_day"), day("contingent_day"), day("contract_day"), day("off_day"),
		day("withdrawn_day"),
		day("expired_day"), day("close_day"), "coalesce(list_price, 0)", "coalesce(close_price, 0)", "coalesce(round(living_area_sqft, 2), 0)",
		"coalesce(year_built, 0)", "address",
	}, ", ")
	want := `A1|1|2|false|2025-02-10|-|-|-|-|-|-|400000|0|2000.0|1990|10 GRANITE ST 05990
A2|1|2|false|2025-01-20|-|-|-|-|-|-|500000|0|1999.93|2001|20 GRANITE ST 05990
C1|4|2|false|2024-12-01|-|2024-12-21|-|-|-|2025-01-31|300000|310000|1500.0|1955|50 GRANITE ST 05990
C2|4|3|false|2024-11-10|-|2025-01-05|-|-|-|2025-02-14|240000|235000|0.0|1972|60 GRANITE ST 05990
F1|1|2|false|2024-12-10|-|-|-|-|-|-|450000|0|2250.0|0|80 GRANITE ST 05990
L1|6|6|false|2024-08-01|-|-|-|2025-02-05|-|-|80000|0|0.0|0|90 GRANITE ST 05990
N1|9|2|false|-|-|-|-|-|-|-|395000|0|1600.0|0|110 GRANITE ST 05990
P1|3|2|false|2025-01-15|-|2025-02-18|-|-|-|-|360000|0|1800.0|0|40 GRANITE ST 05990
R1|8|2|false|2024-10-01|-|-|2024-12-31|-|2024-12-31|-|430000|0|1900.0|0|70 GRANITE ST 05990
R2|1|2|false|2025-01-20|-|-|-|-|-|-|410000|0|1900.0|0|70 GRANITE ST 05990
S1|4|2|true|-|-|-|-|-|-|2025-02-07|0|275000|1200.0|1948|100 GRANITE ST 05990
U1|2|2|false|2025-02-01|2025-02-20|-|-|-|-|-|350000|0|1750.0|0|30 GRANITE ST 05990`
	if diff := cmp.Diff(want, ask(t, work, columns+") FROM listing ORDER BY listing_key")); diff != "" {
		t.Errorf("listings (-want +got):\n%s", diff)
	}
	want = `A2|2025-02-15 15:00:00|list_price|0|500000|520000|0
C2|2024-12-05 15:00:00|list_price|0|240000|250000|0
F1|2025-01-10 15:00:00|status|3|0|0|1
F1|2025-01-25 15:00:00|status|1|0|0|3`
	columns = "listing_key, make_timestamp(at), field, status, coalesce(price, 0), coalesce(previous_price, 0), previous_status"
	if diff := cmp.Diff(want, ask(t, work, columns+") FROM listing_change ORDER BY listing_key, at")); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}
