package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"time"

	"quartier/bench/wire"
	"quartier/internal/pmtiles"
	"quartier/schemas"
)

// tiledScales are the towns of the worlds whose maps are made.
var tiledScales = []int{5, 20}

// measureTiles measures how the making of a release's map scales with the release, and the reading of a tile of the archive
// against a copy of the same bytes.
func (b *bench) measureTiles(ctx context.Context) {
	var worlds []string
	for _, scale := range tiledScales {
		dir := filepath.Join(b.dir, fmt.Sprintf("tiles%d", scale))
		b.buildOnce(ctx, dir, fmt.Sprintf("scale=%d", scale), func(sources string) {
			runToEnd(ctx, b.program("quartier"), "fixtures", "--out", sources, "--scale", fmt.Sprint(scale))
		})
		worlds = append(worlds, dir)
	}
	var rates [][]float64
	figures := make([]string, len(worlds))
	for range b.Rounds {
		var round []float64
		for i, dir := range worlds {
			made := runSelf(ctx, "tiles", filepath.Join(dir, "release"), filepath.Join(dir, "tiles"))
			var rows int64
			var seconds, size float64
			must(fmt.Sscan(made.Output, &rows, &seconds, &size))
			round = append(round, float64(rows)/made.Processor)
			figures[i] = fmt.Sprintf("%d nodes and edges, %.1f s, %.1f s of processor time, %.1f MB, peak memory %.0f MB", rows, seconds,
				made.Processor, size/1e6, made.PeakMB)
		}
		rates = append(rates, round)
	}
	one := func(i int) (list []float64) {
		for _, round := range rates {
			list = append(list, round[i])
		}
		return list
	}
	b.Record(fmt.Sprintf("map of %d towns", tiledScales[0]), "itself", runtime.GOMAXPROCS(0), "rows/processor s",
		ratios(one(0), one(0)), 0, figures[0])
	b.Record(fmt.Sprintf("map of %d towns", tiledScales[1]), fmt.Sprintf("map of %d", tiledScales[0]), runtime.GOMAXPROCS(0),
		"rows/processor s", ratios(one(1), one(0)), 0, figures[1])
	b.measureReading(filepath.Join(worlds[1], "release", schemas.TilesFile))
	b.measureTileAnswers(ctx, filepath.Join(worlds[1], "release"))
}

// explorerLink is the key that quartierd prints.
var explorerLink = regexp.MustCompile(`/explore/open\?key=(\S+)`)

// measureTileAnswers compares tiles of the explorer with the ceiling.
func (b *bench) measureTileAnswers(ctx context.Context, release string) {
	var made struct {
		ClientID string `json:"client_id"`
	}
	check(json.Unmarshal([]byte(runToEnd(ctx, b.program("quartier"), "account", "create", "--state", b.state(), "--customer",
		"explorer").Output), &made))
	w := b.startServer(ctx, release, "--explore", "--explore-account", made.ClientID)
	var link []string
	w.server.Await(ctx, func() bool {
		link = explorerLink.FindStringSubmatch(w.server.Output.String())
		return link != nil
	})
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer := must(client.Get("http://" + w.addr + link[0]))
	check(answer.Body.Close())
	if len(answer.Cookies()) != 1 {
		failf("opening the link: %s without a cookie", answer.Status)
	}
	cookie := answer.Cookies()[0]
	archive := must(pmtiles.OpenFile(filepath.Join(release, schemas.TilesFile)))
	defer archive.Close()
	var requests [][]byte
	check(archive.Each(func(e pmtiles.Entry, _ []byte) error {
		z, x, y, _ := pmtiles.Tile(e.ID)
		requests = append(requests, fmt.Appendf(nil,
			"GET /explore/tiles/map/%d/%d/%d.mvt HTTP/1.1\r\nHost: %s\r\nCookie: %s=%s\r\nAccept-Encoding: gzip\r\n\r\n",
			z, x, y, w.addr, cookie.Name, cookie.Value))
		return nil
	}))
	bodies := wire.FetchAll(ctx, w.addr, requests)
	bare, process := b.startBare(ctx, bodies, "")
	defer process.Stop()
	b.timeAgainst(ctx, &comparison{bodies: bodies, ours: httpSide("quartierd", w.addr, requests)}, "a tile of the map", peer{bare, 0.8})
}

// measureReading measures the reading of tiles in any order, each copied into a buffer as a server does, against a copy of
// the same slices.
func (b *bench) measureReading(path string) {
	a := must(pmtiles.OpenFile(path))
	defer a.Close()
	type place struct {
		z    uint8
		x, y uint32
		data []byte
	}
	var list []place
	check(a.Each(func(e pmtiles.Entry, data []byte) error {
		z, x, y, _ := pmtiles.Tile(e.ID)
		list = append(list, place{z, x, y, data})
		return nil
	}))
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	longest := slices.MaxFunc(list, func(p, q place) int { return len(p.data) - len(q.data) })
	buffer := make([]byte, len(longest.data))
	rate := func(read func(p *place) []byte) float64 {
		begun, n := time.Now(), 0
		for time.Since(begun) < time.Second/2 {
			for i := range list {
				copy(buffer, read(&list[i]))
			}
			n += len(list)
		}
		return float64(n) / time.Since(begun).Seconds()
	}
	var ours, theirs []float64
	for range b.Rounds {
		ours = append(ours, rate(func(p *place) []byte {
			data, _ := a.Tile(p.z, p.x, p.y)
			return data
		}))
		theirs = append(theirs, rate(func(p *place) []byte { return p.data }))
	}
	b.Record("reading a tile", "a copy of its bytes", 1, "tiles/s", ratios(ours, theirs), 0,
		fmt.Sprintf("%d tiles, %.0f ns a tile, copy %.0f ns", len(list), 1e9/spreadOf(ours).Median, 1e9/spreadOf(theirs).Median))
}
