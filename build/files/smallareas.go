package files

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"quartier/build/assembly"
	"quartier/build/released"
	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas/demographics"
	"quartier/schemas/derived"
	"quartier/schemas/release"
)

// smallAreas copies the derived small areas of all regions to demographics.sqlite. A small area that several regions
// have is taken from the first one.
type smallAreas struct {
	tx           *sql.Tx
	areas, parts int64 // rows written
	duplicates   int64 // small areas that an earlier region has
	// Of the region under way.
	db   *duck.DB
	fids []int64 // of its small areas by number, 0 for a duplicate
}

func (s *smallAreas) copyRegion(ctx context.Context, region string, db *duck.DB) error {
	s.db, s.fids = db, nil
	if err := s.copyAreas(ctx, region); err != nil {
		return err
	}
	if err := s.copyParts(ctx); err != nil {
		return err
	}
	return s.copyValues(ctx)
}

func (s *smallAreas) copyAreas(ctx context.Context, region string) error {
	vintages, err := sqlrow.All[derived.Vintage](ctx, s.db, "SELECT * FROM vintage")
	if err != nil {
		return fmt.Errorf("read vintage: %w", err)
	}
	insert := sqlrow.NewInserter[release.SmallArea](ctx, s.tx, "small_area")
	exists, err := s.tx.Prepare("SELECT EXISTS (SELECT 1 FROM small_area WHERE source_key = ?)")
	if err != nil {
		return err
	}
	return assembly.EachNumbered(ctx, s.db, "small_area", "area", "", func(_ int64, a *derived.SmallArea) error {
		code := a.RegionCode
		if len(code) != 5 || code[:3] != "CA_" && code[:3] != "US_" {
			return fmt.Errorf("%s is in %q", a.SourceKey, code)
		}
		if !slices.ContainsFunc(vintages, func(v derived.Vintage) bool { return v.CountryCode == code[:2] && v.Vintage != "" }) {
			return fmt.Errorf("%s has no vintage", a.SourceKey)
		}
		var duplicate bool
		if err := exists.QueryRow(a.SourceKey).Scan(&duplicate); err != nil {
			return err
		}
		if duplicate {
			s.duplicates++
			s.fids = append(s.fids, 0)
			return nil
		}
		s.areas++
		s.fids = append(s.fids, s.areas)
		return insert.Row(release.SmallArea{FID: s.areas, Region: region, SourceKey: a.SourceKey, RegionCode: code,
			SigmaWithin: a.SigmaWithin, SigmaBetween: a.SigmaBetween})
	})
}

// maxWeight is the plausible maximum of a part's weight.
const maxWeight = 1e12

// copyParts copies the parts. They are ordered by area, and every area has a part with a positive weight.
func (s *smallAreas) copyParts(ctx context.Context) error {
	insert := sqlrow.NewInserter[release.SmallAreaPart](ctx, s.tx, "small_area_part")
	last, hasWeight := int64(-1), true
	next := func(area int64) error {
		switch {
		case !hasWeight:
			return fmt.Errorf("small area %d has no part with a positive weight", last)
		case area != last+1:
			return fmt.Errorf("parts of small area %d of %d after those of %d", area, len(s.fids), last)
		}
		last, hasWeight = area, false
		return nil
	}
	err := assembly.EachNumbered(ctx, s.db, "small_area_part", "part", "", func(_ int64, p *derived.SmallAreaPart) error {
		area := int64(p.Area)
		if area != last {
			if err := next(area); err != nil {
				return err
			}
		}
		if area >= int64(len(s.fids)) {
			return fmt.Errorf("%s is part of small area %d of %d", p.SourceKey, area, len(s.fids))
		}
		weights := [demographics.Universes]float64{p.Persons, p.Households, p.Dwellings}
		for _, w := range weights {
			if !(w >= 0 && w <= maxWeight) {
				return fmt.Errorf("%s has the weights %v", p.SourceKey, weights)
			}
			hasWeight = hasWeight || w > 0
		}
		outline, err := assembly.DecodeOutline(p.Geom)
		if err != nil {
			return fmt.Errorf("outline of %s: %w", p.SourceKey, err)
		}
		fid := s.fids[area]
		if fid == 0 {
			return nil
		}
		s.parts++
		return insert.Row(release.SmallAreaPart{
			FID: s.parts, Area: fid, SourceKey: p.SourceKey, Persons: p.Persons, Households: p.Households, Dwellings: p.Dwellings,
			Geometry: released.MultiPolygonBlob(outline),
		})
	})
	if err != nil {
		return err
	}
	return next(int64(len(s.fids)))
}

// areasPerChunk is the number of small areas whose figures are in memory.
const areasPerChunk = assembly.ChunkRows / demographics.CellCount

func (s *smallAreas) copyValues(ctx context.Context) error {
	insert := sqlrow.NewInserter[release.SmallAreaValue](ctx, s.tx, "small_area_value")
	var unknown sql.NullInt64
	err := s.db.QueryRowContext(ctx, "SELECT min(area) FROM small_area_value WHERE area < 0 OR area >= ?", len(s.fids)).Scan(&unknown)
	if err == nil && unknown.Valid {
		err = fmt.Errorf("value of small area %d of %d", unknown.Int64, len(s.fids))
	}
	if err != nil {
		return fmt.Errorf("small_area_value: %w", err)
	}
	const query = "SELECT * FROM small_area_value WHERE area >= ? AND area < ? ORDER BY area, cell"
	for first := 0; first < len(s.fids); first += areasPerChunk {
		for v, err := range sqlrow.Select[derived.SmallAreaValue](ctx, s.db, query, first, first+areasPerChunk) {
			if err != nil {
				return fmt.Errorf("read small_area_value: %w", err)
			}
			if _, _, err := released.ParseFigure(v.Cell, v.Estimate, v.MOE); err != nil {
				return fmt.Errorf("small_area_value: small area %d: %w", v.Area, err)
			}
			fid := s.fids[v.Area]
			if fid == 0 {
				continue
			}
			if err := insert.Row(release.SmallAreaValue{Area: fid, Cell: v.Cell, Estimate: v.Estimate, MOE: v.MOE}); err != nil {
				return err
			}
		}
	}
	return nil
}

// noteGaps returns notes on duplicate and missing data.
func (s *smallAreas) noteGaps(ctx context.Context, a *assembly.Assembly) (notes []string, err error) {
	regions, err := a.RegionsWithoutDemographics(ctx)
	if err != nil {
		return nil, fmt.Errorf("count figures: %w", err)
	}
	for _, name := range regions {
		notes = append(notes, name+": no demographics: none of its sources is a census or survey of its area")
	}
	if s.duplicates > 0 {
		notes = append(notes, fmt.Sprintf("small areas that several regions have: %d", s.duplicates))
	}
	for _, country := range []string{"CA", "US"} {
		var areas, known int64
		err := s.tx.QueryRow(`SELECT count(*), count(*) FILTER (WHERE EXISTS (SELECT 1 FROM small_area_value WHERE area = fid AND moe IS NOT NULL))
			FROM small_area WHERE region_code LIKE ? || '/_%' ESCAPE '/'`, country).Scan(&areas, &known)
		if err != nil {
			return nil, fmt.Errorf("count margins of error: %w", err)
		}
		if areas > 0 && known == 0 {
			notes = append(notes, fmt.Sprintf("the small areas of %s have no margins of error, so that sums over them have no confidence intervals",
				country))
		}
	}
	return notes, nil
}
