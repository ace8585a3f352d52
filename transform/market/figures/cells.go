package figures

import (
	"quartier/schemas/calibration"
	"quartier/schemas/market"
)

// columns are values of listings or sales by slot: those of a slot are consecutive, so those of every type are too.
type columns [columnCount]column

type column struct {
	values []float64
	ends   [detailed]int // of the values of a slot
}

// of is the values of a type, which may be reordered: types are asked for before those that join them.
func (c *column) of(t market.PropertyType) []float64 {
	r := slotsOf[t]
	lo := 0
	if r[0] > 0 {
		lo = c.ends[r[0]-1]
	}
	return c.values[lo:c.ends[r[1]-1]]
}

// The columns of a point in time.
const (
	colAge = iota
	colSqft
	colAsk
	colAskPerSqft
	colDays
)

// The columns of sales.
const (
	colPrice = iota
	colPricePerSqft
	colDifference
	colShare
	colYear
	colSize
	colSoldDays
	colToSell
	columnCount
)

func (c *columns) reset() {
	for i := range c {
		c[i].values = c[i].values[:0]
	}
}

func (c *columns) add(which int, v float64) { c[which].values = append(c[which].values, v) }

func (c *columns) endSlot(slot int) {
	for i := range c {
		c[i].ends[slot] = len(c[i].values)
	}
}

// typesBySize are the types with more than counts, each after those that it joins.
var typesBySize = []market.PropertyType{market.SingleFamily, market.CondoTownhome, market.MultiFamilyUnder5, market.MultiFamily5Plus,
	market.VacantLand, market.AllResidential, market.ResidentialIncome}

// inSlot reports whether a listing counts in a slot.
func inSlot(slot int, t market.PropertyType, income bool) bool {
	return int(slotOf[t]) == slot || income && slot == slotExtra
}

// Joins reports whether a listing of a type, also of residential income or not, is one of another type, such as a union.
func Joins(own market.PropertyType, income bool, t market.PropertyType) bool {
	for slot := slotsOf[t][0]; slot < slotsOf[t][1]; slot++ {
		if inSlot(slot, own, income) {
			return true
		}
	}
	return false
}

// point computes the values of a point in time for all types.
func (k *Kernel) point(end int) {
	p, c := k.plan, &k.columns
	day := p.ends[end]
	for t := range k.points[end] {
		v := &k.points[end][t]
		for m := range v {
			v[m] = market.Absent
		}
		v[market.Active] = sum(&k.active[end], market.PropertyType(t))
		v[market.UnderContract] = sum(&k.underContract[end], market.PropertyType(t))
		v[market.Pending] = sum(&k.pending[end], market.PropertyType(t))
	}
	if len(k.listed[end]) == 0 {
		return
	}
	c.reset()
	for slot := range detailed {
		for _, s := range k.listed[end] {
			if inSlot(slot, s.Type, s.Income) {
				c.listing(s, day, p.calibration.MaxDays)
			}
		}
		c.endSlot(slot)
	}
	for _, t := range typesBySize {
		v := &k.points[end][t]
		if v[market.Active] == 0 {
			continue
		}
		set(v, market.ActiveMedianAge, c[colAge].of(t), 50)
		set(v, market.ActiveMedianSize, c[colSqft].of(t), 50)
		setPrices(v, market.AskMin, c[colAsk].of(t))
		set(v, market.AskPerSqft, c[colAskPerSqft].of(t), 50)
		set(v, market.DaysOnMarketP10, c[colDays].of(t), 10, 25, 50, 75, 90)
	}
}

func (c *columns) listing(s *Span, day market.Day, most int) {
	c.add(colAge, float64(day-s.On+1))
	if days := int(s.Prior) + int(day-s.From) + 1; days <= most {
		c.add(colDays, float64(days))
	}
	if s.Sqft > 0 {
		c.add(colSqft, float64(s.Sqft))
	}
	if s.Price > 0 {
		c.add(colAsk, float64(s.Price))
		if s.Sqft > 0 {
			c.add(colAskPerSqft, float64(s.Price)/float64(s.Sqft))
		}
	}
}

func (c *columns) sale(s *Sale, latestYear int, rules *calibration.Market) {
	if !s.Far(rules.FarTimes) {
		c.add(colPrice, float64(s.Price))
		if s.Sqft > 0 {
			c.add(colPricePerSqft, float64(s.Price)/float64(s.Sqft))
		}
	}
	if s.Sqft > 0 {
		c.add(colSize, float64(s.Sqft))
	}
	if s.Year > 0 && int(s.Year) <= latestYear {
		c.add(colYear, float64(s.Year))
	}
	if s.Days >= 0 {
		c.add(colSoldDays, float64(s.Days))
	}
	if s.ToSell >= 0 {
		c.add(colToSell, float64(s.ToSell))
	}
	if difference, ok := s.Pair(rules.PairPercent); ok {
		c.add(colDifference, float64(difference))
		c.add(colShare, float64(difference)/float64(s.Asked))
	}
}

// Far reports whether the price is more than so many times above or below the asking price.
func (s *Sale) Far(times int64) bool {
	return s.Asked > 0 && apart(float64(s.Price), float64(s.Asked), float64(times))
}

// Pair is the sale price less the asking price; false if that is not known, or so many percent away or more.
func (s *Sale) Pair(percent int64) (int64, bool) {
	difference := int64(s.Price) - int64(s.Asked)
	return difference, s.Asked > 0 && 100*max(difference, -difference) < percent*int64(s.Asked)
}

// cellsOf appends the cells of an interval; those of a type without anything are left out.
func (k *Kernel) cellsOf(dst []market.Cell, interval int) []market.Cell {
	w, first := k.plan.own[interval], len(dst)
	var at [market.TypeCount]int
	for t := range market.TypeCount {
		cell := market.Cell{Type: t, Interval: uint8(interval), Values: k.points[k.plan.end[interval]][t]}
		v := &cell.Values
		v[market.Sold], v[market.New] = sum(&k.sold[w], t), sum(&k.fresh[w], t)
		inside := sum(&k.inside[w], t)
		at[t] = -1
		if v[market.Sold]+v[market.New]+v[market.Active]+v[market.UnderContract]+v[market.Pending] == 0 && (inside == 0 || t.CountsAlone()) {
			continue
		}
		if !t.CountsAlone() {
			k.conditions(v, interval, t, inside)
		}
		at[t] = len(dst)
		dst = append(dst, cell)
	}
	if len(k.sales[w]) > 0 && len(dst) > first {
		k.prices(dst, &at, w, interval)
	}
	return dst
}

// prices fills in what sales have.
func (k *Kernel) prices(dst []market.Cell, at *[market.TypeCount]int, w, interval int) {
	c, p := &k.columns, k.plan
	year, _, _ := p.Intervals[interval].Last.Date()
	c.reset()
	k.far = k.far[:0]
	for slot := range detailed {
		for _, s := range k.sales[w] {
			if inSlot(slot, s.Type, s.Income) {
				c.sale(s, year+p.calibration.YearsAhead, p.calibration)
			}
		}
		c.endSlot(slot)
	}
	for _, s := range k.sales[w] {
		if s.Far(p.calibration.FarTimes) {
			k.far = append(k.far, s)
		}
	}
	for _, t := range typesBySize {
		if at[t] < 0 || dst[at[t]].Values[market.Sold] == 0 {
			continue
		}
		v := &dst[at[t]].Values
		prices, perSqft := k.confirmed(t, c[colPrice].of(t), c[colPricePerSqft].of(t))
		setPrices(v, market.SaleMin, prices)
		if len(prices) > 0 {
			v[market.Volume] = 0
		}
		for _, price := range prices {
			v[market.Volume] += int64(price)
		}
		set(v, market.SalePerSqft, perSqft, 50)
		set(v, market.MedianYearBuilt, c[colYear].of(t), 50)
		set(v, market.SoldMedianSize, c[colSize].of(t), 50)
		set(v, market.SoldMedianDaysOnMarket, c[colSoldDays].of(t), 50)
		set(v, market.DaysToSellP10, c[colToSell].of(t), 10, 25, 50, 75, 90)
		setDifferences(v, c[colDifference].of(t), c[colShare].of(t))
	}
}

// confirmed are the prices of a type, whole and by square foot, with those that are far from their asking prices and not as far from
// the median of the others: there the asking price is the mistake.
func (k *Kernel) confirmed(t market.PropertyType, prices, perSqft []float64) (all, allPerSqft []float64) {
	if len(k.far) == 0 || len(prices) == 0 {
		return prices, perSqft
	}
	arrangeFor(prices, []int{50})
	median := quantile(prices, 50) / 100
	all, allPerSqft = prices, perSqft
	for _, s := range k.far {
		price := float64(s.Price)
		if !Joins(s.Type, s.Income, t) || apart(price, median, float64(k.plan.calibration.FarTimes)) {
			continue
		}
		all = append(all[:len(all):len(all)], price)
		if s.Sqft > 0 {
			allPerSqft = append(allPerSqft[:len(allPerSqft):len(allPerSqft)], price/float64(s.Sqft))
		}
	}
	return all, allPerSqft
}

// apart reports whether one of two prices is more than so many times the other.
func apart(a, b, times float64) bool { return a > times*b || b > times*a }

func setDifferences(v *market.Values, differences, shares []float64) {
	if len(differences) == 0 {
		return
	}
	set(v, market.MedianDifference, differences, 50)
	set(v, market.MedianPercentDifference, shares, 50)
	above, below := 0, 0
	for _, d := range differences {
		if d > 0 {
			above++
		} else if d < 0 {
			below++
		}
	}
	v[market.SoldAbove] = share(int64(above), int64(len(differences)))
	v[market.SoldBelow] = share(int64(below), int64(len(differences)))
}

// conditions sets absorption and what it says about the market.
func (k *Kernel) conditions(v *market.Values, interval int, t market.PropertyType, inside int64) {
	c, w := k.plan.calibration, k.plan.own[interval]
	if inside == 0 {
		return
	}
	sold, listed := sum(&k.soldListed[w], t), inside
	v[market.Absorption] = share(sold, listed)
	if inside < c.MinListings {
		return
	}
	if parts := k.plan.parts[interval]; parts != nil {
		sold, listed = 0, 0
		for _, part := range parts {
			sold += sum(&k.soldListed[part], t)
			listed += sum(&k.inside[part], t)
		}
	}
	if listed > 0 {
		v[market.Assessment], v[market.Qualifier] = Conditions(sold, listed, c.Sellers, c.Buyers, c.Neutral)
	}
}

// Conditions are the assessment of a market in which so many of the listings of a month were sold, and its qualifier in
// hundredths: (a − neutral)/neutral, −100 to 100. The limits are in ten-thousandths.
//
// An example: of 100 listings 21 sold, 2100 ten-thousandths: a sellers' market, qualifier (2100 − 1750)/1750 = 0.20.
func Conditions(sold, listed, sellers, buyers, neutral int64) (assessment, qualifier int64) {
	assessment = market.NeutralMarket
	switch {
	case 10_000*sold >= sellers*listed:
		assessment = market.SellersMarket
	case 10_000*sold <= buyers*listed:
		assessment = market.BuyersMarket
	}
	numerator, denominator := 100*(10_000*sold-neutral*listed), neutral*listed
	qualifier = (2*max(numerator, -numerator) + denominator) / (2 * denominator) // half away from zero
	if numerator < 0 {
		qualifier = -qualifier
	}
	return assessment, min(max(qualifier, -100), 100)
}

// sum adds the slots of a type.
func sum(counts *[slots]int64, t market.PropertyType) int64 {
	total := int64(0)
	for _, n := range counts[slotsOf[t][0]:slotsOf[t][1]] {
		total += n
	}
	return total
}

// set sets percentiles, in ascending order, to consecutive metrics; they stay absent if there are no values. It reorders them.
func set(v *market.Values, first market.Metric, values []float64, percents ...int) {
	if len(values) == 0 {
		return
	}
	arrangeFor(values, percents)
	for i, percent := range percents {
		m := first + market.Metric(i)
		v[m] = rounded(quantile(values, percent), m.Decimals())
	}
}

// setPrices sets minimum, percentiles and maximum.
func setPrices(v *market.Values, first market.Metric, values []float64) {
	set(v, first, values, 0, 10, 25, 50, 75, 90, 100)
}
