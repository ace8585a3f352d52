package pmtiles

import (
	"testing"

	"pgregory.net/rapid"
)

// The numbers of the specification.
func TestNumbersOfTheSpecification(t *testing.T) {
	for _, c := range []struct {
		z    uint8
		x, y uint32
		id   uint64
	}{{0, 0, 0, 0}, {1, 0, 0, 1}, {1, 0, 1, 2}, {1, 1, 1, 3}, {1, 1, 0, 4}, {2, 0, 0, 5}, {12, 3423, 1763, 19078479}} {
		if id, ok := TileID(c.z, c.x, c.y); !ok || id != c.id {
			t.Errorf("%d/%d/%d has number %d, %v, want %d", c.z, c.x, c.y, id, ok, c.id)
		}
		if z, x, y, ok := Tile(c.id); !ok || z != c.z || x != c.x || y != c.y {
			t.Errorf("number %d is %d/%d/%d, %v", c.id, z, x, y, ok)
		}
	}
}

func TestTilesWithoutNumber(t *testing.T) {
	for _, c := range [][3]uint32{{0, 1, 0}, {3, 8, 0}, {3, 0, 8}, {27, 0, 0}, {255, 0, 0}} {
		if id, ok := TileID(uint8(c[0]), c[1], c[2]); ok {
			t.Errorf("%v has number %d", c, id)
		}
	}
	last, ok := TileID(MaxZoom, 1<<MaxZoom-1, 0)
	if _, _, _, is := Tile(last); !ok || !is {
		t.Errorf("the last tile has number %d, %v, %v", last, ok, is)
	}
	if _, _, _, is := Tile(last + 1); is {
		t.Error("there is a tile after the last one")
	}
}

// Every tile has a number of its own, consecutive numbers of a zoom are neighbours, and the four tiles below one follow each
// other.
func TestNumbersFollowACurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := rapid.Uint8Range(0, MaxZoom).Draw(t, "z")
		x := rapid.Uint32Range(0, 1<<z-1).Draw(t, "x")
		y := rapid.Uint32Range(0, 1<<z-1).Draw(t, "y")
		id, ok := TileID(z, x, y)
		if !ok {
			t.Fatal("no number")
		}
		if bz, bx, by, ok := Tile(id); !ok || bz != z || bx != x || by != y {
			t.Fatalf("number %d is %d/%d/%d", id, bz, bx, by)
		}
		if nz, nx, ny, ok := Tile(id + 1); ok && nz == z {
			if dx, dy := int64(nx)-int64(x), int64(ny)-int64(y); dx*dx+dy*dy != 1 {
				t.Fatalf("after %d/%d comes %d/%d", x, y, nx, ny)
			}
		}
		if z == 0 {
			return
		}
		parent, _ := TileID(z-1, x/2, y/2)
		if (id-firstOf(z))/4 != parent-firstOf(z-1) {
			t.Fatalf("number %d is not below %d", id, parent)
		}
		over := rapid.Uint8Range(0, z).Draw(t, "over")
		if first, n := Below(over, x>>(z-over), y>>(z-over), z); id < first || id-first >= n || n != 1<<(2*(z-over)) {
			t.Fatalf("%d tiles from %d are below zoom %d, without %d", n, first, over, id)
		}
	})
}
