package arrowfile

import (
	"bytes"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"
	"github.com/klauspost/compress/zstd"
)

// parquetEncoder encodes each row group as a file in memory, of which the row groups are put into one.
type parquetEncoder struct {
	schema     *arrow.Schema
	properties *parquet.WriterProperties
	geometry   int // -1 if the format has none
	name       string
	out        *RowGroupWriter
}

func newParquetEncoder(out *sink, schema *arrow.Schema, o *Options) (*parquetEncoder, error) {
	options := []parquet.WriterProperty{
		parquet.WithCreatedBy("quartier"), parquet.WithCompression(compress.Codecs.Zstd), parquet.WithMaxRowGroupLength(int64(o.GroupRows)),
		parquet.WithStoreDecimalAsInteger(true),
		parquet.WithRootRepetition(parquet.Repetitions.Required), // a repeated one, the default, is not read by all readers
	}
	if o.Fast {
		options = append(options, parquet.WithCompressionLevel(fastLevel))
	}
	for _, name := range o.Plain {
		options = append(options, parquet.WithDictionaryFor(name, false))
	}
	e := &parquetEncoder{schema: schema, geometry: -1, name: o.Geometry, out: NewRowGroupWriter(out)}
	if o.Geometry != "" { // the least and the largest bytes of geometries say nothing
		options = append(options, parquet.WithStatsFor(o.Geometry, false), parquet.WithDictionaryFor(o.Geometry, false))
	}
	if o.Format == GeoParquet {
		e.geometry = schema.FieldIndices(o.Geometry)[0]
		for _, side := range coveringType.Fields() { // hardly any two are the same
			options = append(options, parquet.WithDictionaryFor(Covering+"."+side.Name, false))
		}
		metadata := schema.Metadata()
		e.schema = arrow.NewSchema(append(schema.Fields(), arrow.Field{Name: Covering, Type: coveringType, Nullable: true}), &metadata)
	}
	e.properties = parquet.NewWriterProperties(options...)
	none, err := e.rowGroups(nil) // describes a file without rows
	if err == nil {
		err = e.out.Add(none)
	}
	return e, err
}

func (e *parquetEncoder) encode(records []arrow.Record, first int64) (p part, err error) {
	if e.geometry >= 0 {
		covered := make([]arrow.Record, len(records))
		for i, r := range records {
			covering, err := p.extent.cover(r.Column(e.geometry).(*array.Binary), first)
			if err != nil {
				return p, err
			}
			covered[i] = array.NewRecord(e.schema, append(r.Columns(), covering), r.NumRows())
			covering.Release()
			defer covered[i].Release()
			first += r.NumRows()
		}
		records = covered
	}
	p.groups, err = e.rowGroups(records)
	return p, err
}

// rowGroups encodes records as one row group.
func (e *parquetEncoder) rowGroups(records []arrow.Record) (RowGroups, error) {
	var out bytes.Buffer
	w, err := pqarrow.NewFileWriter(e.schema, &out, e.properties, pqarrow.DefaultWriterProps())
	if err != nil {
		return RowGroups{}, err
	}
	if len(records) > 0 {
		table := array.NewTableFromRecords(e.schema, records)
		defer table.Release()
		if err := w.WriteTable(table, table.NumRows()); err != nil {
			return RowGroups{}, err
		}
	}
	if err := w.Close(); err != nil {
		return RowGroups{}, err
	}
	return Encoded(out.Bytes())
}

func (e *parquetEncoder) add(p part) error { return e.out.Add(p.groups) }

func (e *parquetEncoder) finish(metadata [][2]string, of extent) error {
	if e.geometry >= 0 {
		text, err := of.describe(e.name)
		if err != nil {
			return err
		}
		metadata = append([][2]string{{GeoKey, text}}, metadata...)
	}
	if err := e.out.setMetadata(metadata); err != nil {
		return err
	}
	return e.out.Finish()
}

// zstdCodec compresses by one encoder for all pages; that of the library makes one for each page.
type zstdCodec struct {
	compress.Codec
	fast *zstd.Encoder
}

// fastLevel is the level of files that are written fast.
const fastLevel = 1

func (z zstdCodec) EncodeLevel(dst, src []byte, level int) []byte {
	if level == fastLevel {
		return z.fast.EncodeAll(src, dst[:0])
	}
	return z.Encode(dst, src)
}

func init() {
	codec, err := compress.GetCodec(compress.Codecs.Zstd)
	if err != nil {
		panic(err)
	}
	fast, err := zstd.NewWriter(nil, zstd.WithZeroFrames(true), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		panic(err)
	}
	compress.RegisterCodec(compress.Codecs.Zstd, zstdCodec{codec, fast})
}
