package gtfs

import (
	"context"
	"fmt"
	"io"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// reading is a table of a feed that is being read, with the sink that hears of its rows.
type reading struct {
	*table.Table
	name   string // of its file
	ctx    context.Context
	out    source.Sink
	path   string // of the feed
	close  func() error
	unread int // rows that Read has not heard of yet
	rows   int // read so far, bad ones too
}

// batch is how many rows are counted at a time, and how often a cancelled context is looked for.
const batch = 1024

// each visits the rows of the table; visit says why a row is left out, "" where it is not. It ends with an error of the
// file, the context's, or the one that visit has put into failed, which may be nil.
func (r *reading) each(visit func() reason.Reason, failed *error) error {
	defer r.close()
	for {
		if failed != nil && *failed != nil {
			return *failed
		}
		if r.unread%batch == 0 {
			if err := r.ctx.Err(); err != nil {
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

// where names the row for people.
func (r *reading) where() string { return fmt.Sprintf("%s line %d: %s", r.name, r.Line, r.Sample()) }

// repaired counts the row as mended.
func (r *reading) repaired(why reason.Reason) {
	r.out.Issue(why, r.where())
}
