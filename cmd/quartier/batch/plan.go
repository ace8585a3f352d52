package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"quartier/internal/arrowfile"
)

// planRows is how many rows a plan tries.
const planRows = 10_000

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
	tried := rows.NumRows()
	share := first.Share()
	begun := time.Now()
	var out bytes.Buffer
	w := &worker{job: j, Worker: j.enricher.Worker()}
	w.fill(block{rows: rows}, new(Summary))
	file, err := arrowfile.New(&out, j.shape.schema, j.shape.options)
	if err != nil {
		return err
	}
	defer file.Abort()
	if err := j.shape.write(file, rows, w.points, w.Worker); err != nil {
		return err
	}
	if err := file.Close(ctx); err != nil {
		return err
	}
	total := float64(in.Rows())
	if total < 0 && share > 0 {
		total = float64(tried) / share
	}
	if known(total) && total > 0 {
		times := total / float64(tried)
		took := time.Duration(times * float64(time.Since(begun)) / float64(j.Jobs))
		fmt.Fprintf(j.Screen, "plan: about %.0f rows, %s, %.1f MB, %s\n", total, columns, times*float64(out.Len())/1e6, took.Round(time.Second/10))
	}
	return nil
}
