package schools

import (
	"bytes"
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"quartier/internal/testenv"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
)

// readTable reads a CSV file of real data; latin1 says that it is not in UTF-8.
func readTable(t *testing.T, name string, latin1 bool) (rows []map[string]string) {
	t.Helper()
	data, err := os.ReadFile(testenv.NeedData(t, name))
	if err != nil {
		t.Fatal(err)
	}
	if latin1 {
		if data, err = charmap.ISO8859_1.NewDecoder().Bytes(data); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, heading := range lines[0] {
			row[heading] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func coordinates(t *testing.T, lng, lat string) (*float64, *float64) {
	t.Helper()
	x, err := strconv.ParseFloat(lng, 64)
	y, err2 := strconv.ParseFloat(lat, 64)
	if err != nil || err2 != nil {
		return nil, nil
	}
	return &x, &y
}

// ottawaDirectory is the city's 390 schools of the Open Database of Educational Facilities, placed by their addresses.
func ottawaDirectory(t *testing.T) (list []staged.School) {
	for i, row := range readTable(t, "ca-ottawa/odef/odef_v2_subset_13cols.csv", true) {
		if row["CSDNAME"] != "Ottawa" {
			continue
		}
		s := staged.School{SourceID: "odef", SourceKey: "odef:" + strconv.Itoa(i+2), Name: row["Facility_Name"], Geocoded: true,
			City:       row["City"],
			PostalCode: row["Postal_Code"], CountryCode: "CA", StateCode: "ON"}
		s.Lng, s.Lat = coordinates(t, row["Longitude"], row["Latitude"])
		var levels []string
		for j, column := range []string{"ISCED020", "ISCED1", "ISCED2", "ISCED3"} {
			if row[column] == "1" {
				levels = append(levels, []string{"preschool", "elementary", "middle", "secondary"}[j])
			}
		}
		s.Levels = strings.Join(levels, ",")
		list = append(list, s)
	}
	return list
}

// ottawaList is the city's own list, without tutors, driving schools and the like.
func ottawaList(t *testing.T) (list []staged.School) {
	levels := map[string]string{"Elementary": "elementary", "Secondary": "secondary", "Elementary/Secondary": "elementary,secondary",
		"Intermediate":   "middle",
		"Waldorf School": "elementary", "Preschool": "preschool", "Special Education": "elementary", "Alternate Program": "secondary"}
	for i, row := range readTable(t, "ca-ottawa/open-data/schools_raw.csv", false) {
		if levels[row["CATEGORY"]] == "" {
			continue
		}
		s := staged.School{SourceID: "city", SourceKey: "city:" + strconv.Itoa(i+2), Name: row["NAME"], NameFR: row["NAME_FR"],
			BoardName:   row["FULL_BOARD"],
			CountryCode: "CA", Levels: levels[row["CATEGORY"]], Types: "public"}
		if row["BOARD"] == "Private" {
			s.Types, s.BoardName = "private", ""
		}
		s.Lng, s.Lat = coordinates(t, row["LONGITUDE"], row["LATITUDE"])
		list = append(list, s)
	}
	return list
}

func recordsOf(lists ...[]staged.School) (records []*record) {
	for priority, list := range lists {
		for _, s := range list {
			records = append(records, newRecord(s, int32(priority)))
		}
	}
	return records
}

// Of the 390 schools of the national directory in Ottawa at least 355 are matched with the city's: merged, or the second
// school of a building that the city lists once. No other school is lost, and which list comes first makes no difference.
func TestOttawaMatches(t *testing.T) {
	directory, city := ottawaDirectory(t), ottawaList(t)
	if len(directory) != 390 {
		t.Fatalf("%d schools of the directory", len(directory))
	}
	for _, c := range []struct {
		what    string
		records []*record
	}{{"directory first", recordsOf(directory, city)}, {"city first", recordsOf(city, directory)}} {
		r := deriveRecords(c.records, placeOf("CA"))
		merged, reasons := 0, map[string]int{}
		for _, s := range r.Sources {
			if isMerged(r.Sources, s) && s.SourceID == "odef" {
				merged++
			}
			if s.Reason != "kept" {
				reasons[s.Reason]++
			}
		}
		second, unmerged := 0, map[string]int64{}
		for _, i := range r.Issues {
			if i.Detail == "odef" {
				unmerged[i.Code] += i.Rows
			}
			if i.Detail == "odef" && (i.Code == "unmerged_second_school" || i.Code == "unmerged_other_grades") {
				second += int(i.Rows)
			}
		}
		t.Logf("%s: %d schools, %d merged by %v, directory alone %v", c.what, len(r.Schools), merged, reasons, unmerged)
		if merged+second < 355 || merged < 325 {
			t.Errorf("%s: %d merged and %d second schools of a building, want 355 of 390", c.what, merged, second)
		}
		if len(r.Sources) != len(c.records) {
			t.Errorf("%s: %d of %d records", c.what, len(r.Sources), len(c.records))
		}
		checkOttawa(t, r)
	}
}

// isMerged reports whether the school of a record has records of several sources.
func isMerged(all []derived.SchoolSource, s derived.SchoolSource) bool {
	return slices.ContainsFunc(all, func(o derived.SchoolSource) bool { return o.SchoolKey == s.SchoolKey && o.SourceID != s.SourceID })
}

// checkOttawa checks some schools that are known.
func checkOttawa(t *testing.T, r *Result) {
	t.Helper()
	byName := map[string][]derived.School{}
	for _, s := range r.Schools {
		byName[s.Name] = append(byName[s.Name], s)
	}
	for name, want := range map[string]struct {
		languages, types string
		lng, lat         float64 // 0: not checked
	}{
		"St Peter Intermediate School": {languages: "en"},
		"Westboro Academy":             {languages: "en", types: "private"},
	} {
		got := byName[name]
		if len(got) != 1 || got[0].Languages != want.languages || got[0].Types != want.types {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, s := range r.Schools {
		if strings.Contains(s.Name, "Driving") || strings.Contains(s.Name, "Kumon") {
			t.Errorf("%s is a school", s.Name)
		}
	}
}
