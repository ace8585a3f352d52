package acs

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/census"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/schemas/reason"
)

func TestGeoID(t *testing.T) {
	for text, want := range map[string]string{
		"1500000US410510001001": "census:bg:410510001001", "1400000US41051000100": "census:tract:41051000100",
		"0500000US41051":      "census:county:41051",
		"0600000US4105191924": "census:cousub:4105191924", "1600000US4159000": "census:place:4159000", "0400000US41": "census:state:41",
		"310M700US38900": "census:cbsa:38900", "3100000US38900": "census:cbsa:38900", "860Z200US97201": "census:zcta:97201",
		"8600000US97201": "census:zcta:97201",
		"0100000US":      "census:country:US",
		"0400001US41":    geographicComponent.Code,
		"0100043US":      geographicComponent.Code,
		"9500000US4110":  source.UnreadSummaryLevel.Code, "314M700US3890038900": source.UnreadSummaryLevel.Code,
		"": invalidGeoID.Code, "US": invalidGeoID.Code, "1500000410510001001": invalidGeoID.Code, "1500000US41051000100": invalidGeoID.Code,
		"0500000US4105A": invalidGeoID.Code, "ABC0000US41": invalidGeoID.Code, "0100000US1": invalidGeoID.Code, "0400000us41": invalidGeoID.Code,
	} {
		got := ""
		if l, id, why := geoID([]byte(text)); why != kept {
			got = why.Code
		} else {
			got = l.key(id)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestGISJoin(t *testing.T) {
	for _, test := range []struct{ level, text, want string }{
		{"bg", "G41000109501001", "census:bg:410019501001"}, {"tract", "G4100010950100", "census:tract:41001950100"},
		{"county", "G4100510", "census:county:41051"},
		{"cousub", "G410051091924", "census:cousub:4105191924"}, {"place", "G41059000", "census:place:4159000"},
		{"state", "G410", "census:state:41"},
		{"cbsa", "G38900", "census:cbsa:38900"}, {"zcta", "G97201", "census:zcta:97201"}, {"country", "G1", "census:country:US"},
		{"bg", "G4100010950100", ""}, {"bg", "41000109501001", ""}, {"state", "G415", ""}, {"county", "G410051A", ""}, {"state", "", ""},
	} {
		for i := range levels {
			if levels[i].name != test.level {
				continue
			}
			got := ""
			if id, why := levels[i].gisJoin([]byte(test.text)); why == kept {
				got = levels[i].key(id)
			}
			if got != test.want {
				t.Errorf("%s %s: %s, want %s", test.level, test.text, got, test.want)
			}
		}
	}
}

func TestFigures(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		text     string
		estimate float64
		why      reason.Reason
		moe      float64
		ok       bool
	}{
		{"0", 0, kept, 0, true},
		{"1234", 1234, kept, 1234, true},
		{"38.5", 38.5, kept, 38.5, true},
		{"12345678901234567", 12345678901234568, kept, 12345678901234568, true},
		{"-555555555", 0, census.MissingEstimate, 0, true},
		{"*****", 0, source.InvalidNumber, 0, true},
		{"-666666666", 0, census.MissingEstimate, nan, true},
		{"-222222222.0", 0, census.MissingEstimate, nan, true},
		{"", 0, census.MissingEstimate, nan, true},
		{".", 0, census.MissingEstimate, nan, true},
		{"-1", 0, source.NegativeCount, nan, false},
		{"-666666667", 0, source.NegativeCount, nan, false},
		{"1,234", 1234, kept, 1234, true},
		{"1,23", 0, source.InvalidNumber, nan, false},
		{"±12", 0, source.InvalidNumber, 12, true},
		{"+/-1,200", 0, source.InvalidNumber, 1200, true},
		{"1e+05", 1e5, kept, 1e5, true},
		{"NA", 0, census.MissingEstimate, nan, true},
		{"250,000+", 0, source.InvalidNumber, nan, false},
		{"NaN", 0, source.InvalidNumber, nan, false},
		{"1e999", 0, source.InvalidNumber, nan, false},
	} {
		if n, _, why := estimateOf([]byte(test.text), nil); n != test.estimate || why != test.why {
			t.Errorf("estimate %q: %v, %v", test.text, n, why)
		}
		if moe, ok := marginOf([]byte(test.text)); moe != test.moe && !(math.IsNaN(moe) && math.IsNaN(test.moe)) || ok != test.ok {
			t.Errorf("margin %q: %v, %t", test.text, moe, ok)
		}
	}
}

// A median in an open bin is the limit that the table prints for it, and no other.
func TestOpenMedians(t *testing.T) {
	jams := []float64{2499, 250001}
	for _, test := range []struct {
		text     string
		estimate float64
		open     bool
		why      reason.Reason
	}{
		{"250,000+", 250001, true, kept}, {"250000+", 250001, true, kept}, {"2,500-", 2499, true, kept}, {"250001", 250001, true, kept},
		{"2499.0", 2499, true, kept},
		{"250000", 250000, false, kept}, {"200,000+", 200001, true, source.InvalidNumber}, {"-", 0, false, census.MissingEstimate},
		{"+", 0, false, source.InvalidNumber}, {"**", 0, false, census.MissingEstimate},
	} {
		if n, open, why := estimateOf([]byte(test.text), jams); n != test.estimate || open != test.open || why != test.why {
			t.Errorf("%q: %v, %t, %v", test.text, n, open, why)
		}
	}
}

// The level of a GEOID is that of its NAME, else of the number of its digits; a leading zero may be missing.
func TestPlainGeoID(t *testing.T) {
	for _, test := range []struct{ text, name, level, want string }{
		{"110010001001", "Block Group 1, Census Tract 1, District of Columbia", "", "census:bg:110010001001"},
		{"10010201001", "Block Group 1, Census Tract 201, Autauga County, Alabama", "", "census:bg:010010201001"},
		{"10010201001.0", "Block Group 1; Census Tract 201; Autauga County; Alabama", "", "census:bg:010010201001"},
		{"10010201001", "", "bg", "census:bg:010010201001"}, {"10003000100", "", "tract", "census:tract:10003000100"},
		{"10010201001", "", "", unclearLevel.Code}, {"01001020100", "", "", "census:tract:01001020100"},
		{"110010001001", "", "", "census:bg:110010001001"},
		{"1001020100", "Census Tract 201, Autauga County, Alabama", "", "census:tract:01001020100"},
		{"1001", "Autauga County, Alabama", "", "census:county:01001"}, {"24005", "Baltimore County, Maryland", "", "census:county:24005"},
		{"24005", "", "", unclearLevel.Code},
		{"12580", "Baltimore-Columbia-Towson, MD Metro Area", "", "census:cbsa:12580"}, {"2134", "ZCTA5 02134", "", "census:zcta:02134"},
		{"97201", "", "zcta", "census:zcta:97201"},
		{"100100", "Abanda CDP, Alabama", "", "census:place:0100100"}, {"4159000", "Portland city, Oregon", "", "census:place:4159000"},
		{"4105191924", "Portland CCD, Multnomah County, Oregon", "", "census:cousub:4105191924"}, {"1", "Alabama", "", "census:state:01"},
		{"1", "United States", "", "census:country:US"},
		{"1500000US410510001001", "", "", "census:bg:410510001001"}, {"15000US410510001001", "", "", "census:bg:410510001001"},
		{"1.1001E+11", "Block Group 1", "", invalidGeoID.Code}, {"", "", "", invalidGeoID.Code},
		{"990010001001", "Block Group 1", "", invalidGeoID.Code}, {"4105", "Block Group 1", "", invalidGeoID.Code},
	} {
		got := ""
		if l, id, why := plainGeoID([]byte(test.text), []byte(test.name), levelNamed(test.level)); why != kept {
			got = why.Code
		} else {
			got = l.key(id)
		}
		if got != test.want {
			t.Errorf("%s %q %s: %s, want %s", test.text, test.name, test.level, got, test.want)
		}
	}
}

// The level of the codes of the Census API is that of the most columns.
func TestCodes(t *testing.T) {
	for _, test := range []struct {
		columns, row []string
		want         string
	}{
		{[]string{"state", "county", "tract", "block group"}, []string{"01", "001", "020100", "1"}, "census:bg:010010201001"},
		{[]string{"state", "county", "tract", "block group"}, []string{"1", "1", "20100", "1.0"}, "census:bg:010010201001"},
		{[]string{"NAME", "state", "county"}, []string{"x", "01", "001"}, "census:county:01001"},
		{[]string{"state", "place"}, []string{"1", "124"}, "census:place:0100124"},
		{[]string{"state", "county", "county subdivision"}, []string{"41", "051", "91924"}, "census:cousub:4105191924"},
		{[]string{"zip code tabulation area"}, []string{"2134"}, "census:zcta:02134"},
		{[]string{"us"}, []string{"1"}, "census:country:US"},
		{[]string{"state", "county"}, []string{"01", ""}, invalidGeoID.Code},
		{[]string{"state", "county"}, []string{"01", "1001"}, invalidGeoID.Code},
		{[]string{"state"}, []string{"00"}, invalidGeoID.Code},
		{[]string{"tract"}, []string{"1"}, ""},
	} {
		got, v := "", &answer{values: values{names: test.columns, row: test.row}}
		if a := areasOf(test.columns, nil); a != nil {
			if l, id, why := a.parse(v); why != kept {
				got = why.Code
			} else {
				got = l.key(id)
			}
		}
		if got != test.want {
			t.Errorf("%v %v: %s, want %s", test.columns, test.row, got, test.want)
		}
	}
}

// Whatever is in a file, every staged statistic has a plausible value, and every error is of the file or the options.
func FuzzFiles(f *testing.F) {
	for _, text := range []string{
		b25003,
		"\ufeff\"GEO_ID\",\"NAME\",\"B01003_001E\",\"B01003_001M\",\n\"Geography\",\"Geographic Area Name\",\"Estimate!!Total\",\"Margin of " +
			"Error!!Total\",\n\"0400000US06\",\"California\",\"39242785\",\"*****\",\n",
		"GEO.id,GEO.id2,GEO.display-label,HD01_VD01,HD02_VD01\nId,Id2,Geography,Estimate,Margin\n1500000US110010001001,110010001001,Block " +
			"Group 1,-,**\n",
		`[["NAME","B01003_001E","B01003_001M","state","county"],["x","1","2","01","001"],["y",null,-5.5,"01","003"]]`,
		"\"\",GEOID,NAME,variable,estimate,moe\n1,10010201001,\"Block Group 1, Census Tract 201\",B01003_001,1604,NA\n",
		"GEOID,NAME,B19013_001E,B19013_001M\n1001,\"Autauga County, Alabama\",250001,\xff\n",
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"GEOID":"110010001001","variable":"B01003_001",` +
			`"estimate":1604.0,"moe":366.0},"geometry":null}]}`,
	} {
		f.Add("acsdt5y2023-b25003.csv", []byte(text))
		f.Add("x_20_5YR_B01003.json", []byte(text))
	}
	f.Add("x.csv",
		[]byte("GISJOIN,ALZLE001,ALZLM001,ALZLE002,ALZLM002,ALZLE003,ALZLM003\n\"G4100010\",9,1,5,1,4,\nG4100030,9,1,-5,1,4,\xff\n"))
	f.Add("x_codebook.txt", []byte(tenureBook+"Data Type (M):\n"))
	f.Add("x.zip", []byte("PK\x03\x04"))
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		files := map[string]string{"x_codebook.txt": tenureBook, "x.csv": "GISJOIN,ALZLE001,ALZLE002,ALZLE003\nG4100010,9,5,4\n"}
		path := "x.csv"
		switch name {
		case "x_codebook.txt", "x.csv":
		case "x.zip", "x_20_5YR_B01003.json":
			path = name
		default:
			name, path = "acsdt5y2023-b25003.csv", "acsdt5y2023-b25003.csv"
		}
		files[name] = string(text)
		for file, content := range files {
			if err := os.WriteFile(filepath.Join(folder, file), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out := &sourcetest.Record{}
		options := sourcetest.Options(t, "table: B01003")
		if name == "x_20_5YR_B01003.json" {
			options = sourcetest.Options(t, "{vintage: 2016-2020, variables: {x: B01003_001}}")
		}
		err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: filepath.Join(folder, path), Options: options}, out)
		if err != nil && !errors.Is(err, source.ErrBadFile) {
			t.Fatal(err)
		}
		for _, s := range out.Statistics {
			if !(s.Estimate >= 0) || s.MOE != nil && !(*s.MOE >= 0) || !strings.HasPrefix(s.AreaKey, "census:") {
				t.Fatalf("%+v", s)
			}
		}
	})
}
