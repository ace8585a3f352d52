package raster

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// centres visits the centres of the cells that have tiles.
func (f *grid) centres(visit func(tile, row, column int, centre orb.Point)) {
	for b, here := range f.bands {
		for i, t := range here.columns {
			tile, b := here.first+i, f.south+b
			for row := range side {
				for column := range side {
					visit(tile, row, column, orb.Point{(float64(t*side+column) + .5) * here.dLng, (float64(b*side+row) + .5) * f.dLat})
				}
			}
		}
	}
}

func drawn(t *rapid.T) (at orb.Point, nodes []coord.Point) {
	at = orb.Point{rapid.Float64Range(-179, 179).Draw(t, "lng"), rapid.Float64Range(-65, 65).Draw(t, "lat")}
	for range rapid.IntRange(1, 4).Draw(t, "nodes") {
		p, _ := coord.NewPoint(at[0]+rapid.Float64Range(-.01, .01).Draw(t, "x"), at[1]+rapid.Float64Range(-.01, .01).Draw(t, "y"))
		nodes = append(nodes, p)
	}
	return at, nodes
}

func TestDiscsContainTheCellsWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, nodes := drawn(t)
		cell, radius := rapid.Float64Range(10, 60).Draw(t, "cell"), rapid.Float64Range(0, 900).Draw(t, "radius")
		f := newGrid(nodes, cell, radius)
		lng, lat := nodes[0].Degrees()
		at := orb.Point{lng, lat}
		type key struct{ tile, row, column int }
		found := map[key]int{}
		cells := f.disc(at, radius, func(tile, row, lo, hi int) {
			for column := lo; column < hi; column++ {
				found[key{tile, row, column}]++
			}
		})
		if cells != len(found) {
			t.Fatalf("%d cells, %d of them have tiles", cells, len(found))
		}
		if share := float64(cells) * cell * cell / (math.Pi * radius * radius); radius > 10*cell && math.Abs(share-1) > .05 {
			t.Fatalf("%d cells are %.3f of the disc", cells, share)
		}
		f.centres(func(tile, row, column int, centre orb.Point) {
			d, n := geo.Distance(at, centre), found[key{tile, row, column}]
			if n > 1 || n == 0 && d < radius*.999 || n == 1 && d > radius*1.001 {
				t.Fatalf("the cell at %.2f m is %d times in the disc of %.2f m", d, n, radius)
			}
		})
	})
}

func TestAreasContainTheCellsInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, nodes := drawn(t)
		f := newGrid(nodes, 25, 500)
		star := func(name string, radius float64) orb.Ring {
			var ring orb.Ring
			for i := range 9 {
				r := radius * rapid.Float64Range(.6, 1).Draw(t, name)
				ring = append(ring, orb.Point{at[0] + r*math.Cos(float64(i)*math.Pi/4.5), at[1] + r*math.Sin(float64(i)*math.Pi/4.5)})
			}
			return append(ring, ring[0])
		}
		area := orb.MultiPolygon{{star("outer", .02), star("hole", .009)}}
		found := map[[3]int]bool{}
		f.area(area, func(tile, row, lo, hi int) {
			for column := lo; column < hi; column++ {
				found[[3]int{tile, row, column}] = true
			}
		})
		f.centres(func(tile, row, column int, centre orb.Point) {
			if in := geo.Contains(area, centre); in != found[[3]int{tile, row, column}] {
				t.Fatalf("the cell around %v: inside %v, filled %v", centre, in, !in)
			}
		})
	})
}

func TestHigherClassesWin(t *testing.T) {
	p, _ := coord.NewPoint(10, 50)
	square := func(half float64) orb.MultiPolygon {
		return orb.MultiPolygon{{{{10 - half, 50 - half}, {10 + half, 50 - half}, {10 + half, 50 + half}, {10 - half, 50 + half},
			{10 - half, 50 - half}}}}
	}
	for _, order := range [][]int{{0, 1}, {1, 0}} {
		c := NewClasses([]coord.Point{p}, 25, 800)
		for _, i := range order {
			c.Fill(square([]float64{.004, .002}[i]), []uint8{2, 7}[i])
		}
		if c.At(orb.Point{10.001, 50}) != 7 || c.At(orb.Point{10.003, 50}) != 2 || c.At(orb.Point{10.005, 50}) != 0 ||
			c.At(orb.Point{20, 50}) != 0 {
			t.Errorf("order %v: classes %d %d %d", order, c.At(orb.Point{10.001, 50}), c.At(orb.Point{10.003, 50}), c.At(orb.Point{10.005, 50}))
		}
		layers := c.Layers([]uint8{7}, []uint8{2, 7}, nil)
		counts := make([]int, 3)
		if cells := layers.Area(square(.004), counts); counts[1] != cells || math.Abs(float64(counts[0])/float64(cells)-.25) > .02 ||
			counts[2] != 0 {
			t.Errorf("of %d cells %v", cells, counts)
		}
		counts = make([]int, 3)
		if cells := layers.Disc(orb.Point{10, 50}, 100, counts); counts[0] != cells || cells < 45 || cells > 55 {
			t.Errorf("of the %d cells within 100 m %v", cells, counts)
		}
	}
}

func TestSumsOfDiscs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, nodes := drawn(t)
		s := NewSums(nodes, 50, 900, 2)
		near, all := uint64(0), uint64(0)
		lng, lat := nodes[0].Degrees()
		from := orb.Point{lng, lat}
		radius := rapid.Float64Range(100, 900).Draw(t, "radius")
		for range 50 {
			p := orb.Point{at[0] + rapid.Float64Range(-.02, .02).Draw(t, "x"), at[1] + rapid.Float64Range(-.02, .02).Draw(t, "y")}
			amount := rapid.Uint32Range(0, 1000).Draw(t, "amount")
			s.Add(1, p, amount)
			if d := geo.Distance(from, p); d < radius-36 {
				near += uint64(amount)
			} else if d < radius+36 {
				all += uint64(amount)
			}
		}
		s.Finish()
		totals := make([]uint64, 2)
		s.Disc(from, radius, totals)
		if totals[0] != 0 || totals[1] < near || totals[1] > near+all {
			t.Fatalf("sums %v, want %d to %d", totals, near, near+all)
		}
	})
}

func TestLinesKeepTheirLength(t *testing.T) {
	p, _ := coord.NewPoint(-75, 40)
	s := NewSums([]coord.Point{p}, 50, 1000, 1)
	line := orb.LineString{{-75.003, 40}, {-75, 40}, {-75, 40}, {-75, 40.004}}
	s.AddLine(0, line, 10)
	s.Finish()
	totals := make([]uint64, 1)
	s.Disc(orb.Point{-75, 40}, 1000, totals)
	want := 10 * (geo.Distance(line[0], line[1]) + geo.Distance(line[1], line[3]))
	if math.Abs(float64(totals[0])-want) > 20 {
		t.Errorf("%d dm of %.1f", totals[0], want)
	}
}

func TestWiderDiscsContainMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, nodes := drawn(t)
		c, s := NewClasses(nodes, 25, 900), NewSums(nodes, 50, 900, 1)
		for range 5 {
			w, h := rapid.Float64Range(.0002, .01).Draw(t, "width"), rapid.Float64Range(.0002, .01).Draw(t, "height")
			x, y := at[0]+rapid.Float64Range(-.02, .02).Draw(t, "x"), at[1]+rapid.Float64Range(-.02, .02).Draw(t, "y")
			c.Fill(orb.MultiPolygon{{{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}, {x, y}}}}, 1)
			s.AddLine(0, orb.LineString{{x, y}, {x + w, y + h}}, 10)
		}
		s.Finish()
		layer := c.Layers([]uint8{1})
		lng, lat := nodes[0].Degrees()
		var cells, inside int
		var amount uint64
		for radius := 0.0; radius <= 900; radius += 50 {
			counts, totals := []int{0}, []uint64{0}
			all := layer.Disc(orb.Point{lng, lat}, radius, counts)
			s.Disc(orb.Point{lng, lat}, radius, totals)
			if all < cells || counts[0] < inside || counts[0] > all || totals[0] < amount {
				t.Fatalf("within %.0f m %d of %d cells and %d, within the smaller disc %d of %d and %d", radius, counts[0], all, totals[0], inside,
					cells, amount)
			}
			cells, inside, amount = all, counts[0], totals[0]
		}
	})
}
