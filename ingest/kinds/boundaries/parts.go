package boundaries

import (
	"context"
	"errors"
	"fmt"

	"quartier/ingest/source"
	"quartier/internal/spatialite"
)

// boundaryParts collects the features that make up boundaries, for merge and dissolve. It keeps all of them in memory.
type boundaryParts struct {
	out        source.Sink
	kernel     *spatialite.Kernel
	boundaries []source.Boundary // in the order of their first feature
	index      map[string]int    // of a key in boundaries
}

func newParts(out source.Sink) (*boundaryParts, error) {
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return nil, err
	}
	return &boundaryParts{out: out, kernel: kernel, index: map[string]int{}}, nil
}

// add repairs the outline of a feature and adds it to the boundary with the same key. Populations are added up; a state
// or country that differs between parts is removed.
func (p *boundaryParts) add(b source.Boundary, here string) error {
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
	i, known := p.index[b.Key]
	if !known {
		p.index[b.Key] = len(p.boundaries)
		p.boundaries = append(p.boundaries, b)
		return nil
	}
	merged := &p.boundaries[i]
	merged.Geometry = append(merged.Geometry, b.Geometry...)
	if merged.State != b.State {
		merged.State = ""
	}
	if merged.Country != b.Country {
		merged.Country = ""
	}
	if merged.Population == nil || b.Population == nil {
		merged.Population = nil
		return nil
	}
	people := *merged.Population + *b.Population
	merged.Population = &people
	return nil
}

// stage unites the parts of each boundary and stages it.
func (p *boundaryParts) stage(ctx context.Context) error {
	for _, b := range p.boundaries {
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		if b.Geometry, err = p.kernel.Union(b.Geometry); err != nil {
			return fmt.Errorf("unite the parts of %s: %w", b.Key, err)
		}
		if err := p.out.Row(b); err != nil {
			return err
		}
	}
	return nil
}
