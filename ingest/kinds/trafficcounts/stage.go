package trafficcounts

import (
	"context"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
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
	label := func(f vector.Feature) string { return f.Text(s.Key, "") }
	return s.file(s.in).Stage(ctx, s.out, label, func(f vector.Feature) (reason.Reason, error) {
		r := &record{value: f.Value, geometry: f.Geometry, fault: f.Fault, where: f.Where(label(f))}
		r.number = func(name string) (float64, bool) { return f.Number(name, s.Decimal) }
		return s.record(r)
	})
}

// record stages a count, or adds it to its group.
func (s *stage) record(r *record) (reason.Reason, error) {
	c, why := s.row(r)
	switch {
	case len(s.Group) > 0:
		return s.add(r, c, why), nil
	case !why.OK():
		return why, nil
	}
	return why, s.out.Row(c)
}
