package land

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/measures/raster"
	"quartier/transform/network/channel"
	"quartier/transform/network/street"
	"quartier/transform/network/strip"
	"quartier/transform/parallel"
)

// layers of what stands and is sealed.
const (
	trees     = iota // tenths of a tree
	buildings        // number
	roofs            // m²
	sealed           // m² of streets
	metres           // of streets, decimetres
	greenLayers
)

// green sets s.Green.
func green(ctx context.Context, staged *duck.DB, net *street.Network, ground *Raster, s *channel.Quantities, c *calibration.Calibration) error {
	g := &c.Land.Green
	nodes := net.Walk.Nodes
	sums := raster.NewSums(nodes, 50, g.RadiusM, greenLayers)
	if err := addTreesAndRoofs(ctx, staged, sums, g); err != nil {
		return err
	}
	addStreets(net, sums, c)
	sums.Finish()
	land := ground.Layer(g.Classes, ground.precedence, g.Unclear, []string{"parking"})
	s.Green = absent(len(nodes))
	return parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		totals, counts := make([]uint64, greenLayers), make([]int, 4)
		for node := lo; node < hi; node++ {
			clear(totals)
			clear(counts)
			at := strip.Degrees(nodes[node])
			sums.Disc(at, g.RadiusM, totals)
			cells := float64(land.Disc(at, g.RadiusM, counts))
			s.Green[node] = float32(around{
				green: float64(counts[0]) / cells, mapped: float64(counts[1]) / cells, unclear: float64(counts[2]) / cells, parking: float64(counts[3]) / cells,
				trees: float64(totals[trees]) / 10, buildings: float64(totals[buildings]), roofsM2: float64(totals[roofs]),
				streetsM2: float64(totals[sealed]), streetsM: float64(totals[metres]) / 10,
			}.greenery(g))
		}
	})
}

func addTreesAndRoofs(ctx context.Context, staged *duck.DB, sums *raster.Sums, g *calibration.Green) error {
	if err := feature.Each(ctx, staged, "tree", func(f *feature.Feature) error {
		if p, ok := f.Geometry.(orb.Point); ok {
			sums.Add(trees, p, 10)
		}
		return nil
	}); err != nil {
		return err
	}
	if err := feature.Each(ctx, staged, "tree_row", func(f *feature.Feature) error {
		if line, ok := f.Geometry.(orb.LineString); ok {
			sums.AddLine(trees, line, 10/g.TreeRowM)
		}
		return nil
	}); err != nil {
		return err
	}
	return feature.Each(ctx, staged, "building", func(f *feature.Feature) error {
		if p, ok := f.Geometry.(orb.Point); ok {
			sums.Add(buildings, p, 1)
			sums.Add(roofs, p, uint32(min(f.Size, 1e6)))
		}
		return nil
	})
}

// addStreets adds what streets seal; aisles of car parks are part of those.
func addStreets(net *street.Network, sums *raster.Sums, c *calibration.Calibration) {
	for i := range net.Streets {
		s := &net.Streets[i]
		if s.Car == "no" || s.Tunnel || s.Class == "parking_aisle" {
			continue
		}
		if road, ok := c.Traffic.Of(s.Class, s.Car != "both", s.Lanes, s.SpeedKMH); ok {
			sums.AddLine(sealed, s.Line, road.Lanes*c.Land.Green.LaneM+c.Land.Green.VergeM)
			sums.AddLine(metres, s.Line, 10)
		}
	}
}

// around is what is known of the disc around a node.
type around struct {
	green, mapped, unclear, parking float64 // shares of its cells; unclear is a part of mapped
	trees, buildings                float64
	roofsM2, streetsM2, streetsM    float64
}

// greenery is 0–1. It is told where trees are known, or where it is clear of most of the land whether it is green; NaN
// elsewhere: a map of houses without their gardens and trees says nothing. The share of green land counts where the use
// of most land is known, unsealed ground where buildings are. Where the land is clear trees may only raise it.
func (a around) greenery(g *calibration.Green) float64 {
	treesHa := 0.0
	if a.streetsM2 > 0 {
		treesHa = a.trees / (a.streetsM2 / 1e4)
	}
	clear := a.mapped-a.unclear >= g.MinMapped
	if !clear && treesHa < g.MinTrees {
		return math.NaN()
	}
	sum, weight := 0.0, 0.0
	if a.mapped >= g.MinMapped {
		sum, weight = g.Land*a.green, g.Land
	}
	if a.buildings >= g.MinBuildingsKM*a.streetsM/1000 {
		disc := math.Pi * g.RadiusM * g.RadiusM
		unsealed := 1 - min(1, (a.roofsM2+a.streetsM2)/disc+a.parking)
		sum, weight = sum+g.Unsealed*unsealed, weight+g.Unsealed
	}
	withTrees := (sum + g.Trees*min(1, treesHa/g.FullTreesHa)) / (weight + g.Trees)
	if clear {
		return max(sum/weight, withTrees)
	}
	return withTrees
}
