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

// period is the dwellings of a small area, and those of them from before calibration.Historic.Before.
type period struct{ all, old float64 }

// addDwellings adds the dwellings of small areas and the old ones to their blocks, by the blocks' dwellings, or evenly to
// the outline of an area without blocks. It returns false if no survey has their periods of construction.
func addDwellings(ctx context.Context, staged *duck.DB, sums *raster.Sums, c *calibration.Historic, cellM float64) (bool, error) {
	periods, err := readPeriods(ctx, staged, c)
	if err != nil || len(periods) == 0 {
		return false, err
	}
	placed, err := placeInBlocks(ctx, staged, periods, sums)
	if err != nil {
		return false, err
	}
	return true, eachArea(ctx, staged, "SELECT source_key AS area_key, 0.0::DOUBLE AS weight, geom FROM zone ORDER BY source_id, source_key", func(key string, _ float64, outline orb.MultiPolygon) {
		p, known := periods[key]
		if area := geo.Area(outline); known && !placed[key] && area > 0 {
			share := cellM * cellM / area * unit
			sums.AddArea(dwellings, outline, uint32(math.Round(p.all*share)))
			sums.AddArea(oldDwellings, outline, uint32(math.Round(p.old*share)))
			placed[key] = true
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
		p := period{all: r.Dwellings}
		if r.Before1940 != nil {
			p.old = *r.Before1940
		} else {
			p.old = p.all * math.Pow(min(*r.Before1961/p.all, 1), c.CAPower)
		}
		periods[r.Key] = p
	}
	return periods, nil
}

// placeInBlocks adds the dwellings of areas to the interior points of their blocks, and returns the areas with blocks, and
// their tracts. A block group without a period has that of its tract.
func placeInBlocks(ctx context.Context, staged *duck.DB, periods map[string]period, sums *raster.Sums) (map[string]bool, error) {
	const query = "SELECT area_key, coalesce(dwellings, households, population, 1)::DOUBLE AS weight, geom FROM block WHERE area_key IS NOT NULL ORDER BY source_id, source_key"
	weights, placed := map[string]float64{}, map[string]bool{}
	areaOf := func(key string) string {
		if digits, isGroup := strings.CutPrefix(key, "census:bg:"); isGroup && len(digits) > 11 {
			placed["census:tract:"+digits[:11]] = true
			if _, known := periods[key]; !known {
				return "census:tract:" + digits[:11]
			}
		}
		return key
	}
	err := eachArea(ctx, staged, query, func(key string, weight float64, _ orb.MultiPolygon) { weights[areaOf(key)] += weight })
	if err != nil {
		return nil, err
	}
	return placed, eachArea(ctx, staged, query, func(key string, weight float64, outline orb.MultiPolygon) {
		area := areaOf(key)
		p, known := periods[area]
		if !known || weight == 0 {
			return
		}
		if at, ok := geo.InteriorPoint(outline); ok {
			placed[area] = true
			share := weight / weights[area] * unit
			sums.Add(dwellings, at, uint32(math.Round(p.all*share)))
			sums.Add(oldDwellings, at, uint32(math.Round(p.old*share)))
		}
	})
}

// eachArea visits the rows of a query with the key of an area, a weight and an outline.
func eachArea(ctx context.Context, staged *duck.DB, query string, visit func(key string, weight float64, outline orb.MultiPolygon)) error {
	type row struct {
		Key    string  `col:"area_key"`
		Weight float64 `col:"weight"`
		Geom   []byte  `col:"geom"`
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
			visit(r.Key, r.Weight, outline)
		}
	}
	return nil
}
