package geography

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
)

//go:embed boundaries.sql
var boundariesSQL string

//go:embed extents.sql
var extentsSQL string

//go:embed names.sql
var namesSQL string

//go:embed gazetteer.sql
var gazetteerSQL string

// boundaryRow is a row of boundaries.sql.
type boundaryRow struct {
	staged.Boundary
	Priority int32 `col:"priority"`
}

// Read reads the staged boundaries with their further names, and the extents. Errors name the row.
func Read(ctx context.Context, db *duck.DB) (boundaries []Boundary, extents []Extent, err error) {
	names, err := readNames(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	for row, err := range sqlrow.Select[boundaryRow](ctx, db, boundariesSQL) {
		if err != nil {
			return nil, nil, fmt.Errorf("read staged boundaries: %w", err)
		}
		b := Boundary{Source: row.SourceID, Key: row.SourceKey, Priority: int(row.Priority), Level: schemas.Level(row.Level),
			NameEN: row.NameEN, NameFR: row.NameFR, Country: row.CountryCode, State: row.StateCode, Population: row.Population,
			Names: names[[2]string{row.SourceID, row.SourceKey}]}
		if !b.Level.Valid() {
			return nil, nil, fmt.Errorf("read staged boundaries: %s: unknown level %d", b.Key, row.Level)
		}
		if b.Geometry, err = readOutline(b.Key, row.Geom); err != nil {
			return nil, nil, fmt.Errorf("read staged boundaries: %w", err)
		}
		boundaries = append(boundaries, b)
	}
	for row, err := range sqlrow.Select[staged.Coverage](ctx, db, extentsSQL) {
		if err != nil {
			return nil, nil, fmt.Errorf("read staged coverage: %w", err)
		}
		e := Extent{Source: row.SourceID, Country: row.CountryCode, State: row.StateCode}
		if _, known := schemas.FindState(e.Country, e.State); !known {
			return nil, nil, fmt.Errorf("read staged coverage: extent of %s: no state %q in country %q", e.Source, e.State, e.Country)
		}
		if e.Geometry, err = readOutline("extent of "+e.Source, row.Geom); err != nil {
			return nil, nil, fmt.Errorf("read staged coverage: %w", err)
		}
		extents = append(extents, e)
	}
	return boundaries, extents, nil
}

// readNames reads the further names by source and key.
func readNames(ctx context.Context, db *duck.DB) (map[[2]string][]Name, error) {
	names := map[[2]string][]Name{}
	for row, err := range sqlrow.Select[staged.FurtherName](ctx, db, namesSQL) {
		if err != nil {
			return nil, fmt.Errorf("read staged names: %w", err)
		}
		key := [2]string{row.SourceID, row.SourceKey}
		names[key] = append(names[key], Name{row.Name, row.Kind, row.Language, row.SourceID})
	}
	return names, nil
}

// ReadGazetteer reads the staged places of gazetteers with their names, by priority of the source.
func ReadGazetteer(ctx context.Context, db *duck.DB) ([]GazetteerPlace, error) {
	names, err := readNames(ctx, db)
	if err != nil {
		return nil, err
	}
	var places []GazetteerPlace
	for row, err := range sqlrow.Select[staged.GazetteerPlace](ctx, db, gazetteerSQL) {
		if err != nil {
			return nil, fmt.Errorf("read staged gazetteer: %w", err)
		}
		own := Name{row.Name, "alternate", "", row.SourceID}
		places = append(places, GazetteerPlace{row.SourceKey, schemas.Level(row.Level), orb.Point{row.Lng, row.Lat},
			append([]Name{own}, names[[2]string{row.SourceID, row.SourceKey}]...)})
	}
	return places, nil
}

// readOutline decodes and validates a staged outline.
func readOutline(key string, data []byte) (orb.MultiPolygon, error) {
	m, err := geo.MultiPolygon(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	for _, polygon := range m {
		for _, ring := range polygon {
			for _, p := range ring {
				if !geo.Valid(p) {
					return nil, fmt.Errorf("%s: invalid coordinate %v", key, p)
				}
			}
			if len(ring) < 4 || ring[0] != ring[len(ring)-1] {
				return nil, fmt.Errorf("%s: ring of %d vertices is not closed", key, len(ring))
			}
		}
	}
	return m, nil
}

// Write writes derived.geography, derived.geography_name and derived.coverage.
func Write(ctx context.Context, db *duck.DB, result Result) error {
	err := duck.WriteEach(ctx, db, "geography", result.Geographies, func(_ int, g Geography) (derived.Geography, error) {
		geom, err := geo.WKB(g.Geometry)
		if err != nil {
			err = fmt.Errorf("%s: %w", g.Key, err)
		}
		return derived.Geography{SourceKey: g.Key, SourceID: g.Source, Level: int32(g.Level), NameEN: g.NameEN, NameFR: g.NameFR,
			CountryCode: g.Country, StateCodes: strings.Join(g.States, ","), AreaM2: g.AreaM2,
			West: g.Bound.Min[0], South: g.Bound.Min[1], East: g.Bound.Max[0], North: g.Bound.Max[1],
			CentroidLng: g.Centroid[0], CentroidLat: g.Centroid[1], Population: g.Population, Geom: geom}, err
	})
	if err != nil {
		return err
	}
	var names []derived.GeographyName
	for i := range result.Geographies {
		g := &result.Geographies[i]
		for _, n := range furtherNames(g) {
			names = append(names, derived.GeographyName{SourceKey: g.Key, Name: n.Name, Kind: n.Kind, Language: n.Language, SourceID: n.Source})
		}
	}
	err = duck.WriteEach(ctx, db, "geography_name", names,
		func(_ int, n derived.GeographyName) (derived.GeographyName, error) { return n, nil })
	if err != nil {
		return err
	}
	return duck.WriteEach(ctx, db, "coverage", result.Coverage.Covers, func(_ int, c Cover) (derived.Coverage, error) {
		geom, err := geo.WKB(c.Geometry)
		if err != nil {
			err = fmt.Errorf("%s: %w", c.Key, err)
		}
		return derived.Coverage{RegionCode: c.Code(), SourceKey: c.Key, Geom: geom}, err
	})
}
