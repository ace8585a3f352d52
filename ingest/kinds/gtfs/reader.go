package gtfs

import (
	"context"
	"fmt"
	"io"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// tableReader reads a file of a feed and counts its rows and issues.
type tableReader struct {
	*table.Table
	name   string // of its file
	out    source.Sink
	path   string // of the feed
	close  func() error
	unread int // rows not passed to Sink.Read yet
	rows   int // read so far, including rejected ones
}

// batch is the number of rows between two checks of the context.
const batch = 1024

// each calls visit for every row; visit returns why a row is left out, or the zero Reason. It stops with an error of the
// file, the context's, or the one that visit stores in failed, which may be nil.
func (r *tableReader) each(ctx context.Context, visit func() reason.Reason, failed *error) error {
	defer r.close()
	r.out.Part(r.name)
	for {
		if failed != nil && *failed != nil {
			return *failed
		}
		if r.unread%batch == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		err := r.Next()
		if err == io.EOF {
			r.out.Read(r.unread)
			return nil
		}
		if err != nil {
			return source.BadFile(r.path, "%s: %v", r.name, err)
		}
		r.rows++
		if r.unread++; r.unread == batch {
			r.out.Read(r.unread)
			r.unread = 0
		}
		why := source.WrongFieldCount
		if !r.TooLong() {
			why = visit()
		}
		if !why.OK() {
			r.out.Issue(why, r.where())
		}
		if r.Foreign {
			r.out.Issue(source.AssumedWindows1252, r.where())
		}
	}
}

// where describes the row in messages.
func (r *tableReader) where() string {
	return fmt.Sprintf("%s line %d: %s", r.name, r.Line, r.Sample())
}

// repaired counts the row as repaired.
func (r *tableReader) repaired(why reason.Reason) {
	r.out.Issue(why, r.where())
}
