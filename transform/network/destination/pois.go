package destination

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/staged"
)

// extracts reads which sources neighbours lend an extract of.
func (f *deriver) extracts(ctx context.Context) error {
	f.set.Extracted = map[string]bool{}
	extracts := map[string][]string{} // by kind and id
	var id, kind string
	err := sqlrow.Scan(ctx, f.staged, "SELECT source_id, kind FROM source", []any{&id, &kind}, func() error {
		same := kind + " " + staged.Original(id)
		extracts[same] = append(extracts[same], id)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read sources: %w", err)
	}
	for _, ids := range extracts {
		if slices.ContainsFunc(ids, staged.Lent) && !slices.ContainsFunc(ids, func(id string) bool { return !staged.Lent(id) }) {
			continue // of neighbours alone
		}
		for _, id := range ids {
			f.set.Extracted[id] = len(ids) > 1
		}
	}
	return nil
}

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

// poisAtOnce is how many POIs are read by one query, whose whole result the database has in memory.
const poisAtOnce = 200_000

// pois adds the derived POIs, except parks and the stops of timetables, which are added with their departures, and counts
// those of each source that is no list of lines.
func (f *deriver) pois(ctx context.Context) error {
	places, kinds := map[string]int{}, map[string]map[string]bool{}
	f.set.Others = map[string]map[string]int{}
	for first, read := 0, poisAtOnce; read == poisAtOnce; first += poisAtOnce {
		var candidates []candidate
		var err error
		if candidates, read, err = f.poisFrom(ctx, first, places, kinds); err != nil {
			return fmt.Errorf("read pois: %w", err)
		}
		if err := f.add(ctx, candidates); err != nil {
			return err
		}
	}
	for _, source := range slices.Sorted(maps.Keys(places)) {
		f.set.Contents = append(f.set.Contents, Content{source, places[source], len(kinds[source])})
	}
	return nil
}

// poisFrom reads some POIs from a number on, with how many it read. places and kinds are by source.
func (f *deriver) poisFrom(ctx context.Context, first int, places map[string]int, kinds map[string]map[string]bool) (
	candidates []candidate, read int, err error) {
	var d Destination
	var categories, baseCategories, tags string
	query := fmt.Sprintf("SELECT poi_key, source_id, name, lng, lat, categories, base_categories, tags FROM poi "+
		"WHERE number >= %d AND number < %d ORDER BY number", first, first+poisAtOnce)
	targets := []any{&d.Key, &d.Source, &d.Name, &d.Point[0], &d.Point[1], &categories, &baseCategories, &tags}
	err = sqlrow.Scan(ctx, f.derived, query, targets, func() error {
		read++
		d.Station = d.Key
		f.set.count(d.Source, list(categories), list(baseCategories))
		lines, listed := f.set.Lists[d.Source]
		if listed && lines.Timed {
			return nil
		}
		if classes := ClassesOf(list(categories), list(tags)); len(classes) > 0 {
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
	return candidates, read, err
}

// count counts a POI in each of its categories that is no class of destinations.
func (s *Set) count(source string, categories, baseCategories []string) {
	for i, category := range append(categories, baseCategories...) {
		class := schemas.CategoryClass(category)
		if _, counted := rank[class]; counted || i >= len(categories) && slices.Contains(categories, category) {
			continue
		}
		if s.Others[category] == nil {
			s.Others[category] = map[string]int{}
		}
		s.Others[category][source]++
	}
}
