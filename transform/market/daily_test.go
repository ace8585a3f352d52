package market

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/schemas"
	"quartier/schemas/market"
)

// known is a record as its service had it at the end of a day; false if it had none yet.
func known(r record, day market.Day) (record, bool) {
	hide := func(d **int32) {
		if *d != nil && market.Day(**d) > day {
			*d = nil
		}
	}
	was := r.Status
	l := &r.Listing
	for _, d := range []**int32{&l.ContingentDay, &l.ContractDay, &l.WithdrawnDay, &l.CloseDay, &l.ExpiredDay} {
		hide(d)
	}
	if l.CloseDay == nil && (was == uint8(market.StatusClosed)) {
		l.ClosePrice, l.Status = nil, uint8(market.StatusActive)
		if l.ContractDay != nil {
			l.Status = uint8(market.StatusPending)
		}
	}
	if l.WithdrawnDay == nil && was == uint8(market.StatusWithdrawn) || l.ExpiredDay == nil && was == uint8(market.StatusExpired) {
		l.Status = uint8(market.StatusActive)
	}
	changes := r.changes
	r.changes = nil
	for _, c := range changes {
		if c.At < at(day+1, 0) {
			r.changes = append(r.changes, c)
		}
	}
	switch {
	case r.Public:
		return r, l.CloseDay != nil
	case l.OnAt != nil:
		return r, *l.OnAt < at(day+1, 0)
	case l.OnDay != nil:
		return r, market.Day(*l.OnDay) <= day
	}
	return r, l.ListedDay != nil && market.Day(*l.ListedDay) <= day
}

// TestDayByDay computes a month of days one after the other, with corrections of what is long past, and each from nothing.
func TestDayByDay(t *testing.T) {
	places := testPlaces(t)
	rapid.Check(t, func(t *rapid.T) {
		g := &game{random: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2)), asOf: market.DayOf(2026, 3, 15)}
		for range rapid.IntRange(1, 60).Draw(t, "homes") {
			g.play()
		}
		work, err := os.MkdirTemp("", "quartier")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(work)
		from, reused := new(days), 0
		for asOf := g.asOf - 30; asOf <= g.asOf; asOf++ {
			var list []record
			for _, r := range g.records {
				if r, ok := known(r, asOf-1); ok {
					list = append(list, r)
				}
			}
			from.set(list)
			got, summary := statistics(t, places, from, asOf, work)
			want, all := once(t, places, list, asOf)
			if same(t, got, want); fmt.Sprint(summary.Issues, summary.States, summary.Listings, summary.Located) != fmt.Sprint(all.Issues,
				all.States, all.Listings, all.Located) {
				t.Fatalf("as of %s: %+v, from nothing %+v", asOf, summary, all)
			}
			if summary.Full == "" {
				reused++
			}
			g.correct()
		}
		if reused != 30 {
			t.Fatalf("%d of 30 days were computed from the day before", reused)
		}
	})
}

// correct changes something that is past.
func (g *game) correct() {
	n := g.random.IntN(len(g.records))
	r := &g.records[n]
	switch g.random.IntN(8) {
	case 0:
		r.LivingAreaSqft = ptr(float64(150 + g.random.IntN(3000)))
	case 1:
		if r.ClosePrice != nil {
			r.ClosePrice = ptr(*r.ClosePrice + 1)
		}
	case 2:
		if r.Lng != nil {
			r.Lng = ptr(-78 + 0.999*g.random.Float64())
		}
	case 3:
		r.Type = uint8(market.SingleFamily) + uint8(g.random.IntN(7))
	case 4:
		if r.WithdrawnDay != nil {
			r.WithdrawnDay = ptr(*r.WithdrawnDay - 1)
			r.changes = nil
		}
	case 5:
		if len(g.records) > 1 {
			g.records = slices.Delete(g.records, n, n+1)
		}
	case 6:
		g.play()
	}
}

func same(t *rapid.T, got, want cells) {
	if len(got) != len(want) {
		t.Fatalf("%d cells, from nothing %d", len(got), len(want))
	}
	for name, w := range want {
		v, ok := got[name]
		if !ok {
			t.Fatalf("%s is missing", name)
		}
		for m := range market.MetricCount {
			if v[m] != w[m] {
				t.Fatalf("%s: %s is %d, from nothing %d", name, m, v[m], w[m])
			}
		}
	}
}

// TestNothingIsReused has the cases in which everything is computed, with the same statistics.
func TestNothingIsReused(t *testing.T) {
	places := testPlaces(t)
	g := &game{random: rand.New(rand.NewPCG(5, 5)), asOf: market.DayOf(2026, 3, 15)}
	for range 30 {
		g.play()
	}
	from := new(days)
	from.set(g.records)
	want, _ := once(t, places, g.records, g.asOf)
	check := func(name, why string, prepare func(work string)) {
		t.Run(name, func(t *testing.T) {
			work := t.TempDir()
			statistics(t, places, from, g.asOf, work)
			prepare(work)
			got, summary := statistics(t, places, from, g.asOf, work)
			if summary.Full != why && why != "*" || why == "*" && summary.Full == "" {
				t.Errorf("computed in full because %q, want %q", summary.Full, why)
			}
			for cell := range want {
				if got[cell] != want[cell] {
					t.Fatalf("%s is another", cell)
				}
			}
		})
	}
	check("same day", "", func(string) {})
	check("backwards", "what is kept is as of 2026-03-20, a later day", func(work string) { statistics(t, places, from, g.asOf+5, work) })
	check("of another day", "the statistics of that day are not kept", func(work string) { keptCells[work] = earlier{day: g.asOf - 1} })
	check("removed", "nothing is kept", func(work string) { os.Remove(filepath.Join(work, schemas.KeptFolder, keptName)) })
	check("damaged", "*", func(work string) {
		data, err := os.ReadFile(filepath.Join(work, schemas.KeptFolder, keptName))
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 1
		if err := os.WriteFile(filepath.Join(work, schemas.KeptFolder, keptName), data, 0o600); err != nil {
			t.Fatal(err)
		}
	})
	check("as a whole", "the listings changed as a whole", func(string) {
		from.generation, from.whole, from.log = 2, 2, []map[uint64]bool{nil}
	})
}

// TestProperties has what holds of every geography, type and day.
func TestProperties(t *testing.T) {
	places := testPlaces(t)
	rapid.Check(t, func(t *rapid.T) {
		g := &game{random: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3)),
			asOf: market.DayOf(2026, 1, 1) + market.Day(rapid.IntRange(0, 400).Draw(t, "as of"))}
		for range rapid.IntRange(1, 80).Draw(t, "homes") {
			g.play()
		}
		located := g.records[:0]
		for _, r := range g.records { // those of a ZIP code alone are in no county
			if r.Lng != nil {
				located = append(located, r)
			}
		}
		got, _ := once(t, places, located, g.asOf)
		count := func(geography string, kind market.PropertyType, code string, m market.Metric) int64 {
			if v, ok := got.of(geography, kind, code); ok {
				return v[m]
			}
			return 0
		}
		counts := []market.Metric{market.Active, market.Pending, market.UnderContract, market.Sold, market.New}
		intervals := market.Intervals(g.asOf)
		for _, i := range intervals {
			for kind := range market.TypeCount {
				for _, m := range counts {
					if a, b, both := count("g30_west", kind, i.Code, m), count("g30_east", kind, i.Code, m),
						count("g37_both", kind, i.Code, m); a+b != both {
						t.Fatalf("%s %s: %s is %d and %d in the halves, %d in both", kind, i.Code, m, a, b, both)
					}
				}
			}
			for _, m := range counts {
				parts := count("g37_both", market.SingleFamily, i.Code, m) + count("g37_both", market.CondoTownhome, i.Code, m) +
					count("g37_both", market.MultiFamilyUnder5, i.Code, m)
				if all := count("g37_both", market.AllResidential, i.Code, m); all != parts {
					t.Fatalf("%s: %s of all residential is %d, of its parts %d", i.Code, m, all, parts)
				}
			}
		}
		quarter := intervals[67]
		for kind := range market.TypeCount {
			for _, m := range []market.Metric{market.Sold, market.New} {
				months := int64(0)
				for _, i := range intervals[7:67] {
					if i.First >= quarter.First && i.Last <= quarter.Last {
						months += count("g37_both", kind, i.Code, m)
					}
				}
				if n := count("g37_both", kind, quarter.Code, m); n != months {
					t.Fatalf("%s %s: %s is %d, of its months %d", kind, quarter.Code, m, n, months)
				}
			}
		}
		for name, v := range got {
			for _, run := range [][]market.Metric{
				{market.AskMin, market.AskP10, market.AskP25, market.AskMedian, market.AskP75, market.AskP90, market.AskMax},
				{market.SaleMin, market.SaleP10, market.SaleP25, market.SaleMedian, market.SaleP75, market.SaleP90, market.SaleMax},
				{market.DaysOnMarketP10, market.DaysOnMarketP25, market.DaysOnMarketMedian, market.DaysOnMarketP75, market.DaysOnMarketP90},
				{market.DaysToSellP10, market.DaysToSellP25, market.DaysToSellMedian, market.DaysToSellP75, market.DaysToSellP90},
			} {
				for k := 1; k < len(run); k++ {
					if v[run[k-1]] > v[run[k]] {
						t.Fatalf("%s: %s is %d, %s is %d", name, run[k-1], v[run[k-1]], run[k], v[run[k]])
					}
				}
			}
		}
	})
}
