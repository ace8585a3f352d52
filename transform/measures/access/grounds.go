package access

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
	"quartier/transform/network/edges"
)

// Grounds are the extents of the region's sources, by source, with the categories of POIs that are known there: those of
// which the source has places, or all if it is a survey. A class that is declared and of which no source with an extent has
// places is known where there are streets.
func (k *Known) Grounds(ctx context.Context, db *duck.DB, c *calibration.Hull) (list []derived.KnownGround, err error) {
	extents, err := edges.Read(ctx, db, c)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(extents.All(), func(source string, _ *edges.Extent) bool { return staged.Lent(source) })
	streets := map[string]bool{}
	var id string
	if err := sqlrow.Scan(ctx, db, "SELECT DISTINCT source_id FROM street", []any{&id}, func() error { streets[id] = true; return nil }); err != nil {
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
	for _, source := range slices.Sorted(maps.Keys(extents.All())) {
		if known[source] == nil {
			continue
		}
		geom, err := geo.WKB(extents.All()[source].Outline)
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
