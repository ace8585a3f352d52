package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"quartier/fixtures"
	"quartier/schemas"
)

// marketDay is the day of the statistics that are measured.
var marketDay = time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC)

// measureMarket compares answers of market statistics with the ceiling, and measures quartier market: all listings, a
// quarter of them, and the day after with a thousandth of them changed.
func (b *bench) measureMarket(ctx context.Context) {
	dir := filepath.Join(b.dir, "market")
	places := b.buildOnce(ctx, dir, "towns", func(sources string) {
		must(fixtures.Write(ctx, sources, fixtures.Options{Scale: 1, Seed: 1}))
	})
	b.measureMarketAnswers(ctx, dir, places)
	if b.listings == 0 {
		return
	}
	b.measureMarketPeer(ctx, dir, places)
	quarter := b.marketRuns(ctx, dir, places, b.listings/4)
	all := b.marketRuns(ctx, dir, places, b.listings)
	name := fmt.Sprintf("market statistics of %d listings", b.listings)
	linear := all.full.seconds / (4 * quarter.full.seconds)
	b.record(result{name, "a quarter of them", runtime.GOMAXPROCS(0), "listings/s", spreadOf([]float64{1 / linear}), 0.8, false},
		fmt.Sprintf("%.1f s, %.0f listings/s with their intake, peak memory %.0f MB", all.full.seconds, float64(b.listings)/all.full.seconds, all.full.peakMB))
	b.record(result{"market statistics of the next day", "all listings", runtime.GOMAXPROCS(0), "seconds", spreadOf([]float64{all.full.seconds / all.day.seconds}), 20, false},
		fmt.Sprintf("%.1f s with %d listings changed", all.day.seconds, b.listings/1000))
	b.record(result{name, "limit of 8 GB", runtime.GOMAXPROCS(0), "limit/MB", spreadOf([]float64{8192 / all.full.peakMB}), 1, false}, "")
}

// measureMarketAnswers publishes the market of the synthetic listings, and times its default answers.
func (b *bench) measureMarketAnswers(ctx context.Context, dir, places string) {
	root := filepath.Join(dir, "releases")
	check(os.RemoveAll(root))
	check(os.MkdirAll(root, 0o755))
	beside, market := filepath.Join(root, "places"), filepath.Join(root, "market")
	check(os.Symlink(must(filepath.Abs(places)), beside))
	runToEnd(ctx, b.program("quartier"), "market", "--release", beside, "--listings", filepath.Join(dir, "sources", "listings.yaml"),
		"--work", filepath.Join(dir, "work-towns"), "--out", market)
	runToEnd(ctx, b.program("quartier"), "publish", "--releases", root, beside, market)
	db := must(sql.Open("sqlite3", "file:"+filepath.Join(market, schemas.MarketFile)+"?mode=ro"))
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
type marketRuns struct{ full, day finished }

func (b *bench) marketRuns(ctx context.Context, dir, places string, n int) (runs marketRuns) {
	listings, work := filepath.Join(dir, "generated"), filepath.Join(dir, "work")
	check(os.RemoveAll(listings))
	check(os.RemoveAll(work))
	check(os.MkdirAll(listings, 0o755))
	run := func(asOf time.Time) finished {
		return runToEnd(ctx, b.program("quartier"), "market", "--release", places, "--listings", listings, "--work", work,
			"--as-of", asOf.Format(time.DateOnly), "--out", filepath.Join(dir, "out"))
	}
	writeListings(filepath.Join(listings, "all.csv"), 0, n, marketDay)
	runs.full = run(marketDay)
	next := marketDay.AddDate(0, 0, 1)
	writeListings(filepath.Join(listings, "changed.csv"), n/2, n/1000, next)
	runs.day = run(next)
	return runs
}

// writeListings writes RESO records of n listings from a number on, over five years before the day, in the synthetic towns.
// None is on the border of a geography, which has two sides in PostGIS.
func writeListings(path string, first, n int, day time.Time) {
	file := must(os.Create(path))
	out := bufio.NewWriterSize(file, 1<<20)
	fmt.Fprintln(out, "ListingKey,StandardStatus,PropertyType,PropertySubType,OnMarketDate,PurchaseContractDate,CloseDate,ListPrice,ClosePrice,LivingArea,YearBuilt,StateOrProvince,Latitude,Longitude,ModificationTimestamp")
	kinds := []string{"SingleFamilyResidence", "Condominium", "Duplex", "Townhouse"}
	date := func(t time.Time) string { return t.Format(time.DateOnly) }
	for i := first; i < first+n; i++ {
		random := rand.New(rand.NewPCG(uint64(i), 1))
		on := day.AddDate(0, 0, -1-random.IntN(5*365))
		contract, closed := on.AddDate(0, 0, 1+random.IntN(90)), on.AddDate(0, 0, 100+random.IntN(40))
		price := 100_000 + random.IntN(900_000)
		status, pending, sold, paid := "Active", "", "", ""
		switch {
		case closed.Before(day):
			status, pending, sold, paid = "Closed", date(contract), date(closed), fmt.Sprint(price*(90+random.IntN(20))/100)
		case contract.Before(day):
			status, pending = "Pending", date(contract)
		}
		fmt.Fprintf(out, "%d,%s,Residential,%s,%s,%s,%s,%d,%s,%d,%d,VT,%.6f5,%.6f5,%sT12:00:00Z\n", i, status, kinds[random.IntN(len(kinds))], date(on), pending, sold,
			price, paid, 600+random.IntN(3000), 1900+random.IntN(120), 44.95+0.04*random.Float64(), -72.56+0.06*random.Float64(), date(day.AddDate(0, 0, -1)))
	}
	check(out.Flush())
	check(file.Close())
}
