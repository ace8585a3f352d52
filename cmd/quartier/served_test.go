package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/client"
	"quartier/fixtures"
	"quartier/fixtures/fixturetest"
	"quartier/internal/geo"
	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/account"
)

var update = flag.Bool("update", false, "rewrite the golden answers")

// server is a quartierd process that serves a release.
type server struct {
	base, state string
	process     *exec.Cmd
}

// startServer builds and starts quartierd with an empty state, and stops it after the test.
func startServer(t *testing.T, release string) *server {
	t.Helper()
	return startServerWith(t, release, "sqlite:"+filepath.Join(t.TempDir(), "state.db"))
}

// quartierd is the program, built once for all tests of this package.
var quartierd = sync.OnceValues(func() (path string, err error) {
	path = filepath.Join(scratch, "quartierd")
	if out, err := exec.Command("go", "build", "-o", path, "../quartierd").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build quartierd: %w\n%s", err, out)
	}
	return path, nil
})

// startServerWith does it with a state and more flags.
func startServerWith(t *testing.T, release, dsn string, more ...string) *server {
	t.Helper()
	program, err := quartierd()
	if err != nil {
		t.Fatal(err)
	}
	s := &server{state: dsn}
	served := "--release"
	if _, err := os.Stat(filepath.Join(release, schemas.PointerFile)); err == nil {
		served = "--releases"
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	s.process = exec.Command(program, append([]string{served, release, "--state", s.state, "--addr", "127.0.0.1:0", "--drain", "0s"},
		more...)...)
	s.process.Stderr = log
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.process.Wait() }()
	t.Cleanup(func() {
		s.process.Process.Signal(syscall.SIGTERM)
		if err := <-ended; err != nil {
			t.Errorf("quartierd ended with %v\n%s", err, readText(t, log.Name()))
		}
	})
	testenv.Eventually(t, "quartierd is ready", func() bool {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("quartierd is not ready: %v\n%s", err, readText(t, log.Name()))
		default:
		}
		return s.listens(t, log.Name()) && s.ready()
	})
	return s
}

// listens reports whether the log has the address.
func (s *server) listens(t *testing.T, log string) bool {
	for text := range strings.Lines(readText(t, log)) {
		var line struct{ Msg, Addr string }
		if json.Unmarshal([]byte(text), &line) == nil && line.Msg == "serving" {
			s.base = "http://" + line.Addr
		}
	}
	return s.base != ""
}

func (s *server) ready() bool {
	answer, err := http.Get(s.base + "/readyz")
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// account creates an account with quartier account create and returns its token, once the server accepts it.
func (s *server) account(t *testing.T, args ...string) (account.Credentials, string) {
	t.Helper()
	out, _ := mustRun(t, append([]string{"account", "create", "--state", s.state, "--customer", "Test", "--rate", "10000"}, args...)...)
	var made account.Credentials
	if err := json.Unmarshal([]byte(out), &made); err != nil {
		t.Fatal(err)
	}
	var grant struct {
		AccessToken string `json:"access_token"`
	}
	testenv.Eventually(t, "the server accepts a new account", func() bool {
		answer, err := http.PostForm(s.base+"/oauth/token",
			url.Values{"grant_type": {"client_credentials"}, "client_id": {made.ClientID}, "client_secret": {made.ClientSecret}})
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(&grant); err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode != http.StatusOK {
			time.Sleep(100 * time.Millisecond) // below the rate of tokens
		}
		return answer.StatusCode == http.StatusOK
	})
	return made, grant.AccessToken
}

// connect creates an account and a client that uses it.
func (s *server) connect(t *testing.T) *client.Client {
	t.Helper()
	made, _ := s.account(t)
	c, err := client.Connect(t.Context(), s.base, made.ClientID, made.ClientSecret)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (s *server) get(t *testing.T, token, path string) (int, []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), "GET", s.base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Accept", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, body
}

// geogID returns the geog_id of a source key.
func geogID(t *testing.T, release, key string) string {
	t.Helper()
	found := rows(t, filepath.Join(release, schemas.GeographiesFile), "SELECT geog_id FROM geography WHERE source_key = ?", key)
	if len(found) != 1 {
		t.Fatalf("%d geographies have the key %s", len(found), key)
	}
	return found[0][0]
}

func TestWorldServed(t *testing.T) {
	release := filepath.Join(townsDir(t), "first")
	s := startServer(t, publishedTowns(t))
	_, token := s.account(t)
	api := s.connect(t)

	t.Run("every spot holds its geographies", func(t *testing.T) {
		names := map[string]string{}
		for _, g := range fixturetest.World().Geographies {
			names[g.Key] = fmt.Sprintf("%d %s", g.Level, g.NameEN)
		}
		for _, spot := range fixturetest.World().Spots {
			answer, err := api.FindGeographies(t.Context(), &client.FindGeographiesParams{Lat: &spot.Lat, Lng: &spot.Lng})
			if err != nil {
				t.Fatal(err)
			}
			if len(spot.Holds) == 0 {
				if answer.Problem == nil {
					t.Errorf("%s is in neither country, but the answer is %s", spot.Name, answer.Body)
				}
				continue
			}
			got := answer.OK
			if got == nil {
				t.Fatalf("%s: %s", spot.Name, answer.Body)
			}
			var want, have []string
			for _, key := range spot.Holds {
				want = append(want, names[key])
			}
			for _, id := range got.Meta.Order {
				g := got.Data.Geographies[id]
				have = append(have, fmt.Sprintf("%d %s", g.Level, g.Name.En))
			}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("%s (-want +got):\n%s", spot.Name, diff)
			}
		}
	})

	greeting := fixtures.DemoPoint()
	at := fmt.Sprintf("lat=%v&lng=%v", greeting.Lat, greeting.Lng)
	goldens := map[string]string{
		"geographies_at_point":   "/v3/geographies?" + at + "&levels=10,30",
		"geographies_geometry":   "/v3/geographies?" + at + "&levels=10&include=geometry",
		"geographies_by_name":    "/v3/geographies?name=saint+aubin+des+erabels&language=fr&limit=2",
		"geographies_of_ontario": "/v3/geographies?name=Belmont&location_codes=CA_ON",
		"enhanced_pois":          "/v3/enhanced-pois?" + at + "&radius=400&categories=cafes,restaurants&limit=4",
		"enhanced_pois_polygon":  "/v3/enhanced-pois?categories=parks&limit=3&polygon=" + url.QueryEscape(square(greeting, 0.01)),
		"pois":                   "/v3/pois?" + at + "&include=cafes,parks&radius=500&limit=2",
		"people_around_point":    "/v3/demographics?" + at + "&language=fr",
		"people_across_border":   fmt.Sprintf("/v3/demographics?lat=%v&lng=%v&radius=900", 44.98, -72.53),
		"people_of_old_town":     "/v3/demographics/" + geogID(t, release, "saint-aubin:quartier:Q01") + "?language=fr",
		"people_of_port_hollis":  "/v3/demographics/" + geogID(t, release, "census:place:5056350"),
		"scores_at_point":        "/v3/scores?" + at + "&language=fr",
		"scores_of_geographies":  "/v3/scores?" + at + "&include=groceries,quiet&geography_levels=10,30&location_scores_rounding=none",
		"scores_of_old_town":     "/v3/scores/" + geogID(t, release, "saint-aubin:quartier:Q01"),
		"profile_at_point":       "/v3/profiles?" + at + "&locale=fr",
		"profile_of_old_town":    "/v3/profiles/" + geogID(t, release, "saint-aubin:quartier:Q01"),
		"profile_of_port_hollis": "/v3/profiles/" + geogID(t, release, "census:place:5056350") + "?locale=fr",
		"error_profile_level":    "/v3/profiles?" + at + "&level=35",
		"market_of_port_hollis": "/v3/market-stats/" + geogID(t, release, "census:place:5056350") +
			"?property_types=single_family,all_residential_properties&intervals=30d,2024-11,2024Q3",
		"market_status":           "/v3/market-stats/status",
		"error_market_interval":   "/v3/market-stats/" + geogID(t, release, "census:place:5056350") + "?intervals=2025-03",
		"error_market_canada":     "/v3/market-stats/" + geogID(t, release, "saint-aubin:quartier:Q01"),
		"schools_at_point":        "/v3/schools?" + at + "&radius=15000&limit=3&include_catchments=true",
		"schools_in_french":       "/v3/schools?" + at + "&limit=4&language=fr",
		"schools_of_port_hollis":  fmt.Sprintf("/v3/schools?lat=%v&lng=%v&radius=8&radius_unit=mile&limit=5", 44.98, -72.53),
		"schools_in_polygon":      "/v3/schools?limit=3&polygon=" + url.QueryEscape(square(greeting, 0.01)),
		"typology_at_point":       "/v3/typologies?" + at,
		"typology_of_cell":        "/v3/typologies/" + geo.Geohash(orb.Point{greeting.Lng, greeting.Lat}, 7),
		"data_at_point":           "/v3/data?" + at + "&include=demographics,measures_all,pois_count,scores_all",
		"data_within_half_a_mile": "/v3/data?" + at + "&include=pois_count,scores_all&radius=0.5&radius_unit=mile",
		"categories":              "/v3/enhanced-pois/categories?language=fr",
		"brands":                  "/v3/enhanced-pois/brands",
		"error_no_parameters":     "/v3/geographies",
		"error_latitude":          "/v3/geographies?lat=91&lng=0",
		"error_sea":               "/v3/enhanced-pois?lat=43&lng=-67",
		"error_bad_id":            "/v3/geographies/g10_unknown",
		"error_unknown_category":  "/v3/enhanced-pois?" + at + "&categories=cafe",
		"error_schools_radius":    "/v3/schools?" + at + "&radius=15.6&radius_unit=mile",
		"error_radius_over_limit": "/v3/enhanced-pois?" + at + "&radius=25001",
	}
	for name, path := range goldens {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, token, path)
			golden(t, name, status, body)
		})
	}

	t.Run("a revoked account is refused", func(t *testing.T) {
		made, token := s.account(t)
		if status, _ := s.get(t, token, "/v3/geographies?"+at); status != http.StatusOK {
			t.Fatalf("a new account gets %d", status)
		}
		mustRun(t, "account", "revoke", "--state", s.state, made.ClientID)
		testenv.Eventually(t, "a revoked account is refused", func() bool {
			status, body := s.get(t, token, "/v3/geographies?"+at)
			if status == http.StatusForbidden && string(body) != `{"message":"Forbidden"}` {
				t.Errorf("the body is %s", body)
			}
			return status == http.StatusForbidden
		})
	})

	t.Run("an agreement for one side of the border", func(t *testing.T) {
		_, token := s.account(t, "--regions", "US_VT", "--products", "pois")
		if status, _ := s.get(t, token, "/v3/enhanced-pois?"+at); status != http.StatusUnauthorized {
			t.Errorf("a place in Québec gives %d, want 401", status)
		}
		if status, _ := s.get(t, token, "/v3/geographies?"+at); status != http.StatusUnauthorized {
			t.Errorf("a product that is not in the agreement gives %d, want 401", status)
		}
	})
}

func square(p fixtures.Point, half float64) string {
	w, e, s, n := p.Lng-half, p.Lng+half, p.Lat-half, p.Lat+half
	return fmt.Sprintf("POLYGON((%.6f %.6f,%.6f %.6f,%.6f %.6f,%.6f %.6f,%.6f %.6f))", w, s, e, s, e, n, w, n, w, s)
}

// golden compares an answer with a golden file, which was reviewed by hand; -update rewrites it.
func golden(t *testing.T, name string, status int, body []byte) {
	t.Helper()
	var v any
	if len(body) > 0 {
		if err := json.Unmarshal(body, &v); err != nil {
			t.Fatalf("status %d: %v: %s", status, err, body)
		}
	}
	pretty, err := json.MarshalIndent(map[string]any{"status": status, "body": v}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "golden", name+".json")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(pretty, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(pretty)+"\n"); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
