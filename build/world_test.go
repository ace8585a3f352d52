package build

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/released"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/schemas"
	"quartier/schemas/derived"
)

// testSource is a row of staged.source.
type testSource struct {
	id, asOf string
}

// testPlace is a row of derived.geography, its outline a rectangle.
type testPlace struct {
	key, source, name        string
	level                    schemas.Level
	west, south, east, north float64
	country, states          string           // default US, US_DE
	population               int64            // 0: not known
	outline                  orb.MultiPolygon // nil: the rectangle
}

// testPOI is a row of derived.poi.
type testPOI struct {
	key, source, name string
	lng, lat          float64
	categories        string // default 'cafes'
	brands, tags      string
	stateless         bool
}

// testMerge is a row of derived.poi_merge.
type testMerge struct{ kept, merged string }

// testRegion is the content of a region's databases.
type testRegion struct {
	name     string
	sources  []testSource // default: 'osm' of 2024-05-01
	places   []testPlace
	pois     []testPOI
	merges   []testMerge
	extent   bool // the source's extent is covered
	streets  *testStreets
	paved    int // nodes of a grid of streets
	people   *testPeople
	populous int // blocks on a side of a square of them
	schools  func(testing.TB, *duck.DB)
}

func rectangle(west, south, east, north float64) orb.MultiPolygon {
	return orb.MultiPolygon{{{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}}}
}

// write writes the region's two databases to dir.
func (r testRegion) write(t testing.TB, dir string) assembly.Region {
	t.Helper()
	spatialitetest.Need(t)
	if r.sources == nil {
		r.sources = []testSource{{"osm", "2024-05-01"}}
	}
	region := assembly.Region{
		Name: r.name, Staged: filepath.Join(dir, r.name+".staged.duckdb"), Derived: filepath.Join(dir, r.name+".derived.duckdb"),
	}
	staged := create(t, region.Staged, schemas.Staged)
	load(t, staged, "source", func(row func(...any)) {
		for i, s := range r.sources {
			sum := sha256.Sum256([]byte(s.id))
			row(s.id, int32(i), "osm", s.id+".osm.pbf", hex.EncodeToString(sum[:]), int64(1000), s.asOf, "ODbL-1.0",
				"© OpenStreetMap contributors", nil, int64(50), int64(40), false)
		}
	})
	load(t, staged, "source_issue", func(row func(...any)) {
		row(r.sources[0].id, "rejected", "missing_geometry", "", "It has no geometry.", int64(3), "relation 17")
		row(r.sources[0].id, "repaired", "invalid_geometry_repaired", "ring self-intersection", "It was invalid.", int64(1), "relation 18")
	})
	must(t, staged.Close())
	db := create(t, region.Derived, schemas.Derived)
	load(t, db, "geography", func(row func(...any)) {
		for _, p := range r.places {
			p.write(row)
		}
	})
	r.writePOIs(t, db)
	load(t, db, "coverage", func(row func(...any)) {
		if r.extent {
			row("US_DE", "extent:"+r.sources[0].id, wkb(rectangle(-76, 38, -75, 40)))
		}
		for _, p := range r.places {
			if p.level == schemas.State {
				row(cmp.Or(p.states, "US_DE"), p.key, wkb(rectangle(p.west, p.south, p.east, p.north)))
			}
		}
	})
	if r.schools != nil {
		r.schools(t, db)
	}
	if r.streets != nil {
		r.streets.write(t, db)
	}
	if r.paved > 0 {
		pave(t, db, r.paved)
	}
	if r.people != nil {
		r.people.write(t, db)
	}
	if r.populous > 0 {
		populate(t, db, r.populous)
	}
	load(t, db, "transform_issue", func(row func(...any)) {
		row("poi", "skipped", "unmapped_category", "amenity=bench", "It has no category.", int64(4), "osm:node:9")
		row("poi", "skipped", "unmapped_category", "amenity=clock", "It has no category.", int64(3), "osm:node:8")
	})
	must(t, db.Close())
	return region
}

func (p testPlace) write(row func(...any)) {
	m := p.outline
	if m == nil {
		m = rectangle(p.west, p.south, p.east, p.north)
	}
	if p.source == "" {
		p.source = "osm"
	}
	if p.country == "" {
		p.country, p.states = "US", "US_DE"
	}
	if p.name == "" {
		p.name = p.key
	}
	var population any
	if p.population > 0 {
		population = p.population
	}
	row(p.key, p.source, int32(p.level), p.name, p.name+" (fr)", p.country, p.states,
		geo.Area(m), p.west, p.south, p.east, p.north, (p.west+p.east)/2, (p.south+p.north)/2, population, wkb(m))
}

func (r testRegion) writePOIs(t testing.TB, db *duck.DB) {
	t.Helper()
	brands := map[string]bool{"": true}
	var pois []derived.POI
	var named []derived.Brand
	for _, p := range r.pois {
		row := derived.POI{
			Key: p.key, SourceID: cmp.Or(p.source, r.sources[0].id), Lng: p.lng, Lat: p.lat, Name: p.name,
			Curve:      int64(geo.Hilbert(orb.Point{p.lng, p.lat})),
			Categories: cmp.Or(p.categories, "cafes"), Brands: p.brands, Tags: p.tags, BaseCategories: "cafes",
			Details: derived.Details{Address: "1 Main St", City: "Dover", StateCode: "DE", CountryCode: "US"},
		}
		if p.stateless {
			row.StateCode = ""
		}
		pois = append(pois, row)
		for id := range strings.SplitSeq(p.brands, ",") {
			if !brands[id] {
				brands[id] = true
				named = append(named, derived.Brand{BrandID: id, BrandName: strings.ToUpper(id)})
			}
		}
	}
	slices.SortFunc(pois, func(a, b derived.POI) int { return cmp.Or(cmp.Compare(a.Curve, b.Curve), cmp.Compare(a.Key, b.Key)) })
	for i := range pois {
		pois[i].Number = int32(i)
	}
	var merges []derived.Merge
	for _, m := range r.merges {
		merges = append(merges, derived.Merge{KeptKey: m.kept, MergedKey: m.merged, DistanceM: 12.5, NameSimilarity: 0.9,
			Reason: "same name within 50 m"})
	}
	must(t, duck.Write(t.Context(), db, "poi", slices.Values(pois)))
	must(t, duck.Write(t.Context(), db, "brand", slices.Values(named)))
	must(t, duck.Write(t.Context(), db, "poi_merge", slices.Values(merges)))
}

func wkb(m orb.MultiPolygon) []byte {
	data, err := geo.WKB(m)
	if err != nil {
		panic(err)
	}
	return data
}

func create(t testing.TB, path, ddl string) *duck.DB {
	t.Helper()
	db, err := duck.Create(path, ddl)
	must(t, err)
	return db
}

func load(t testing.TB, db *duck.DB, table string, rows func(row func(...any))) {
	t.Helper()
	a, err := db.Append(context.Background(), table)
	must(t, err)
	rows(func(values ...any) {
		t.Helper()
		row := make([]driver.Value, len(values))
		for i, v := range values {
			row[i] = v
		}
		must(t, a.Row(row...))
	})
	must(t, a.Close())
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// delaware is a small region with geographies of five levels and 40 POIs.
func delaware() testRegion {
	r := testRegion{name: "us-delaware", places: []testPlace{
		{key: "c:us", name: "United States", level: schemas.Country, west: -80, south: 30, east: -70, north: 45, country: "US"},
		{key: "s:de", name: "Delaware", level: schemas.State, west: -76, south: 38, east: -75, north: 40},
		{key: "m:dover", name: "Dover, DE", level: schemas.Metro, west: -75.8, south: 39, east: -75.3, north: 39.4},
		{key: "p:dover", name: "Dover", level: schemas.Municipality, west: -75.6, south: 39.1, east: -75.4, north: 39.2, population: 39403},
		{key: "n:west", name: "West Dover", level: schemas.Neighbourhood, west: -75.6, south: 39.1, east: -75.5, north: 39.2},
		{key: "n:east", name: "East Dover", level: schemas.Neighbourhood, west: -75.5, south: 39.1, east: -75.4, north: 39.2},
	}}
	for i := range 40 {
		p := testPOI{
			key: fmt.Sprintf("osm:node:%d", i), name: fmt.Sprintf("Café <%d> & Co", i),
			lng: -75.6 + 0.005*float64(i), lat: 39.15 + 0.001*float64(i%7), stateless: i == 39,
		}
		if i%3 == 0 {
			p.categories, p.brands, p.tags = "cafes,restaurants", "acme,zeta", "chain,fast_food"
		}
		r.pois = append(r.pois, p)
	}
	r.merges = []testMerge{{"osm:node:1", "overture:1"}}
	return r
}

// options returns options that build a release of regions in a temporary folder.
func options(t testing.TB, regions ...testRegion) Options {
	t.Helper()
	dir := t.TempDir()
	o := Options{Name: "test", Out: filepath.Join(dir, "out"), ToolVersion: "v0-test"}
	for _, r := range regions {
		o.Regions = append(o.Regions, r.write(t, dir))
	}
	return o
}

// openBoth attaches the files of two releases, or two files of one, as older and newer.
func openBoth(t testing.TB, older, newer string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", "file::memory:")
	must(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	must(t, released.Attach(db, older, "older"))
	must(t, released.Attach(db, newer, "newer"))
	return db
}

// built builds a release and returns its manifest and options.
func built(t testing.TB, previous string, regions ...testRegion) (*schemas.Manifest, Options) {
	t.Helper()
	o := options(t, regions...)
	o.Previous = previous
	m, err := Release(context.Background(), o)
	must(t, err)
	return m, o
}
