package serve_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	packed "quartier/internal/pack/addresses"
	"quartier/schemas"
	"quartier/schemas/addressing"
	"quartier/serve/examples"
	"quartier/serve/servetest"
)

func addressesOf(t *testing.T, a *api, who, q, more string) addressing.AddressesData {
	t.Helper()
	return answerOf[addressing.AddressesAnswer](t, a, who, "/v3/addresses?q="+url.QueryEscape(q)+more).Data
}

// inLine is what was found in short.
func inLine(d addressing.AddressesData) string {
	var matches, suggestions []string
	for _, m := range d.Matches {
		matches = append(matches, strings.TrimRight(m.Address+" "+strings.Join(m.Changed, ","), " "))
	}
	for _, s := range d.Suggestions {
		suggestions = append(suggestions, s.Address)
	}
	return strings.TrimSpace(d.MatchLevel + " " + strings.Join(matches, " | ") + " > " + strings.Join(suggestions, " | "))
}

// TestAddresses asks for written addresses: whole ones, begun ones, and what is none.
func TestAddresses(t *testing.T) {
	a := newAPI(t)
	const nothing = "none  >"
	for _, c := range []struct{ q, more, want string }{
		{"12, rue de l’Église, Northville (Québec) J0J 1J0", "", "exact " + servetest.NorthAddress + " > " + servetest.NorthAddress},
		{"12 RUE DE L'EGLISE NORTHVILLE QC", "", "exact " + servetest.NorthAddress + " > " + servetest.NorthAddress},
		{"14 Mian Street, Southville, Vermont", "", "exact " + servetest.SouthAddress + " street_name >"},
		{"14 Main St, Southville, VT 05009", "&limit=1", "exact " + servetest.SouthAddress + " postal_code > " + servetest.SouthAddress},
		{"13 Main St, Southville VT", "", "street Main St, Southville, VT number >"},
		{"13 Main St, Southville VT", "&level=range", nothing},
		{"3 Twice St, VT", "&limit=1", "ambiguous 3 Twice St, Southville, VT 05001 | 3 Twice St, Westville, VT 05002 > " +
			"3 Twice St, Southville, VT 05001"},
		{"3 twi", "&lat=44.8&lng=-73.1", nothing + " 3 Twice St, Westville, VT 05002 | 3 Twice St, Southville, VT 05001"},
		{"3 twi", "&lat=44.8&lng=-72.8&limit=1", nothing + " 3 Twice St, Southville, VT 05001"},
		{"PO Box 12, Southville VT", "", nothing},
		{"10 Downing Street, London, United Kingdom", "", nothing},
		{"10 Downing Street, London SW1A 2AA", "", nothing},
		{"1 rue de Rivoli, Paris", "", nothing},
		{"12 rue de l'\ufffdglise, Northville QC", "", nothing},
		{"Main St & Border Rd, Southville VT", "", nothing + " Main St, Southville, VT"}, // which it can become
		{"'; DROP TABLE address; --", "", nothing},
		{"<script>alert(1)</script>", "", nothing},
		{"?????", "", nothing},
		{strings.Repeat("ÿ", 256), "", nothing},
	} {
		if got := inLine(addressesOf(t, a, "full", c.q, c.more)); got != c.want {
			t.Errorf("%s%s\n got %s\nwant %s", c.q, c.more, got, c.want)
		}
	}
	d := addressesOf(t, a, "full", servetest.NorthAddress, "&language=fr")
	m := d.Matches[0]
	if m.Label != "Adresse" || m.MatchScore != 1 || m.UncertaintyM != 10 || m.Lat < servetest.NorthLat || m.Lng != servetest.Lng ||
		m.Source != servetest.AddressSource || len(d.Sources) != 0 {
		t.Errorf("%+v", d)
	}
}

// TestAddressesRefuse asks what is no question, of whom it is not for, and of a release without addresses.
func TestAddressesRefuse(t *testing.T) {
	a := newAPI(t)
	none := newAPIOver(t, servetest.Release{NoAddresses: true})
	for _, c := range []struct {
		a           *api
		who, target string
		status      int
		text        string
	}{
		{a, "full", "?lat=45&lng=-72", 400, `"parameter":"q","reason":"required"`},
		{a, "full", "?q=%20", 400, `"reason":"empty"`},
		{a, "full", "?q=" + strings.Repeat("a", 257), 400, `"reason":"too_long"`},
		{a, "full", "?q=" + strings.Repeat("%27%3B--", 1500), 400, `"reason":"too_long"`},
		{a, "full", "?q=a%00b", 400, `"reason":"malformed"`},
		{a, "full", "?q=a%FFb", 400, `"reason":"malformed"`},
		{a, "full", "?q=12+rue+de+l%27%C9glise", 400, `"reason":"malformed"`}, // Windows-1252
		{a, "full", "?q=a%zzb", 400, `"reason":"malformed"`},
		{a, "full", "?q=a%2", 400, `"reason":"malformed"`},
		{a, "full", "?q=a&q=b", 400, `"reason":"repeated"`},
		{a, "full", "?q=a&lat=45", 400, `"parameter":"lng"`},
		{a, "full", "?q=a&lat=91&lng=0", 422, `"parameter":"lat"`},
		{a, "full", "?q=a&limit=21", 400, `"reason":"out_of_range"`},
		{a, "full", "?q=a&level=roof", 400, `"reason":"not_allowed"`},
		{a, "full", "?q=a&language=de", 400, `"parameter":"language"`},
		{a, "pois", "?q=a", 401, "not part of the agreement"},
		{none, "full", "?q=a", 404, "no addresses"},
		{a, "full", "/reverse?lat=45", 400, `"parameter":"lng","reason":"required"`},
		{a, "full", "/reverse?lat=91&lng=0", 422, `"parameter":"lat"`},
		{a, "full", "/reverse?radius=5001&" + north, 400, `"parameter":"radius"`},
		{a, "full", "/reverse?lat=10&lng=10", 404, "no data for this place"},
		{a, "us", "/reverse?" + north, 401, "outside the regions"},
		{a, "pois", "/reverse?" + north, 401, "not part of the agreement"},
		{none, "full", "/reverse?" + north, 404, "no addresses"},
		{a, "full", "/reverse?lat=45.9&lng=-72", 204, ""},
	} {
		if got := c.a.get(c.who, "/v3/addresses"+c.target); got.status != c.status || !strings.Contains(got.body, c.text) {
			t.Errorf("%.80s as %s: %d %s", c.target, c.who, got.status, got.body)
		}
	}
}

// TestAddressesNear names the address of points.
func TestAddressesNear(t *testing.T) {
	a := newAPI(t)
	at := func(who string, lat float64, more string) addressing.AddressAtPoint {
		target := fmt.Sprintf("/v3/addresses/reverse?lat=%v&lng=%v%s", lat, servetest.Lng, more)
		return answerOf[addressing.AddressAtPointAnswer](t, a, who, target).Data
	}
	got := at("full", servetest.NorthLat, "&language=fr").Match
	if got.Address != "2 rue de l'Église, Northville, QC J0J 1J0" || got.Proximity.LinearDistance != 20 || got.MatchLevel != "exact" {
		t.Errorf("%+v", got)
	}
	for who, want := range map[string]string{"full": "Northville, QC", "us": "Southville, VT"} { // the nearer one is on the other side
		if got := at(who, 44.9999, "&radius=1000").Match; !strings.Contains(got.Address, want) {
			t.Errorf("as %s: %+v", who, got)
		}
	}
}

// TestAddressesOfRegions asks as customers of some regions for addresses of all: none is of another region, and of two in different
// ones that of the agreement is not ambiguous.
func TestAddressesOfRegions(t *testing.T) {
	a := newAPI(t)
	for who, region := range map[string]string{"us": ", VT", "quebec": ", QC", "elsewhere": ", OR"} {
		for _, q := range []string{"7 Border Rd", "7 bord", servetest.NorthAddress, servetest.SouthAddress, "main", "r", "J0J 1J0", "05001",
			"Northville QC", "Southville VT", "9 Unknown Rd, Southville VT 05001"} {
			d := addressesOf(t, a, who, q, "&limit=20")
			var all []string
			for _, m := range d.Matches {
				all = append(all, m.Address)
			}
			for _, s := range d.Suggestions {
				all = append(all, s.Address)
			}
			if i := slices.IndexFunc(all, func(s string) bool { return strings.Contains(s, ",") && !strings.Contains(s, region) }); i >= 0 {
				t.Errorf("%s as %s: %s", q, who, all[i])
			}
			if who == "elsewhere" && len(all) > 0 {
				t.Errorf("%s as %s: %q", q, who, all)
			}
			if q == "7 Border Rd" && who != "elsewhere" && d.MatchLevel != "exact" {
				t.Errorf("%s as %s: %+v", q, who, d)
			}
		}
	}
	if d := addressesOf(t, a, "full", "7 Border Rd", ""); d.MatchLevel != "ambiguous" || len(d.Matches) != 2 {
		t.Errorf("of both: %+v", d)
	}
}

// withAddressSource serves a release whose manifest has the source of its addresses.
func withAddressSource(t *testing.T) *api {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "release")
	m, err := servetest.Write(dir, servetest.Release{})
	must(t, err)
	m.Sources = []schemas.ReleaseSource{{Region: "border", ID: "addresses", Kind: schemas.AddressesKind, Path: "a.csv", SHA256: m.Digest,
		AsOf: m.AsOf, Licence: "ODbL-1.0", Attribution: "© OpenStreetMap contributors"}}
	must(t, servetest.WriteManifest(dir, m))
	a := &api{t: t, state: "sqlite:" + filepath.Join(t.TempDir(), "state.sqlite"), dir: dir}
	a.serve(dir)
	return a
}

// TestAddressesHaveSources: each answer names the sources of its addresses, in the language.
func TestAddressesHaveSources(t *testing.T) {
	a := withAddressSource(t)
	for language, want := range map[string]string{"en": "© OpenStreetMap contributors", "fr": "© les contributeurs d’OpenStreetMap"} {
		d := addressesOf(t, a, "full", servetest.NorthAddress, "&language="+language)
		reverse := answerOf[addressing.AddressAtPointAnswer](t, a, "full", "/v3/addresses/reverse?"+north+"&language="+language).Data
		for _, sources := range [][]addressing.AddressSource{d.Sources, reverse.Sources} {
			if len(sources) != 1 || sources[0] != (addressing.AddressSource{ID: servetest.AddressSource, Attribution: want, Licence: "ODbL-1.0"}) {
				t.Errorf("%s: %+v", language, sources)
			}
		}
	}
}

// TestExamplesOfAddresses compares the examples of the OpenAPI document with the answers of a server; -update rewrites them. The
// synthetic release that has the other ones has no addresses.
func TestExamplesOfAddresses(t *testing.T) {
	a := withAddressSource(t)
	for operation, path := range map[string]string{"findAddresses": "/v3/addresses?q=14+Main+Street%2C+Southville+VT+05009&limit=1",
		"getAddressAtPoint": "/v3/addresses/reverse?lat=44.8005&lng=-72.8001"} {
		is := examples.Example{Request: path, Answers: map[string]json.RawMessage{}}
		before, _, _ := strings.Cut(path, "?")
		for status, target := range map[int][2]string{200: {"full", path}, 400: {"full", before}, 401: {"pois", path},
			422: {"full", before + "?q=a&lat=91&lng=0"}} {
			got := a.get(target[0], target[1])
			if got.status != status {
				t.Errorf("%s: %d %s", target[1], got.status, got.body)
			}
			var body any // for members in their order
			must(t, json.Unmarshal([]byte(got.body), &body))
			text, err := json.Marshal(body)
			must(t, err)
			is.Answers[strconv.Itoa(status)] = text
		}
		text, err := json.MarshalIndent(is, "", " ")
		must(t, err)
		file := filepath.Join("examples", operation+".json")
		if *update {
			must(t, os.WriteFile(file, append(text, '\n'), 0o644))
		}
		if recorded, err := os.ReadFile(file); err != nil || string(recorded) != string(text)+"\n" {
			t.Errorf("%s is not what is answered; -update rewrites it: %v", file, err)
		}
	}
}

// TestAddressWords: the words of answers are those of the table.
func TestAddressWords(t *testing.T) {
	for i, level := range addressing.Levels {
		if packed.LevelNames[i] != level.ID {
			t.Errorf("%s is %s in the table", level.ID, packed.LevelNames[i])
		}
	}
	if all := packed.Change(1<<len(addressing.Changes) - 1).Names(); !slices.Equal(all, addressing.Changes) ||
		packed.LevelNames[len(addressing.Levels)] != addressing.None {
		t.Errorf("%q in the table", all)
	}
}
