package land

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/parallel"
	"quartier/internal/rating"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/measures/measure"
	"quartier/transform/measures/raster"
)

// Layers of sums for Historic.
const (
	built        = iota // buildings without garages
	dated               // buildings of a known year
	old                 // buildings of an early year
	heritage            // heritage sites, by unit
	dwellings           // dwellings with a period of construction, by dwellingUnit
	oldDwellings        // those of an early period, by dwellingUnit
	historicLayers
)

// What 1 is in a layer of fractions. Where few live a cell has a hundredth of a dwelling.
const (
	unit         = 100
	dwellingUnit = 10_000
)

// historicCellM is the size of the cells.
const historicCellM = 50

// historic sets Quantities.Historic; it leaves it absent if the region has too few buildings with a year, and no
// dwellings with a period of construction.
func historic(ctx context.Context, r *measure.Region, c *calibration.Historic) error {
	nodes := r.Network.Walk.Nodes
	sums := raster.NewSums(nodes, historicCellM, c.RadiusM, historicLayers)
	censused, err := addDwellings(ctx, r.Staged, sums, r.Calibration)
	if err != nil {
		return err
	}
	years, err := addBuildings(ctx, r, sums, c)
	if err != nil || !censused && float64(years) < c.MinDated*float64(c.MinBuilt) {
		return err
	}
	registered, err := addSites(ctx, r, sums, c)
	if err != nil {
		return err
	}
	sums.Finish()
	values := make([]float32, len(nodes))
	r.Quantities.Historic = values
	return parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		totals := make([]uint64, historicLayers)
		for node := lo; node < hi; node++ {
			clear(totals)
			sums.Disc(nodes[node].Orb(), c.RadiusM, totals)
			sites := math.NaN()
			if registered {
				sites = float64(totals[heritage]) / unit
			}
			share := rating.HistoricShare(c, float64(totals[built]), float64(totals[dated]), float64(totals[old]), sites)
			if math.IsNaN(share) {
				homes := float64(totals[dwellings]) / dwellingUnit
				share = rating.HistoricShare(c, homes, homes, float64(totals[oldDwellings])/dwellingUnit, sites)
			}
			values[node] = float32(share)
		}
	})
}

// addBuildings adds the buildings and returns how many have a year.
func addBuildings(ctx context.Context, r *measure.Region, sums *raster.Sums, c *calibration.Historic) (years int, err error) {
	err = feature.Shapes(ctx, r.Staged, "building", func(f *feature.Feature, p orb.Point) {
		if f.Class == "garage" {
			return
		}
		sums.Add(built, p, 1)
		if f.Year != 0 {
			years++
			sums.Add(dated, p, 1)
			if f.Year < c.Before {
				sums.Add(old, p, 1)
			}
		}
	})
	return years, err
}

// addSites adds points as one site each, and districts by their area, at least one site each. It returns false if there are
// none, so that nobody has recorded them.
func addSites(ctx context.Context, r *measure.Region, sums *raster.Sums, c *calibration.Historic) (some bool, err error) {
	const hectares = historicCellM * historicCellM / 1e4
	cell := uint32(math.Round(c.HectareN * hectares * unit))
	err = feature.Each(ctx, r.Staged, "heritage", func(f *feature.Feature) error {
		some = true
		switch shape := f.Geometry.(type) {
		case orb.Point:
			sums.Add(heritage, shape, unit)
		case orb.MultiPolygon:
			if geo.Area(shape)/1e4*c.HectareN >= 1 {
				sums.AddArea(heritage, shape, cell)
			} else if p, ok := geo.InteriorPoint(shape); ok {
				sums.Add(heritage, p, unit)
			}
		}
		return nil
	})
	return some, err
}
