package destination

import (
	"context"
	"fmt"
	"slices"

	"quartier/internal/sqlrow"
)

// pois adds the derived POIs, except parks, and decides whether some source covers all kinds of places.
func (f *deriver) pois(ctx context.Context) error {
	var candidates []candidate
	sources := map[string]*sourceContent{}
	var d Destination
	var categories, tags string
	err := sqlrow.Scan(ctx, f.derived, "SELECT poi_key, source_id, name, lng, lat, categories, tags FROM poi ORDER BY poi_key",
		[]any{&d.Key, &d.Source, &d.Name, &d.Point[0], &d.Point[1], &categories, &tags}, func() error {
			d.Station = d.Key
			f.set.POIs++
			if sources[d.Source] == nil {
				sources[d.Source] = &sourceContent{kinds: map[string]bool{}}
			}
			sources[d.Source].count(list(categories), f.c.Coverage.BroadCategories)
			if classes := classesOf(list(categories), list(tags)); len(classes) > 0 {
				candidates = append(candidates, candidate{d, classes})
			}
			return nil
		})
	if err != nil {
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
