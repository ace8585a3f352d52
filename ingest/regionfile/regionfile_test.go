package regionfile

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/ingest"
	"quartier/ingest/fetch"
	"quartier/ingest/publishers/place"
	"quartier/internal/testenv"
)

var update = flag.Bool("update", false, "rewrite the region files in testdata")

const day = "2026-11-29"

// mirrored asks the folder of a mirror.
func mirrored(folder string) Look {
	client, err := fetch.NewPeek(fetch.Options{Mirror: folder})
	if err != nil {
		panic(err)
	}
	return Look{Get: client.Get, Has: func(ctx context.Context, url string) (bool, int64, error) {
		if strings.Contains(url, "amazonaws.com/StagedProducts") { // of the mirror's tiles one is wholly at sea
			return !strings.Contains(url, "n40w078"), 50_000_000, nil
		}
		return true, 0, nil
	}}
}

// silent is a Look that nobody answers.
var silent = Look{
	Get: func(context.Context, string, int64) ([]byte, error) { return nil, errors.New("no route to host") },
	Has: func(context.Context, string) (bool, int64, error) { return false, 0, errors.New("no route to host") },
}

// made is the region file of a place, read by the reader of regions.
func made(t *testing.T, p *place.Place, look Look) (*Recipe, string, *ingest.Region) {
	t.Helper()
	r, err := New(t.Context(), p, day, look)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.Write(&b, "quartier region new "+p.Name); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "region.yaml")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return r, b.String(), readRegion(t, file)
}

// readRegion reads a region file in which nothing is wrong but that nobody has fetched its files.
func readRegion(t *testing.T, file string) *ingest.Region {
	t.Helper()
	region, err := ingest.ReadRegion(file, func(string) (string, bool) { return "", false }, "cache")
	var faults ingest.Faults
	if errors.As(err, &faults); region == nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		if !errors.Is(f.Err, ingest.ErrUnpinned) {
			t.Error(f)
		}
	}
	return region
}

// TestEveryState makes a region file for each state and province, without an answer of anybody.
func TestEveryState(t *testing.T) {
	n := 0
	for _, s := range place.States() {
		if s.Extract == "" {
			continue
		}
		n++
		p, err := place.Of(s.ID())
		if err != nil {
			t.Fatal(err)
		}
		_, text, region := made(t, p, silent)
		if region.Name != s.ID() || region.Country != s.Country || region.State != s.Code || len(region.Sources) < 12 {
			t.Errorf("%s: region %s of %s %s with %d sources", s.ID(), region.Name, region.Country, region.State, len(region.Sources))
		}
		for i := range region.Sources {
			src := &region.Sources[i]
			if src.URL == "" || src.Page == "" || src.Licence == "" || src.AsOf == "" || strings.ContainsAny(src.URL+src.File+src.AsOf, "{}") {
				t.Errorf("%s: source %s has no url, page, licence or date, or a variable: %+v", s.ID(), src.ID, src)
			}
			if kind, known := ingest.KindOf(src.Kind); known {
				for _, fault := range []error{kind.Check(t.Context(), inputOf(region, src))} {
					if fault != nil && strings.Contains(fault.Error(), "bad options") {
						t.Errorf("%s: source %s: %v", s.ID(), src.ID, fault)
					}
				}
			}
		}
		if !strings.Contains(text, "timetables lack") || !strings.Contains(text, "not known") {
			t.Errorf("%s: the file does not say what lacks", s.ID())
		}
	}
	if n < 50+1+13 {
		t.Errorf("%d states", n)
	}
}

// TestGoldens compares the files of two places with those in testdata, which were read by eye.
func TestGoldens(t *testing.T) {
	for _, id := range []string{"us-dc", "ca-qc"} {
		p, err := place.Of(id)
		if err != nil {
			t.Fatal(err)
		}
		_, text, region := made(t, p, mirrored("testdata/mirror"))
		golden := filepath.Join("testdata", id+".yaml")
		if *update {
			if err := os.WriteFile(golden, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if text != string(want) {
			t.Errorf("%s is\n%s", id, Diff(want, []byte(text)))
		}
		ids := map[string]bool{}
		for i := range region.Sources {
			ids[region.Sources[i].ID] = true
		}
		for _, w := range map[string][]string{
			"us-dc": {"osm", "gtfs-mdb-1", "gtfs-mdb-2", "gtfs-mdb-5", "overture-places", "acs-b01001", "blocks", "schools-public"},
			"ca-qc": {"osm", "gtfs-mdb-8", "gtfs-mdb-9", "overture-places", "profile", "areas", "provinces"},
		}[id] {
			if !ids[w] {
				t.Errorf("%s lacks source %s", id, w)
			}
		}
		for _, not := range []string{"gtfs-mdb-3", "gtfs-mdb-4", "gtfs-mdb-6", "gtfs-mdb-7", "gtfs-mdb-10", "overture-places-2"} {
			if ids[not] {
				t.Errorf("%s has source %s", id, not)
			}
		}
	}
}

// TestIndexesAtHand reads the publishers' own lists, of several years.
func TestIndexesAtHand(t *testing.T) {
	testenv.NeedData(t, "formats/indexes")
	files := map[string]string{geofabrikIndex: "indexes/geofabrik-index-v1-nogeom-us-ca.json",
		mobilityIndex: "indexes/mobility-catalogs-us-ca-2026-08.csv", overtureIndex: "overture/stac/catalog-2026-08.json"}
	look := silent
	look.Get = func(_ context.Context, url string, _ int64) ([]byte, error) {
		if rest, found := strings.CutPrefix(url, "https://stac.overturemaps.org/2026-08-19.0/"); found {
			return os.ReadFile(testenv.Data("formats/overture/stac/2026-08-19.0/" + rest))
		}
		return os.ReadFile(testenv.Data("formats/" + files[url]))
	}
	for id, least := range map[string]int{"us-dc": 3, "us-or": 40, "ca-qc": 20, "us-de": 1} {
		p, err := place.Of(id)
		if err != nil {
			t.Fatal(err)
		}
		_, text, region := made(t, p, look)
		feeds, places := 0, 0
		for i := range region.Sources {
			switch region.Sources[i].Kind {
			case "gtfs":
				feeds++
			case "overture":
				places++
			}
		}
		if feeds < least || places != 1 || strings.Contains(text, "REMOVED") || strings.Contains(text, "timetables lack") {
			t.Errorf("%s: %d timetables, %d files of places", id, feeds, places)
		}
	}
}

func TestCitiesAndBoxes(t *testing.T) {
	p, err := place.Of("Columbus, Ohio")
	if err != nil {
		t.Fatal(err)
	}
	r, text, region := made(t, p, mirrored("testdata/mirror"))
	if region.Name != "us-oh-columbus" || !strings.Contains(text, "options: {layout: tiger-place, bbox: [-83.") {
		t.Errorf("region %s:\n%s", region.Name, text)
	}
	if mb, _ := r.Bytes(); mb < 1000 {
		t.Errorf("%v MB", mb)
	}
	// Detroit and Windsor
	both, err := place.OfBox(orb.Bound{Min: orb.Point{-83.2, 42.2}, Max: orb.Point{-82.9, 42.5}})
	if err != nil {
		t.Fatal(err)
	}
	_, text, region = made(t, both, silent)
	if region.Country != "" || region.State != "" || !strings.Contains(text, "id: country-us") || !strings.Contains(text, "id: country-ca") {
		t.Errorf("a box in both countries:\n%s", text)
	}
	// Kansas City lies in two states
	twice, err := place.OfBox(orb.Bound{Min: orb.Point{-94.8, 38.9}, Max: orb.Point{-94.4, 39.2}})
	if err != nil {
		t.Fatal(err)
	}
	_, text, region = made(t, twice, silent)
	if region.Country != "US" || region.State != "" || !strings.Contains(text, "id: osm-ks") || !strings.Contains(text, "id: osm-mo") ||
		!strings.Contains(text, `STUSPS: ["MO", "KS"]`) && !strings.Contains(text, `STUSPS: ["KS", "MO"]`) {
		t.Errorf("a box in two states:\n%s", text)
	}
}

// TestGaps says why Connecticut has no blocks, and writes as comments what is too much to download unasked.
func TestGaps(t *testing.T) {
	p, err := place.Of("us-ct")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := made(t, p, silent)
	if !strings.Contains(text, "Connecticut lacks census blocks") || strings.Contains(text, "- id: blocks") {
		t.Errorf("Connecticut:\n%s", text)
	}
	alaska, err := place.Of("us-ak")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ = made(t, alaska, silent)
	if !strings.Contains(text, "Alaska lacks heights") {
		t.Errorf("Alaska:\n%s", text)
	}
	quebec, err := place.Of("ca-qc")
	if err != nil {
		t.Fatal(err)
	}
	r, _, _ := made(t, quebec, silent)
	for _, v := range Verdicts(r.Items()) {
		if v.What == "typologies" && (v.Known || !strings.Contains(v.Says, "blocks")) || v.What == "demographics" && !v.Known {
			t.Errorf("%+v", v)
		}
	}
}

// TestMirrorWithoutTiles keeps the tiles of a mirror that has none: that they are at sea is not known by it.
func TestMirrorWithoutTiles(t *testing.T) {
	p, err := place.Of("us-dc")
	if err != nil {
		t.Fatal(err)
	}
	look := silent
	look.Has = func(context.Context, string) (bool, int64, error) { return false, 0, nil }
	_, text, _ := made(t, p, look)
	if !strings.Contains(text, "- id: heights-n39w078") || !strings.Contains(text, "tiles exist is not known") {
		t.Error(text)
	}
}

// TestVerdicts are of every score, each once.
func TestVerdicts(t *testing.T) {
	seen := map[string]int{}
	for _, v := range Verdicts(nil) {
		seen[v.What]++
		if v.Known || v.Says == "" {
			t.Errorf("%+v of no source", v)
		}
	}
	for what, n := range seen {
		if n != 1 {
			t.Errorf("%s occurs %d times", what, n)
		}
	}
	scores := 0
	for what := range seen {
		if isScore(what) {
			scores++
		}
	}
	if scores != 18 {
		t.Errorf("%d scores", scores)
	}
}

// TestCancelled ends with the context's error.
func TestCancelled(t *testing.T) {
	p, err := place.Of("us-dc")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(ctx, p, day, silent); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestListsThatAreNone takes pages of text and broken lists for no answer.
func TestListsThatAreNone(t *testing.T) {
	p, err := place.Of("us-dc")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "{}", "[]", "{\"latest\": 7}", "a,b\n1,2\n", "id,data_type,urls.latest\n\"", strings.Repeat("x", 1000)} {
		look := silent
		look.Get = func(context.Context, string, int64) ([]byte, error) { return []byte(text), nil }
		_, file, _ := made(t, p, look)
		if !strings.Contains(file, "timetables lack") {
			t.Errorf("%.20q is taken for a list:\n%s", text, file)
		}
	}
}

func ExampleDiff() {
	fmt.Print(Diff([]byte("a\nurl: x\n"), []byte("a\nurl: y\n")))
	// Output:
	// @@ 2
	// -url: x
	// +url: y
}
