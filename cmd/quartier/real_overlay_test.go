package main

import (
	"cmp"
	"database/sql"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/areal"
	"quartier/internal/pack"
	"quartier/internal/pack/smallareas"
	"quartier/internal/spatialite"
	"quartier/schemas"
	"quartier/schemas/demographics"
)

// held is a block group in a neighbourhood: GEOID and name.
type held struct{ group, hood string }

// portland has the data of the publishers' files for Portland's neighbourhoods and block groups, read without the pipeline.
// Shares are of the area of a block group, 0 to 1.
type portland struct {
	names   map[string]string  // of our neighbourhoods by source_key, as hoodName writes them
	middle  map[string]bool    // block groups whose internal point lies in the middle of the city
	ground  map[string]float64 // m² of block groups
	sigma   map[string]float64 // allocation error of block groups, from the release
	areas   map[string]float64 // m² of the outlines of our neighbourhoods, by name
	overlap map[held]float64   // what lies in our outlines
	moved   map[held]float64   // what lies in them 25 m to the west and 10 m to the north
	covered map[string]float64 // what lies in any of our outlines
	theirs  map[held]float64   // what the published crosswalk says
	extents map[string]float64 // m² of the crosswalk's neighbourhoods, by name
}

// hoodName normalizes the names of both lists of neighbourhoods. South Portland is the later name of
// Corbett-Terwilliger-Lair Hill; two neighbourhoods of the crosswalk are one in ours.
func hoodName(name string) string {
	name = strings.NewReplacer("mt.", "mount", "/", " ", "-", " ", ".", "", "'", "").Replace(strings.ToLower(name))
	name = strings.TrimSuffix(strings.TrimPrefix(name, "portland "), " district")
	switch name {
	case "maplewood", "ashcreek":
		return "maplewood ashcreek"
	case "south portland":
		return "corbett terwilliger lair hill"
	case "powellhurst gilbert":
		return "powellhurst"
	}
	return name
}

// table reads a CSV file as rows by column name; of columns with the same name, the first.
func table(t *testing.T, path string) (list []map[string]string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(data), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range all[1:] {
		fields := map[string]string{}
		for i, name := range all[0] {
			if _, twice := fields[name]; !twice {
				fields[name] = row[i]
			}
		}
		list = append(list, fields)
	}
	return list
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func blobOf(t *testing.T, text string) []byte {
	t.Helper()
	blob, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return blob
}

func outlineOf(t *testing.T, text string) orb.MultiPolygon {
	t.Helper()
	m, err := released.ReadMultiPolygon(blobOf(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// overlay computes overlays in SpatiaLite.
type overlay struct {
	t  *testing.T
	db *sql.DB
}

func newOverlay(t *testing.T) overlay {
	t.Helper()
	db, err := spatialite.NewFile(filepath.Join(t.TempDir(), "overlay.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return overlay{t, db}
}

func (o overlay) do(statement string, args ...any) {
	o.t.Helper()
	if _, err := o.db.Exec(statement, args...); err != nil {
		o.t.Fatalf("%s: %v", statement, err)
	}
}

// load creates a table of the features of a GeoJSON file: name, outline in an equal-area projection, and the outline moved
// 25 m west and 10 m north, where the vertices of Portland's neighbourhoods are closest to streets. Buffer repairs
// self-intersections.
func (o overlay) load(table, path, projection string, name func(properties map[string]any) string) {
	o.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		o.t.Fatal(err)
	}
	var file struct {
		Features []struct {
			Properties map[string]any
			Geometry   json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		o.t.Fatal(err)
	}
	o.do("CREATE TABLE " + table + " (name TEXT, geometry BLOB, moved BLOB)")
	tx, err := o.db.Begin()
	if err != nil {
		o.t.Fatal(err)
	}
	to := ", 102003, NULL, 'EPSG:4326', '" + projection + "')"
	for _, f := range file.Features {
		_, err := tx.Exec("INSERT INTO "+table+" SELECT ?, ST_Transform(g"+to+", ST_Transform(ShiftCoords(g, -0.00032, 0.00009)"+to+
			" FROM (SELECT CastToMultiPolygon(ST_Buffer(SetSRID(GeomFromGeoJSON(?), 4326), 0)) AS g)", name(f.Properties), string(f.Geometry))
		if err != nil {
			o.t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		o.t.Fatal(err)
	}
}

// pairs returns the positive numbers of a query for two names and a number.
func (o overlay) pairs(query string) map[held]float64 {
	o.t.Helper()
	shares := map[held]float64{}
	found, err := o.db.Query(query)
	if err != nil {
		o.t.Fatalf("%s: %v", query, err)
	}
	defer found.Close()
	for found.Next() {
		var pair held
		var value sql.NullFloat64
		if err := found.Scan(&pair.group, &pair.hood, &value); err != nil {
			o.t.Fatal(err)
		}
		if value.Float64 > 0 { // NULL: nothing is shared
			shares[pair] = value.Float64
		}
	}
	if err := found.Err(); err != nil {
		o.t.Fatal(err)
	}
	return shares
}

// shares returns the shares of the area of outlines a in outlines b.
func (o overlay) shares(a, b, column string) map[held]float64 {
	return o.pairs("SELECT a.name, b.name, ST_Area(ST_Intersection(a.geometry, b." + column + ")) / ST_Area(a.geometry) FROM " + a +
		" a JOIN " + b + " b ON MbrIntersects(a.geometry, b." + column + ")")
}

// readPortland overlays the publishers' outlines in the equal-area projection of the block groups' file.
func readPortland(t *testing.T, data string) *portland {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join(data, "us-portland"))
	if err != nil {
		t.Fatal(err)
	}
	p := &portland{names: map[string]string{}, middle: map[string]bool{}}
	o := newOverlay(t)
	o.do("CREATE VIRTUAL TABLE shapes USING VirtualShape('" + filepath.Join(dir, "boundaries", "pdx-2010-census-blockgroups") +
		"', 'UTF-8', 102003)")
	o.do("CREATE TABLE block_group AS SELECT GEOID10 AS name, INTPTLAT10 + 0 AS lat, INTPTLON10 + 0 AS lng, Geometry AS geometry FROM shapes")
	o.load("hood", filepath.Join(dir, "boundaries", "neighbourhoods-city.geojson"), "ESRI:102003", func(properties map[string]any) string {
		name := hoodName(properties["name"].(string))
		p.names[fmt.Sprintf("portland:neighbourhood:%v", properties["cartodb_id"])] = name
		return name
	})
	o.do("CREATE TABLE city AS SELECT '' AS name, ST_Union(geometry) AS geometry FROM hood")
	p.overlap, p.moved = o.shares("block_group", "hood", "geometry"), o.shares("block_group", "hood", "moved")
	p.covered = byGroup(o.shares("block_group", "city", "geometry"))
	p.ground = byGroup(o.pairs("SELECT name, '', ST_Area(geometry) FROM block_group"))
	p.areas = byGroup(o.pairs("SELECT name, '', ST_Area(geometry) FROM hood"))
	for pair := range o.pairs("SELECT name, '', 1 FROM block_group WHERE lng BETWEEN -122.71 AND -122.63 AND lat BETWEEN 45.49 AND 45.55") {
		p.middle[pair.group] = true
	}
	p.readCrosswalk(t, dir)
	return p
}

func byGroup(shares map[held]float64) map[string]float64 {
	sums := map[string]float64{}
	for _, pair := range inOrder(shares) {
		sums[pair.group] += shares[pair]
	}
	return sums
}

func inOrder(shares map[held]float64) []held {
	return slices.SortedFunc(maps.Keys(shares), func(a, b held) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.hood, b.hood))
	})
}

// readCrosswalk adds up the crosswalk by name: a neighbourhood has a row per polygon of its outline. Areas are in square
// feet.
func (p *portland) readCrosswalk(t *testing.T, dir string) {
	t.Helper()
	const squareFoot = 0.3048 * 0.3048
	p.theirs, p.extents = map[held]float64{}, map[string]float64{}
	names := map[string]string{"0": "no neighbourhood"}
	for _, row := range table(t, filepath.Join(dir, "reference", "pdx_neighborhood.csv")) {
		name := hoodName(row["name"])
		if row["in_portland"] != "t" {
			name += " beyond Portland"
		}
		names[row["id"]] = name
		p.extents[name] += number(t, row["area"]) * squareFoot
	}
	for _, row := range table(t, filepath.Join(dir, "reference", "census_block_groups_in_pdx_neighborhood.csv")) {
		join := row["gisjoin"] // G41005100056002: state, 0, county, 0, tract and block group
		if share := number(t, row["percent_inside"]) / 100; share > 0 {
			p.theirs[held{join[1:3] + join[4:7] + join[8:], names[row["neighborhood_id"]]}] += share
		}
	}
}

// weightsOf returns the weights of block groups in our neighbourhoods, as in the build.
func (p *portland) weightsOf(t *testing.T, release string) map[held]float64 {
	t.Helper()
	f, err := pack.Open(filepath.Join(release, schemas.SmallAreasPack))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	areas, err := smallareas.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	group := map[int]string{}
	p.sigma = map[string]float64{}
	for _, row := range rows(t, filepath.Join(release, schemas.DemographicsFile),
		"SELECT fid, substr(source_key, 11), sigma_within FROM small_area WHERE source_key LIKE 'census:bg:%'") {
		group[int(number(t, row[0]))-1] = row[1]
		p.sigma[row[1]] = number(t, row[2])
	}
	weights := map[held]float64{}
	for _, row := range rows(t, filepath.Join(release, schemas.GeographiesFile),
		"SELECT source_key, hex(geometry) FROM geography WHERE source_key LIKE 'portland:neighbourhood:%'") {
		err := areas.Each(areal.Polygons(outlineOf(t, row[1])), smallareas.Scope{Country: "US"},
			func(area int, w [demographics.Universes]float64) error {
				weights[held{group[area], p.names[row[0]]}] = w[0]
				if w[1] != w[0] || w[2] != w[0] {
					t.Errorf("%s counts by %v, and there are no blocks", group[area], w)
				}
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	return weights
}
