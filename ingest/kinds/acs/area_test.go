package acs

import (
	"bytes"
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
		"1500000US410510001001": "census:bg:410510001001", "1400000US41051000100": "census:tract:41051000100", "0500000US41051": "census:county:41051",
		"0600000US4105191924": "census:cousub:4105191924", "1600000US4159000": "census:place:4159000", "0400000US41": "census:state:41",
		"310M700US38900": "census:cbsa:38900", "3100000US38900": "census:cbsa:38900", "860Z200US97201": "census:zcta:97201", "8600000US97201": "census:zcta:97201",
		"0100000US":     "census:country:US",
		"0400001US41":   geographicComponent.Code,
		"0100043US":     geographicComponent.Code,
		"9500000US4110": source.UnreadSummaryLevel.Code, "314M700US3890038900": source.UnreadSummaryLevel.Code,
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
		{"bg", "G41000109501001", "census:bg:410019501001"}, {"tract", "G4100010950100", "census:tract:41001950100"}, {"county", "G4100510", "census:county:41051"},
		{"cousub", "G410051091924", "census:cousub:4105191924"}, {"place", "G41059000", "census:place:4159000"}, {"state", "G410", "census:state:41"},
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
		{"1,234", 0, source.InvalidNumber, nan, false},
		{"NaN", 0, source.InvalidNumber, nan, false},
		{"1e999", 0, source.InvalidNumber, nan, false},
	} {
		if n, why := estimateOf([]byte(test.text)); n != test.estimate || why != test.why {
			t.Errorf("estimate %q: %v, %v", test.text, n, why)
		}
		if moe, ok := marginOf([]byte(test.text)); moe != test.moe && !(math.IsNaN(moe) && math.IsNaN(test.moe)) || ok != test.ok {
			t.Errorf("margin %q: %v, %t", test.text, moe, ok)
		}
	}
}

// Whatever is in a file, every staged statistic is of an area that the file names.
func FuzzFiles(f *testing.F) {
	f.Add("acsdt5y2023-b25003.dat", []byte(b25003))
	f.Add("x.csv", []byte("GISJOIN,ALZLE001,ALZLM001,ALZLE002,ALZLM002,ALZLE003,ALZLM003\n\"G4100010\",9,1,5,1,4,\nG4100030,9,1,-5,1,4,\xff\n"))
	f.Add("x_codebook.txt", []byte(tenureBook+"Data Type (M):\n"))
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		files := map[string]string{"x_codebook.txt": tenureBook, "x.csv": "GISJOIN,ALZLE001,ALZLE002,ALZLE003\nG4100010,9,5,4\n"}
		path := "x.csv"
		switch name {
		case "x_codebook.txt", "x.csv":
		default:
			name, path = "acsdt5y2023-b25003.dat", "acsdt5y2023-b25003.dat"
		}
		files[name] = string(text)
		for file, content := range files {
			if err := os.WriteFile(filepath.Join(folder, file), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out := &sourcetest.Record{}
		err := Kind{}.Stage(t.Context(), source.Input{Source: "s", Path: filepath.Join(folder, path)}, out)
		if err != nil && !errors.Is(err, source.ErrBadFile) {
			t.Fatal(err)
		}
		for _, s := range out.Statistics {
			id := s.AreaKey[strings.LastIndex(s.AreaKey, ":")+1:]
			if !(s.Estimate >= 0) || s.MOE != nil && !(*s.MOE >= 0) || path != "x.csv" && !bytes.Contains(text, []byte(id)) {
				t.Fatalf("%+v", s)
			}
		}
	})
}
