package trafficcounts

import (
	"context"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
)

// stage is one run of the kind.
type stage struct {
	Options
	in     source.Input
	out    source.Sink
	days   *days // nil: volumes are in the file
	groups []*group
	named  map[string]*group
}

// features stages a file of features.
func (s *stage) features(ctx context.Context) error {
	path := s.path(s.in)
	layer, err := vector.Open(ctx, path, s.vector(s.in.Limits))
	if err != nil {
		return err
	}
	defer layer.Close()
	selection := vector.Selection{Where: s.Where, Unless: s.Unless, BBox: s.BBox}
	return layer.Stage(ctx, s.out, s.wanted(), "the options where, unless and bbox select", func(f vector.Feature) (bool, error) {
		r := &record{value: f.Value, geometry: f.Geometry, where: f.Where(f.Text(s.Key, ""))}
		r.number = func(name string) (float64, bool) { return f.Number(name, s.Decimal) }
		if why := selection.Skip(f); !why.OK() {
			s.out.Issue(why, r.where)
			return false, nil
		}
		if !f.Fault.OK() {
			s.out.Issue(f.Fault, r.where)
			return true, nil
		}
		return true, s.record(r)
	})
}

// record stages a count, or adds it to its group.
func (s *stage) record(r *record) error {
	c, why := s.row(r)
	if len(s.Group) > 0 {
		return s.add(r, c, why)
	}
	if !why.OK() {
		s.out.Issue(why, r.where)
		return nil
	}
	return s.out.Row(c)
}
