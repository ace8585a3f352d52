package listings_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/listings"
	"quartier/schemas"
)

// TestFewerRows replaces the file of a source: a fifth fewer rows pass, more are held back until they are accepted, and so are
// a column without its values and listings with other keys; files that are added are not judged.
func TestFewerRows(t *testing.T) {
	day := func(n int, record string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, record+"\n", i)
		}
		return b.String()
	}
	const whole, unpriced = `{"ListingKey":"%d","StandardStatus":"Active","OnMarketDate":"2024-03-05","ListPrice":500000}`,
		`{"ListingKey":"%d","StandardStatus":"Active","OnMarketDate":"2024-03-05"}`
	other := strings.ReplaceAll(whole, `"%d"`, `"key %d"`)
	for name, c := range map[string]struct {
		file, text, gate string
		held             string
	}{
		"a fifth":       {"day.jsonl", day(80, whole), "", ""},
		"more":          {"day.jsonl", day(79, whole), "", "rows.a: 21.0 % fewer, limit 20.0 %: 100 → 79 rows"},
		"accepted":      {"day.jsonl", day(1, whole), "rows.a", ""},
		"of all":        {"day.jsonl", day(1, whole), "rows", ""},
		"of another":    {"day.jsonl", day(1, whole), "rows.b", "--accept 'rows.a=REASON'"},
		"no prices":     {"day.jsonl", day(100, unpriced), "", "rows.a: 100.0 % fewer, limit 20.0 %: 100 → 0 values of list_price"},
		"other keys":    {"day.jsonl", day(100, other), "", "rows.a: 100.0 % fewer, limit 20.0 %: 100 → 0 keys of listings that were known"},
		"keys accepted": {"day.jsonl", day(100, other), "rows.a", ""},
		"a second file": {"next.jsonl", day(1, whole), "", ""},
	} {
		folder, work := t.TempDir(), filepath.Join(t.TempDir(), "work")
		write(t, filepath.Join(folder, "a", "day.jsonl"), day(100, whole))
		write(t, filepath.Join(folder, "b", "day.jsonl"), day(1, whole))
		take(t, folder, work)
		was := contents(t, work, everything)
		write(t, filepath.Join(folder, "a", c.file), c.text)
		_, err := listings.Take(t.Context(), listings.Options{Work: work, Sources: sources(folder),
			Accepted: []schemas.Acceptance{{Gate: c.gate, Reason: "x"}}})
		switch {
		case c.held == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.held != "" && (!errors.Is(err, listings.ErrFewer) || !strings.Contains(err.Error(), c.held)):
			t.Errorf("%s: error %v, want %s", name, err, c.held)
		case c.held != "" && cmp.Diff(was, contents(t, work, everything)) != "":
			t.Errorf("%s: a day that is held back changed the listings", name)
		}
	}
}

// TestCopiesOfASale: copies of a sale of a parcel or an address are one sale, and the report counts them.
func TestCopiesOfASale(t *testing.T) {
	folder, work := t.TempDir(), filepath.Join(t.TempDir(), "work")
	sale := func(more string) string {
		return `{"CloseDate":"2024-01-02","ClosePrice":500000,"StateOrProvince":"NY","PostalCode":"10001",` + more + "}\n"
	}
	parcel, address, unit := sale(`"ParcelNumber":"1/376/24"`), sale(`"UnparsedAddress":"12 Main St"`),
		sale(`"UnparsedAddress":"12 Main Street, 4B"`)
	write(t, filepath.Join(folder, "a", "a.jsonl"), parcel+parcel+sale(`"ParcelNumber":"1/376/24","YearBuilt":1900`)+address+address+unit)
	write(t, filepath.Join(folder, "b", "b.jsonl"), `{"ListingKey":"1","StandardStatus":"Active"}`)
	if c := take(t, folder, work); c.Listings != 4 {
		t.Errorf("%d listings, want three sales and one more", c.Listings)
	}
	if issues := contents(t, work, "SELECT code, rows::VARCHAR FROM listing_issue"); issues["copy_of_a_sale"] != "3\n" {
		t.Errorf("%v", issues)
	}
}
