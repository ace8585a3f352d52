package arrowfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"
)

// readAll reads a file and returns its rows as one text, and how many blocks they came in.
func readAll(t *testing.T, path string, o ReadOptions) (text string, blocks int, err error) {
	t.Helper()
	r, err := Open(path, o)
	if err != nil {
		return "", 0, err
	}
	defer r.Close()
	rows := int64(0)
	for {
		record, err := r.Next()
		if err == io.EOF {
			if r.Rows() != rows || r.Share() != 1 {
				t.Errorf("%d rows of %d, share %v", rows, r.Rows(), r.Share())
			}
			return text, blocks, nil
		}
		if err != nil {
			return text, blocks, err
		}
		rows += record.NumRows()
		for row := range int(record.NumRows()) {
			for _, c := range record.Columns() {
				text += c.ValueStr(row) + " "
			}
		}
		blocks++
		record.Release()
	}
}

// TestParquetIsReadAsItWasWritten reads what was written, in blocks of any size, with row groups of any size.
func TestParquetIsReadAsItWasWritten(t *testing.T) {
	rows := testRows(t, 0, 1000)
	defer rows.Release()
	want := ""
	for row := range 1000 {
		for _, c := range rows.Columns() {
			want += c.ValueStr(row) + " "
		}
	}
	for _, c := range []struct{ groups, block, blocks int }{{1000, 0, 1}, {100, 0, 1}, {300, 64, 16}, {1000, 999, 2}} {
		path := filepath.Join(t.TempDir(), "file.parquet")
		writeFile(t, path, Options{Format: Parquet, GroupRows: c.groups}, 0, 1000, 250)
		got, blocks, err := readAll(t, path, ReadOptions{Rows: c.block})
		if err != nil || got != want || blocks != c.blocks {
			t.Errorf("groups of %d, blocks of %d: %d blocks, %v, the same rows: %v", c.groups, c.block, blocks, err, got == want)
		}
	}
}

// TestBlocksOfWideRowsAreSmall bounds blocks by their bytes.
func TestBlocksOfWideRowsAreSmall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.parquet")
	writeFile(t, path, Options{Format: Parquet}, 0, 20_000, 5000)
	r, err := Open(path, ReadOptions{Bytes: 100 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	record, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	defer record.Release()
	if n := record.NumRows(); n < 1000 || n > 5000 {
		t.Errorf("%d rows in 100 kB", n)
	}
}

// TestParquetCutShort cuts a file at every hundredth byte: each is refused, none panics or ends early without an error.
func TestParquetCutShort(t *testing.T) {
	whole := write(t, Options{Format: Parquet, GroupRows: 300}, 1000, 250)
	for size := 0; size < len(whole); size += 100 {
		path := filepath.Join(t.TempDir(), "file.parquet")
		if err := os.WriteFile(path, whole[:size], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := readAll(t, path, ReadOptions{}); !errors.Is(err, ErrRead) || !strings.Contains(err.Error(), path) {
			t.Fatalf("%d of %d bytes: %v", size, len(whole), err)
		}
	}
}

func TestPrimaryGeometry(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.geoparquet")
	writeFile(t, path, Options{Format: GeoParquet, Geometry: "geometry"}, 0, 10, 10)
	r, err := Open(path, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	column, crs, err := PrimaryGeometry(r.Schema())
	if column != "geometry" || crs != "" || err != nil {
		t.Errorf("%q, %q, %v", column, crs, err)
	}
	record, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	defer record.Release()
	if _, ok := record.Column(5).(*array.Binary); !ok {
		t.Errorf("geometries are of type %s", record.Column(5).DataType())
	}
}

// FuzzParquet overwrites bytes of a file: it is read or refused, and never panics.
func FuzzParquet(f *testing.F) {
	path := filepath.Join(f.TempDir(), "file.parquet")
	writeFile(f, path, Options{Format: Parquet, GroupRows: 20}, 0, 50, 50)
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(0), []byte("x"))
	f.Add(uint32(len(whole)-9), []byte{1, 2, 3})
	f.Add(uint32(len(whole)/2), []byte{255, 255})
	f.Fuzz(func(t *testing.T, at uint32, over []byte) {
		if int(at)+len(over) > len(whole) || len(over) > 16 {
			return
		}
		damaged := bytes.Clone(whole)
		copy(damaged[at:], over)
		path := filepath.Join(t.TempDir(), "file.parquet")
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := readAll(t, path, ReadOptions{}); err != nil && !errors.Is(err, ErrRead) {
			t.Error(fmt.Errorf("not ErrRead: %w", err))
		}
	})
}

// FuzzParquetFile reads any bytes as a file, beginning with small files of each form: it is read, or refused as ErrRead.
func FuzzParquetFile(f *testing.F) {
	pool := memory.DefaultAllocator
	point := geoPoint(f)
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "name", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "price", Type: &arrow.Decimal128Type{Precision: 9, Scale: 2}, Nullable: true},
		{Name: "tags", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true},
		{Name: "box", Type: arrow.StructOf(arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Float32}), Nullable: true},
		{Name: "day", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
		{Name: "geometry", Type: arrow.BinaryTypes.Binary, Nullable: true},
	}, nil)
	for _, codec := range []compress.Compression{compress.Codecs.Uncompressed, compress.Codecs.Snappy, compress.Codecs.Zstd,
		compress.Codecs.Gzip} {
		for _, dictionary := range []bool{true, false} {
			b := array.NewRecordBuilder(pool, schema)
			for i := range 3 {
				b.Field(0).(*array.Int64Builder).Append(int64(i))
				b.Field(1).(*array.StringBuilder).Append("a")
				b.Field(2).AppendNull()
				tags := b.Field(3).(*array.ListBuilder)
				tags.Append(true)
				tags.ValueBuilder().(*array.StringBuilder).Append("t")
				box := b.Field(4).(*array.StructBuilder)
				box.Append(true)
				box.FieldBuilder(0).(*array.Float32Builder).Append(1)
				b.Field(5).AppendNull()
				b.Field(6).(*array.BinaryBuilder).Append(point)
			}
			rows := b.NewRecord()
			var out bytes.Buffer
			w, err := pqarrow.NewFileWriter(schema, &out,
				parquet.NewWriterProperties(parquet.WithCompression(codec), parquet.WithDictionaryDefault(dictionary)), pqarrow.DefaultWriterProps())
			if err == nil {
				err = w.Write(rows)
			}
			if err == nil {
				err = w.Close()
			}
			if err != nil {
				f.Fatal(err)
			}
			f.Add(out.Bytes())
		}
	}
	for _, o := range []Options{{Format: Parquet}, {Format: GeoParquet, Geometry: "geometry"}} {
		path := filepath.Join(f.TempDir(), "file.parquet")
		writeFile(f, path, o, 0, 3, 3)
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		path := filepath.Join(t.TempDir(), "file.parquet")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path, ReadOptions{Rows: 100})
		for n := 0; err == nil && n < 100; n++ {
			var rows arrow.Record
			if rows, err = r.Next(); err == nil {
				if _, _, err := PrimaryGeometry(r.Schema()); err != nil && !errors.Is(err, ErrRead) {
					t.Fatal(err)
				}
				rows.Release()
			}
		}
		if err != nil && err != io.EOF && !errors.Is(err, ErrRead) {
			t.Fatal(fmt.Errorf("not ErrRead: %w", err))
		}
		if r != nil {
			r.Close()
		}
	})
}

// geoPoint is a point in well-known binary.
func geoPoint(f *testing.F) []byte {
	data, err := wkb.Marshal(orb.Point{1, 2}, binary.LittleEndian)
	if err != nil {
		f.Fatal(err)
	}
	return data
}
