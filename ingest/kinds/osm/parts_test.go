package osm

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/schemas"
)

// tags returns the tags of "key=value" texts.
func tags(pairs ...string) element.Tags {
	var table element.Table
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		table.Add(key, value)
	}
	return table.TagsFrom(0)
}

func TestLevels(t *testing.T) {
	table, err := newLevelTable([]LevelRule{
		{Country: "US", Tags: "boundary=administrative name=Nowhere", Level: 0},
		{Tags: "place=hamlet", Level: 10},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		country string
		tags    []string
		level   schemas.Level
		found   bool
	}{
		{"US", []string{"boundary=administrative", "admin_level=2"}, 70, true},
		{"CA", []string{"boundary=administrative", "admin_level=4"}, 60, true},
		{"", []string{"boundary=administrative", "admin_level=4"}, 60, true},
		{"US", []string{"boundary=administrative", "admin_level=5"}, 30, true},
		{"CA", []string{"boundary=administrative", "admin_level=5"}, 38, true},
		{"US", []string{"boundary=administrative", "admin_level=6"}, 37, true},
		{"US", []string{"boundary=administrative", "admin_level=7"}, 35, true},
		{"CA", []string{"boundary=administrative", "admin_level=7"}, 0, false},
		{"US", []string{"boundary=administrative", "admin_level=8"}, 30, true},
		{"US", []string{"boundary=administrative", "admin_level=8", "border_type=township"}, 35, true},
		{"CA", []string{"boundary=administrative", "admin_level=8", "border_type=township"}, 30, true},
		{"US", []string{"boundary=administrative", "admin_level=8", "name=Nowhere"}, 0, true},
		{"CA", []string{"boundary=administrative", "admin_level=9"}, 20, true},
		{"CA", []string{"boundary=administrative", "admin_level=10"}, 10, true},
		{"", []string{"boundary=administrative", "admin_level=8"}, 0, false},
		{"US", []string{"boundary=administrative", "place=city"}, 30, true},
		{"US", []string{"boundary=administrative", "place=locality"}, 30, true},
		{"US", []string{"place=locality"}, 0, false},
		{"CA", []string{"boundary=postal_code", "postal_code=K1A"}, 32, true},
		{"US", []string{"boundary=census"}, 30, true},
		{"CA", []string{"place=quarter"}, 10, true},
		{"CA", []string{"place=borough"}, 20, true},
		{"CA", []string{"place=hamlet"}, 10, true},
		{"US", []string{"boundary=protected_area"}, 0, false},
	} {
		level, rule := table.match(c.country, tags(c.tags...).Get)
		if level != c.level || (rule >= 0) != c.found {
			t.Errorf("%s %v: level %d by rule %d, want %d", c.country, c.tags, level, rule, c.level)
		}
	}
}

func TestNames(t *testing.T) {
	delaware, quebec := region{"US", "DE"}, region{"CA", "QC"}
	for _, c := range []struct {
		in     region
		tags   map[string]string
		en, fr string
	}{
		{delaware, map[string]string{"name": "Dover"}, "Dover", ""},
		{delaware, map[string]string{"name": "Bear, Delaware"}, "Bear", ""},
		{delaware, map[string]string{"name": "Glasgow, New Castle, Delaware", "place_name": "Glasgow"}, "Glasgow", ""},
		{delaware, map[string]string{"tiger:NAME": "Milton"}, "Milton", ""},
		{region{"CA", "ON"}, map[string]string{"name": "Ottawa", "name:fr": "Ottawa"}, "Ottawa", ""},
		{region{"CA", "ON"}, map[string]string{"name": "Greater Sudbury", "name:fr": "Grand Sudbury"}, "Greater Sudbury", "Grand Sudbury"},
		{quebec, map[string]string{"name": "Québec", "name:en": "Quebec City"}, "Quebec City", "Québec"},
		{quebec, map[string]string{"name": "Gatineau"}, "Gatineau", ""},
		{region{}, map[string]string{}, "", ""},
	} {
		if en, fr := names(c.tags, c.in); en != c.en || fr != c.fr {
			t.Errorf("%v: %q and %q, want %q and %q", c.tags, en, fr, c.en, c.fr)
		}
	}
}

func TestTaggedRegion(t *testing.T) {
	for _, c := range []struct {
		tags map[string]string
		want string
	}{
		{map[string]string{"is_in:state_code": "NJ"}, "US-NJ"},
		{map[string]string{"tiger:STATEFP": "24"}, "US-MD"},
		{map[string]string{"nist:state_fips": "10"}, "US-DE"},
		{map[string]string{"is_in:state_code": "Nowhere"}, ""},
		{nil, ""},
	} {
		if got := taggedRegion(c.tags); got.String() != c.want {
			t.Errorf("%v: %s, want %s", c.tags, got, c.want)
		}
	}
	oregon := map[string]string{"boundary": "administrative", "admin_level": "4", "name": "Oregon"}
	if got := isoRegion(oregon); got.String() != "US-OR" {
		t.Errorf("Oregon without ISO3166-2: %q", got)
	}
	for iso, want := range map[string]string{"US-DE": "US-DE", "CA-QC": "CA-QC", "FR-DE": "", "": ""} {
		if got := isoRegion(map[string]string{"ISO3166-2": iso}); got.String() != want {
			t.Errorf("ISO3166-2=%s: %q, want %q", iso, got, want)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct{ options, says string }{
		{"country: CA", "unknown option country; there are: boundaries"},
		{"levels: [{tags: place=hamlet, level: 11}]", "levels: rule 1: 11 is not a level"},
		{"levels: [{tags: hamlet, level: 10}]", `tag "hamlet" is not key=value`},
		{"levels: [{level: 10}]", "the rule has no tags"},
		{"levels: [{country: FR, tags: a=b, level: 10}]", `levels: rule 1: country "FR" is not CA or US`},
		{"poi: true", "unknown option poi; there are: boundaries"},
	} {
		in := source.Input{Source: "extract", Path: "testdata/ville.osm", Options: sourcetest.Options(t, c.options)}
		err := Kind.Stage(t.Context(), in, &sourcetest.Record{})
		if !errors.Is(err, source.ErrBadOptions) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "extract") {
			t.Errorf("%s: error %v, want one of source extract with %q", c.options, err, c.says)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, c := range map[string]struct{ data, says string }{
		"empty.osm.pbf": {"", "the file is empty"},
		"table.osm.pbf": {"id,name\n1,x\n", "neither OSM PBF nor OSM XML"},
		"page.osm":      {"<html></html>", "it starts with <html>"},
		"zeros.osm.pbf": {strings.Repeat("\x00", 90), "not a block of an OSM PBF file"},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path, source.Limits{})
		if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v, want one of the file with %q", name, err, c.says)
		}
	}
}
