package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/paulmach/orb"

	"quartier/bench/wire"
	"quartier/schemas"
	"quartier/serve/servetest"
)

// Private geographies of look-ups.
const (
	privateCustomers = 1000
	privatePerOne    = 100
)

// measurePrivateLookUps compares look-ups by point beside the private geographies of 1,000 customers, one of whom asks, with
// those without any: where the customer has none, so that the answers are the same, and where it has some.
func (b *bench) measurePrivateLookUps(ctx context.Context) {
	root := filepath.Join(b.dir, "private")
	check(os.RemoveAll(root))
	check(os.MkdirAll(root, 0o755))
	check(os.Symlink(must(filepath.Abs(b.prepare(ctx))), filepath.Join(root, "places")))
	public := &world{release: filepath.Join(root, "places")}
	points := public.sample(schemas.POIsFile, "poi")
	must(servetest.WritePrivate(filepath.Join(root, "private"), public.release, privateOver(points)))
	check(servetest.Publish(root, 1, "places", "private"))
	with, without := b.startWorld(ctx, root), b.startWorld(ctx, public.release)
	defer with.server.Stop()
	defer without.server.Stop()
	for _, look := range []struct{ name, format string }{
		{"geographies at a point", "/v3/geographies?lat=%.6f&lng=%.6f"},
		{"scores at a point and around it", "/v3/scores?lat=%.6f&lng=%.6f&geography_levels=10,30"},
	} {
		targets := make([]string, len(points))
		for i, p := range points {
			targets[i] = fmt.Sprintf(look.format, p.lat, p.lng)
		}
		ours, theirs := with.requests(targets), without.requests(targets)
		bodies, public := wire.FetchAll(ctx, with.addr, ours), wire.FetchAll(ctx, without.addr, theirs)
		var in, outside [2][][]byte
		for i := range targets {
			list := &in
			if bytes.Equal(bodies[i], public[i]) {
				list = &outside
			}
			list[0], list[1] = append(list[0], ours[i]), append(list[1], theirs[i])
		}
		b.timeBeside(ctx, look.name+", same answer", 0.95, with, without, outside)
		b.timeBeside(ctx, look.name+", with private ones", 0, with, without, in)
	}
}

// timeBeside times the same requests to a server with private geographies and to one without.
func (b *bench) timeBeside(ctx context.Context, name string, target float64, with, without *world, requests [2][][]byte) {
	n := len(requests[0])
	if n < 20 {
		failf("%s: %d requests", name, n)
	}
	for _, c := range concurrencies {
		rates := b.compare(ctx, n, c, httpSide("with", with.addr, requests[0]), httpSide("without", without.addr, requests[1]))
		b.Record(name, fmt.Sprintf("without %d private ones", privateCustomers*privatePerOne), c, "answers/s", ratios(rates[0], rates[1]),
			target, fmt.Sprintf("%s, %d points", against(rates[0], rates[1]), n))
	}
}

// privateOver are squares of 0.1 to 1 km around points, those of a customer spread evenly over all of them.
func privateOver(points []point) []servetest.PrivatePlace {
	random := rand.New(rand.NewPCG(1, 2))
	levels := []schemas.Level{schemas.Neighbourhood, schemas.Borough, schemas.Municipality, schemas.County, schemas.Region}
	var all []servetest.PrivatePlace
	for customer := range privateCustomers {
		name := fmt.Sprintf("customer %d", customer)
		if customer == 0 {
			name = "bench" // who asks
		}
		for i := range privatePerOne {
			at := points[(i*len(points)/privatePerOne+customer)%len(points)]
			half := 0.0005 + 0.004*random.Float64()*random.Float64()
			level := levels[random.IntN(len(levels))]
			outline := orb.Bound{Min: orb.Point{at.lng - half, at.lat - half}, Max: orb.Point{at.lng + half, at.lat + half}}.ToPolygon()
			all = append(all, servetest.PrivatePlace{
				ID: fmt.Sprintf("g%d_p%09d", level, len(all)), Customer: name, Level: level, State: "US_VT", Bare: true,
				EN: fmt.Sprintf("Territory %d", i), FR: fmt.Sprintf("Territoire %d", i), Outline: orb.MultiPolygon{outline},
			})
		}
	}
	return all
}
