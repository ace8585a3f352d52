package build

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	duckdb "github.com/marcboeker/go-duckdb"
	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/homes"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/demographics"
)

// BenchmarkRelease builds a release of 1,000,000 POIs in 300 towns.
func BenchmarkRelease(b *testing.B) {
	r := delaware()
	r.pois, r.merges = nil, nil
	dir := b.TempDir()
	region := r.write(b, dir)
	large := filepath.Join(dir, "large.duckdb")
	must(b, os.Rename(region.Derived, large))
	region.Derived = large
	fill(b, large, 1_000_000)
	benchmark(b, dir, region)
}

// fill adds POIs to a derived database.
func fill(b *testing.B, path string, pois int) {
	db := reopen(b, path)
	defer db.Close()
	_, err := db.Exec(fmt.Sprintf(`
		INSERT INTO poi (number, curve, poi_key, source_id, lng, lat, name, address, suite, city, state_code, postal_code, country_code,
			phone, url, categories, brands, tags, base_categories)
		SELECT i, i, 'osm:node:' || i, 'osm', -125 + (hash(i %% 300) %% 5000) / 100.0 + (hash(i, 1) %% 10000) / 100000.0,
			30 + (hash(i %% 300, 7) %% 1800) / 100.0 + (hash(i, 2) %% 10000) / 100000.0,
			'Place number ' || i, (i %% 999) || ' Main Street', NULL, 'Town ' || (i %% 300), 'DE', printf('%%05d', i %% 90000), 'US',
			'+1 302 555 ' || (i %% 10000), 'https://example.org/places/' || i,
			CASE WHEN i %% 3 = 0 THEN 'common_needs,restaurants,shops_and_services' ELSE 'cafes' END,
			CASE WHEN i %% 4 = 0 THEN 'brand_' || (i %% 500) ELSE '' END,
			CASE WHEN i %% 5 = 0 THEN 'chain,' || ['bakery', 'vegan', 'pizza', 'thai', 'tattoo'][i %% 5 + 1] ELSE '' END,
			'cafes'
		FROM range(%d) AS t(i);
		INSERT INTO brand SELECT DISTINCT 'brand_' || i, 'Brand ' || i FROM range(500) AS t(i)`, pois))
	must(b, err)
}

// reopen opens a DuckDB file for writing.
func reopen(b *testing.B, path string) *sql.DB {
	connector, err := duckdb.NewConnector(path, nil)
	must(b, err)
	return sql.OpenDB(connector)
}

// BenchmarkStreets builds a release of 1,000,000 street nodes, 1,200,000 edges and 100,000 homes.
//
//	go test ./build -run '^$' -bench Streets -benchtime 1x
func BenchmarkStreets(b *testing.B) {
	r := delaware()
	r.paved = 1_000_000
	dir := b.TempDir()
	benchmark(b, dir, r.write(b, dir))
}

// benchmark builds releases of a region in a folder.
func benchmark(b *testing.B, dir string, region assembly.Region) {
	before, _ := used(b)
	b.ResetTimer()
	for i := range b.N {
		o := Options{
			Name: "bench", Regions: []assembly.Region{region}, Out: filepath.Join(dir, fmt.Sprint("out", i)), ToolVersion: "bench",
			Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
		}
		_, err := Release(context.Background(), o)
		must(b, err)
	}
	after, peak := used(b)
	b.ReportMetric((after-before)/float64(b.N), "cpu-s/op")
	b.ReportMetric(peak, "peak-MB")
}

// used returns the CPU seconds and the maximum memory in megabytes that this process has used.
func used(b *testing.B) (seconds, megabytes float64) {
	var usage syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9, float64(usage.Maxrss) / 1024
}

// pave writes a grid of streets that is 1,000 nodes wide, with edges of about 100 m and four vertices, as many per node as
// in real networks, and a home at every tenth node.
func pave(t testing.TB, derived *duck.DB, nodes int) {
	const wide = 1000
	random := rand.New(rand.NewPCG(1, 2))
	at := func(i int) orb.Point { return orb.Point{-75.9 + float64(i%wide)*0.0011, 38.5 + float64(i/wide)*0.0009} }
	load(t, derived, "street_node", func(row func(...any)) {
		for i := range nodes {
			channels := make([]byte, 2*schemas.ChannelCount)
			for c := range schemas.ChannelCount {
				binary.LittleEndian.PutUint16(channels[2*c:], uint16(random.IntN(5*schemas.UnitValue+1)))
			}
			row(int32(i), at(i)[0], at(i)[1], channels)
		}
	})
	edges := 0
	load(t, derived, "street_edge", func(row func(...any)) {
		street := func(i, j int) {
			a, b := at(i), at(j)
			line := orb.LineString{a, {a[0] + (b[0]-a[0])/3, a[1] + (b[1]-a[1])/3}, {a[0] + (b[0]-a[0])/1.5, a[1] + (b[1]-a[1])/1.5}, b}
			geom, err := geo.WKB(line)
			must(t, err)
			row(int32(edges), int32(i), int32(j), 100.0, "residential", "Main Street", nil, "osm", fmt.Sprintf("osm:way:%d", i/7), 600.0, nil, geom)
			edges++
		}
		for i := range nodes {
			if i%wide < wide-1 && i+1 < nodes {
				street(i, i+1)
			}
			if i%5 == 0 && i+wide < nodes {
				street(i, i+wide)
			}
		}
	})
	load(t, derived, "home", func(row func(...any)) {
		for i := range nodes / 10 {
			row(int32(i), homes.Households, float64(1+random.IntN(40)), at(10 * i)[0], at(10 * i)[1], int32(random.IntN(edges)), 50.0)
		}
	})
}

// BenchmarkDemographics builds a release of 1,000,000 blocks in 20,000 block groups and 100,000 geographies.
//
//	go test ./build -run '^$' -bench Demographics -benchtime 1x
func BenchmarkDemographics(b *testing.B) {
	r := delaware()
	r.populous = 1000
	dir := b.TempDir()
	benchmark(b, dir, r.write(b, dir))
}

// The square of blocks that populate writes: blocks of about 100 m, of which seven by seven are a block group.
const (
	blockSide = 0.001 // degrees
	groupSide = 7     // blocks
)

// blockCorner is the south-western corner of a block.
func blockCorner(x, y int) orb.Point {
	return orb.Point{-100 + blockSide*float64(x), 40 + blockSide*float64(y)}
}

// populate writes a square of wide × wide blocks in block groups, and the neighbourhoods of four by four and more blocks
// that cover it.
func populate(t testing.TB, derived *duck.DB, wide int) {
	var groups [][2]int // south-western blocks, along a Hilbert curve
	for y := 0; y < wide; y += groupSide {
		for x := 0; x < wide; x += groupSide {
			groups = append(groups, [2]int{x, y})
		}
	}
	curve := func(g [2]int) uint64 { return geo.Hilbert(blockCorner(g[0], g[1])) }
	slices.SortFunc(groups, func(a, b [2]int) int { return cmp.Compare(curve(a), curve(b)) })
	random := rand.New(rand.NewPCG(5, 6))
	load(t, derived, "small_area", func(row func(...any)) {
		for i := range groups {
			row(int32(i), fmt.Sprintf("census:bg:%012d", i), "US_DE", 0.3, 0.0)
		}
	})
	load(t, derived, "small_area_part", func(row func(...any)) {
		n := int32(0)
		for i, g := range groups {
			for y := g[1]; y < min(g[1]+groupSide, wide); y++ {
				for x := g[0]; x < min(g[0]+groupSide, wide); x++ {
					a, b := blockCorner(x, y), blockCorner(x+1, y+1)
					weight := float64(1 + random.IntN(100))
					row(n, int32(i), fmt.Sprintf("census:block:%d", n), weight, weight/2, weight/2, wkb(rectangle(a[0], a[1], b[0], b[1])))
					n++
				}
			}
		}
	})
	homeValue, _ := demographics.CellOf("median_home_value.value")
	load(t, derived, "small_area_value", func(row func(...any)) {
		for i := range groups {
			for c := range demographics.Cells {
				if cell := &demographics.Cells[c]; cell.Has("US") && (cell.Role != demographics.Scalar || c == homeValue) {
					row(int32(i), cell.ID, float64(1+random.IntN(200)), float64(random.IntN(40)), "2019-2023")
				}
			}
		}
	})
	load(t, derived, "vintage", func(row func(...any)) { row("US", "2019-2023") })
	load(t, derived, "geography", func(row func(...any)) {
		for _, side := range []int{4, 5, 8, 14, 40, 120} {
			for y := 1; y+side < wide; y += side {
				for x := 1; x+side < wide; x += side {
					a, b := blockCorner(x, y), blockCorner(x+side, y+side)
					testPlace{key: fmt.Sprintf("n:%d:%d:%d", side, x, y), level: schemas.Neighbourhood, west: a[0], south: a[1], east: b[0],
						north: b[1]}.write(row)
				}
			}
		}
	})
}
