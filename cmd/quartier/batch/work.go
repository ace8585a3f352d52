package batch

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/paulmach/orb"
	"golang.org/x/sync/errgroup"

	"quartier/internal/arrowfile"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/serve/enrich"
)

// block is consecutive rows of the input.
type block struct {
	number int
	first  int64 // row, the first of the input being 0
	rows   arrow.Record
}

// work makes the parts that are not there yet.
func (j *job) work(ctx context.Context, in arrowfile.Reader) error {
	blocks := make(chan block)
	group, ctx := errgroup.WithContext(ctx)
	progress := newProgress(j.Screen, in.Rows())
	group.Go(func() error {
		defer close(blocks)
		return j.read(ctx, in, blocks, progress)
	})
	for range j.Jobs {
		group.Go(func() error {
			w := &worker{job: j, Worker: j.enricher.Worker()}
			defer w.close()
			for b := range blocks {
				err := w.make(ctx, b)
				n := b.rows.NumRows()
				b.rows.Release()
				if err != nil {
					return err
				}
				progress.add(n)
			}
			return nil
		})
	}
	return group.Wait()
}

// read hands on the blocks that have no part yet.
func (j *job) read(ctx context.Context, in arrowfile.Reader, blocks chan<- block, progress *progress) error {
	first := int64(0)
	for number := 0; ; number++ {
		rows, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		b := block{number, first, rows}
		first += rows.NumRows()
		progress.read(in.Share())
		if j.parts.has(number) {
			progress.skip(rows.NumRows())
			rows.Release()
			continue
		}
		select {
		case blocks <- b:
		case <-ctx.Done():
			rows.Release()
			return ctx.Err()
		}
	}
}

// worker makes parts, one after another.
type worker struct {
	*enrich.Worker
	job    *job
	points []orb.Point
	raw    []orb.Point
	shapes []orb.MultiPolygon // of rows with shapes
	kernel *spatialite.Kernel // nil as long as nothing was converted
}

// make makes the part of a block.
func (w *worker) make(ctx context.Context, b block) (err error) {
	var s Summary
	b.rows = b.inUTF8(&s)
	defer b.rows.Release()
	if err := w.fill(b, &s); err != nil {
		return err
	}
	path := w.job.parts.file(b.number)
	out, err := arrowfile.Create(path, w.job.shape.schema, w.job.shape.options)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := w.job.shape.write(out, b.rows, w); err != nil {
		return fmt.Errorf("rows from %d: %w", b.first+1, err)
	}
	if err := out.Close(ctx); err != nil {
		return err
	}
	return w.job.parts.done(b.number, &s)
}

// fill reads the points of a block, fills in what is known of them, and counts.
func (w *worker) fill(b block, s *Summary) error {
	switch w.job.points.kind {
	case polygons:
		return w.fillShapes(b, s)
	case written:
		return w.fillAddresses(b, s)
	}
	w.points, w.raw = w.points[:0], w.raw[:0]
	read := w.job.points.in(b.rows)
	faults := make([]error, b.rows.NumRows())
	for row := range faults {
		var p orb.Point
		if p, faults[row] = read(row); w.job.crs != "" && faults[row] != nil {
			p = nowhere
		}
		w.raw = append(w.raw, p)
	}
	if err := w.toWGS84(w.raw); err != nil {
		return err
	}
	for row, p := range w.raw {
		err := faults[row]
		if err == nil && w.job.crs != "" && !geo.Valid(p) {
			err = errNoArea
		}
		if err != nil {
			s.bad(b.first+int64(row)+1, err, "", func() string { return w.job.points.textAt(b.rows, row) })
			p = nowhere
		}
		w.points = append(w.points, p)
	}
	w.Fill(w.points)
	s.count(w.Statuses(), w.points, w.raw, w.job.enricher.Covers)
	return nil
}

// known is a number that can be shown.
func known(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
