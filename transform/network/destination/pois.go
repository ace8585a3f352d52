package destination

import (
	"context"
	"fmt"
	"slices"
)

// pois adds the derived POIs, except parks, and decides whether some source covers all kinds of places.
func (f *deriver) pois(ctx context.Context) error {
	rows, err := f.derived.QueryContext(ctx, "SELECT poi_key, source_id, name, lng, lat, categories, tags FROM poi ORDER BY poi_key")
	if err != nil {
		return fmt.Errorf("read pois: %w", err)
	}
	defer rows.Close()
	var candidates []candidate
	sources := map[string]*sourceContent{}
	for rows.Next() {
		var c candidate
		var categories, tags string
		d := &c.destination
		if err := rows.Scan(&d.Key, &d.Source, &d.Name, &d.Point[0], &d.Point[1], &categories, &tags); err != nil {
			return fmt.Errorf("read pois: %w", err)
		}
		d.Station = d.Key
		f.set.POIs++
		if sources[d.Source] == nil {
			sources[d.Source] = &sourceContent{kinds: map[string]bool{}}
		}
		sources[d.Source].count(list(categories), f.c.Coverage.BroadCategories)
		if c.classes = classesOf(list(categories), list(tags)); len(c.classes) > 0 {
			candidates = append(candidates, c)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read pois: %w", err)
	}
	for _, s := range sources {
		f.set.General = f.set.General || s.pois >= f.c.Coverage.GeneralPOIs && len(s.kinds) >= f.c.Coverage.GeneralCategories
	}
	return f.add(ctx, candidates)
}

// sourceContent is how many POIs and kinds of POIs a source has.
type sourceContent struct {
	pois  int
	kinds map[string]bool
}

func (s *sourceContent) count(categories, broad []string) {
	s.pois++
	for _, category := range categories {
		if !slices.Contains(broad, category) {
			s.kinds[category] = true
		}
	}
}
