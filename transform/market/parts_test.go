package market

import (
	"testing"

	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/transform/market/figures"
)

// A listing with a cut of its price has two spans, and counts once in the absorption.
func TestPartsOfPriceCut(t *testing.T) {
	i := market.Interval{First: 100, Last: 129}
	before := figures.Span{From: 90, On: 90, Off: 110, Price: 500_000, Before: market.NoDay}
	after := figures.Span{From: 110, On: 90, Off: 200, Price: 450_000, Before: 109}
	var got []Part
	for _, p := range partsOf(&Entry{State: "active"}, []figures.Span{before, after}, nil, i, &calibration.Market{MaxDays: 365}) {
		if p.Metric == market.Absorption {
			got = append(got, p)
		}
	}
	if len(got) != 1 || !got[0].Counts {
		t.Errorf("parts of the absorption: %+v, want one that counts", got)
	}
}
