// Package scores computes the scores of geographies: those of the median household, over homes on the streets of all
// regions.
package scores

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/pack/access"
	"quartier/internal/pointindex"
	"quartier/schemas"
	"quartier/schemas/derived"
)

// Values are scores in ten-thousandths, in the order of schemas.Scores; schemas.AbsentValue where there are no data.
type Values [access.ScoreCount]uint16

// home is where people live, as a point on a street, with the scores there.
type home struct {
	point  orb.Point
	weight uint64 // in thousandths, so that sums do not depend on order
	values Values
	street bool // the weight is metres of residential street; otherwise households
}

// readHomes returns the homes of all regions, and the hulls of the regions' street networks.
func readHomes(ctx context.Context, a *assembly.Assembly) (*homeIndex, assembly.Hulls, error) {
	var homes []home
	var hulls assembly.Hulls
	err := a.EachRegion(func(_ string, region *duck.DB) error {
		if err := readHull(ctx, region, &hulls); err != nil {
			return err
		}
		var err error
		homes, err = appendHomes(ctx, region, homes)
		return err
	})
	return indexHomes(homes), hulls, err
}

// readHull appends the hull of a region's street nodes.
func readHull(ctx context.Context, region *duck.DB, hulls *assembly.Hulls) error {
	type node struct {
		Lng float64 `col:"lng"`
		Lat float64 `col:"lat"`
	}
	var hull geo.Hull
	err := assembly.EachNumbered(ctx, region, "street_node", "node", "SELECT lng, lat FROM street_node", func(_ int64, n *node) error {
		hull.Add(orb.Point{n.Lng, n.Lat})
		return nil
	})
	hulls.Append(&hull)
	return err
}

// homeRow is embedded under this name, because derived.Home has a field Home.
type homeRow = derived.Home

// homeOnEdge is a home with its edge's length and the channels of the edge's ends; nil where there is no such edge.
type homeOnEdge struct {
	homeRow
	LengthM   *float64 `col:"length_m"`
	ChannelsA []byte   `col:"channels_a,null"`
	ChannelsB []byte   `col:"channels_b,null"`
}

const homesOnEdges = `SELECT home.*, e.length_m, a.channels AS channels_a, b.channels AS channels_b
	FROM home
	LEFT JOIN street_edge AS e ON e.edge = home.edge
	LEFT JOIN street_node AS a ON a.node = e.a
	LEFT JOIN street_node AS b ON b.node = e.b`

// appendHomes appends the homes of a region.
func appendHomes(ctx context.Context, region *duck.DB, homes []home) ([]home, error) {
	err := assembly.EachNumbered(ctx, region, "home", "home", homesOnEdges, func(_ int64, h *homeOnEdge) error {
		p := orb.Point{h.Lng, h.Lat}
		switch {
		case h.Basis != Households && h.Basis != Streets:
			return fmt.Errorf("has basis %q", h.Basis)
		case !(h.Weight > 0 && h.Weight <= 1e9):
			return fmt.Errorf("has weight %v", h.Weight)
		case !geo.Valid(p):
			return fmt.Errorf("is at %v, %v", h.Lng, h.Lat)
		case h.LengthM == nil || len(h.ChannelsA) != 2*schemas.ChannelCount || len(h.ChannelsB) != 2*schemas.ChannelCount:
			return fmt.Errorf("is on edge %d, which does not exist", h.Edge)
		case !(h.AlongM >= 0 && h.AlongM <= assembly.MaxEdgeM):
			return fmt.Errorf("is %v metres along its edge", h.AlongM)
		}
		homes = append(homes, home{
			point: p, street: h.Basis == Streets, weight: max(uint64(math.Round(h.Weight*1000)), 1),
			values: interpolate(h.ChannelsA, h.ChannelsB, *h.LengthM, h.AlongM),
		})
		return nil
	})
	return homes, err
}

// interpolate returns the scores at a distance along an edge, given the channels of its ends, as the server does. All
// lengths are rounded to decimetres.
func interpolate(a, b []byte, lengthM, alongM float64) (values Values) {
	share := shareAlong(lengthM, alongM)
	for i := range values {
		at := 2 * (int(schemas.FirstScore) + i)
		values[i] = access.Between(binary.LittleEndian.Uint16(a[at:]), binary.LittleEndian.Uint16(b[at:]), share)
	}
	return values
}

// shareAlong is a distance along an edge as a share of its length, both rounded to decimetres.
func shareAlong(lengthM, alongM float64) float64 {
	if decimetres := math.Round(10 * lengthM); decimetres > 0 {
		return min(math.Round(10*alongM)/decimetres, 1)
	}
	return 0
}

// homeIndex finds the homes in a box.
type homeIndex struct {
	homes []home // in the order of the index
	index *pointindex.Index
}

// indexStripM is the height of a strip of the index in metres.
const indexStripM = 1000

func indexHomes(homes []home) *homeIndex {
	points := make([]coord.Point, len(homes))
	for i, h := range homes {
		points[i], _ = coord.NewPoint(h.point[0], h.point[1])
	}
	index, order := pointindex.New(points, indexStripM)
	x := &homeIndex{homes: make([]home, len(homes)), index: index}
	for i, from := range order {
		x.homes[i] = homes[from]
	}
	return x
}

// within appends the indexes of the homes in a box, including its edges.
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
