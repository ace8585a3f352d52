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

// stagedRows are the rows of a query in a database of a region, such as "staged".
func stagedRows(t *testing.T, region, database, query string) (list []mapRow) {
	t.Helper()
	type row struct {
		Key  string `col:"key"`
		Geom []byte `col:"geom"`
	}
	db, err := duck.Open(filepath.Join(townsDir(t), "work", region+"."+database+".duckdb"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found, err := sqlrow.All[row](t.Context(), db, query)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range found {
		list = append(list, newMapRow(t, r.Key, r.Geom))
	}
	return list
}

// groundRows are the rows of a layer of the ground of both regions: those that are staged, and in a region that has none of them
// those of its lists.
func groundRows(t *testing.T, key, where string, lists func(region string) []mapRow) (all []mapRow) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(townsDir(t), "work", "*.staged.duckdb"))
	if err != nil || len(paths) != 2 {
		t.Fatalf("%q, %v", paths, err)
	}
	for _, path := range paths {
		region := strings.TrimSuffix(filepath.Base(path), ".staged.duckdb")
		rows := stagedRows(t, region, "staged", "SELECT "+key+" AS key, geom FROM ground WHERE "+where)
		if rows == nil && lists != nil {
			rows = lists(region)
		}
		all = append(all, rows...)
	}
	return all
}

// listedRoads are the streets of a region without a ground, with the kind that they have there.
func listedRoads(t *testing.T, region string) []mapRow {
	const kind = `CASE WHEN class IN ('driveway', 'parking_aisle', 'alley') THEN 'service' WHEN class IN ('sidewalk', 'crossing') THEN 'footway'
		WHEN class = 'bridleway' THEN 'path' ELSE replace(class, '_link', '') END`
	return append(mapRows(t, filepath.Join(townsDir(t), "first", schemas.AccessFile),
		"SELECT geometry, "+kind+" FROM street_edge WHERE region = '"+region+"'", 1),
		stagedRows(t, region, "staged", "SELECT "+kind+" AS key, geom FROM street WHERE NOT foot AND car <> 'no'")...)
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
	ground := readTiles(t, file(schemas.GroundFile), 14)
	isRail := "kind IN ('rail', 'narrow_gauge', 'tram', 'light_rail', 'funicular', 'subway', 'monorail')"
	streets := groundRows(t, "kind", "layer = 'streets' AND NOT "+isRail, func(region string) []mapRow { return listedRoads(t, region) })
	streets = append(streets, groundRows(t, "kind", "layer = 'streets' AND "+isRail, func(region string) []mapRow {
		return stagedRows(t, region, "staged", "SELECT CASE WHEN class IN ('main', 'branch', 'industrial', 'yard') THEN 'rail' ELSE class END "+
			"AS key, geom FROM feature WHERE kind = 'rail'")
	})...)
	for _, c := range []struct {
		layer      string
		properties []string
		least      int // features in all tiles
		rows       []mapRow
	}{
		{"outlines", []string{"id", "level", "name"}, 50,
			mapRows(t, file(schemas.GeographiesFile), "SELECT geometry, geog_id, level, name_en FROM geography", 3)},
		{"pois", []string{"name"}, 100, mapRows(t, file(schemas.POIsFile), "SELECT geometry, name FROM poi", 1)},
		{"streets", []string{"kind"}, 20, streets},
		{"land", []string{"kind"}, 2, groundRows(t, "kind", "layer = 'land'", func(region string) []mapRow {
			uses := stagedRows(t, region, "staged", "SELECT class AS key, geom FROM feature WHERE kind = 'land' AND class IN ('forest', 'grass', "+
				"'park', 'farmland', 'sand', 'residential', 'commercial', 'retail', 'industrial', 'railway', 'cemetery')")
			return append(uses, slices.DeleteFunc(mapRows(t, file(schemas.ProfilesFile),
				"SELECT geometry, 'park' FROM landmark WHERE kind = 'park' AND region = '"+region+"'", 1), func(r mapRow) bool {
				_, area := r.geometry.(orb.MultiPolygon)
				return !area
			})...)
		})},
		{"buildings", []string{"dummy"}, 0, groundRows(t, "'1'", "layer = 'buildings'", nil)},
		{"water_polygons", []string{"kind"}, 0, groundRows(t, "kind", "layer = 'water_polygons'", func(region string) []mapRow {
			return stagedRows(t, region, "derived", "SELECT 'water' AS key, geom FROM water")
		})},
		{"place_labels", []string{"kind", "name"}, 0, groundRows(t, "kind || '|' || name", "layer = 'place_labels' AND name <> ''", nil)},
		{"public_transport", []string{"kind", "name"}, 0,
			groundRows(t, "kind || '|' || coalesce(name, '')", "layer = 'public_transport'", nil)},
	} {
		t.Run(c.layer, func(t *testing.T) {
			n, seen, tiles := 0, map[string]bool{}, tiles
			if c.layer != "outlines" && c.layer != "pois" {
				tiles = ground
			}
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
			most := 1
			if list[0].ID == 0 {
				most = len(rows) // several rows are one feature
			}
			if winding < 0 || winding > most || want != (winding > 0) {
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

// TestHeatHasTheScoresOfTheNodes compares the lines of every tile of the highest zoom with the nodes and edges: what begins at a
// node has its scores, up to the middle of its edges.
func TestHeatHasTheScoresOfTheNodes(t *testing.T) {
	release := filepath.Join(townsDir(t), "first")
	tiles := readTiles(t, filepath.Join(release, schemas.HeatFile), 14)
	access := filepath.Join(release, schemas.AccessFile)
	var columns []string
	for _, id := range schemas.ScoreIDs() {
		columns = append(columns, "coalesce(CAST(round("+id+" / 500.0) AS INTEGER), '')")
	}
	nodes := mapRows(t, access, "SELECT geometry, fid, "+strings.Join(columns, ", ")+" FROM street_node", 1+len(columns))
	scores, fids := map[string]string{}, map[string]string{} // by fid, and fid by place
	for _, r := range nodes {
		fid, key, _ := strings.Cut(r.key, "|")
		scores[fid] = key
		fids[fid] = fmt.Sprint(r.geometry)
	}
	type half struct {
		key  string
		line orb.LineString
	}
	var halves []half
	for _, r := range mapRows(t, access, "SELECT geometry, a, b FROM street_edge", 2) {
		a, b, _ := strings.Cut(r.key, "|")
		line := r.geometry.(orb.LineString)
		if fids[a] != fmt.Sprint(line[0]) || fids[b] != fmt.Sprint(line[len(line)-1]) {
			t.Fatalf("edge %s does not go from node to node", r.key)
		}
		for i, fid := range []string{a, b} {
			one := slices.Clone(line)
			if i == 1 {
				one.Reverse()
			}
			if key := scores[fid]; strings.Trim(key, "|") != "" {
				halves = append(halves, half{key, one})
			}
		}
	}
	n, begun := 0, map[string]bool{}
	for i := range tiles {
		tile := &tiles[i]
		drawn := map[string][]shown{}
		for _, f := range tile.layers["heat"] {
			var key []string
			for _, id := range schemas.ScoreIDs() {
				key = append(key, f.text(id))
			}
			drawn[strings.Join(key, "|")] = append(drawn[strings.Join(key, "|")], f)
			n++
		}
		near := map[string][]orb.LineString{}
		for _, h := range halves {
			line := moved(orb.Clone(h.line), tile.local).(orb.LineString)
			if !nearTile.Intersects(line.Bound()) {
				continue
			}
			near[h.key] = append(near[h.key], line)
			for share := range 3 { // of its half: the node itself, and points towards the middle
				p := planarAlong(line, planar.Length(line)*float64(share)/2*0.49)
				if surelyIn.Contains(p) && (drawn[h.key] == nil || distance(drawn[h.key], p) > 2*precision) {
					t.Fatalf("tile %d/%d/%d has no %s at %v", tile.z, tile.x, tile.y, h.key, p)
				} else if surelyIn.Contains(p) {
					begun[h.key] = true
				}
			}
		}
		for key, list := range drawn {
			for _, f := range list {
				for _, p := range slices.Concat(f.Geometry...) {
					if !slices.ContainsFunc(near[key], func(line orb.LineString) bool { // not beyond the middle
						return nearestAlong(line, p, planar.Length(line)/2) <= 2*precision
					}) {
						t.Fatalf("tile %d/%d/%d has the scores %s at %v, where no node has them", tile.z, tile.x, tile.y, key, p)
					}
				}
			}
		}
	}
	if n < 1000 || len(begun) < 500 {
		t.Errorf("%d values of %d nodes", n, len(begun))
	}
}

// planarAlong is the point of a line some units from its beginning.
func planarAlong(line orb.LineString, units float64) orb.Point {
	left := units
	for i := 1; i < len(line); i++ {
		long := planar.Distance(line[i-1], line[i])
		if left <= long && long > 0 {
			return orb.Point{line[i-1][0] + left/long*(line[i][0]-line[i-1][0]), line[i-1][1] + left/long*(line[i][1]-line[i-1][1])}
		}
		left -= long
	}
	return line[len(line)-1]
}

// nearestAlong is how far a point is from the beginning of a line, up to some units.
func nearestAlong(line orb.LineString, p orb.Point, units float64) float64 {
	least, left := planar.Distance(line[0], p), units
	for i := 1; i < len(line) && left > 0; i++ {
		part := orb.LineString{line[i-1], line[i]}
		if long := planar.Distance(part[0], part[1]); long > left {
			part[1] = planarAlong(part, left)
		}
		least, left = min(least, planar.DistanceFrom(part, p)), left-planar.Distance(line[i-1], line[i])
	}
	return least
}
