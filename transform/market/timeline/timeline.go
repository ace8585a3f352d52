// Package timeline finds the state of a listing at the end of every day from its dates and the changes of its status and
// price. It is pure: days and instants in, days out.
package timeline

import (
	"cmp"
	"math"
	"slices"
	"time"

	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/schemas/staged"
)

// Never is the day of what does not happen.
const Never market.Day = math.MaxInt32

// Spell is a time on the market and the contract that ends it. At the end of day T a listing is
//
//	active          From ≤ T < Contingent and T < Off
//	under contract  Contingent ≤ T < Off
//	pending         Pending ≤ T < Ended
type Spell struct {
	From       market.Day
	Contingent market.Day // Never: never under contract
	Off        market.Day // no longer on the market; before From where dates contradict each other: it is then never active
	Pending    market.Day // Never: went off without a contract
	Ended      market.Day // of the contract; Never: it is pending still
}

// Step is a list price from a day on.
type Step struct {
	From  market.Day
	Price int64 // dollars
}

// Timeline is what became of a listing.
type Timeline struct {
	On     market.Day // NoDay: never on the market
	Spells []Spell    // in order; at least one if it was on the market
	Unsold market.Day // went off at last without a sale; NoDay: sold, or still on the market or pending
	Prices []Step     // in order; the first is from the beginning; none: not known

	Contract market.Day // of the sale: when it became pending, else went off; NoDay: not known
	Asked    int64      // dollars, last list price before Contract; 0: not known
	Close    market.Day // of a sale at a price that counts; NoDay: none
	Sold     int64      // dollars
}

// Of is the timeline of a listing with its changes, in any order. Instants are days of a time zone. Listings that count
// nowhere have an empty one.
func Of(l *staged.Listing, changes []staged.ListingChange, zone *time.Location, c *calibration.Market) Timeline {
	t := Timeline{On: market.NoDay, Unsold: market.NoDay, Contract: market.NoDay, Close: market.NoDay}
	status := market.Status(l.Status)
	if status == market.StatusComingSoon || status == market.StatusIncomplete || status == market.StatusDelete {
		return t
	}
	d := datesOf(l, zone)
	statuses, prices := split(changes)
	if !l.Public {
		t.market(d, statuses, zone)
		t.Prices = priceSteps(l, prices, zone)
	}
	if d.closed && d.close != Never && l.ClosePrice != nil && *l.ClosePrice >= c.MinPrice {
		t.Close, t.Sold = d.close, *l.ClosePrice
		if t.On != market.NoDay {
			t.contract(d)
		}
	}
	return t
}

// market sets when the listing was on the market.
func (t *Timeline) market(d dates, statuses []staged.ListingChange, zone *time.Location) {
	if len(statuses) == 0 {
		if d.on != Never {
			t.On, t.Spells = d.on, []Spell{d.spell()}
			t.Unsold = d.unsold()
		}
		return
	}
	segments := replay(d, statuses, zone)
	t.Spells = spells(segments)
	if len(t.Spells) == 0 {
		return
	}
	t.On = t.Spells[0].From
	if last := segments[len(segments)-1]; last.state == off {
		t.Unsold = last.from
	}
}

// contract sets the day of the contract of a sale and the last list price before it.
func (t *Timeline) contract(d dates) {
	last := t.Spells[len(t.Spells)-1]
	switch {
	case d.pending != Never:
		t.Contract = d.pending
	case last.Pending != Never:
		t.Contract = last.Pending
	case d.off != Never:
		t.Contract = d.off
	}
	before := t.Contract
	if before == market.NoDay {
		before = t.Close
	}
	t.Asked = t.PriceAt(before - 1)
}

// PriceAt is the list price at the end of a day in dollars; 0 if it is not known.
func (t *Timeline) PriceAt(day market.Day) int64 {
	price := int64(0)
	for i, s := range t.Prices {
		if i == 0 || s.From <= day {
			price = s.Price
		}
	}
	return price
}

// split returns the changes of the status and of the price, each in the order of time. The status of the system, MlsStatus,
// counts until the first change of StandardStatus.
func split(changes []staged.ListingChange) (statuses, prices []staged.ListingChange) {
	standard := int64(math.MaxInt64)
	for _, c := range changes {
		if c.Field == "status" && c.Status != uint8(market.StatusUnknown) {
			standard = min(standard, c.At)
		}
	}
	for _, c := range changes {
		switch {
		case c.Field == "list_price":
			if c.Price != nil && *c.Price > 0 {
				prices = append(prices, c)
			}
		case c.Status != uint8(market.StatusUnknown) && (c.Field == "status" || c.At < standard):
			statuses = append(statuses, c)
		}
	}
	for _, list := range [][]staged.ListingChange{statuses, prices} {
		slices.SortFunc(list, func(a, b staged.ListingChange) int {
			return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.File, b.File), cmp.Compare(a.Row, b.Row),
				cmp.Compare(a.Status, b.Status), comparePrices(a.Price, b.Price)) // several of one record
		})
	}
	return statuses, prices
}

func comparePrices(a, b *int64) int {
	if a == nil || b == nil {
		return 0
	}
	return cmp.Compare(*a, *b)
}

// priceSteps are the list prices of a listing: by its changes, else the original one until the price changed.
func priceSteps(l *staged.Listing, changes []staged.ListingChange, zone *time.Location) []Step {
	var steps []Step
	add := func(day market.Day, price *int64) {
		switch n := len(steps); {
		case price == nil || *price <= 0:
		case n > 0 && steps[n-1].From == day:
			steps[n-1].Price = *price // the last one of a day
		case n == 0 || steps[n-1].Price != *price:
			steps = append(steps, Step{day, *price})
		}
	}
	if len(changes) == 0 {
		if l.PriceChangedAt != nil && l.ListPrice != nil {
			add(market.NoDay, l.OriginalListPrice)
			add(DayAt(*l.PriceChangedAt, zone), l.ListPrice)
			return steps
		}
		if add(market.NoDay, l.ListPrice); len(steps) == 0 {
			add(market.NoDay, l.OriginalListPrice)
		}
		return steps
	}
	if add(market.NoDay, changes[0].Previous); len(steps) == 0 {
		add(market.NoDay, l.OriginalListPrice)
	}
	for _, c := range changes {
		add(DayAt(c.At, zone), c.Price)
	}
	return steps
}

// DayAt is the day of an instant in microseconds in a time zone.
func DayAt(micros int64, zone *time.Location) market.Day {
	return market.DayOf(time.UnixMicro(micros).In(zone).Date())
}

// StateAt is the state at the end of a day: active, under contract, pending, closed (sold at a price that counts), off, or ""
// before it came on.
func (t *Timeline) StateAt(day market.Day) string {
	for _, s := range t.Spells {
		switch {
		case s.From <= day && day < min(s.Contingent, s.Off):
			return "active"
		case max(s.Contingent, s.From) <= day && day < s.Off:
			return "under contract"
		case s.Pending <= day && day < s.Ended:
			return "pending"
		}
	}
	switch {
	case t.Close != market.NoDay && t.Close <= day:
		return "closed"
	case t.On != market.NoDay && t.On <= day:
		return "off"
	}
	return ""
}
