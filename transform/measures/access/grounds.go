package access

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
	"quartier/transform/network/edges"
)

// Grounds are the extents of the region's sources, by source, as far as places are in the region, with the categories of POIs
// that are known there: those of which the source has places, or all if it is a survey. A class that is declared and of which
// no source with an extent has places is known where there are streets.
func (k *Known) Grounds(ctx context.Context, stagedDB, derivedDB *duck.DB, c *calibration.Hull) (list []derived.KnownGround, err error) {
	extents, err := edges.Read(ctx, stagedDB, c)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(extents.All(), func(source string, _ *edges.Extent) bool { return staged.Lent(source) })
	streets := map[string]bool{}
	var id string
	if err := sqlrow.Scan(ctx, stagedDB, "SELECT DISTINCT source_id FROM street", []any{&id},
		func() error { streets[id] = true; return nil }); err != nil {
		return nil, fmt.Errorf("read sources of streets: %w", err)
	}
	known := map[string]map[string]bool{} // classes by source
	for _, class := range schemas.RatedClasses {
		if !k.Has(class) {
			continue
		}
		sources := k.sources(class)
		maps.DeleteFunc(sources, func(source string, _ bool) bool { return extents.All()[source] == nil })
		if len(sources) == 0 {
			sources = streets
		}
		for source := range sources {
			if known[source] == nil {
				known[source] = map[string]bool{}
			}
			known[source][class] = true
		}
	}
	clip, err := newClip(ctx, derivedDB)
	if err != nil {
		return nil, err
	}
	defer clip.kernel.Close()
	for _, source := range slices.Sorted(maps.Keys(known)) {
		e := extents.All()[source]
		if e == nil {
			continue
		}
		outline, err := clip.kernel.Intersection(e.Outline, clip.region)
		if err != nil {
			return nil, fmt.Errorf("extent of source %s: %w", source, err)
		}
		if len(outline) == 0 {
			continue
		}
		geom, err := geo.WKB(outline)
		if err != nil {
			return nil, fmt.Errorf("extent of source %s: %w", source, err)
		}
		has := func(class string) bool { return known[source][class] }
		list = append(list, derived.KnownGround{
			SourceID: source, Geom: geom,
			Categories: schemas.KnownCategories(schemas.Categories, has), BaseCategories: schemas.KnownCategories(schemas.BaseCategories, has),
		})
	}
	return list, nil
}

// clip cuts outlines at the border of a region.
type clip struct {
	kernel *spatialite.Kernel
	region orb.MultiPolygon
}

func newClip(ctx context.Context, db *duck.DB) (*clip, error) {
	var covers orb.MultiPolygon
	for row, err := range sqlrow.Select[derived.Coverage](ctx, db, "SELECT * FROM coverage ORDER BY ALL") {
		if err != nil {
			return nil, fmt.Errorf("read coverage: %w", err)
		}
		outline, err := geo.MultiPolygon(row.Geom)
		if err != nil {
			return nil, fmt.Errorf("coverage %s: %w", row.SourceKey, err)
		}
		covers = append(covers, outline...)
	}
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return nil, err
	}
	region, err := kernel.Union(covers)
	if err != nil {
		kernel.Close()
		return nil, fmt.Errorf("unite coverage: %w", err)
	}
	return &clip{kernel, region}, nil
}

// sources are the region's sources that have places of a class, or of what it consists of, and the surveys.
func (k *Known) sources(class string) map[string]bool {
	sources := k.set.Content(class).Sources
	for _, s := range k.set.Contents {
		if !staged.Lent(s.Source) && k.surveys[s.Source] {
			sources[s.Source] = true
		}
	}
	return sources
}
