package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"quartier/bench/wire"
	"quartier/schemas"
)

// endpoint is a kind of request, with the least share of the bare handler that is its target; 0: none.
type endpoint struct {
	name    string
	target  float64
	targets func(w *endpointWorld) []string
}

// endpointWorld is a release with all products, and where to ask about it.
type endpointWorld struct {
	*world
	points []point // of POIs
}

// at makes requests at points: format has a latitude and a longitude.
func at(format string) func(*endpointWorld) []string {
	return func(w *endpointWorld) (targets []string) {
		for _, p := range w.points {
			targets = append(targets, fmt.Sprintf(format, p.lat, p.lng))
		}
		return targets
	}
}

// of makes requests for the geographies that a query of a file of the release names: format has the first column.
func of(format, file, query string) func(*endpointWorld) []string {
	return func(w *endpointWorld) []string {
		return textsOf(w.world, file, fmt.Sprintf("%s LIMIT %d", query, sampleSize), format)
	}
}

func textsOf(w *world, file, text, format string) []string {
	targets := query(w, file, text, func(id *string) []any { return []any{id} })
	for i, id := range targets {
		targets[i] = fmt.Sprintf(format, id)
	}
	return targets
}

const (
	everyGeography = "SELECT geog_id FROM geography WHERE level <= 40 ORDER BY geog_id"
	everyName      = "SELECT DISTINCT substr(name_en, 1, 5) FROM geography WHERE substr(name_en, 1, 5) NOT GLOB '*[^A-Za-z]*' ORDER BY 1"
	everyProfile   = "SELECT DISTINCT geog_id FROM profile_text ORDER BY geog_id"
	everyMarket    = "SELECT geog_id FROM market_stat GROUP BY geog_id HAVING count(*) > 8 ORDER BY geog_id" // of 63: 9 types, 7 intervals
)

// endpoints are the rows of the table.
var endpoints = []endpoint{
	{"geographies at a point", 0.85, at("/v3/geographies?lat=%.6f&lng=%.6f")},
	{"a geography", 0.85, of("/v3/geographies/%s", schemas.GeographiesFile, everyGeography)},
	{"a geography with its outline", 0, of("/v3/geographies/%s?include=geometry", schemas.GeographiesFile, everyGeography)},
	{"geographies by name", 0, of("/v3/geographies?name=%s", schemas.GeographiesFile, everyName)},
	{"500 POIs within 5 km", 0.5, at("/v3/enhanced-pois?lat=%.6f&lng=%.6f&radius=5000")},
	{"20 cafes within 5 km", 0, at("/v3/enhanced-pois?lat=%.6f&lng=%.6f&radius=5000&categories=cafes&limit=20")},
	{"18 scores at a point", 0.85, at("/v3/scores?lat=%.6f&lng=%.6f")},
	{"scores of a geography", 0.85, of("/v3/scores/%s", schemas.GeographiesFile, everyGeography)},
	{"typologies at a point", 0.85, at("/v3/typologies?lat=%.6f&lng=%.6f")},
	{"people within 500 m", 0.7, at("/v3/demographics?lat=%.6f&lng=%.6f")},
	{"people within 5 km", 0.4, at("/v3/demographics?lat=%.6f&lng=%.6f&radius=5000")},
	{"people of a geography", 0.85, of("/v3/demographics/%s", schemas.GeographiesFile, everyGeography)},
	{"schools within 5 km", 0.4, at("/v3/schools?lat=%.6f&lng=%.6f&radius=5000")},
	{"market statistics", 0.6, of("/v3/market-stats/%s", filepath.Join("..", "market", schemas.MarketFile), everyMarket)},
	{"a profile", 0.85, of("/v3/profiles/%s", schemas.ProfilesFile, everyProfile)},
	{"a profile in French", 0.85, of("/v3/profiles/%s?locale=fr", schemas.ProfilesFile, everyProfile)},
	{"snapshot of a point", 0.6, at("/v3/data?include=demographics,scores_all,measures_all,pois_count&lat=%.6f&lng=%.6f")},
}

// measureEndpoints measures every kind of request: answers a second, latency, processor time and bytes, as a share of the bare
// handler and, from outside, with wrk. Requests without an answer, such as where nobody lives, are left out.
func (b *bench) measureEndpoints(ctx context.Context) {
	w := b.serveAll(ctx)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer table.Flush()
	fmt.Fprintln(table, "\nanswers\tat\tanswers/s\tp50\tp99\tCPU an answer\tbytes\tof bare\tby CPU\trange\twrk")
	for _, e := range endpoints {
		targets := w.answered(ctx, e.targets(w))
		if len(targets) == 0 {
			failf("%s: the world has no answer", e.name)
		}
		d := b.comparisonOf(ctx, w.world, targets)
		for _, concurrent := range concurrencies {
			fmt.Fprintln(table, b.measureEndpoint(ctx, e, w, d, concurrent)+b.wrk(ctx, w.world, targets, concurrent))
		}
		d.stop()
	}
}

// measureEndpoint measures one kind of request in interleaved rounds with the bare handler, and returns its row. The share by
// processor time, that of the bare handler for an answer divided by ours, hardly depends on what else the machine does.
func (b *bench) measureEndpoint(ctx context.Context, e endpoint, w *endpointWorld, d *comparison, concurrent int) string {
	size := 0
	for _, body := range d.bodies {
		size += len(body)
	}
	var times, theirs latencies
	keptOurs, release := d.ours.kept(ctx, concurrent)
	defer release()
	keptBare, release := d.bare.kept(ctx, concurrent)
	defer release()
	values := b.Repeat(func() []float64 {
		ours, spent := times.measure(ctx, keptOurs, w.server.Seconds, len(d.bodies), concurrent, b.slice)
		bare, theirSpent := theirs.measure(ctx, keptBare, d.peer.Seconds, len(d.bodies), concurrent, b.slice)
		return []float64{ours, bare, times.quantile(0.5), times.quantile(0.99), spent, theirSpent}
	})
	median := func(k int) float64 { return spreadOf(values[k]).Median }
	share, byTime := ratios(values[0], values[1]), ratios(values[5], values[4])
	b.Record(e.name, "bare handler", concurrent, "answers/s", share, e.target, against(values[0], values[1]))
	b.Record(e.name, "bare handler", concurrent, "1/processor time", byTime, e.target,
		fmt.Sprintf("%.0f µs, theirs %.0f µs", median(4), median(5)))
	return fmt.Sprintf("%s\t%d\t%.0f\t%.2f ms\t%.2f ms\t%.0f µs\t%d\t%.3f\t%.3f\t%.3g–%.3g", e.name, concurrent, median(0), median(2),
		median(3), median(4),
		size/len(d.bodies), share.Median, byTime.Median, byTime.Low, byTime.High)
}

// measure runs a side for a slice of time, and returns its rate and its processor time for an answer in µs, with that of making
// connections unless the side is kept; seconds is what it has spent so far.
func (l *latencies) measure(ctx context.Context, s side, seconds func() float64, queries, concurrent int,
	slice time.Duration) (rate, spent float64) {
	l.reset()
	before := seconds()
	rate = l.of(s).rate(ctx, queries, concurrent, slice)
	return rate, (seconds() - before) / float64(len(l.all)) * 1e6
}

// latencies are the times of answers, of all workers of a side.
type latencies struct {
	sync.Mutex
	all []time.Duration
}

func (l *latencies) reset() { l.all = l.all[:0] }

// of is a side of which every answer is timed.
func (l *latencies) of(s side) side {
	return side{s.name, func(ctx context.Context) (func(int), func()) {
		ask, done := s.worker(ctx)
		var own []time.Duration
		timed := func(i int) {
			begun := time.Now()
			ask(i)
			own = append(own, time.Since(begun))
		}
		return timed, func() {
			done()
			l.Lock()
			defer l.Unlock()
			l.all = append(l.all, own...)
		}
	}}
}

// quantile is the time in milliseconds within which a share of the answers came.
func (l *latencies) quantile(share float64) float64 {
	slices.Sort(l.all)
	return float64(l.all[int(share*float64(len(l.all)-1))]) / float64(time.Millisecond)
}

// serveAll starts a server with the release of the flag, or the synthetic world and its market statistics.
func (b *bench) serveAll(ctx context.Context) *endpointWorld {
	if b.release != "" {
		w := b.startWorld(ctx, b.release)
		return &endpointWorld{w, w.sample(schemas.POIsFile, "poi")}
	}
	places, dir := b.prepare(ctx), filepath.Join(b.dir, "endpoints")
	b.publishMarket(ctx, places, filepath.Join(b.dir, "world", "sources", "listings.yaml"), dir)
	w := b.startWorld(ctx, dir)
	w.release = filepath.Join(dir, "places")
	return &endpointWorld{w, w.sample(schemas.POIsFile, "poi")}
}

// answered are the requests that are answered with content.
func (w *endpointWorld) answered(ctx context.Context, targets []string) []string {
	conn := wire.Dial(ctx, w.addr)
	defer conn.Close()
	return slices.DeleteFunc(targets, func(target string) bool {
		status, _ := conn.Ask(wire.Get(w.addr, target, w.token))
		return status != "200"
	})
}

// wrk measures the same requests from outside, in a column of its own; without wrk there is none.
func (b *bench) wrk(ctx context.Context, w *world, targets []string, concurrent int) string {
	script := filepath.Join(b.dir, "wrk.lua")
	lines := []string{"paths = {"}
	for _, target := range targets {
		lines = append(lines, fmt.Sprintf("%q,", target))
	}
	lines = append(lines, "}", "i = 0", "function request()", "i = i % #paths + 1",
		fmt.Sprintf("return wrk.format('GET', paths[i], {Host = %q, Authorization = 'Bearer %s', Accept = 'application/json'})", w.addr, w.token),
		"end")
	check(os.WriteFile(script, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	defer os.Remove(script)
	out := runToEnd(ctx, "wrk", "-t1", fmt.Sprintf("-c%d", concurrent), fmt.Sprintf("-d%ds", max(1, int(b.slice.Seconds()))), "-s", script,
		"http://"+w.addr).Output
	_, rate, found := strings.Cut(out, "Requests/sec:")
	if !found || strings.Contains(out, "Non-2xx") {
		failf("wrk: %s", out)
	}
	rate, _, _ = strings.Cut(strings.TrimSpace(rate), ".")
	return "\t" + rate + "/s"
}
