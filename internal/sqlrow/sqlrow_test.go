package sqlrow_test

import (
	"database/sql"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "github.com/mattn/go-sqlite3"

	"quartier/internal/sqlrow"
)

const ddl = `
-- A table with every type of column.
CREATE TABLE thing (
    key     TEXT PRIMARY KEY,    -- a comment, with a comma
    name    TEXT,
    text    TEXT NOT NULL,
    size    REAL,
    weight  REAL,
    yes     BOOLEAN NOT NULL,
    lanes   INTEGER,
    count   INTEGER,
    blob    BLOB,
    geom    POINT NOT NULL,
    UNIQUE (name, text)
);
CREATE TABLE other (
    key TEXT
);
`

type contact struct {
	Name string `col:"name,null"`
	Text string `col:"text"`
}

type thing struct {
	Key string `col:"key"`
	contact
	Size   *float64 `col:"size"`
	Weight float64  `col:"weight,null"`
	Yes    bool     `col:"yes"`
	Lanes  int32    `col:"lanes,null"`
	Count  *int64   `col:"count"`
	Blob   []byte   `col:"blob,null"`
	Geom   []byte   `col:"geom"`
}

func open(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	if _, err := db.Exec(ddl); err != nil {
		t.Fatal(err)
	}
	return db
}

// Rows come back as they were written, zero values and NULL included.
func TestRoundTrip(t *testing.T) {
	db := open(t)
	size, count := 2.5, int64(0)
	want := []thing{
		{Key: "a", Geom: []byte{1}},
		{
			Key: "b", contact: contact{"Bee", "text"}, Size: &size, Weight: 1, Yes: true, Lanes: 3, Count: &count,
			Blob: []byte{}, Geom: []byte{2, 3},
		},
	}
	if err := sqlrow.Insert(t.Context(), db, "thing", want...); err != nil {
		t.Fatal(err)
	}
	got, err := sqlrow.All[thing](t.Context(), db,
		"SELECT geom, "+strings.Replace(sqlrow.List[thing]("t."), ", t.geom", "", 1)+" FROM thing AS t ORDER BY t.key")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(thing{}, contact{})); diff != "" {
		t.Error(diff)
	}
	var nulls int
	err = db.QueryRow(`SELECT count(*) FROM thing WHERE name IS NULL AND text = '' AND size IS NULL AND weight IS NULL
		AND NOT yes AND lanes IS NULL AND count IS NULL AND blob IS NULL`).Scan(&nulls)
	if err != nil || nulls != 1 {
		t.Errorf("%d rows of NULLs, %v; want 1", nulls, err)
	}
}

func TestSelectWantsTheColumnsOfTheRow(t *testing.T) {
	db := open(t)
	for query, want := range map[string]string{
		"SELECT key FROM other":               "column name of sqlrow_test.thing is missing",
		"SELECT *, 1 AS more FROM thing":      "has no field for column more",
		"SELECT * FROM nowhere":               "nowhere",
		"SELECT * FROM thing WHERE missing=1": "missing",
	} {
		if _, err := sqlrow.All[thing](t.Context(), db, query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", query, err, want)
		}
	}
}

func TestTexts(t *testing.T) {
	row := thing{Key: " a ", contact: contact{Name: " b"}}
	sqlrow.Texts(&row, func(_ string, text *string) { *text = strings.TrimSpace(*text) })
	if row.Key != "a" || row.Name != "b" {
		t.Errorf("%+v", row)
	}
}

// Each passes the columns of every row in their order, and stops at the first error.
func TestVisit(t *testing.T) {
	db := open(t)
	const query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT %s FROM n ORDER BY i"
	var got []string
	add := func(values ...any) error {
		got = append(got, fmt.Sprint(values...))
		if len(got) == 2 {
			return io.EOF
		}
		return nil
	}
	for columns, visit := range map[string]func(*sql.Rows) error{
		"i, 2*i":                sqlrow.Visit2(func(a, b int) error { return add(a, b) }),
		"i, 2*i, NULL":          sqlrow.Visit3(func(a, b int, c *int) error { return add(a, b, c) }),
		"i, 2*i, 3, 4":          sqlrow.Visit4(func(a, b, c, d int) error { return add(a, b, c, d) }),
		"i, 2*i, 3, 4, x'3536'": sqlrow.Visit5(func(a, b, c, d int, e sql.RawBytes) error { return add(a, b, c, d, string(e)) }),
	} {
		got = nil
		err := sqlrow.Each(t.Context(), db, fmt.Sprintf(query, columns), visit)
		rest := map[int]string{1: "", 2: " <nil>", 3: " 3 4", 4: " 3 456"}[strings.Count(columns, ",")]
		if want := []string{"1 2" + rest, "2 4" + rest}; err != io.EOF || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", columns, got, err, want)
		}
	}
	if err := sqlrow.Each(t.Context(), db, "SELECT 1", sqlrow.Visit2(func(int, int) error { return nil })); err == nil {
		t.Error("one column was taken for two")
	}
}
