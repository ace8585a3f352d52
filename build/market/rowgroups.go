package market

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
	parquetMagic = "PAR1"
	parquetTail  = int64(4 + len(parquetMagic))
	maxFooter    = 1 << 28
)

// rowGroups are row groups of a Parquet file.
type rowGroups struct {
	described *metadata.FileMetaData
	begin     int64 // offset by which they are described
	data      []byte
}

// describe reads the description of the row groups of a file, and where they end.
func describe(r io.ReaderAt, size int64) (*metadata.FileMetaData, int64, error) {
	var tail [parquetTail]byte
	if _, err := r.ReadAt(tail[:], size-parquetTail); err != nil {
		return nil, 0, err
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	end := size - parquetTail - length
	if string(tail[4:]) != parquetMagic || length > maxFooter || end < int64(len(parquetMagic)) {
		return nil, 0, errors.New("no Parquet file")
	}
	text := make([]byte, length)
	if _, err := r.ReadAt(text, end); err != nil {
		return nil, 0, err
	}
	described, err := metadata.NewFileMetaData(text, nil)
	return described, end, err
}

// parquetFile writes a Parquet file of row groups that are written already.
type parquetFile struct {
	out       *bufio.Writer
	at        int64
	described *metadata.FileMetaData
}

func newParquet(out io.Writer) *parquetFile {
	p := &parquetFile{out: bufio.NewWriterSize(out, 1<<20), at: int64(len(parquetMagic))}
	p.out.WriteString(parquetMagic) // Flush returns the first error
	return p
}

// add appends row groups, whose description it changes to where they are now.
func (p *parquetFile) add(groups rowGroups) error {
	shift := p.at - groups.begin
	move := func(offset *int64) {
		if offset != nil {
			*offset += shift
		}
	}
	before := 0
	if p.described != nil {
		before = len(p.described.RowGroups)
	}
	for n, group := range groups.described.RowGroups {
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
	if p.described == nil {
		p.described = groups.described
	} else if err := p.described.AppendRowGroups(groups.described); err != nil {
		return err
	}
	n, err := p.out.Write(groups.data)
	p.at += int64(n)
	return err
}

// finish writes the description.
func (p *parquetFile) finish() error {
	n, err := p.described.WriteTo(p.out, nil)
	if err == nil {
		_, err = p.out.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(n)), parquetMagic...))
	}
	if err == nil {
		err = p.out.Flush()
	}
	return err
}

// parquetReader reads the row groups of a file of parquetFile.
type parquetReader struct {
	file      *os.File
	described *metadata.FileMetaData
	end       int64 // of the row groups
}

func openParquet(path string) (*parquetReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &parquetReader{file: f}
	info, err := f.Stat()
	if err == nil {
		r.described, r.end, err = describe(f, info.Size())
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// begin is where a row group begins, or the end of the last one.
func (r *parquetReader) begin(n int) int64 {
	if n == len(r.described.RowGroups) {
		return r.end
	}
	first := r.described.RowGroups[n].Columns[0].MetaData
	if first.DictionaryPageOffset != nil {
		return *first.DictionaryPageOffset
	}
	return first.DataPageOffset
}

// groups are the row groups of the interval with a code, which is the only value of its column.
func (r *parquetReader) groups(code string) (rowGroups, error) {
	var indexes []int
	for n, group := range r.described.RowGroups {
		if of := group.Columns[codeColumn].MetaData.Statistics; of != nil && string(of.MinValue) == code && string(of.MaxValue) == code {
			indexes = append(indexes, n)
		}
	}
	described, err := r.described.Subset(indexes)
	if err != nil || len(indexes) == 0 {
		return rowGroups{described: described}, err
	}
	first, last := indexes[0], indexes[len(indexes)-1]
	begin, end := r.begin(first), r.begin(last+1)
	if last-first+1 != len(indexes) || begin > end || end > r.end {
		return rowGroups{}, fmt.Errorf("row groups of %s are not consecutive", code)
	}
	data := make([]byte, end-begin)
	_, err = r.file.ReadAt(data, begin)
	return rowGroups{described, begin, data}, err
}
