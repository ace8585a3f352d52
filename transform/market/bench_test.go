package market

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"quartier/schemas/market"
	"quartier/schemas/staged"
)

// begun is the day up to which the listings are invented.
var begun = market.DayOf(2026, 3, 15)

// batchSize is how many listings are passed on at a time.
const batchSize = 4096

// many is a source of invented listings, generated as they are read.
type many struct {
	count, generation int64
}

func (m many) version(context.Context) (string, int64, error) { return "many", m.generation, nil }

func (m many) read(_ context.Context, visit func(*batch) error) error {
	for first := int64(0); first < m.count; first += batchSize {
		b := &batch{first: int(first)}
		for n := first; n < min(first+batchSize, m.count); n++ {
			b.listings, b.changes = append(b.listings, m.listing(n)), noChanges
		}
		if err := visit(b); err != nil {
			return err
		}
	}
	return nil
}

// changed is every five-hundredth listing; those that are still on the market are cheaper.
func (m many) changed(context.Context, int64) (map[uint64]bool, bool, error) {
	ids := map[uint64]bool{}
	for n := int64(0); n < m.count; n += 500 {
		ids[idOf("mls", fmt.Sprint(n))] = true
	}
	return ids, true, nil
}

func (m many) readChanged(_ context.Context, _ int64, visit func(*batch) error) error {
	b := new(batch)
	for n := int64(0); n < m.count; n += 500 {
		b.listings, b.changes = append(b.listings, m.listing(n)), noChanges
	}
	return visit(b)
}

func noChanges(dst []staged.ListingChange, _ uint64) []staged.ListingChange { return dst }

func (m many) listing(n int64) staged.Listing {
	r := rand.New(rand.NewPCG(uint64(n), 9))
	on := int32(begun) - int32(r.IntN(2000))
	price := int64(100_000 + r.IntN(900_000))
	l := staged.Listing{System: "mls", Key: fmt.Sprint(n), Status: uint8(market.StatusActive), Type: uint8(market.SingleFamily), State: "PA",
		OnDay:     &on,
		ListPrice: &price, LivingAreaSqft: ptr(float64(800 + r.IntN(2500))), YearBuilt: ptr(int32(1900 + r.IntN(120))), Address: fmt.Sprint(n),
		File: "f",
		Lng:  ptr(-78 + r.Float64()), Lat: ptr(40 + r.Float64())}
	if r.IntN(3) == 0 {
		l.Type = uint8(market.CondoTownhome)
	}
	contract := on + int32(r.IntN(90))
	if closing := contract + 40; closing < int32(begun) {
		sold := price * int64(90+r.IntN(20)) / 100
		l.Status, l.ContractDay, l.CloseDay, l.ClosePrice = uint8(market.StatusClosed), &contract, &closing, &sold
	}
	if m.generation > 1 && n%500 == 0 && l.CloseDay == nil {
		l.OriginalListPrice, l.ListPrice, l.PriceChangedAt = &price, ptr(price-5000), ptr(int64(begun)*86_400_000_000)
	}
	return l
}

// BenchmarkMarket computes a day in full and the next one from it, with a five-hundredth of the listings changed.
func BenchmarkMarket(b *testing.B) {
	places := testPlaces(b)
	for _, count := range []int64{200_000, 1_000_000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			for range b.N {
				work, asOf := b.TempDir(), begun
				earlier := market.NoDay
				run := func(asOf market.Day, generation int64) float64 {
					start := time.Now()
					in := Input{Places: places, AsOf: asOf, Work: work, Earlier: earlier, Progress: func(name string) {
						b.Logf("%s after %.2f s", name, time.Since(start).Seconds())
					}}
					if _, err := compute(b.Context(), in, many{count, generation}, func(market.Statistics) error { return nil }); err != nil {
						b.Fatal(err)
					}
					took := time.Since(start).Seconds()
					if earlier = asOf; keepNext(work) != nil {
						b.Fatal("nothing is kept")
					}
					return took
				}
				full := run(asOf, 1)
				day := run(asOf+1, 2)
				b.ReportMetric(full/day, "full/day")
				b.ReportMetric(float64(count)/full, "listings/s")
				b.ReportMetric(day, "s/day")
			}
		})
	}
}
