// Package city writes the sources of a synthetic city, of which the size is given.
package city

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"quartier/fixtures/shapefile"
)

// City is a synthetic city for demographics: blocks of about 110 m with twelve vertices, block groups of six by six blocks,
// neighbourhoods of eight by eight, and ACS tables of the block groups. It has no streets and no places.
type City struct {
	Side int // number of blocks along one side
}

const (
	westEnd, southEnd  = -96.2, 41.1
	blockLng, blockLat = 0.0013, 0.00098
	// GroupSide is the number of blocks along a side of a block group.
	GroupSide = 6
	partSide  = 8 // of a neighbourhood
)

// Corner is a street corner.
func (c City) Corner(x, y int) orb.Point {
	r := rand.New(rand.NewPCG(uint64(x)<<20|uint64(y), 1))
	return orb.Point{c.round(westEnd + (float64(x)+0.25*(r.Float64()-0.5))*blockLng),
		c.round(southEnd + (float64(y)+0.25*(r.Float64()-0.5))*blockLat)}
}

func (City) round(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// street is the line from one corner to the next, with two bends.
func (c City) street(ax, ay, bx, by int) []orb.Point {
	a, b := c.Corner(ax, ay), c.Corner(bx, by)
	r := rand.New(rand.NewPCG(uint64(ax)<<40|uint64(ay)<<20|uint64(bx-ax), 2))
	bend := func(share float64) orb.Point {
		return orb.Point{c.round(a[0] + share*(b[0]-a[0]) + 0.05*(r.Float64()-0.5)*blockLng),
			c.round(a[1] + share*(b[1]-a[1]) + 0.05*(r.Float64()-0.5)*blockLat)}
	}
	return []orb.Point{a, bend(0.33), bend(0.67), b}
}

// Outline follows the streets around w by h blocks from (x, y).
func (c City) Outline(x, y, w, h int) orb.MultiPolygon {
	var ring orb.Ring
	forth := func(line []orb.Point) { ring = append(ring, line[:len(line)-1]...) }
	back := func(line []orb.Point) {
		for i := len(line) - 1; i > 0; i-- {
			ring = append(ring, line[i])
		}
	}
	for i := range w {
		forth(c.street(x+i, y, x+i+1, y))
	}
	for j := range h {
		forth(c.street(x+w, y+j, x+w, y+j+1))
	}
	for i := w - 1; i >= 0; i-- {
		back(c.street(x+i, y+h, x+i+1, y+h))
	}
	for j := h - 1; j >= 0; j-- {
		back(c.street(x, y+j, x, y+j+1))
	}
	return orb.MultiPolygon{{append(ring, ring[0])}}
}

// Group returns the block group of a block, and the number of block groups along a side.
func (c City) Group(x, y int) (id string, n int) {
	wide := (c.Side + GroupSide - 1) / GroupSide
	n = y/GroupSide*wide + x/GroupSide
	return fmt.Sprintf("31055%06d%d", 100+n/9, 1+n%9), n
}

// Write writes the sources of the city with their region and release files.
func (c City) Write(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "acs"), 0o755); err != nil {
		return err
	}
	return errors.Join(
		c.writeBlocks(filepath.Join(dir, "tl_2023_31_tabblock20.zip")),
		c.writeTables(filepath.Join(dir, "acs")),
		c.writeOutlines(dir),
		os.WriteFile(filepath.Join(dir, "city.yaml"), []byte(region), 0o644),
		os.WriteFile(filepath.Join(dir, "release.yaml"), []byte("release: city\nregions: [city.yaml]\n"), 0o644))
}

const region = `region: us-city
title: Synthetic city
country: US
state: NE
sources:
  - {id: country, kind: boundaries, path: country.geojson, as_of: 2023-01-01, licence: invented, attribution: invented, options: {level: 70, country: US, scheme: "census:country", key: id, name: name}}
  - {id: state, kind: boundaries, path: state.geojson, as_of: 2023-01-01, licence: invented, attribution: invented, options: {level: 60, scheme: "census:state", key: id, name: name, state: NE}}
  - {id: metro, kind: boundaries, path: metro.geojson, as_of: 2023-01-01, licence: invented, attribution: invented, options: {level: 40, scheme: "census:cbsa", key: id, name: name}}
  - {id: parts, kind: boundaries, path: parts.geojson, as_of: 2023-01-01, licence: invented, attribution: invented, options: {level: 10, scheme: "city:part", key: id, name: name, state: NE}}
  - {id: blocks, kind: blocks, path: tl_2023_31_tabblock20.zip, as_of: 2020-04-01, licence: invented, attribution: invented, options: {layout: tiger-tabblock20}}
  - {id: acs, kind: acs, path: acs, as_of: 2024-12-01, licence: invented, attribution: invented}
`

func (c City) writeBlocks(path string) error {
	layer := shapefile.Layer{Name: "tl_2023_31_tabblock20", Projection: shapefile.NAD83, CodePage: "UTF-8", AsOf: "2023-01-01"}
	for _, name := range []string{"STATEFP20", "COUNTYFP20", "TRACTCE20", "BLOCKCE20", "GEOID20"} {
		layer.Fields = append(layer.Fields, shapefile.Text(name, 15))
	}
	for _, name := range []string{"ALAND20", "AWATER20", "HOUSING20", "POP20"} {
		layer.Fields = append(layer.Fields, shapefile.Number(name, 14, 0))
	}
	r := rand.New(rand.NewPCG(3, 3))
	return shapefile.Write(path, layer, func(yield func(shapefile.Row) error) error {
		for y := range c.Side {
			for x := range c.Side {
				group, _ := c.Group(x, y)
				id := fmt.Sprintf("%s%03d", group, 1+(y%GroupSide)*GroupSide+x%GroupSide)
				people := r.IntN(120)
				row := shapefile.Row{Area: c.Outline(x, y, 1, 1),
					Values: []any{id[:2], id[2:5], id[5:11], id[11:], id, int64(11000), int64(0), int64(people/2 + 1), int64(people)}}
				if err := yield(row); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// tables are ACS tables with their number of lines.
var tables = []struct {
	name  string
	lines int
}{
	{"b01003", 1}, {"b01001", 49}, {"b08301", 21}, {"b08303", 13}, {"b15003", 25}, {"b23025", 7}, {"b11016", 16}, {"b11005", 19},
	{"b25024", 11},
	{"b19001", 17}, {"b19025", 1}, {"b25003", 3}, {"b25041", 7}, {"b25034", 11}, {"b12001", 19}, {"b11001", 9}, {"b25077", 1},
}

// writeTables writes arbitrary estimates; totals are at least the sum of their parts.
func (c City) writeTables(dir string) error {
	_, last := c.Group(c.Side-1, c.Side-1)
	r := rand.New(rand.NewPCG(4, 4))
	for _, t := range tables {
		var out bytes.Buffer
		name := strings.ToUpper(t.name)
		fmt.Fprint(&out, "GEO_ID")
		for line := range t.lines {
			fmt.Fprintf(&out, "|%s_E%03d|%s_M%03d", name, line+1, name, line+1)
		}
		fmt.Fprintln(&out)
		for n := range last + 1 {
			fmt.Fprintf(&out, "1500000US31055%06d%d", 100+n/9, 1+n%9)
			for line := range t.lines {
				estimate := r.IntN(60)
				if line == 0 || t.name == "b23025" && line == 2 {
					estimate = 60 * max(t.lines, 20)
				}
				fmt.Fprintf(&out, "|%d|%d", estimate, 12+r.IntN(30))
			}
			fmt.Fprintln(&out)
		}
		if err := os.WriteFile(filepath.Join(dir, "acsdt5y2023-"+t.name+".dat"), out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeOutlines writes the boundaries: neighbourhoods, and three levels that cover the city.
func (c City) writeOutlines(dir string) error {
	margin := 0.05
	east, north := westEnd+float64(c.Side)*blockLng+margin, southEnd+float64(c.Side)*blockLat+margin
	west, south := westEnd-margin, southEnd-margin
	frame := orb.MultiPolygon{{{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}}}
	for _, f := range []struct{ name, id string }{{"country", "US"}, {"state", "31"}, {"metro", "36540"}} {
		if err := WriteGeoJSON(filepath.Join(dir, f.name+".geojson"), []string{f.id}, []orb.MultiPolygon{frame}); err != nil {
			return err
		}
	}
	var ids []string
	var areas []orb.MultiPolygon
	for y := 0; y+partSide <= c.Side; y += partSide {
		for x := 0; x+partSide <= c.Side; x += partSide {
			ids = append(ids, fmt.Sprintf("%d-%d", x/partSide, y/partSide))
			areas = append(areas, c.Outline(x, y, partSide, partSide))
		}
	}
	return WriteGeoJSON(filepath.Join(dir, "parts.geojson"), ids, areas)
}

// WriteGeoJSON writes areas with their ids, and names made of these.
func WriteGeoJSON(path string, ids []string, areas []orb.MultiPolygon) error {
	features := geojson.NewFeatureCollection()
	for i, id := range ids {
		feature := geojson.NewFeature(areas[i])
		feature.Properties = geojson.Properties{"id": id, "name": "Part " + id}
		features.Append(feature)
	}
	data, err := features.MarshalJSON()
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
