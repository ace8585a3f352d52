package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quartier/bench/attack"
	"quartier/schemas"
)

const (
	worstLimit   = 5 * time.Millisecond
	worstRounds  = 3 // over all requests of a kind, of which the slowest is measured
	worstRepeats = 60
)

// measureWorst measures the most expensive known request of each operation: the slowest of many, one at a time.
func (b *bench) measureWorst(ctx context.Context) {
	w := b.worstWorld(ctx)
	for _, kind := range attack.Worst(w.asked()) {
		if !strings.Contains(kind.Name, b.attacks) {
			continue
		}
		b.measureKind(ctx, w, kind)
	}
}

// worstWorld serves the release of the flag, or the synthetic world with its market statistics.
func (b *bench) worstWorld(ctx context.Context) *endpointWorld {
	if b.release == "" {
		return b.serveAll(ctx)
	}
	w := b.startWorld(ctx, b.release)
	return &endpointWorld{w, w.sample(schemas.POIsFile, "poi")}
}

// asked is what the world has to be asked for.
func (w *endpointWorld) asked() *attack.World {
	asked := &attack.World{
		Geographies: textsOf(w.world, schemas.GeographiesFile, "SELECT geog_id FROM geography ORDER BY area_m2 DESC LIMIT 200", "%s"),
		Below:       textsOf(w.world, schemas.GeographiesFile, "SELECT geog_id FROM geography WHERE level <= 40 ORDER BY area_m2 DESC LIMIT 200", "%s"),
		Names:       textsOf(w.world, schemas.GeographiesFile, "SELECT DISTINCT name_en FROM geography ORDER BY length(name_en) DESC, name_en LIMIT 100", "%s"),
		Profiles:    textsOf(w.world, schemas.ProfilesFile, everyProfile+" LIMIT 200", "%s"),
	}
	if file := filepath.Join("..", "market", schemas.MarketFile); w.has(file) {
		asked.Market = textsOf(w.world, file, everyMarket+" LIMIT 200", "%s")
		asked.Intervals = textsOf(w.world, file, "SELECT code FROM interval ORDER BY 1", "%s")
	}
	for _, p := range w.points {
		asked.Points = append(asked.Points, [2]float64{p.lng, p.lat})
	}
	return asked
}

func (w *endpointWorld) has(file string) bool {
	_, err := os.Stat(filepath.Join(w.release, file))
	return err == nil
}

// measureKind finds the slowest request of a kind and records how long it takes, in the median, and its processor time.
func (b *bench) measureKind(ctx context.Context, w *endpointWorld, kind attack.Kind) {
	if len(kind.Requests) == 0 {
		return // the release has no market statistics
	}
	conn := dial(ctx, w.addr)
	defer func() { conn.close() }()
	ask := func(r attack.Request) (took time.Duration, status string, size int) {
		text := wireOf(w.addr, w.token, r)
		begun := time.Now()
		status, body := conn.ask(text)
		took = time.Since(begun)
		if status[0] == '4' && (r.Body != "" || len(text) > 32<<10) { // the connection may be closed
			conn.close()
			conn = dial(ctx, w.addr)
		}
		return took, status, len(body)
	}
	least := make([]time.Duration, len(kind.Requests))
	for range worstRounds {
		for i, r := range kind.Requests {
			if took, _, _ := ask(r); least[i] == 0 || took < least[i] {
				least[i] = took
			}
		}
	}
	slowest := 0
	for i, took := range least {
		if took > least[slowest] {
			slowest = i
		}
	}
	r := kind.Requests[slowest]
	var all []time.Duration
	before := w.server.Seconds()
	status, size := "", 0
	for range worstRepeats {
		var took time.Duration
		took, status, size = ask(r)
		all = append(all, took)
	}
	processor := (w.server.Seconds() - before) / worstRepeats * 1000
	slices.Sort(all)
	median := all[len(all)/2]
	ratio := round3(worstLimit.Seconds() / median.Seconds())
	b.record(result{kind.Name, "limit of 5 ms", 1, "limit/ms", spread{ratio, round3(worstLimit.Seconds() / all[len(all)-1].Seconds()), round3(worstLimit.Seconds() / all[0].Seconds())}, 1, false},
		fmt.Sprintf("%.0f µs, processor %.1f ms, status %s, %d bytes, of %d: %.60s", float64(median.Nanoseconds())/1000, processor, status, size, len(kind.Requests), strings.TrimPrefix(r.Target, "/v3")))
}

// wireOf is a request as it is sent.
func wireOf(addr, token string, r attack.Request) []byte {
	method := "GET"
	headers := slices.Clone(r.Headers)
	if r.Body != "" {
		method = "POST"
		headers = append(headers, fmt.Sprintf("Content-Length: %d", len(r.Body)))
	}
	text := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n", method, r.Target, addr, token)
	for _, h := range headers {
		text += h + "\r\n"
	}
	return []byte(text + "\r\n" + r.Body)
}
