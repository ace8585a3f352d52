package packs

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"slices"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"quartier/build/identity"
	"quartier/build/released"
)

// bridgeGroup is the number of rows of a row group.
const bridgeGroup = 1 << 16

// writeBridge writes the rows of geog_bridge as Parquet.
func writeBridge(ctx context.Context, db *sql.DB, to string) (err error) {
	bridges, err := released.Bridges(ctx, db)
	if err != nil {
		return err
	}
	root, err := bridgeSchema()
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	properties := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCreatedBy("quartier"))
	writer := file.NewParquetWriter(out, root, file.WithWriterProps(properties))
	defer func() { // closes the file too
		if cerr := writer.Close(); err == nil {
			err = cerr
		}
	}()
	for rows := range slices.Chunk(bridges, bridgeGroup) {
		if err := writeBridgeGroup(writer.AppendRowGroup(), rows); err != nil {
			return fmt.Errorf("write %s: %w", to, err)
		}
	}
	return nil
}

// bridgeTexts and bridgeShares are the columns of the Parquet file, texts first.
var (
	bridgeTexts = []struct {
		name string
		of   func(*identity.Bridge) string
	}{
		{"release", func(b *identity.Bridge) string { return b.Release }},
		{"old_geog_id", func(b *identity.Bridge) string { return b.Old }},
		{"new_geog_id", func(b *identity.Bridge) string { return b.New }},
		{"kind", func(b *identity.Bridge) string { return string(b.Kind) }},
		{"measure", func(b *identity.Bridge) string { return string(b.Measure) }},
	}
	bridgeShares = []struct {
		name     string
		optional bool
		of       func(*identity.Bridge) *float64
	}{
		{"area_share", false, func(b *identity.Bridge) *float64 { return &b.AreaShare }},
		{"household_share", true, func(b *identity.Bridge) *float64 { return b.HouseholdShare }},
	}
)

func bridgeSchema() (*schema.GroupNode, error) {
	var fields schema.FieldList
	for _, c := range bridgeTexts {
		node, err := schema.NewPrimitiveNodeLogical(c.name, parquet.Repetitions.Required, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1)
		if err != nil {
			return nil, err
		}
		fields = append(fields, node)
	}
	for _, c := range bridgeShares {
		repetition := parquet.Repetitions.Required
		if c.optional {
			repetition = parquet.Repetitions.Optional
		}
		fields = append(fields, schema.NewFloat64Node(c.name, repetition, -1))
	}
	return schema.NewGroupNode("geog_bridge", parquet.Repetitions.Required, fields, -1)
}

// writeBridgeGroup writes rows as a row group.
func writeBridgeGroup(group file.SerialRowGroupWriter, rows []identity.Bridge) error {
	for n := range len(bridgeTexts) + len(bridgeShares) {
		column, err := group.NextColumn()
		if err != nil {
			return err
		}
		switch w := column.(type) {
		case *file.ByteArrayColumnChunkWriter:
			texts := make([]parquet.ByteArray, len(rows))
			for i := range rows {
				texts[i] = parquet.ByteArray(bridgeTexts[n].of(&rows[i]))
			}
			_, err = w.WriteBatch(texts, nil, nil)
		case *file.Float64ColumnChunkWriter:
			values, known := make([]float64, 0, len(rows)), make([]int16, len(rows))
			for i := range rows {
				if v := bridgeShares[n-len(bridgeTexts)].of(&rows[i]); v != nil {
					values, known[i] = append(values, *v), 1
				}
			}
			_, err = w.WriteBatch(values, known, nil)
		}
		if err == nil {
			err = column.Close()
		}
		if err != nil {
			return err
		}
	}
	return group.Close()
}
