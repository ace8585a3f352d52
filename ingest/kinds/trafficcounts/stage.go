package trafficcounts

import (
	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// stage is one run of the kind.
type stage struct {
	Options
	out    source.Sink
	days   *days // nil: volumes are in the file
	groups []*group
	named  map[string]*group
}

// feature stages the count of a feature, or adds it to its group.
func (s *stage) feature(f vector.Feature) (reason.Reason, error) {
	r := &record{value: f.Value, geometry: f.Geometry, fault: f.Fault, where: f.Where(f.Text(s.Key, ""))}
	r.number = func(name string) (float64, bool) { return f.Number(name, s.Decimal) }
	c, why := s.row(r)
	switch {
	case len(s.Group) > 0:
		return s.add(r, c, why), nil
	case !why.OK():
		return why, nil
	}
	return why, s.out.Row(c)
}
