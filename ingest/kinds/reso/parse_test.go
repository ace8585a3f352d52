package reso

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/schemas/market"
)

func caseInput(t testing.TB, name, body, options string) source.Input {
	path := sourcetest.File(t, filepath.Base(name), body)
	return source.Input{Source: "s", Path: path, Country: "US", Options: sourcetest.Options(t, options)}
}

func TestParseDay(t *testing.T) {
	for text, want := range map[string]string{
		"2016-06-22": "2016-06-22", "2016-06-22T00:00:00.000Z": "2016-06-22", "2016-06-22T23:59:59-10:00": "2016-06-22",
		"2016/06/22 00:00:00+00": "2016-06-22",
		"6/22/2016":              "2016-06-22", "06/02/2016": "2016-06-02", "5/25/16": "2016-05-25", "1/2/69": "2069-01-02",
		"1/2/70":                "1970-01-02",
		"6/22/2016 12:00:00 AM": "2016-06-22", "20160622": "2016-06-22", "20160622T000000": "2016-06-22", "1466553600000": "2016-06-22",
		"Jun 22, 2016": "2016-06-22", "22-Jun-2016": "2016-06-22",
		"2024-02-29": "2024-02-29", "2023-02-29": "", "2016-13-01": "", "13/1/2016": "", "0/1/2016": "", "1899-12-31": "", "9999-12-31": "",
		"2016": "", "": "",
		"6/22": "", "2016-6": "", "--": "", "1/1/1/1": "", "12345-01-01": "", "yesterday": "",
	} {
		got := ""
		if d, ok := parseDay(text); ok {
			got = d.String()
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestParseInstant(t *testing.T) {
	for text, want := range map[string]int64{
		"1970-01-01T00:00:01Z": 1e6, "1970-01-01T00:00:01.5+01:00": -3598_500_000, "1970-01-01 00:00:01": 1e6,
		"1970-01-01 00:00:01.000002+00": 1_000_002,
		"1970-01-02":                    86_400e6, "1000000000000": 1e15, "1/2/1970 1:00:00 AM": 90_000e6,
	} {
		if got, ok := parseInstant(text); !ok || got != want {
			t.Errorf("%q is %d, %t, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "soon", "2024-13-01T00:00:00Z", "0001-01-01T00:00:00Z", "12"} {
		if got, ok := parseInstant(text); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]float64{
		"7,738,700": 7738700, "$7,738,700.50": 7738700.5, "1.25E6": 1250000, "-3": -3, "(500)": -500, "0": 0, "$ 829,000": 829000,
		"US$700000": 700000, "US$ 700,000": 700000, "$700,000": 700000, "USD 700000": 700000, "700000 USD": 700000, "700 000 $": 700000,
		"usd700,000.00": 700000,
		"U.S. $700,000": 700000, "($700,000)": -700000, "$(700,000)": -700000, "-$700,000": -700000, "700,000 US Dollars": 700000,
	} {
		if got, absent, ok := parseNumber(text); absent || !ok || got != want {
			t.Errorf("%q is %v, %t, %t, want %v", text, got, absent, ok, want)
		}
	}
	for text, want := range map[string]bool{"-": true, "$ -   ": true, "": true, "n/a": false, "CA$700000": false, "700000 CAD": false,
		"$700,00": false, "US$": false, "12,34": false, "1 2": false, "NaN": false, "1e999": false} {
		if got, absent, ok := parseNumber(text); ok || absent != want {
			t.Errorf("%q is %v, absent %t, want %t", text, got, absent, want)
		}
	}
}

// TestClassify: PropertyType beats sub-type where both speak, five units beat both.
func TestClassify(t *testing.T) {
	for _, c := range []struct {
		group, sub string
		units      int
		want       market.PropertyType
		income     bool
	}{
		{"Residential", "Single Family Residence", 0, market.SingleFamily, false},
		{"Residential", "Cabin", 1, market.SingleFamily, false},
		{"Residential", "Stock Cooperative", 0, market.CondoTownhome, false},
		{"Residential", "Duplex", 2, market.MultiFamilyUnder5, false},
		{"Residential", "Multi Family", 4, market.MultiFamilyUnder5, false},
		{"Residential", "Multi Family", 0, market.Other, false},
		{"Residential", "Condominium", 5, market.MultiFamily5Plus, false},
		{"Residential", "UnimprovedLand", 0, market.Other, false},
		{"Residential", "", 0, market.Other, false},
		{"Land", "SingleFamilyResidence", 0, market.VacantLand, false},
		{"", "Unimproved Land", 0, market.VacantLand, false},
		{"", "Condominium", 0, market.CondoTownhome, false},
		{"", "Office", 0, market.Commercial, false},
		{"Commercial Sale", "Apartment", 0, market.Commercial, false},
		{"CommercialSale", "Apartment", 12, market.MultiFamily5Plus, false},
		{"Business Opportunity", "", 0, market.Commercial, false},
		{"ResidentialIncome", "Triplex", 0, market.MultiFamilyUnder5, false},
		{"Residential Income", "", 3, market.MultiFamilyUnder5, false},
		{"Residential Income", "", 0, market.Other, true},
		{"Residential Income", "SingleFamilyResidence", 1, market.Other, true},
		{"Residential Income", "MultiFamily", 20, market.MultiFamily5Plus, true},
		{"Farm", "Ranch", 0, market.Other, false},
		{"ManufacturedInPark", "MobileHome", 0, market.Other, false},
	} {
		got, income := classify(groups[fold(c.group)], fold(c.sub), c.units)
		if got != c.want || income != c.income {
			t.Errorf("%s, %s, %d units: %s, %t, want %s, %t", c.group, c.sub, c.units, got, income, c.want, c.income)
		}
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"01 *", "01 one family", true}, {"01 *", "011 x", false}, {"*", "", true}, {"a*c", "abc", true}, {"a*c", "ac", true},
		{"a*c", "abcd", false},
		{"*b*", "abc", true}, {"*b*b", "ab", false}, {"abc", "abc", true}, {"abc", "abcd", false}, {"a*a", "a", false},
	} {
		if fits(c.pattern, c.text) != c.want {
			t.Errorf("%q, %q: %t", c.pattern, c.text, !c.want)
		}
	}
}

// TestBrokenFiles: what is before the break is passed on, and the error names file and place.
func TestBrokenFiles(t *testing.T) {
	good := `{"ListingKey":"1","StandardStatus":"Active","OnMarketDate":"2024-03-05"}`
	for name, c := range map[string]struct {
		body string
		kept int
		text string
	}{
		"page.json":  {`{"value": [` + good + `,` + good + `, {"ListingKey": "3`, 2, "breaks off behind record 2"},
		"lines.json": {good + "\n" + good[:30], 1, "breaks off in record 2"},
		"array.json": {"[" + good + " " + good + "]", 1, "comma is expected behind record 1"},
		"html.json":  {"<html>Service unavailable</html>", 0, "a page (HTML)"},
		"text.json":  {"[1, 2", 0, "breaks off"},
		"empty.json": {" \n", 0, "empty"},
		"packed.gz":  {"\x1f\x8b\x08\x00", 0, "packed.gz"},
		"a.parquet":  {"PAR1PAR1PAR1", 0, "a.parquet"},
	} {
		var sink sourcetest.Record
		err := Kind.Stage(t.Context(), caseInput(t, name, c.body, ""), &sink)
		if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), c.text) || !strings.Contains(err.Error(), name) ||
			len(sink.Listings) != c.kept {
			t.Errorf("%s: %d listings, %v; want %d and %q", name, len(sink.Listings), err, c.kept, c.text)
		}
	}
}

// TestOptions: each fault of the options names the option.
func TestOptions(t *testing.T) {
	table := "Date,Price\n1/2/2024,500000\n"
	for options, want := range map[string]string{
		"columns: {ClosePrize: Price}":                   "no field of RESO",
		"columns: {CloseDate: Date, ClosePrice: Amount}": "no column Amount; there are: Date, Price",
		"class: Date":                                            "the option types",
		"types: {single_family: [a]}":                            "the option class",
		"class: a\ntypes: {castle: [a]}":                         "no type of property",
		"class: a\ntypes: {all_residential_properties: [a]}":     "no type of property",
		"class: a\ntypes: {single_family: [a], commercial: [A]}": "both commercial and single_family",
		"statuses: {Sold out: Gone}":                             "none of StandardStatus",
		"type: castle":                                           "none of single_family",
		"delimiter: ab":                                          "not one ASCII",
		"encoding: ebcdic":                                       "none of utf-8",
		"constants: {StateOrProvince: \"\"}":                     "has no value",
		"columns: {CloseDate: Date, ClosePrice: Price}\nonly: {Use: [home]}": "no column Use",
	} {
		if err := Kind.Check(t.Context(), caseInput(t, "a.csv", table, options)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", options, err, want)
		}
	}
	if err := Kind.Check(t.Context(), caseInput(t, "a.csv", table, "columns: {CloseDate: Date, ClosePrice: Price}")); err != nil {
		t.Error(err)
	}
}

// FuzzJSON compares the scanner with encoding/json: what one reads as an object the other does, with the same text.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"ListingKey":"a\u00e9\ud83d\ude00\n","x":[1,{"y":null}],"ListPrice":-1.5e3}`, `{}`, `{"a":tru}`, `{"a":"\x"}`, `[1]`,
		`{"ListingKey":["x"]} `, `{"a":01}`, "{\"a\":\"\x01\"}",
	} {
		f.Add(seed)
	}
	m, err := compile(source.Input{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cells := make([]string, len(m.slots.names))
		r := jsonRecord{slots: &m.slots, known: map[string]int{}}
		err := r.read(text, cells)
		var object map[string]json.RawMessage
		want := json.Unmarshal([]byte(text), &object)
		if strings.TrimSpace(text) == "null" {
			want = errors.New("no object")
		}
		if deep := strings.Count(text, "[")+strings.Count(text, "{") > source.MaxXMLDepth; (err == nil) != (want == nil) && !deep {
			t.Fatalf("%q: %v, encoding/json: %v", text, err, want)
		}
		var key string
		if err == nil && strings.Count(text, `"ListingKey"`) == 1 && json.Unmarshal(object["ListingKey"], &key) == nil {
			if got := cells[m.slots.of("ListingKey")]; strings.ToValidUTF8(got, "�") != strings.ToValidUTF8(strings.TrimSpace(key), "�") &&
				strings.ToValidUTF8(text, "") == text {
				t.Fatalf("%q: key %q, encoding/json: %q", text, got, key)
			}
		}
	})
}

// FuzzFile reads any bytes as a file: no panic, and every row is accounted for.
func FuzzFile(f *testing.F) {
	for _, seed := range []string{
		`{"value":[{"ListingKey":"1","StandardStatus":"Active"}]}`, "{\"ListingKey\":\"1\"}\n{\"a\"", "[{},{}]",
		"a,CloseDate,ClosePrice\n1,1/2/2024,\"5\n", "\x1f\x8b", "[[[[", "{\"value\":{}}",
	} {
		f.Add([]byte(seed))
	}
	m, err := compile(source.Input{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, form, err := sniff(strings.NewReader(string(data)), "a.csv", source.Limits{})
		if err != nil {
			return
		}
		w := m.worker("a.csv", source.Input{Country: "US"}, func() (*orders, error) { return &orders{}, nil })
		take := func(c *chunk) error {
			w.chunk(c)
			for _, o := range c.out {
				if o.kind == dropped && len(o.issues) == 0 {
					t.Fatalf("a record was dropped without a reason")
				}
			}
			return nil
		}
		switch form {
		case jsonForm:
			_ = (&jsonFile{in: r}).each(context.Background(), take)
		case tableForm:
			if table, columns, err := m.openTable(r); err == nil {
				_ = tableReader{table, columns}.each(context.Background(), take)
			}
		}
	})
}
