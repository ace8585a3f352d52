package assembly

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/schemas"
)

// POIs come by fid, however many parts they are divided into, and none is left behind.
func TestPOIsInParts(t *testing.T) {
	defer func(n int) { sortedPOIs = n }(sortedPOIs)
	sortedPOIs = 7
	for _, count := range []int{0, 1, 7, 8, 100} {
		scratch := filepath.Join(t.TempDir(), "of [a] 'b'*")
		if err := os.Mkdir(scratch, 0o755); err != nil {
			t.Fatal(err)
		}
		a := &Assembly{scratch: scratch}
		var err error
		if a.db, err = duck.Create(filepath.Join(scratch, "all.duckdb"), query("assembly")+schemas.Derived); err != nil {
			t.Fatal(err)
		}
		if a.conn, err = a.db.Conn(t.Context()); err != nil {
			t.Fatal(err)
		}
		err = a.exec(t.Context(), "CREATE TABLE poi_row AS SELECT 0 AS region, '' AS as_of, * FROM poi LIMIT 0",
			"INSERT INTO region VALUES (0, 'here')",
			fmt.Sprintf("INSERT INTO poi_row BY NAME SELECT 0 AS region, '' AS as_of, 'k' || i AS poi_key, 's' AS source_id, "+
				"i / 1000 AS lng, 0 AS lat, 'n' AS name, 'CA' AS country_code, 'cafes' AS categories, '' AS base_categories, "+
				"'' AS brands, '' AS tags FROM range(%d) AS r(i)", count),
			"INSERT INTO poi_order SELECT rowid, poi_key, 0, (rowid * 37) % (SELECT count(*) FROM poi_row) + 1 FROM poi_row")
		if err != nil {
			t.Fatal(err)
		}
		next := 0
		for p, err := range a.POIs(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			next++
			number := 0
			for number*37%count != next-1 {
				number++
			}
			if p.FID != int64(next) || p.Key != fmt.Sprint("k", number) || p.Region != "here" || p.Lng != float64(number)/1000 {
				t.Fatalf("place %d is %+v, want k%d", next, p, number)
			}
		}
		if next != count {
			t.Errorf("%d places of %d", next, count)
		}
		if _, err := os.Stat(filepath.Join(scratch, "pois")); err == nil {
			t.Error("the parts are left")
		}
		a.Close()
	}
}
