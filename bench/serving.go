package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"quartier/bench/placesql"
	"quartier/bench/wire"
	"quartier/schemas"
)

// concurrencies are the numbers of concurrent clients.
var concurrencies = []int{2, 8}

// sampleSize is the number of different queries of a measurement.
const sampleSize = 400

// measureStart measures the time from the start of a server to its first answer, and its memory.
func (b *bench) measureStart(ctx context.Context) {
	release := b.prepare(ctx)
	values := b.Repeat(func() []float64 {
		begun := time.Now()
		server := b.startServer(ctx, release).server
		defer server.Stop()
		return []float64{time.Since(begun).Seconds(), server.MemoryMB("RssAnon"), server.MemoryMB("RssFile")}
	})
	starts, anonymous, files := values[0], values[1], values[2]
	b.Record("server start", "limit of 2 s", 1, "limit/seconds", inverse(2, starts), 1, fmt.Sprintf("%.2f s", spreadOf(starts).Median))
	resident := spreadOf(anonymous).Median
	b.Record("anonymous memory after loading", "limit of 250 MB", 1, "limit/MB", inverse(250, anonymous), 1,
		fmt.Sprintf("%.0f MB, with mapped pages %.0f MB", resident, resident+spreadOf(files).Median))
}

// comparison is a list of queries to the server, to be timed against other sides.
type comparison struct {
	world  *world
	points []point
	bodies [][]byte // the server's answers
	ours   side
	bare   side // the ceiling: the same bytes from memory
	peer   *process
	stop   func()
}

// comparisonAt queries the server at points of a table. format is the path of a query, with a latitude and a longitude.
func (b *bench) comparisonAt(ctx context.Context, file, table, format string) *comparison {
	w := b.serve(ctx)
	points := w.sample(file, table)
	targets := make([]string, len(points))
	for i, p := range points {
		targets[i] = fmt.Sprintf(format, p.lat, p.lng)
	}
	d := b.comparisonOf(ctx, w, targets)
	d.points = points
	return d
}

// comparisonOf queries the server and gives the answers to the ceiling.
func (b *bench) comparisonOf(ctx context.Context, w *world, targets []string) *comparison {
	requests := w.requests(targets)
	bodies := wire.FetchAll(ctx, w.addr, requests)
	bare, process := b.startBare(ctx, bodies, w.token)
	return &comparison{world: w, bodies: bodies, ours: httpSide("quartierd", w.addr, requests), bare: bare, peer: process, stop: process.Stop}
}

// position returns the arguments of a PostGIS query at a point.
func (d *comparison) position(i int) []any { return []any{d.points[i].lng, d.points[i].lat} }

// peer is a side to be timed against, with the target ratio; 0: none.
type peer struct {
	side
	target float64
}

// timeAgainst times the server against its peers and records the ratios.
func (b *bench) timeAgainst(ctx context.Context, d *comparison, name string, peers ...peer) {
	size := 0
	for _, body := range d.bodies {
		size += len(body)
	}
	sides := []side{d.ours}
	for _, p := range peers {
		sides = append(sides, p.side)
	}
	for _, c := range concurrencies {
		rates := b.compare(ctx, len(d.bodies), c, sides...)
		for i, p := range peers {
			theirs := rates[i+1]
			figure := fmt.Sprintf("%s, %.1f kB an answer", against(rates[0], theirs), float64(size)/float64(len(d.bodies))/1024)
			b.Record(name, p.name, c, "answers/s", ratios(rates[0], theirs), p.target, figure)
		}
	}
}

// measurePOIs compares the 500 nearest POIs within 5 km with PostGIS and with the ceiling. PostGIS returns
// the places only; the server also counts all POIs within the radius by category.
func (b *bench) measurePOIs(ctx context.Context) {
	d := b.comparisonAt(ctx, schemas.POIsFile, "poi", "/v3/enhanced-pois?lat=%.6f&lng=%.6f&radius=5000")
	defer d.stop()
	pg := b.startPostgres(ctx)
	d.compareNearest(ctx, pg)
	postgis := pg.side("PostGIS KNN", placesql.Nearest, 15, d.position)
	b.timeAgainst(ctx, d, "500 nearest POIs within 5 km", peer{postgis, 15}, peer{d.bare, 0.5})
}

// checked passes on every 20th query with its decoded answer.
func checked[T any](bodies [][]byte, each func(i int, answer *T)) {
	for i := 0; i < len(bodies); i += 20 {
		var answer T
		check(json.Unmarshal(bodies[i], &answer))
		each(i, &answer)
	}
}

// compareNearest compares our answers with those of PostGIS: the same number within the radius and the same places in the
// same order, except where distances differ by less than the error of the projection.
func (d *comparison) compareNearest(ctx context.Context, pg *postgres) {
	checked(d.bodies, func(i int, ours *schemas.EnhancedPOIsAnswer) {
		d.sameCount("PostGIS", i, pg.count(ctx, d.points[i]), ours.Meta.Counts.TotalCount, 0.02)
		theirs := pg.rows(ctx, placesql.Nearest, d.position(i)...)
		d.sameCount("PostGIS", i, len(theirs), len(ours.Data.Results), 0.02) // where there are fewer than 500
		for k, place := range ours.Data.Results[:min(len(ours.Data.Results), len(theirs))] {
			if m, other := place.Proximity.LinearDistanceM, theirs[k][14].(float64); math.Abs(m-other) > 0.01*m+1 {
				failf("%w: near %v place %d is at %.1f m for PostGIS, at %.1f m for us", errDifferent, d.points[i], k, other, m)
			}
		}
	})
}

// sameCount compares our number of POIs within 5 km with that of a peer.
func (d *comparison) sameCount(peer string, i, theirs, ours int, slack float64) {
	if math.Abs(float64(theirs-ours)) > slack*float64(theirs)+3 {
		failf("%w: within 5 km of %v %s counts %d, we %d", errDifferent, d.points[i], peer, theirs, ours)
	}
}

// measurePoint compares the geographies at a point, all levels, with the ceiling and, without a target, PostGIS.
func (b *bench) measurePoint(ctx context.Context) {
	d := b.comparisonAt(ctx, schemas.POIsFile, "poi", "/v3/geographies?lat=%.6f&lng=%.6f")
	defer d.stop()
	pg := b.startPostgres(ctx)
	for i, p := range d.points {
		var ours schemas.GeographiesAnswer
		check(json.Unmarshal(d.bodies[i], &ours))
		theirs, edges := pg.ids(ctx, placesql.At, d.position(i)), []string(nil)
		if !slices.Equal(slices.Sorted(slices.Values(ours.Meta.Order)), theirs) {
			edges = pg.ids(ctx, placesql.Edge, d.position(i))
		}
		inside := func(ids []string) []string {
			return slices.DeleteFunc(slices.Sorted(slices.Values(ids)), func(id string) bool { return slices.Contains(edges, id) })
		}
		if got, want := inside(ours.Meta.Order), inside(theirs); !slices.Equal(got, want) {
			failf("%w: at %v PostGIS has %v, we %v", errDifferent, p, want, got)
		}
	}
	b.timeAgainst(ctx, d, "geographies at a point", peer{pg.side("PostGIS", placesql.At, 13, d.position), 0}, peer{d.bare, 0.85})
}
