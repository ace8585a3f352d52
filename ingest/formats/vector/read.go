package vector

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
)

// Limits of a batch. It has many points, so that the overhead of a projection call is small.
const (
	batchPoints   = 50_000
	batchFeatures = 2_000
)

// Read calls emit with every feature of the layer, in the order of the file and in WGS 84 longitude and latitude. It
// stops with emit's error, the context's, or one that names the file and wraps source.ErrBadFile, and ErrWrongCRS too
// where the coordinates cannot be in the reference system.
func (l *Layer) Read(ctx context.Context, emit func(Feature) error) error {
	p, err := newProjector(l)
	if err != nil {
		return err
	}
	defer p.close()
	for {
		batch, points, err := l.batch(ctx)
		if err != nil && err != io.EOF {
			return err
		}
		if err := p.project(batch, points); err != nil {
			return err
		}
		for _, feature := range batch {
			if err := emit(feature); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// Stage reads the layer for a kind: it counts the features as read and calls take, which reports whether the options select
// the feature. The layer must have the wanted attributes, of each list one, and a selected feature; selects begins
// the error where it has none: "the option bbox selects".
func (l *Layer) Stage(ctx context.Context, out source.Sink, wanted []source.List, selects string, take func(Feature) (bool, error)) error {
	if l.FieldsKnown {
		if err := l.CheckFields(wanted...); err != nil {
			return err
		}
	}
	if t, ok := l.reader.(*textTable); ok {
		defer t.table.Report(out)
	}
	read, found := 0, false
	err := l.Read(ctx, func(f Feature) error {
		read++
		out.Read(1)
		selected, err := take(f)
		found = found || selected
		return err
	})
	switch {
	case err != nil:
		return err
	case read == 0:
		return l.Bad("it has no features")
	}
	if err := l.CheckFields(wanted...); err != nil || found {
		return err
	}
	return l.Bad("%s none of its %d features", selects, read)
}

// batch reads features up to the limits; io.EOF is returned together with the last ones.
func (l *Layer) batch(ctx context.Context) (batch []Feature, points []orb.Point, err error) {
	for len(points) < batchPoints && len(batch) < batchFeatures {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		feature, err := l.Next()
		if err != nil {
			return batch, points, err
		}
		batch = append(batch, feature)
		geo.Each(feature.Geometry, func(p orb.Point) orb.Point {
			points = append(points, p)
			return p
		})
	}
	return batch, points, nil
}

// projector converts batches to WGS 84.
type projector struct {
	layer     *Layer
	crs       string
	kernel    *spatialite.Kernel // nil where the file is in WGS 84
	projected bool               // the reference system is projected, not in degrees
}

func newProjector(l *Layer) (*projector, error) {
	if l.CRS == "" {
		return nil, l.Bad("it has no reference system (is the .prj file missing?); set the option crs, e.g. crs: EPSG:4269")
	}
	p := &projector{layer: l, crs: l.CRS}
	if l.CRS == spatialite.WGS84 {
		return p, nil
	}
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return nil, err
	}
	p.kernel = kernel
	if err := p.resolve(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// resolve looks up the reference system.
func (p *projector) resolve() error {
	var err error
	if p.crs, err = p.kernel.Resolve(p.layer.CRS); errors.Is(err, spatialite.ErrCRS) {
		return p.layer.Bad("%w; set the option crs", err)
	} else if err != nil {
		return err
	}
	// A step of one unit is one degree in a geographic system, and nearly nothing in metres or feet.
	step := []orb.Point{{-75, 45}, {-74, 45}}
	if lost, err := p.kernel.Transform(step, p.crs, spatialite.WGS84); err != nil {
		return err
	} else {
		p.projected = lost > 0 || math.Abs(step[1][0]-step[0][0]) < 0.5
	}
	return nil
}

func (p *projector) close() {
	if p.kernel != nil {
		p.kernel.Close()
	}
}

// project converts the points of a batch and writes them back into its features. A point outside the reference system's
// domain becomes NaN, so that the sink rejects its feature; where most are, the reference system is wrong.
func (p *projector) project(batch []Feature, points []orb.Point) error {
	if len(points) == 0 {
		return nil
	}
	first := points[0]
	if p.projected && share(points, geo.Valid) == 1 {
		return p.wrongCRSError(first, "look like degrees, but the reference system is projected")
	}
	if p.kernel != nil && p.crs != spatialite.WGS84 {
		if _, err := p.kernel.Transform(points, p.crs, spatialite.WGS84); err != nil {
			return fmt.Errorf("file %s: %w", p.layer.path, err)
		}
		next := 0
		for i := range batch {
			batch[i].Geometry = geo.Each(batch[i].Geometry, func(orb.Point) orb.Point {
				next++
				return points[next-1]
			})
		}
	}
	if share(points, degrees) < 0.5 {
		return p.wrongCRSError(first, "are not within ±180, ±90 degrees")
	}
	return nil
}

func (p *projector) wrongCRSError(first orb.Point, why string) error {
	return p.layer.Bad("%w: coordinates (first: %.10g %.10g) %s, %.120q; set the option crs",
		ErrWrongCRS, first[0], first[1], why, p.crs)
}

// degrees reports whether a point can be a longitude and latitude, or these swapped, of which the sink takes care.
func degrees(p orb.Point) bool { return geo.Valid(p) || geo.Valid(orb.Point{p[1], p[0]}) }

// share returns the share of points that pass a test.
func share(points []orb.Point, test func(orb.Point) bool) float64 {
	n := 0
	for _, p := range points {
		if test(p) {
			n++
		}
	}
	return float64(n) / float64(len(points))
}

// Outline returns the polygons of a geometry, those of a collection too; nil where it has none.
func Outline(g orb.Geometry) orb.MultiPolygon { return spatialite.Polygons(g) }
