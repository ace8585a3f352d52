package brands

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

func find(r *sourcetest.Record, key, value, id string) *source.BrandRule {
	for i, b := range r.BrandRules {
		if b.Key == key && b.Value == value && b.BrandID == id {
			return &r.BrandRules[i]
		}
	}
	return nil
}

func stage(t testing.TB, path, options string) (*sourcetest.Record, error) {
	t.Helper()
	r := &sourcetest.Record{}
	return r, Kind.Stage(t.Context(), source.Input{Source: "brands", Path: path, Options: sourcetest.Options(t, options)}, r)
}

func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFold(t *testing.T) {
	for name, want := range map[string]string{
		"McDonald's":         "mcdonalds",
		"Tim Hortons":        "tim_hortons",
		"Café Dépôt":         "cafe_depot",
		"A&W":                "a_and_w",
		"7-Eleven":           "7_eleven",
		"% Arabica":          "arabica",
		"Häagen-Dazs":        "haagen_dazs",
		"Løgismose":          "logismose",
		"Provi-Soir (Shell)": "provi_soir_shell",
		"L’Œuf Doré":         "loeuf_dore",
		"星巴克":                "",
		" ":                  "",
	} {
		if got := Fold(name); got != want {
			t.Errorf("Fold(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestFoldProperties(t *testing.T) {
	form := regexp.MustCompile(`^([a-z0-9]+(_[a-z0-9]+)*)?$`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		id := Fold(name)
		if !form.MatchString(id) {
			t.Fatalf("Fold(%q) = %q", name, id)
		}
		if again := Fold(id); again != id {
			t.Fatalf("Fold(%q) = %q, folded again %q", name, id, again)
		}
	})
}

func TestPlaces(t *testing.T) {
	tests := []struct {
		include, exclude, want string
	}{
		{"001", "", ""},
		{"001", "jp kr", ""},
		{"001", "us", "ca"},
		{"us ca", "", "ca us"},
		{"021", "", "021 ca us"},
		{"us-tx.geojson ca-QC.geojson", "", "ca-qc us-tx"},
		{"ca", "ca-qc.geojson", "ca-ab ca-bc ca-mb ca-nb ca-nl ca-ns ca-nt ca-nu ca-on ca-pe ca-sk ca-yt"},
		{"gb us", "us-peoples_bank_oh.geojson", "gb us"},
		{"us-tx.geojson", "us", ""},
	}
	for _, tt := range tests {
		include, _ := codes(raw(tt.include))
		exclude, _ := codes(raw(tt.exclude))
		got := resolve(include, exclude)
		if s := strings.Join(got.codes, " "); s != tt.want {
			t.Errorf("include %s, exclude %s: %q, want %q", tt.include, tt.exclude, s, tt.want)
		}
	}
}

func raw(words string) (list []json.RawMessage) {
	for _, w := range strings.Fields(words) {
		list = append(list, json.RawMessage(strconv.Quote(w)))
	}
	return list
}

const cafes = `{"properties": {"path": "brands/amenity/cafe"}, "items": [
 {"displayName": "Métro", "id": "metro-aaaaaa", "locationSet": {"include": ["fr"]}, "tags": {"name": "Métro", "brand:wikidata": "Q9"}},
 {"displayName": "Metro", "id": "metro-bbbbbb", "locationSet": {"include": ["ca"]}, "matchNames": ["metro plus"],
  "matchTags": ["shop/bakery", "nonsense"], "tags": {"amenity": "cafe", "brand": "Metro", "name": "Metro", "brand:wikidata": "Q145168", "cuisine": "coffee_shop", "operator": "X"}},
 {"displayName": "Metro", "id": "metro-cccccc", "locationSet": {"include": ["us"]}, "tags": {"name": "Metro", "alt_name": "M;Metro"}},
 {"displayName": "Metro", "id": "metro-dddddd", "locationSet": {"include": ["us-ny.geojson"]}, "tags": {"name": "Le Metro", "brand:wikidata": "Q145168"}},
 {"displayName": "星巴克", "id": "starbucks-eeeeee", "locationSet": {"include": ["001"]}, "tags": {"name": "星巴克"}},
 {"displayName": "Tokyo only", "id": "tokyoonly-ffffff", "locationSet": {"include": ["jp"]}, "tags": {"name": "T"}},
 {"displayName": "Round", "id": "round-000000", "locationSet": {"include": [[-106, 34, 450]]}, "tags": {"name": "R"}},
 {"displayName": "", "id": "x-1", "locationSet": {"include": ["us"]}, "tags": {"name": "R"}},
 {"displayName": "Odd", "id": "odd-1", "locationSet": {"include": ["us"]}, "tags": {"name": 5}},
 {"displayName": "No names", "id": "nonames-1", "locationSet": {"include": ["us"]}, "tags": {}},
 "not an object"
]}`

func TestStage(t *testing.T) {
	r, err := stage(t, write(t, "cafe.json", cafes), "")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, b := range r.BrandRules {
		ids = append(ids, b.Key+"="+b.Value+" "+b.BrandID)
	}
	want := []string{"amenity=cafe metro", "amenity=cafe metro_cccccc", "amenity=cafe starbucks", "shop=bakery metro"}
	if !reflect.DeepEqual(ids, want) {
		t.Errorf("rules %q, want %q", ids, want)
	}
	metro := find(r, "amenity", "cafe", "metro")
	if want := (source.BrandRule{
		BrandID: "metro", BrandName: "Metro", Wikidata: "Q145168", Key: "amenity", Value: "cafe",
		Names: []string{"Metro", "metro plus", "Le Metro"}, Countries: []string{"ca", "us-ny"},
		Tags: map[string]string{"cuisine": "coffee_shop"},
	}); !reflect.DeepEqual(*metro, want) {
		t.Errorf("got %+v, want %+v", *metro, want)
	}
	if names := find(r, "amenity", "cafe", "metro_cccccc").Names; !reflect.DeepEqual(names, []string{"Metro", "M"}) {
		t.Errorf("names %q", names)
	}
	if r.Count != 11 {
		t.Errorf("read %d", r.Count)
	}
	if want := map[string]int{
		"excluded_by_option: countries": 2,
		"custom_location_only":          1,
		"missing_display_name":          1, "missing_name": 1, "malformed_record": 2,
	}; !reflect.DeepEqual(r.Reasons(), want) {
		t.Errorf("issues %v, want %v", r.Reasons(), want)
	}
}

func TestStageCountries(t *testing.T) {
	path := write(t, "cafe.json", cafes)
	for options, want := range map[string]int{"countries: [fr]": 2, "countries: ['*']": 6, "countries: [us]": 3} {
		r, err := stage(t, path, options)
		if err != nil || len(r.BrandRules) != want {
			t.Errorf("%s: %d rules, %v, want %d", options, len(r.BrandRules), err, want)
		}
	}
	if _, err := stage(t, path, "country: us"); err == nil || !strings.Contains(err.Error(), "country") {
		t.Errorf("unknown option: %v", err)
	}
}

func TestEntireIndex(t *testing.T) {
	r, err := stage(t, write(t, "nsi.json", `{"_meta": {}, "nsi": {
	 "brands/shop/bakery": {"properties": {}, "items": [{"displayName": "B", "id": "b-1", "locationSet": {"include": ["001"]}, "tags": {"name": "B"}}]},
	 "operators/amenity/bank": {"items": [{"displayName": "O", "id": "o-1", "locationSet": {"include": ["001"]}, "tags": {"name": "O"}}]}}}`), "")
	if err != nil || len(r.BrandRules) != 1 || r.Reasons()["not_a_brand"] != 1 || r.Count != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestBadFiles(t *testing.T) {
	for name, content := range map[string]string{
		"empty": "", "cut": cafes[:700], "array": "[]", "other": `{"a": 1}`,
		"path": `{"properties": {"path": "brands/amenity"}, "items": []}`,
	} {
		path := write(t, name+".json", content)
		if _, err := stage(t, path, ""); !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := stage(t, t.TempDir(), ""); !errors.Is(err, source.ErrBadFile) {
		t.Errorf("empty folder: %v", err)
	}
	if _, err := stage(t, "/nowhere", ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}

func TestRealIndex(t *testing.T) {
	r, err := stage(t, testenv.NeedData(t, "us-national/brands"), "")
	if err != nil {
		t.Fatal(err)
	}
	if r.Count != 6703 {
		t.Errorf("read %d items", r.Count)
	}
	for _, want := range []struct{ key, value, id, wikidata string }{
		{"amenity", "fast_food", "mcdonalds", "Q38076"},
		{"amenity", "cafe", "starbucks", "Q37158"},
		{"amenity", "cafe", "tim_hortons", "Q175106"},
		{"amenity", "fuel", "shell", "Q110716465"},
		{"amenity", "pharmacy", "cvs_pharmacy", "Q2078880"},
		{"shop", "convenience", "7_eleven", "Q259340"},
		{"shop", "supermarket", "metro_ontario_quebec", "Q1145669"},
		{"shop", "supermarket", "whole_foods_market", "Q1809448"},
	} {
		if b := find(r, want.key, want.value, want.id); b == nil || b.Wikidata != want.wikidata {
			t.Errorf("%+v: got %+v", want, b)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(cafes))
	f.Add([]byte(`{"nsi": {"brands/a/b": {"items": [{}]}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &sourcetest.Record{}
		items, err := parse("f.json", data, r)
		if err != nil {
			return
		}
		identify(items)
		seen := map[[3]string]bool{}
		for _, b := range rules(items) {
			at := [3]string{b.Key, b.Value, b.BrandID}
			if b.BrandID == "" || len(b.Names) == 0 || seen[at] {
				t.Errorf("rule %+v", b)
			}
			seen[at] = true
		}
	})
}

// TestFileBeyondTheLimit has a hole instead of content: its size alone refuses it.
func TestFileBeyondTheLimit(t *testing.T) {
	path := write(t, "large.json", "{")
	if err := os.Truncate(path, source.MaxIndexFile+1); err != nil {
		t.Fatal(err)
	}
	if _, err := stage(t, path, ""); !errors.Is(err, source.ErrTooLarge) ||
		!strings.Contains(err.Error(), "large.json: beyond a limit: the file has more than 268435456 bytes") {
		t.Errorf("%v", err)
	}
}
