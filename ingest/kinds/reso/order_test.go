package reso

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
	"quartier/schemas/market"
)

// TestOrderOfDayAndMonth: all values of a column decide the order, else the other columns of the file, else the option.
func TestOrderOfDayAndMonth(t *testing.T) {
	many := func(n int, date string) string { return strings.Repeat(date+" ", n) }
	for name, c := range map[string]struct {
		dates, options, first, fault string // first: the first date as it is read
	}{
		"month first": {dates: "5/6/2016 5/25/2016", first: "2016-05-06"},
		"day first":   {dates: "5/6/2016 25/5/2016", first: "2016-06-05"},
		"hyphens":     {dates: "5-6-2016 25-5-2016", first: "2016-06-05"},
		"two digits":  {dates: "5/6/16 25/5/16", first: "2016-06-05"},
		"a mistake":   {dates: "5/6/2016 25/5/2016 " + many(120, "5/26/2016"), first: "2016-05-06"},
		"year first":  {dates: "2016-05-06 2016/5/6", first: "2016-05-06"},
		"the same":    {dates: "5/5/2016", first: "2016-05-05"},
		"undecided": {dates: "5/6/2016 7/8/2016",
			fault: `every CloseDate may have the month or the day first, such as "5/6/2016": set date_order`},
		"undecided, dmy":   {dates: "5/6/2016 7/8/2016", options: "date_order: dmy", first: "2016-06-05"},
		"undecided, mdy":   {dates: "5/6/2016 7/8/2016", options: "date_order: mdy", first: "2016-05-06"},
		"both":             {dates: "5/6/2016 25/5/2016 5/25/2016", fault: "1 values of CloseDate have the month first and 1 the day"},
		"no date":          {dates: "5/6/2016 25/5/2016 13/32/2016 x", first: "2016-06-05"},
		"with a time":      {dates: "5/6/2016T00:00:00 25/5/2016T00:00:00", first: "2016-06-05"},
		"of the last rows": {dates: many(3*chunkRows, "5/6/2016") + "25/5/2016", first: "2016-06-05"},
	} {
		var text strings.Builder
		text.WriteString("CloseDate,ClosePrice,PostalCode\n")
		for date := range strings.FieldsSeq(c.dates) {
			fmt.Fprintf(&text, "%s,500000,10001\n", date)
		}
		var sink sourcetest.Record
		err := Kind.Stage(t.Context(), caseInput(t, "sales.csv", text.String(), c.options), &sink)
		switch {
		case c.fault != "":
			if err == nil || !errors.Is(err, source.ErrBadOptions) || errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: error %v, want %s", name, err, c.fault)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		default:
			if got := market.Day(*sink.Listings[0].CloseDay).String(); got != c.first {
				t.Errorf("%s: %s, want %s", name, got, c.first)
			}
		}
	}
}

// TestOrderOfOtherColumns: a column that does not decide it follows the others of the file.
func TestOrderOfOtherColumns(t *testing.T) {
	var sink sourcetest.Record
	const text = "ListingKey,StandardStatus,OnMarketDate,CloseDate,ClosePrice,ModificationTimestamp\n" +
		"1,Closed,5/6/2016,25/9/2016,500000,2/10/2016 3:00:00 PM\n"
	if err := Kind.Stage(t.Context(), caseInput(t, "a.csv", text, ""), &sink); err != nil {
		t.Fatal(err)
	}
	l := sink.Listings[0]
	if market.Day(*l.OnDay).String() != "2016-06-05" || market.Day(*l.CloseDay).String() != "2016-09-25" || *l.Modified != 1475420400e6 {
		t.Errorf("%+v", l)
	}
}

// TestRealSalesWithTheDayFirst exchanges day and month in the recorded sales of Brooklyn: the same sales are read on the same days.
func TestRealSalesWithTheDayFirst(t *testing.T) {
	data, err := os.ReadFile(testenv.NeedData(t, "us-newyork/sales/rollingsales_brooklyn.csv"))
	if err != nil {
		t.Fatal(err)
	}
	const options = `{columns: {ClosePrice: SALE PRICE, CloseDate: SALE DATE, PostalCode: ZIP CODE, UnparsedAddress: ADDRESS, ParcelNumber: ` +
		`"{BLOCK}/{LOT}"}, constants: {StateOrProvince: NY}}`
	exchanged := regexp.MustCompile(`\b(\d{1,2})/(\d{1,2})(/\d{2,4})\b`).ReplaceAllString(string(data), "$2/$1$3")
	var was, is sourcetest.Record
	for body, sink := range map[string]*sourcetest.Record{string(data): &was, exchanged: &is} {
		if err := Kind.Stage(t.Context(), caseInput(t, "sales.csv", body, options), sink); err != nil {
			t.Fatal(err)
		}
	}
	if len(was.Listings) < 10_000 || len(is.Listings) != len(was.Listings) {
		t.Fatalf("%d sales with the month first, %d with the day first", len(was.Listings), len(is.Listings))
	}
	for i := range was.Listings {
		if a, b := &was.Listings[i], &is.Listings[i]; *a.CloseDay != *b.CloseDay || *a.ClosePrice != *b.ClosePrice {
			t.Fatalf("row %d: %+v and %+v", i, a, b)
		}
	}
}
