package duck_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
)

const ddl = "CREATE TABLE t (key VARCHAR PRIMARY KEY, n BIGINT, b BLOB)"

func create(t *testing.T) *duck.DB {
	t.Helper()
	db, err := duck.Create(t.TempDir()+"/a.duckdb", ddl)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Rows beyond the memory limit are in the table before Close.
func TestAppendIsFlushedOnTheWay(t *testing.T) {
	db := create(t)
	a, err := db.Append(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	const rows = duck.FlushRows + 10
	for i := range rows {
		if err := a.Row(fmt.Sprint(i), int64(i), nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := count(t, db); got != duck.FlushRows {
		t.Errorf("%d rows before Close, want %d", got, duck.FlushRows)
	}
	if err := a.Row("big", int64(0), make([]byte, duck.FlushBytes)); err != nil {
		t.Fatal(err)
	}
	if got := count(t, db); got != rows+1 {
		t.Errorf("%d rows behind a big one, want %d", got, rows+1)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if got := count(t, db); got != rows+1 {
		t.Errorf("%d rows, want %d", got, rows+1)
	}
}

// A writer finds the columns by their names, and refuses a table with others.
func TestWriter(t *testing.T) {
	db := create(t)
	type row struct {
		N   int64  `col:"n,null"`
		B   []byte `col:"b,null"`
		Key string `col:"key"`
	}
	if err := duck.Write(t.Context(), db, "t", slices.Values([]row{{1, []byte("x"), "a"}, {Key: "b"}})); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := db.QueryRow("SELECT count(*) FROM t WHERE (key, n, b) = ('a', 1, 'x') OR key = 'b' AND n IS NULL AND b IS NULL").
		Scan(&n); err != nil || n != 2 {
		t.Errorf("%d rows, %v", n, err)
	}
	type other struct {
		Key string `col:"key"`
	}
	if _, err := duck.NewWriter[other](t.Context(), db, "t"); err == nil || !strings.Contains(err.Error(), "has no field for column n") {
		t.Error(err)
	}
}

func count(t *testing.T, db *duck.DB) (n int) {
	t.Helper()
	if err := db.QueryRow("SELECT count(*) FROM t").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestKeyThatStandsTwice(t *testing.T) {
	a, err := create(t).Append(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.Row("same", int64(1), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err == nil || !strings.Contains(err.Error(), "append to t") {
		t.Error(err)
	}
}

func TestCreateWantsANewFileAndOpenAnOldOne(t *testing.T) {
	path := t.TempDir() + "/a.duckdb"
	if _, err := duck.Open(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("open: %v", err)
	}
	db, err := duck.Create(path, ddl)
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	if _, err := duck.Create(path, ddl); !errors.Is(err, os.ErrExist) {
		t.Errorf("create: %v", err)
	}
}

// The digest depends on every value, type and column, but not on the order of rows.
func TestDigest(t *testing.T) {
	digest := func(statements ...string) string {
		db, err := duck.Memory()
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for _, s := range statements {
			if _, err := db.Exec(s); err != nil {
				t.Fatal(err)
			}
		}
		tables, err := duck.Digest(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		return duck.Sum(tables)
	}
	table := "CREATE TABLE t (a VARCHAR, b DOUBLE, c BLOB, d BOOLEAN)"
	base := digest(table, "INSERT INTO t VALUES ('x', 1, 'y', true), ('z', NULL, NULL, NULL)")
	if base != digest(table, "INSERT INTO t VALUES ('z', NULL, NULL, NULL), ('x', 1, 'y', true)") {
		t.Error("the order of rows shows")
	}
	for _, other := range [][]string{
		{table, "INSERT INTO t VALUES ('x', 1, 'y', false), ('z', NULL, NULL, NULL)"},
		{table, "INSERT INTO t VALUES ('x', 1.0000001, 'y', true), ('z', NULL, NULL, NULL)"},
		{table, "INSERT INTO t VALUES ('x', 1, 'y', true), ('z', NULL, NULL, NULL), ('z', NULL, NULL, NULL)"},
		{table, "INSERT INTO t VALUES ('x', 1, 'y', true), ('z', NULL, '', NULL)"},
		{"CREATE TABLE t (a VARCHAR, e DOUBLE, c BLOB, d BOOLEAN)", "INSERT INTO t VALUES ('x', 1, 'y', true), ('z', NULL, NULL, NULL)"},
		{"CREATE TABLE u (a VARCHAR, b DOUBLE, c BLOB, d BOOLEAN)", "INSERT INTO u VALUES ('x', 1, 'y', true), ('z', NULL, NULL, NULL)"},
		{table, "INSERT INTO t VALUES ('x', 1, 'y', true), ('z', NULL, NULL, NULL)", "CREATE TABLE empty (a INTEGER)"},
	} {
		if digest(other...) == base {
			t.Errorf("%q has the same digest", other)
		}
	}
}

// TestContentIsOfRows writes rows in another order and other rows.
func TestContentIsOfRows(t *testing.T) {
	contents := map[string]string{}
	for name, rows := range map[string]string{
		"first": "(1, 'a'), (2, NULL), (2, NULL)", "other order": "(2, NULL), (1, 'a'), (2, NULL)", "fewer": "(1, 'a'), (2, NULL)",
		"other": "(1, 'a'), (2, NULL), (3, NULL)", "twice": "(1, 'a'), (1, 'a'), (2, NULL)",
	} {
		path := filepath.Join(t.TempDir(), "file.duckdb")
		db, err := duck.Create(path, "CREATE TABLE empty (a INTEGER); CREATE TABLE t (n INTEGER, text VARCHAR); INSERT INTO t VALUES "+rows)
		if err == nil {
			err = db.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		if contents[name], err = duck.Content(t.Context(), path); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range contents {
		if same := name == "first" || name == "other order"; same != (content == contents["first"]) || content == "" {
			t.Errorf("%s has content %q, the first %q", name, content, contents["first"])
		}
	}
}
