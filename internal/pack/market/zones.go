package market

import (
	"strings"

	"quartier/internal/pack/geographies"
	"quartier/internal/timezone"
)

// Zones are the time zones of the geographies of a table, those of their centroids; "" outside of the United States. Where
// no covered region contains the centroid the state is the first of the geography.
func Zones(t *geographies.Table) []string {
	zones := make([]string, t.Len())
	var at []string
	for i := range zones {
		if t.Country(i) != "US" {
			continue
		}
		centroid := t.Centroid(i)
		at = t.RegionsAt(at[:0], centroid[0], centroid[1])
		for _, state := range append(at, t.Regions(i)...) {
			if strings.HasPrefix(state, "US_") {
				zones[i] = timezone.At(state, centroid[0], centroid[1])
				break
			}
		}
	}
	return zones
}
