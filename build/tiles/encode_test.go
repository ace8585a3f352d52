package tiles

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"

	"quartier/internal/geo"
	"quartier/internal/pmtiles"
	"quartier/schemas/staged"
)

func TestJoin(t *testing.T) {
	for name, c := range map[string]struct{ in, want orb.MultiLineString }{
		"the example": {orb.MultiLineString{{{0, 0}, {4, 0}}, {{8, 0}, {4, 0}}, {{8, 0}, {8, 8}}},
			orb.MultiLineString{{{0, 0}, {4, 0}, {8, 0}, {8, 8}}}},
		"from the middle": {orb.MultiLineString{{{4, 0}, {8, 0}}, {{8, 0}, {9, 0}}, {{0, 0}, {4, 0}}},
			orb.MultiLineString{{{0, 0}, {4, 0}, {8, 0}, {9, 0}}}},
		"a junction": {orb.MultiLineString{{{0, 0}, {4, 0}}, {{4, 0}, {8, 0}}, {{4, 0}, {4, 8}}},
			orb.MultiLineString{{{0, 0}, {4, 0}}, {{4, 0}, {8, 0}}, {{4, 0}, {4, 8}}}},
		"a ring": {orb.MultiLineString{{{0, 0}, {4, 0}, {4, 4}}, {{4, 4}, {0, 0}}},
			orb.MultiLineString{{{0, 0}, {4, 0}, {4, 4}, {0, 0}}}},
		"a loop of itself": {orb.MultiLineString{{{0, 0}, {4, 0}, {4, 4}, {0, 0}}, {{9, 9}, {8, 8}}},
			orb.MultiLineString{{{0, 0}, {4, 0}, {4, 4}, {0, 0}}, {{9, 9}, {8, 8}}}},
		"twice": {orb.MultiLineString{{{0, 0}, {4, 0}}, {{4, 0}, {0, 0}}, {{0, 0}, {4, 0}}}, orb.MultiLineString{{{0, 0}, {4, 0}}}},
	} {
		if diff := cmp.Diff(c.want, join(c.in, false)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// tilesOf makes the tiles of features, by number and zoom.
func tilesOf(t *testing.T, bands []band, features ...feature) map[string]mvt.Layers {
	t.Helper()
	s, err := newSpool(filepath.Join(t.TempDir(), "features"), bands)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for i := range features {
		if err := s.add(&features[i]); err != nil {
			t.Fatal(err)
		}
	}
	m := &maker{spool: s, zip: pmtiles.NewCompressor()}
	out := map[string]mvt.Layers{}
	for b := range bands {
		for _, at := range s.list(b) {
			zooms, err := m.block(at)
			if err != nil {
				t.Fatal(err)
			}
			for _, list := range zooms {
				for _, made := range list {
					plain, err := pmtiles.Decompress(made.data, 1<<20)
					if err != nil {
						t.Fatal(err)
					}
					layers, err := mvt.Unmarshal(plain)
					if err != nil {
						t.Fatal(err)
					}
					for i := range uint64(made.run) {
						z, x, y, _ := pmtiles.Tile(made.id + i)
						out[fmt.Sprintf("%d/%d/%d", z, x, y)] = layers
					}
				}
			}
		}
	}
	return out
}

// A square that fills tiles is drawn in all of them, those inside of it as equal ones, and nowhere else.
func TestAreaThatFillsTiles(t *testing.T) {
	corner, side := tile{9, 150, 195}.origin(), 4*extent*unit(9)
	square := orb.MultiPolygon{{{corner, {corner[0] + side, corner[1]}, {corner[0] + side, corner[1] + side}, {corner[0], corner[1] + side},
		corner}}}
	got := tilesOf(t, []band{{8, 10}, {11, 12}},
		feature{layer: outlines, number: 1, id: 1, props: properties{"g60_x", int64(60), "Square", nil}.encode(), geometry: square})
	for z := uint8(9); z <= 12; z++ {
		n := 0
		for x := uint32(150)<<(z-9) - 1; x <= 154<<(z-9); x++ {
			for y := uint32(195)<<(z-9) - 1; y <= 199<<(z-9); y++ {
				if _, found := got[fmt.Sprintf("%d/%d/%d", z, x, y)]; found {
					n++
				}
			}
		}
		if side := 4<<(z-9) + 2; n != side*side { // the margin of those around
			t.Errorf("zoom %d has %d tiles, want %d", z, n, side*side)
		}
	}
	inner := got["12/1208/1568"][0].Features[0]
	want := orb.Polygon{{{-margin, -margin}, {extent + margin, -margin}, {extent + margin, extent + margin}, {-margin, extent + margin},
		{-margin, -margin}}}
	ring := inner.Geometry.(orb.Polygon)
	if area(ring[0]) != area(want[0]) || inner.Properties["name"] != "Square" || inner.Properties["level"] != 60.0 ||
		inner.Properties["name_fr"] != nil {
		t.Errorf("a tile inside has %v, %v", ring, inner.Properties)
	}
}

func TestRingsHaveTheirDirection(t *testing.T) {
	o := tile{12, 1200, 1560}.origin()
	square := func(from, to float64, clockwise bool) orb.Ring {
		r := orb.Ring{{o[0] + from, o[1] + from}, {o[0] + to, o[1] + from}, {o[0] + to, o[1] + to}, {o[0] + from, o[1] + to},
			{o[0] + from, o[1] + from}}
		if !clockwise {
			r.Reverse()
		}
		return r
	}
	for _, clockwise := range []bool{false, true} {
		m := orb.MultiPolygon{{square(0, 4000, clockwise), square(1000, 2000, clockwise)}}
		got := tilesOf(t, []band{{11, 14}}, feature{layer: layerNamed["land"], number: 1, props: properties{"park"}.encode(), geometry: m})
		layers := got["14/4800/6240"]
		if len(layers) != 1 || layers[0].Version != 2 || layers[0].Extent != extent || len(layers[0].Features) != 1 {
			t.Fatalf("layers %v", layers)
		}
		p := layers[0].Features[0].Geometry.(orb.Polygon)
		if len(p) != 2 || area(p[0]) != 4000*4000 || area(p[1]) != -1000*1000 {
			t.Errorf("rings %v", p)
		}
	}
}

// A point is in one tile of each zoom, also on the border of tiles.
func TestPointsAreInOneTile(t *testing.T) {
	o := tile{11, 600, 780}.origin()
	for _, p := range []orb.Point{o, {o[0] - 1, o[1] - 1}, {o[0] + 4096, o[1] + 12}, {o[0] + 5000, o[1] + 9000}} {
		got := tilesOf(t, []band{{11, 14}}, feature{layer: names, number: 1, props: properties{"g10_x", int64(10), "A", nil, int64(3)}.encode(),
			geometry: p})
		if len(got) != 4 {
			t.Errorf("%v is in %d tiles of 4 zooms", p, len(got))
		}
		for at, layers := range got {
			if q := layers[0].Features[0].Geometry.(orb.Point); q[0] < 0 || q[1] < 0 || q[0] >= extent || q[1] >= extent {
				t.Errorf("%v is at %v of tile %s", p, q, at)
			}
		}
	}
}

// Below the highest zoom the halves of edges that begin in a cell have the scores of its first node, so that they are one feature.
func TestHeatIsThinned(t *testing.T) {
	o := tile{11, 600, 780}.origin()
	var halves []feature
	for i := range 64 {
		props := make(properties, len(layers[heat].fields))
		props[0] = int64(i)
		at := orb.Point{o[0] + float64(8*i), o[1]}
		halves = append(halves, feature{layer: heat, min: 10, number: uint64(i), props: props.encode(),
			geometry: orb.LineString{at, {at[0] + 8, at[1]}}})
	}
	got := tilesOf(t, []band{{11, 14}}, halves...)
	for at, want := range map[string]int{"11/600/780": 1, "12/1200/1560": 2, "13/2400/3120": 4, "14/4800/6240": 64} {
		if n := len(got[at][0].Features); n != want {
			t.Errorf("tile %s has %d values, want %d", at, n, want)
		}
	}
}

// A line is cut in its middle, and each half begins at an end, so that it is of the node there.
func TestHalves(t *testing.T) {
	for _, line := range []orb.LineString{{{-75, 40}, {-75, 40.001}}, {{-75, 40}, {-75.001, 40}, {-75.0011, 40.0009}, {-75.01, 40}},
		{{-75, 40}, {-75, 40}}, {{-75, 40}, {-75.01, 40}, {-75, 40}}} {
		first, second := halves(line)
		if first[0] != line[0] || second[0] != line[len(line)-1] || first[len(first)-1] != second[len(second)-1] {
			t.Errorf("%v: %v and %v", line, first, second)
		}
		if a, b := geo.Length(first), geo.Length(second); math.Abs(a-b) > 0.01 || math.Abs(a+b-geo.Length(line)) > 0.01 {
			t.Errorf("%v: halves of %v and %v m", line, a, b)
		}
	}
}

// What is late is not in tiles below the full zoom of its layer, and lines that differ in it alone are one there.
func TestLateFields(t *testing.T) {
	o := tile{8, 75, 97}.origin()
	road := func(number uint64, from float64, bridge bool) feature {
		r := staged.Ground{Layer: "streets", Kind: "motorway", Bridge: bridge}
		g := groundScan{numbers: map[layer]uint64{}}
		f := feature{layer: layerNamed["streets"], min: 5}
		g.describe(&f, &r)
		f.number, f.geometry = number, orb.LineString{{o[0] + from, o[1] + 900}, {o[0] + from + 4000, o[1] + 900}}
		return f
	}
	got := tilesOf(t, []band{{8, 10}, {11, 14}}, road(1, 0, false), road(2, 4000, true), road(3, 8000, false))
	low, high := got["8/75/97"][0].Features, got["11/600/776"][0].Features
	if len(low) != 1 || low[0].Properties["bridge"] != nil || low[0].Properties["kind"] != "motorway" || low[0].Properties["rail"] != false {
		t.Errorf("zoom 8: %d features, %v", len(low), low[0].Properties)
	}
	if line, ok := low[0].Geometry.(orb.LineString); !ok || len(line) != 2 {
		t.Errorf("zoom 8: three pieces are %v", low[0].Geometry)
	}
	if len(high) != 2 || high[0].Properties["bridge"] != false || high[1].Properties["bridge"] != true {
		t.Errorf("zoom 11: %d features", len(high))
	}
}

func TestInOrder(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	none := func() struct{} { return struct{}{} }
	var got, want []int
	err := inOrder(t.Context(), 1000, none, func(_ struct{}, i int) (int, error) { return i, nil }, func(i int) error {
		got = append(got, i)
		return nil
	})
	for i := range 1000 {
		want = append(want, i)
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	broken := errors.New("broken")
	if err := inOrder(t.Context(), 1000, none, func(_ struct{}, i int) (int, error) {
		if i == 50 {
			return 0, broken
		}
		return i, nil
	}, func(int) error { return nil }); !errors.Is(err, broken) {
		t.Errorf("an item that fails: %v", err)
	}
	if err := inOrder(t.Context(), 1000, none, func(_ struct{}, i int) (int, error) { return i, nil }, func(i int) error {
		if i == 50 {
			return broken
		}
		return nil
	}); !errors.Is(err, broken) {
		t.Errorf("a result that is not taken: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := inOrder(ctx, 1000, none, func(_ struct{}, i int) (int, error) { return i, nil }, func(int) error { return nil }); !errors.Is(err,
		context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// Records are read as they were written, in several chunks too.
func TestSpool(t *testing.T) {
	s, err := newSpool(filepath.Join(t.TempDir(), "features"), []band{{11, 14}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	o := tile{11, 600, 780}.origin()
	var want []feature
	for i := range 100 {
		f := feature{layer: layerNamed["street_labels"], min: 12, max: uint8(i % 2 * 14), number: uint64(i), id: uint64(i % 3),
			props:    properties{"residential", nil, fmt.Sprint("Rue ", i), nil, nil, nil, i%2 == 0}.encode(),
			geometry: orb.LineString{{o[0] + float64(1000+200*i), o[1] + 5000}, {o[0] + float64(1100+200*i), o[1] + 6000}}}
		want = append(want, f)
		s.buffered = (i % 7 / 6) * maxBuffered // as if the buffers were full now and then
		if err := s.add(&f); err != nil {
			t.Fatal(err)
		}
	}
	m := &maker{spool: s}
	blocks := s.list(0)
	if len(blocks) != 1 {
		t.Fatalf("%d blocks", len(blocks))
	}
	data, err := s.read(blocks[0])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, m.features(data), cmp.AllowUnexported(feature{})); diff != "" {
		t.Error(diff)
	}
	m.several = true
	if got := m.features(append(data, data...)); len(got) != len(want) {
		t.Errorf("%d features of two regions, want %d", len(got), len(want))
	}
}

// Of a state the tiles above WideZoom are those near something else. There its edge is as exact as its row; elsewhere the tiles
// of WideZoom have it to a unit and say that they are the last.
func TestWideOutlinesEndFarFromTheRest(t *testing.T) {
	corner, side := tile{8, 60, 90}.origin(), 3*extent*unit(8)
	at := func(x, y float64) orb.Point { return orb.Point{corner[0] + x, corner[1] + y} }
	state := orb.MultiPolygon{{{at(7, 5), at(side, 5), at(side, side), at(7, side), at(7, 5)}}}
	point := at(100, side/2) // in the western edge's tile 10/240/366
	rows := func(wide bool) []feature {
		return []feature{
			{layer: outlines, number: 1, id: 1, props: properties{"g60_x", int64(60), "State", nil}.encode(), geometry: state, wide: wide},
			{layer: pois, min: 14, number: 1, id: 1, props: properties{"cafes", "Café"}.encode(), geometry: point},
		}
	}
	got, all := tilesOf(t, mapBands, rows(true)...), tilesOf(t, mapBands, rows(false)...)
	own := tileAt(point, WideZoom)
	edge := func(z, x, y uint32) float64 { // x of the western edge in a tile, in units of the grid from the corner
		for _, l := range got[fmt.Sprintf("%d/%d/%d", z, x, y)] {
			if l.Name == "outlines" {
				b := l.Features[0].Geometry.Bound()
				return tile{uint8(z), x, y}.origin()[0] + b.Min[0]*unit(uint8(z)) - corner[0]
			}
		}
		return -1
	}
	for path, want := range all {
		var z, x, y uint32
		fmt.Sscanf(path, "%d/%d/%d", &z, &x, &y)
		has, found := got[path]
		if z < WideZoom {
			if !found {
				t.Fatalf("no tile %s", path)
			}
			continue
		}
		shift := z - WideZoom
		near := max(int(x>>shift)-int(own.x), int(own.x)-int(x>>shift), int(y>>shift)-int(own.y), int(own.y)-int(y>>shift)) <= 1
		if found != (near || z == WideZoom) {
			t.Fatalf("tile %s: %v, near %v", path, found, near)
		}
		if !found {
			continue
		}
		for i, l := range has {
			last := l.Name == "outlines" && !near
			if l.Name != want[i].Name || l.Features[0].Properties["last"] == 1.0 != last {
				t.Fatalf("tile %s has %s %v", path, l.Name, l.Features[0].Properties)
			}
		}
	}
	if got := edge(14, own.x<<4, own.y<<4); got != 7 {
		t.Errorf("near the café the edge is at %v, want 7", got)
	}
	if got := edge(WideZoom, own.x, own.y+5); got != 0 && got != 16 {
		t.Errorf("far from it the edge is at %v, want 7 rounded to 16", got)
	}
	if len(got) > len(all)/20 {
		t.Errorf("%d tiles of %d", len(got), len(all))
	}
}

// tileAt is the tile of a zoom that has a point of the grid.
func tileAt(p orb.Point, z uint8) tile {
	size := extent * unit(z)
	return tile{z, uint32(p[0] / size), uint32(p[1] / size)}
}
