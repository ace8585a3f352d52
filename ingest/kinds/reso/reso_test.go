package reso

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"quartier/ingest/sourcetest"
	"quartier/internal/duck"
)

const salesOptions = `
columns: {ParcelNumber: Parcel ID, CloseDate: Sale Date, ClosePrice: Sale Price, PostalCode: Town / ZIP, NumberOfUnitsTotal: Units, LivingArea: Area}
class: Use
types: {single_family: [single family], multi_family_5_plus_units: ["apartment *"], skip: ["cemetery*"], vacant_land: ["c*"]}
constants: {StateOrProvince: WA}`

func TestConformance(t *testing.T) {
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "JSON lines with history", Path: "testdata/property.jsonl", Country: "US", State: "WA",
			Rows: map[string]string{
				"SELECT system, listing_key, status, type, income, on_day, list_price, round(living_area_sqft, 1), year_built, postal_code, " +
					"state_code, lng, row FROM listing WHERE NOT public_sale ORDER BY listing_key": "MRED|1|2|2|false|19787|450000|1999.9|1987|98105|WA|" +
					"-122.3|1\n" +
					"MRED|2|2|2|false|19787|450000|∅|∅|98105|WA|∅|2\nunder-test|3|7|4|false|∅|900000|∅|∅|∅|WA|∅|3\n" +
					"under-test|5|1|6|false|∅|∅|∅|∅|∅|WA|-122.3|5",
				"SELECT address, unit FROM listing WHERE listing_key = '2'": "12 N MAIN ST " +
					"98105|4B",
				"SELECT parcel, make_timestamp(on_at), canceled_day FROM listing WHERE listing_key = '3'": "WA/KING/" +
					"123456789|2024-03-05 16:00:00 +0000 UTC|19814",
				"SELECT make_timestamp(modified) FROM listing WHERE listing_key = '2'": "2024-03-21 " +
					"01:00:00.123456 +0000 UTC",
				"SELECT starts_with(listing_key, 'sale:'), status, type, close_price FROM listing WHERE public_sale": "true|4|3|512001",
				"SELECT system, listing_key, field, status, previous_status, price, previous_price FROM listing_change ORDER BY " +
					"at": "under-test|1|status|1|9|∅|∅\nMRED|1|list_price|0|0|450000|475000",
			},
			Issues: map[string]int64{
				"lease": 1, "nominal_price_removed: ListPrice": 1, "invalid_date_removed: OnMarketDate": 1, "coordinates_swapped": 1,
				"unknown_status: Zombie": 1,
				"malformed_record":       1, "other_resource: PublicRemarks": 1,
			},
			Read: 11,
		},
		sourcetest.Case{
			Name: "page", Path: "testdata/page.json", Country: "US",
			Rows: map[string]string{
				"SELECT listing_key, type, list_price, close_day, row FROM listing ORDER BY listing_key": "a|3|150000|∅|1\ncé\"|8|∅|19786|3",
			},
			Issues: map[string]int64{"closed_before_listed": 1, "closed_without_price": 1},
			Read:   3,
		},
		sourcetest.Case{
			Name: "recorded sales", Path: "testdata/sales.csv", Country: "US", Options: salesOptions, AnyLength: "lines of text",
			Rows: map[string]string{
				"SELECT public_sale, type, close_price, close_day, living_area_sqft, postal_code, parcel, row FROM listing ORDER BY " +
					"row": "true|2|829000|16946|1428|98105|WA//1023|4\ntrue|2|829000|16946|1428|98105|WA//1023|5\n" +
					"true|5|1250000|16974|∅|98105|WA//1025|7\ntrue|8|700000|16975|∅|98105|WA//1027|9",
			},
			Issues: map[string]int64{"nominal_sale": 1, "sale_without_date": 1, "unknown_property_type: Boat house": 1,
				"class_skipped: Cemetery plot": 1, "title_lines_skipped": 1},
			Read: 7,
		},
	)
}

// TestNestedHistory reads changes that are nested in their listing, and changes of MlsStatus.
func TestNestedHistory(t *testing.T) {
	const listing = `{"ListingKey":"7","OriginatingSystemName":"MRED","StandardStatus":"Active","OnMarketDate":"2024-03-05",` +
		`"ListPrice":450000,"HistoryTransactional":[`
	const changes = `{"FieldName":"ListPrice","PreviousValue":"475000","NewValue":"450000","ModificationTimestamp":"2024-03-10T10:00:00Z"},` +
		`{"ResourceRecordKey":"7","OriginatingSystemName":"MRED","FieldName":"MlsStatus","PreviousValue":"Active","NewValue":"Active Under ` +
		`Contract","ModificationTimestamp":"2024-03-12T10:00:00Z"},` +
		`{"FieldName":"MlsStatus","NewValue":"Zombie","ModificationTimestamp":"2024-03-12T10:00:00Z"},{"FieldName":"PublicRemarks",` +
		`"NewValue":"[\"nice\"]"}, 7`
	const lease = `{"ListingKey":"8","StandardStatus":"Active","PropertyType":"ResidentialLease","HistoryTransactional":[` + changes + `]}`
	for name, body := range map[string]string{
		"a.jsonl":   listing + changes + " ],\"City\":\"X\"}\n" + lease + "\n",
		"page.json": `{"value":[` + listing + changes + `]},` + lease + `]}`,
	} {
		var sink sourcetest.Record
		if err := Kind.Stage(t.Context(), caseInput(t, name, body, ""), &sink); err != nil {
			t.Fatal(name, err)
		}
		var got []string
		for _, c := range sink.Changes {
			got = append(got, fmt.Sprintf("%s %s %s %d %d row %d", c.System, c.Key, c.Field, c.Before, c.Status, c.Row))
		}
		if want := []string{"MRED 7 list_price 0 0 row 1", "MRED 7 mls_status 1 2 row 1"}; !slices.Equal(got, want) || len(sink.Listings) != 1 {
			t.Errorf("%s: %d listings, changes %q, want %q", name, len(sink.Listings), got, want)
		}
		reasons := map[string]int{"unknown_status: Zombie": 1, "other_resource: PublicRemarks": 1, "malformed_record": 1, "lease": 1}
		if !maps.Equal(sink.Reasons(), reasons) || sink.Count != 2+5 {
			t.Errorf("%s: issues %v, %d read", name, sink.Reasons(), sink.Count)
		}
	}
}

// TestForms reads one record in each form.
func TestForms(t *testing.T) {
	record := `{"ListingKey":"1","StandardStatus":"Active","OnMarketDate":"2024-03-05","ListPrice":450000.5,"LivingArea":1200}`
	table := "Listing Key;standard_status;OnMarketDate;ListPrice;LivingArea\n1;Active;3/5/2024;450000.5;1200\n"
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(record)) // a bytes.Buffer never fails
	w.Close()
	parquet := filepath.Join(t.TempDir(), "a.parquet")
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(
		"COPY (SELECT 1 AS ListingKey, 'Active' AS StandardStatus, DATE '2024-03-05' AS OnMarketDate, 450000.5 AS ListPrice, 1200::BIGINT AS " +
			"LivingArea) TO '" + parquet + "' (FORMAT parquet)"); err != nil {
		t.Fatal(err)
	}
	columnar, err := os.ReadFile(parquet)
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{
		"lines.jsonl": record + "\n", "no end of line.jsonl": record, "array.json": "[" + record + " ]",
		"page.json":  `{"value": [` + record + `], "@odata.count": 1}`,
		"one.json":   "{\n \"ListingKey\": \"1\",\n" + record[18:],
		"rcf.json":   `{"@reso.context":"urn:reso:metadata:2.0:resource:property","value":[` + record + `]}`,
		"pages.json": `{"value":[]}` + "\n" + `{"value":[` + record + `]}`, "mark.json": "\ufeff" + record, "packed.jsonl.gz": packed.String(),
		"table.csv": table, "columns.parquet": string(columnar),
	} {
		var sink sourcetest.Record
		in := caseInput(t, name, body, map[string]string{"table.csv": "date_order: mdy"}[name])
		if err := Kind.Stage(t.Context(), in, &sink); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(sink.Listings) != 1 || len(sink.Issues) != 0 && name != "table.csv" { // where the semicolon is noted
			t.Errorf("%s: %d listings, issues %v", name, len(sink.Listings), sink.Issues)
			continue
		}
		l := sink.Listings[0]
		if l.Key != "1" || *l.OnDay != 19787 || *l.ListPrice != 450_001 || *l.LivingAreaSqft != 1200 {
			t.Errorf("%s: %+v", name, l)
		}
		if err := Kind.Check(t.Context(), in); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
