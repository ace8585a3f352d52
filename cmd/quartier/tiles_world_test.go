package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/planar"

	"quartier/build/released"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/pmtiles"
	"quartier/internal/sqlrow"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// shown is a feature of a tile as npm's readers return it.
type shown struct {
	ID         uint64
	Type       int // 1 point, 2 line, 3 area
	Properties map[string]any
	Geometry   [][]orb.Point
}

// text is a property, "" where the feature has none.
func (f *shown) text(name string) string {
	if v, has := f.Properties[name]; has {
		return fmt.Sprint(v)
	}
	return ""
}

// shownTile is a tile with its features by layer.
type shownTile struct {
	z      uint8
	x, y   uint32
	layers map[string][]shown
}

// readTiles reads the tiles of a zoom of an archive by npm's readers. Of a run of equal tiles, the first is read.
func readTiles(t *testing.T, path string, zoom uint8) (tiles []shownTile) {
	t.Helper()
	testenv.NeedProgram(t, "node")
	reader := filepath.Join(testenv.ModuleRoot(), "internal", "pmtiles", "npm")
	if _, err := os.Stat(filepath.Join(reader, "node_modules", "pmtiles")); err != nil {
		testenv.NotInstalled(t, "a package of internal/pmtiles/npm/package-lock.json (npm ci)")
	}
	a, err := pmtiles.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var list strings.Builder
	if err := a.Each(func(e pmtiles.Entry, _ []byte) error {
		if z, x, y, _ := pmtiles.Tile(e.ID); z == zoom {
			fmt.Fprintln(&list, z, x, y)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("node", "--max-old-space-size=500", "read.js", "--layers", path)
	command.Dir, command.Stdin = reader, strings.NewReader(list.String())
	var failure bytes.Buffer
	command.Stderr = &failure
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, failure.Bytes())
	}
	for _, line := range bytes.Split(bytes.TrimSpace(out), []byte("\n"))[1:] {
		var row struct {
			Z       uint8
			X, Y    uint32
			Content []struct {
				Name            string
				Version, Extent int
				Features        []shown
			}
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		tile := shownTile{row.Z, row.X, row.Y, map[string][]shown{}}
		for _, l := range row.Content {
			if l.Version != 2 || l.Extent != 4096 {
				t.Errorf("layer %s of version %d with an extent of %d", l.Name, l.Version, l.Extent)
			}
			tile.layers[l.Name] = l.Features
		}
		tiles = append(tiles, tile)
	}
	return tiles
}

// mercator is where a point is on the map of the world, in units of tiles of zoom 14.
func mercator(p orb.Point) orb.Point {
	const n = 4096 << 14
	lat := p[1] * math.Pi / 180
	return orb.Point{(p[0] + 180) / 360 * n, (1 - math.Log(math.Tan(lat)+1/math.Cos(lat))/math.Pi) / 2 * n}
}

// local is where a point of the map of the world is in a tile.
func (s *shownTile) local(p orb.Point) orb.Point {
	return orb.Point{p[0] - 4096*float64(s.x), p[1] - 4096*float64(s.y)}
}

// mapRow is a row as a map should have it: a key of what is shown of it, and its geometry in units of tiles.
type mapRow struct {
	key      string
	geometry orb.Geometry
	bound    orb.Bound
}

func newMapRow(t *testing.T, key string, wkb []byte) mapRow {
	t.Helper()
	g, err := geo.Geometry(wkb)
	if err != nil {
		t.Fatal(err)
	}
	g = moved(g, mercator)
	return mapRow{key, g, g.Bound()}
}

// mapRows are the rows of a layer of the released files, and their keys the texts of the properties named.
func mapRows(t *testing.T, file, query string, properties int) (list []mapRow) {
	t.Helper()
	db, err := released.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	for found.Next() {
		texts, blob := make([]string, properties), []byte(nil)
		targets := []any{&blob}
		for i := range texts {
			targets = append(targets, &texts[i])
		}
		if err := found.Scan(targets...); err != nil {
			t.Fatal(err)
		}
		data, err := released.WKB(blob)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, newMapRow(t, strings.Join(texts, "|"), data))
	}
	return list
}

// stagedRows are the staged features of a kind of both regions.
func stagedRows(t *testing.T, query string) (list []mapRow) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(townsDir(t), "work", "*.staged.duckdb"))
	if err != nil || len(paths) != 2 {
		t.Fatalf("%q, %v", paths, err)
	}
	type row struct {
		Key  string `col:"key"`
		Geom []byte `col:"geom"`
	}
	for _, path := range paths {
		db, err := duck.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		found, err := sqlrow.All[row](t.Context(), db, query)
		db.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			list = append(list, newMapRow(t, r.Key, r.Geom))
		}
	}
	return list
}

// TestTilesHaveTheRowsOfTheRelease compares every tile of the highest zoom with the rows that are in its box. Countries and
// states that are far from all else are at zoom 10 alone (docs/decisions/0067-wide-outlines-end.md).
func TestTilesHaveTheRowsOfTheRelease(t *testing.T) {
	dir := townsDir(t)
	release := filepath.Join(dir, "first")
	tiles := readTiles(t, filepath.Join(release, schemas.TilesFile), 14)
	wide := map[string]bool{}
	for _, tile := range readTiles(t, filepath.Join(release, schemas.TilesFile), 10) {
		for _, f := range tile.layers["outlines"] {
			wide[f.text("id")+"|"+f.text("level")+"|"+f.text("name")] = f.text("level") >= "60"
		}
	}
	file := func(name string) string { return filepath.Join(release, name) }
	roads := mapRows(t, file(schemas.AccessFile), "SELECT geometry, class, coalesce(name, '') FROM street_edge", 2)
	roads = append(roads,
		stagedRows(t, "SELECT class || '|' || coalesce(name, '') AS key, geom FROM street WHERE NOT foot AND car <> 'no'")...)
	for _, c := range []struct {
		layer      string
		properties []string
		least      int // features in all tiles
		rows       []mapRow
	}{
		{"outlines", []string{"id", "level", "name"}, 50,
			mapRows(t, file(schemas.GeographiesFile), "SELECT geometry, geog_id, level, name_en FROM geography", 3)},
		{"streets", []string{"class", "name"}, 100, roads},
		{"parks", []string{"name"}, 5, slices.DeleteFunc(mapRows(t, file(schemas.ProfilesFile),
			"SELECT geometry, coalesce(name, '') FROM landmark WHERE kind = 'park'", 1), func(r mapRow) bool {
			_, area := r.geometry.(orb.MultiPolygon)
			return !area
		})},
		{"pois", []string{"name"}, 100, mapRows(t, file(schemas.POIsFile), "SELECT geometry, name FROM poi", 1)},
		{"rail", []string{"class"}, 1, stagedRows(t, "SELECT class AS key, geom FROM feature WHERE kind = 'rail'")},
		{"buildings", []string{"class"}, 100, stagedRows(t, "SELECT class AS key, geom FROM feature WHERE kind = 'building'")},
	} {
		t.Run(c.layer, func(t *testing.T) {
			n, seen := 0, map[string]bool{}
			for i := range tiles {
				n += compareLayer(t, &tiles[i], tiles[i].layers[c.layer], c.properties, c.rows, seen)
			}
			if n < c.least {
				t.Errorf("%d features, want at least %d", n, c.least)
			}
			for _, r := range c.rows {
				if !seen[r.key] && !(c.layer == "outlines" && wide[r.key]) {
					t.Errorf("no tile has %s", r.key)
				}
			}
		})
	}
}

// box of a tile with its margin, and the same without what rounding may have moved across its edge.
var (
	tileBox  = orb.Bound{Min: orb.Point{-64, -64}, Max: orb.Point{4160, 4160}}
	surelyIn = orb.Bound{Min: orb.Point{-62, -62}, Max: orb.Point{4158, 4158}}
	nearTile = orb.Bound{Min: orb.Point{-66, -66}, Max: orb.Point{4162, 4162}}
)

// precision is how far a point of a tile may be from that of its row: half a unit in each direction, twice for the grid and
// a cut, and what a line between two such points is away from the row's own.
const precision = 1.5

// compareLayer compares the features of a layer of a tile with the rows in its box, and returns how many there are.
func compareLayer(t *testing.T, tile *shownTile, features []shown, properties []string, rows []mapRow, seen map[string]bool) int {
	t.Helper()
	drawn := map[string][]shown{}
	for _, f := range features {
		var key []string
		for _, p := range properties {
			key = append(key, f.text(p))
		}
		drawn[strings.Join(key, "|")] = append(drawn[strings.Join(key, "|")], f)
	}
	wanted := map[string][]orb.Geometry{}
	for _, r := range rows {
		if !nearTile.Intersects(orb.Bound{Min: tile.local(r.bound.Min), Max: tile.local(r.bound.Max)}) {
			continue
		}
		g := moved(orb.Clone(r.geometry), tile.local)
		wanted[r.key] = append(wanted[r.key], g)
		var left orb.Geometry
		if p, isPoint := g.(orb.Point); isPoint {
			if p[0] >= 1 && p[1] >= 1 && p[0] < 4095 && p[1] < 4095 {
				left = p
			}
		} else {
			left = clip.Geometry(surelyIn, orb.Clone(g))
		}
		if left == nil || left.Dimensions() == 1 && planar.Length(left) < 2 || left.Dimensions() == 2 && planar.Area(left) < 16 {
			continue
		}
		seen[r.key] = true
		if drawn[r.key] == nil {
			t.Fatalf("tile %d/%d/%d has no %s", tile.z, tile.x, tile.y, r.key)
		}
		for _, p := range vertices(left) {
			if !surelyIn.Contains(p) || left.Dimensions() == 2 {
				continue
			}
			if away := distance(drawn[r.key], p); away > precision {
				t.Fatalf("tile %d/%d/%d: %s is %v units from %v", tile.z, tile.x, tile.y, r.key, away, p)
			}
		}
	}
	for key, list := range drawn {
		if wanted[key] == nil {
			t.Fatalf("tile %d/%d/%d has %s, which is not there", tile.z, tile.x, tile.y, key)
		}
		seen[key] = true // also what is on the edge of a tile, which may be in the one or the other
		for _, f := range list {
			for _, part := range f.Geometry {
				for _, p := range part {
					if !tileBox.Contains(p) {
						t.Fatalf("tile %d/%d/%d: %s is at %v", tile.z, tile.x, tile.y, key, p)
					}
					if f.Type != 3 && !slices.ContainsFunc(wanted[key], func(g orb.Geometry) bool { return planar.DistanceFrom(g, p) <= precision }) {
						t.Fatalf("tile %d/%d/%d: %s is at %v, where no row is", tile.z, tile.x, tile.y, key, p)
					}
				}
			}
		}
		if list[0].Type == 3 {
			compareGround(t, tile, key, list, wanted[key])
		}
	}
	return len(features)
}

// compareGround compares the ground that areas cover at points of the tile that are not on an edge.
func compareGround(t *testing.T, tile *shownTile, key string, list []shown, rows []orb.Geometry) {
	t.Helper()
	for x := 32.5; x < 4096; x += 252 {
		for y := 17.5; y < 4096; y += 252 {
			p := orb.Point{x, y}
			var want, edge bool
			for _, g := range rows {
				m := g.(orb.MultiPolygon)
				want = want || planar.MultiPolygonContains(m, p)
				for _, polygon := range m {
					for _, ring := range polygon {
						edge = edge || planar.DistanceFrom(orb.LineString(ring), p) < 2
					}
				}
			}
			if edge {
				continue
			}
			winding := 0
			for _, f := range list {
				for _, part := range f.Geometry {
					ring := orb.Ring(part)
					if planar.RingContains(ring, p) {
						if winding--; ring.Orientation() == orb.CCW { // y goes south: outer rings turn left here
							winding += 2
						}
					}
				}
			}
			if winding != 0 && winding != 1 || want != (winding == 1) {
				t.Fatalf("tile %d/%d/%d: %s covers %v %d times, want %v", tile.z, tile.x, tile.y, key, p, winding, want)
			}
		}
	}
}

// moved moves every point of a geometry, in place.
func moved(g orb.Geometry, move func(orb.Point) orb.Point) orb.Geometry {
	switch g := g.(type) {
	case orb.Point:
		return move(g)
	case orb.LineString:
		for i := range g {
			g[i] = move(g[i])
		}
	case orb.MultiPolygon:
		for _, polygon := range g {
			for _, ring := range polygon {
				for i := range ring {
					ring[i] = move(ring[i])
				}
			}
		}
	}
	return g
}

// vertices are the points of a geometry of points or lines.
func vertices(g orb.Geometry) (list []orb.Point) {
	switch g := g.(type) {
	case orb.Point:
		return []orb.Point{g}
	case orb.LineString:
		return g
	case orb.MultiLineString:
		for _, line := range g {
			list = append(list, line...)
		}
	}
	return list
}

// distance is how far a point is from the nearest of features.
func distance(list []shown, p orb.Point) float64 {
	least := math.Inf(1)
	for _, f := range list {
		for _, part := range f.Geometry {
			if f.Type == 1 {
				least = min(least, planar.Distance(part[0], p))
			} else {
				least = min(least, planar.DistanceFrom(orb.LineString(part), p))
			}
		}
	}
	return least
}

// TestHeatHasTheScoresOfTheNodes compares the nodes of every tile of the highest zoom with their rows.
func TestHeatHasTheScoresOfTheNodes(t *testing.T) {
	release := filepath.Join(townsDir(t), "first")
	tiles := readTiles(t, filepath.Join(release, schemas.HeatFile), 14)
	var columns []string
	for _, id := range schemas.ScoreIDs() {
		columns = append(columns, "coalesce(CAST(round("+id+" / 500.0) AS INTEGER), '')")
	}
	nodes := mapRows(t, filepath.Join(release, schemas.AccessFile), "SELECT geometry, "+strings.Join(columns, ", ")+" FROM street_node",
		len(columns))
	nodes = slices.DeleteFunc(nodes, func(r mapRow) bool { return strings.Trim(r.key, "|") == "" })
	n := 0
	for i := range tiles {
		tile := &tiles[i]
		wanted := map[string][]orb.Point{}
		for _, r := range nodes {
			if p := tile.local(r.geometry.(orb.Point)); p[0] > -1 && p[1] > -1 && p[0] < 4097 && p[1] < 4097 {
				wanted[r.key] = append(wanted[r.key], p)
			}
		}
		for _, f := range tile.layers["heat"] {
			var key []string
			for _, id := range schemas.ScoreIDs() {
				key = append(key, f.text(id))
			}
			if !slices.ContainsFunc(wanted[strings.Join(key, "|")],
				func(p orb.Point) bool { return planar.Distance(p, f.Geometry[0][0]) <= precision }) {
				t.Fatalf("tile %d/%d/%d has the scores %v at %v, where no node has them", tile.z, tile.x, tile.y, f.Properties, f.Geometry)
			}
			n++
		}
	}
	if n != len(nodes) || n < 1000 {
		t.Errorf("%d nodes of %d", n, len(nodes))
	}
}
