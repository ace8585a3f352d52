package cycling

import (
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	city "quartier/ingest/kinds/cycling"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/coord"
	"quartier/internal/testenv"
	"quartier/transform/regiontest"
)

// TestTopIsReachedInRealCities compares the reference place with the mean of the best 2 % of the cells of about 250 m in six
// cities' networks: some reach it and some do not. Calgary's has streets alone, without the pathways.
func TestTopIsReachedInRealCities(t *testing.T) {
	tops := map[string]float64{}
	for layout, path := range map[string]string{
		"ottawa": "ca-ottawa/open-data/cycling_network.csv", "toronto": "ca-cities/cycling/toronto_cycling-network-4326.geojson",
		"montreal": "ca-cities/cycling/montreal_reseau_cyclable.geojson", "vancouver": "ca-cities/cycling/vancouver_bikeways.geojson",
		"calgary": "ca-cities/cycling/calgary_CALGIS_TRAN_BIKEWAY.geojson", "washington": "us-dc/open-data/Bicycle_Lanes.geojson",
	} {
		in := source.Input{Source: "network", Path: testenv.NeedData(t, path), Options: sourcetest.Options(t, "layout: "+layout)}
		out := &sourcetest.Record{}
		if err := city.Kind.Stage(t.Context(), in, out); err != nil {
			t.Fatal(err)
		}
		n := &network{}
		box := out.Bikeways[0].Geometry.Bound()
		for _, b := range out.Bikeways {
			box = box.Union(b.Geometry.Bound())
			switch g := b.Geometry.(type) {
			case orb.LineString:
				n.drawn = append(n.drawn, line{b.Class, g})
			case orb.Point:
				n.points = append(n.points, spot{b.Class, g, *b.LengthM})
			}
		}
		c := *lanesOf
		c.Top = 1e12
		l := newLanes(nil, n, &c)
		var rs []float64
		for x := box.Min[0]; x < box.Max[0]; x += .0032 {
			for y := box.Min[1]; y < box.Max[1]; y += .00225 {
				p, _ := coord.NewPoint(x, y)
				if v := l.around(p); v > 0 {
					rs = append(rs, v*v*c.Top)
				}
			}
		}
		slices.Sort(rs)
		best, sum := rs[len(rs)*98/100:], 0.0
		for _, r := range best {
			sum += r
		}
		tops[layout] = math.Round(sum / float64(len(best)))
	}
	want := map[string]float64{"montreal": 9632, "toronto": 10037, "washington": 11595, "vancouver": 13309, "ottawa": 21030, "calgary": 2165}
	for layout, top := range want {
		regiontest.Near(t, layout, tops[layout], top, .001*top)
	}
	if top := lanesOf.Top; top < tops["montreal"] || top > tops["vancouver"] {
		t.Errorf("top is %v, in the cities it is %v", top, tops)
	}
}
