package land

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
	"quartier/transform/measures/raster"
)

//go:embed dwellings.sql
var dwellingsSQL string

// period is the dwellings of a small area, and the share of them from before calibration.Historic.Before.
type period struct{ dwellings, old float64 }

// addDwellings adds the dwellings of blocks and the old ones by the share of their small area, and those of areas without
// blocks evenly to their outline. It returns false if no survey has periods of construction.
func addDwellings(ctx context.Context, staged *duck.DB, sums *raster.Sums, c *calibration.Calibration) (bool, error) {
	periods, err := readPeriods(ctx, staged, &c.Land.Historic)
	if err != nil || len(periods) == 0 {
		return false, err
	}
	placed, err := placeInBlocks(ctx, staged, periods, sums, c.Demographics.Ground.HouseholdSize)
	if err != nil {
		return false, err
	}
	const zones = "SELECT source_key AS area_key, 0.0::DOUBLE AS dwellings, geom FROM zone ORDER BY source_key LIKE 'census:tract:%', " +
		"source_id, source_key"
	return true, eachArea(ctx, staged, zones, func(key string, _ float64, outline orb.MultiPolygon) {
		p, known := periods[key]
		if area := geo.Area(outline); known && !placed[key] && area > 0 {
			homes := p.dwellings * historicCellM * historicCellM / area * dwellingUnit
			sums.AddArea(dwellings, outline, uint32(math.Round(homes)))
			sums.AddArea(oldDwellings, outline, uint32(math.Round(homes*p.old)))
			placed[key], placed[tractOf(key)] = true, true
		}
	})
}

func readPeriods(ctx context.Context, staged *duck.DB, c *calibration.Historic) (map[string]period, error) {
	type row struct {
		Key        string   `col:"area_key"`
		Dwellings  float64  `col:"dwellings"`
		Before1940 *float64 `col:"before_1940"`
		Before1961 *float64 `col:"before_1961"`
	}
	periods := map[string]period{}
	for r, err := range sqlrow.Select[row](ctx, staged, dwellingsSQL) {
		if err != nil {
			return nil, fmt.Errorf("read periods of construction: %w", err)
		}
		p := period{dwellings: r.Dwellings}
		if r.Before1940 != nil {
			p.old = min(*r.Before1940/r.Dwellings, 1)
		} else {
			p.old = math.Pow(min(*r.Before1961/r.Dwellings, 1), c.CAPower)
		}
		periods[r.Key] = p
	}
	return periods, nil
}

// placeInBlocks adds the dwellings of blocks at their interior points, and returns the areas with blocks. A block group
// without periods has the share of its tract.
func placeInBlocks(ctx context.Context, staged *duck.DB, periods map[string]period, sums *raster.Sums,
	householdSize float64) (map[string]bool, error) {
	placed := map[string]bool{}
	blocks := fmt.Sprintf(`
		SELECT area_key, coalesce(dwellings, households, population / %v, 0)::DOUBLE AS dwellings, geom
		FROM block WHERE area_key IS NOT NULL ORDER BY source_id, source_key`, householdSize)
	return placed, eachArea(ctx, staged, blocks, func(key string, homes float64, outline orb.MultiPolygon) {
		placed[key], placed[tractOf(key)] = true, true
		p, known := periods[key]
		if !known {
			p, known = periods[tractOf(key)]
		}
		if at, ok := geo.InteriorPoint(outline); ok && known {
			sums.Add(dwellings, at, uint32(math.Round(homes*dwellingUnit)))
			sums.Add(oldDwellings, at, uint32(math.Round(homes*p.old*dwellingUnit)))
		}
	})
}

// tractOf is the tract of a block group, or the key of another area: that of census:bg:240050001001 is
// census:tract:24005000100.
func tractOf(key string) string {
	if digits, isGroup := strings.CutPrefix(key, "census:bg:"); isGroup && len(digits) > 11 {
		return "census:tract:" + digits[:11]
	}
	return key
}

// eachArea visits the rows of a query with the key of an area, a number of dwellings and an outline.
func eachArea(ctx context.Context, staged *duck.DB, query string,
	visit func(key string, dwellings float64, outline orb.MultiPolygon)) error {
	type row struct {
		Key       string  `col:"area_key"`
		Dwellings float64 `col:"dwellings"`
		Geom      []byte  `col:"geom"`
	}
	for r, err := range sqlrow.Select[row](ctx, staged, query) {
		if err != nil {
			return fmt.Errorf("read small areas: %w", err)
		}
		g, err := wkb.Unmarshal(r.Geom)
		if err != nil {
			return fmt.Errorf("read %s: %w", r.Key, err)
		}
		if outline, ok := g.(orb.MultiPolygon); ok {
			visit(r.Key, r.Dwellings, outline)
		}
	}
	return nil
}
