package reso

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"quartier/ingest/source"
)

// sniff returns the text of a file and its form: JSON begins with a bracket, whatever the name says.
func sniff(r io.Reader, path string, limits source.Limits) (*bufio.Reader, form, error) {
	in := bufio.NewReaderSize(r, 1<<20)
	head, err := in.Peek(4)
	switch {
	case len(head) == 0 && (err == nil || err == io.EOF):
		return nil, 0, errEmpty
	case bytes.Equal(head, []byte("PAR1")):
		return in, parquetForm, nil
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		unpacked, err := source.Unpack(in, limits, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
		if err != nil {
			return nil, 0, err
		}
		in = bufio.NewReaderSize(unpacked, 1<<20)
		path = strings.TrimSuffix(path, filepath.Ext(path))
	}
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		in.Discard(3) // cannot fail after Peek
	}
	for n := 1; n <= 1<<10; n++ {
		head, err := in.Peek(n)
		if len(head) < n {
			if err != nil && err != io.EOF {
				return nil, 0, err
			}
			return nil, 0, errEmpty
		}
		switch c := head[n-1]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case c == '{' || c == '[':
			return in, jsonForm, nil
		default:
			return in, formByName(path), nil
		}
	}
	return in, formByName(path), nil
}

func formByName(path string) form {
	if strings.EqualFold(filepath.Ext(path), ".parquet") {
		return parquetForm
	}
	return tableForm
}

// chunk is some records of a file, in the form in which the reader found them, and what became of them.
type chunk struct {
	first int64    // number of the first record
	rows  []int64  // of the records, where they do not follow each other
	json  []string // records of JSON
	cells []string // of records of a table, one for each slot
	notes []issue  // of the reader
	short int      // rows that it left out
	out   []outcome
	done  chan struct{}
}

// size is the number of records of a chunk.
func (c *chunk) size(slots int) int {
	if c.json != nil {
		return len(c.json)
	}
	return len(c.cells) / slots
}

// row is the number of a record.
func (c *chunk) row(i int) int64 {
	if c.rows != nil {
		return c.rows[i]
	}
	return c.first + int64(i)
}

// chunkRows is the number of records of a chunk.
const chunkRows = 2000

// reader passes the records of a file in chunks. Its error is that of the file.
type reader func(ctx context.Context, emit func(*chunk) error) error

// stage reads a file: one goroutine finds the records, the others decode them, and they are passed on in their order.
func (m *mapping) stage(ctx context.Context, path string, in source.Input, out source.Sink) error {
	read, closing, err := m.reader(ctx, path, in, out)
	if err != nil {
		return err
	}
	defer closing()
	group, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	todo, ordered := make(chan *chunk, workers), make(chan *chunk, 2*workers)
	var broken error // what is wrong with the file, after the records before
	group.Go(func() error {
		defer close(todo)
		defer close(ordered)
		broken = read(ctx, func(c *chunk) error {
			c.done = make(chan struct{})
			for _, queue := range []chan *chunk{ordered, todo} {
				select {
				case queue <- c:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
		return nil
	})
	found := sync.OnceValues(func() (*orders, error) { return m.survey(ctx, path, in) })
	for range workers {
		group.Go(func() error {
			w := m.worker(path, in, found)
			for c := range todo {
				w.chunk(c)
				if w.failed != nil {
					return w.failed
				}
				close(c.done)
			}
			return nil
		})
	}
	group.Go(func() error { return pass(ctx, ordered, out) })
	if err := group.Wait(); err != nil {
		return err
	}
	return broken
}

// pass passes what became of the records to a sink, in the order of the file.
func pass(ctx context.Context, ordered <-chan *chunk, out source.Sink) error {
	for c := range ordered {
		select {
		case <-c.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		out.Read(len(c.out) + c.short)
		for _, issue := range c.notes {
			out.Issue(issue.why, issue.where)
		}
		for i := range c.out {
			o := &c.out[i]
			for _, issue := range o.issues {
				out.Issue(issue.why, issue.where)
			}
			out.Read(o.nested)
			var err error
			switch o.kind {
			case isListing:
				err = out.Row(o.listing)
				for n := 0; n < len(o.changes) && err == nil; n++ {
					err = out.Row(o.changes[n])
				}
			case isChange:
				err = out.Row(o.change)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// worker decodes chunks.
type worker struct {
	decoder
	json  jsonRecord
	cells []string
}

func (m *mapping) worker(path string, in source.Input, found func() (*orders, error)) *worker {
	w := &worker{cells: make([]string, len(m.slots.names))}
	w.decoder = decoder{mapping: m, name: filepath.Base(path), country: in.Country, state: in.State, states: map[string]string{},
		orders: found}
	w.json = jsonRecord{slots: &m.slots, known: map[string]int{}}
	return w
}

func (w *worker) chunk(c *chunk) {
	slots := len(w.cells)
	c.out = make([]outcome, c.size(slots))
	for i := range c.out {
		o := &c.out[i]
		o.row = c.row(i)
		cells := w.cells
		if c.json == nil {
			cells = c.cells[i*slots : (i+1)*slots]
		} else if err := w.json.read(c.json[i], cells); err != nil {
			w.out, w.v = o, values{}
			w.note(source.MalformedRecord)
			o.issues[0].where += ": " + err.Error()
			continue
		}
		w.decode(cells, o)
		if c.json != nil && w.json.history != "" {
			w.nested(w.json.history, o)
		}
	}
}
