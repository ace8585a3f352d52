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
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/household"
	"quartier/internal/pack/access"
	"quartier/schemas"
	"quartier/schemas/derived"
)

// What homes are is defined by package household.
type (
	Home      = household.Home
	Index     = household.Index
	Quantiles = household.Quantiles
	Values    = household.Values
)

// What the weights of homes count, and the weight of one of them.
const (
	Households = household.Households
	Streets    = household.Streets
	WeightUnit = household.WeightUnit
)

// Steepness is the number of the measure terrain_steepness among the quantities of Quantiles; those before it are the scores.
const Steepness = household.Steepness

// NewIndex indexes homes in memory.
func NewIndex(homes []Home) *Index { return household.NewIndex(homes) }

// Read returns the homes of all regions, which are in a temporary file in scratch until they are closed, and the hulls of the regions'
// street networks.
func Read(ctx context.Context, a *assembly.Assembly, scratch string) (*Index, assembly.Hulls, error) {
	homes, err := household.NewBuilder(scratch)
	if err != nil {
		return nil, nil, err
	}
	defer homes.Close()
	var hulls assembly.Hulls
	number := -1
	err = a.EachRegion(func(_ string, region *duck.DB) error {
		number++
		if err := readHull(ctx, region, &hulls); err != nil {
			return err
		}
		return addHomes(ctx, region, number, homes)
	})
	if err != nil {
		return nil, nil, err
	}
	index, err := homes.Index()
	return index, hulls, err
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

// addHomes adds the homes of a region.
func addHomes(ctx context.Context, region *duck.DB, number int, homes *household.Builder) error {
	return Each(ctx, region, func(h *OnEdge) error {
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
			Point: p, Street: h.Basis == Streets, Weight: household.Weight(h.Weight),
			Region: uint16(number), Edge: uint32(h.Edge), AlongM: float32(h.AlongM),
		}
		set(&home, h)
		return homes.Add(&home)
	})
}

var steepness = schemas.MustChannel("terrain_steepness")

// set sets what is known at a home, given the channels of the ends of its edge, as the server does.
func set(home *Home, h *OnEdge) {
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
