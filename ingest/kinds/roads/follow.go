package roads

import (
	"context"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
)

// pendingStreet is a street whose class depends on the streets that it connects to.
type pendingStreet struct {
	row            source.Street
	classification classification
}

// end is a street that ends at a point.
type end struct{ class, name string }

// ends has the streets that end at each point, in layouts where the class of some depends on others. It takes about 200
// bytes per street.
type ends map[spot][]end

// spot is a position in units of 1e-7 degrees, about a centimetre.
type spot [2]int64

// of returns the end points of a line, except those with invalid coordinates, which the sink rejects.
func (e ends) of(line orb.LineString) (spots []spot) {
	for _, p := range []orb.Point{line[0], line[len(line)-1]} {
		if geo.Valid(p) {
			spots = append(spots, spot{int64(math.Round(p[0] * 1e7)), int64(math.Round(p[1] * 1e7))})
		}
	}
	return spots
}

// put stages a street whose class is known, and keeps the others.
func (s *stage) put(row source.Street, v classification) error {
	if v.follows != nothing && len(row.Line) > 0 {
		s.pending = append(s.pending, pendingStreet{row, v})
		return nil
	}
	if s.layout.follows && len(row.Line) > 0 {
		for _, p := range s.ends.of(row.Line) {
			s.ends[p] = append(s.ends[p], end{row.Class, row.Name})
		}
	}
	return s.out.Row(row)
}

// stagePending classifies and stages the streets that were kept, bridges first, because a connector may begin at one.
func (s *stage) stagePending(ctx context.Context) error {
	ramps := newComponents()
	for i := range s.pending {
		h := &s.pending[i]
		if h.classification.follows == road {
			setClass(&h.row, s.continued(h))
		} else {
			ramps.join(s.ends.of(h.row.Line))
		}
	}
	for i := range s.pending {
		if h := &s.pending[i]; h.classification.follows == road {
			for _, p := range s.ends.of(h.row.Line) {
				s.ends[p] = append(s.ends[p], end{h.row.Class, h.row.Name})
			}
		}
	}
	for p := range ramps.parent {
		if slices.ContainsFunc(s.ends[p], func(e end) bool { return e.class == "motorway" || e.class == "trunk" }) {
			ramps.marked[ramps.root(p)] = true
		}
	}
	for i := range s.pending {
		if err := ctx.Err(); err != nil {
			return err
		}
		h := &s.pending[i]
		if h.classification.follows == highway {
			setClass(&h.row, "tertiary_link")
			if at := s.ends.of(h.row.Line); len(at) > 0 && ramps.marked[ramps.root(at[0])] {
				setClass(&h.row, "motorway_link")
			}
		}
		if err := s.out.Row(h.row); err != nil {
			return err
		}
	}
	return nil
}

// continued returns the class of a bridge: that of a road of the same name at its ends, otherwise the highest class there,
// otherwise the class by its rank.
func (s *stage) continued(h *pendingStreet) string {
	class, named := "", false
	for _, p := range s.ends.of(h.row.Line) {
		for _, e := range s.ends[p] {
			same := e.name != "" && e.name == h.row.Name
			if class == "" || same && !named || same == named && rank(e.class) < rank(class) {
				class, named = e.class, same
			}
		}
	}
	if class == "" {
		return h.classification.class
	}
	return class
}

// hierarchy is the order of classes, the highest first.
var hierarchy = []string{"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential"}

func rank(class string) int {
	if i := slices.Index(hierarchy, class); i >= 0 {
		return i
	}
	return len(hierarchy)
}

// components are the sets of connected connectors, as a union-find structure.
type components struct {
	parent map[spot]spot
	marked map[spot]bool
}

func newComponents() *components { return &components{map[spot]spot{}, map[spot]bool{}} }

func (c *components) root(p spot) spot {
	for c.parent[p] != p {
		c.parent[p] = c.parent[c.parent[p]]
		p = c.parent[p]
	}
	return p
}

func (c *components) join(points []spot) {
	for _, p := range points {
		if _, known := c.parent[p]; !known {
			c.parent[p] = p
		}
		c.parent[c.root(p)] = c.root(points[0])
	}
}
