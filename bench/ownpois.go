package main

import (
	"cmp"
	"context"
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
func (b *bench) ownPOIs(ctx context.Context, file string, t *accessTask) {
	staged, derived := filepath.Join(b.dir, "own.duckdb"), filepath.Join(b.dir, "own-derived.duckdb")
	for _, old := range []string{staged, derived} {
		check(os.RemoveAll(old))
	}
	runSelf(ctx, "stage", file, staged)
	pois := derivePOIs(ctx, staged, derived)
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
}

type ownPOI struct {
	lng, lat   float64
	categories []string
}

// derivePOIs derives the POIs of a staged extract.
func derivePOIs(ctx context.Context, stagedPath, derivedPath string) []ownPOI {
	staged := must(duck.Open(stagedPath))
	defer staged.Close()
	derived := must(duck.Create(derivedPath, schemas.Derived))
	defer derived.Close()
	result := must(poi.Derive(ctx, nil, delawarePlaces{}, func(visit func(poi.Record) error) error {
		return poi.Records(ctx, staged, visit)
	}))
	check(poi.Write(ctx, derived, &result))
	rows := must(derived.QueryContext(ctx, `SELECT lng, lat, categories FROM poi ORDER BY poi_key`))
	defer rows.Close()
	var pois []ownPOI
	for rows.Next() {
		var p ownPOI
		var categories string
		check(rows.Scan(&p.lng, &p.lat, &categories))
		p.categories = strings.Split(categories, ",")
		pois = append(pois, p)
	}
	check(rows.Err())
	return pois
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
