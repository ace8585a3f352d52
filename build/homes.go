package build

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pack/access"
	"quartier/internal/pointindex"
	"quartier/schemas"
)

// scoreValues are the scores at a place, by their place in schemas.Scores.
type scoreValues [access.ScoreCount]uint16

// ground is what the values of a region's homes are read from. A nil one takes nothing.
type ground struct {
	nodes []scoreValues
	edges []groundEdge
}

type groundEdge struct {
	a, b       uint32
	decimetres uint32
}

// addNode takes the channels of the next node.
func (g *ground) addNode(channels []byte) {
	if g == nil {
		return
	}
	var values scoreValues
	for i := range values {
		values[i] = binary.LittleEndian.Uint16(channels[2*(int(schemas.FirstScore)+i):])
	}
	g.nodes = append(g.nodes, values)
}

// addEdge takes the next edge.
func (g *ground) addEdge(a, b int64, lengthM float64) {
	if g != nil {
		g.edges = append(g.edges, groundEdge{uint32(a), uint32(b), uint32(math.Round(10 * lengthM))})
	}
}

// at is the scores so many metres along an edge, as the server reads them there.
func (g *ground) at(edge int64, alongM float64) (values scoreValues) {
	e := g.edges[edge]
	share := 0.0
	if e.decimetres > 0 {
		share = min(math.Round(10*alongM)/float64(e.decimetres), 1)
	}
	for i := range values {
		values[i] = access.Between(g.nodes[e.a][i], g.nodes[e.b][i], share)
	}
	return values
}

// home is where people live, as a point on a street.
type home struct {
	point  orb.Point
	weight uint64 // in thousandths, so that no sum depends on an order
	values scoreValues
	street bool // the weight is metres of street; else households
}

// The basis of a home's weight.
const (
	basisHouseholds = "households"
	basisStreet     = "street"
)

// readHomes adds the homes of the region, and lets go of the ground.
func (s *streets) readHomes(ctx context.Context) error {
	if s.ground == nil {
		return nil
	}
	defer func() { s.ground = nil }()
	return eachNumbered(ctx, s.derived, "home", "home", "basis, weight, lng, lat, edge, along_m", func(number int64, rows *sql.Rows) error {
		var h home
		var basis string
		var weight, along float64
		var edge int64
		if err := rows.Scan(&basis, &weight, &h.point[0], &h.point[1], &edge, &along); err != nil {
			return err
		}
		switch {
		case basis != basisHouseholds && basis != basisStreet:
			return fmt.Errorf("has basis %q", basis)
		case !(weight > 0 && weight <= 1e9):
			return fmt.Errorf("has weight %v", weight)
		case !geo.Valid(h.point):
			return fmt.Errorf("lies at %v, %v", h.point[0], h.point[1])
		}
		if err := s.onEdge(edge, along, 0); err != nil {
			return err
		}
		h.street = basis == basisStreet
		h.weight = max(uint64(math.Round(weight*1000)), 1)
		h.values = s.ground.at(edge, along)
		s.homes = append(s.homes, h)
		return nil
	})
}

// homeIndex finds homes in a box.
type homeIndex struct {
	homes []home // in the order of the index
	index *pointindex.Index
}

func indexHomes(homes []home) *homeIndex {
	points := make([]coord.Point, len(homes))
	for i, h := range homes {
		points[i], _ = coord.NewPoint(h.point[0], h.point[1])
	}
	index, order := pointindex.New(points, 1000)
	x := &homeIndex{homes: make([]home, len(homes)), index: index}
	for i, from := range order {
		x.homes[i] = homes[from]
	}
	return x
}

// within appends to found the homes in a box, edges included.
func (x *homeIndex) within(found []int32, box orb.Bound) []int32 {
	x.index.SearchBox(box, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if box.Contains(x.homes[i].point) {
				found = append(found, int32(i))
			}
		}
	})
	return found
}
