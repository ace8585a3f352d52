package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/fixtures"
	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/state"
)

// TestStoryOfCustomGeographies runs the life of custom geographies with the programs, as docs/custom-geographies.md describes it:
// two customers, and an operator who runs general updates while a server of the folder of releases runs. On SQLite it is in
// the synthetic towns with all their sources, on PostgreSQL in one of them with its OpenStreetMap extract alone.
func TestStoryOfCustomGeographies(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		towns, dir := townsDir(t), t.TempDir()
		if err := os.Symlink(filepath.Join(towns, "first"), filepath.Join(dir, "before")); err != nil {
			t.Fatal(err)
		}
		release := filepath.Join(towns, "sources", "release.yaml")
		s := newStory(t, dir, "sqlite:"+filepath.Join(t.TempDir(), "state.db"), "--release", release, "--work", filepath.Join(towns, "work"))
		harbour := (&customTowns{t: t, dir: towns}).outline("port-hollis:neighborhood:101").Bound().Center()
		s.listings, s.mill = filepath.Join(towns, "sources", "listings.yaml"), fixtures.Point{Lng: harbour[0], Lat: harbour[1]}
		s.run()
	})
	t.Run("postgres", func(t *testing.T) {
		dir := t.TempDir()
		args := []string{"--pbf", filepath.Join(townsDir(t), "sources", "osm", "saint-aubin.osm.pbf"), "--work", t.TempDir()}
		mustRun(t, append([]string{"build", "--out", filepath.Join(dir, "before")}, args...)...)
		newStory(t, dir, postgres.Database(t), args...).run()
	})
}

// story is a server of a folder of releases and what its customers and its operator do.
type story struct {
	*server
	t             *testing.T
	dir, requests string // folder of releases, requests file
	sources       []string
	acme, globex  string // tokens
	last          string // name of the release that is published
	asked         map[string]*asked
	mill          fixtures.Point // where it is
	listings      string         // listings file, if there are listings around the mill
}

// asked is a custom geography of Acme.
type asked struct {
	id     string // geo_entity_id
	geogID string // last published
	name   string // last published
	at     fixtures.Point
	old    []string // ids of earlier boundaries
	found  bool     // at a point and by name
}

func newStory(t *testing.T, dir, dsn string, sources ...string) *story {
	mustRun(t, "publish", "--releases", dir, "before")
	p := fixtures.DemoPoint()
	s := &story{
		server: startServerWith(t, dir, dsn, "--accept-uncovered"), t: t, dir: dir, requests: filepath.Join(t.TempDir(), "requests.json"),
		sources: sources, last: "before",
		asked: map[string]*asked{}, mill: fixtures.Point{Lat: p.Lat, Lng: p.Lng + 0.004},
	}
	_, s.acme = s.account(t, "--custom-geographies", "--customer", "Acme")
	_, s.globex = s.account(t, "--custom-geographies", "--customer", "Globex")
	return s
}

func (s *story) run() {
	p, t, dsn := fixtures.DemoPoint(), s.t, s.state
	alberta := fixtures.Point{Lat: 53.5, Lng: -113.5}

	// Created. An edit while the update runs waits, and what cannot be built waits again.
	s.post("harbour", "Zibeline Harbour", p, 0.003)
	s.post("mill", "Quincaille Mill", s.mill, 0.01)
	s.post("hill", "Wapiti Hill", p, 0.002)
	s.post("prairie", "Xylophone Prairie", alberta, 0.003)
	s.shows("harbour", state.PublicationPending, false)
	s.hidden()
	s.start("4 to publish, 0 to deprecate or deprecated before, 0 to keep")
	s.patch("mill", `{"name_en":"Quincaille Works"}`)
	s.shows("harbour", state.PublicationProcessing, false)
	s.shows("mill", state.PublicationPending, false)
	s.complete("first", "harbour", "mill", "hill")
	s.shows("harbour", state.Published, true)
	s.shows("mill", state.PublicationPending, false) // the first version is published
	s.shows("prairie", state.PublicationPending, false)
	s.waits("prairie", "outside_release", "")
	if out, _ := mustRun(t, "update", "status", "--state", dsn); !strings.Contains(out, `of Acme, "Xylophone Prairie" (publish): `) {
		t.Errorf("the operator does not see what could not be built:\n%s", out)
	}
	s.visible()
	s.hidden()

	// Re-drawn, renamed and deprecated, with an update that is aborted.
	s.patch("harbour", fmt.Sprintf(`{"boundaries":%q}`, squareAround(p, 0.005)))
	s.shows("harbour", state.PublicationPending, false)
	s.call(s.acme, "DELETE", "/"+s.asked["hill"].id, "", http.StatusAccepted)
	s.shows("hill", state.DeprecationPending, true)
	s.start("3 to publish, 1 to deprecate or deprecated before, 0 to keep")
	s.shows("hill", state.DeprecationProcessing, true)
	mustRun(t, "update", "abort", "--state", dsn)
	s.shows("hill", state.DeprecationPending, true)
	s.visible() // as before
	s.start("3 to publish, 1 to deprecate or deprecated before, 0 to keep")
	harbour := s.asked["harbour"].geogID
	s.asked["mill"].name, s.asked["hill"].found = "Quincaille Works", false
	s.complete("second", "harbour", "mill", "hill")
	s.shows("harbour", state.Published, true)
	s.shows("mill", state.Published, true)
	s.shows("hill", state.Deprecated, true)
	if s.asked["harbour"].geogID == harbour || len(s.asked["harbour"].old) != 1 || len(s.asked["mill"].old)+len(s.asked["hill"].old) > 0 {
		t.Errorf("harbour was %s and is %+v; mill %+v, hill %+v", harbour, s.asked["harbour"], s.asked["mill"], s.asked["hill"])
	}
	s.visible()
	s.hidden()

	// The next update keeps all of it, with statistics of the market. What was redrawn where nothing can be built stays as it was.
	s.patch("harbour", fmt.Sprintf(`{"name_en":"Zibeline Port","boundaries":%q}`, squareAround(alberta, 0.005)))
	s.start("2 to publish, 1 to deprecate or deprecated before, 1 to keep")
	s.complete("third", "mill", "hill")
	s.shows("harbour", state.PublicationPending, false)
	if out, _ := mustRun(t, "update", "status", "--state", dsn); !strings.Contains(out, `of Acme, "Zibeline Port" (publish): `) {
		t.Errorf("the operator does not see what could not be built:\n%s", out)
	}
	s.waits("harbour", "outside_release", s.asked["harbour"].geogID)
	s.takeBack("prairie")
	if len(s.asked["harbour"].old) != 1 || len(s.asked["mill"].old)+len(s.asked["hill"].old) > 0 {
		t.Errorf("an update without changes gave new ids: %+v, %+v, %+v", s.asked["harbour"], s.asked["mill"], s.asked["hill"])
	}
	s.visible()
	s.hidden()
	s.market("third")
	s.visible()
	s.hidden()
}

// market publishes statistics of the custom geographies beside a release, where there are listings, and asks for those of the
// mill. hidden asks as the other customer.
func (s *story) market(name string) {
	s.t.Helper()
	if s.listings == "" {
		return
	}
	path := "/v3/market-stats/" + s.asked["mill"].geogID + "?intervals=90d"
	if status, body := s.get(s.t, s.acme, path); status == http.StatusOK {
		s.t.Errorf("statistics without listings: %s", body)
	}
	private := filepath.Join(s.dir, name+"-private")
	mustRun(s.t, "market", "--release", private, "--listings", s.listings, "--as-of", "2025-03-01", "--work", s.t.TempDir(), "--out",
		filepath.Join(s.dir, "private-market"))
	mustRun(s.t, "publish", "--releases", s.dir, "--private-market", filepath.Join(s.dir, "private-market"), name)
	market, err := schemas.ReadMarketManifest(filepath.Join(s.dir, "private-market"))
	if err != nil {
		s.t.Fatal(err)
	}
	s.serves(market.Digest)
	status, body := s.get(s.t, s.acme, path)
	var got schemas.MarketStatsAnswer
	if err := json.Unmarshal(body, &got); err != nil || status != http.StatusOK {
		s.t.Fatalf("%d %s: %v", status, body, err)
	}
	sold := int64(0)
	for _, kind := range got.Data.PropertyTypes {
		sold += kind["90d"].IntervalWide.HomesSoldCount
	}
	if sold == 0 {
		s.t.Errorf("nothing was sold: %s", body)
	}
}

// squareAround is the WKT of a square around a point, with half its side in degrees.
func squareAround(p fixtures.Point, half float64) string {
	return fmt.Sprintf("POLYGON ((%[1]v %[2]v, %[3]v %[2]v, %[3]v %[4]v, %[1]v %[4]v, %[1]v %[2]v))", p.Lng-half, p.Lat-half, p.Lng+half,
		p.Lat+half)
}

// call sends a request about custom geographies and returns the body.
func (s *story) call(token, method, path, body string, want int) []byte {
	s.t.Helper()
	request, err := http.NewRequest(method, s.base+"/v3/geographies/custom"+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != want {
		s.t.Fatalf("%s %s: %d, want %d: %s %v", method, path, answer.StatusCode, want, text, err)
	}
	return text
}

func (s *story) post(key, name string, at fixtures.Point, half float64) {
	s.t.Helper()
	var made struct {
		ID string `json:"geo_entity_id"`
	}
	text := s.call(s.acme, "POST", "", fmt.Sprintf(`{"name_en":%q,"type":"NEIGHBOURHOOD","boundaries":%q}`, name, squareAround(at, half)),
		http.StatusCreated)
	if err := json.Unmarshal(text, &made); err != nil {
		s.t.Fatal(err)
	}
	s.asked[key] = &asked{id: made.ID, name: name, at: at, found: true}
}

func (s *story) patch(key, body string) {
	s.t.Helper()
	s.call(s.acme, "PATCH", "/"+s.asked[key].id, body, http.StatusOK)
}

// shows checks the state of a request, and whether it has a geog_id.
func (s *story) shows(key string, want state.Status, published bool) {
	s.t.Helper()
	var got schemas.CustomGeographyAnswer
	if err := json.Unmarshal(s.call(s.acme, "GET", "/"+s.asked[key].id, "", http.StatusOK), &got); err != nil {
		s.t.Fatal(err)
	}
	if got.ProcessingStatus != string(want) || (got.GeogID != nil) != published || (got.PublishedAt != nil) != published {
		s.t.Errorf("%s is %s with geog_id %v, want %s", key, got.ProcessingStatus, got.GeogID, want)
	}
	if published && *got.GeogID != s.asked[key].geogID {
		s.t.Errorf("%s shows %s and is published as %s", key, *got.GeogID, s.asked[key].geogID)
	}
}

// waits checks the reason why a request waits, and what answers meanwhile; "": nothing does.
func (s *story) waits(key, code, published string) {
	s.t.Helper()
	var got schemas.CustomGeographyAnswer
	if err := json.Unmarshal(s.call(s.acme, "GET", "/"+s.asked[key].id, "", http.StatusOK), &got); err != nil {
		s.t.Fatal(err)
	}
	if got.ProcessingDetail == nil || got.ProcessingDetail.Code != code || got.ProcessingDetail.Message == "" ||
		(got.Published != nil) != (published != "") || got.Published != nil && got.Published.GeogID != published {
		s.t.Errorf("%s waits with %+v, %+v published", key, got.ProcessingDetail, got.Published)
	}
}

// takeBack removes a request that three updates could not build and one did not finish, and reads its life from the events.
func (s *story) takeBack(key string) {
	s.t.Helper()
	s.call(s.acme, "DELETE", "/"+s.asked[key].id, "", http.StatusAccepted)
	s.shows(key, state.Deprecated, false)
	var got schemas.CustomGeographyEventsAnswer
	if err := json.Unmarshal(s.call(s.acme, "GET", "/events", "", http.StatusOK), &got); err != nil {
		s.t.Fatal(err)
	}
	shown := ""
	for _, e := range got.Items {
		if e.GeoEntityID == s.asked[key].id {
			shown += strings.TrimPrefix(e.ProcessingStatus, "PUBLICATION_") + " "
		}
	}
	if want := "PENDING " + strings.Repeat("PROCESSING PENDING ", 4) + "DEPRECATED "; shown != want {
		s.t.Errorf("the events of %s are %s, want %s", key, shown, want)
	}
}

func (s *story) start(says string) {
	s.t.Helper()
	if out, _ := mustRun(s.t, "update", "start", "--state", s.state, "--out", s.requests); !strings.Contains(out, says) {
		s.t.Errorf("want %q in %s", says, out)
	}
}

// complete builds a release with the update that runs, completes it, takes the ids of what it published from its events and the
// outcomes, and waits until the server has it.
func (s *story) complete(name string, keys ...string) {
	s.t.Helper()
	release := filepath.Join(s.dir, name)
	mustRun(s.t, append([]string{"build", "--requests", s.requests, "--previous", filepath.Join(s.dir, s.last), "--out", release},
		s.sources...)...)
	mustRun(s.t, "verify", release+"-private")
	mustRun(s.t, "update", "complete", "--state", s.state, "--releases", s.dir, name)
	s.last = name
	outcomes, err := schemas.ReadOutcomes(filepath.Join(release+"-private", schemas.OutcomesFile))
	if err != nil {
		s.t.Fatal(err)
	}
	ids := map[string]string{}
	for _, o := range outcomes.Outcomes {
		ids[o.ID] = o.GeogID
	}
	for _, key := range keys {
		a := s.asked[key]
		if a.geogID != "" && ids[a.id] != a.geogID {
			a.old = append(a.old, a.geogID)
		}
		if a.geogID = ids[a.id]; a.geogID == "" {
			s.t.Fatalf("%s was not built", key)
		}
	}
	manifest, err := schemas.ReadPrivateManifest(release + "-private")
	if err != nil {
		s.t.Fatal(err)
	}
	s.serves(manifest.Digest)
}

// serves waits until the server has a component.
func (s *story) serves(digest string) {
	s.t.Helper()
	testenv.Eventually(s.t, "the server serves "+digest, func() bool {
		_, ready := s.get(s.t, s.acme, "/readyz")
		return bytes.Contains(ready, []byte(digest))
	})
}

// routes are those that take a geog_id.
var routes = []string{"/v3/geographies/%s", "/v3/scores/%s", "/v3/demographics/%s", "/v3/profiles/%s", "/v3/enhanced-pois/%s",
	"/v3/market-stats/%s", "/v3/scores?geography_ids=%s"}

// visible checks what Acme sees: every geography by its id, the current ones at their point and by name, and the earlier
// boundaries with what replaced them.
func (s *story) visible() {
	s.t.Helper()
	for key, a := range s.asked {
		if a.geogID == "" {
			continue
		}
		if status, body := s.get(s.t, s.acme, "/v3/geographies/"+a.geogID); status != http.StatusOK || !bytes.Contains(body, []byte(a.name)) {
			s.t.Errorf("%s by its id: %d %s", key, status, body)
		}
		for _, path := range []string{"/v3/scores/%s", "/v3/enhanced-pois/%s", "/v3/profiles/%s"} {
			if status, body := s.get(s.t, s.acme, fmt.Sprintf(path, a.geogID)); status != http.StatusOK {
				s.t.Errorf("%s on %s: %d %s", key, path, status, body)
			}
		}
		for _, path := range s.searches(a) {
			if status, body := s.get(s.t, s.acme, path); status != http.StatusOK || bytes.Contains(body, []byte(a.geogID)) != a.found {
				s.t.Errorf("%s on %s: %d, found should be %v: %s", key, path, status, a.found, body)
			}
		}
		for _, old := range a.old {
			if status, body := s.get(s.t, s.acme, "/v3/geographies/"+old); status != http.StatusOK ||
				!bytes.Contains(body, []byte(`"replaced_by":{"geog_id":"`+a.geogID+`"}`)) {
				s.t.Errorf("%s by its old id: %d %s", key, status, body)
			}
		}
	}
}

// searches find geographies at a point and by name.
func (s *story) searches(a *asked) []string {
	return []string{
		fmt.Sprintf("/v3/geographies?lat=%v&lng=%v", a.at.Lat, a.at.Lng), "/v3/geographies?name=" + strings.ReplaceAll(a.name, " ", "+"),
		fmt.Sprintf("/v3/scores?lat=%v&lng=%v&geography_levels=10", a.at.Lat, a.at.Lng),
	}
}

// hidden checks that Globex sees nothing of Acme's geographies: ids answer as unknown ones do, and no search has them.
func (s *story) hidden() {
	s.t.Helper()
	if body := s.call(s.globex, "GET", "", "", http.StatusOK); !bytes.Contains(body, []byte(`"total":0`)) {
		s.t.Errorf("another customer's list: %s", body)
	}
	unknown := s.call(s.globex, "GET", "/00000000-0000-4000-8000-000000000000", "", http.StatusNotFound)
	for key, a := range s.asked {
		for _, method := range []string{"GET", "PATCH", "DELETE"} {
			if body := s.call(s.globex, method, "/"+a.id, "", http.StatusNotFound); !bytes.Equal(body, unknown) {
				s.t.Errorf("another customer's %s of %s: %s", method, key, body)
			}
		}
		for _, id := range append([]string{a.geogID}, a.old...) {
			for _, route := range routes {
				status, body := s.get(s.t, s.globex, fmt.Sprintf(route, id))
				want, answer := s.get(s.t, s.globex, fmt.Sprintf(route, "g10_aaaaaaaaaa"))
				if id != "" && (status != want || !bytes.Equal(body, answer)) {
					s.t.Errorf("another customer's %s: %d %s, of an unknown id %d %s", fmt.Sprintf(route, id), status, body, want, answer)
				}
			}
		}
		for _, path := range append(s.searches(a), fmt.Sprintf("/v3/data?lat=%v&lng=%v", a.at.Lat, a.at.Lng)) {
			_, body := s.get(s.t, s.globex, path)
			if a.geogID != "" && bytes.Contains(body, []byte(a.geogID)) || bytes.Contains(body, []byte(a.name)) {
				s.t.Errorf("another customer's %s has %s: %s", path, key, body)
			}
		}
	}
}
