package roads

import (
	"context"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
)

// held is a street that waits for its neighbours' classes.
type held struct {
	row     source.Street
	verdict verdict
}

// end is a street that ends at a point.
type end struct{ class, name string }

// ends are the streets that end at each point, of layouts where some streets go by their neighbours. It takes about
// 200 bytes a street.
type ends map[spot][]end

// spot is a place in ten-millionths of a degree, a centimetre.
type spot [2]int64

// of are the places where a line ends; none where it is not on earth, which is for the sink to say.
func (e ends) of(line orb.LineString) (spots []spot) {
	for _, p := range []orb.Point{line[0], line[len(line)-1]} {
		if geo.Valid(p) {
			spots = append(spots, spot{int64(math.Round(p[0] * 1e7)), int64(math.Round(p[1] * 1e7))})
		}
	}
	return spots
}

// put stages a street whose class is known and holds the others.
func (s *stage) put(row source.Street, v verdict) error {
	if v.follows != nothing && len(row.Line) > 0 {
		s.held = append(s.held, held{row, v})
		return nil
	}
	if s.layout.follows && len(row.Line) > 0 {
		for _, p := range s.ends.of(row.Line) {
			s.ends[p] = append(s.ends[p], end{row.Class, row.Name})
		}
	}
	return s.out.Street(row)
}

// release stages what was held, bridges first, because a connector may begin at one.
func (s *stage) release(ctx context.Context) error {
	ramps := newPieces()
	for i := range s.held {
		h := &s.held[i]
		if h.verdict.follows == road {
			setClass(&h.row, s.goesOn(h))
		} else {
			ramps.join(s.ends.of(h.row.Line))
		}
	}
	for i := range s.held {
		if h := &s.held[i]; h.verdict.follows == road {
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
	for i := range s.held {
		if err := ctx.Err(); err != nil {
			return err
		}
		h := &s.held[i]
		if h.verdict.follows == highway {
			setClass(&h.row, "tertiary_link")
			if at := s.ends.of(h.row.Line); len(at) > 0 && ramps.marked[ramps.root(at[0])] {
				setClass(&h.row, "motorway_link")
			}
		}
		if err := s.out.Street(h.row); err != nil {
			return err
		}
	}
	return nil
}

// goesOn is the class of a bridge: that of the road of its name at its ends, else of the greatest there, else by rank.
func (s *stage) goesOn(h *held) string {
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
		return h.verdict.class
	}
	return class
}

// greatness is the order of classes, the greatest first.
var greatness = []string{"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential"}

func rank(class string) int {
	if i := slices.Index(greatness, class); i >= 0 {
		return i
	}
	return len(greatness)
}

// pieces are connectors that hang together.
type pieces struct {
	parent map[spot]spot
	marked map[spot]bool
}

func newPieces() *pieces { return &pieces{map[spot]spot{}, map[spot]bool{}} }

func (c *pieces) root(p spot) spot {
	for c.parent[p] != p {
		c.parent[p] = c.parent[c.parent[p]]
		p = c.parent[p]
	}
	return p
}

func (c *pieces) join(points []spot) {
	for _, p := range points {
		if _, known := c.parent[p]; !known {
			c.parent[p] = p
		}
		c.parent[c.root(p)] = c.root(points[0])
	}
}
