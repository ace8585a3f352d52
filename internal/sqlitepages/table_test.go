package sqlitepages

import (
	"bytes"
	"database/sql"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	_ "github.com/mattn/go-sqlite3"
	"pgregory.net/rapid"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// create makes a file with an empty table and another one, and returns its path and the root of the table.
func create(t testing.TB, size int) (string, uint32) {
	path := filepath.Join(t.TempDir(), "x.sqlite")
	db, err := sql.Open("sqlite3", path)
	must(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec(fmt.Sprintf("PRAGMA page_size = %d; CREATE TABLE big (row INTEGER PRIMARY KEY, i INTEGER, f REAL, s TEXT); CREATE "+
		"TABLE other AS SELECT 7 AS n", size))
	must(t, err)
	var root uint32
	must(t, db.QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = 'big'").Scan(&root))
	return path, root
}

type row struct {
	number int64
	i      sql.NullInt64
	f      sql.NullFloat64
	s      sql.NullString
}

func (r row) record() *Record {
	rec := new(Record)
	rec.Null()
	if rec.Null(); r.i.Valid {
		rec.types = rec.types[:len(rec.types)-1]
		rec.Int(r.i.Int64)
	}
	if rec.Null(); r.f.Valid {
		rec.types = rec.types[:len(rec.types)-1]
		rec.Float(r.f.Float64)
	}
	if rec.Null(); r.s.Valid {
		rec.types = rec.types[:len(rec.types)-1]
		rec.Text(r.s.String)
	}
	return rec
}

func pagesOf(rows []row, size int) []byte {
	l := NewLeaves(size, nil)
	for _, r := range rows {
		l.Add(r.number, r.record())
	}
	return l.Take()
}

// check compares what SQLite reads with rows, after its own check of the file.
func check(t failer, path string, rows []row) {
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Fatal(verdict, err)
	}
	found, err := db.Query("SELECT row, i, f, s FROM big ORDER BY row")
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	n := 0
	for ; found.Next(); n++ {
		var got row
		if err := found.Scan(&got.number, &got.i, &got.f, &got.s); err != nil || n >= len(rows) || got != rows[n] {
			t.Fatal("row", n, got, err)
		}
	}
	if n != len(rows) {
		t.Fatal(n, "rows, want", len(rows))
	}
	if len(rows) > 0 {
		var s sql.NullString
		last := rows[len(rows)/2]
		if err := db.QueryRow("SELECT s FROM big WHERE row = ?", last.number).Scan(&s); err != nil || s != last.s {
			t.Fatal("row", last.number, s, err)
		}
	}
}

type failer interface{ Fatal(args ...any) }

func fill(t failer, path string, root uint32, sections ...[]byte) {
	w, err := Append(path, root)
	for _, pages := range sections {
		if err == nil {
			err = w.Add(pages)
		}
	}
	if err == nil {
		err = w.Finish()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestTable compares tables with what SQLite reads, and copies runs of rows from one file to another.
func TestTable(t *testing.T) {
	integer := rapid.Custom(func(t *rapid.T) int64 {
		return rapid.Int64().Draw(t, "v") >> rapid.IntRange(0, 63).Draw(t, "shift")
	})
	rapid.Check(t, func(rt *rapid.T) {
		size := rapid.SampledFrom([]int{512, 4096, 8192}).Draw(rt, "page size")
		number := int64(0)
		var sections [][]row
		var pages [][]byte
		var all []row
		for range rapid.IntRange(0, 5).Draw(rt, "sections") {
			var list []row
			for range rapid.IntRange(1, rapid.SampledFrom([]int{3, 60, 3000}).Draw(rt, "most")).Draw(rt, "rows") {
				number += 1 + rapid.Int64Range(0, 1<<uint(rapid.IntRange(0, 35).Draw(rt, "step"))).Draw(rt, "gap")
				r := row{number: number}
				if rapid.Bool().Draw(rt, "known") {
					r.i = sql.NullInt64{Int64: integer.Draw(rt, "i"), Valid: true}
					r.f = sql.NullFloat64{Float64: float64(integer.Draw(rt, "f")) / 8, Valid: true}
					r.s = sql.NullString{String: rapid.StringMatching(`[a-z]{0,57}`).Draw(rt, "s"), Valid: true}
				}
				list = append(list, r)
			}
			sections, pages, all = append(sections, list), append(pages, pagesOf(list, size)), append(all, list...)
		}
		path, root := create(t, size)
		fill(rt, path, root, pages...)
		check(rt, path, all)
		r, err := Open(path, root)
		must(t, err)
		defer r.Close()
		if len(sections) == 0 {
			if none, err := r.Pages(nil, 0, 9); err != nil || len(none) > 0 || r.Bytes() != 0 {
				rt.Fatal(len(none), r.Bytes(), err)
			}
			return
		}
		n := rapid.IntRange(0, len(sections)-1).Draw(rt, "copied")
		copied, err := r.Pages(nil, sections[n][0].number, sections[n][len(sections[n])-1].number)
		if err != nil || !bytes.Equal(copied, pages[n]) {
			rt.Fatal("section", n, "is not what was written", err)
		}
		other, root := create(t, size)
		fill(rt, other, root, copied)
		check(rt, other, sections[n])
	})
}

// TestLockPage writes a table around the page that SQLite locks.
func TestLockPage(t *testing.T) {
	path, root := create(t, 32768)
	var list []row
	for n := range int64(400) {
		list = append(list, row{number: n + 1, s: sql.NullString{String: "0123456789012345678901234567890123456789012345678901234567",
			Valid: true}})
	}
	for i := range list {
		list[i].s.String = list[i].s.String[:57]
	}
	w, err := Append(path, root)
	must(t, err)
	before := w.next
	w.next = lockByte/32768 - 3
	must(t, w.out.Flush())
	_, err = w.file.Seek(w.offset(w.next), 0)
	must(t, err)
	for i := range list {
		must(t, w.Add(pagesOf(list[i:i+1], 32768))) // a page each
	}
	must(t, w.Finish())
	for _, c := range w.leaves {
		if w.offset(c.page) == lockByte {
			t.Error("a leaf in the page of the lock")
		}
	}
	db, err := sql.Open("sqlite3", path)
	must(t, err)
	defer db.Close()
	var count int64
	must(t, db.QueryRow("SELECT sum(row) FROM big").Scan(&count))
	if want := int64(400 * 401 / 2); count != want {
		t.Errorf("sum %d, want %d, from page %d", count, want, before)
	}
}

// FuzzReader reads damaged files, which must not panic.
func FuzzReader(f *testing.F) {
	path, root := create(f, 512)
	var list []row
	for n := range int64(300) {
		list = append(list, row{number: n + 1, i: sql.NullInt64{Int64: math.MaxInt64 >> (n % 60), Valid: true}})
	}
	fill(f, path, root, pagesOf(list, 512))
	data, err := os.ReadFile(path)
	must(f, err)
	f.Add(data, uint16(0), byte(1))
	f.Fuzz(func(t *testing.T, data []byte, at uint16, flip byte) {
		if len(data) > int(at) {
			data = bytes.Clone(data)
			data[at] ^= flip
		}
		file := filepath.Join(t.TempDir(), "f")
		must(t, os.WriteFile(file, data, 0o644))
		r, err := Open(file, root)
		if err != nil {
			return
		}
		defer r.Close()
		_, _ = r.Pages(nil, 1, 300)
	})
}
