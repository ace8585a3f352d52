package geoparquet

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"quartier/ingest/source"
	"quartier/internal/duck"
)

// Rows that are sorted in parts are in the same order as those that are sorted at once; rows without a key are last.
func TestSortedInParts(t *testing.T) {
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	file := filepath.Join(t.TempDir(), "rows.parquet")
	if _, err := db.Exec("COPY (SELECT if(i % 100 = 0, NULL, if(i % 10 = 0, 'it''s', md5(i::VARCHAR))) AS id, i AS number FROM range(20000) " +
		"AS r(i)) TO " + Quote(file) + " (FORMAT parquet)"); err != nil {
		t.Fatal(err)
	}
	sorted := func(most, page int) (rows []string, folder string) {
		table, err := Open(t.Context(), []string{file}, source.Limits{}, Memory)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		c, err := table.Sorted(t.Context(), "SELECT id, number FROM "+table.From, []string{"id", "number"}, most, page)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(table.parts()); err == nil {
			t.Error("parts are left")
		}
		for number := 0; ; number++ {
			n, err := c.Page(t.Context(), "concat_ws(' ', coalesce(id, 'none'), number)", number, func(r *sql.Rows) error {
				var row string
				err := r.Scan(&row)
				rows = append(rows, row)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if n == 0 {
				return rows, table.folder
			}
		}
	}
	want, _ := sorted(20_000, 6000)
	if len(want) != 20_000 || want[19_999] != "none 19900" {
		t.Fatalf("%d rows, the last %q", len(want), want[len(want)-1])
	}
	for _, most := range []int{100, 3000, 19_999} {
		got, folder := sorted(most, 3500)
		if len(got) != len(want) {
			t.Fatalf("%d rows in parts of %d, want %d", len(got), most, len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("row %d of parts of %d is %q, want %q", i, most, got[i], want[i])
			}
		}
		if _, err := os.Stat(folder); err == nil {
			t.Error("temporary files are left")
		}
	}
}
