package market

import (
	"bytes"
	"fmt"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"quartier/internal/arrowfile"
	pack "quartier/internal/pack/market"
	"quartier/schemas/market"
)

const (
	groupRows = 1 << 16 // rows of a row group
	precision = 18      // digits of metrics with decimals
	keys      = 5       // columns before the metrics
)

// columns makes row groups of market.parquet: the rows of market_stat with the days of the intervals. Their bytes depend on
// the rows alone.
type columns struct {
	out    bytes.Buffer
	writer *file.Writer
	rows   int
	texts  [3][]parquet.ByteArray // geog_id, type, code
	days   [2][]int32             // first and last of the interval
	values [market.MetricCount][]int64
	known  [market.MetricCount][]int16 // 1 where there is a value
}

// textColumns are the columns of words, which are in a dictionary of each row group.
var textColumns = []string{"geog_id", "type", "code", market.Assessment.String()}

// parquetSchema has the columns of market.parquet.
func parquetSchema() (*schema.GroupNode, error) {
	var fields schema.FieldList
	var failed error
	add := func(name string, repetition parquet.Repetition, logical schema.LogicalType, physical parquet.Type) {
		node, err := schema.NewPrimitiveNodeLogical(name, repetition, logical, physical, -1, -1)
		if err != nil && failed == nil {
			failed = fmt.Errorf("column %s: %w", name, err)
		}
		fields = append(fields, node)
	}
	for _, name := range textColumns[:3] {
		add(name, parquet.Repetitions.Required, schema.StringLogicalType{}, parquet.Types.ByteArray)
	}
	for _, name := range []string{"first_day", "last_day"} {
		add(name, parquet.Repetitions.Required, schema.DateLogicalType{}, parquet.Types.Int32)
	}
	for m := range market.MetricCount {
		switch {
		case m == market.Assessment:
			add(m.String(), parquet.Repetitions.Optional, schema.StringLogicalType{}, parquet.Types.ByteArray)
		case m.Decimals() > 0:
			add(m.String(), parquet.Repetitions.Optional, schema.NewDecimalLogicalType(precision, int32(m.Decimals())), parquet.Types.Int64)
		default:
			add(m.String(), parquet.Repetitions.Optional, schema.NewIntLogicalType(64, true), parquet.Types.Int64)
		}
	}
	if failed != nil {
		return nil, failed
	}
	return schema.NewGroupNode("market_stat", parquet.Repetitions.Required, fields, -1)
}

// begin begins row groups, in the memory of those before.
func (c *columns) begin() error {
	root, err := parquetSchema()
	if err != nil {
		return err
	}
	// Differences of numbers in as many bits as they need are about as small as compressed numbers, in a fraction of the time.
	options := []parquet.WriterProperty{parquet.WithCreatedBy("quartier"), parquet.WithDictionaryDefault(false),
		parquet.WithEncoding(parquet.Encodings.DeltaBinaryPacked)}
	for _, name := range textColumns {
		options = append(options, parquet.WithDictionaryFor(name, true), parquet.WithCompressionFor(name, compress.Codecs.Snappy))
	}
	c.out.Reset()
	c.writer = file.NewParquetWriter(&c.out, root, file.WithWriterProps(parquet.NewWriterProperties(options...)))
	return nil
}

// typeTexts, assessmentTexts are the words of columns.
var typeTexts, assessmentTexts = func() (types, assessments []parquet.ByteArray) {
	for _, name := range market.TypeNames() {
		types = append(types, parquet.ByteArray(name))
	}
	for _, word := range pack.Assessments {
		assessments = append(assessments, parquet.ByteArray(word))
	}
	return types, assessments
}()

// add adds a row.
func (c *columns) add(id, code parquet.ByteArray, of market.PropertyType, interval *market.Interval, values *market.Values) error {
	c.texts[0] = append(c.texts[0], id)
	c.texts[1] = append(c.texts[1], typeTexts[of])
	c.texts[2] = append(c.texts[2], code)
	c.days[0] = append(c.days[0], int32(interval.First))
	c.days[1] = append(c.days[1], int32(interval.Last))
	for m, v := range values {
		if v == market.Absent {
			c.known[m] = append(c.known[m], 0)
			continue
		}
		c.known[m] = append(c.known[m], 1)
		c.values[m] = append(c.values[m], v)
	}
	if c.rows++; c.rows == groupRows {
		return c.flush()
	}
	return nil
}

// flush writes the rows so far as a row group.
func (c *columns) flush() error {
	group := c.writer.AppendRowGroup()
	for n := range keys + len(c.values) {
		column, err := group.NextColumn()
		if err == nil {
			err = c.write(column, n)
		}
		if err == nil {
			err = column.Close()
		}
		if err != nil {
			return fmt.Errorf("write column %d of market.parquet: %w", n, err)
		}
	}
	c.rows = 0
	for n := range c.texts {
		c.texts[n] = c.texts[n][:0]
	}
	for n := range c.days {
		c.days[n] = c.days[n][:0]
	}
	for m := range c.values {
		c.values[m], c.known[m] = c.values[m][:0], c.known[m][:0]
	}
	return group.Close()
}

// write writes the values of a column.
func (c *columns) write(column file.ColumnChunkWriter, n int) (err error) {
	switch w := column.(type) {
	case *file.Int32ColumnChunkWriter:
		_, err = w.WriteBatch(c.days[n-len(c.texts)], nil, nil)
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(c.values[n-keys], c.known[n-keys], nil)
	case *file.ByteArrayColumnChunkWriter:
		if n < len(c.texts) {
			_, err = w.WriteBatch(c.texts[n], nil, nil)
			return err
		}
		words := make([]parquet.ByteArray, len(c.values[n-keys]))
		for i, v := range c.values[n-keys] {
			words[i] = assessmentTexts[v]
		}
		_, err = w.WriteBatch(words, c.known[n-keys], nil)
	}
	return err
}

// finish writes what is left and returns the row groups.
func (c *columns) finish() (arrowfile.RowGroups, error) {
	if c.rows > 0 {
		if err := c.flush(); err != nil {
			return arrowfile.RowGroups{}, err
		}
	}
	if err := c.writer.Close(); err != nil {
		return arrowfile.RowGroups{}, err
	}
	return arrowfile.Encoded(c.out.Bytes())
}
