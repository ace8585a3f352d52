package names_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quartier/internal/pack"
	"quartier/internal/pack/names"
	"quartier/internal/pack/names/namestest"
	"quartier/internal/pack/packtest"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// provinces are the codes of provinces in GeoNames.
var provinces = map[string]string{"01": "AB", "02": "BC", "03": "MB", "04": "NB", "05": "NL", "07": "NS", "08": "ON",
	"09": "PE", "10": "QC", "11": "SK", "12": "YT", "13": "NT", "14": "NU"}

// cities reads the list of GeoNames.
func cities(t *testing.T) (places []namestest.Place, entries []names.Entry) {
	path := filepath.Join(testenv.NeedData(t, "formats/names"), "geonames-cities15000-us-ca-2013.txt")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		row := strings.Split(line, "\t")
		state := row[8] + "_" + row[10]
		if row[8] == "CA" {
			state = "CA_" + provinces[row[10]]
		}
		population, err := strconv.ParseInt(row[14], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		e := names.Entry{Index: uint32(i), ID: row[0], Level: schemas.Municipality, Regions: []string{state},
			Name: schemas.Text{EN: row[1], FR: row[1]}, Population: population}
		for _, name := range strings.Split(row[3], ",") {
			if name != "" {
				e.AltNames = append(e.AltNames, name)
			}
		}
		entries = append(entries, e)
		places = append(places, namestest.Place{ID: e.ID, Level: e.Level, Name: e.Name, States: e.Regions})
	}
	return places, entries
}

// TestTypedNamesOfCities looks up 500 names of real cities as people type them.
func TestTypedNamesOfCities(t *testing.T) {
	places, entries := cities(t)
	index, err := names.Open(packtest.Open(t, write(t, entries)))
	if err != nil {
		t.Fatal(err)
	}
	var r names.Result
	namestest.Check(t, places, 500, 0.95, 0.99, func(q namestest.Query) (ids []string) {
		index.Search(&names.Query{Name: q.Text, Language: q.Language, Limit: 5}, &r)
		for _, m := range r.Matches {
			ids = append(ids, entries[m.Index].ID)
		}
		return ids
	})
}

// TestQueriesOfPeople looks up cities by what people type into a box: testdata/typed.txt.
func TestQueriesOfPeople(t *testing.T) {
	places, entries := cities(t)
	index, err := names.Open(packtest.Open(t, write(t, entries)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/typed.txt")
	if err != nil {
		t.Fatal(err)
	}
	var r names.Result
	for line := range strings.Lines(string(text)) {
		typed, want, found := strings.Cut(strings.TrimSpace(line), " | ")
		if !found {
			continue
		}
		got := "nothing"
		if index.Search(&names.Query{Name: typed, Language: "en", Limit: 5}, &r); len(r.Matches) > 0 {
			p := places[r.Matches[0].Index]
			got = p.Name.EN + " " + p.States[0]
		}
		if got != want {
			t.Errorf("%s: %s, want %s", typed, got, want)
		}
	}
}

func write(t *testing.T, entries []names.Entry) func(*pack.Writer) error {
	var w names.Writer
	for i := range entries {
		if err := w.Add(&entries[i]); err != nil {
			t.Fatal(err)
		}
	}
	return w.Finish
}
