package table

import (
	"strings"
	"testing"

	"quartier/internal/testenv"
)

// TestSales reads the recorded sales of New York: title lines in two of three files, a header with blanks, prices such as
// " 7,738,700 " and " -   ", thousands of empty lines. The counts are published with the files.
func TestSales(t *testing.T) {
	for borough, want := range map[string]struct {
		rows, sold int
		notes      string
	}{
		"manhattan": {18_926, 14_744, "title_lines_skipped"},
		"bronx":     {6_920, 5_006, "title_lines_skipped"},
		"brooklyn":  {24_703, 14_998, ""},
	} {
		path := testenv.NeedData(t, "us-newyork/sales/rollingsales_"+borough+".csv")
		tab, err := Open(path, Dialect{Header: []string{"BOROUGH", "SALE PRICE"}})
		if err != nil {
			t.Fatal(err)
		}
		defer tab.Close()
		price := tab.Column("SALE PRICE")
		if err := tab.FindNumbers(t.Context(), map[int]Meaning{price: AnyNumber}, ""); err != nil {
			t.Fatal(err)
		}
		out, sold := &notes{}, 0
		err = tab.Each(t.Context(), out, func() error {
			if dollars, ok := tab.Number(price); ok && dollars >= 1000 {
				sold++
			}
			return nil
		})
		if err != nil || out.read != want.rows || sold != want.sold {
			t.Errorf("%s: %d rows, %d of at least $1,000, %v", borough, out.read, sold, err)
		}
		if titled := strings.Contains(out.String(), "title_lines_skipped"); titled != (want.notes != "") ||
			!strings.Contains(out.String(), "thousands_separators_found: SALE PRICE") {
			t.Errorf("%s: %s", borough, out)
		}
	}
}

// TestRealHeaders finds the separator and the header of tables as cities and agencies publish them.
func TestRealHeaders(t *testing.T) {
	for name, want := range map[string]string{ // the first columns, and what is noted
		"us-dc/open-data/Child_Development_Centers.csv":   "OBJECTID X Y NAME carriage_returns_found",
		"us-seattle/schools/city_Public_Schools.csv":      "X Y OBJECTID TYPE",
		"ca-ottawa/open-data/parks_raw.csv":               "",
		"ca-ottawa/open-data/schools_raw.csv":             "",
		"ca-ottawa/open-data/OC_Transpo_Stops.csv":        "",
		"us-national/overture/overture_categories.csv":    `Category code Overture Taxonomy delimiter_found: ";"`,
		"us-national/nces_school_search_wa.csv":           "",
		"ca-ottawa/odef/odef_v2_subset_13cols.csv":        "",
		"us-newyork/acs-2020/ACSDT5Y2020.B01003-Data.csv": "",
	} {
		tab, err := Open(testenv.NeedData(t, name), Dialect{})
		if err != nil {
			t.Fatal(err)
		}
		defer tab.Close()
		out, uneven := &notes{}, 0
		if err := tab.Each(t.Context(), out, func() error {
			if tab.TooShort() || tab.TooLong() {
				uneven++
			}
			return nil
		}); err != nil || uneven > 0 || out.read < 10 {
			t.Errorf("%s: %d rows, %d uneven, %v", name, out.read, uneven, err)
		}
		found, _, _ := strings.Cut(out.String(), " @ ")
		got := strings.TrimSpace(strings.Join(tab.Columns[:min(4, len(tab.Columns))], " ") + " " + found)
		if want != "" && got != want || want == "" && len(out.list) > 0 {
			t.Errorf("%s: %s %v", name, got, out.list)
		}
	}
}
