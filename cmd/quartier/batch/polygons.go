package batch

import (
	"errors"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/shapes"
)

// fillShapes reads the shapes of a block, fills in what is known of them, and counts.
func (w *worker) fillShapes(b block, s *Summary) error {
	w.raw, w.shapes = w.raw[:0], w.shapes[:0]
	reasons := make([]string, b.rows.NumRows())
	bytes := bytesOf(b.rows.Column(w.job.points.lat))
	for row := range reasons {
		shape, err := w.readShape(bytes(row))
		at := nowhere
		if len(shape) > 0 && len(shape[0]) > 0 && len(shape[0][0]) > 0 {
			at = shape[0][0][0]
		}
		var failed conversionError
		if errors.As(err, &failed) {
			return failed.error
		}
		if err == nil {
			err = shapes.Check(shape)
		}
		if err != nil {
			reasons[row], shape = err.Error(), nil
			reason := shapes.Reason(err)
			detail := strings.TrimPrefix(strings.TrimPrefix(err.Error(), reason.Error()), ": ")
			s.bad(b.first+int64(row)+1, reason, detail, func() string { return w.job.points.textAt(b.rows, row) })
		}
		w.raw, w.shapes = append(w.raw, at), append(w.shapes, shape)
	}
	w.FillShapes(w.shapes, reasons)
	s.count(w.Statuses(), w.raw, w.raw, w.job.enricher.Covers)
	return nil
}

// conversionError is an error that is not of a shape.
type conversionError struct{ error }

// readShape reads a shape, in degrees of WGS 84.
func (w *worker) readShape(data []byte) (orb.MultiPolygon, error) {
	l := w.job.points
	if !l.foreign {
		return shapes.Read(data)
	}
	shape, err := shapes.ReadIn(data, uint32(l.system))
	if err != nil {
		return nil, err
	}
	var points []orb.Point
	geo.Each(shape, func(p orb.Point) orb.Point {
		points = append(points, p)
		return p
	})
	if err := w.toWGS84(points); err != nil {
		return nil, conversionError{err}
	}
	next := -1
	return geo.Each(shape, func(orb.Point) orb.Point {
		next++
		return points[next]
	}).(orb.MultiPolygon), nil
}

// shapeArray is shapes in well-known binary; NULL for those that are none.
func shapeArray(list []orb.MultiPolygon) (arrow.Array, error) {
	b := array.NewBinaryBuilder(memory.DefaultAllocator, arrow.BinaryTypes.Binary)
	defer b.Release()
	for _, shape := range list {
		if len(shape) == 0 {
			b.AppendNull()
			continue
		}
		data, err := geo.WKB(shape)
		if err != nil {
			return nil, err
		}
		b.Append(data)
	}
	return b.NewArray(), nil
}
