package homevalues

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
)

// counties is laid out as Zillow's table of counties, its months not in order and the last row of another table.
const counties = "RegionID,SizeRank,RegionName,RegionType,StateName,State,Metro,StateCodeFIPS,MunicipalCodeFIPS,2019-12-31,2020-01-31," +
	"2020-03-31,2020-02-29,2021-01-31\n" +
	"3101,100000,Los Angeles County,county,CA,CA,\"Los Angeles-Long Beach-Anaheim, CA\",06,037,600000.5,610000,630000,,700000\n" +
	"139,1000,Cook County,county,IL,IL,\"Chicago-Naperville-Elgin, IL-IN-WI\",17,31,,250000,-1,0,x\n" +
	"139,1000,Cook County,county,IL,IL,\"Chicago-Naperville-Elgin, IL-IN-WI\",17,31,1,1,1,1,1\n" +
	"140,2,Do\xf1a Ana County,county,NM,NM,\"Las Cruces, NM\",35,13,,,,,200000\n" +
	"141,3,Empty County,county,NM,NM,,35,15,150000,,,,\n" +
	"142,4,Nowhere County,county,NM,NM,,35,,1,1,1,1,1\n" +
	"102001,0,United States,country,,,,,,250000,,,,260000\n" +
	"394913,1,\"New York, NY\",msa,NY,NY,,,,1,1,1,1,1\n"

const zips = "RegionID,SizeRank,RegionName,RegionType,StateName,State,City,Metro,CountyName,2020-01,2020-02\n" +
	"58001,30490000000,501,zip,NY,NY,Holtsville,\"New York-Newark-Jersey City, NY-NJ-PA\",Suffolk County,100,300\n" +
	"58002,30491,97201,zip,OR,OR,Portland,\"Portland-Vancouver-Hillsboro, OR-WA\",Multnomah County,100,\n" +
	"58003,30492,V5K0A1,zip,OR,OR,Vancouver,,,100,\n" +
	"58004,30493,98101,zip,WA,WA,Seattle,,,100,\n"

const plain = "ward,worth,of\n1,500000,2021\n2,\"600,000.00\",2021\n3,-5,2021\n4,400000,last\n5,,2021\n1,450000,2020\n1,450001,2021\n" +
	"6,1e300,2021\n7,300000,2018\n"

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "values.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const all = "SELECT area_key, year, dollars, months FROM home_value ORDER BY 1, 2"

func TestConformance(t *testing.T) {
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "counties", Path: write(t, counties), Options: "since: 2020", Read: 8,
			Rows: map[string]string{all: "census:country:US|2021|260000|1\ncensus:county:06037|2020|620000|2\ncensus:county:06037|2021|700000|1\n" +
				"census:county:17031|2020|250000|1\ncensus:county:35013|2021|200000|1"},
			Issues: map[string]int64{
				"duplicate_key": 1, "missing_county_code": 1, "unsupported_region_type": 1,
				"no_value_in_years": 1, "invalid_home_value_removed": 3,
			},
		},
		sourcetest.Case{
			Name: "ZIP codes of two states", Path: write(t, zips), Options: "where: {State: [NY, OR]}", Read: 4,
			Rows:   map[string]string{all: "census:zcta:00501|2020|200|2\ncensus:zcta:97201|2020|100|1"},
			Issues: map[string]int64{"invalid_zip_code": 1, "excluded_by_option: where": 1},
		},
		sourcetest.Case{
			Name: "one value a ward", Path: write(t, plain), Options: "scheme: ottawa:ward\nkey: ward\nvalue: worth\nyear: of\nsince: 2019", Read: 9,
			AnyLength: "rows of text with as many fields as columns wherever it is cut",
			Rows:      map[string]string{all: "ottawa:ward:1|2020|450000|12\nottawa:ward:1|2021|500000|12\nottawa:ward:2|2021|600000|12"},
			Issues: map[string]int64{
				"thousands_separators_found: worth": 1, "invalid_home_value": 1, "invalid_year": 1,
				"no_value_in_years": 2, "duplicate_key": 1, "implausible_home_value": 1,
			},
		},
	)
}

// stageText reads a table and writes its rows as "key year dollars months".
func stageText(t *testing.T, text, options string) (*sourcetest.Record, string, error) {
	t.Helper()
	out := &sourcetest.Record{}
	err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: write(t, text), Options: sourcetest.Options(t, options)}, out)
	var rows []string
	for _, v := range out.HomeValues {
		rows = append(rows, fmt.Sprint(v.AreaKey, " ", v.Year, " ", v.Dollars, " ", v.Months))
	}
	return out, strings.Join(rows, ", "), err
}

func TestKeysAndYears(t *testing.T) {
	for _, test := range []struct{ text, options, want string }{
		{zips, "scheme: zillow:neighbourhood\nkey: '{RegionID}'\nwhere: {State: WA}", "zillow:neighbourhood:58004 2020 100 1"},
		{zips, "key: '{State}-{City}'\nwhere: {State: WA}", "s:WA-Seattle 2020 100 1"},
		{zips, "key: CountyName\nwhere: {State: WA}", ""},
		{"a,b\nx,12.5\ny,13\n", "key: a\nvalue: b\nyear: 2021", "s:x 2021 12.5 12, s:y 2021 13 12"},
		{"Values of 2021;\ra;b\rx;12.000,5\ry;13.000\r", "key: a\nvalue: b\nyear: 2021", "s:x 2021 12000.5 12, s:y 2021 13000 12"},
		{"a,b\nx,\"600,000\"\n", "key: a\nvalue: b\nyear: 2021\ndecimal: .", "s:x 2021 600000 12"},
		{"a,b\nx,12.5\n", "key: a\nvalue: b\nyear: 2021\nsince: 2022", ""},
		{"\ufeffa,2021-02,2020-12-31,2021-01\nx,3,2,1\n", "key: a", "s:x 2020 2 1, s:x 2021 2 2"},
	} {
		if _, rows, err := stageText(t, test.text, test.options); err != nil || rows != test.want {
			t.Errorf("%q: %s, %v", test.options, rows, err)
		}
	}
}

func TestBadFilesAndOptions(t *testing.T) {
	monthless := strings.NewReplacer("-31", "", "-29", "", "-", "/").Replace(counties)
	for name, test := range map[string]struct {
		text, options, want string
		err                 error
	}{
		"empty":           {"", "", "empty", source.ErrBadFile},
		"header alone":    {counties[:strings.Index(counties, "\n")+1], "", "no rows", source.ErrBadFile},
		"no month":        {monthless, "", "no column of a month", source.ErrBadFile},
		"month 13":        {"RegionType,RegionName,2020-13-31\nzip,1,1\n", "", "no column of a month", source.ErrBadFile},
		"a month twice":   {"RegionType,RegionName,2020-01-31,2020-01\nzip,1,1,1\n", "", "twice", source.ErrBadFile},
		"no type":         {"RegionName,2020-01-31\n1,1\n", "", "no column RegionType", source.ErrBadFile},
		"no key column":   {zips, "key: '{Ward}'", "no column Ward", source.ErrBadFile},
		"no where column": {zips, "where: {Ward: 1}", "no column Ward", source.ErrBadFile},
		"no value column": {zips, "key: RegionID\nvalue: dollars\nyear: of", "no column dollars, nor of", source.ErrBadFile},
		"nothing left":    {zips, "where: {State: ZZ}", "none of its 4 rows", source.ErrBadFile},
		"metros":          {strings.ReplaceAll(zips, ",zip,", ",msa,"), "", "set key:", source.ErrBadFile},
		"cut in a row":    {zips[:len(zips)-8], "", "line 5", source.ErrBadFile},
		"cut in a quote":  {zips[:strings.Index(zips, "-Newark")], "", "quote", source.ErrBadFile},
		"cents or not": {"a,b\nx,\"600,000\"\n", "key: a\nvalue: b\nyear: 2021",
			`column b: "600,000" in line 2 is a thousand or a decimal number`, source.ErrBadFile},
		"a mark":           {zips, "decimal: x", `decimal: "x"`, source.ErrBadOptions},
		"scheme alone":     {zips, "scheme: x", "key", source.ErrBadOptions},
		"value alone":      {zips, "key: RegionID\nvalue: x", "year", source.ErrBadOptions},
		"value, no key":    {zips, "value: x\nyear: 2021", "key", source.ErrBadOptions},
		"year of long ago": {zips, "since: 20", "since", source.ErrBadOptions},
	} {
		if _, _, err := stageText(t, test.text, test.options); !errors.Is(err, test.err) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: t.TempDir()}, &sourcetest.Record{})
	if !errors.Is(err, source.ErrBadFile) {
		t.Errorf("a folder: %v", err)
	}
}

// Neither the order of the months nor that of the other columns matters.
func TestOrderOfColumns(t *testing.T) {
	_, want, err := stageText(t, zips, "key: RegionID")
	if err != nil {
		t.Fatal(err)
	}
	turned := "2020-02,RegionID,2020-01\n300,58001,100\n,58002,100\n,58003,100\n,58004,100\n"
	if _, got, err := stageText(t, turned, "key: RegionID"); err != nil || got != want {
		t.Error(cmp.Diff(want, got), err)
	}
}

func FuzzStage(f *testing.F) {
	f.Add(counties)
	f.Add(zips)
	f.Fuzz(func(t *testing.T, text string) {
		out, _, err := stageText(t, text, "")
		if err != nil && !errors.Is(err, source.ErrBadFile) {
			t.Error(err)
		}
		for _, v := range out.HomeValues {
			if !(v.Dollars > 0) || math.IsNaN(v.Dollars) || v.Months < 1 || v.Months > 12 || !strings.HasPrefix(v.AreaKey, "census:") {
				t.Errorf("%+v", v)
			}
		}
	})
}
