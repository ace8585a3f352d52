// Package arrowfile writes and reads files of Arrow record batches: Parquet, GeoParquet 1.1 and CSV. Files are written as
// they are made, in memory that does not depend on their length, on all processors, with bytes that do not depend on how
// many there are nor on how rows are divided into batches.
package arrowfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/apache/arrow/go/v17/arrow"
)

// Format is a format of files.
type Format string

// The formats. GeoParquet is Parquet whose metadata describe a column of geometries.
const (
	Parquet    Format = "parquet"
	GeoParquet Format = "geoparquet"
	CSV        Format = "csv"
)

// FormatOf is the format of a file by the extension of its name: .parquet, .geoparquet or .csv.
func FormatOf(path string) (Format, error) {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".parquet", ".geoparquet", ".csv":
		return Format(ext[1:]), nil
	}
	return "", fmt.Errorf("%s: the extension names no format; known are .parquet, .geoparquet and .csv", path)
}

// GroupRows is the number of rows of a row group unless Options say otherwise.
const GroupRows = 100_000

// Options of a file.
type Options struct {
	Format    Format
	GroupRows int // rows of a row group; 0: GroupRows
	// Geometry is the column of geometries in well-known binary, longitude before latitude; "" if there is none. A
	// GeoParquet file has it with its extents in the column Covering, a CSV file as well-known text.
	Geometry string
	// Plain are columns of numbers of which hardly any two are the same. A Parquet file has them without a dictionary, which
	// takes longer to make and is no smaller.
	Plain []string
	// Fast compresses a Parquet file in less time, and less.
	Fast bool
	// Types are those of columns of a CSV file whose values were made text before: the file beside it has them.
	Types map[string]arrow.DataType
	// Metadata describe the file: pairs of the footer of a Parquet file, in a file beside a CSV file.
	Metadata map[string]string
}

// Writer writes a file. It is for one goroutine.
type Writer struct {
	schema   *arrow.Schema
	options  Options
	encoder  encoder
	pending  []arrow.Record // rows of the next row group
	rows     int            // of them
	total    int64
	queue    chan *block
	finished chan struct{}
	failed   atomic.Pointer[error]
	extent   extent
	sink     *sink
	file     *os.File // nil if the caller has it
	path     string
}

// encoder makes parts of a file of record batches, on several goroutines, and puts them in order.
type encoder interface {
	// encode makes a part of the records, the first of which is row first of the file.
	encode(records []arrow.Record, first int64) (part, error)
	add(part) error
	finish(metadata [][2]string, of extent) error
}

// part is rows of a file as it has them.
type part struct {
	groups RowGroups // of Parquet
	text   []byte    // of CSV
	extent extent
}

// block is a part that is being made.
type block struct {
	part
	err  error
	done chan struct{}
}

// Create starts a file beside path, which Close puts in its place.
func Create(path string, schema *arrow.Schema, o Options) (*Writer, error) {
	file, err := os.Create(unfinished(path))
	if err != nil {
		return nil, err
	}
	w, err := New(file, schema, o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("write %s: %w", path, err), file.Close(), os.Remove(file.Name()))
	}
	w.file, w.path = file, path
	return w, nil
}

// unfinished is the name of a file until it is complete.
func unfinished(path string) string { return path + ".tmp" }

// New starts a file that is written to out. The metadata of a CSV file are then written nowhere.
func New(out io.Writer, schema *arrow.Schema, o Options) (*Writer, error) {
	if o.GroupRows <= 0 {
		o.GroupRows = GroupRows
	}
	o.Metadata = maps.Clone(o.Metadata)
	w := &Writer{schema: schema, options: o, sink: &sink{out: out}}
	if err := w.checkGeometry(); err != nil {
		return nil, err
	}
	err := guarded(func() (err error) {
		switch o.Format {
		case Parquet, GeoParquet:
			w.encoder, err = newParquetEncoder(w.sink, schema, &o)
		case CSV:
			w.encoder, err = newCSVEncoder(w.sink, schema, &o)
		default:
			err = fmt.Errorf("format %q is none of %s, %s and %s", o.Format, Parquet, GeoParquet, CSV)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	w.queue, w.finished = make(chan *block, runtime.GOMAXPROCS(0)-1), make(chan struct{})
	go w.place(w.queue)
	return w, nil
}

func (w *Writer) checkGeometry() error {
	name := w.options.Geometry
	if name == "" {
		if w.options.Format == GeoParquet {
			return errors.New("a GeoParquet file needs a column of geometries")
		}
		return nil
	}
	fields, ok := w.schema.FieldsByName(name)
	if !ok || len(fields) != 1 || fields[0].Type.ID() != arrow.BINARY {
		return fmt.Errorf("column %s, which has the geometries, must be one column of type binary", name)
	}
	if w.options.Format == GeoParquet && w.schema.HasField(Covering) {
		return fmt.Errorf("column %s is there already; a GeoParquet file has the extents of its geometries in it", Covering)
	}
	return nil
}

// WriteBatch appends rows. They are encoded meanwhile and later, so that an error may be one of earlier rows.
func (w *Writer) WriteBatch(rows arrow.Record) error {
	if !rows.Schema().Equal(w.schema) {
		return fmt.Errorf("rows with the columns %s are written to a file with %s", rows.Schema(), w.schema)
	}
	for at, n := int64(0), rows.NumRows(); at < n; {
		take := min(n-at, int64(w.options.GroupRows-w.rows))
		w.pending = append(w.pending, rows.NewSlice(at, at+take))
		w.rows += int(take)
		at += take
		if w.rows == w.options.GroupRows {
			w.submit()
		}
	}
	return w.err()
}

// Rows is the number of rows that were passed so far.
func (w *Writer) Rows() int64 { return w.total + int64(w.rows) }

// Bytes is the number of bytes that were written so far.
func (w *Writer) Bytes() int64 { return w.sink.bytes.Load() }

// SetMetadata sets a pair of the metadata; it may be called until Close.
func (w *Writer) SetMetadata(key, value string) {
	if w.options.Metadata == nil {
		w.options.Metadata = map[string]string{}
	}
	w.options.Metadata[key] = value
}

// submit lets a goroutine encode the pending rows, once fewer than one for each processor do so: place has one of them, the
// queue the others.
func (w *Writer) submit() {
	b, records, first := &block{done: make(chan struct{})}, w.pending, w.total
	w.total += int64(w.rows)
	w.pending, w.rows = nil, 0
	w.queue <- b
	go func() {
		defer close(b.done)
		if b.err = w.err(); b.err == nil {
			b.err = guarded(func() (err error) {
				b.part, err = w.encoder.encode(records, first)
				return err
			})
		}
		for _, r := range records {
			r.Release()
		}
	}()
}

// place writes the parts of a queue in its order.
func (w *Writer) place(queue <-chan *block) {
	defer close(w.finished)
	for b := range queue {
		<-b.done
		if w.err() != nil {
			continue
		}
		w.extent.merge(&b.extent)
		if b.err == nil {
			b.err = w.encoder.add(b.part)
		}
		if b.err != nil {
			w.failed.Store(&b.err)
		}
	}
}

func (w *Writer) err() error {
	if err := w.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Close writes what is left and the metadata, and puts the file in its place; if that fails or ctx is done, it is removed.
// Nothing may be called after it but Abort.
func (w *Writer) Close(ctx context.Context) error {
	if w.rows > 0 {
		w.submit()
	}
	err := w.stop()
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = w.encoder.finish(pairs(w.options.Metadata), w.extent)
	}
	if w.file == nil {
		return err
	}
	file := w.file
	w.file = nil
	if err == nil {
		err = file.Sync()
	}
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	if err == nil && w.options.Format == CSV {
		err = writeDescription(w.path, w.schema, &w.options, w.total, w.Bytes())
	}
	if err == nil {
		err = os.Rename(file.Name(), w.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", w.path, err), os.Remove(file.Name()))
	}
	return nil
}

// stop waits for the parts and returns the first error.
func (w *Writer) stop() error {
	if w.queue != nil {
		close(w.queue)
		w.queue = nil
		<-w.finished
	}
	return w.err()
}

// Abort ends a file that will not be complete and removes it. After Close it does nothing.
func (w *Writer) Abort() {
	for _, r := range w.pending {
		r.Release()
	}
	w.pending, w.rows = nil, 0
	w.stop()
	if w.file != nil {
		w.file.Close()
		os.Remove(w.file.Name())
		w.file = nil
	}
}

// pairs are the metadata in the order of their keys.
func pairs(metadata map[string]string) [][2]string {
	var list [][2]string
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		list = append(list, [2]string{key, metadata[key]})
	}
	return list
}

// sink counts the bytes of a file.
type sink struct {
	out   io.Writer
	bytes atomic.Int64
}

func (s *sink) Write(p []byte) (int, error) {
	n, err := s.out.Write(p)
	s.bytes.Add(int64(n))
	return n, err
}

// guarded is the error of work or the panic of the Arrow library, by which it reports types that a format has not and damaged
// pages. Columns of structs are read by goroutines of an errgroup; that of x/sync v0.14.0 brings their panics here.
func guarded(work func() error) (err error) {
	defer func() {
		if failed := recover(); failed != nil {
			err = fmt.Errorf("the Arrow library: %v", failed)
		}
	}()
	return work()
}
