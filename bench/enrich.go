package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"quartier/bench/inputs"
	"quartier/bench/lateral"
	"quartier/bench/programs"
	"quartier/bench/wire"
	"quartier/internal/geo"
	"quartier/schemas"

	"github.com/paulmach/orb"
)

const (
	enrichRows        = 1_000_000
	enrichConnections = 64
	enrichMemoryMB    = 1000
)

// fewerRows and moreRows are those between which rates should be the same.
const fewerRows, moreRows = enrichRows / 10, enrichRows * 10

// enrichment is columns that are added, with the rows a minute that are the goal and the parts of a snapshot that have them.
type enrichment struct {
	what, add, parts string
	geographies      bool // which the API has for themselves
	goal             float64
}

var enrichments = []enrichment{
	{"18 scores, 45 measures, geographies", "scores,measures,geographies", "scores_all,measures_all", true, 10e6},
	{"people within 500 m, counts within 5 km", "demographics,pois", "demographics,pois_count", false, 2e6},
}

// measureEnrich measures quartier enrich from Parquet to Parquet: against the goals in rows a minute, against the same
// values through the API, points in any order against points along a curve, many rows against few, its memory against a
// gigabyte, and PostGIS.
func (b *bench) measureEnrich(ctx context.Context) {
	if b.release != "" && b.world == nil {
		b.world = b.startWorld(ctx, b.release)
	}
	w := b.serve(ctx)
	points := w.pointsNearStreets(moreRows)
	some := slices.Clone(points[:enrichRows])
	shuffled, few, many, along := b.enriching("shuffled"), b.enriching("few"), b.enriching("many"), b.enriching("along")
	inputs.WritePoints(ctx, many, points)
	inputs.WritePoints(ctx, few, points[:fewerRows])
	inputs.WritePoints(ctx, shuffled, some)
	slices.SortFunc(some, func(p, q orb.Point) int { return cmp.Compare(geo.Hilbert(p), geo.Hilbert(q)) })
	inputs.WritePoints(ctx, along, some)
	for _, e := range enrichments {
		name := "enrich: " + e.what
		ask := b.askAPI(w, e, points)
		memory := 0.0
		run := func(in string) programs.Finished {
			ended := b.enrich(ctx, w, in, "--add", e.add)
			memory = max(memory, ended.PeakMB)
			return ended
		}
		measured := b.Repeat(func() []float64 {
			any, sorted := run(shuffled), run(along)
			server, all := ask(ctx)
			return []float64{enrichRows / any.Seconds, e.goal / 60, any.Processor, sorted.Processor, server * enrichRows, all * enrichRows}
		})
		rates, goal, processor, sorted, server, asked := measured[0], measured[1], measured[2], measured[3], measured[4], measured[5]
		said := fmt.Sprintf("%.3g rows a minute, %.3g µs of processor time a row", 60*spreadOf(rates).Median,
			1e6*spreadOf(processor).Median/enrichRows)
		b.Record(name, "goal", 1, "rows/s", ratios(rates, goal), 1, said)
		b.Record(name, "API", enrichConnections, "processor time", ratios(asked, processor), 50,
			fmt.Sprintf("a point %.3g µs, by the API %.3g µs, of the server %.3g µs", 1e6*spreadOf(processor).Median/enrichRows,
				1e6*spreadOf(asked).Median/enrichRows, 1e6*spreadOf(server).Median/enrichRows))
		b.Record(name, "points along a curve", 1, "processor time", ratios(sorted, processor), 0.8,
			fmt.Sprintf("%.3g µs a row, along a curve %.3g µs", 1e6*spreadOf(processor).Median/enrichRows, 1e6*spreadOf(sorted).Median/enrichRows))
		b.enrichMany(name, run(few), run(many))
		b.Record(name, "1 GB of memory", 1, "MB", inverse(enrichMemoryMB, []float64{memory}), 1,
			fmt.Sprintf("%.0f MB at most, with mapped packs", memory))
	}
	b.enrichAgainstPostGIS(ctx, w, shuffled, points[:enrichRows])
}

// enrichMany compares runs of fewerRows and moreRows.
func (b *bench) enrichMany(name string, few, many programs.Finished) {
	times := many.Seconds / few.Seconds / (moreRows / fewerRows)
	linear := few.Processor / many.Processor * (moreRows / fewerRows)
	b.Record(name, fmt.Sprintf("%d rows", fewerRows), 1, "processor time", spreadOf([]float64{linear}), 0.9,
		fmt.Sprintf("%d rows: %.3g a minute, %.3g µs of processor time a row, %.0f MB; %d rows: %.3g a minute, %.3g µs; seconds a row %.2f as "+
			"many",
			moreRows, 60*moreRows/many.Seconds, 1e6*many.Processor/moreRows, many.PeakMB,
			fewerRows, 60*fewerRows/few.Seconds, 1e6*few.Processor/fewerRows, times))
}

// askAPI returns a function that asks the API for the same values, by many connections, and reads the answers. It returns
// the processor time of a point in seconds: the server's, and that of server and client.
func (b *bench) askAPI(w *world, e enrichment, points []orb.Point) func(context.Context) (server, all float64) {
	var snapshots, places [][]byte
	for i := 0; i < enrichRows; i += enrichRows / sampleSize {
		at := fmt.Sprintf("lat=%.6f&lng=%.6f", points[i][1], points[i][0])
		snapshots = append(snapshots, wire.Get(w.addr, "/v3/data?include="+e.parts+"&"+at, w.token))
		places = append(places, wire.Get(w.addr, "/v3/geographies?"+at, w.token))
	}
	api := side{"API", func(ctx context.Context) (func(int), func()) {
		conn := wire.Dial(ctx, w.addr)
		return func(i int) {
			check(json.Unmarshal(conn.Do(snapshots[i]), new(schemas.SnapshotAnswer)))
			if e.geographies {
				check(json.Unmarshal(conn.Do(places[i]), new(schemas.GeographiesAnswer)))
			}
		}, conn.Close
	}}
	return func(ctx context.Context) (server, all float64) {
		own, theirs, begun := programs.OwnSeconds(), w.server.Seconds(), time.Now()
		rate := api.rate(ctx, len(snapshots), enrichConnections, b.slice)
		answers := rate * time.Since(begun).Seconds()
		server = (w.server.Seconds() - theirs) / answers
		return server, server + (programs.OwnSeconds()-own)/answers
	}
}

// enriching is the path of a file with points.
func (b *bench) enriching(name string) string { return filepath.Join(b.dir, name+".parquet") }

// enrich runs quartier enrich over a file.
func (b *bench) enrich(ctx context.Context, w *world, in string, options ...string) programs.Finished {
	all := []string{"enrich", "--release", w.release, "--in", in, "--out", b.enriching("enriched"), "--force"}
	return runToEnd(ctx, b.program("quartier"), append(all, options...)...)
}

// pointsNearStreets are points in any order.
func (w *world) pointsNearStreets(n int) []orb.Point {
	corners := query(w, schemas.AccessFile, "SELECT xmin, ymin FROM idx_street_edge_geometry ORDER BY pkid",
		func(p *point) []any { return []any{&p.lng, &p.lat} })
	random := rand.New(rand.NewPCG(1, 17))
	points := make([]orb.Point, n)
	for i := range points {
		p := corners[random.IntN(len(corners))]
		points[i] = orb.Point{p.lng + 1e-3*random.Float64(), p.lat + 1e-3*random.Float64()}
	}
	return points
}

// enrichAgainstPostGIS compares the nearest café and counts within 5 km with PostGIS, which adds them to fewer points by
// LATERAL, with a connection for each processor.
func (b *bench) enrichAgainstPostGIS(ctx context.Context, w *world, in string, points []orb.Point) {
	pg := b.startPostgres(ctx)
	sample := points[:lateral.Points]
	lateral.Load(ctx, pg.conn, sample)
	lateral.Same(ctx, pg.conn, sample, b.enrichedTable(ctx, w, sample))
	rates := b.Repeat(func() []float64 {
		return []float64{float64(len(points)) / b.enrich(ctx, w, in, enrichedByPostGIS...).Seconds,
			lateral.Points / lateral.Enrich(ctx, pg.dsn).Seconds()}
	})
	b.Record("enrich: nearest café, counts within 5 km", "PostGIS LATERAL", runtime.GOMAXPROCS(0), "rows/s", ratios(rates[0], rates[1]),
		100, against(rates[0], rates[1]))
}

// enrichedByPostGIS are the options by which quartier enrich adds the same.
var enrichedByPostGIS = []string{"--add", "nearest,pois", "--nearest", "cafes:1", "--radius", "pois:5km", "--categories",
	strings.Join(lateral.Categories, ",")}

// enrichedTable are points as quartier enrich writes them as CSV, after a line of names.
func (b *bench) enrichedTable(ctx context.Context, w *world, points []orb.Point) [][]string {
	in, out := filepath.Join(b.dir, "points.csv"), filepath.Join(b.dir, "enriched.csv")
	text := []byte("lat,lng\n")
	for _, p := range points {
		text = fmt.Appendf(text, "%v,%v\n", p[1], p[0])
	}
	check(os.WriteFile(in, text, 0o644))
	runToEnd(ctx, b.program("quartier"), append([]string{"enrich", "--release", w.release, "--in", in, "--out", out, "--force"},
		enrichedByPostGIS...)...)
	file := must(os.Open(out))
	defer file.Close()
	return must(csv.NewReader(file).ReadAll())
}
