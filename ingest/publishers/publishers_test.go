package publishers

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/paulmach/orb"

	"quartier/internal/testenv"
	"quartier/schemas/tsv"
)

func TestCatalogue(t *testing.T) {
	if err := Check(t.Context(), All()); err != nil {
		t.Fatal(err)
	}
	for _, s := range append(Sets("US"), Sets("CA")...) {
		if s.Publisher == nil || s.PageText() == "" || s.LicenceText() == "" || s.AttributionText() == "" {
			t.Errorf("%s lacks page, licence or attribution", s.ID)
		}
	}
}

// TestCheckFindsFaults plants faults in a catalogue.
func TestCheckFindsFaults(t *testing.T) {
	const good = "publisher: zillow\nname: Z\npage: https://h\nlicence: l\nattribution: a\nrefuses: no\nsets:\n" +
		"  - {id: x, title: t, reads: boundaries, url: \"https://h/{fips}.zip\", type: zip, as_of: \"2020-01-01\", cadence: never, " +
		"feeds: [geographies], options: {layout: tiger-state, where: {A: \"{states}\"}}}\n"
	check := func(text string) string {
		all, err := read(fstest.MapFS{"zillow.yaml": {Data: []byte(text)}})
		if err == nil {
			err = Check(t.Context(), all)
		}
		if err == nil {
			return ""
		}
		return err.Error()
	}
	if text := check(good); text != "" {
		t.Fatal(text)
	}
	for _, c := range []struct{ from, to, want string }{
		{"{fips}", "{fipss}", "unknown variable {fipss}"},
		{"{states}", "{stats}", "unknown variable {stats}"},
		{"reads: boundaries", "reads: boundary", `unknown kind "boundary"`},
		{"layout:", "lay_out:", "unknown option lay_out"},
		{"tiger-state", "tiger-states", "tiger-states"},
		{"[geographies]", "[geography]", `unknown score or product "geography"`},
		{"type: zip", "type: rar", `unknown type "rar"`},
		{"cadence: never", "cadences: never", "cadences"},
		{"{fips}", "{year}", "year is missing"},
		{"publisher: zillow", "publisher: willow", "order of publishers"},
		{"feeds:", "tiles: hexagons, feeds:", "rule of tiles"},
		{"refuses: no\n", "", "refuses is missing"},
	} {
		if text := check(strings.Replace(good, c.from, c.to, 1)); !strings.Contains(text, c.want) {
			t.Errorf("%s for %s: %q, want %q", c.to, c.from, text, c.want)
		}
	}
}

// seenWith are the data sets whose template is that of another one.
var seenWith = map[string]bool{"country": true, "overture-divisions": true, "overture-addresses": true, "overture-base": true}

// TestTemplates holds the templates to addresses that public code has.
func TestTemplates(t *testing.T) {
	data, err := os.ReadFile("testdata/addresses.tsv")
	if err != nil {
		t.Fatal(err)
	}
	held := map[*Set]bool{}
	for _, row := range tsv.MustParse("addresses.tsv", string(data), "publisher", "set", "variables", "url", "seen") {
		c := struct{ publisher, set, variables, url, seen string }{row[0], row[1], strings.TrimPrefix(row[2], "-"), row[3], row[4]}
		values := map[string]string{}
		for _, pair := range strings.Fields(c.variables) {
			name, value, _ := strings.Cut(pair, "=")
			values[name] = value
		}
		s := setOf(t, c.publisher, c.set)
		held[s] = true
		if got := Expand(s.URL, values); got != c.url {
			t.Errorf("%s %s: %s, want %s (%s)", c.publisher, c.set, got, c.url, c.seen)
		}
		found, back := Match(c.url, "", c.set)
		if found != s {
			t.Errorf("%s is not found by its address %s: %v", c.set, c.url, found)
		}
		for name, value := range values {
			if back[name] != value {
				t.Errorf("%s: %s is %q of the address, want %q", c.set, name, back[name], value)
			}
		}
	}
	for _, p := range All() {
		for i := range p.Sets {
			if s := &p.Sets[i]; !held[s] && !seenWith[s.ID] {
				t.Errorf("no address of %s %s was seen", p.ID, s.ID)
			}
		}
	}
	if found, _ := Match("https://example.org/tl_2025_41_place.zip", "", ""); found != nil {
		t.Errorf("a stranger's address is of %s", found.ID)
	}
}

func setOf(t *testing.T, publisher, id string) *Set {
	t.Helper()
	for _, p := range All() {
		for i := range p.Sets {
			if p.ID == publisher && p.Sets[i].ID == id {
				return &p.Sets[i]
			}
		}
	}
	t.Fatalf("there is no set %s of %s", id, publisher)
	return nil
}

// TestIndexesOfPublishers finds every address of the lists of the publishers' files in the catalogue.
func TestIndexesOfPublishers(t *testing.T) {
	testenv.NeedData(t, "formats/indexes")
	unlisted := []string{"/ler_", "/lfed", "/ldpl", "/lcar", "/lccs", "/lpc_", "/lada", "/lecu", "/leca", "/lct_", "000a21a", "PRIVATESCH"}
	for file, column := range map[string]string{"nces-files.csv": "url", "statcan-2021-boundaries.csv": "url",
		"states-provinces.csv": "geofabrik_pbf"} {
		data, err := os.Open(testenv.Data("formats/indexes/" + file))
		if err != nil {
			t.Fatal(err)
		}
		defer data.Close()
		rows, err := csv.NewReader(data).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for i, name := range rows[0] {
			if name == column {
				at = i
			}
		}
		for _, row := range rows[1:] {
			address := row[at]
			known := address == ""
			for _, part := range unlisted {
				known = known || strings.Contains(address, part)
			}
			if found, _ := Match(address, "", ""); found == nil && !known {
				t.Errorf("%s: %s is of no data set", file, address)
			}
		}
	}
}

func TestTiles(t *testing.T) {
	at := func(lng, lat float64) orb.Bound {
		return orb.Bound{Min: orb.Point{lng, lat}, Max: orb.Point{lng + 0.01, lat + 0.01}}
	}
	for _, c := range []struct {
		rule string
		box  orb.Bound
		want string
	}{
		{"south-west-3", at(-75.70, 45.42), "N45W078"},
		{"north-west-1", at(-122.3, 42.5), "n43w123"},
		{"north-west-1", at(-147.5, 69.5), "n70w148"},
		{"south-west-3", at(10.5, -1.5), "S03E009"},
	} {
		if got := Tiles[c.rule].In(c.box); len(got) != 1 || got[0].Name != c.want {
			t.Errorf("%s: %v, want %s", c.rule, got, c.want)
		}
	}
	if got := Tiles["north-west-1"].In(orb.Bound{Min: orb.Point{-75.8, 38.4}, Max: orb.Point{-75, 39.9}}); len(got) != 2 {
		t.Errorf("tiles of Delaware: %v", got)
	}
}

func TestFallback(t *testing.T) {
	s := setOf(t, "census", "blocks")
	if got := s.Publisher.Fallback("https://www2.census.gov/geo/tiger/TIGER2025/BG/tl_2025_41_bg.zip"); got !=
		"ftp://ftp2.census.gov/geo/tiger/TIGER2025/BG/tl_2025_41_bg.zip" {
		t.Error(got)
	}
	if got := setOf(t, "zillow", "values-zips").Publisher.Fallback("https://files.zillowstatic.com/x"); got != "" {
		t.Error(got)
	}
}
