package listings_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quartier/ingest/kinds/reso"
	"quartier/ingest/listings"
	"quartier/ingest/source"
	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/staged"
)

// sources are two sources in folders of their own.
func sources(folder string) []listings.Source {
	var list []listings.Source
	for i, id := range []string{"a", "b"} {
		path := filepath.Join(folder, id)
		list = append(list, listings.Source{
			ListingSource: staged.ListingSource{SourceID: id, Position: int32(i)}, Kind: reso.Kind,
			Input: source.Input{Source: id, Path: path, Country: "US"},
		})
	}
	return list
}

func take(t rapid.TB, folder, work string) listings.Changes {
	t.Helper()
	changes, err := listings.Take(context.Background(),
		listings.Options{Work: work, Sources: sources(folder), Accepted: []schemas.Acceptance{{Gate: "rows", Reason: "files come and go"}}})
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

// contents are the listings with their changes by system and key, as texts.
func contents(t rapid.TB, work, query string) map[string]string {
	t.Helper()
	db, err := duck.Open(filepath.Join(work, listings.File))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	found := map[string]string{}
	for rows.Next() {
		var key, text string
		if err := rows.Scan(&key, &text); err != nil {
			t.Fatal(err)
		}
		found[key] += text + "\n"
	}
	return found
}

// What the views have, and what of it matters: not the place of a record in its file.
const (
	everything = "SELECT system || '/' || listing_key, l::VARCHAR FROM listing l UNION ALL SELECT system || '/' || listing_key, c::VARCHAR " +
		"FROM listing_change c ORDER BY ALL"
	meaning = "SELECT system || '/' || listing_key, l::VARCHAR FROM (SELECT * EXCLUDE (file, row) FROM listing) l UNION ALL " +
		"SELECT system || '/' || listing_key, c::VARCHAR FROM (SELECT * EXCLUDE (file, row, source_id) FROM listing_change) c ORDER BY ALL"
)

// sameNumbers checks that the number of every record is that of its key, which those of equal sales get in the database.
func sameNumbers(t rapid.TB, work string) {
	t.Helper()
	db, err := duck.Open(filepath.Join(work, listings.File))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for row, err := range sqlrow.Select[staged.ListingRecord](context.Background(), db, "SELECT * FROM listing_record") {
		if err != nil {
			t.Fatal(err)
		}
		h := fnv.New64a()
		fmt.Fprintf(h, "%s\x00%s", row.System, row.Key)
		if int64(h.Sum64()) != row.KeyHash {
			t.Errorf("%s %s has the number %d, want %d", row.System, row.Key, row.KeyHash, int64(h.Sum64()))
		}
	}
}

// record is a record of one of a few listings, at one of a few times.
func record(t *rapid.T) string {
	key := rapid.IntRange(1, 6).Draw(t, "key")
	at := fmt.Sprintf("2024-03-0%dT10:00:00Z", rapid.IntRange(1, 4).Draw(t, "time"))
	price := 100_000 * rapid.IntRange(1, 3).Draw(t, "price")
	system := rapid.SampledFrom([]string{"", `"OriginatingSystemName":"x",`}).Draw(t, "system")
	switch rapid.IntRange(0, 5).Draw(t, "record") {
	case 0:
		return fmt.Sprintf(`{%s"ResourceRecordKey":"%d","FieldName":"ListPrice","NewValue":"%d","ModificationTimestamp":"%s"}`, system, key,
			price, at)
	case 1:
		return fmt.Sprintf(`{"CloseDate":"2024-01-0%d","ClosePrice":%d,"PostalCode":"98101"}`, key, price)
	case 2:
		return fmt.Sprintf(`{%s"ListingKey":"%d","StandardStatus":"Delete","ModificationTimestamp":"%s"}`, system, key, at)
	}
	return fmt.Sprintf(`{%s"ListingKey":"%d","StandardStatus":"Active","OnMarketDate":"2024-03-01","ListPrice":%d,`+
		`"ModificationTimestamp":"%s"}`, system, key, price, at)
}

// TestFilesAlone: after any files came, changed and went, the database has what it would have from nothing, and what an
// intake lists is what changed.
func TestFilesAlone(t *testing.T) {
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		checks.Value.Set("15") // each makes several databases
		defer checks.Value.Set(checks.DefValue)
	}
	rapid.Check(t, func(t *rapid.T) {
		folder, err := os.MkdirTemp("", "listings-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(folder)
		write(t, filepath.Join(folder, "a", "keep.jsonl"), record(t)) // a source has a file at least
		write(t, filepath.Join(folder, "b", "keep.jsonl"), `{"ListingKey":"keep","StandardStatus":"Active"}`)
		work := filepath.Join(folder, "work")
		before := map[string]string{}
		days := rapid.IntRange(1, 4).Draw(t, "days")
		for day := range days {
			for range rapid.IntRange(0, 3).Draw(t, "files") {
				path := filepath.Join(folder, rapid.SampledFrom([]string{"a", "b"}).Draw(t, "source"),
					fmt.Sprintf("%d.jsonl", rapid.IntRange(1, 3).Draw(t, "file")))
				if records := rapid.SliceOfN(rapid.Custom(record), 0, 5).Draw(t, "records"); len(records) > 0 {
					write(t, path, strings.Join(records, "\n"))
				} else if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Fatal(err)
				}
			}
			changes := take(t, folder, work)
			after := contents(t, work, meaning)
			listed := contents(t, work, fmt.Sprintf("SELECT system || '/' || listing_key, change FROM listing_changed WHERE generation = %d",
				changes.Generation))
			if changes.Added+changes.Changed+changes.Removed == 0 {
				listed = map[string]string{}
			}
			if diff := cmp.Diff(difference(before, after), listed); diff != "" {
				t.Fatalf("day %d, what changed (-by comparison +as listed):\n%s", day, diff)
			}
			before = after
		}
		fresh := filepath.Join(folder, "fresh")
		take(t, folder, fresh)
		if diff := cmp.Diff(contents(t, fresh, everything), contents(t, work, everything)); diff != "" {
			t.Fatalf("what is there (-from nothing +day by day):\n%s", diff)
		}
	})
}

func write(t rapid.TB, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text+"\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// difference is what an intake lists between two states: listings that came and went, and those that are another or have
// another history, which a key may have without a listing.
func difference(before, after map[string]string) map[string]string {
	listed := func(state map[string]string, key string) bool { return strings.Contains(state[key], "'on_day'") }
	list := map[string]string{}
	for _, state := range []map[string]string{before, after} {
		for key := range state {
			switch was, is := listed(before, key), listed(after, key); {
			case before[key] == after[key]:
			case !was && is:
				list[key] = "added\n"
			case was && !is:
				list[key] = "removed\n"
			default:
				list[key] = "changed\n"
			}
		}
	}
	return list
}

// TestKeepsEqualSales: equal sales of a file are as many homes, and a sale that two files have is one.
func TestKeepsEqualSales(t *testing.T) {
	folder, work := t.TempDir(), filepath.Join(t.TempDir(), "work")
	sale, other := `{"CloseDate":"2024-01-02","ClosePrice":500000,"PostalCode":"98101"}`,
		`{"CloseDate":"2024-01-03","ClosePrice":500000,"PostalCode":"98101"}`
	write(t, filepath.Join(folder, "a", "2024.jsonl"), sale+"\n"+sale+"\n"+other)
	write(t, filepath.Join(folder, "b", "b.jsonl"), `{"ListingKey":"1","StandardStatus":"Active"}`)
	if c := take(t, folder, work); c.Listings != 4 {
		t.Errorf("%d listings, want 4", c.Listings)
	}
	write(t, filepath.Join(folder, "a", "2024-rolling.jsonl"), sale+"\n"+sale+"\n"+sale)
	if c := take(t, folder, work); c.Listings != 5 || c.Added != 1 {
		t.Errorf("%+v, want one sale more: the third one", c)
	}
	sameNumbers(t, work)
}

// TestFailedIntake: a source that is refused, or a file that is missing, leaves what was there; a file that breaks off is
// taken in as far as it goes.
func TestFailedIntake(t *testing.T) {
	folder, work := t.TempDir(), filepath.Join(t.TempDir(), "work")
	active := `{"ListingKey":"1","StandardStatus":"Active","ListPrice":500000}`
	write(t, filepath.Join(folder, "a", "1.jsonl"), active)
	write(t, filepath.Join(folder, "b", "1.jsonl"), active)
	take(t, folder, work)
	was := contents(t, work, everything)
	broken := filepath.Join(folder, "a", "2.json")
	write(t, broken, `{"value":[{"StandardStatus":"Active"},{"StandardStatus":"Active"},{"ListingKey":"2","StandardStatus":"Active"}`)
	share, all := 0.5, sources(folder)
	all[0].MaxRejected = &share
	if _, err := listings.Take(t.Context(), listings.Options{Work: work, Sources: all}); !errors.Is(err, source.ErrTooManyRejects) ||
		!strings.Contains(err.Error(), "listing_without_key") {
		t.Errorf("error %v, want too many rejects", err)
	}
	all[1].Input.Path += "x"
	if _, err := listings.Take(t.Context(), listings.Options{Work: work, Sources: all}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v of a folder that is not there", err)
	}
	if diff := cmp.Diff(was, contents(t, work, everything)); diff != "" {
		t.Errorf("after errors (-before +after):\n%s", diff)
	}
	if c := take(t, folder, work); c.Added != 1 || c.FilesRead != 1 {
		t.Errorf("%+v, want the listing before the break", c)
	}
	issues := contents(t, work, "SELECT code, rows || ' ' || example FROM listing_issue")
	if !strings.Contains(issues["file_breaks_off"], "2.json") || issues["listing_without_key"] == "" {
		t.Errorf("issues %v", issues)
	}
	write(t, broken, `{"value":[{"ListingKey":"2","StandardStatus":"Active"},{"ListingKey":"3","StandardStatus":"Active"}]}`)
	if c := take(t, folder, work); c.Added != 1 || c.Changed != 0 || c.FilesGone != 1 {
		t.Errorf("%+v, want the listing behind the break", c)
	}
	if err := os.WriteFile(filepath.Join(work, listings.File), []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := listings.Take(t.Context(), listings.Options{Work: work, Sources: sources(folder)}); err == nil ||
		!strings.Contains(err.Error(), listings.File) {
		t.Errorf("error %v of a damaged database", err)
	}
}
