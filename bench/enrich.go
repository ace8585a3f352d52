package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"quartier/internal/arrowfile"
	"quartier/internal/geo"
	"quartier/schemas"

	"github.com/paulmach/orb"
)

const (
	enrichRows        = 1_000_000
	enrichConnections = 64
	enrichMemoryMB    = 1000
)

// enrichments are columns that are added, with the rows a minute that are the goal and the parts of a snapshot that have them.
var enrichments = []struct {
	what, add, parts string
	goal             float64
}{
	{"18 scores, 45 measures, geographies", "scores,measures,geographies", "scores_all,measures_all", 10e6},
	{"people within 500 m, counts within 5 km", "demographics,pois", "demographics,pois_count", 2e6},
}

// measureEnrich measures quartier enrich from Parquet to Parquet: against the goals in rows a minute, against the same
// values through the API, points in any order against points along a curve, and its memory against a gigabyte.
func (b *bench) measureEnrich(ctx context.Context) {
	w := b.serve(ctx)
	points := b.enrichPoints(w)
	shuffled, along := filepath.Join(b.dir, "shuffled.parquet"), filepath.Join(b.dir, "along.parquet")
	writePoints(ctx, shuffled, points)
	key := func(p point) uint64 { return geo.Hilbert(orb.Point{p.lng, p.lat}) }
	slices.SortFunc(points, func(p, q point) int { return cmp.Compare(key(p), key(q)) })
	writePoints(ctx, along, points)
	for _, e := range enrichments {
		var requests [][]byte
		for i := 0; i < len(points); i += len(points) / sampleSize {
			requests = append(requests, get(w.addr, fmt.Sprintf("/v3/data?include=%s&lat=%.6f&lng=%.6f", e.parts, points[i].lat, points[i].lng), w.token))
		}
		api := httpSide("API", w.addr, requests)
		memory := 0.0
		run := func(in string) float64 {
			ended := runToEnd(ctx, b.program("quartier"), "enrich", "--release", w.release, "--in", in, "--out", filepath.Join(b.dir, "enriched.parquet"),
				"--force", "--add", e.add)
			memory = max(memory, ended.PeakMB)
			return enrichRows / ended.Seconds
		}
		rates := b.repeat(func() []float64 {
			return []float64{run(shuffled), run(along), api.rate(ctx, len(requests), enrichConnections, b.slice), e.goal / 60}
		})
		rate := spreadOf(rates[0]).Median
		said := fmt.Sprintf("%.3g rows a minute", 60*rate)
		b.record(result{"enrich: " + e.what, "goal", 1, "rows/s", ratios(rates[0], rates[3]), 1, false}, said)
		b.record(result{"enrich: " + e.what, "API", enrichConnections, "rows/s", ratios(rates[0], rates[2]), 50, false},
			fmt.Sprintf("%s, theirs %.0f/s", said, spreadOf(rates[2]).Median))
		b.record(result{"enrich: " + e.what, "points along a curve", 1, "rows/s", ratios(rates[0], rates[1]), 0.8, false}, said)
		share := enrichMemoryMB / memory
		b.record(result{"enrich: " + e.what, "1 GB of memory", 1, "MB", spread{share, share, share}, 1, false}, fmt.Sprintf("%.0f MB at most", memory))
	}
}

// enrichPoints are points near streets in any order.
func (b *bench) enrichPoints(w *world) []point {
	corners := query(w, schemas.AccessFile, "SELECT xmin, ymin FROM idx_street_edge_geometry ORDER BY pkid",
		func(p *point) []any { return []any{&p.lng, &p.lat} })
	random := rand.New(rand.NewPCG(1, 17))
	points := make([]point, enrichRows)
	for i := range points {
		p := corners[random.IntN(len(corners))]
		points[i] = point{p.lng + 1e-3*random.Float64(), p.lat + 1e-3*random.Float64()}
	}
	return points
}

// writePoints writes points with a number as a Parquet file.
func writePoints(ctx context.Context, path string, points []point) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "lat", Type: arrow.PrimitiveTypes.Float64}, {Name: "lng", Type: arrow.PrimitiveTypes.Float64},
	}, nil)
	rows := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer rows.Release()
	for i, p := range points {
		rows.Field(0).(*array.Int64Builder).Append(int64(i))
		rows.Field(1).(*array.Float64Builder).Append(p.lat)
		rows.Field(2).(*array.Float64Builder).Append(p.lng)
	}
	record := rows.NewRecord()
	defer record.Release()
	out := must(arrowfile.Create(path, schema, arrowfile.Options{Format: arrowfile.Parquet}))
	defer out.Abort()
	check(out.WriteBatch(record))
	check(out.Close(ctx))
}
