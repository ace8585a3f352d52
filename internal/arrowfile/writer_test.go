package arrowfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/geo"
)

// columns of the files of these tests, each with values that are absent.
var testSchema = arrow.NewSchema([]arrow.Field{
	{Name: "n", Type: arrow.PrimitiveTypes.Int64},
	{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "score", Type: &arrow.Decimal128Type{Precision: 5, Scale: 4}, Nullable: true},
	{Name: "people", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "day", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
	{Name: "geometry", Type: arrow.BinaryTypes.Binary, Nullable: true},
}, nil)

// testRows are some rows, from a number on.
func testRows(t testing.TB, from, n int) arrow.Record {
	t.Helper()
	b := array.NewRecordBuilder(memory.DefaultAllocator, testSchema)
	defer b.Release()
	for i := from; i < from+n; i++ {
		b.Field(0).(*array.Int64Builder).Append(int64(i))
		if i%7 == 3 {
			for c := 1; c < 6; c++ {
				b.Field(c).AppendNull()
			}
			continue
		}
		b.Field(1).(*array.StringBuilder).Append(fmt.Sprintf(`Rue n° %d, "B"`, i%50))
		b.Field(2).(*array.Decimal128Builder).Append(decimal128.FromI64(int64(i%100001 - 50000)))
		b.Field(3).(*array.Float64Builder).Append(float64(i) / 3)
		b.Field(4).(*array.Date32Builder).Append(arrow.Date32(i))
		wkb, err := geo.WKB(testPoint(i))
		if err != nil {
			t.Fatal(err)
		}
		b.Field(5).(*array.BinaryBuilder).Append(wkb)
	}
	return b.NewRecord()
}

func testPoint(i int) orb.Point {
	return orb.Point{-75 + float64(i)*1e-5, 45 + float64(i%10)*1e-7}
}

// write writes rows 0 to n-1 in batches.
func write(t testing.TB, o Options, n, batch int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	writeFile(t, path, o, 0, n, batch)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func writeFile(t testing.TB, path string, o Options, from, n, batch int) {
	t.Helper()
	w, err := Create(path, testSchema, o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for at := from; at < from+n; at += batch {
		rows := testRows(t, at, min(batch, from+n-at))
		if err := w.WriteBatch(rows); err != nil {
			t.Fatal(err)
		}
		rows.Release()
	}
	if err := w.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

var formats = []Options{
	{Format: Parquet, Metadata: map[string]string{"b": "2", "a": "1"}},
	{Format: GeoParquet, Geometry: "geometry"},
	{Format: CSV, Geometry: "geometry"},
}

// The bytes of a file depend neither on the number of processors nor on the batches.
func TestBytesDependOnRowsAlone(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, o := range formats {
		t.Run(string(o.Format), func(t *testing.T) {
			o.GroupRows = 1000
			var want []byte
			for _, processors := range []int{1, 2, 5} {
				runtime.GOMAXPROCS(processors)
				for _, batch := range []int{77, 1000, 4321} {
					got := write(t, o, 7654, batch)
					if want == nil {
						want = got
					}
					if !bytes.Equal(got, want) {
						t.Errorf("%d processors, batches of %d: %d other bytes than the first %d", processors, batch, len(got), len(want))
					}
				}
			}
		})
	}
}

// Files of parts are joined to the bytes that one Writer makes.
func TestJoin(t *testing.T) {
	for _, o := range formats {
		t.Run(string(o.Format), func(t *testing.T) {
			o.GroupRows = 1000
			dir := t.TempDir()
			var parts []string
			for at := 0; at < 7654; at += 2000 {
				parts = append(parts, filepath.Join(dir, fmt.Sprint(at)))
				writeFile(t, parts[len(parts)-1], o, at, min(2000, 7654-at), 500)
			}
			path := filepath.Join(dir, "all")
			if err := Join(t.Context(), path, testSchema, o, parts); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if want := write(t, o, 7654, 500); !bytes.Equal(got, want) {
				t.Errorf("joined parts have %d other bytes than one file of %d", len(got), len(want))
			}
			if err := os.Truncate(parts[1], 50); err != nil {
				t.Fatal(err)
			}
			if err := Join(t.Context(), path+"2", testSchema, o, parts); err == nil || !strings.Contains(err.Error(), parts[1]) {
				t.Errorf("a part that was cut short: %v", err)
			}
			if left, _ := filepath.Glob(path + "2*"); len(left) > 0 {
				t.Errorf("%v is left", left)
			}
		})
	}
}

// DuckDB reads the rows that were written, absent values as NULL, in the row groups of the options.
func TestDuckDBReadsFiles(t *testing.T) {
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, o := range formats {
		t.Run(string(o.Format), func(t *testing.T) {
			o.GroupRows = 1000
			path := filepath.Join(t.TempDir(), "file."+string(o.Format))
			writeFile(t, path, o, 0, 2500, 300)
			from := "read_parquet('" + path + "')"
			if o.Format == CSV {
				from = "read_csv('" + path + "')"
			}
			var rows, names, distinct, days int
			var scores, people float64
			err := db.QueryRow("SELECT count(*), count(name), count(DISTINCT name), sum(score)::DOUBLE, sum(people), count(day) FROM "+from).
				Scan(&rows, &names, &distinct, &scores, &people, &days)
			if err != nil {
				t.Fatal(err)
			}
			wantNames, wantScores, wantPeople := 0, 0.0, 0.0
			for i := range 2500 {
				if i%7 != 3 {
					wantNames++
					wantScores += float64(i-50000) / 10000
					wantPeople += float64(i) / 3
				}
			}
			if rows != 2500 || names != wantNames || distinct != 50 || days != wantNames || math.Abs(scores-wantScores) > 1e-6 ||
				math.Abs(people-wantPeople) > 1e-3 {
				t.Errorf("%d rows, %d names of which %d differ, %d days, scores %f, people %f; want 2500, %d, 50, %d, %f, %f", rows, names, distinct,
					days, scores, people, wantNames, wantNames, wantScores, wantPeople)
			}
			if o.Format == CSV {
				return
			}
			var groups, uncompressed int
			if err := db.QueryRow("SELECT count(DISTINCT row_group_id), count(*) FILTER (compression <> 'ZSTD') FROM parquet_metadata('"+path+"')").
				Scan(&groups, &uncompressed); err != nil || groups != 3 || uncompressed != 0 {
				t.Errorf("%d row groups, %d columns without zstd, %v; want 3 and 0", groups, uncompressed, err)
			}
		})
	}
}

// The metadata of a GeoParquet file have the extent of its geometries, and rows theirs, rounded outward.
func TestExtents(t *testing.T) {
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	path := filepath.Join(t.TempDir(), "file.parquet")
	writeFile(t, path, Options{Format: GeoParquet, Geometry: "geometry", GroupRows: 100}, 0, 500, 300)
	var text string
	if err := db.QueryRow("SELECT decode(value) FROM parquet_kv_metadata('" + path + "') WHERE decode(key) = 'geo'").Scan(&text); err != nil {
		t.Fatal(err)
	}
	const want = `{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB","geometry_types":["Point"],` +
		`"bbox":[-75,45,-74.99501,45.0000009],"covering":{"bbox":{"xmax":["bbox","xmax"],"xmin":["bbox","xmin"],"ymax":["bbox","ymax"],` +
		`"ymin":["bbox","ymin"]}}}}}`
	if diff := cmp.Diff(want, text); diff != "" {
		t.Error(diff)
	}
	rows, err := db.Query("SELECT n, bbox.xmin::DOUBLE, bbox.ymin::DOUBLE, bbox.xmax::DOUBLE, bbox.ymax::DOUBLE FROM '" + path +
		"' WHERE bbox IS NOT NULL ORDER BY n")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	found := 0
	for rows.Next() {
		var n int
		var b [4]float64
		if err := rows.Scan(&n, &b[0], &b[1], &b[2], &b[3]); err != nil {
			t.Fatal(err)
		}
		p := testPoint(n)
		if !(b[0] <= p[0] && p[0] <= b[2] && b[1] <= p[1] && p[1] <= b[3]) || b[2]-b[0] > 1e-5 {
			t.Errorf("the extent %v does not contain %v, or is too large", b, p)
		}
		found++
	}
	if found != 429 || rows.Err() != nil {
		t.Errorf("%d rows have an extent, want those that have a geometry, 429; %v", found, rows.Err())
	}
}

func TestFileWithoutRows(t *testing.T) {
	for _, o := range formats {
		path := filepath.Join(t.TempDir(), "file."+string(o.Format))
		writeFile(t, path, o, 0, 0, 1)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if o.Format == CSV {
			if string(text) != "n,name,score,people,day,geometry\n" {
				t.Errorf("%q", text)
			}
			continue
		}
		groups, err := Encoded(text)
		if err != nil || groups.Described.NumRows != 0 || len(groups.Described.RowGroups) != 0 {
			t.Errorf("%s: %v", o.Format, err)
		}
	}
}

func TestCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.csv")
	writeFile(t, path, Options{Format: CSV, Geometry: "geometry", Metadata: map[string]string{"release": "vt"}}, 2, 3, 2)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const want = `n,name,score,people,day,geometry
2,"Rue n° 2, ""B""",-4.9998,0.6666666666666666,1970-01-03,POINT(-74.99998 45.0000002)
3,,,,,
4,"Rue n° 4, ""B""",-4.9996,1.3333333333333333,1970-01-05,POINT(-74.99996 45.0000004)
`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	text, err = os.ReadFile(path + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var got description
	if err := json.Unmarshal(text, &got); err != nil || got.Rows != 3 || got.Metadata["release"] != "vt" || len(got.Columns) != 6 ||
		got.Columns[2] != (columnText{"score", "decimal(5, 4)"}) {
		t.Errorf("%s, %v", text, err)
	}
}

// full is a disk with some room.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, syscall.ENOSPC
	}
	return len(p), nil
}

// A full disk is an error of WriteBatch or Close, however far the file was written.
func TestFullDisk(t *testing.T) {
	for _, o := range formats {
		o.GroupRows = 500
		size := len(write(t, o, 5000, 500))
		for _, room := range []int{0, size / 2, size - 1, size} {
			out := &full{room}
			w, err := New(out, testSchema, o)
			for at := 0; at < 5000 && err == nil; at += 500 {
				err = w.WriteBatch(testRows(t, at, 500))
			}
			if err == nil {
				err = w.Close(t.Context())
			} else if w != nil {
				w.Abort()
			}
			if fits := room == size; fits != (err == nil) || !fits && !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%s with room for %d of %d bytes: %v", o.Format, room, size, err)
			}
		}
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	list := arrow.NewSchema([]arrow.Field{{Name: "tags", Type: arrow.ListOf(arrow.BinaryTypes.String)}}, nil)
	for _, test := range []struct {
		schema *arrow.Schema
		o      Options
		want   string
	}{
		{testSchema, Options{Format: "xlsx"}, `format "xlsx" is none of`},
		{testSchema, Options{Format: GeoParquet}, "needs a column of geometries"},
		{testSchema, Options{Format: GeoParquet, Geometry: "name"}, "column name, which has the geometries, must be one column of type binary"},
		{testSchema, Options{Format: CSV, Geometry: "shape"}, "column shape"},
		{list, Options{Format: CSV}, "column tags is of type list<item: utf8, nullable>, which CSV has not"},
	} {
		path := filepath.Join(t.TempDir(), "file")
		if _, err := Create(path, test.schema, test.o); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
		if left, _ := filepath.Glob(path + "*"); len(left) > 0 {
			t.Errorf("%v is left", left)
		}
	}
}

// Geometries that are not well-known binary are named by their row.
func TestBadGeometry(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "geometry", Type: arrow.BinaryTypes.Binary, Nullable: true}}, nil)
	b := array.NewBinaryBuilder(memory.DefaultAllocator, arrow.BinaryTypes.Binary)
	b.AppendNull()
	b.Append([]byte("no geometry"))
	rows := array.NewRecord(schema, []arrow.Array{b.NewArray()}, 2)
	for _, format := range []Format{GeoParquet, CSV} {
		w, err := New(new(full), schema, Options{Format: format, Geometry: "geometry"})
		if format == CSV {
			w, err = New(&full{1000}, schema, Options{Format: format, Geometry: "geometry"})
		}
		if err != nil {
			t.Fatal(err)
		}
		err = w.WriteBatch(rows)
		if err == nil {
			err = w.Close(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), "geometry of row 2: ") {
			t.Errorf("%s: %v", format, err)
		}
	}
}
