package enrich

import (
	"fmt"
	"slices"
	"strings"

	pack "quartier/internal/pack/market"
	"quartier/schemas"
	"quartier/schemas/column"
	"quartier/schemas/market"
	"quartier/serve/endpoint"
	"quartier/serve/release"
	"quartier/serve/scope"
)

// DefaultMarket is the interval and type of market statistics where none is chosen, and DefaultMarketLevels the levels.
const DefaultMarket = "30d:all_residential_properties"

// DefaultMarketLevels are the levels of market statistics where none are chosen.
var DefaultMarketLevels = []schemas.Level{schemas.Neighbourhood, schemas.Municipality}

// listings is an interval and a type of property.
type listings struct {
	interval int // as market.Intervals numbers them
	of       market.PropertyType
}

// marketFiller fills all metrics by level, interval and type.
type marketFiller struct {
	at     [schemas.Country + 1]int8 // by level: its number among those chosen; −1 where it was not
	chosen []listings
	last   []marketValues // by level
	row    pack.Row
}

// marketValues are the metrics of a geography, by what was chosen. Neighbouring points have the same.
type marketValues struct {
	geography int // one more than its number; 0: none yet
	known     bool
	values    []market.Values
}

// openMarket has the statistics of the smallest geography of each level.
func openMarket(e *Enricher) (part, error) {
	if e.release.Market == nil {
		return part{}, badChoice("the release has no market statistics")
	}
	levels := DefaultMarketLevels
	if len(e.choice.Levels) > 0 {
		var err error
		if levels, err = e.levelsFor(endpoint.UpToMetro); err != nil {
			return part{}, err
		}
	}
	f := marketFiller{}
	for i := range f.at {
		f.at[i] = -1
	}
	var p part
	codes := e.choice.Market
	if len(codes) == 0 {
		codes = []string{DefaultMarket}
	}
	for _, code := range codes {
		l, err := listingsOf(code, e.release.Market.Table)
		if err != nil {
			return part{}, err
		}
		f.chosen = append(f.chosen, l)
	}
	for i, level := range levels {
		f.at[level] = int8(i)
		for _, l := range f.chosen {
			p.columns = append(p.columns, e.choice.market(level, l, e.release.Market.Table.Intervals()[l.interval].Code)...)
		}
	}
	p.filler = func() filler {
		of := f
		of.last = make([]marketValues, len(levels))
		for i := range of.last {
			of.last[i].values = make([]market.Values, len(f.chosen))
		}
		return &of
	}
	return p, nil
}

// listingsOf reads "30d:single_family".
func listingsOf(code string, t *pack.Table) (l listings, err error) {
	interval, name, ok := strings.Cut(code, ":")
	if !ok {
		return l, badChoice("market: %q is not of the form 30d:single_family", code)
	}
	if l.of, ok = market.TypeNamed(name); !ok {
		return l, badChoice("market: %q is none of %s", name, listed(market.TypeNames()))
	}
	if l.interval, err = market.Parse(interval, t.Day(), t.Intervals()); err != nil {
		return l, badChoice("market: %v", err)
	}
	return l, nil
}

// market are the metrics of a level, interval and type, as market.parquet names them.
func (c *Choice) market(level schemas.Level, l listings, interval string) (columns []Column) {
	for m := range market.MetricCount {
		of := column.Of("market_stats.smallest_"+m.String()).With("level", level.Label("US", "")).With("interval", same(interval))
		name := fmt.Sprintf("market_%d_%s_%s_%s", level, strings.ReplaceAll(interval, "-", "_"), l.of, m)
		columns = append(columns, c.column(name, of.With("kind", same(l.of.String()))))
	}
	return columns
}

func (f *marketFiller) fill(at *place, k int, out []vector) bool {
	var done schemas.Level
	for _, i := range at.around() {
		level := at.release.Level(i)
		if level == done || !level.Valid() || f.at[level] < 0 {
			continue
		}
		done = level
		last := &f.last[f.at[level]]
		if last.geography != i+1 {
			f.read(&at.release, i, last)
		}
		if last.known {
			n := len(f.chosen) * int(market.MetricCount)
			fillMetrics(last.values, k, out[int(f.at[level])*n:][:n])
		}
	}
	return true
}

// read reads the metrics of a geography. Where there are no listings of its state none is known.
func (f *marketFiller) read(r *scope.Release, geography int, into *marketValues) {
	into.geography, into.known = geography+1, false
	id := strings.Trim(string(r.AppendID(nil, geography)), `"`)
	var stats *release.Market
	stats, _, err := r.Market(id)
	if err != nil {
		return
	}
	_, n, err := r.MarketGeography(id, stats)
	if err != nil {
		return
	}
	into.known = true
	for i, l := range f.chosen {
		stats.Table.Find(n, l.of, &f.row)
		if !f.row.Values(l.interval, &into.values[i]) {
			into.values[i] = nothingListed
		}
	}
}

// nothingListed are the metrics where nothing is counted: counts of 0.
var nothingListed = func() (values market.Values) {
	for m := range values {
		values[m] = market.Absent
		if slices.Contains([]market.Metric{market.Active, market.Pending, market.UnderContract, market.Sold, market.New}, market.Metric(m)) {
			values[m] = 0
		}
	}
	return values
}()

func fillMetrics(list []market.Values, k int, out []vector) {
	for _, values := range list {
		for m, value := range values {
			switch {
			case value == market.Absent:
			case market.Metric(m) == market.Assessment:
				out[m].texts[k] = pack.Assessments[value]
			default:
				out[m].numbers[k] = value
			}
		}
		out = out[market.MetricCount:]
	}
}
