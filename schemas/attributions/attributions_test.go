package attributions_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"quartier/schemas"
	"quartier/schemas/attributions"
	"quartier/schemas/tsv"
)

func TestOf(t *testing.T) {
	got := attributions.Of([]schemas.ReleaseSource{
		{Attribution: "City of Ottawa", Licence: "OGL-Ottawa"}, {Attribution: "Nobody knows", Licence: "CC0-1.0"},
		{Attribution: "City of Ottawa", Licence: "OGL-Ottawa", ID: "other"},
		{Attribution: "Zillow", Licence: "Zillow-data"}, {Attribution: "City of Ottawa", Licence: "CC-BY-4.0"},
	})
	want := []schemas.StatusAttribution{
		{Text: schemas.Text{EN: "City of Ottawa", FR: "Ville d’Ottawa"}, Licence: "OGL-Ottawa"},
		{Text: schemas.Text{EN: "Nobody knows", FR: "Nobody knows"}, Licence: "CC0-1.0"},
		{Text: schemas.Text{EN: "Zillow", FR: "Zillow"}, Licence: "Zillow-data"},
		{Text: schemas.Text{EN: "City of Ottawa", FR: "Ville d’Ottawa"}, Licence: "CC-BY-4.0"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestFrenchAttributions holds the table against the region files: every attribution has its French wording, or is said to have none.
func TestFrenchAttributions(t *testing.T) {
	table, err := os.ReadFile("french.tsv")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, row := range tsv.MustParse("french.tsv", string(table)) {
		known[row[0]] = true
	}
	files, err := filepath.Glob("../../regions/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	line := regexp.MustCompile(`\battribution: *(.*)`)
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range line.FindAllStringSubmatch(string(text), -1) {
			if !known[found[1]] {
				t.Errorf("%s: french.tsv lacks %q", path, found[1])
			}
		}
	}
}
