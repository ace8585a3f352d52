package market

import (
	"fmt"
	"slices"

	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/transform/market/figures"
)

// partsOf says in which numbers of an interval a listing counts, with its value, and why it does not in those in which it
// could.
func partsOf(e *Entry, spans []figures.Span, sales []figures.Sale, i market.Interval, c *calibration.Market) []Part {
	var p parts
	for k := range spans {
		p.span(&spans[k], e.State, i, c)
	}
	for k := range sales {
		if s := &sales[k]; s.Day >= i.First && s.Day <= i.Last {
			p.sale(s, i, c)
		}
	}
	return p
}

type parts []Part

func (p *parts) counts(m market.Metric, value float64) {
	*p = append(*p, Part{Metric: m, Counts: true, Value: value})
}
func (p *parts) not(m market.Metric, why string) { *p = append(*p, Part{Metric: m, Why: why}) }

func (p parts) has(m market.Metric) bool {
	return slices.ContainsFunc(p, func(part Part) bool { return part.Metric == m })
}

// when counts a value, or says why it does not.
func (p *parts) when(ok bool, m market.Metric, value float64, why string) {
	if ok {
		p.counts(m, value)
	} else {
		p.not(m, why)
	}
}

func (p *parts) span(s *figures.Span, state string, i market.Interval, c *calibration.Market) {
	if s.On >= i.First && s.On <= i.Last && s.On == s.From {
		p.when(s.New, market.New, 1, "it continues a listing of the home that went off unsold at most so many days before")
	}
	if s.From <= i.Last && s.Off >= i.First && !p.has(market.Absorption) { // a listing has a span for each price
		p.when(s.Before < i.First, market.Absorption, 1, "the same home counts already")
	}
	last := i.Last
	inSpan := s.From <= last && last < s.Off
	switch {
	case state == "pending" && s.Pending <= last && last < s.Ended:
		p.counts(market.Pending, 1)
	case state == "under contract" && inSpan:
		p.counts(market.UnderContract, 1)
	case state == "active" && inSpan:
		p.active(s, last, c)
	}
}

func (p *parts) active(s *figures.Span, last market.Day, c *calibration.Market) {
	p.counts(market.Active, 1)
	p.counts(market.ActiveMedianAge, float64(last-s.On+1))
	days := int(s.Prior) + int(last-s.From) + 1
	p.when(days <= c.MaxDays, market.DaysOnMarketMedian, float64(days), fmt.Sprintf("%d days are more than %d", days, c.MaxDays))
	p.when(s.Sqft > 0, market.ActiveMedianSize, float64(s.Sqft), noSize(c))
	p.when(s.Price > 0, market.AskMedian, float64(s.Price), noPrice(c))
	if s.Price > 0 && s.Sqft > 0 {
		p.counts(market.AskPerSqft, float64(s.Price)/float64(s.Sqft))
	}
}

func (p *parts) sale(s *figures.Sale, i market.Interval, c *calibration.Market) {
	p.counts(market.Sold, 1)
	far := s.Far(c.FarTimes)
	p.when(!far, market.SaleMedian, float64(s.Price),
		fmt.Sprintf("%d is more than %d times above or below %d, and counts only if the prices of other sales confirm it", s.Price,
			c.FarTimes, s.Asked))
	p.when(s.Sqft > 0, market.SoldMedianSize, float64(s.Sqft), noSize(c))
	if s.Sqft > 0 && !far {
		p.counts(market.SalePerSqft, float64(s.Price)/float64(s.Sqft))
	}
	year, _, _ := i.Last.Date()
	p.when(s.Year > 0 && int(s.Year) <= year+c.YearsAhead, market.MedianYearBuilt, float64(s.Year),
		fmt.Sprintf("no year of construction from %d to %d", c.FirstYear, year+c.YearsAhead))
	if !s.Listed {
		p.not(market.SoldMedianDaysOnMarket, "it was never listed: a public sale")
		return
	}
	p.when(s.Days >= 0, market.SoldMedianDaysOnMarket, float64(s.Days), fmt.Sprintf("no contract 0 to %d days after it came on", c.MaxDays))
	p.when(s.ToSell >= 0, market.DaysToSellMedian, float64(s.ToSell), "closed before it came on")
	difference, ok := s.Pair(c.PairPercent)
	p.when(ok, market.MedianDifference, float64(difference), pairWhy(s, c))
	if ok {
		p.counts(market.MedianPercentDifference, float64(difference)/float64(s.Asked))
	}
}

func pairWhy(s *figures.Sale, c *calibration.Market) string {
	if s.Asked == 0 {
		return "no list price before the contract"
	}
	return fmt.Sprintf("%d is %d %% or more from %d", s.Price, c.PairPercent, s.Asked)
}

func noSize(c *calibration.Market) string {
	return fmt.Sprintf("no living area from %.0f to %.0f sq ft", c.MinSqft, c.MaxSqft)
}

func noPrice(c *calibration.Market) string {
	return fmt.Sprintf("no list price of %d dollars or more", c.MinPrice)
}
