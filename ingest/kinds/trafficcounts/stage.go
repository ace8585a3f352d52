package trafficcounts

import (
	"context"
	"fmt"
	"strings"

	"quartier/ingest/formats/table"
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

// group is the lanes of one road and direction.
type group struct {
	sum   source.TrafficCount
	where string
	lanes int
	lost  []string // lanes without a count
}

// features stages a file of features.
func (s *stage) features(ctx context.Context) error {
	path := s.path(s.in)
	layer, err := vector.Open(path, s.vector(s.in.Limits))
	if err != nil {
		return err
	}
	defer layer.Close()
	selection := vector.Selection{Where: s.Where, Unless: s.Unless, BBox: s.BBox}
	return layer.Stage(ctx, s.out, s.wanted(), "the options where, unless and bbox select", func(f vector.Feature) (bool, error) {
		r := &record{value: f.Value, geometry: f.Geometry, where: f.Where(f.Text(s.Key, ""))}
		r.number = func(name string) (float64, bool) { return s.parse(f.Value(name)) }
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

// parse reads a number of an attribute: 12,345 and 12 345 have a separator between thousands.
func (o *Options) parse(text string) (float64, bool) {
	decimal, thousands := byte('.'), ","
	if o.Decimal == "," {
		decimal, thousands = ',', "."
	}
	return table.ParseNumber([]byte(strings.NewReplacer(thousands, "", " ", "", "\u00a0", "", "\u202f", "").Replace(text)), decimal)
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

// add adds a lane to its group. Lanes that count nothing all day are broken rather than empty.
func (s *stage) add(r *record, c source.TrafficCount, why reason.Reason) error {
	var names []string
	for _, name := range s.Group {
		names = append(names, r.value(name))
	}
	key := strings.Join(names, " ")
	if strings.TrimSpace(key) == "" {
		s.out.Issue(source.MissingKey, r.where)
		return nil
	}
	g := s.named[key]
	if g == nil {
		if s.named == nil {
			s.named = map[string]*group{}
		}
		g = &group{where: "lanes of " + key}
		g.sum.Key = s.Scheme + ":" + key
		s.named[key], s.groups = g, append(s.groups, g)
	}
	if !why.OK() {
		s.out.Issue(why, r.where)
		g.lost = append(g.lost, r.where)
		return nil
	}
	if g.lanes++; g.lanes == 1 {
		first := c
		first.Key = g.sum.Key
		g.sum = first
		return nil
	}
	g.sum.AADT += c.AADT
	return nil
}

// putGroups stages the groups of which every lane has a count. The number of lanes is that of the detectors.
func (s *stage) putGroups() error {
	for _, g := range s.groups {
		if len(g.lost) > 0 {
			if g.lanes > 0 {
				s.out.Issue(partOfRoad, fmt.Sprintf("%s: %d of %d", g.where, g.lanes, g.lanes+len(g.lost)))
			}
			continue
		}
		if g.sum.Lanes == 0 && g.lanes <= maxLanes {
			g.sum.Lanes = int32(g.lanes)
		}
		if err := s.out.Row(g.sum); err != nil {
			return err
		}
	}
	return nil
}
