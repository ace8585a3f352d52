package land

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/parallel"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/measures/measure"
	"quartier/transform/measures/raster"
	"quartier/transform/network/street"
)

// Layers of sums for Green.
const (
	trees     = iota // tenths of trees
	buildings        // number
	roofs            // m²
	sealed           // m² of streets
	lengths          // decimetres of streets
	greenLayers
)

// green sets Quantities.Green.
func green(ctx context.Context, r *measure.Region, land *Raster) error {
	g, nodes := &r.Calibration.Land.Green, r.Network.Walk.Nodes
	sums := raster.NewSums(nodes, 50, g.RadiusM, greenLayers)
	if err := addTreesAndRoofs(ctx, r.Staged, sums, g); err != nil {
		return err
	}
	addStreets(r.Network, sums, r.Calibration)
	sums.Finish()
	layers := land.Layer(g.Classes, land.precedence, g.Unclear, []string{"parking"})
	values := make([]float32, len(nodes))
	r.Quantities.Green = values
	return parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		totals, counts := make([]uint64, greenLayers), make([]int, 4)
		for node := lo; node < hi; node++ {
			clear(totals)
			clear(counts)
			at := nodes[node].Orb()
			sums.Disc(at, g.RadiusM, totals)
			cells := float64(layers.Disc(at, g.RadiusM, counts))
			values[node] = float32(surface{
				green: float64(counts[0]) / cells, mapped: float64(counts[1]) / cells, unclear: float64(counts[2]) / cells,
				parking: float64(counts[3]) / cells,
				trees:   float64(totals[trees]) / 10, buildings: float64(totals[buildings]), roofsM2: float64(totals[roofs]),
				streetsM2: float64(totals[sealed]), streetsM: float64(totals[lengths]) / 10,
			}.greenery(g))
		}
	})
}

func addTreesAndRoofs(ctx context.Context, staged *duck.DB, sums *raster.Sums, g *calibration.Green) error {
	if err := feature.Shapes(ctx, staged, "tree", func(_ *feature.Feature, p orb.Point) { sums.Add(trees, p, 10) }); err != nil {
		return err
	}
	if err := feature.Shapes(ctx, staged, "tree_row", func(_ *feature.Feature, line orb.LineString) {
		sums.AddLine(trees, line, 10/g.TreeRowM)
	}); err != nil {
		return err
	}
	return feature.Shapes(ctx, staged, "building", func(f *feature.Feature, p orb.Point) {
		sums.Add(buildings, p, 1)
		sums.Add(roofs, p, uint32(min(f.Size, 1e6)))
	})
}

// addStreets adds the area that streets seal. Parking aisles are part of parking.
func addStreets(net *street.Network, sums *raster.Sums, c *calibration.Calibration) {
	for i := range net.Streets {
		s := &net.Streets[i]
		if s.Car == "no" || s.Tunnel || s.Class == "parking_aisle" {
			continue
		}
		if road, ok := c.Traffic.Of(s.Class, s.Car != "both", s.Lanes, s.SpeedKMH); ok {
			sums.AddLine(sealed, s.Line, road.Lanes*c.Land.Green.LaneM+c.Land.Green.VergeM)
			sums.AddLine(lengths, s.Line, 10)
		}
	}
}

// surface describes the disc around a node.
type surface struct {
	green, mapped, unclear, parking float64 // shares of the cells; unclear is part of mapped
	trees, buildings                float64
	roofsM2, streetsM2, streetsM    float64
}

// greenery is 0–1. It is known where trees are mapped, or where most of the land is clearly green or not; NaN
// elsewhere, because a map of houses without their gardens and trees shows nothing. It is a weighted mean of the
// share of green land (if the use of most land is known), of unsealed area (if buildings are mapped) and of street
// trees. Where the land is clear, trees only raise it.
//
// Example with weights .5, .2 and .3: 30 % green land, 60 % unsealed and 30 trees per hectare of street (60 is full credit)
// give .5·.3 + .2·.6 + .3·.5 = .42. Without the trees it is (.5·.3 + .2·.6)/.7 = .386.
func (a surface) greenery(g *calibration.Green) float64 {
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
