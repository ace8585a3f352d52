package destination

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"quartier/internal/sqlrow"
	"quartier/schemas/staged"
)

// declarations reads which classes the region file declares complete or lacking.
func (f *deriver) declarations(ctx context.Context) error {
	for d, err := range sqlrow.Select[staged.DeclaredClass](ctx, f.staged, "SELECT * FROM declared_class ORDER BY ALL") {
		switch {
		case err != nil:
			return fmt.Errorf("read declared classes: %w", err)
		case d.Complete:
			f.set.Complete = append(f.set.Complete, d.Class)
		default:
			f.set.Lacks = append(f.set.Lacks, d.Class)
		}
	}
	return nil
}

// pois adds the derived POIs, except parks and the stops of timetables, which are added with their departures, and counts
// those of each source that is no list of lines.
func (f *deriver) pois(ctx context.Context) error {
	var candidates []candidate
	places, kinds := map[string]int{}, map[string]map[string]bool{}
	var d Destination
	var categories, tags string
	err := sqlrow.Scan(ctx, f.derived, "SELECT poi_key, source_id, name, lng, lat, categories, tags FROM poi ORDER BY poi_key",
		[]any{&d.Key, &d.Source, &d.Name, &d.Point[0], &d.Point[1], &categories, &tags}, func() error {
			d.Station = d.Key
			lines, listed := f.set.Lists[d.Source]
			if listed && lines.Timed {
				return nil
			}
			classes := ClassesOf(list(categories), list(tags))
			if len(classes) > 0 {
				candidates = append(candidates, candidate{d, classes})
			}
			if listed {
				return nil
			}
			if kinds[d.Source] == nil {
				kinds[d.Source] = map[string]bool{}
			}
			places[d.Source]++
			for _, category := range list(categories) {
				if !slices.Contains(f.c.Known.Survey.BroadCategories, category) {
					kinds[d.Source][category] = true
				}
			}
			return nil
		})
	if err != nil {
		return fmt.Errorf("read pois: %w", err)
	}
	for _, source := range slices.Sorted(maps.Keys(places)) {
		f.set.Contents = append(f.set.Contents, Content{source, places[source], len(kinds[source])})
	}
	return f.add(ctx, candidates)
}
