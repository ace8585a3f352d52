package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/network"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/places/poi"
)

// ownPOIs adds to a task the POIs of an extract in their 12 most frequent categories, snapped to edges. A POI with several
// categories counts in each.
func (b *bench) ownPOIs(ctx context.Context, file string, t *accessTask) error {
	staged, derived := filepath.Join(b.dir, "own.duckdb"), filepath.Join(b.dir, "own-derived.duckdb")
	for _, old := range []string{staged, derived} {
		if err := os.RemoveAll(old); err != nil {
			return err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if _, _, _, err := runToEnd(ctx, self, "stage", file, staged); err != nil {
		return err
	}
	pois, err := derivePOIs(ctx, staged, derived)
	if err != nil {
		return err
	}
	classes := mostFrequent(pois, accessClasses)
	snapper, limit := network.NewSnapper(t.graph, nil), calibration.Standard().Walking.SnapM
	t.places, t.class = nil, nil
	for _, p := range pois {
		at, _ := coord.NewPoint(p.lng, p.lat)
		place, ok := snapper.Snap(at, limit)
		for _, category := range p.categories {
			if class := slices.Index(classes, category); ok && class >= 0 {
				t.places, t.class = append(t.places, place), append(t.class, uint8(class))
			}
		}
	}
	return nil
}

type ownPOI struct {
	lng, lat   float64
	categories []string
}

// derivePOIs derives the POIs of a staged extract.
func derivePOIs(ctx context.Context, stagedPath, derivedPath string) ([]ownPOI, error) {
	staged, err := duck.Open(stagedPath)
	if err != nil {
		return nil, err
	}
	defer staged.Close()
	derived, err := duck.Create(derivedPath, schemas.Derived)
	if err != nil {
		return nil, err
	}
	defer derived.Close()
	result, err := poi.Derive(ctx, nil, delawarePlaces{}, func(visit func(poi.Record) error) error {
		return poi.Records(ctx, staged, visit)
	})
	if err != nil {
		return nil, err
	}
	if err := poi.Write(ctx, derived, &result); err != nil {
		return nil, err
	}
	rows, err := derived.QueryContext(ctx, `SELECT lng, lat, categories FROM poi ORDER BY poi_key`)
	if err != nil {
		return nil, fmt.Errorf("read derived pois: %w", err)
	}
	defer rows.Close()
	var pois []ownPOI
	for rows.Next() {
		var p ownPOI
		var categories string
		if err := rows.Scan(&p.lng, &p.lat, &categories); err != nil {
			return nil, fmt.Errorf("read derived pois: %w", err)
		}
		p.categories = strings.Split(categories, ",")
		pois = append(pois, p)
	}
	return pois, rows.Err()
}

// delawarePlaces resolves every point to Delaware.
type delawarePlaces struct{}

func (delawarePlaces) StateAt(orb.Point) (country, state string, ok bool) { return "US", "DE", true }
func (delawarePlaces) CityAt(orb.Point) string                            { return "" }

// mostFrequent returns the n most frequent categories, then by id.
func mostFrequent(pois []ownPOI, n int) []string {
	count := map[string]int{}
	var ids []string
	for _, p := range pois {
		for _, id := range p.categories {
			if count[id]++; count[id] == 1 {
				ids = append(ids, id)
			}
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	return ids[:min(n, len(ids))]
}
