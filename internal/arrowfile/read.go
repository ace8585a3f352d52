package arrowfile

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
)

// ErrRead is wrapped by errors about files that cannot be read: another format, cut short, rows that do not fit. Where rows
// are read one by one the text has the row and the line.
var ErrRead = errors.New("cannot be read")

func unreadable(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRead, fmt.Sprintf(format, args...))
}

// Reader reads the rows of a file in their order. It is for one goroutine.
type Reader interface {
	// Schema is the columns. Those of a CSV file are texts.
	Schema() *arrow.Schema
	// Next returns the next rows, which the caller releases, or io.EOF. How many there are depends on the file and the
	// options alone.
	Next() (arrow.Record, error)
	// Rows is the number of rows of the file; −1 if only reading it shows that.
	Rows() int64
	// Share is how much of the file was read, 0 to 1; −1 where its length is not known.
	Share() float64
	// Close ends reading.
	Close() error
}

// ReadOptions of a file.
type ReadOptions struct {
	Format Format // "": by the extension
	Rows   int    // most rows that Next returns; 0: GroupRows
	Bytes  int    // about the most bytes that Next returns; 0: defaultBytes
	// Encoding of CSV: one of Encodings; "": UTF-8 or UTF-16, whichever it is
	Encoding string
	// Foreign: cells of CSV that are not UTF-8 are texts as they are; false: the file is refused
	Foreign bool
}

const defaultBytes = 64 << 20

func (o *ReadOptions) complete(path string) (err error) {
	if o.Rows <= 0 {
		o.Rows = GroupRows
	}
	if o.Bytes <= 0 {
		o.Bytes = defaultBytes
	}
	if o.Format == "" {
		o.Format, err = FormatOf(path)
	}
	return err
}

// Open opens a file.
func Open(path string, o ReadOptions) (Reader, error) {
	if err := o.complete(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = unreadable("it is a folder")
	}
	var r Reader
	switch {
	case err != nil:
	case o.Format == CSV:
		r, err = newCSVReader(file, info.Size(), o)
	default:
		r, err = newParquetReader(file, o)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return named{r, path}, nil
}

// OpenStream reads CSV that is not in a file, such as standard input. name is that in errors.
func OpenStream(in io.Reader, name string, o ReadOptions) (Reader, error) {
	o.Format = CSV
	if err := o.complete(""); err != nil {
		return nil, err
	}
	r, err := newCSVReader(io.NopCloser(in), -1, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return named{r, name}, nil
}

// named is a reader whose errors have the name of the file.
type named struct {
	Reader
	name string
}

func (r named) Next() (arrow.Record, error) {
	record, err := r.Reader.Next()
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s: %w", r.name, err)
	}
	return record, err
}
