package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"quartier/bench/inputs"
	"quartier/bench/programs"
	"quartier/build/released"
	"quartier/fixtures"
	"quartier/fixtures/resofile"
	worldmarket "quartier/fixtures/world/market"
)

// marketDay is the day of the statistics that are measured.
var marketDay = worldmarket.DayOf(time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC))

// listingsOfGeography is how many listings there are for each geography: 100,000 for 20 million.
const listingsOfGeography = 200

// measureMarket compares answers of market statistics with the ceiling, and measures quartier market over a grid of
// geographies: all listings, a quarter of them in a quarter of the geographies, and the day after with what happened then.
func (b *bench) measureMarket(ctx context.Context) {
	dir := filepath.Join(b.dir, "market")
	places := b.buildOnce(ctx, dir, "towns", func(sources string) {
		must(fixtures.Write(ctx, sources, fixtures.Options{Scale: 1, Seed: 1}))
	})
	b.measureMarketAnswers(ctx, dir, places)
	if b.listings == 0 {
		return
	}
	grid := filepath.Join(dir, "grid")
	run := func(listings int) marketRuns {
		check(os.RemoveAll(grid))
		inputs.Grid(grid, places, listings/listingsOfGeography)
		return b.marketRuns(ctx, dir, grid, resofile.Bulk{Listings: listings, Spots: []resofile.Spot{inputs.GridSpot}, Spread: inputs.GridSpread})
	}
	quarter, all := run(b.listings/4), run(b.listings)
	name := fmt.Sprintf("market statistics of %d listings", b.listings)
	linear := all.full.Seconds / (4 * quarter.full.Seconds)
	b.Record(name, "a quarter of them", runtime.GOMAXPROCS(0), "listings/s", spreadOf([]float64{1 / linear}), 0.8,
		fmt.Sprintf("%.1f s, %.0f listings/s with their intake, peak memory %.0f MB, about %d geographies", all.full.Seconds,
			float64(b.listings)/all.full.Seconds, all.full.PeakMB,
			b.listings/listingsOfGeography))
	b.Record("market statistics of the next day", "all listings", runtime.GOMAXPROCS(0), "seconds",
		spreadOf([]float64{all.full.Seconds / all.day.Seconds}), 20,
		fmt.Sprintf("%.1f s with %d listings changed", all.day.Seconds, all.changed))
	b.Record("market statistics of the next day", "all listings", runtime.GOMAXPROCS(0), "processor seconds",
		spreadOf([]float64{all.full.Processor / all.day.Processor}), 0,
		fmt.Sprintf("%.1f s, all of them %.1f s", all.day.Processor, all.full.Processor))
	b.Record(name, "limit of 8 GB", runtime.GOMAXPROCS(0), "limit/MB", spreadOf([]float64{8192 / all.full.PeakMB}), 1, "")
	b.measureMarketPeer(ctx, dir, places)
}

// publishMarket makes the market statistics of listings beside a release and publishes both in the folder root, as places and
// market; it returns the folder of the latter.
func (b *bench) publishMarket(ctx context.Context, places, listings, root string) (market string) {
	check(os.RemoveAll(root))
	check(os.MkdirAll(root, 0o755))
	beside, market := filepath.Join(root, "places"), filepath.Join(root, "market")
	check(os.Symlink(must(filepath.Abs(places)), beside))
	runToEnd(ctx, b.program("quartier"), "market", "--release", beside, "--listings", listings, "--work", root+".work", "--out", market)
	runToEnd(ctx, b.program("quartier"), "publish", "--releases", root, "--market", market, "places")
	return market
}

// measureMarketAnswers publishes the market of the synthetic listings, and times its default answers.
func (b *bench) measureMarketAnswers(ctx context.Context, dir, places string) {
	root := filepath.Join(dir, "releases")
	market := b.publishMarket(ctx, places, filepath.Join(dir, "sources", "listings.yaml"), root)
	db := must(released.OpenMarket(market))
	defer db.Close()
	rows := must(db.QueryContext(ctx, "SELECT geog_id FROM market_stat GROUP BY geog_id HAVING count(*) > 400 ORDER BY geog_id"))
	var targets []string
	for rows.Next() {
		var id string
		check(rows.Scan(&id))
		targets = append(targets, "/v3/market-stats/"+id)
	}
	check(rows.Err())
	c := b.comparisonOf(ctx, b.startWorld(ctx, root), targets)
	defer c.stop()
	b.timeAgainst(ctx, c, "market statistics, 4 types and 13 intervals", peer{c.bare, 0.6})
}

// marketRuns are the runs of quartier market over generated listings.
type marketRuns struct {
	full, day programs.Finished
	changed   int // listings on that day
}

// marketRuns runs quartier market for marketDay and the day after, with nothing known before.
func (b *bench) marketRuns(ctx context.Context, dir, places string, bulk resofile.Bulk) (runs marketRuns) {
	listings, work := filepath.Join(dir, "generated"), filepath.Join(dir, "work")
	check(os.RemoveAll(listings))
	check(os.RemoveAll(work))
	check(os.MkdirAll(listings, 0o755))
	write := func(name string) int {
		file := must(os.Create(filepath.Join(listings, name)))
		n := must(bulk.Write(file))
		check(file.Close())
		return n
	}
	run := func(asOf worldmarket.Day) programs.Finished {
		return runToEnd(ctx, b.program("quartier"), "market", "--release", places, "--listings", listings, "--work", work,
			"--as-of", asOf.String(), "--out", filepath.Join(dir, "out"))
	}
	bulk.Epoch, bulk.Day = marketDay, marketDay-1
	write("all.csv")
	runs.full = run(marketDay)
	bulk.Day, bulk.Changed = marketDay, true
	runs.changed = write("changed.csv")
	runs.day = run(marketDay + 1)
	return runs
}
