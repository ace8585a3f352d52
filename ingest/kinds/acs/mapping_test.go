package acs

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quartier/ingest/formats/folder"
	"quartier/ingest/source"
	"quartier/internal/testenv"
	"quartier/schemas/demographics"
)

// specLine is a line of a table of the survey of 2017-2021 or later, and the cells that it is part of.
type specLine struct {
	table, label string
	line         int
	cells        []string
}

// spec is testdata/lines.tsv. It names every line of each table, B11001 alone cut after its total.
func spec(t *testing.T) (list []specLine) {
	text, err := os.ReadFile("testdata/lines.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")[1:] {
		f := strings.Split(row, "\t")
		line, err := strconv.Atoi(f[1])
		if err != nil || len(f) != 4 {
			t.Fatalf("lines.tsv: %q, %v", row, err)
		}
		list = append(list, specLine{f[0], f[2], line, strings.Fields(f[3])})
	}
	return list
}

func TestLines(t *testing.T) {
	const year = 2023
	type place struct {
		table string
		line  int
	}
	got := map[place][]string{}
	for _, e := range mapping {
		if year < e.from || year > e.until {
			continue
		}
		for _, line := range e.lines {
			got[place{e.table, line}] = append(got[place{e.table, line}], demographics.Cells[e.cell].ID)
		}
	}
	for _, s := range spec(t) {
		cells := got[place{s.table, s.line}]
		slices.Sort(cells)
		if !slices.Equal(cells, s.cells) {
			t.Errorf("%s line %d, %s: cells %q, want %q", s.table, s.line, s.label, cells, s.cells)
		}
		delete(got, place{s.table, s.line})
	}
	if len(got) > 0 {
		t.Errorf("lines that no table has: %v", got)
	}
}

// Codebooks name the lines as the spec does.
func TestLinesOfCodebooks(t *testing.T) {
	for path, tables := range map[string]map[string]string{income: {"B19001": "ABDO"}, education: {"B15003": "ABC4"}} {
		path = strings.TrimSuffix(path, ".csv") + "_codebook.txt"
		testenv.SkipWithoutData(t, path)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range spec(t) {
			if code := tables[s.table]; code != "" && !strings.Contains(string(text), fmt.Sprintf("%sE%03d:    %s\n", code, s.line, s.label)) {
				t.Errorf("%s line %d is not %q", s.table, s.line, s.label)
			}
		}
	}
}

// Second headers of files as they are downloaded name the lines as the spec does, but for a few that were worded otherwise.
func TestLinesOfDownloads(t *testing.T) {
	reworded := map[string]string{"Worked at home": "Worked from home"}
	for path, table := range map[string]string{
		"us-dc/acs-2015/ACS_15_5YR_B08301_with_ann.csv": "B08301", "us-dc/acs-2015/ACS_15_5YR_B08303_with_ann.csv": "B08303",
		"formats/census/ACS_17_5YR_B15003_with_ann.csv":   "B15003",
		"us-newyork/acs-2020/ACSDT5Y2020.B11001-Data.csv": "B11001",
	} {
		list, err := folder.Open(testenv.NeedData(t, path), source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		g, err := openGrid(t.Context(), list.Files[0])
		if err != nil || g.next() != nil {
			t.Fatal(path, err)
		}
		found := figuresOf(g.columns(), nil, table)
		for _, s := range spec(t) {
			if s.table != table || len(s.cells) == 0 {
				continue
			}
			column, there := found.estimates[line{table, s.line}]
			label := string(g.at(column))
			for _, cut := range []string{"!!", " - ", "; "} {
				parts := strings.Split(label, cut)
				label = strings.TrimSuffix(parts[len(parts)-1], ":")
			}
			if other, ok := reworded[label]; ok {
				label = other
			}
			if !there || label != s.label {
				t.Errorf("%s line %d is %q in %s, not %q", table, s.line, label, path, s.label)
			}
		}
		g.Close()
	}
}

// The newest homes of a survey are those built since its decade began, and move down its lines with the years.
func TestDecades(t *testing.T) {
	for year, want := range map[int]string{
		2011: "",
		2014: "1939_or_earlier 10, 1940_to_1949 9, 1950_to_1959 8, 1960_to_1969 7, 1970_to_1979 6, 1980_to_1989 5, 1990_to_1999 4, " +
			"2000_to_2009 3, 2010_or_later 2",
		2015: "1939_or_earlier 11, 1940_to_1949 10, 1950_to_1959 9, 1960_to_1969 8, 1970_to_1979 7, 1980_to_1989 6, 1990_to_1999 5, " +
			"2000_to_2009 4, 2010_or_later 2 3",
		2020: "1939_or_earlier 11, 1940_to_1949 10, 1950_to_1959 9, 1960_to_1969 8, 1970_to_1979 7, 1980_to_1989 6, 1990_to_1999 5, " +
			"2000_to_2009 4, 2010_or_later 2 3",
		2021: "1939_or_earlier 11, 1940_to_1949 10, 1950_to_1959 9, 1960_to_1969 8, 1970_to_1979 7, 1980_to_1989 6, 1990_to_1999 5, " +
			"2000_to_2009 4, 2010_to_2019 3, 2020_or_later 2",
	} {
		var got []string
		for _, e := range entriesOf(year, func(e entry) bool { return e.table == "B25034" }) {
			text := strings.TrimPrefix(demographics.Cells[e.cell].ID, "construction_year.")
			for _, line := range e.lines {
				text += " " + strconv.Itoa(line)
			}
			if text != "total 1" {
				got = append(got, text)
			}
		}
		if slices.Sort(got); strings.Join(got, ", ") != want {
			t.Errorf("%d: %s", year, strings.Join(got, ", "))
		}
	}
}

// Every cell that the country has is read from some table.
func TestCellsAreRead(t *testing.T) {
	for place := range demographics.Cells {
		c := &demographics.Cells[place]
		read := slices.ContainsFunc(mapping, func(e entry) bool { return e.cell == place })
		if !read && c.Has("US") && c.ID != "average_household_income.value" {
			t.Errorf("%s is read from no table", c.ID)
		}
	}
}
