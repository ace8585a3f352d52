package streets_test

import (
	"testing"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/travel/streets"
)

// TestBuilderJoinsRegions drives over the border of two regions, on a street that crosses another at a bridge.
func TestBuilderJoinsRegions(t *testing.T) {
	var b streets.Builder
	add := func(a, c uint32, noLink bool, line ...coord.Point) {
		if err := b.Add(streets.Edge{A: a, B: c, Length: 1000, Forth: 50, Back: streets.Closed, NoLink: noLink, Line: line}); err != nil {
			t.Fatal(err)
		}
	}
	b.NextRegion()
	add(0, 1, true, at(0, 20), at(100, 20)) // a motorway beside
	add(0, 2, false, at(0, 0), at(100, 0))
	b.NextRegion() // without streets
	b.NextRegion()
	add(1, 0, false, at(100, 0), at(200, 0))
	add(2, 3, false, at(200, 0), at(300, 0)) // over the end of the other, on a bridge
	n := b.Finish(nil)
	for range 2 {
		place := func(x, y float64) network.Place {
			p, ok := n.Snap(at(x, y), 100)
			if !ok || p.Leg > 250 {
				t.Fatalf("no street at %v, %v: %v", x, y, p)
			}
			p.Leg = 0
			return p
		}
		if on := n.Snapper().Point(place(50, 19)); on.Lat > at(0, 1).Lat {
			t.Errorf("a point is linked to the motorway, at %v", on)
		}
		from, to := []network.Place{place(0, 0), place(200, 0)}, []network.Place{place(150, 0), place(0, 0), place(250, 0)}
		times, err := n.Matrix(t.Context(), from, to, streets.Car, 3600)
		if err != nil {
			t.Fatal(err)
		}
		if times[0] != 8 || times[3] != streets.Never || times[2] != streets.Never {
			t.Errorf("times %v", times)
		}
		n, err = streets.From(n.Snapper(), n.Tables())
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Add(streets.Edge{Line: []coord.Point{at(0, 0)}}); err == nil {
		t.Error("a street of one point")
	}
}

func TestBicycleCosts(t *testing.T) {
	for _, tt := range []struct {
		stress      int
		way         network.Direction
		forth, back uint32 // seconds of 1,000 m
	}{{1, network.Both, 240, 240}, {2, network.Forward, 240, 750}, {3, network.Both, 288, 288}, {4, network.Backward, 750, 360}} {
		forth, back := streets.BicycleCosts(10000, tt.stress, tt.way)
		if f, b := streets.Bicycle.Seconds(uint64(forth)), streets.Bicycle.Seconds(uint64(back)); f != tt.forth || b != tt.back {
			t.Errorf("stress %d: %d and %d s, want %d and %d", tt.stress, f, b, tt.forth, tt.back)
		}
	}
}
