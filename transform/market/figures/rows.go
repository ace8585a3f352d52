// Package figures computes market statistics: the kernels over rows of listings and sales.
package figures

import (
	"math"

	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/schemas/staged"
	"quartier/transform/market/timeline"
)

// Span is a time in which a listing was on the market at one price, and the contract that ended it. The spans of a listing,
// and of those that it continues, are consecutive.
type Span struct {
	From, Contingent, Off, Pending, Ended market.Day // as in timeline.Spell

	Before market.Day // the latest Off of the spans before; NoDay: none
	On     market.Day // first day of this listing
	Prior  int32      // days that it was active before From, of the listings that it continues too
	Price  uint32     // dollars; 0: not known
	Sqft   float32    // living area; 0: not known, or out of range
	Type   market.PropertyType
	Income bool // also of market.ResidentialIncome
	New    bool // the first span of a listing that continues none
}

// Sale is a sale at a price that counts.
type Sale struct {
	Day    market.Day
	Price  uint32
	Asked  uint32  // last list price before the contract; 0: not known
	Sqft   float32 // as in Span
	Year   int16   // of construction; 0: not known, or before the first one
	Days   int16   // on the market; −1: not known, or out of range
	ToSell int16   // days from the listing to the closing; −1: not known
	Type   market.PropertyType
	Income bool
	Listed bool // it was on the market: no public sale
}

// Joined is what a listing has of those that it continues.
type Joined struct {
	First  market.Day // first day of the first of them
	Before market.Day // the latest day on which one went off
	Prior  int32      // days that they were active
}

// Rows appends the spans and the sale of a listing that continues none.
func Rows(spans []Span, sales []Sale, l *staged.Listing, t *timeline.Timeline, c *calibration.Market) ([]Span, []Sale) {
	kind := market.PropertyType(l.Type)
	income := l.Income && kind != market.MultiFamilyUnder5 && kind != market.MultiFamily5Plus
	sqft := float32(0)
	if a := l.LivingAreaSqft; a != nil && *a >= c.MinSqft && *a <= c.MaxSqft {
		sqft = float32(*a)
	}
	row := Span{Before: market.NoDay, On: t.On, Sqft: sqft, Type: kind, Income: income, New: true}
	first := len(spans)
	for _, s := range t.Spells {
		spans = cut(spans, first, row, s, t, c)
	}
	if t.Close == market.NoDay || t.Sold > math.MaxUint32 {
		return spans, sales
	}
	sale := Sale{Day: t.Close, Price: uint32(t.Sold), Asked: price(t.Asked, c), Sqft: sqft, Days: -1, ToSell: -1,
		Type: kind, Income: income, Listed: t.On != market.NoDay}
	if y := l.YearBuilt; y != nil && *y >= c.FirstYear && *y < math.MaxInt16 {
		sale.Year = int16(*y)
	}
	if sale.Listed {
		sale.ToSell = days(t.Close-t.On, math.MaxInt16)
		if t.Contract != market.NoDay {
			sale.Days = days(t.Contract-t.On, c.MaxDays)
		}
	}
	return spans, append(sales, sale)
}

// Continue makes the rows of a listing those of one that continues others. It returns what a listing has that continues it.
func Continue(spans []Span, sale *Sale, j Joined, c *calibration.Market) Joined {
	for i := range spans {
		s := &spans[i]
		s.New, s.Before, s.Prior = false, max(s.Before, j.Before), s.Prior+j.Prior
	}
	if sale != nil && len(spans) > 0 {
		shift := int(spans[0].On - j.First)
		for _, d := range []struct {
			days  *int16
			limit int
		}{{&sale.Days, c.MaxDays}, {&sale.ToSell, math.MaxInt16}} {
			if *d.days >= 0 {
				*d.days = days(market.Day(int(*d.days)+shift), d.limit)
			}
		}
	}
	return Join(spans, j)
}

// Join is what a listing with these spans leaves to one that continues it.
func Join(spans []Span, j Joined) Joined {
	if n := len(spans); n > 0 {
		last := &spans[n-1]
		j = Joined{First: min(j.First, last.On), Before: max(last.Before, last.Off), Prior: last.Prior + last.active()}
	}
	return j
}

// active is for how many days a span was active; too many for one that has not ended.
func (s *Span) active() int32 { return int32(max(min(s.Off, s.Contingent)-s.From, 0)) }

// cut appends the spans of a spell, one for each price.
func cut(spans []Span, first int, row Span, s timeline.Spell, t *timeline.Timeline, c *calibration.Market) []Span {
	row.From, row.Contingent, row.Off, row.Pending, row.Ended = s.From, s.Contingent, s.Off, timeline.Never, timeline.Never
	row.Price = price(t.PriceAt(s.From), c)
	add := func() {
		if n := len(spans); n > first {
			before := &spans[n-1]
			row.New, row.Before, row.Prior = false, max(before.Before, before.Off), before.Prior+before.active()
		}
		spans = append(spans, row)
	}
	for _, step := range t.Prices {
		if step.From > row.From && step.From < s.Off {
			row.Off = step.From
			add()
			row.From, row.Off, row.Price = step.From, s.Off, price(step.Price, c)
		}
	}
	row.Pending, row.Ended = s.Pending, s.Ended
	add()
	return spans
}

// days is a number of days from 0 to a limit, else −1.
func days(n market.Day, limit int) int16 {
	if n < 0 || int(n) > limit {
		return -1
	}
	return int16(n)
}

// price is a price that counts, else 0.
func price(dollars int64, c *calibration.Market) uint32 {
	if dollars < c.MinPrice || dollars > math.MaxUint32 {
		return 0
	}
	return uint32(dollars)
}
