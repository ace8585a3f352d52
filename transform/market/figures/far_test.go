package figures

import (
	"testing"

	"quartier/schemas/calibration"
	"quartier/schemas/market"
)

// TestFarPrices: a price that is far from its asking price is left out of prices and counted, unless the other sales confirm it.
func TestFarPrices(t *testing.T) {
	c := &calibration.Standard().Market
	asOf := market.DayOf(2025, 3, 1)
	sale := func(price, asked uint32) Sale {
		return Sale{Day: market.DayOf(2025, 2, 10), Price: price, Asked: asked, Type: market.SingleFamily, Listed: true, Days: -1, ToSell: -1}
	}
	for name, want := range map[string]struct {
		sales  []Sale
		values [4]int64 // sold, min, max, volume
	}{
		"none":              {[]Sale{sale(400_000, 410_000), sale(500_000, 0)}, [4]int64{2, 400_000, 500_000, 900_000}},
		"too high":          {[]Sale{sale(400_000, 410_000), sale(50_000_000, 500_000)}, [4]int64{2, 400_000, 400_000, 400_000}},
		"too low":           {[]Sale{sale(400_000, 410_000), sale(5_000, 500_000)}, [4]int64{2, 400_000, 400_000, 400_000}},
		"the asking price":  {[]Sale{sale(400_000, 410_000), sale(500_000, 5_000)}, [4]int64{2, 400_000, 500_000, 900_000}},
		"20 times":          {[]Sale{sale(400_000, 410_000), sale(8_200_000, 410_000)}, [4]int64{2, 400_000, 8_200_000, 8_600_000}},
		"alone":             {[]Sale{sale(50_000_000, 500_000)}, [4]int64{1, market.Absent, market.Absent, market.Absent}},
		"without an asking": {[]Sale{sale(400_000, 410_000), sale(50_000_000, 0)}, [4]int64{2, 400_000, 50_000_000, 50_400_000}},
		"two of three wrong": {[]Sale{sale(50_000_000, 500_000), sale(400_000, 410_000), sale(60_000_000, 600_000)},
			[4]int64{3, 400_000, 400_000, 400_000}},
	} {
		k := NewKernel(NewPlan(asOf, c))
		k.Sales(want.sales)
		for _, cell := range k.Cells() {
			if cell.Type != market.SingleFamily && cell.Type != market.AllResidential || k.plan.Intervals[cell.Interval].Code != "2025-02" {
				continue
			}
			v := cell.Values
			if got := [4]int64{v[market.Sold], v[market.SaleMin], v[market.SaleMax], v[market.Volume]}; got != want.values {
				t.Errorf("%s: %v, want %v", name, got, want.values)
			}
		}
	}
}
