package destination

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"quartier/internal/sqlrow"
)

// nonPOIs adds places that are not POIs: schools, and bicycle rental stations.
func (f *deriver) nonPOIs(ctx context.Context) error {
	var schools []school
	var bicycles []candidate
	var r record
	var classes string
	err := sqlrow.Scan(ctx, f.staged, `
		SELECT p.source_id, s.priority, p.source_key, coalesce(p.name, ''), coalesce(p.name_fr, ''), p.lng, p.lat, p.scheme, p.classes,
			coalesce(p.area_m2, 0)
		FROM poi AS p JOIN source AS s USING (source_id)
		WHERE p.classes LIKE '%school%' OR p.classes LIKE '%bicycle_rental%' OR p.classes LIKE '%bike_sharing%'
			OR p.classes LIKE '%bicycle_sharing%'
		QUALIFY row_number() OVER (PARTITION BY p.source_key ORDER BY s.priority) = 1
		ORDER BY s.priority, p.source_key`,
		[]any{&r.source, &r.priority, &r.key, &r.name, &r.nameFR, &r.point[0], &r.point[1], &r.scheme, &classes, &r.area}, func() error {
			if err := r.parse(classes); err != nil {
				return fmt.Errorf("classes of %s: %w", r.key, err)
			}
			if r.isBicycleRental() {
				bicycles = append(bicycles, candidate{r.destination(), []string{"bike_share"}})
			} else if s, ok := newSchool(&r); ok {
				schools = append(schools, s)
			}
			return nil
		})
	if err != nil {
		return fmt.Errorf("read staged places: %w", err)
	}
	if err := f.add(ctx, bicycles); err != nil {
		return err
	}
	if merged, err := f.mergedSchools(ctx); merged || err != nil {
		return err
	}
	var candidates []candidate
	for _, s := range mergeSchools(schools, f.c.Education.SameSchoolM) {
		if classes := s.level.classes(); len(classes) > 0 {
			candidates = append(candidates, candidate{s.destination(), classes})
		}
	}
	return f.add(ctx, candidates)
}

// record is a row of staged.poi.
type record struct {
	source, key, name, nameFR, scheme string
	priority                          int
	point                             [2]float64
	area                              float64           // m²; 0: unknown
	tags                              map[string]string // in scheme osm
	ids                               []string          // in other schemes
}

func (r *record) parse(classes string) error {
	r.tags, r.ids = nil, nil
	if r.scheme == "osm" {
		return json.Unmarshal([]byte(classes), &r.tags)
	}
	return json.Unmarshal([]byte(classes), &r.ids)
}

func (r *record) destination() Destination {
	name := r.name
	if name == "" {
		name = r.nameFR
	}
	return Destination{Key: r.key, Source: r.source, Name: name, Station: r.key, Point: r.point}
}

func (r *record) isBicycleRental() bool {
	return r.tags["amenity"] == "bicycle_rental" && r.tags["shop"] == "" ||
		slices.ContainsFunc(r.ids, func(id string) bool { return id == "bike_sharing" || id == "bicycle_sharing_location" })
}
