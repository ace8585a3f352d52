package duck_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/sqlrow"
)

type batchKey struct {
	Key string `col:"key"`
}

type batchRow struct {
	note string // no column
	batchKey
	Flag   bool     `col:"flag"`
	Small  uint8    `col:"small"`
	Day    *int32   `col:"day"`
	Count  int64    `col:"count"`
	Large  *int64   `col:"large"`
	Text   string   `col:"text,null"`
	Degree *float64 `col:"degree"`
	Other  int32    `col:"other"`
}

// Rows read in batches are those that are read one by one.
func TestBatchesAreTheRows(t *testing.T) {
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	query := `SELECT 'k' || i AS key, i % 3 = 0 AS flag, (i % 200)::UTINYINT AS small, CASE WHEN i % 5 <> 0 THEN (i - 3000)::INTEGER END AS day,
i * 10000000000 AS count, CASE WHEN i % 7 = 0 THEN i END AS large, CASE WHEN i % 2 = 0 THEN 'é' || i END AS text, CASE WHEN i % 4 <> 0 THEN i / 8 END AS degree, 5::INTEGER AS other
FROM range(10000) r(i) ORDER BY i`
	var want, got []string
	text := func(r *batchRow) string {
		return fmt.Sprint(r.note, r.Key, r.Flag, r.Small, value(r.Day), r.Count, value(r.Large), r.Text, value(r.Degree), r.Other)
	}
	for row, err := range sqlrow.Select[batchRow](t.Context(), db, query) {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, text(row))
	}
	batches := 0
	err = duck.Batches(t.Context(), db, query, func(b *duck.Batch[batchRow]) error {
		defer b.Release()
		batches++
		for i := range b.Rows {
			got = append(got, text(&b.Rows[i]))
		}
		return nil
	})
	if err != nil || len(want) != 10_000 || !reflect.DeepEqual(got, want) {
		t.Fatalf("error %v, %d rows of %d, or others", err, len(got), len(want))
	}
	if batches < 2 {
		t.Errorf("%d batch", batches)
	}
}

func value[V any](p *V) any {
	if p == nil {
		return nil
	}
	return *p
}

func TestBatchesRefuse(t *testing.T) {
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for query, want := range map[string]string{
		"SELECT 1 AS colour":      "no field for column colour",
		"SELECT 1::BIGINT AS day": "column day is of type int64",
		"SELECT * FROM nowhere":   "nowhere",
	} {
		err := duck.Batches(t.Context(), db, query, func(b *duck.Batch[batchRow]) error { b.Release(); return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", query, err, want)
		}
	}
	failed := fmt.Errorf("enough")
	if err := duck.Batches(t.Context(), db, "SELECT 'a' AS key",
		func(b *duck.Batch[batchRow]) error { b.Release(); return failed }); err != failed {
		t.Errorf("error %v of a visit, want %v", err, failed)
	}
}
