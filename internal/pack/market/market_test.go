package market

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas"
	"quartier/schemas/market"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const newYork = "America/New_York"

var day = market.DayOf(2026, 11, 22)

// zones of six geographies, of which the second is in no zone.
var zones = []string{newYork, "", "America/Phoenix", newYork, newYork, newYork}

// write writes a table to a folder and returns the years whose files are those of the earlier one.
func write(dir string, h Header, list []market.Statistics) (kept []int, err error) {
	w, err := NewWriter(dir, h)
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	for i := range list {
		if err := w.Add(&list[i]); err != nil {
			return nil, err
		}
	}
	return w.Finish([]string{"US_NY", "US_AZ"})
}

func openTable(t testing.TB, list []market.Statistics) *Table {
	t.Helper()
	dir := t.TempDir()
	_, err := write(dir, Header{Day: day, Zones: zones}, list)
	must(t, err)
	return openFolder(t, dir)
}

func openFolder(t testing.TB, dir string) *Table {
	t.Helper()
	table, closeFiles, err := OpenFolder(dir)
	t.Cleanup(closeFiles)
	must(t, err)
	return table
}

// valuesOf are random metrics of which share are present. Numbers have the sizes that they have in life, and sometimes more.
func valuesOf(random *rand.Rand, share float64) (v market.Values) {
	for m := range market.MetricCount {
		v[m] = market.Absent
		if !slices.Contains(counts, m) && random.Float64() >= share {
			continue
		}
		v[m] = random.Int64N(1 << random.IntN(40))
		if signed(m) && random.IntN(2) == 0 {
			v[m] = -v[m]
		}
	}
	if v[market.Assessment] != market.Absent {
		v[market.Assessment] = random.Int64N(3)
	}
	return v
}

// towns are geographies 0, 3 and 5 with a cell in some of their types and intervals.
func towns(seed uint64, share float64) (list []market.Statistics) {
	random := rand.New(rand.NewPCG(seed, 1))
	for _, geography := range []uint32{0, 3, 5} {
		s := market.Statistics{Geography: geography}
		for t := range market.TypeCount {
			for i := range IntervalCount {
				if random.IntN(3) == 0 && t != market.VacantLand {
					s.Cells = append(s.Cells, market.Cell{Type: t, Interval: uint8(i), Values: valuesOf(random, share)})
				}
			}
		}
		list = append(list, s)
	}
	return list
}

// TestCellsComeBack compares answers with what was written.
func TestCellsComeBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := towns(rapid.Uint64().Draw(rt, "seed"), rapid.Float64Range(0, 1).Draw(rt, "share"))
		table := openTable(t, list)
		if table.Day() != day || table.Len() != len(zones) || !table.HasState("US_AZ") || table.HasState("US_VT") {
			rt.Fatalf("day %s, %d geographies, states %v", table.Day(), table.Len(), table.States())
		}
		for i, zone := range zones {
			if table.Zone(i) != zone {
				rt.Fatalf("zone %q of %d", table.Zone(i), i)
			}
			if zone != "" {
				compareAnswers(rt, table, list, i, zone)
			}
		}
	})
}

// TestCopiedCells writes the table of the next day with cells of that of the day before, among them those of a month or a year
// that is over since, and compares its bytes with those of a table that is written at once: files that are not written are
// those of the day before.
func TestCopiedCells(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		asOf := rapid.SampledFrom([]market.Day{market.DayOf(2026, 11, 30), market.DayOf(2026, 12, 31), market.DayOf(2027, 1, 31)}).Draw(rt, "day")
		before := towns(rapid.Uint64().Draw(rt, "seed"), 0.8)
		today := asOf + market.Day(rapid.IntRange(0, 1).Draw(rt, "days"))
		yesterdays := t.TempDir()
		_, err := write(yesterdays, Header{Day: asOf, Zones: zones}, before)
		must(t, err)
		earlier := openFolder(t, yesterdays)
		codes := map[string]uint8{}
		for n, i := range earlier.intervals {
			codes[i.Code] = uint8(n)
		}
		late := rapid.SliceOfDistinct(rapid.SampledFrom(earlier.intervals), func(i market.Interval) string { return i.Code }).Draw(rt, "late")
		lateOf := rapid.SampledFrom([]uint32{0, 3, 5}).Draw(rt, "geography")
		whole, changed := towns(rapid.Uint64().Draw(rt, "other seed"), 0.3), []market.Statistics(nil)
		for g := range whole {
			s := market.Statistics{Geography: whole[g].Geography, Computed: make([]bool, IntervalCount)}
			var all []market.Cell
			for t := range market.TypeCount {
				for n, i := range market.Intervals(today) {
					was, kept := codes[i.Code]
					s.Computed[n] = !kept || !i.Closed || s.Geography == lateOf && slices.Contains(late, i)
					from, at := before, int(was)
					if s.Computed[n] {
						from, at = whole, n
					}
					if values, has := cellOf(from, int(s.Geography), t, at); has {
						cell := market.Cell{Type: t, Interval: uint8(n), Values: values}
						if all = append(all, cell); s.Computed[n] {
							s.Cells = append(s.Cells, cell)
						}
					}
				}
			}
			changed = append(changed, s)
			whole[g].Cells = all
		}
		trusted := rapid.Bool().Draw(rt, "trusted")
		got, want := t.TempDir(), t.TempDir()
		kept, errA := write(got, Header{Day: today, Zones: zones, Earlier: earlier, Keep: func(int) bool { return trusted }}, changed)
		_, errB := write(want, Header{Day: today, Zones: zones}, whole)
		must(t, errors.Join(errA, errB))
		if !trusted && len(kept) > 0 || trusted && len(kept) < 4-len(late) {
			rt.Errorf("the files of %v are kept", kept)
		}
		for _, year := range append(market.Years(market.Intervals(today)), 0) {
			name, dir := schemas.MarketYear(schemas.MarketPack, year), got
			if slices.Contains(kept, year) {
				dir = yesterdays
			}
			a, errA := os.ReadFile(filepath.Join(dir, name))
			b, errB := os.ReadFile(filepath.Join(want, name))
			if err := errors.Join(errA, errB); err != nil || !bytes.Equal(a, b) {
				rt.Fatalf("%s: %d bytes, at once %d, %v", name, len(a), len(b), err)
			}
		}
	})
}

// TestLeftOutGeography leaves a geography out that the earlier table has: it has no cells any more.
func TestLeftOutGeography(t *testing.T) {
	before := towns(7, 0.5)
	yesterdays, today := t.TempDir(), t.TempDir()
	_, err := write(yesterdays, Header{Day: day, Zones: zones}, before)
	must(t, err)
	none := []market.Statistics{{Geography: 0, Computed: make([]bool, IntervalCount)}}
	kept, err := write(today, Header{Day: day, Zones: zones, Earlier: openFolder(t, yesterdays), Keep: func(int) bool { return true }}, none)
	must(t, err)
	if len(kept) > 0 {
		t.Fatalf("the files of %v are kept", kept)
	}
	table := openFolder(t, today)
	for _, geography := range []int{0, 5} {
		var row Row
		has := false
		for n := firstClosed(); n < IntervalCount; n++ {
			table.Find(geography, market.SingleFamily, &row)
			has = has || row.Values(n, new(market.Values))
		}
		if has != (geography == 0) {
			t.Errorf("geography %d: %v", geography, has)
		}
	}
}

// firstClosed is the first closed interval.
func firstClosed() int {
	return slices.IndexFunc(market.Intervals(day), func(i market.Interval) bool { return i.Closed })
}

// TestParts checks on every day of five years that each interval has a bit of its own in at most maxParts files.
func TestParts(t *testing.T) {
	for asOf := market.DayOf(2024, 1, 1); asOf < market.DayOf(2029, 1, 1); asOf++ {
		intervals := market.Intervals(asOf)
		parts, places := partsOf(intervals)
		for n, at := range places {
			p := parts[at.part]
			if p.intervals[at.bit] != n || at.bit > 15 || p.year != intervals[n].Year() {
				t.Fatalf("%s: %s is at %+v of %+v", asOf, intervals[n].Code, at, p)
			}
		}
		if len(parts) > maxParts {
			t.Fatalf("%s: %d parts", asOf, len(parts))
		}
	}
}

func cellOf(list []market.Statistics, geography int, of market.PropertyType, interval int) (market.Values, bool) {
	for _, s := range list {
		for _, c := range s.Cells {
			if int(s.Geography) == geography && c.Type == of && int(c.Interval) == interval {
				return c.Values, true
			}
		}
	}
	return market.Values{}, false
}

// compareAnswers compares the JSON of the cells of a geography with that of encoding/json for the type of the answer.
func compareAnswers(t rapid.TB, table *Table, list []market.Statistics, geography int, zone string) {
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	var row Row
	for of := range market.TypeCount {
		table.Find(geography, of, &row)
		for n, interval := range market.Intervals(day) {
			values, has := cellOf(list, geography, of, n)
			var back market.Values
			if row.Values(n, &back) != has || has && back != values {
				t.Fatalf("values %v, want %v", back, values)
			}
			if !has {
				for m := range values {
					values[m] = market.Absent
				}
				for _, m := range counts {
					values[m] = 0
				}
			}
			want, err := json.Marshal(map[string]schemas.MarketPeriods{interval.Code: periodsOf(&values, PeriodOf(interval, location))})
			if err != nil {
				t.Fatal(err)
			}
			got, missing := row.Append([]byte("{"), n)
			if got = append(got, '}'); !bytes.Equal(got, want) {
				t.Fatalf("%s\nwant\n%s", got, want)
			}
			if missing != (values[market.Active] == 0 || values[market.Sold] == 0) {
				t.Errorf("%s: missing %v with %d active, %d sold", interval.Code, missing, values[market.Active], values[market.Sold])
			}
		}
	}
}

// periodsOf is the answer for values, the slow way.
func periodsOf(v *market.Values, period schemas.MarketPeriod) schemas.MarketPeriods {
	number := func(m market.Metric) *float64 {
		if v[m] == market.Absent {
			return nil
		}
		x := float64(v[m]) / math.Pow10(m.Decimals())
		return &x
	}
	dollars := func(m market.Metric) *int64 {
		if v[m] == market.Absent {
			return nil
		}
		return &v[m]
	}
	prices := func(first, perSqft market.Metric) *schemas.MarketPrices {
		p := schemas.MarketPrices{Min: dollars(first), Median: dollars(first + 3), Max: dollars(first + 6), MedianPerSqft: dollars(perSqft)}
		p.Percentiles = orNil(schemas.MarketPricePercentiles{P10: dollars(first + 1), P25: dollars(first + 2), P50: dollars(first + 3),
			P75: dollars(first + 4), P90: dollars(first + 5)})
		return orNil(p)
	}
	days := func(first market.Metric) *schemas.MarketDaysPercentiles {
		return orNil(schemas.MarketDaysPercentiles{P10: number(first), P25: number(first + 1), P50: number(first + 2), P75: number(first + 3),
			P90: number(first + 4)})
	}
	conditions := schemas.MarketConditions{Qualifier: number(market.Qualifier)}
	if a := v[market.Assessment]; a != market.Absent {
		conditions.Assessment = []string{"buyers_market", "neutral_market", "sellers_market"}[a]
	}
	return schemas.MarketPeriods{
		Period: period,
		PointInTime: schemas.MarketPointInTime{
			ActiveListingsCount: v[market.Active], PendingListingsCount: v[market.Pending], UnderContractListingsCount: v[market.UnderContract],
			ActiveListingsMedianAgeDays: number(market.ActiveMedianAge), ActiveListingsMedianSizeSqft: number(market.ActiveMedianSize),
			AskingPrice: prices(market.AskMin, market.AskPerSqft), MedianDaysOnMarket: number(market.DaysOnMarketMedian),
			DaysOnMarketPercentiles: days(market.DaysOnMarketP10),
		},
		IntervalWide: schemas.MarketIntervalWide{
			HomesSoldCount: v[market.Sold], NewListingsCount: v[market.New], SalesPrice: prices(market.SaleMin, market.SalePerSqft),
			AskingToSalesPrice: orNil(schemas.MarketPriceDifference{MedianDifference: dollars(market.MedianDifference),
				MedianPercentDifference: number(market.MedianPercentDifference)}),
			PercentSoldAboveAsking: number(market.SoldAbove), PercentSoldBelowAsking: number(market.SoldBelow),
			MedianConstructionYear: number(market.MedianYearBuilt), MedianSizeSqft: number(market.SoldMedianSize),
			AbsorptionRate: number(market.Absorption), TotalSalesVolume: dollars(market.Volume),
			MedianDaysOnMarket: number(market.SoldMedianDaysOnMarket), MedianDaysToSell: number(market.DaysToSellMedian),
			DaysToSellPercentiles: days(market.DaysToSellP10), MarketConditions: orNil(conditions),
		},
	}
}

// orNil is nil for an empty value, which the answer omits.
func orNil[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

func TestWriterRefuses(t *testing.T) {
	values := valuesOf(rand.New(rand.NewPCG(1, 1)), 1)
	cell := func(of market.PropertyType, interval uint8, change ...func(*market.Values)) market.Cell {
		c := market.Cell{Type: of, Interval: interval, Values: values}
		for _, f := range change {
			f(&c.Values)
		}
		return c
	}
	set := func(m market.Metric, v int64) func(*market.Values) {
		return func(values *market.Values) { values[m] = v }
	}
	one := func(cells ...market.Cell) []market.Statistics {
		return []market.Statistics{{Geography: 0, Cells: cells}}
	}
	for _, c := range []struct {
		name, want string
		list       []market.Statistics
	}{
		{"order", "out of order", []market.Statistics{{Geography: 1}, {Geography: 1}}},
		{"too many", "more than 6", []market.Statistics{{Geography: 6}}},
		{"types", "out of order", one(cell(2, 0), cell(1, 0))},
		{"type", "unknown type", one(cell(market.TypeCount, 0))},
		{"intervals", "interval 3", one(cell(1, 3), cell(1, 3))},
		{"interval", "interval 87", one(cell(1, 87))},
		{"count", "a count is absent", one(cell(1, 0, set(market.New, market.Absent)))},
		{"sign", "ask_min is -1", one(cell(1, 0, set(market.AskMin, -1)))},
		{"length", "has 16 digits", one(cell(1, 0, set(market.Volume, 1e15)))},
		{"assessment", "market_assessment is 3", one(cell(1, 0, set(market.Assessment, 3)))},
	} {
		if _, err := write(t.TempDir(), Header{Day: day, Zones: zones}, c.list); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestPeriods(t *testing.T) {
	zone, err := time.LoadLocation(newYork)
	must(t, err)
	got := map[string]schemas.MarketPeriod{}
	for _, i := range market.Intervals(day) {
		got[i.Code] = PeriodOf(i, zone)
	}
	for code, want := range map[string]schemas.MarketPeriod{
		"30d": {StartDate: "2026-10-23", EndDate: "2026-11-21", StartTimestamp: "2026-10-23T00:00:00-04:00",
			EndTimestamp: "2026-11-21T23:59:59-05:00", Description: "The 30 days from October 23, 2026 to November 21, 2026"},
		"12m": {StartDate: "2025-11-22", EndDate: "2026-11-21", StartTimestamp: "2025-11-22T00:00:00-05:00",
			EndTimestamp: "2026-11-21T23:59:59-05:00", Description: "The 12 months from November 22, 2025 to November 21, 2026"},
		"2026-10": {StartDate: "2026-10-01", EndDate: "2026-10-31", StartTimestamp: "2026-10-01T00:00:00-04:00",
			EndTimestamp: "2026-10-31T23:59:59-04:00", Description: "October 2026"},
		"2026Q1": {StartDate: "2026-01-01", EndDate: "2026-03-31", StartTimestamp: "2026-01-01T00:00:00-05:00",
			EndTimestamp: "2026-03-31T23:59:59-04:00", Description: "First quarter of 2026"},
	} {
		if got[code] != want {
			t.Errorf("%s: %+v, want %+v", code, got[code], want)
		}
	}
}

func TestDamageNeverPanics(t *testing.T) {
	dir := t.TempDir()
	_, err := write(dir, Header{Day: day, Zones: zones}, towns(5, 0.7))
	must(t, err)
	for _, year := range []int{0, 2024} {
		f, err := pack.Open(filepath.Join(dir, schemas.MarketYear(schemas.MarketPack, year)))
		must(t, err)
		t.Cleanup(func() { f.Close() })
		packtest.Damage(t, f, 150, func(f *pack.File) bool { return lookUpIn(dir, year, f) })
	}
}

// lookUpIn looks up in the table of a folder with another file of a year.
func lookUpIn(dir string, year int, f *pack.File) bool {
	if year == 0 {
		table, err := Open(f)
		if err != nil {
			return false
		}
		lookUp(table)
		return true
	}
	table, closeFiles, err := OpenFolder(dir)
	defer closeFiles()
	if err != nil {
		panic(err)
	}
	if err := table.AddYear(year, f); err != nil {
		return false
	}
	lookUp(table)
	return true
}

// lookUp appends all cells of a table and panics if what they append is not JSON.
func lookUp(table *Table) {
	var row Row
	var text []byte
	for i := range table.Len() {
		_ = table.Zone(i)
		for of := range market.TypeCount {
			table.Find(i, of, &row)
			text = append(text[:0], '{')
			for interval := range IntervalCount {
				row.Values(interval, new(market.Values))
				if row.heads == nil {
					continue
				}
				if interval > 0 {
					text = append(text, ',')
				}
				text, _ = row.Append(text, interval)
			}
			if !json.Valid(append(text, '}')) {
				panic("not JSON: " + string(text))
			}
		}
	}
}

func FuzzTable(f *testing.F) {
	dir := f.TempDir()
	_, err := write(dir, Header{Day: day, Zones: zones}, towns(6, 0.7))
	must(f, err)
	good, err := pack.Open(filepath.Join(dir, schemas.MarketYear(schemas.MarketPack, 2024)))
	must(f, err)
	packtest.Fuzz(f, good, func(file *pack.File) { lookUpIn(dir, 2024, file) })
}

// usualValues are metrics of the sizes of a city.
func usualValues(random *rand.Rand) (v market.Values) {
	for m := range market.MetricCount {
		switch {
		case m.Decimals() == 1:
			v[m] = 5 * random.Int64N(200)
		case m.Decimals() == 4:
			v[m] = random.Int64N(10000)
		case m == market.Qualifier:
			v[m] = random.Int64N(100)
		case m == market.Assessment:
			v[m] = random.Int64N(3)
		case slices.Contains(counts, m), m == market.ActiveMedianSize, m == market.SoldMedianSize, m == market.MedianYearBuilt,
			m == market.AskPerSqft, m == market.SalePerSqft:
			v[m] = 100 + random.Int64N(2000)
		case m == market.MedianDifference:
			v[m] = random.Int64N(20000) - 10000
		default:
			v[m] = 200000 + random.Int64N(700000)
		}
	}
	return v
}

// BenchmarkAppend appends default answers, 4 types and 13 intervals with all metrics, of many geographies: those of one would
// be learned by the branch predictor.
func BenchmarkAppend(b *testing.B) {
	const geographies, intervals = 200, 13
	random := rand.New(rand.NewPCG(1, 1))
	dir := b.TempDir()
	w, err := NewWriter(dir, Header{Day: day, Zones: slices.Repeat([]string{newYork}, geographies)})
	must(b, err)
	for i := range uint32(geographies) {
		s := market.Statistics{Geography: i}
		for t := range market.TypeCount {
			for n := range intervals {
				s.Cells = append(s.Cells, market.Cell{Type: t, Interval: uint8(n), Values: usualValues(random)})
			}
		}
		must(b, w.Add(&s))
	}
	_, err = w.Finish(nil)
	must(b, err)
	table := openFolder(b, dir)
	size := 0
	for i := range geographies {
		for _, v := range table.volumes {
			size += len(v.cells.At(i))
		}
	}
	var row Row
	var text []byte
	for i := 0; b.Loop(); i++ {
		text = text[:0]
		for _, of := range market.DefaultTypes {
			table.Find(i%geographies, of, &row)
			for interval := range intervals {
				text, _ = row.Append(text, interval)
			}
		}
	}
	b.SetBytes(int64(len(text)))
	b.ReportMetric(float64(size)/float64(geographies*intervals*int(market.TypeCount)), "B/cell")
}
