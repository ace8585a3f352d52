package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"quartier/internal/arrowfile"
)

// planRows is how many rows a plan tries. Of shapes, each of which can take seconds, it tries as many as take planTime, by the
// first planShapes.
const (
	planRows   = 10_000
	planShapes = 20
	planTime   = 2 * time.Second
)

// plan says how many rows and columns the output will have, how large it will be and how long that takes, by its first rows.
// An input of few rows, or one that cannot be read twice, is not tried.
func (j *job) plan(ctx context.Context, in arrowfile.Reader) error {
	columns := fmt.Sprintf("%d columns and %d that are added", len(j.shape.kept), len(j.columns))
	if j.In == Standard {
		fmt.Fprintf(j.Screen, "plan: %s\n", columns)
		return nil
	}
	first, err := j.open(planRows)
	if err != nil {
		return err
	}
	defer first.Close()
	rows, err := first.Next()
	if errors.Is(err, io.EOF) {
		fmt.Fprintf(j.Screen, "plan: no rows, %s\n", columns)
		return nil
	}
	if err != nil {
		return err
	}
	defer rows.Release()
	read, share := rows.NumRows(), first.Share()
	w := &worker{job: j, Worker: j.enricher.Worker()}
	defer w.close()
	if j.points.kind == polygons {
		all := rows
		rows, err = w.some(all)
		all.Release()
		if err != nil {
			return err
		}
	}
	tried := rows.NumRows()
	begun := time.Now()
	var out bytes.Buffer
	if err := w.fill(block{rows: rows}, new(Summary)); err != nil {
		return err
	}
	file, err := arrowfile.New(&out, j.shape.schema, j.shape.options)
	if err != nil {
		return err
	}
	defer file.Abort()
	if err := j.shape.write(file, rows, w); err != nil {
		return err
	}
	if err := file.Close(ctx); err != nil {
		return err
	}
	total := float64(in.Rows())
	if total < 0 && share > 0 {
		total = float64(read) / share
	}
	if known(total) && total > 0 {
		times := total / float64(tried)
		took := time.Duration(times * float64(time.Since(begun)) / float64(j.Jobs))
		fmt.Fprintf(j.Screen, "plan: about %.0f rows, %s, %.1f MB, %s\n", total, columns, times*float64(out.Len())/1e6,
			took.Round(time.Second/10))
	}
	return nil
}

// some is as many of the first rows as a plan tries.
func (w *worker) some(rows arrow.Record) (arrow.Record, error) {
	first := rows.NewSlice(0, min(planShapes, rows.NumRows()))
	defer first.Release()
	begun := time.Now()
	if err := w.fill(block{rows: first}, new(Summary)); err != nil {
		return rows.NewSlice(0, 0), err
	}
	each := max(time.Since(begun)/time.Duration(first.NumRows()), time.Microsecond)
	return rows.NewSlice(0, min(max(int64(planTime/each), first.NumRows()), rows.NumRows())), nil
}
