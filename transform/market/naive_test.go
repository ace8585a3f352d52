package market

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quartier/schemas/market"
	"quartier/schemas/staged"
)

// The naive computation: every listing is a state and a price for every day, in a map, as the generator played it; every
// number is looked up day by day from its definition, with fractions of big.Rat.

// life is a listing as it was, day by day.
type life struct {
	kind   market.PropertyType
	income bool
	geogs  []string
	on     market.Day
	state  map[market.Day]market.Status // at the day's end: Active, UnderContract or Pending
	price  map[market.Day]int64         // while on the market
	off    []market.Day                 // days on which it went off
	sold   *soldAs
	sqft   float64
	chain  int // number of the home's listing: those joined have one
	public bool
}

type soldAs struct {
	day          market.Day
	price, asked int64
	contract     market.Day
	year         int32
}

func newLife() *life {
	return &life{state: map[market.Day]market.Status{}, price: map[market.Day]int64{}}
}

// naive computes the values of a geography, type and interval.
func naive(lives []*life, geography string, t market.PropertyType, i market.Interval) (v market.Values, some bool) {
	for m := range v {
		v[m] = market.Absent
	}
	first, activeBefore := map[int]market.Day{}, map[int][]*life{}
	for _, l := range lives {
		if l.public {
			continue
		}
		if f, ok := first[l.chain]; !ok || l.on < f {
			first[l.chain] = l.on
		}
		activeBefore[l.chain] = append(activeBefore[l.chain], l)
	}
	var own []*life
	for _, l := range lives {
		if slices.Contains(l.geogs, geography) && isOf(l, t) {
			own = append(own, l)
		}
	}
	a, b := i.First, i.Last
	counts := map[market.Status]int64{}
	var age, size, ask, askPerSqft, days []*big.Rat
	fresh := map[int]bool{} // by chain: a home may come on twice in a day
	for _, l := range own {
		if l.public {
			continue
		}
		counts[l.state[b]]++
		if first[l.chain] == l.on && l.on >= a && l.on <= b {
			fresh[l.chain] = true
		}
		if l.state[b] != market.StatusActive {
			continue
		}
		age = append(age, whole(int64(b-l.on)+1))
		n := int64(0)
		for _, part := range activeBefore[l.chain] {
			for d, s := range part.state {
				if d <= b && s == market.StatusActive {
					n++
				}
			}
		}
		if n <= 365 {
			days = append(days, whole(n))
		}
		if l.sqft >= 200 && l.sqft <= 20000 {
			size = append(size, new(big.Rat).SetFloat64(l.sqft))
		}
		if p := l.price[b]; p >= 1000 {
			ask = append(ask, whole(p))
			if l.sqft >= 200 && l.sqft <= 20000 {
				askPerSqft = append(askPerSqft, new(big.Rat).Quo(whole(p), new(big.Rat).SetFloat64(l.sqft)))
			}
		}
	}
	v[market.Active], v[market.UnderContract], v[market.Pending], v[market.New] = counts[market.StatusActive],
		counts[market.StatusUnderContract], counts[market.StatusPending], int64(len(fresh))
	sold := sales(own, a, b)
	v[market.Sold] = int64(len(sold))
	inside, listed := openIn(own, a, b), listedSales(sold)
	some = v[market.Active]+v[market.UnderContract]+v[market.Pending]+v[market.New]+v[market.Sold] > 0
	if t.CountsAlone() {
		return v, some
	}
	some = some || inside > 0
	naiveSet(&v, market.ActiveMedianAge, age, 50)
	naiveSet(&v, market.ActiveMedianSize, size, 50)
	naiveSet(&v, market.AskMin, ask, 0, 10, 25, 50, 75, 90, 100)
	naiveSet(&v, market.AskPerSqft, askPerSqft, 50)
	naiveSet(&v, market.DaysOnMarketP10, days, 10, 25, 50, 75, 90)
	naiveSales(&v, sold, first, i)
	if inside > 0 {
		v[market.Absorption] = round(new(big.Rat).Mul(big.NewRat(listed, inside), whole(10000)))
		naiveConditions(&v, own, i, inside, listed)
	}
	return v, some
}

func isOf(l *life, t market.PropertyType) bool {
	switch t {
	case market.AllResidential:
		return l.kind == market.SingleFamily || l.kind == market.CondoTownhome || l.kind == market.MultiFamilyUnder5
	case market.ResidentialIncome:
		return l.kind == market.MultiFamily5Plus || l.income && l.kind != market.MultiFamilyUnder5
	}
	return l.kind == t
}

func sales(own []*life, a, b market.Day) (list []*life) {
	for _, l := range own {
		if l.sold != nil && l.sold.day >= a && l.sold.day <= b && l.sold.price >= 1000 {
			list = append(list, l)
		}
	}
	return list
}

func listedSales(sold []*life) (n int64) {
	for _, l := range sold {
		if !l.public {
			n++
		}
	}
	return n
}

// openIn counts the different listings that were listed on or before b and not off before a.
func openIn(own []*life, a, b market.Day) int64 {
	chains := map[int]bool{}
	for _, l := range own {
		if l.public {
			continue
		}
		for _, off := range l.off {
			if off >= a && off <= b {
				chains[l.chain] = true
			}
		}
		for d := a; d <= b; d++ {
			if s := l.state[d]; s == market.StatusActive || s == market.StatusUnderContract {
				chains[l.chain] = true
			}
		}
	}
	return int64(len(chains))
}

func naiveConditions(v *market.Values, own []*life, i market.Interval, inside, listed int64) {
	if inside < 5 {
		return
	}
	if i.Last-i.First+1 > 31 {
		inside, listed = 0, 0
		window := func(a, b market.Day) {
			inside += openIn(own, a, b)
			listed += listedSales(sales(own, a, b))
		}
		if i.Closed {
			for m := i.First; m <= i.Last; m = m.AddMonths(1) {
				window(m, m.AddMonths(1)-1)
			}
		} else {
			for b := i.Last; b-29 >= i.First; b -= 30 {
				window(b-29, b)
			}
		}
	}
	if inside == 0 {
		return
	}
	a := big.NewRat(listed, inside)
	switch {
	case a.Cmp(big.NewRat(20, 100)) >= 0:
		v[market.Assessment] = market.SellersMarket
	case a.Cmp(big.NewRat(15, 100)) <= 0:
		v[market.Assessment] = market.BuyersMarket
	default:
		v[market.Assessment] = market.NeutralMarket
	}
	q := new(big.Rat).Quo(new(big.Rat).Sub(a, big.NewRat(175, 1000)), big.NewRat(175, 1000))
	v[market.Qualifier] = min(max(round(new(big.Rat).Mul(q, whole(100))), -100), 100)
}

// believedPrices are the sales whose price is at most 20 times above or below the asking price, or the median of these.
func believedPrices(sold []*life) []bool {
	far := func(a, b *big.Rat) bool {
		return a.Cmp(new(big.Rat).Mul(whole(20), b)) > 0 || b.Cmp(new(big.Rat).Mul(whole(20), a)) > 0
	}
	believed, sure := make([]bool, len(sold)), []*big.Rat{}
	for n, l := range sold {
		believed[n] = l.public || l.sold.asked < 1000 || !far(whole(l.sold.price), whole(l.sold.asked))
		if believed[n] {
			sure = append(sure, whole(l.sold.price))
		}
	}
	if len(sure) == 0 {
		return believed
	}
	slices.SortFunc(sure, func(a, b *big.Rat) int { return a.Cmp(b) })
	median := new(big.Rat).Quo(new(big.Rat).Add(sure[(len(sure)-1)/2], sure[len(sure)/2]), whole(2))
	for n, l := range sold {
		believed[n] = believed[n] || !far(whole(l.sold.price), median)
	}
	return believed
}

func naiveSales(v *market.Values, sold []*life, first map[int]market.Day, i market.Interval) {
	var price, perSqft, difference, percent, year, size, days, toSell []*big.Rat
	above, below, volume := int64(0), int64(0), int64(0)
	believed := believedPrices(sold)
	for n, l := range sold {
		s := l.sold
		if believed[n] {
			price = append(price, whole(s.price))
			volume += s.price
		}
		if l.sqft >= 200 && l.sqft <= 20000 {
			size = append(size, new(big.Rat).SetFloat64(l.sqft))
		}
		if believed[n] && l.sqft >= 200 && l.sqft <= 20000 {
			perSqft = append(perSqft, new(big.Rat).Quo(whole(s.price), new(big.Rat).SetFloat64(l.sqft)))
		}
		if last, _, _ := i.Last.Date(); s.year >= 1700 && int(s.year) <= last+2 {
			year = append(year, whole(int64(s.year)))
		}
		if l.public {
			continue
		}
		if s.asked >= 1000 {
			p := new(big.Rat).Quo(whole(s.price-s.asked), whole(s.asked))
			if new(big.Rat).Abs(p).Cmp(big.NewRat(1, 2)) < 0 {
				difference, percent = append(difference, whole(s.price-s.asked)), append(percent, p)
				switch p.Sign() {
				case 1:
					above++
				case -1:
					below++
				}
			}
		}
		if n := s.contract - first[l.chain]; n >= 0 && n <= 365 {
			days = append(days, whole(int64(n)))
		}
		toSell = append(toSell, whole(int64(s.day-first[l.chain])))
	}
	naiveSet(v, market.SaleMin, price, 0, 10, 25, 50, 75, 90, 100)
	naiveSet(v, market.SalePerSqft, perSqft, 50)
	naiveSet(v, market.MedianDifference, difference, 50)
	naiveSet(v, market.MedianPercentDifference, percent, 50)
	naiveSet(v, market.MedianYearBuilt, year, 50)
	naiveSet(v, market.SoldMedianSize, size, 50)
	naiveSet(v, market.SoldMedianDaysOnMarket, days, 50)
	naiveSet(v, market.DaysToSellP10, toSell, 10, 25, 50, 75, 90)
	if len(price) > 0 {
		v[market.Volume] = volume
	}
	if n := int64(len(difference)); n > 0 {
		v[market.SoldAbove] = round(big.NewRat(10000*above, n))
		v[market.SoldBelow] = round(big.NewRat(10000*below, n))
	}
}

func whole(n int64) *big.Rat { return big.NewRat(n, 1) }

// round rounds half away from zero.
func round(r *big.Rat) int64 {
	twice := new(big.Rat).Add(new(big.Rat).Abs(new(big.Rat).Set(r)), big.NewRat(1, 2))
	n := new(big.Int).Quo(twice.Num(), twice.Denom()).Int64()
	return n * int64(r.Sign())
}

func naiveSet(v *market.Values, first market.Metric, values []*big.Rat, percents ...int64) {
	if len(values) == 0 {
		return
	}
	slices.SortFunc(values, func(a, b *big.Rat) int { return a.Cmp(b) })
	for k, p := range percents {
		h := big.NewRat(int64(len(values)-1)*p, 100)
		lo := new(big.Int).Quo(h.Num(), h.Denom()).Int64()
		x := new(big.Rat).Set(values[lo])
		if rest := new(big.Rat).Sub(h, whole(lo)); rest.Sign() > 0 {
			x.Add(x, rest.Mul(rest, new(big.Rat).Sub(values[lo+1], values[lo])))
		}
		m := first + market.Metric(k)
		scale := int64(1)
		for range m.Decimals() {
			scale *= 10
		}
		v[m] = round(x.Mul(x, whole(scale)))
	}
}

// game plays homes and writes what a listing service publishes of them.
type game struct {
	random  *rand.Rand
	records []record
	lives   []*life
	keys    []string // of lives
	chains  int
	asOf    market.Day
	home    int
}

func (g *game) chance(percent int) bool { return g.random.IntN(100) < percent }
func (g *game) days(from, to int) market.Day {
	return market.Day(from + g.random.IntN(to-from+1))
}

// noon of a day in Pennsylvania, in microseconds, and an hour of it.
func at(day market.Day, hour int) int64 {
	zone, _ := time.LoadLocation("America/New_York")
	y, m, d := day.Date()
	return time.Date(y, m, d, hour, 0, 0, 0, zone).UnixMicro()
}

// play plays a home: one listing or several, some of them again within 30 days.
func (g *game) play() {
	g.home++
	kind := market.SingleFamily + market.PropertyType(g.random.IntN(int(market.TypeCount-market.SingleFamily)))
	if g.chance(50) {
		kind = market.SingleFamily
	}
	base := staged.Listing{SourceID: "s", System: "mls", Type: uint8(kind), Income: g.chance(10), File: "f", Row: int64(g.home), State: "PA",
		Address: fmt.Sprintf("%d elm st 15001", g.home), Unit: fmt.Sprint(g.home)}
	west := g.chance(50)
	geogs := []string{"g37_both", "g30_east", "g32_east"}
	lng := -77.5 + 0.0001 + 0.49*g.random.Float64()
	if west {
		geogs = []string{"g37_both", "g30_west", "g32_west"}
		if lng -= 0.5; lng < -77.6 {
			geogs = append(geogs, "g30_old")
		}
	}
	base.Lng, base.Lat = ptr(lng), ptr(40.1+0.8*g.random.Float64())
	if g.chance(10) { // by ZIP code
		base.Lng, base.Lat, base.PostalCode, geogs = nil, nil, "15002", []string{"g32_east"}
		if west {
			base.PostalCode, geogs = "15001", []string{"g32_west"}
		}
	}
	if g.chance(85) {
		base.LivingAreaSqft = ptr(float64(100 + g.random.IntN(3000)))
	}
	if g.chance(85) {
		base.YearBuilt = ptr(int32(1690 + g.random.IntN(345)))
	}
	day := g.asOf - g.days(1, 2100)
	g.chains++
	for again := true; again; {
		l := newLife()
		l.kind, l.income, l.geogs, l.chain = kind, base.Income, geogs, g.chains
		r := record{Listing: base}
		r.Key = fmt.Sprintf("%d-%d", g.home, len(g.records))
		if base.LivingAreaSqft != nil {
			l.sqft = *base.LivingAreaSqft
		}
		if g.chance(15) {
			g.public(&r, l, day)
			return
		}
		unsold := g.list(&r, l, day)
		g.add(r, l)
		again = unsold != market.NoDay && g.chance(60)
		gap := g.days(0, 60)
		if gap > 30 {
			g.chains++
		}
		day = unsold + gap
	}
}

func (g *game) add(r record, l *life) {
	g.records, g.lives, g.keys = append(g.records, r), append(g.lives, l), append(g.keys, r.Key)
}

func (g *game) public(r *record, l *life, day market.Day) {
	l.public, r.Public, r.Status = true, true, uint8(market.StatusClosed)
	l.sold = &soldAs{day: day, price: int64(g.random.IntN(900_000))}
	r.CloseDay, r.ClosePrice = ptr(int32(day)), ptr(l.sold.price)
	if r.YearBuilt != nil {
		l.sold.year = *r.YearBuilt
	}
	g.add(*r, l)
}

// list plays a listing from its first day; it returns the day on which it went off unsold, or NoDay. With a history it may
// fall through and change its price often; without one the dates have all.
func (g *game) list(r *record, l *life, day market.Day) market.Day {
	history := g.chance(50)
	price := int64(500 + g.random.IntN(900_000))
	l.on = day
	switch g.random.IntN(3) {
	case 0:
		r.OnDay = ptr(int32(day))
	case 1:
		r.OnAt = ptr(at(day, 23)) // the next day in UTC
	default:
		r.ListedDay = ptr(int32(day))
	}
	r.OriginalListPrice = ptr(price)
	status, row := market.StatusActive, int64(0)
	change := func(to market.Status) {
		if history {
			row++
			r.changes = append(r.changes, staged.ListingChange{System: r.System, Key: r.Key, At: at(day, 8) + row*time.Minute.Microseconds(),
				Field: "status", Before: uint8(status), Status: uint8(to), Row: row})
		}
		status = to
	}
	unsold, cuts, done := market.NoDay, 0, false
	for length := 0; !done; length++ {
		// What happens on this day.
		switch p := g.random.IntN(1000); {
		case length > 500:
			if status != market.StatusPending { // it is off since then
				l.off = append(l.off, day)
			}
			change(market.StatusExpired)
			r.ExpiredDay, unsold, done = ptr(int32(day)), day, true
		case status == market.StatusActive && p < 10:
			change(market.StatusUnderContract)
			r.ContingentDay = ptr(int32(day))
		case (status == market.StatusActive || status == market.StatusUnderContract) && p < 30:
			change(market.StatusPending)
			l.off = append(l.off, day)
			r.ContractDay = ptr(int32(day))
			l.sold = &soldAs{contract: day, asked: price}
			if last, known := l.price[day-1]; known {
				l.sold.asked = last
			}
		case status == market.StatusPending && p < 40:
			change(market.StatusClosed)
			l.sold.day, l.sold.price, done = day, price*int64(40+g.random.IntN(130))/100, true
			switch { // a price with two digits too many, or an asking price with two too few
			case g.chance(5):
				l.sold.price *= 100
			case g.chance(5):
				l.sold.price = max(l.sold.price/50, 1000)
			}
			r.CloseDay, r.ClosePrice = ptr(int32(day)), ptr(l.sold.price)
		case status == market.StatusPending && p < 50 && history: // falls through, sometimes twice in a day
			change(market.StatusActive)
			if l.sold = nil; g.chance(20) {
				change(market.StatusPending)
				change(market.StatusActive)
			}
			r.ContractDay, r.ContingentDay = nil, nil
		case status != market.StatusPending && p < 40:
			change(market.StatusWithdrawn)
			l.off = append(l.off, day)
			r.WithdrawnDay, unsold, done = ptr(int32(day)), day, true
		case status == market.StatusActive && p < 55 && (history || cuts == 0):
			previous := price
			price -= price / 20
			cuts++
			r.PriceChangedAt = ptr(at(day, 12))
			if history {
				row++
				r.changes = append(r.changes, staged.ListingChange{System: r.System, Key: r.Key, At: at(day, 12), Field: "list_price",
					Previous: ptr(previous), Price: ptr(price), Row: row})
			}
		}
		if status == market.StatusActive || status == market.StatusUnderContract || status == market.StatusPending {
			l.state[day], l.price[day] = status, price
		}
		if status == market.StatusClosed || unsold != market.NoDay || day >= g.asOf+20 {
			done = true
		}
		day++
	}
	if status != market.StatusClosed {
		l.sold = nil
	} else if r.YearBuilt != nil {
		l.sold.year = *r.YearBuilt
	}
	r.Status, r.ListPrice = uint8(status), ptr(price)
	return unsold
}

// TestNaive compares with the naive computation.
func TestNaive(t *testing.T) {
	places := testPlaces(t)
	rapid.Check(t, func(t *rapid.T) {
		g := &game{random: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)),
			asOf: market.DayOf(2026, 1, 1) + market.Day(rapid.IntRange(0, 400).Draw(t, "as of"))}
		for range rapid.IntRange(1, 60).Draw(t, "homes") {
			g.play()
		}
		g.random.Shuffle(len(g.records), func(i, j int) { g.records[i], g.records[j] = g.records[j], g.records[i] })
		got, _ := once(t, places, g.records, g.asOf)
		compareNaive(t, g, got)
	})
}

func compareNaive(t *rapid.T, g *game, got cells) {
	seen := 0
	for _, geography := range []string{"g30_west", "g30_east", "g30_old", "g32_west", "g32_east", "g37_both", "g37_ohio"} {
		for _, i := range market.Intervals(g.asOf) {
			for kind := range market.TypeCount {
				want, some := naive(g.lives, geography, kind, i)
				v, ok := got.of(geography, kind, i.Code)
				if ok != some {
					t.Fatalf("%s %s %s: cell %v, want %v: %v\n%s", geography, kind, i.Code, ok, some, want, g.describe(geography, kind))
				}
				if !ok {
					continue
				}
				seen++
				for m := range market.MetricCount {
					if v[m] != want[m] {
						t.Fatalf("%s %s %s (%s to %s): %s is %d, want %d\n%s", geography, kind, i.Code, i.First, i.Last, m, v[m], want[m],
							g.describe(geography, kind))
					}
				}
			}
		}
	}
	if seen != len(got) {
		t.Fatalf("%d cells, want %d", len(got), seen)
	}
}

// describe lists the records behind a number.
func (g *game) describe(geography string, t market.PropertyType) string {
	var b strings.Builder
	for _, r := range g.records {
		var l *life
		for n, key := range g.keys {
			if key == r.Key {
				l = g.lives[n]
			}
		}
		if !slices.Contains(l.geogs, geography) || !isOf(l, t) {
			continue
		}
		day := func(d *int32) string {
			if d == nil {
				return "-"
			}
			return market.Day(*d).String()
		}
		fmt.Fprintf(&b, "%s chain %d status %d on %s contingent %s contract %s withdrawn %s expired %s close %s\n", r.Key, l.chain, r.Status,
			l.on, day(r.ContingentDay), day(r.ContractDay), day(r.WithdrawnDay), day(r.ExpiredDay), day(r.CloseDay))
		for _, c := range r.changes {
			fmt.Fprintf(&b, "    %s %s %d → %d\n", time.UnixMicro(c.At), c.Field, c.Before, c.Status)
		}
	}
	return b.String()
}
