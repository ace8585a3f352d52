package coord

import (
	"reflect"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

func TestContains(t *testing.T) {
	square := Area{Points: []Point{{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}}, Ends: []uint32{5}}
	for p, want := range map[Point]bool{
		{5, 5}: true, {0, 0}: true, {0, 5}: true, {5, 0}: true, {10, 5}: false, {5, 10}: false, {10, 10}: false, {-1, 5}: false,
	} {
		if square.Contains(p) != want {
			t.Errorf("%v: %v", p, !want)
		}
	}
}

func TestRingsThatRoundAwayAreLeftOut(t *testing.T) {
	square := orb.Ring{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}
	hole := orb.Ring{{0.2, 0.2}, {0.2, 0.4}, {0.4, 0.4}, {0.2, 0.2}}
	sliver := orb.Ring{{-75.7770089, 45.322193}, {-75.7770092, 45.3221935}, {-75.77700892, 45.32219301}, {-75.7770089, 45.322193}}
	line := orb.Ring{{0.2, 0.2}, {0.3, 0.3}, {0.3, 0.35}, {0.30000001, 0.30000002}, {0.2, 0.2}} // there and back
	point := orb.Ring{{5, 5}, {5.00000001, 5}, {5, 5.00000001}, {5, 5}}
	for _, tt := range []struct {
		name string
		in   orb.MultiPolygon
		want []int // rings of each remaining polygon
	}{
		{"all well", orb.MultiPolygon{{square, hole}}, []int{2}},
		{"a sliver", orb.MultiPolygon{{sliver}, {square}}, []int{1}},
		{"a line and a point", orb.MultiPolygon{{line}, {square, hole}, {point}}, []int{2}},
		{"a hole", orb.MultiPolygon{{square, line, hole, sliver}}, []int{2}},
		{"holes go with their ring", orb.MultiPolygon{{line, hole}, {square}}, []int{1}},
		{"never all of it", orb.MultiPolygon{{sliver}}, []int{1}},
		{"nothing", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			polygons, err := NewAreas(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, a := range polygons {
				got = append(got, len(a.Ends))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("rings %v, want %v", got, tt.want)
			}
			if whole, err := NewArea(tt.in); err != nil || !reflect.DeepEqual(whole, Join(polygons)) {
				t.Errorf("in one: %v, %v", whole, err)
			}
		})
	}
	world := []Point{{-180e7, -90e7}, {180e7, -90e7}, {180e7, 90e7}, {-180e7, 90e7}, {-180e7, -90e7}}
	if !enclose(world) {
		t.Error("the whole world encloses nothing")
	}
}

func TestPointsKeepSevenDecimals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Point{rapid.Int32Range(-1800000000, 1800000000).Draw(t, "lng"), rapid.Int32Range(-900000000, 900000000).Draw(t, "lat")}
		lng, lat := p.Degrees()
		if back, ok := NewPoint(lng, lat); !ok || back != p {
			t.Fatalf("%v became %v", p, back)
		}
	})
}
