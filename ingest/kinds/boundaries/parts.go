package boundaries

import (
	"context"
	"errors"
	"fmt"

	"quartier/ingest/source"
	"quartier/internal/spatialite"
)

// parts gathers the features that make up boundaries, for merge and dissolve. It holds all of them.
type parts struct {
	out    source.Sink
	kernel *spatialite.Kernel
	whole  []source.Boundary // in the order in which the keys came
	place  map[string]int    // of a key in whole
}

func newParts(out source.Sink) (*parts, error) {
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return nil, err
	}
	return &parts{out: out, kernel: kernel, place: map[string]int{}}, nil
}

func (p *parts) close() { p.kernel.Close() }

// add mends a feature, which the sink sees no more, and adds it to those with the same key. People are added up; what
// differs between the parts is left open.
func (p *parts) add(b source.Boundary, here string) error {
	valid, flaw, err := p.kernel.MakeValid(b.Geometry)
	switch {
	case errors.Is(err, spatialite.ErrZeroArea):
		p.out.Issue(source.ZeroArea, here)
		return nil
	case errors.Is(err, spatialite.ErrNotFinite):
		p.out.Issue(source.InvalidCoordinate, here)
		return nil
	case errors.Is(err, spatialite.ErrUnrepairable):
		p.out.Issue(source.UnrepairableGeometry.With(flaw.Reason), here)
		return nil
	case err != nil:
		return fmt.Errorf("check the outline of %s: %w", here, err)
	}
	if !flaw.OK() {
		p.out.Issue(source.InvalidGeometryRepaired.With(flaw.Reason), here)
	}
	b.Geometry = valid
	i, known := p.place[b.Key]
	if !known {
		p.place[b.Key] = len(p.whole)
		p.whole = append(p.whole, b)
		return nil
	}
	whole := &p.whole[i]
	whole.Geometry = append(whole.Geometry, b.Geometry...)
	if whole.State != b.State {
		whole.State = ""
	}
	if whole.Country != b.Country {
		whole.Country = ""
	}
	if whole.Population == nil || b.Population == nil {
		whole.Population = nil
		return nil
	}
	people := *whole.Population + *b.Population
	whole.Population = &people
	return nil
}

// stage joins the parts of each boundary and hands it on.
func (p *parts) stage(ctx context.Context) error {
	for _, b := range p.whole {
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		if b.Geometry, err = p.kernel.Union(b.Geometry); err != nil {
			return fmt.Errorf("join the parts of %s: %w", b.Key, err)
		}
		if err := p.out.Boundary(b); err != nil {
			return err
		}
	}
	return nil
}
