package arrowfile

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"
)

// parquetReader reads Parquet, page by page.
type parquetReader struct {
	file     *file.Reader
	rows     pqarrow.RecordReader
	schema   *arrow.Schema
	numRows  int64
	returned int64
}

// newParquetReader begins to read a file, which Close closes.
func newParquetReader(in *os.File, o ReadOptions) (r *parquetReader, err error) {
	r = &parquetReader{}
	err = guarded(func() error {
		properties := parquet.NewReaderProperties(memory.DefaultAllocator)
		properties.BufferedStreamEnabled = true
		if r.file, err = file.NewParquetReader(in, file.WithReadProps(properties)); err != nil {
			return err
		}
		r.numRows = r.file.NumRows()
		batch := pqarrow.ArrowReadProperties{BatchSize: int64(batchRows(r.file, o))}
		rows, err := pqarrow.NewFileReader(r.file, batch, memory.DefaultAllocator)
		if err != nil {
			return err
		}
		if r.schema, err = rows.Schema(); err != nil {
			return err
		}
		if geo := r.file.MetaData().KeyValueMetadata().FindValue(GeoKey); geo != nil {
			metadata := arrow.NewMetadata([]string{GeoKey}, []string{*geo})
			r.schema = arrow.NewSchema(r.schema.Fields(), &metadata)
		}
		r.rows, err = rows.GetRecordReader(context.Background(), nil, nil)
		return err
	})
	if err != nil {
		return nil, unreadable("it is no complete Parquet file: %v", err)
	}
	return r, nil
}

// batchRows is how many rows are read at once, by their mean size.
func batchRows(f *file.Reader, o ReadOptions) int {
	var bytes int64
	for i := range f.NumRowGroups() {
		bytes += f.MetaData().RowGroups[i].GetTotalByteSize()
	}
	if f.NumRows() == 0 || bytes <= 0 {
		return o.Rows
	}
	const least = 1000
	return max(min(o.Rows, int(int64(o.Bytes)*f.NumRows()/bytes)), min(least, o.Rows))
}

func (r *parquetReader) Schema() *arrow.Schema { return r.schema }
func (r *parquetReader) Rows() int64           { return r.numRows }

func (r *parquetReader) Share() float64 {
	if r.numRows == 0 {
		return 1
	}
	return float64(r.returned) / float64(r.numRows)
}

// Next implements Reader.
func (r *parquetReader) Next() (record arrow.Record, err error) {
	err = guarded(func() (err error) {
		record, err = r.rows.Read()
		return err
	})
	switch {
	case err == io.EOF || err == nil && record == nil:
		if r.returned != r.numRows {
			return nil, unreadable("it ends after %d of %d rows", r.returned, r.numRows)
		}
		return nil, io.EOF
	case err != nil:
		return nil, unreadable("after row %d: %v", r.returned, err)
	}
	record.Retain()
	r.returned += record.NumRows()
	return record, nil
}

func (r *parquetReader) Close() error {
	r.rows.Release()
	return r.file.Close()
}

// PrimaryGeometry is the column of geometries that the metadata of a GeoParquet file name, "" if it is none, and its
// reference system; "" where it is WGS 84 by default or by name.
func PrimaryGeometry(schema *arrow.Schema) (column, crs string, err error) {
	text, ok := schema.Metadata().GetValue(GeoKey)
	if !ok {
		return "", "", nil
	}
	var geo struct {
		Primary string `json:"primary_column"`
		Columns map[string]struct {
			Encoding string `json:"encoding"`
			CRS      *struct {
				ID struct {
					Authority string `json:"authority"`
					Code      any    `json:"code"`
				} `json:"id"`
			} `json:"crs"`
		} `json:"columns"`
	}
	if err := json.Unmarshal([]byte(text), &geo); err != nil {
		return "", "", unreadable("its metadata %q: %v", GeoKey, err)
	}
	described, ok := geo.Columns[geo.Primary]
	if !ok || !schema.HasField(geo.Primary) {
		return "", "", unreadable("its metadata %q name the column %q, which is not there", GeoKey, geo.Primary)
	}
	if described.Encoding != "WKB" {
		return "", "", unreadable("column %s has the encoding %s, only WKB is read", geo.Primary, described.Encoding)
	}
	if described.CRS != nil && described.CRS.ID.Authority != "" {
		if crs = fmt.Sprintf("%s:%v", described.CRS.ID.Authority, described.CRS.ID.Code); crs == "OGC:CRS84" || crs == "EPSG:4326" {
			crs = ""
		}
	}
	return geo.Primary, crs, nil
}
