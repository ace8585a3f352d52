package main

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"time"

	"quartier/fixtures/resofile"
	"quartier/schemas"
	"quartier/schemas/market"
)

// peerListings are the listings of which PostgreSQL computes a slice.
const peerListings = 500_000

// soldSQL is the slice that PostgreSQL can do: prices of sales by geography, type and interval.
const soldSQL = `SELECT g.geog_id, t.type, i.code, count(*), min(l.price), max(l.price),
	percentile_cont(ARRAY[0.1, 0.25, 0.5, 0.75, 0.9]) WITHIN GROUP (ORDER BY l.price)
	FROM listing AS l JOIN listing_geography AS g USING (id) JOIN kind AS t ON t.of = l.type
	JOIN span AS i ON l.closed BETWEEN i.first AND i.last GROUP BY 1, 2, 3`

// townSpot and townSpread are the synthetic towns.
var townSpot = resofile.Spot{Lng: -72.53, Lat: 44.97, State: "VT"}

const townSpread = 0.02

// measureMarketPeer compares quartier market over listings that are taken in already with PostgreSQL computing prices of
// sales alone, by geography, type and interval: the whole run, with all metrics and the writing of the component, and the
// computation of all metrics with the geographies of each listing. PostgreSQL has those geographies beforehand.
func (b *bench) measureMarketPeer(ctx context.Context, dir, places string) {
	pg := b.startLoaded(ctx, filepath.Join(dir, "postgres"), func(pg *postgres) {
		pg.execute(ctx, "CREATE EXTENSION IF NOT EXISTS postgis")
		pg.importTable(ctx, filepath.Join(places, schemas.GeographiesFile), "geography", "-nln", "outline") // PostGIS has a type called geography
		pg.execute(ctx, "CREATE INDEX ON outline USING gist (geometry)")
	})
	b.marketRuns(ctx, dir, places, resofile.Bulk{Listings: peerListings, Spots: []resofile.Spot{townSpot}, Spread: townSpread})
	all := must(filepath.Abs(filepath.Join(dir, "generated", "all.csv")))
	check(os.Chmod(all, 0o644))
	pg.loadListings(ctx, all)
	check(os.Remove(filepath.Join(dir, "generated", "changed.csv")))
	var whole, computing []float64
	for range b.rounds {
		check(os.RemoveAll(filepath.Join(dir, "work", schemas.Market))) // everything is computed
		ours := runToEnd(ctx, b.program("quartier"), "market", "--release", places, "--listings", filepath.Dir(all), "--work", filepath.Join(dir, "work"),
			"--as-of", marketDay.String(), "--out", filepath.Join(dir, "out"))
		start := time.Now()
		rows := pg.rows(ctx, soldSQL)
		theirs := time.Since(start).Seconds()
		whole, computing = append(whole, theirs/ours.seconds), append(computing, theirs/computingSeconds(ours.output))
		sameSales(ctx, filepath.Join(dir, "out", schemas.MarketFile), rows)
	}
	const peer = "PostgreSQL, prices of sales alone"
	b.record(result{fmt.Sprintf("component of %d listings", peerListings), peer, runtime.GOMAXPROCS(0), "seconds", spreadOf(whole), 10, false}, "")
	b.record(result{fmt.Sprintf("all statistics of %d listings", peerListings), peer, runtime.GOMAXPROCS(0), "seconds", spreadOf(computing), 10, false}, "")
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
	pg.execute(ctx, "CREATE UNLOGGED TABLE listing AS SELECT * FROM raw WHERE closed IS NOT NULL ORDER BY id",
		"ALTER TABLE listing ADD PRIMARY KEY (id)",
		`CREATE UNLOGGED TABLE listing_geography AS SELECT l.id, g.geog_id FROM listing AS l JOIN outline AS g
			ON ST_Intersects(g.geometry, ST_SetSRID(ST_MakePoint(l.lng, l.lat), 4326)) WHERE g.level <= 40`,
		"DROP TABLE IF EXISTS kind, span", "CREATE TABLE kind (of text, type text)", "CREATE TABLE span (code text, first date, last date)",
		"INSERT INTO kind VALUES ('SingleFamilyResidence', 'single_family'), ('Condominium', 'condo_townhome'), ('Townhouse', 'condo_townhome'), ('Duplex', 'multi_family_under_5_units')",
		"INSERT INTO kind SELECT of, 'all_residential_properties' FROM kind",
		"CREATE INDEX ON listing_geography (geog_id, id)", "CREATE INDEX ON listing (type, closed)")
	for _, i := range market.Intervals(market.Day(marketDay)) {
		pg.execute(ctx, fmt.Sprintf("INSERT INTO span VALUES ('%s', '%s', '%s')", i.Code, i.First, i.Last))
	}
	pg.execute(ctx, "ANALYZE")
}

// sameSales fails where the component and PostgreSQL do not have the same prices, to the dollar.
func sameSales(ctx context.Context, file string, rows [][]any) {
	db := must(sql.Open("sqlite3", "file:"+file+"?mode=ro"))
	defer db.Close()
	stat := must(db.PrepareContext(ctx, `SELECT homes_sold, sale_min, sale_max, sale_p10, sale_p25, sale_median, sale_p75, sale_p90
		FROM market_stat WHERE geog_id = ? AND type = ? AND code = ?`))
	compared := 0
	for _, row := range rows {
		var ours [8]float64
		if err := stat.QueryRowContext(ctx, row[0], row[1], row[2]).Scan(&ours[0], &ours[1], &ours[2], &ours[3], &ours[4], &ours[5], &ours[6], &ours[7]); err == sql.ErrNoRows {
			continue // in Canada
		} else {
			check(err)
		}
		theirs := []float64{float64(row[3].(int64)), float64(row[4].(int64)), float64(row[5].(int64))}
		for _, p := range row[6].([]any) {
			theirs = append(theirs, p.(float64))
		}
		for i := range ours {
			if math.Abs(ours[i]-theirs[i]) > 0.5+1e-6 { // theirs are not rounded
				failf("prices of %v: %v, PostgreSQL has %v", row[:3], ours, theirs)
			}
		}
		compared++
	}
	if compared < 100 {
		failf("%d intervals compared with PostgreSQL", compared)
	}
}
