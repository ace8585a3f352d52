package timeline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/schemas/staged"
)

func d(n int32) *int32 { return &n }

// at is an instant of day n of 1970 in New York, at an hour.
func at(n int, hour int) *int64 {
	zone, _ := time.LoadLocation("America/New_York")
	v := time.Date(1970, 1, 1+n, hour, 0, 0, 0, zone).UnixMicro()
	return &v
}

// TestStates draws the states of days 1 to 20: a active, u under contract, p pending, o off, c closed, - before.
func TestStates(t *testing.T) {
	price := int64(300_000)
	change := func(n, hour int, from, to market.Status) staged.ListingChange {
		return staged.ListingChange{At: *at(n, hour), Field: "status", Before: uint8(from), Status: uint8(to)}
	}
	mls := func(c staged.ListingChange) staged.ListingChange {
		c.Field = "mls_status"
		return c
	}
	const active, contract, pending, closed = market.StatusActive, market.StatusUnderContract, market.StatusPending, market.StatusClosed
	for _, c := range []struct {
		name    string
		listing staged.Listing
		changes []staged.ListingChange
		want    string
		unsold  market.Day
	}{
		{"on by date", staged.Listing{Status: uint8(active), OnDay: d(3), OnAt: at(9, 9), ListedDay: d(1)}, nil, "--aaaaaaaaaaaaaaaaaa",
			market.NoDay},
		{"on by instant, late in the evening", staged.Listing{Status: uint8(active), OnAt: at(3, 23), ListedDay: d(1)}, nil,
			"--aaaaaaaaaaaaaaaaaa", market.NoDay},
		{"coming soon", staged.Listing{Status: uint8(market.StatusComingSoon), OnDay: d(3)}, nil, "--------------------", market.NoDay},
		{"contingent, then contract, then closed", staged.Listing{Status: uint8(closed), OnDay: d(2), ContingentDay: d(5), ContractDay: d(8),
			CloseDay: d(12), ClosePrice: &price}, nil, "-aaauuuppppccccccccc", market.NoDay},
		{"withdrawn while pending", staged.Listing{Status: uint8(market.StatusWithdrawn), OnDay: d(2), ContractDay: d(8), WithdrawnDay: d(12)},
			nil, "-aaaaaappppooooooooo", 12},
		{"expires later", staged.Listing{Status: uint8(active), OnDay: d(2), ExpiredDay: d(15)}, nil, "-aaaaaaaaaaaaaoooooo", 15},
		{"expired while pending", staged.Listing{Status: uint8(market.StatusExpired), OnDay: d(2), ContractDay: d(8), ExpiredDay: d(15)}, nil,
			"-aaaaaapppppppoooooo", 15},
		{"closed after expiring", staged.Listing{Status: uint8(closed), OnDay: d(2), ExpiredDay: d(5), ContractDay: d(8), CloseDay: d(12),
			ClosePrice: &price}, nil, "-aaaaaappppccccccccc", market.NoDay},
		{"pending without a day", staged.Listing{Status: uint8(pending), OnDay: d(2), Modified: at(9, 9)}, nil, "-aaaaaaapppppppppppp",
			market.NoDay},
		{"under contract without a day", staged.Listing{Status: uint8(contract), OnDay: d(2), Modified: at(9, 9)}, nil, "-aaaaaaauuuuuuuuuuuu",
			market.NoDay},
		{"withdrawn without a day", staged.Listing{Status: uint8(market.StatusWithdrawn), OnDay: d(2), Modified: at(9, 9)}, nil,
			"-aaaaaaaoooooooooooo", 9},
		{"closed before it came on", staged.Listing{Status: uint8(closed), OnDay: d(9), CloseDay: d(5), ClosePrice: &price}, nil,
			"----cccccccccccccccc", market.NoDay},
		{"fell through", staged.Listing{Status: uint8(active), OnDay: d(2)},
			[]staged.ListingChange{change(10, 9, pending, active), change(6, 9, active, pending)}, "-aaaappppaaaaaaaaaaa", market.NoDay},
		{"twice in a day", staged.Listing{Status: uint8(active), OnDay: d(2)},
			[]staged.ListingChange{change(6, 9, active, pending), change(6, 15, pending, active)}, "-aaaaaaaaaaaaaaaaaaa", market.NoDay},
		{"closing recorded late", staged.Listing{Status: uint8(closed), OnDay: d(2), ContractDay: d(6), CloseDay: d(12), ClosePrice: &price},
			[]staged.ListingChange{change(6, 9, active, pending), change(16, 9, pending, closed)}, "-aaaappppppccccccccc", market.NoDay},
		{"dates after the history", staged.Listing{Status: uint8(market.StatusWithdrawn), OnDay: d(2), WithdrawnDay: d(15)},
			[]staged.ListingChange{change(6, 9, active, pending), change(9, 9, pending, active)}, "-aaaapppaaaaaaoooooo", 15},
		{"by the status of its system", staged.Listing{Status: uint8(active), OnDay: d(2)},
			[]staged.ListingChange{mls(change(6, 9, active, pending)), mls(change(10, 9, pending, active))}, "-aaaappppaaaaaaaaaaa", market.NoDay},
		{"its system says otherwise later", staged.Listing{Status: uint8(active), OnDay: d(2)},
			[]staged.ListingChange{mls(change(10, 9, pending, market.StatusHold)), change(8, 9, pending, active),
				mls(change(4, 9, active, pending))}, "-aappppaaaaaaaaaaaaa", market.NoDay},
		{"soon before", staged.Listing{Status: uint8(active), ListedDay: d(2)},
			[]staged.ListingChange{change(6, 9, market.StatusComingSoon, active)}, "-----aaaaaaaaaaaaaaa", market.NoDay},
		{"came and went in a day", staged.Listing{Status: uint8(market.StatusCanceled), OnDay: d(6)},
			[]staged.ListingChange{change(6, 9, active, market.StatusCanceled)}, "-----ooooooooooooooo", 6},
	} {
		zone, _ := time.LoadLocation("America/New_York")
		line := Of(&c.listing, c.changes, zone, &calibration.Standard().Market)
		var b strings.Builder
		for day := market.Day(1); day <= 20; day++ {
			state := line.StateAt(day)
			if state == "" {
				state = "-"
			}
			b.WriteString(state[:1])
		}
		if b.String() != c.want || line.Unsold != c.unsold {
			t.Errorf("%s:\n got %s, unsold %d\nwant %s, unsold %d", c.name, b.String(), line.Unsold, c.want, c.unsold)
		}
	}
}

// TestPrices has the list price at the end of days 1 to 6, in thousands.
func TestPrices(t *testing.T) {
	k := func(n int64) *int64 { n *= 1000; return &n }
	change := func(n, hour int, from, to *int64) staged.ListingChange {
		return staged.ListingChange{At: *at(n, hour), Field: "list_price", Previous: from, Price: to}
	}
	for _, c := range []struct {
		name    string
		listing staged.Listing
		changes []staged.ListingChange
		want    string
	}{
		{"one", staged.Listing{ListPrice: k(300)}, nil, "300 300 300 300 300 300"},
		{"changed once", staged.Listing{OriginalListPrice: k(320), ListPrice: k(300), PriceChangedAt: at(3, 9)}, nil, "320 320 300 300 300 300"},
		{"changed, not known when", staged.Listing{OriginalListPrice: k(320), ListPrice: k(300)}, nil, "300 300 300 300 300 300"},
		{"history", staged.Listing{ListPrice: k(300)}, []staged.ListingChange{change(5, 9, k(310), k(300)), change(2, 9, k(330), k(320)),
			change(2, 15, k(320), k(310))}, "330 310 310 310 300 300"},
		{"none", staged.Listing{}, nil, "0 0 0 0 0 0"},
	} {
		c.listing.Status, c.listing.OnDay = uint8(market.StatusActive), d(1)
		zone, _ := time.LoadLocation("America/New_York")
		line := Of(&c.listing, c.changes, zone, &calibration.Standard().Market)
		var prices []string
		for day := market.Day(1); day <= 6; day++ {
			prices = append(prices, fmt.Sprint(line.PriceAt(day)/1000))
		}
		if got := strings.Join(prices, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
