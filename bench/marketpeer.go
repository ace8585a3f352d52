package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"time"

	"quartier/bench/marketsql"
	"quartier/fixtures/resofile"
	"quartier/schemas"
	"quartier/schemas/market"
)

// peerListings are the listings of which PostgreSQL computes a slice, in which it takes minutes.
const peerListings = 40_000

// townSpot and townSpread are the synthetic towns.
var townSpot = resofile.Spot{Lng: -72.53, Lat: 44.97, State: "VT"}

const townSpread = 0.02

// measureMarketPeer compares quartier market over listings that are taken in already with PostgreSQL, which computes the same
// geographies, types, intervals and metrics but for absorption, conditions, pending listings and re-listings (package marketsql):
// the computation alone, which with us includes reading the listings, finding the geographies of each, and the types that
// PostgreSQL is not asked for, and the whole run with the writing of the component. PostgreSQL has the geographies of each
// listing and its days on the market beforehand.
func (b *bench) measureMarketPeer(ctx context.Context, dir, places string) {
	pg := b.startLoaded(ctx, filepath.Join(dir, "postgres"), func(pg *postgres) {
		pg.execute(ctx, "CREATE EXTENSION IF NOT EXISTS postgis")
		pg.importTable(ctx, filepath.Join(places, schemas.GeographiesFile), "geography", "-nln", "outline") // PostGIS has a type called geography
		pg.execute(ctx, "CREATE INDEX ON outline USING gist (geometry)")
	})
	listings := min(peerListings, b.listings)
	b.marketRuns(ctx, dir, places, resofile.Bulk{Listings: listings, Spots: []resofile.Spot{townSpot}, Spread: townSpread})
	all := must(filepath.Abs(filepath.Join(dir, "generated", "all.csv")))
	check(os.Chmod(all, 0o644))
	pg.loadListings(ctx, all)
	check(os.Remove(filepath.Join(dir, "generated", "changed.csv")))
	var whole, computing []float64
	for range b.Rounds {
		check(os.RemoveAll(filepath.Join(dir, "work", schemas.Market))) // everything is computed
		ours := runToEnd(ctx, b.program("quartier"), "market", "--release", places, "--listings", filepath.Dir(all), "--work",
			filepath.Join(dir, "work"),
			"--as-of", marketDay.String(), "--out", filepath.Join(dir, "out"))
		theirs := 0.0
		for _, q := range marketsql.Queries {
			start := time.Now()
			rows := pg.rows(ctx, q.SQL())
			theirs += time.Since(start).Seconds()
			marketsql.Same(ctx, filepath.Join(dir, "out"), q, rows)
		}
		whole, computing = append(whole, theirs/ours.Seconds), append(computing, theirs/computingSeconds(ours.Output))
	}
	const peer = "PostgreSQL with percentile_cont"
	b.Record(fmt.Sprintf("statistics of %d listings", listings), peer, runtime.GOMAXPROCS(0), "seconds", spreadOf(computing), 10, "")
	b.Record(fmt.Sprintf("component of %d listings", listings), peer, runtime.GOMAXPROCS(0), "seconds", spreadOf(whole), 0,
		"with the writing of our files")
}

// progress is a line of the log of quartier market: seconds since its beginning, and what begins or is done.
var progress = regexp.MustCompile(`(?m)^ *([0-9.]+)s +(computing|computed) `)

// computingSeconds is the time from the first step of the computation to its end.
func computingSeconds(log string) float64 {
	lines := progress.FindAllStringSubmatch(log, -1)
	if len(lines) < 2 || lines[len(lines)-1][2] != "computed" {
		failf("no steps of a computation in %q", log)
	}
	return must(strconv.ParseFloat(lines[len(lines)-1][1], 64)) - must(strconv.ParseFloat(lines[0][1], 64))
}

// loadListings makes the tables and indexes that a PostgreSQL user would, with the geographies of each listing.
func (pg *postgres) loadListings(ctx context.Context, csv string) {
	pg.execute(ctx, "DROP TABLE IF EXISTS raw, listing, listing_geography",
		`CREATE UNLOGGED TABLE raw (id bigint, system text, modified timestamptz, status text, property text, type text, listed date, contract date,
			off date, expired date, closed date, asked bigint, original bigint, price bigint, area bigint, built bigint, state text, postal text, lat float8, lng float8)`)
	file := must(os.Open(csv))
	defer file.Close()
	must(pg.conn.PgConn().CopyFrom(ctx, file, "COPY raw FROM STDIN WITH (FORMAT csv, HEADER)"))
	pg.execute(ctx,
		"CREATE UNLOGGED TABLE listing AS SELECT *, coalesce(least(contract, off, expired, closed), 'infinity') AS gone FROM raw ORDER BY id",
		"ALTER TABLE listing ADD PRIMARY KEY (id)",
		`CREATE UNLOGGED TABLE listing_geography AS SELECT l.id, g.geog_id FROM listing AS l JOIN outline AS g
			ON ST_Intersects(g.geometry, ST_SetSRID(ST_MakePoint(l.lng, l.lat), 4326)) WHERE g.level <= 40`,
		"DROP TABLE IF EXISTS kind, span", "CREATE TABLE kind (of text, type text)", "CREATE TABLE span (code text, first date, last date)",
		"INSERT INTO kind VALUES ('SingleFamilyResidence', 'single_family'), ('Condominium', 'condo_townhome'), ('Townhouse', "+
			"'condo_townhome'), ('Duplex', 'multi_family_under_5_units'), ('UnimprovedLand', 'vacant_land')",
		"INSERT INTO kind SELECT of, 'all_residential_properties' FROM kind WHERE of <> 'UnimprovedLand'",
		"CREATE INDEX ON listing_geography (geog_id, id)", "CREATE INDEX ON listing (closed)", "CREATE INDEX ON listing (listed, gone)")
	for _, i := range market.Intervals(market.Day(marketDay)) {
		pg.execute(ctx, fmt.Sprintf("INSERT INTO span VALUES ('%s', '%s', '%s')", i.Code, i.First, i.Last))
	}
	pg.execute(ctx, "ANALYZE")
}
