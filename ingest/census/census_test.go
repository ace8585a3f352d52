package census

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/margin"
	"quartier/schemas/demographics"
)

// addFigures adds figures such as "tenure.owner 80±8": without ± the margin is unknown, "?" is missing.
func addFigures(t *testing.T, r *Tables, figures string) {
	t.Helper()
	for _, text := range strings.Split(figures, ", ") {
		id, number, _ := strings.Cut(text, " ")
		place, ok := demographics.CellOf(id)
		if !ok {
			t.Fatalf("no cell %q", id)
		}
		if number == "?" {
			r.Miss(place, MissingEstimate, "")
			continue
		}
		f := margin.Figure{MOE: math.NaN()}
		if _, err := fmt.Sscanf(strings.Replace(number, "±", " ", 1), "%g %g", &f.Estimate, &f.MOE); err != nil && strings.Contains(number, "±") {
			t.Fatalf("%q: %v", number, err)
		}
		r.Add(place, f)
	}
}

func TestStage(t *testing.T) {
	for _, test := range []struct{ name, country, figures, rows, issue string }{
		{"as published", "US", "tenure.total 100±10, tenure.owner 80±8, tenure.renter 20",
			"tenure.total 100±10 tenure.owner 80±8 tenure.renter 20", ""},
		{"lines added up", "US", "tenure.total 100±0, tenure.owner 30±3, tenure.owner 40±4, tenure.renter 0±12, tenure.renter 0±9",
			"tenure.total 100±0 tenure.owner 70±5 tenure.renter 0±12", ""},
		{"one margin unknown", "US", "tenure.total 100±0, tenure.owner 30±3, tenure.owner 40, tenure.renter 9±2",
			"tenure.total 100±0 tenure.owner 70 tenure.renter 9±2", ""},
		{"a scalar", "US", "median_home_value.value 2000001", "median_home_value.value 2.000001e+06", ""},
		{"one line missed", "US", "tenure.total 100, tenure.owner 30, tenure.owner ?, tenure.renter 9, households.total 5", "households.total 5",
			"missing_estimate: tenure"},
		{"one cell unread", "US", "tenure.total 100, tenure.owner 30", "", "missing_table_line: tenure"},
		{"negative", "US", "tenure.total ?, tenure.owner -1, tenure.renter 9", "", "negative_count: tenure"},
		{"no number", "US", "households.total NaN", "", "missing_estimate: households"},
		{"a part over its total", "US", "tenure.total 100, tenure.owner 103, tenure.renter 0", "", "part_exceeds_total: tenure"},
		{"parts over their total", "US", "tenure.total 100, tenure.owner 60, tenure.renter 43", "", "parts_exceed_total: tenure"},
		{"within the slack", "US", "tenure.total 100, tenure.owner 60, tenure.renter 42", "tenure.total 100 tenure.owner 60 tenure.renter 42",
			""},
		{"rich", "US", "household_income_sum.households 2, household_income_sum.dollars 20000000",
			"household_income_sum.households 2 household_income_sum.dollars 2e+07", ""},
		{"too rich", "US", "household_income_sum.households 2, household_income_sum.dollars 20000001", "",
			"implausible_aggregate: household_income_sum"},
		{"rounded to base 5", "CA", "tenure.total 0, tenure.owner 5, tenure.renter 10", "tenure.total 0 tenure.owner 5 tenure.renter 10", ""},
		{"more than rounding", "CA", "tenure.total 0, tenure.owner 5, tenure.renter 15", "", "part_exceeds_total: tenure"},
		{"a total of the other country's", "US",
			"commute_mode.total 9, commute_mode.drive 1, commute_mode.transit 1, commute_mode.foot 1, commute_mode.cycle 1, commute_mode.other 1, " +
				"commute_mode.home 10", "", "part_exceeds_total: commute_mode"},
		{"and not staged", "US",
			"commute_mode.total 9, commute_mode.drive 1, commute_mode.transit 1, commute_mode.foot 1, commute_mode.cycle 1, commute_mode.other 1",
			"commute_mode.drive 1 commute_mode.transit 1 commute_mode.foot 1 commute_mode.cycle 1 commute_mode.other 1", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, out := New(test.country), &sourcetest.Record{}
			r.Reset("other", "nowhere")
			addFigures(t, r, "age.total 7, tenure.owner ?")
			r.Reset("area", "line 1")
			addFigures(t, r, test.figures)
			if err := r.Stage(out); err != nil {
				t.Fatal(err)
			}
			if got := written(out.Statistics); got != test.rows {
				t.Errorf("rows %s, want %s", got, test.rows)
			}
			issue, _, _ := strings.Cut(strings.Join(out.Issues, "; "), " @ ")
			if issue != test.issue || len(out.Issues) > 1 {
				t.Errorf("issues %q, want %q", out.Issues, test.issue)
			}
		})
	}
}

func written(rows []source.Statistic) string {
	var list []string
	for _, row := range rows {
		text := fmt.Sprint(row.Cell, " ", row.Estimate)
		if row.MOE != nil {
			text += fmt.Sprint("±", *row.MOE)
		}
		if row.AreaKey != "area" {
			text += " of " + row.AreaKey
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}
