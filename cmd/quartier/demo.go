package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"quartier/build/publish"
	"quartier/build/released"
	"quartier/cmd/quartier/local"
	"quartier/cmd/quartier/pipeline"
	"quartier/fixtures"
	"quartier/ingest"
	"quartier/schemas"
	days "quartier/schemas/market"
)

func demoCommand() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "build a release of the synthetic fixtures with market statistics, create an account and serve it until interrupted",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "`DIR` of the demo's sources, release, state and credentials", Value: "out/demo"},
			&cli.StringFlag{Name: "addr", Usage: "`HOST:PORT` to listen on", Value: "127.0.0.1:8080"},
			logFlag(),
		},
		Action: func(c *cli.Context) error {
			log, err := logger(c)
			if err != nil {
				return err
			}
			d := demo{dir: c.String("out"), out: c.App.Writer, screen: c.App.ErrWriter, log: log}
			d.server = local.Server{Dir: d.dir, Releases: d.releases(), Addr: c.String("addr"), Customer: "Demo", Out: d.out, Screen: d.screen,
				Log: log}
			if err := d.server.Free(); err != nil {
				return err
			}
			if err := d.build(c.Context); err != nil {
				return err
			}
			return d.server.Run(c.Context, d.printQuickStart)
		},
	}
}

type demo struct {
	dir         string
	out, screen io.Writer
	log         *slog.Logger
	server      local.Server
	stats       string // day of the market statistics
}

// releases is the folder of the releases, release that of the places.
func (d *demo) releases() string { return filepath.Join(d.dir, "releases") }
func (d *demo) release() string  { return filepath.Join(d.releases(), "places") }
func (d *demo) sources() string  { return filepath.Join(d.dir, "sources") }

// build writes the synthetic sources, builds their release and market statistics, and publishes both.
func (d *demo) build(ctx context.Context) error {
	sources := d.sources()
	if err := os.RemoveAll(sources); err != nil {
		return err
	}
	if _, err := fixtures.Write(ctx, sources, fixtures.Options{Scale: 1, Seed: 1}); err != nil {
		return err
	}
	d.log.Info("fixtures written", "to", sources)
	release, err := ingest.ReadRelease(filepath.Join(sources, "release.yaml"))
	if err != nil {
		return err
	}
	p := &pipeline.Build{
		Name: release.Name, Out: d.release(), Work: filepath.Join(d.dir, "work"), Force: true, ToolVersion: version(), Log: d.log,
		Screen: d.screen,
	}
	for _, file := range release.Regions {
		region, err := ingest.ReadRegion(file, os.LookupEnv, "")
		if err != nil {
			return err
		}
		p.Regions = append(p.Regions, region)
	}
	if err := p.Run(ctx, nil); err != nil {
		return err
	}
	return d.market(ctx)
}

// market computes the market statistics of the synthetic listings, and publishes the release with them.
func (d *demo) market(ctx context.Context) error {
	listings, err := ingest.ReadListings(filepath.Join(d.sources(), "listings.yaml"), os.LookupEnv, "")
	if err != nil {
		return err
	}
	run := &marketRun{
		release: d.release(), work: filepath.Join(d.dir, "market.work"), out: filepath.Join(d.releases(), "market"),
		asOf: days.NoDay, listings: listings, log: d.log,
	}
	m, err := run.do(ctx)
	if err != nil {
		return err
	}
	d.stats = m.AsOf
	_, err = publish.Pointer(d.releases(), publish.Set{Places: d.release(), Market: run.out})
	return err
}

// soldIn is the geog_id of the municipality with the most sales of the last 30 days.
func (d *demo) soldIn() (string, error) {
	db, err := released.Open(filepath.Join(d.releases(), "market", schemas.MarketFile))
	if err != nil {
		return "", err
	}
	defer db.Close()
	ids, err := released.Values[string](context.Background(), db,
		"SELECT geog_id FROM market_stat WHERE type = 'single_family' AND code = '30d' AND geog_id LIKE 'g30%' ORDER BY homes_sold DESC, "+
			"geog_id LIMIT 1")
	if err != nil || len(ids) == 0 {
		return "", errors.Join(errors.New("the synthetic listings have no sales"), err)
	}
	return ids[0], nil
}

// printQuickStart prints the credentials, requests to copy and how to stop.
func (d *demo) printQuickStart(made local.Credentials) error {
	sales, err := d.soldIn()
	if err != nil {
		return err
	}
	town := fixtures.DemoPoint()
	fmt.Fprintf(d.out, `
quartier serves the synthetic fixtures at %[1]s

  client_id      %[2]s
  client_secret  %[3]s
  (also in %[4]s)

In another terminal, get a token, the geographies at a point, the cafés near it, its 18 scores, the demographics within
500 m, the schools on both sides of the border, the market of a town in the 30 days before %[8]s, and what the
neighbourhood is like in French:

TOKEN=$(curl -s %[1]s/oauth/token -H 'Content-Type: application/json' -d '{"client_id":"%[2]s","client_secret":"%[3]s"}' | sed 's/.*"access_token":"\([^"]*\)".*/\1/')
curl -s -H "Authorization: Bearer $TOKEN" '%[1]s/v3/geographies?lat=%[5]s&lng=%[6]s'
curl -s -H "Authorization: Bearer $TOKEN" '%[1]s/v3/enhanced-pois?lat=%[5]s&lng=%[6]s&radius=1000&categories=cafes&limit=3'
curl -s -H "Authorization: Bearer $TOKEN" '%[1]s/v3/scores?lat=%[5]s&lng=%[6]s'
curl -s -H "Authorization: Bearer $TOKEN" '%[1]s/v3/demographics?lat=%[5]s&lng=%[6]s&language=fr'
curl -s -H "Authorization: Bearer $TOKEN" '%[1]s/v3/schools?lat=%[5]s&lng=%[6]s&radius=15000&language=fr&include_catchments=true'
curl -s -H "Authorization: Bearer $TOKEN" '%[1]s/v3/market-stats/%[7]s?property_types=single_family&intervals=30d'
curl -s -H "Authorization: Bearer $TOKEN" '%[1]s/v3/profiles?lat=%[5]s&lng=%[6]s&locale=fr'

OpenAPI document: %[1]s/openapi.json
Stop with Ctrl-C.

`, made.BaseURL, made.ClientID, made.ClientSecret, d.server.CredentialsFile(), coordinate(town.Lat), coordinate(town.Lng), sales, d.stats)
	return nil
}

func coordinate(x float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.5f", x), "0"), ".")
}
