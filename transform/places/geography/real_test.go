package geography

import (
	"context"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"quartier/internal/geo"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// realOutlines reads a GeoJSON file of real data; an attribute has the name of each outline.
func realOutlines(t *testing.T, file, attribute string, level schemas.Level) []Boundary {
	t.Helper()
	data, err := os.ReadFile(testenv.NeedData(t, file))
	if err != nil {
		t.Fatal(err)
	}
	features, err := geojson.UnmarshalFeatureCollection(data)
	if err != nil {
		t.Fatal(err)
	}
	var list []Boundary
	for i, f := range features.Features {
		b := Boundary{Source: file, Key: fmt.Sprintf("%d:%d", level, i), Level: level, NameEN: fmt.Sprint(f.Properties[attribute])}
		switch g := f.Geometry.(type) {
		case orb.Polygon:
			b.Geometry = orb.MultiPolygon{g}
		case orb.MultiPolygon:
			b.Geometry = g
		default:
			continue
		}
		list = append(list, b)
	}
	return list
}

// Ottawa's 24 wards cover the city: their areas add up to its 2,790 km² of land and half of the river, and nine in
// ten of the 111 neighbourhoods are in one of them.
func TestOttawa(t *testing.T) {
	wards := realOutlines(t, "ca-ottawa/open-data/Wards_2022-2026.geojson", "NAME", schemas.Borough)
	hoods := realOutlines(t, "ca-ottawa/ons/ons_gen2_neighbourhoods_en_fr.geojson", "Name", schemas.Neighbourhood)
	extent := orb.MultiPolygon{{{{-76.5, 44.9}, {-75.1, 44.9}, {-75.1, 45.6}, {-76.5, 45.6}, {-76.5, 44.9}}}}
	result, err := Derive(context.Background(), append(wards, hoods...), []Extent{{"x", "CA", "ON", extent}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	total, inWard := 0.0, 0
	count := map[schemas.Level]int{}
	for _, g := range result.Geographies {
		count[g.Level]++
		if g.Level == schemas.Borough {
			total += g.AreaM2
			continue
		}
		for _, w := range result.Geographies {
			if w.Level == schemas.Borough && geo.Contains(w.Geometry, g.Centroid) {
				inWard++
			}
		}
	}
	if count[schemas.Borough] != 24 || count[schemas.Neighbourhood] != 111 {
		t.Errorf("%v geographies, issues %v", count, result.Issues)
	}
	if math.Abs(total/1e6-2850) > 100 {
		t.Errorf("the wards cover %.0f km²", total/1e6)
	}
	if inWard < 100 {
		t.Errorf("%d of 111 neighbourhoods are in a ward", inWard)
	}
	for _, g := range result.Geographies {
		for _, polygon := range g.Geometry {
			for _, ring := range polygon {
				if geo.Locate(ring, g.Centroid) == geo.Edge {
					t.Errorf("the centroid of %s is on its edge", g.NameEN)
				}
			}
		}
		if !geo.Contains(g.Geometry, g.Centroid) {
			t.Errorf("the centroid of %s is outside", g.NameEN)
		}
	}
}

// BenchmarkDerive places 300,000 neighbourhoods in 3,000 cities and a state of 100,000 corners.
func BenchmarkDerive(b *testing.B) {
	boundaries := []Boundary{{Source: "a", Key: "state", Level: schemas.State, NameEN: "Delaware", Geometry: circle(-80, 40, 8, 100_000)}}
	for i := range 3000 {
		x, y := -84+float64(i%60)*0.13, 37+float64(i/60)*0.11
		city := fmt.Sprintf("city %04d", i)
		boundaries = append(boundaries, Boundary{Source: "a", Key: city, Level: schemas.Municipality, NameEN: city,
			Geometry: circle(x, y, 0.05, 500)})
		for j := range 100 {
			hood := fmt.Sprintf("%s hood %02d", city, j)
			boundaries = append(boundaries, Boundary{Source: "a", Key: hood, Level: schemas.Neighbourhood, NameEN: hood,
				Geometry: circle(x+0.006*float64(j%10-5), y+0.006*float64(j/10-5), 0.003, 60)})
		}
	}
	for b.Loop() {
		result, err := Derive(context.Background(), boundaries, nil, nil)
		if err != nil || len(result.Geographies) != len(boundaries) {
			b.Fatal(len(result.Geographies), result.Issues, err)
		}
	}
}

func circle(x, y, radius float64, corners int) orb.MultiPolygon {
	ring := make(orb.Ring, corners+1)
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(corners))
		ring[i] = orb.Point{x + radius*cos, y + radius*sin}
	}
	ring[corners] = ring[0]
	return orb.MultiPolygon{{ring}}
}
