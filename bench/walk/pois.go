package walk

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/bench/fail"
	"quartier/internal/duck"
	"quartier/schemas"
	"quartier/transform/places/poi"
)

// POI is a place with its categories.
type POI struct {
	Lng, Lat   float64
	Categories []string
}

// POIs derives the POIs of a staged extract.
func POIs(ctx context.Context, stagedPath, derivedPath string) []POI {
	staged := fail.Must(duck.Open(stagedPath))
	defer staged.Close()
	derived := fail.Must(duck.Create(derivedPath, schemas.Derived))
	defer derived.Close()
	result := fail.Must(poi.Derive(ctx, "", nil, delawarePlaces{}, func(visit func(poi.Record) error) error {
		return poi.Records(ctx, staged, visit)
	}))
	defer result.Close()
	fail.Check(poi.Write(ctx, derived, result))
	rows := fail.Must(derived.QueryContext(ctx, `SELECT lng, lat, categories FROM poi ORDER BY poi_key`))
	defer rows.Close()
	var pois []POI
	for rows.Next() {
		var p POI
		var categories string
		fail.Check(rows.Scan(&p.Lng, &p.Lat, &categories))
		p.Categories = strings.Split(categories, ",")
		pois = append(pois, p)
	}
	fail.Check(rows.Err())
	return pois
}

// delawarePlaces resolves every point to Delaware.
type delawarePlaces struct{}

func (delawarePlaces) StateAt(orb.Point) (country, state string, ok bool) { return "US", "DE", true }
func (delawarePlaces) CityAt(orb.Point) string                            { return "" }

// MostFrequent returns the n most frequent categories, then by id.
func MostFrequent(pois []POI, n int) []string {
	count := map[string]int{}
	var ids []string
	for _, p := range pois {
		for _, id := range p.Categories {
			if count[id]++; count[id] == 1 {
				ids = append(ids, id)
			}
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	return ids[:min(n, len(ids))]
}
