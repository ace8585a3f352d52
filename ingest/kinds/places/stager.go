package places

import (
	"context"
	"errors"
	"fmt"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
)

// batch is the number of rows projected together.
const batch = 4096

// pending is a row before projection. Either its point or its area is set.
type pending struct {
	poi   source.POI
	area  orb.MultiPolygon
	where string
}

// stager projects rows in batches and stages them in order.
type stager struct {
	mapping *mapping
	out     source.Sink
	crs     string // "" for degrees on WGS 84
	kernel  *spatialite.Kernel
	rows    []pending
}

func newStager(crs string, m *mapping, out source.Sink) (*stager, error) {
	s := &stager{mapping: m, out: out}
	err := s.project(crs)
	if errors.Is(err, spatialite.ErrCRS) {
		var f source.Faults
		f.Option(true, "crs", "%v", err)
		err = f.Err()
	}
	return s, err
}

// project sets the reference system of the following rows.
func (s *stager) project(crs string) error {
	if crs == "" || isWGS84(crs) {
		return nil
	}
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return err
	}
	s.kernel = kernel
	if s.crs, err = kernel.Resolve(crs); err != nil {
		s.close()
		return err
	}
	return nil
}

func (s *stager) close() {
	if s.kernel != nil {
		s.kernel.Close()
		s.kernel = nil
	}
}

// add adds one row and stages a full batch.
func (s *stager) add(ctx context.Context, row pending) error {
	s.rows = append(s.rows, row)
	if len(s.rows) < batch {
		return nil
	}
	return s.flush(ctx)
}

// flush projects and stages the rows of the batch.
func (s *stager) flush(ctx context.Context) error {
	if err := s.transform(); err != nil {
		return err
	}
	for i := range s.rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.stage(&s.rows[i]); err != nil {
			return err
		}
	}
	s.rows = s.rows[:0]
	return ctx.Err()
}

func (s *stager) stage(row *pending) error {
	if row.area != nil {
		point, inside := geo.InteriorPoint(row.area)
		if !inside {
			s.out.Issue(source.ZeroArea, row.where)
			return nil
		}
		m2 := geo.Area(row.area)
		row.poi.Point, row.poi.AreaM2 = point, &m2
	}
	if !s.mapping.options.BBox.Contains(row.poi.Point) {
		s.out.Issue(source.OutsideBBox, row.where)
		return nil
	}
	s.mapping.finish(&row.poi)
	return s.out.Row(row.poi)
}

// transform projects all points of the batch to degrees. A point that cannot be projected becomes NaN, which the sink
// rejects.
func (s *stager) transform() error {
	if s.crs == "" || s.crs == spatialite.WGS84 || len(s.rows) == 0 {
		return nil
	}
	var all []orb.Point
	each := func(visit func(p *orb.Point)) {
		for i := range s.rows {
			if s.rows[i].area == nil {
				visit(&s.rows[i].poi.Point)
				continue
			}
			for _, polygon := range s.rows[i].area {
				for _, ring := range polygon {
					for j := range ring {
						visit(&ring[j])
					}
				}
			}
		}
	}
	each(func(p *orb.Point) { all = append(all, *p) })
	if _, err := s.kernel.Transform(all, s.crs, spatialite.WGS84); err != nil {
		return err
	}
	next := 0
	each(func(p *orb.Point) { *p, next = all[next], next+1 })
	return nil
}

// finish returns the error with the name of the file, unless the context ended.
func finish(ctx context.Context, path string, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, source.ErrBadFile):
		return fmt.Errorf("%s: %w", path, err)
	}
	return err
}
