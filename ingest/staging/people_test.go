package staging

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/schemas/demographics"
)

// TestBadStatisticsAreRejected stages one row per case; one without a reason is staged.
func TestBadStatisticsAreRejected(t *testing.T) {
	type read = func(source.Sink) error
	figure := func(area, cell string, estimate float64) read {
		return func(s source.Sink) error {
			return s.Row(source.Statistic{AreaKey: area, Cell: cell, Estimate: estimate})
		}
	}
	value := func(area string, year, months int, dollars float64) read {
		return func(s source.Sink) error {
			return s.Row(source.HomeValue{AreaKey: area, Year: int32(year), Months: int32(months), Dollars: dollars})
		}
	}
	survey := func(vintage, title string) read {
		return func(s source.Sink) error { return s.Row(source.Survey{Vintage: vintage, Title: title}) }
	}
	zone := func(key string, shape orb.MultiPolygon) read {
		return func(s source.Sink) error { return s.Row(source.Zone{Key: key, Geometry: shape}) }
	}
	f := create(t)
	for i, test := range []struct {
		reason string
		read   read
	}{
		{"", figure("census:state:41", "population.total", 4_200_000)},
		{"", figure("census:country:US", "household_income_sum.dollars", 1.5e13)},
		{"missing_key", figure("", "population.total", 1)},
		{"invalid_utf8: area key", figure("\xff", "population.total", 1)},
		{"unknown_cell", figure("a", "population.people", 1)},
		{"negative_count", figure("a", "population.total", -1)},
		{"invalid_number", figure("a", "population.total", math.NaN())},
		{"invalid_number", figure("a", "population.total", math.Inf(1))},
		{"implausible_estimate", figure("a", "population.total", 2e9)},
		{"", figure("a", "median_household_income.value", 2_499)},
		{"", figure("b", "median_household_income.value", 1e7)},
		{"zero_median", figure("a", "median_household_income.value", 0)},
		{"zero_median", figure("a", "average_individual_income.value", 0)},
		{"implausible_estimate", figure("a", "median_individual_income.value", 1e7+1)},
		{"", figure("a", "median_home_value.value", 1_000)},
		{"", figure("b", "median_home_value.value", 1e8)},
		{"zero_median", figure("a", "median_home_value.value", 0)},
		{"implausible_estimate", figure("a", "median_home_value.value", 999)},
		{"implausible_estimate", figure("a", "median_home_value.value", 1e8+1)},
		{"", figure("a", "average_children.value", 0)},
		{"", survey("2021", "Census of Population")},
		{"missing_vintage", survey(" ", "Census of Population")},
		{"missing_title", survey("2021", "")},
		{"", zone("k", square(-75, 45, 0.1))},
		{"missing_key", zone("", square(-75, 45, 0.1))},
		{"outside_north_america", zone("k", square(45, -75, 0.1))},
		{"zero_area", zone("k", nil)},
		{"", value("a", 2023, 12, 450_000)},
		{"missing_key", value("", 2023, 12, 450_000)},
		{"year_out_of_range", value("a", 23, 12, 450_000)},
		{"invalid_month_count", value("a", 2023, 13, 450_000)},
		{"implausible_home_value", value("a", 2023, 12, math.NaN())},
		{"implausible_home_value", value("a", 2023, 12, 0)},
		{"implausible_home_value", value("a", 2023, 12, math.Inf(1))},
	} {
		summary, err := f.Stage(t.Context(), all(meta(fmt.Sprint("figure", i))), func(s source.Sink) error {
			s.Read(1)
			return test.read(s)
		})
		if err != nil && !errors.Is(err, source.ErrNothingLeft) {
			t.Fatal(err)
		}
		got := ""
		if len(summary.Issues) > 0 {
			got = summary.Issues[0].Reason.String()
		}
		if got != test.reason || (summary.Staged == 1) != (test.reason == "") {
			t.Errorf("case %d: %+v, want one row with the reason %q", i, summary, test.reason)
		}
	}
}

func TestDuplicateStatistics(t *testing.T) {
	f := create(t)
	moe, odd := 3.0, -1.0
	bowtie := orb.MultiPolygon{{{{-75, 45}, {-74, 46}, {-74, 45}, {-75, 46}, {-75, 45}}}}
	last := demographics.Cells[len(demographics.Cells)-1].ID
	summary, err := f.Stage(t.Context(), all(meta("a")), func(s source.Sink) error {
		s.Read(10)
		return errors.Join(
			s.Row(source.Survey{Vintage: "2021", Title: "Census"}), s.Row(source.Survey{Vintage: "2016", Title: "Census"}),
			s.Row(source.Statistic{AreaKey: "a", Cell: "tenure.owner", Estimate: 5, MOE: &moe}),
			s.Row(source.Statistic{AreaKey: "b", Cell: "tenure.owner", Estimate: 6, MOE: &odd}),
			s.Row(source.Statistic{AreaKey: "a", Cell: "tenure.owner", Estimate: 7}),
			s.Row(source.Statistic{AreaKey: "a", Cell: last, Estimate: 8000}),
			s.Row(source.Zone{Key: "z", Geometry: bowtie}), s.Row(source.Zone{Key: "z", Geometry: bowtie}),
			s.Row(source.HomeValue{AreaKey: "a", Year: 2023, Dollars: 1, Months: 1}),
			s.Row(source.HomeValue{AreaKey: "a", Year: 2023, Dollars: 2, Months: 1}))
	})
	if err != nil {
		t.Fatal(err)
	}
	summary.Where = source.Whereabouts{}
	want := Summary{Read: 10, Staged: 6, Issues: []Issue{
		{source.DuplicateKey, 4, "Census 2016"},
		{source.MarginRemoved, 1, "b tenure.owner"},
		{source.InvalidGeometryRepaired.With("self-intersection"), 1, "z at -74.5000000 45.5000000"},
	}}
	if diff := cmp.Diff(want, summary); diff != "" {
		t.Error(diff)
	}
	rows := map[string]string{}
	for _, area := range []string{"a", "b"} {
		var text string
		if err := f.DB().QueryRow("SELECT string_agg(concat_ws('|', cell, estimate, coalesce(moe::VARCHAR, '-')), ' ' ORDER BY cell) FROM "+
			"statistic WHERE area_key = ?", area).Scan(&text); err != nil {
			t.Fatal(err)
		}
		rows[area] = text
	}
	if diff := cmp.Diff(map[string]string{"a": last + "|8000.0|- tenure.owner|5.0|3.0", "b": "tenure.owner|6.0|-"}, rows); diff != "" {
		t.Error(diff)
	}
	// Another source may have the same area.
	again, err := f.Stage(t.Context(), meta("b"), func(s source.Sink) error {
		s.Read(1)
		return s.Row(source.Statistic{AreaKey: "a", Cell: "tenure.owner", Estimate: 9})
	})
	if err != nil || again.Staged != 1 {
		t.Errorf("%+v, %v", again, err)
	}
}

// BenchmarkStatistic stages statistics like those of a state.
func BenchmarkStatistic(b *testing.B) {
	f, err := Create(b.TempDir() + "/staged.duckdb")
	if err != nil {
		b.Skip("", err)
	}
	defer f.Close()
	b.ReportAllocs()
	if _, err = f.Stage(b.Context(), meta("bench"), func(s source.Sink) error {
		for i := range b.N {
			moe := float64(i % 100)
			row := source.Statistic{AreaKey: fmt.Sprintf("census:bg:%012d", i/len(demographics.Cells)),
				Cell: demographics.Cells[i%len(demographics.Cells)].ID, Estimate: float64(i % 1000), MOE: &moe}
			if err := s.Row(row); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
