package spatialite

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
)

// RTTOPO's area has geodesic edges: an independent method that must agree if edges are short.
func TestAreaAgreesWithGeodesicAreaOfShortEdges(t *testing.T) {
	k := kernel(t)
	for _, test := range []struct {
		name string
		ring orb.Ring
	}{
		{"a town", box(-75.7, 45.35, -75.6, 45.42)[0]},
		{"a state", orb.Ring{{-124, 42}, {-117, 42.3}, {-116.5, 46}, {-124.1, 45.9}, {-124, 42}}},
		{"north of 70", orb.Ring{{-120, 70}, {-100, 71}, {-90, 80}, {-119, 78}, {-120, 70}}},
		{"south of the equator", orb.Ring{{-80, -5}, {-77, -2}, {-80, -1}, {-80, -5}}},
		{"clockwise", orb.Ring{{-80, 2}, {-80, 6}, {-77, 4}, {-80, 2}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var want float64
			dense := orb.MultiPolygon{{densify(test.ring, 0.005)}}
			if err := k.db.QueryRow("SELECT ST_Area(SetSrid(ST_GeomFromWKB(?), 4326), 1)", encode(dense)).Scan(&want); err != nil {
				t.Fatal(err)
			}
			got := geo.Area(orb.MultiPolygon{{test.ring}})
			if math.Abs(got/want-1) > 1e-6 {
				t.Errorf("%.3f m², RTTOPO has %.3f, ratio %.9f", got, want, got/want)
			}
		})
	}
}

// Closed form: a cell between two parallels is a part of a zone of the ellipsoid.
func TestAreaOfAParallelCell(t *testing.T) {
	got := geo.Area(orb.MultiPolygon{box(-75, 45, -74, 46)})
	if want := 8686494956.670431; math.Abs(got/want-1) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
	if whole, want := geo.Area(orb.MultiPolygon{box(-180, -90, 180, 90)}), 510065621724088.4; math.Abs(whole/want-1) > 1e-12 {
		t.Errorf("the Earth is %v m², want %v", whole, want)
	}
}

func TestHolesAreTakenOff(t *testing.T) {
	whole, hole := box(0, 0, 3, 3), box(1, 1, 2, 2)
	got := geo.Area(orb.MultiPolygon{{whole[0], hole[0]}})
	if want := geo.Area(orb.MultiPolygon{whole}) - geo.Area(orb.MultiPolygon{hole}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// densify cuts every edge into pieces no longer than step degrees.
func densify(ring orb.Ring, step float64) orb.Ring {
	dense := orb.Ring{ring[0]}
	for i := 1; i < len(ring); i++ {
		a, b := ring[i-1], ring[i]
		pieces := int(math.Ceil(math.Hypot(b[0]-a[0], b[1]-a[1]) / step))
		for n := 1; n < pieces; n++ {
			f := float64(n) / float64(pieces)
			dense = append(dense, orb.Point{a[0] + f*(b[0]-a[0]), a[1] + f*(b[1]-a[1])})
		}
		dense = append(dense, b)
	}
	return dense
}
