package geography

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/schemas"
)

// TestGazetteer gives names by position, name and level. Two towns lie side by side, the second in a county of its name, and
// has a neighbourhood.
func TestGazetteer(t *testing.T) {
	square := func(x, size float64) orb.MultiPolygon {
		return orb.MultiPolygon{{{{x, 45}, {x + size, 45}, {x + size, 45 + size}, {x, 45 + size}, {x, 45}}}}
	}
	boundaries := []Boundary{
		{Source: "s", Key: "county", Level: schemas.County, NameEN: "Hollis", Country: "US", Geometry: square(-73, 0.5)},
		{Source: "s", Key: "aubin", Level: schemas.Municipality, NameEN: "Saint-Aubin", NameFR: "Saint-Aubin", Country: "US",
			Geometry: square(-73.2, 0.1),
			Names:    []Name{{"St. Aubin Village", "old", "en", "s"}, {"Saint-Aubin", "official", "", "s"}}},
		{Source: "s", Key: "hollis", Level: schemas.Municipality, NameEN: "Hollis", Country: "US", Geometry: square(-73, 0.2)},
		{Source: "s", Key: "harbor", Level: schemas.Neighbourhood, NameEN: "Old Harbor", Country: "US", Geometry: square(-73, 0.05)},
		{Source: "z", Priority: 1, Key: "same", Level: schemas.Municipality, NameEN: "City of Hollis", NameFR: "Ville de Hollis", Country: "US",
			Geometry: square(-73, 0.2)},
	}
	place := func(key string, level schemas.Level, x, y float64, names ...string) GazetteerPlace {
		p := GazetteerPlace{Key: key, Level: level, Point: orb.Point{x, y}}
		for _, name := range names {
			p.Names = append(p.Names, Name{name, "alternate", "", "g"})
		}
		return p
	}
	gazetteer := []GazetteerPlace{
		place("g:1", schemas.Municipality, -72.9, 45.1, "Hollis", "Hollisport"),
		place("g:2", schemas.County, -72.8, 45.3, "Hollis County", "Hollis Shire"),
		place("g:3", schemas.Municipality, -72.98, 45.02, "Old Harbor", "Fishermen's Row"), // a settlement that is a neighbourhood
		place("g:4", schemas.Municipality, -73.15, 45.05, "Aubin", "St-Aubin", "Saint-Aubin"),
		place("g:5", schemas.Municipality, -72.95, 45.1, "Hollis", "Again"),
		place("g:6", schemas.Municipality, -72.9, 45.1, "Lost Mill"),
		place("g:7", schemas.Municipality, -70, 45.1, "Hollis", "Elsewhere"),
		place("g:8", schemas.County, -73.15, 45.05, "Saint-Aubin", "No county"),
	}
	result, err := Derive(context.Background(), boundaries, []Extent{{"s", "US", "VT", square(-74, 3)}}, gazetteer)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for i := range result.Geographies {
		var names []string
		for _, n := range furtherNames(&result.Geographies[i]) {
			names = append(names, n.Name)
		}
		got[result.Geographies[i].Key] = strings.Join(names, "|")
	}
	want := map[string]string{
		"county": "Hollis County|Hollis Shire", "aubin": "St. Aubin Village|Aubin|St-Aubin", "hollis": "City of Hollis|Hollisport",
		"harbor": "Fishermen's Row",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	counts := map[string]string{}
	for _, issue := range result.Issues {
		counts[issue.Code] = fmt.Sprint(issue.Rows, " ", issue.Example)
	}
	for code, want := range map[string]string{"no_such_geography": "3 g:6 Lost Mill", "named_already": "1 g:5 Hollis",
		"duplicate_boundary": "1 same"} {
		if counts[code] != want {
			t.Errorf("%s: %s, want %s", code, counts[code], want)
		}
	}
}
