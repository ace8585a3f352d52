// Package homes reads where people live, as points on the streets of all regions, with what is known there: scores, and
// which measures. The scores and facts of geographies are taken over the homes in them.
package homes

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

// What the weights of homes count.
const (
	Households = "households"
	Streets    = "street" // metres of residential street, where household counts are not available
)

// WeightUnit is the weight of one household, or of one metre of street.
const WeightUnit = 1000

// Home is where people live, as a point on a street, with what is known there.
type Home struct {
	Point     orb.Point
	Weight    uint64 // in thousandths (WeightUnit), so that sums do not depend on order
	Known     uint64 // a bit for each of schemas.Channels that has a value
	Values    Values
	Steepness uint16 // the measure terrain_steepness, or schemas.AbsentValue
	Region    uint16 // number of the region
	Street    bool   // the weight is metres of residential street; otherwise households
	Edge      uint32 // of the region's streets
	AlongM    float32
}

// Read returns the homes of all regions, and the hulls of the regions' street networks.
func Read(ctx context.Context, a *assembly.Assembly) (*Index, assembly.Hulls, error) {
	var homes []Home
	var hulls assembly.Hulls
	number := -1
	err := a.EachRegion(func(_ string, region *duck.DB) error {
		number++
		if err := readHull(ctx, region, &hulls); err != nil {
			return err
		}
		var err error
		homes, err = appendHomes(ctx, region, number, homes)
		return err
	})
	return NewIndex(homes), hulls, err
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

// OnEdge is a home with its edge's length and the channels of the edge's ends; nil where there is no such edge.
type OnEdge struct {
	homeRow
	LengthM   *float64 `col:"length_m"`
	ChannelsA []byte   `col:"channels_a,null"`
	ChannelsB []byte   `col:"channels_b,null"`
}

const onEdges = `SELECT home.*, e.length_m, a.channels AS channels_a, b.channels AS channels_b
	FROM home
	LEFT JOIN street_edge AS e ON e.edge = home.edge
	LEFT JOIN street_node AS a ON a.node = e.a
	LEFT JOIN street_node AS b ON b.node = e.b`

// Each visits the homes of a region in the order of their numbers.
func Each(ctx context.Context, region *duck.DB, visit func(*OnEdge) error) error {
	return assembly.EachNumbered(ctx, region, "home", "home", onEdges, func(_ int64, h *OnEdge) error {
		if h.LengthM == nil || len(h.ChannelsA) != 2*schemas.ChannelCount || len(h.ChannelsB) != 2*schemas.ChannelCount {
			return fmt.Errorf("is on edge %d, which does not exist", h.Edge)
		}
		return visit(h)
	})
}

// appendHomes appends the homes of a region.
func appendHomes(ctx context.Context, region *duck.DB, number int, homes []Home) ([]Home, error) {
	err := Each(ctx, region, func(h *OnEdge) error {
		p := orb.Point{h.Lng, h.Lat}
		switch {
		case h.Basis != Households && h.Basis != Streets:
			return fmt.Errorf("has basis %q", h.Basis)
		case !(h.Weight > 0 && h.Weight <= 1e9):
			return fmt.Errorf("has weight %v", h.Weight)
		case !geo.Valid(p):
			return fmt.Errorf("is at %v, %v", h.Lng, h.Lat)
		case !(h.AlongM >= 0 && h.AlongM <= assembly.MaxEdgeM):
			return fmt.Errorf("is %v metres along its edge", h.AlongM)
		}
		home := Home{
			Point: p, Street: h.Basis == Streets, Weight: max(uint64(math.Round(h.Weight*WeightUnit)), 1),
			Region: uint16(number), Edge: uint32(h.Edge), AlongM: float32(h.AlongM),
		}
		home.set(h)
		homes = append(homes, home)
		return nil
	})
	return homes, err
}

var steepness = schemas.MustChannel("terrain_steepness")

// set sets what is known at the home, given the channels of the ends of its edge, as the server does.
func (home *Home) set(h *OnEdge) {
	share := h.ShareAlong()
	for c := range schemas.Channel(schemas.ChannelCount) {
		v := access.Between(binary.LittleEndian.Uint16(h.ChannelsA[2*c:]), binary.LittleEndian.Uint16(h.ChannelsB[2*c:]), share)
		if v != schemas.AbsentValue {
			home.Known |= 1 << c
		}
		if c == steepness {
			home.Steepness = v
		}
		if c >= schemas.FirstScore {
			home.Values[c-schemas.FirstScore] = v
		}
	}
}

// ShareAlong is how far along its edge the home is, as a share of the edge's length, both rounded to decimetres.
func (h *OnEdge) ShareAlong() float64 {
	if decimetres := math.Round(10 * *h.LengthM); decimetres > 0 {
		return min(math.Round(10*h.AlongM)/decimetres, 1)
	}
	return 0
}

// Index finds the homes in an outline.
type Index struct {
	Homes []Home // in the order of the index
	index *pointindex.Index
}

// indexStripM is the height of a strip of the index in metres.
const indexStripM = 1000

// NewIndex indexes homes.
func NewIndex(homes []Home) *Index {
	points := make([]coord.Point, len(homes))
	for i, h := range homes {
		points[i], _ = coord.NewPoint(h.Point[0], h.Point[1])
	}
	index, order := pointindex.New(points, indexStripM)
	x := &Index{Homes: make([]Home, len(homes)), index: index}
	for i, from := range order {
		x.Homes[i] = homes[from]
	}
	return x
}

// InBox appends the indexes of the homes in a box, including its edges.
func (x *Index) InBox(found []int32, box orb.Bound) []int32 {
	x.index.SearchBox(box, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if box.Contains(x.Homes[i].Point) {
				found = append(found, int32(i))
			}
		}
	})
	return found
}

// In appends those of the homes near an outline that are in it and count: those with household counts, otherwise those
// along streets.
func (x *Index) In(found []int32, near []int32, outline *geo.Prepared) []int32 {
	counted := false
	for _, i := range near {
		h := &x.Homes[i]
		if counted && h.Street || !outline.Contains(h.Point) {
			continue
		}
		if !counted && !h.Street { // the first one: those along streets no longer count
			counted, found = true, found[:0]
		}
		found = append(found, i)
	}
	return found
}
