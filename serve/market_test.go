package serve_test

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"quartier/schemas"
	"quartier/schemas/market"
	"quartier/serve/monitor"
	"quartier/serve/servetest"
)

const southStats = "/v3/market-stats/" + servetest.SouthOld

// TestMarketStats asks for the defaults.
func TestMarketStats(t *testing.T) {
	a := newAPI(t)
	got := answerOf[schemas.MarketStatsAnswer](t, a, "full", southStats)
	if got.Data.GeogID != servetest.SouthOld || len(got.Data.PropertyTypes) != 4 ||
		got.Meta.Message != "Successfully called v3/market-stats API." {
		t.Fatalf("%+v", got)
	}
	codes := []string{"30d", "2023-12", "2023-11", "2023-10", "2023-09", "2023-08", "2023-07", "2023-06", "2023-05", "2023-04", "2023-03",
		"2023-02", "2023-01"}
	for _, name := range []string{"single_family", "multi_family_under_5_units", "condo_townhome", "all_residential_properties"} {
		var missing []string
		for n, code := range codes {
			cell, ok := got.Data.PropertyTypes[name][code]
			if !ok {
				t.Fatalf("%s has no %s", name, code)
			}
			at := n // as cellsOf numbers them: seven rolling intervals first
			if n > 0 {
				at = 6 + n
			}
			sold := servetest.Sold("2024-01-15")
			active := int64(at % 4)
			if at%7 == 5 {
				sold, active = 0, 0
			}
			if cell.IntervalWide.HomesSoldCount != sold || cell.PointInTime.ActiveListingsCount != active {
				t.Errorf("%s %s: %+v", name, code, cell)
			}
			if sold == 0 || active == 0 {
				missing = append(missing, code)
			}
			if (cell.PointInTime.AskingPrice == nil) != (sold == 0) {
				t.Errorf("%s %s: asking price %v", name, code, cell.PointInTime.AskingPrice)
			}
		}
		if !slices.Equal(got.Meta.MissingIntervals[name], missing) {
			t.Errorf("%s: missing %v, want %v", name, got.Meta.MissingIntervals[name], missing)
		}
	}
	period := got.Data.PropertyTypes["single_family"]["2023-03"].Period
	want := schemas.MarketPeriod{StartDate: "2023-03-01", EndDate: "2023-03-31", StartTimestamp: "2023-03-01T00:00:00-05:00",
		EndTimestamp: "2023-03-31T23:59:59-04:00", Description: "March 2023"}
	if period != want {
		t.Errorf("%+v", period)
	}
}

// TestMarketOrder asks for types and intervals in an order, some repeatedly.
func TestMarketOrder(t *testing.T) {
	a := newAPI(t)
	body := a.get("full",
		southStats+"?property_types=other_and_unclassified,condo_townhome,other_and_unclassified&intervals=2023Q4,30d,2023Q4&intervals=2023-01").
		body
	got := decode[schemas.MarketStatsAnswer](t, body)
	last := -1
	for _, part := range []string{`"other_and_unclassified":{"2023Q4":`, `,"30d":`, `,"2023-01":`, `"condo_townhome":{"2023Q4":`,
		`"missing_intervals":{"other_and_unclassified":["2023Q4","30d","2023-01"]`} {
		at := strings.Index(body, part)
		if at <= last {
			t.Errorf("no %s after the others in %s", part, body)
		}
		last = at
	}
	if len(got.Data.PropertyTypes) != 2 || len(got.Data.PropertyTypes["condo_townhome"]) != 3 {
		t.Errorf("%+v", got.Data.PropertyTypes)
	}
	if body := a.get("full", southStats+"?property_types=single_family&intervals=60d").body; !strings.Contains(body,
		`"missing_intervals":{}}`) {
		t.Errorf("nothing is missing: %s", body)
	}
}

func TestMarketStatus(t *testing.T) {
	a := newAPI(t)
	got := answerOf[schemas.MarketStatusAnswer](t, a, "full", "/v3/market-stats/status")
	var want []string
	for _, i := range market.Intervals(market.DayOf(2024, 1, 15)) {
		want = append(want, i.Code)
	}
	if got.Data.LastUpdatedOn != "2024-01-15T00:00:00Z" || !slices.Equal(got.Data.Intervals, want) {
		t.Errorf("%+v", got.Data)
	}
	for _, code := range got.Data.Intervals {
		if status := a.get("full", southStats+"?intervals="+code).status; status != 200 {
			t.Errorf("%s: %d", code, status)
		}
	}
}

// TestMarketAbsent serves places alone.
func TestMarketAbsent(t *testing.T) {
	a := newPlacesAPI(t)
	for _, url := range []string{southStats, southStats + "?intervals=2023-12", "/v3/market-stats/status"} {
		if got := a.get("full", url); got.status != 404 || !strings.Contains(got.body, "no market statistics") {
			t.Errorf("%s: %d %s", url, got.status, got.body)
		}
	}
}

func TestMarketDeprecation(t *testing.T) {
	a := newAPI(t)
	got := answerOf[schemas.MarketStatsAnswer](t, a, "full", "/v3/market-stats/"+servetest.OldSouth)
	if d := got.Meta.Deprecation; d == nil || d.ReplacedBy == nil || d.ReplacedBy.GeogID != servetest.SouthOld {
		t.Errorf("%+v", got.Meta)
	}
}

// TestMarketChangesAlone publishes another market while requests run: no answer fails or mixes two days, market answers get
// another ETag, others keep theirs, and the places are not opened again.
func TestMarketChangesAlone(t *testing.T) {
	a := newAPI(t)
	days := []string{"2024-01-15", "2024-01-16", "2024-01-17"}
	places, first := a.get("full", "/v3/geographies?"+south), a.get("full", southStats)
	r := a.releases.Acquire()
	opened := r.Places
	r.Done()
	stop := make(chan struct{})
	var callers sync.WaitGroup
	for range 2 {
		callers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				got := a.get("full", southStats+"?property_types=single_family&intervals=30d,60d,2023-12")
				if got.status != 200 {
					t.Errorf("%d %s", got.status, got.body)
					return
				}
				seen := map[int64]bool{}
				for _, cell := range decode[schemas.MarketStatsAnswer](t, got.body).Data.PropertyTypes["single_family"] {
					if cell.IntervalWide.HomesSoldCount > 0 {
						seen[cell.IntervalWide.HomesSoldCount] = true
					}
				}
				if len(seen) != 1 {
					t.Errorf("one answer with the sales of %d days", len(seen))
				}
			}
		})
	}
	for i, day := range days {
		_, err := servetest.WriteMarket(filepath.Join(a.root, day), a.dir, servetest.Market{AsOf: day})
		must(t, err)
		must(t, servetest.Publish(a.root, int64(i+2), "places", day))
		must(t, a.releases.Reload(t.Context()))
	}
	close(stop)
	callers.Wait()
	r = a.releases.Acquire()
	defer r.Done()
	if r.Places != opened || r.Generation != 4 || r.Market.Manifest.AsOf != days[2] {
		t.Errorf("places opened again, or generation %d of %s", r.Generation, r.Market.Manifest.AsOf)
	}
	again, last := a.get("full", "/v3/geographies?"+south), a.get("full", southStats)
	if again.header.Get("ETag") != places.header.Get("ETag") || last.header.Get("ETag") == first.header.Get("ETag") {
		t.Errorf("ETags %v %v, %v %v", places.header, again.header, first.header, last.header)
	}
	ready := decode[monitor.Readiness](t, a.get("", "/readyz").body)
	if len(ready.Components) != 2 || ready.Components[1].AsOf != days[2] || ready.Components[1].Digest != r.Market.Manifest.Digest ||
		ready.Components[0].Digest != ready.Digest {
		t.Errorf("%+v", ready)
	}
}
