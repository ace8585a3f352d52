package arrowfile

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
)

// Span is bytes of a file, from Begin to before End.
type Span struct{ Begin, End int64 }

// Len is how many bytes there are.
func (s Span) Len() int64 { return s.End - s.Begin }

// maxGroupRows is how many rows a row group may have that is chosen by a box.
const maxGroupRows = 1 << 24

// Boxed is the description of a Parquet file whose rows have a Covering, of which some row groups are read.
type Boxed struct {
	described *metadata.FileMetaData
	size      int64
	columns   [4]int // of the sides of the covering
	groups    []Span
}

// FooterSpan is where the description of a Parquet file is, with its length and the magic bytes, by the last bytes of the
// file, eight or more.
func FooterSpan(tail []byte, size int64) (Span, error) {
	n := len(tail)
	if int64(n) < tailBytes || string(tail[n-len(magic):]) != magic {
		return Span{}, ErrNoParquet
	}
	length := int64(binary.LittleEndian.Uint32(tail[n-int(tailBytes):])) + tailBytes
	if length > maxFooter || size-length < int64(len(magic)) {
		return Span{}, ErrNoParquet
	}
	return Span{size - length, size}, nil
}

// ReadBoxed reads the description of a file from a reader that has it, where it is in the file. The error of one without a
// covering says so.
func ReadBoxed(r io.ReaderAt, size int64) (*Boxed, error) {
	b := &Boxed{size: size}
	err := guarded(func() (err error) {
		var end int64
		if b.described, end, err = describe(r, size); err != nil {
			return err
		}
		for i, side := range sides {
			if b.columns[i] = b.described.Schema.ColumnIndexByName(Covering + "." + side); b.columns[i] < 0 {
				return fmt.Errorf("it has no column %s.%s, by which its row groups are chosen", Covering, side)
			}
			switch kind := b.described.Schema.Column(b.columns[i]).PhysicalType(); kind {
			case parquet.Types.Float, parquet.Types.Double:
			default:
				return fmt.Errorf("its column %s.%s is %s, not a number", Covering, side, kind)
			}
		}
		return b.findGroups(end)
	})
	if err != nil {
		return nil, fmt.Errorf("its description: %w", err)
	}
	return b, nil
}

// findGroups finds the bytes of the row groups, which overlap neither each other nor the description.
func (b *Boxed) findGroups(end int64) error {
	for n, group := range b.described.RowGroups {
		if group.NumRows < 0 || group.NumRows > maxGroupRows {
			return fmt.Errorf("%w: a row group of %d rows", ErrNoParquet, group.NumRows)
		}
		b.groups = append(b.groups, b.columnsSpan(n, nil))
	}
	sorted := slices.SortedFunc(slices.Values(b.groups), func(a, b Span) int { return cmp.Compare(a.Begin, b.Begin) })
	before := int64(len(magic))
	for _, s := range sorted {
		if s.Begin < before || s.End < s.Begin || s.End > end {
			return fmt.Errorf("%w: its row groups overlap, or are not in it", ErrNoParquet)
		}
		before = s.End
	}
	return nil
}

// columnsSpan is the bytes of some columns of a row group, or of all if which is nil, and those between them.
func (b *Boxed) columnsSpan(n int, which []int) Span {
	s := Span{math.MaxInt64, 0}
	for i, column := range b.described.RowGroups[n].Columns {
		if which != nil && !slices.Contains(which, i) {
			continue
		}
		begin := column.MetaData.DataPageOffset
		if first := column.MetaData.DictionaryPageOffset; first != nil && *first > 0 {
			begin = min(begin, *first)
		}
		s.Begin = min(s.Begin, begin)
		if begin > b.size || column.MetaData.TotalCompressedSize > b.size { // so that sums do not overflow
			return Span{}
		}
		s.End = max(s.End, begin+column.MetaData.TotalCompressedSize)
	}
	return s
}

// Groups are the bytes of the row groups, in their order.
func (b *Boxed) Groups() []Span { return b.groups }

// CoveringSpan is the bytes of a row group that Meets reads, which have other columns too if those of the covering do not
// follow each other.
func (b *Boxed) CoveringSpan(n int) Span { return b.columnsSpan(n, b.columns[:]) }

// MayMeet reports whether the statistics of a row group allow that a row meets a box of west, south, east and north.
func (b *Boxed) MayMeet(n int, box [4]float64) (may bool) {
	may = true
	guarded(func() error { // statistics that cannot be read allow everything
		for side, column := range b.columns {
			chunk, err := b.described.RowGroup(n).ColumnChunk(column)
			if err != nil {
				return err
			}
			statistics, err := chunk.Statistics()
			if err != nil || statistics == nil || !statistics.HasMinMax() {
				continue
			}
			var least, most float64
			switch s := statistics.(type) {
			case *metadata.Float32Statistics:
				least, most = float64(s.Min()), float64(s.Max())
			case *metadata.Float64Statistics:
				least, most = s.Min(), s.Max()
			default:
				continue
			}
			if beyond(side, least, box) && beyond(side, most, box) {
				may = false
			}
		}
		return nil
	})
	return may
}

// beyond reports whether a side of a covering lies such that the covering does not meet a box. NaN does not.
func beyond(side int, value float64, box [4]float64) bool {
	if side < 2 { // xmin, ymin
		return value > box[side+2]
	}
	return value < box[side-2]
}

// Meets reports whether a row of a row group meets a box, by its covering, or has none. r has the bytes of CoveringSpan, where
// they are in the file.
func (b *Boxed) Meets(n int, r io.ReaderAt, box [4]float64) (meets bool, err error) {
	err = guarded(func() error {
		f, err := file.NewParquetReader(io.NewSectionReader(r, 0, b.size), file.WithMetadata(b.described))
		if err != nil {
			return err
		}
		group := f.RowGroup(n)
		out := make([]bool, group.NumRows()) // of the box
		for side, column := range b.columns {
			values, err := group.Column(column)
			if err != nil {
				return err
			}
			row := 0
			err = eachValue(values, func(value float64) {
				if row < len(out) && beyond(side, value, box) {
					out[row] = true
				}
				row++
			})
			if err == nil && row != len(out) {
				err = fmt.Errorf("column %s.%s has %d of %d rows", Covering, sides[side], row, len(out))
			}
			if err != nil {
				return err
			}
		}
		meets = slices.Contains(out, false)
		return nil
	})
	return meets, err
}

// eachValue visits the values of a column; NaN is NULL.
func eachValue(column file.ColumnChunkReader, visit func(float64)) error {
	const batch = 4096
	levels := make([]int16, batch)
	read := func() (int64, []float64, error) { return 0, nil, fmt.Errorf("it has no numbers") }
	numbers := make([]float64, batch)
	switch c := column.(type) {
	case *file.Float64ColumnChunkReader:
		read = func() (int64, []float64, error) {
			rows, n, err := c.ReadBatch(batch, numbers, levels, nil)
			return rows, numbers[:n], err
		}
	case *file.Float32ColumnChunkReader:
		short := make([]float32, batch)
		read = func() (int64, []float64, error) {
			rows, n, err := c.ReadBatch(batch, short, levels, nil)
			for i, value := range short[:n] {
				numbers[i] = float64(value)
			}
			return rows, numbers[:n], err
		}
	}
	most := column.Descriptor().MaxDefinitionLevel()
	for column.HasNext() {
		rows, values, err := read()
		if err != nil || rows == 0 {
			return err
		}
		for i := range rows {
			if most > 0 && levels[i] < most || len(values) == 0 {
				visit(math.NaN())
				continue
			}
			visit(values[0])
			values = values[1:]
		}
	}
	return column.Err()
}

// RowGroup is a row group with its bytes, without what describes other parts of the file: indexes of pages and filters. It
// may be called once for each.
func (b *Boxed) RowGroup(n int, data []byte) (groups RowGroups, err error) {
	if int64(len(data)) != b.groups[n].Len() {
		return RowGroups{}, fmt.Errorf("row group %d has %d bytes, not %d", n, len(data), b.groups[n].Len())
	}
	err = guarded(func() error {
		described, err := b.described.Subset([]int{n})
		if err != nil {
			return err
		}
		for _, column := range described.RowGroups[0].Columns {
			column.OffsetIndexOffset, column.OffsetIndexLength, column.ColumnIndexOffset, column.ColumnIndexLength = nil, nil, nil, nil
			column.MetaData.BloomFilterOffset = nil
			if first := column.MetaData.DictionaryPageOffset; first != nil && *first <= 0 {
				column.MetaData.DictionaryPageOffset = nil // some writers mean none by 0
			}
		}
		groups = RowGroups{described, data, b.groups[n].Begin}
		return nil
	})
	return groups, err
}

// ForgetExtents removes the extents of geometries from the metadata of GeoParquet, as they are those of the file that the first
// row group is from.
func (w *RowGroupWriter) ForgetExtents() error {
	if w.described == nil {
		return nil
	}
	for _, pair := range w.described.FileMetaData.KeyValueMetadata {
		if pair.Key != GeoKey || pair.Value == nil {
			continue
		}
		var geo map[string]any
		if err := json.Unmarshal([]byte(*pair.Value), &geo); err != nil {
			return fmt.Errorf("its metadata %q: %w", GeoKey, err)
		}
		columns, _ := geo["columns"].(map[string]any)
		for _, column := range columns {
			if members, ok := column.(map[string]any); ok {
				delete(members, "bbox")
			}
		}
		text, err := json.Marshal(geo)
		if err != nil {
			return err
		}
		changed := string(text)
		pair.Value = &changed
	}
	return nil
}
