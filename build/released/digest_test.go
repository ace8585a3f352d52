package released

import (
	"context"
	"database/sql"
	"testing"
)

func TestDigestDistinguishesContents(t *testing.T) {
	db, err := sql.Open("sqlite3", "file::memory:")
	must(t, err)
	db.SetMaxOpenConns(1)
	defer db.Close()
	_, err = db.Exec("CREATE TABLE t (a, b)")
	must(t, err)
	seen := map[string]string{}
	for _, values := range []string{
		"('x', 'y')", "('xy', '')", "('', 'xy')", "(NULL, 'xy')", "('xy', NULL)", "(1, 2)", "(1.0, 2)", "('1', 2)", "(x'31', 2)",
		"('x', 'y'), ('x', 'y')",
	} {
		_, err := db.Exec("DELETE FROM t; INSERT INTO t VALUES " + values)
		must(t, err)
		got, err := DigestTable(context.Background(), db, "t")
		must(t, err)
		if other, ok := seen[got.Digest]; ok {
			t.Errorf("%s has the digest of %s", values, other)
		}
		seen[got.Digest] = values
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
