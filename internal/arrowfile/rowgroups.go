package arrowfile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow/go/v17/parquet/metadata"
)

// A Parquet file is the magic bytes, its row groups, their description, the length of that in four bytes, and the magic bytes.
const (
	magic     = "PAR1"
	tailBytes = int64(4 + len(magic))
	maxFooter = 1 << 28
)

// ErrNoParquet is the error of a file that does not end as Parquet files do, such as one that was cut short.
var ErrNoParquet = errors.New("not a complete Parquet file")

// RowGroups are consecutive row groups of a Parquet file and their bytes, which can be put into another file.
type RowGroups struct {
	Described *metadata.FileMetaData
	Data      []byte
	begin     int64 // offset by which they are described
}

// Encoded is the row groups of a Parquet file in memory.
func Encoded(file []byte) (RowGroups, error) {
	described, end, err := describe(byteReader(file), int64(len(file)))
	if err != nil {
		return RowGroups{}, err
	}
	return RowGroups{described, file[len(magic):end], int64(len(magic))}, nil
}

// byteReader reads bytes in memory.
type byteReader []byte

func (b byteReader) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 || at > int64(len(b)) {
		return 0, io.ErrUnexpectedEOF
	}
	n := copy(p, b[at:])
	if n < len(p) {
		return n, io.ErrUnexpectedEOF
	}
	return n, nil
}

// describe reads the description of the row groups of a file, and where they end.
func describe(r io.ReaderAt, size int64) (*metadata.FileMetaData, int64, error) {
	if size < int64(len(magic))+tailBytes {
		return nil, 0, ErrNoParquet
	}
	var tail [tailBytes]byte
	if _, err := r.ReadAt(tail[:], size-tailBytes); err != nil {
		return nil, 0, err
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	end := size - tailBytes - length
	if string(tail[4:]) != magic || length > maxFooter || end < int64(len(magic)) {
		return nil, 0, ErrNoParquet
	}
	text := make([]byte, length)
	if _, err := r.ReadAt(text, end); err != nil {
		return nil, 0, err
	}
	described, err := metadata.NewFileMetaData(text, nil)
	return described, end, err
}

// RowGroupWriter writes a Parquet file of row groups that are encoded already.
type RowGroupWriter struct {
	out       *bufio.Writer
	at        int64
	described *metadata.FileMetaData
}

// NewRowGroupWriter starts a file. Its errors are those of Add and Finish.
func NewRowGroupWriter(out io.Writer) *RowGroupWriter {
	w := &RowGroupWriter{out: bufio.NewWriterSize(out, 1<<20), at: int64(len(magic))}
	w.out.WriteString(magic) // Flush returns the first error
	return w
}

// Add appends row groups, whose description it changes to where they are now. All have the columns of the first; that may
// have no rows.
func (w *RowGroupWriter) Add(groups RowGroups) error {
	w.move(groups.Described, groups.begin)
	if err := w.describe(groups.Described); err != nil {
		return err
	}
	n, err := w.out.Write(groups.Data)
	w.at += int64(n)
	return err
}

// move changes offsets in a description to where the row groups that begin at an offset will be.
func (w *RowGroupWriter) move(described *metadata.FileMetaData, begin int64) {
	shift := w.at - begin
	move := func(offset *int64) {
		if offset != nil {
			*offset += shift
		}
	}
	before := 0
	if w.described != nil {
		before = len(w.described.RowGroups)
	}
	for n, group := range described.RowGroups {
		ordinal := int16(before + n)
		group.Ordinal = &ordinal
		move(group.FileOffset)
		for _, column := range group.Columns {
			move(&column.FileOffset)
			move(&column.MetaData.DataPageOffset)
			move(column.MetaData.DictionaryPageOffset)
			move(column.MetaData.IndexPageOffset)
		}
	}
}

func (w *RowGroupWriter) describe(described *metadata.FileMetaData) error {
	if w.described == nil {
		w.described = described
		return nil
	}
	return w.described.AppendRowGroups(described)
}

// Finish writes the description.
func (w *RowGroupWriter) Finish() error {
	n, err := w.described.WriteTo(w.out, nil)
	if err == nil {
		_, err = w.out.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(n)), magic...))
	}
	if err == nil {
		err = w.out.Flush()
	}
	return err
}

// setMetadata makes these pairs the metadata of the file, in their order.
func (w *RowGroupWriter) setMetadata(pairs [][2]string) error {
	kept := metadata.NewKeyValueMetadata()
	for _, pair := range pairs {
		if err := kept.Append(pair[0], pair[1]); err != nil {
			return fmt.Errorf("metadata %s: %w", pair[0], err)
		}
	}
	w.described.FileMetaData.KeyValueMetadata = kept
	return nil
}

// RowGroupReader reads the row groups of a file as they are.
type RowGroupReader struct {
	Described *metadata.FileMetaData
	file      *os.File
	end       int64 // of the row groups
}

// OpenRowGroups opens a Parquet file whose row groups follow each other.
func OpenRowGroups(path string) (*RowGroupReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &RowGroupReader{file: f}
	info, err := f.Stat()
	if err == nil {
		r.Described, r.end, err = describe(f, info.Size())
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Close closes the file.
func (r *RowGroupReader) Close() error { return r.file.Close() }

// begin is where a row group begins, or the end of the last one.
func (r *RowGroupReader) begin(n int) int64 {
	if n == len(r.Described.RowGroups) {
		return r.end
	}
	first := r.Described.RowGroups[n].Columns[0].MetaData
	if first.DictionaryPageOffset != nil {
		return *first.DictionaryPageOffset
	}
	return first.DataPageOffset
}

// Groups are some row groups, which must be consecutive.
func (r *RowGroupReader) Groups(indexes []int) (RowGroups, error) {
	described, err := r.Described.Subset(indexes)
	if err != nil || len(indexes) == 0 {
		return RowGroups{Described: described}, err
	}
	first, last := indexes[0], indexes[len(indexes)-1]
	begin, end := r.begin(first), r.begin(last+1)
	if last-first+1 != len(indexes) || begin > end || end > r.end {
		return RowGroups{}, fmt.Errorf("row groups %d to %d are not consecutive", first, last)
	}
	data := make([]byte, end-begin)
	_, err = r.file.ReadAt(data, begin)
	return RowGroups{described, data, begin}, err
}
