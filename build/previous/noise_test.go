package previous

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"quartier/build/assembly"
	"quartier/build/homes"
	"quartier/build/identity"
	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// layer is real outlines of one publisher by key.
type layer map[string]orb.MultiPolygon

// readLayer reads a GeoJSON file, or a shapefile of polygons, and repairs it as the intake does. A key that comes again is one
// outline more.
func readLayer(t *testing.T, k *spatialite.Kernel, name, key string) layer {
	t.Helper()
	path := unzipped(t, testenv.NeedData(t, name))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := layer{}
	add := func(value any, g orb.MultiPolygon) {
		id := fmt.Sprint(value)
		for n := 2; all[id] != nil; n++ {
			id = fmt.Sprintf("%v/%d", value, n)
		}
		valid, _, err := k.MakeValid(g)
		if err != nil {
			t.Fatalf("%s of %s: %v", id, name, err)
		}
		all[id] = valid
	}
	if filepath.Ext(path) == ".shp" {
		readShapes(t, path, data, key, add)
		return all
	}
	list := &geojson.FeatureCollection{}
	if err := json.Unmarshal(data, list); err != nil {
		t.Fatal(err)
	}
	for _, f := range list.Features {
		if f.Geometry != nil {
			add(f.Properties[key], spatialite.Polygons(f.Geometry))
		}
	}
	return all
}

// readShapes reads the polygons of a shapefile: clockwise rings are outer ones. The values of the key are in its .dbf.
func readShapes(t *testing.T, path string, data []byte, key string, add func(any, orb.MultiPolygon)) {
	t.Helper()
	table, err := os.ReadFile(strings.TrimSuffix(path, "shp") + "dbf")
	if err != nil {
		t.Fatal(err)
	}
	little := binary.LittleEndian
	header, width := int(little.Uint16(table[8:])), int(little.Uint16(table[10:]))
	at, length := 1, 0
	for field := 32; table[field] != '\r' && length == 0; field += 32 {
		if strings.TrimRight(string(table[field:field+11]), "\x00") == key {
			length = int(table[field+16])
		} else {
			at += int(table[field+16])
		}
	}
	number := func(b []byte) float64 { return math.Float64frombits(little.Uint64(b)) }
	for rest, row := data[100:], 0; len(rest) > 0; row++ {
		content := rest[8 : 8+2*binary.BigEndian.Uint32(rest[4:])]
		rest = rest[8+len(content):]
		parts, points := int(little.Uint32(content[36:])), int(little.Uint32(content[40:]))
		var g orb.MultiPolygon
		for i := range parts {
			from, to := int(little.Uint32(content[44+4*i:])), points
			if i+1 < parts {
				to = int(little.Uint32(content[48+4*i:]))
			}
			var ring orb.Ring
			for p := content[44+4*parts+16*from:]; from < to; from, p = from+1, p[16:] {
				ring = append(ring, orb.Point{number(p), number(p[8:])})
			}
			if ring.Orientation() == orb.CW || len(g) == 0 {
				g = append(g, orb.Polygon{ring})
			} else {
				g[len(g)-1] = append(g[len(g)-1], ring)
			}
		}
		value := table[header+row*width+at:][:length]
		add(strings.TrimSpace(string(value)), g)
	}
}

// moved is the layer with every vertex moved by some metres: in a direction that its coordinates give, so that a common border
// stays common, or with together the same for all of them.
func (l layer) moved(t *testing.T, k *spatialite.Kernel, metres float64, together bool) layer {
	t.Helper()
	shift := func(p orb.Point) orb.Point {
		angle := math.Pi / 4
		if !together {
			sum := sha256.Sum256(fmt.Appendf(nil, "%.7f %.7f", p[0], p[1]))
			angle = 2 * math.Pi * float64(binary.LittleEndian.Uint32(sum[:])) / (1 << 32)
		}
		lng, lat := geo.MetresPerDegree(p[1])
		return orb.Point{p[0] + metres*math.Cos(angle)/lng, p[1] + metres*math.Sin(angle)/lat}
	}
	changed := layer{}
	for key, g := range l {
		g = g.Clone()
		for _, polygon := range g {
			for _, ring := range polygon {
				for i := range ring {
					ring[i] = shift(ring[i])
				}
			}
		}
		valid, _, err := k.MakeValid(g)
		if err != nil {
			t.Fatal(err)
		}
		changed[key] = valid
	}
	return changed
}

// kept continues a release of one layer by another one, and returns how many keys of the first one keep their ids.
func kept(t *testing.T, k *spatialite.Kernel, lived Lived, before, after layer) int {
	t.Helper()
	outlines := func(l layer) (list []identity.Outline, shapes []orb.MultiPolygon) {
		var keys []string
		for key := range l {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			g := l[key]
			list = append(list, identity.Outline{
				Version: identity.Version{Key: "test:" + key}, Level: schemas.Neighbourhood,
				Bound: g.Bound(), AreaM2: geo.Area(g), Geometry: sha256.Sum256(released.MultiPolygonBlob(g)),
			})
			shapes = append(shapes, g)
		}
		return list, shapes
	}
	old, oldShapes := outlines(before)
	new, newShapes := outlines(after)
	first, err := identity.Assign(context.Background(), "r1", identity.History{}, old, nil)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]int{}
	for i, v := range first.Versions {
		old[i].Version, byID[v.ID] = v, i
	}
	m := &measurer{lived: lived, kernel: k,
		earlier: func(id string) (orb.MultiPolygon, error) { return oldShapes[byID[id]], nil },
		outline: func(i int) (orb.MultiPolygon, error) { return newShapes[i], nil }}
	next, err := identity.Assign(context.Background(), "r2", identity.History{Current: old}, new, m)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, v := range next.Versions {
		if i, was := byID[v.ID]; was && old[i].Key == v.Key {
			n++
		}
	}
	return n
}

// ottawa is homes along the streets of Ottawa: 38,461 points with the people of their blocks.
func ottawa(t *testing.T, all layer) Lived {
	data, err := os.ReadFile(testenv.NeedData(t, "ca-ottawa/statcan-2021/ottawa_pseudohouseholds.geojson"))
	if err != nil {
		t.Fatal(err)
	}
	list := &geojson.FeatureCollection{}
	if err := json.Unmarshal(data, list); err != nil {
		t.Fatal(err)
	}
	var points []homes.Home
	for _, f := range list.Features {
		if p, ok := f.Geometry.(orb.Point); ok {
			people, _ := f.Properties["dbpop"].(float64)
			points = append(points, homes.Home{Point: p, Weight: uint64(people / 2.4 * homes.WeightUnit)})
		}
	}
	bound := orb.Bound{Min: orb.Point{180, 90}, Max: orb.Point{-180, -90}}
	for _, g := range all {
		bound = bound.Union(g.Bound())
	}
	return Lived{homes.NewIndex(points), assembly.Hulls{geo.Prepare(orb.MultiPolygon{{bound.ToRing()}})}}
}

// table prints the tables of docs/boundaries.md, which takes minutes.
var table = flag.Bool("table", false, "compare all outlines by all noises with docs/boundaries.md")

// noises are the metres by which outlines are moved.
var noises = []float64{0.1, 0.25, 0.5, 1, 2, 5, 10, 20}

// TestNoiseKeepsIDs moves real outlines by what publishers' outlines move from year to year: up to 5 m all ids are kept.
// With -table it makes the table of docs/boundaries.md and compares it.
//
//	go test ./build/previous -run TestNoiseKeepsIDs -v -table -timeout 30m
func TestNoiseKeepsIDs(t *testing.T) {
	spatialitetest.Need(t)
	k, err := spatialite.NewKernel()
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	layers := []struct {
		name, file, key string
		homes           bool // of Ottawa
		few             bool // is tested without -table, too
	}{
		{"dissemination areas of Ottawa, with homes", "ca-ottawa/statcan-2021/ottawa_da_2021.geojson", "DAUID", true, false},
		{"the same, without", "ca-ottawa/statcan-2021/ottawa_da_2021.geojson", "DAUID", false, false},
		{"neighbourhoods of Ottawa, with homes", "ca-ottawa/ons/ons_gen3_neighbourhoods.geojson", "ONS_ID", true, false},
		{"wards of Ottawa, with homes", "ca-ottawa/open-data/Wards_2022-2026.geojson", "WARD", true, true},
		{"block groups of DC", "us-dc/boundaries/tl_2019_11_bg.shp", "GEOID", false, false},
		{"clusters of DC", "us-dc/boundaries/neighborhood_cluster.geojson", "NAME", false, false},
		{"ZIP codes of DC, 139 of them buildings", "us-dc/boundaries/zip.geojson", "NAME", false, false},
		{"neighbourhoods of Portland", "us-portland/boundaries/neighbourhoods-city.geojson", "name", false, true},
		{"tracts of Portland", "us-portland/boundaries/tracts-city.geojson", "GEOID", false, true},
		{"ZIP codes of Seattle", "us-seattle/boundaries/zip-codes.geojson", "ZCTA5CE10", false, true},
	}
	metres := noises
	if !*table {
		metres = []float64{0.5, 2}
	}
	var lines strings.Builder
	for _, set := range layers {
		if !set.few && !*table {
			continue
		}
		before := readLayer(t, k, set.file, set.key)
		var lived Lived
		if set.homes {
			lived = ottawa(t, before)
		}
		fmt.Fprintf(&lines, "| %s | %d |", set.name, len(before))
		for _, by := range metres {
			alone, together := kept(t, k, lived, before, before.moved(t, k, by, false)), kept(t, k, lived, before, before.moved(t, k, by, true))
			fmt.Fprintf(&lines, " %d, %d |", alone, together)
			if by <= 5 && min(alone, together) < len(before) {
				t.Errorf("%s moved by %v m: %d and %d of %d ids are kept", set.name, by, alone, together, len(before))
			}
		}
		lines.WriteString("\n")
	}
	t.Logf("\n%s", &lines)
	inDocs(t, lines.String())
}

// inDocs compares lines of a table with docs/boundaries.md, where all of them were made.
func inDocs(t *testing.T, lines string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(), "docs", "boundaries.md"))
	if err != nil {
		t.Fatal(err)
	}
	if *table && !strings.Contains(string(page), lines) {
		t.Error("docs/boundaries.md has another table")
	}
}
