// Package browser_test tests the explorer's page with Node.js: its pure functions alone, and the page in headless Chromium over
// servers of the releases of servetest, which can be made to fail. The page over a whole release is tested by package main of
// cmd/quartier with the same scripts.
package browser_test

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve"
	"quartier/serve/account"
	"quartier/serve/explore"
	"quartier/serve/explore/page"
	"quartier/serve/release"
	"quartier/serve/servetest"
	"quartier/serve/state"
	"quartier/serve/token"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run runs a script with variables of its own, and logs what it says of times.
func run(t *testing.T, script string, variables ...string) {
	t.Helper()
	testenv.NeedProgram(t, "node")
	command := exec.CommandContext(testenv.BeforeDeadline(t), "node", "--test", "--test-reporter=spec", script)
	command.Env = append(os.Environ(), append(variables, "NODE_NO_WARNINGS=1")...)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	for line := range strings.Lines(string(out)) {
		if text, found := strings.CutPrefix(line, "ℹ "); found && strings.Contains(text, " ms") {
			t.Log(strings.TrimSpace(text))
		}
	}
}

// needChromium returns the variable that names Chromium to scripts, and skips the test without it or what steers it.
func needChromium(t *testing.T) string {
	t.Helper()
	testenv.SkipIfShort(t)
	testenv.NeedProgram(t, "chromium")
	if _, err := os.Stat(filepath.Join("node_modules", "playwright-core")); err != nil {
		testenv.NotInstalled(t, "a package of serve/explore/browser/package-lock.json (npm ci)")
	}
	path, err := exec.LookPath("chromium")
	must(t, err)
	return "QUARTIER_CHROMIUM=" + path
}

// TestFunctions tests the functions of the page that need no browser.
func TestFunctions(t *testing.T) {
	dir := t.TempDir()
	files, err := page.Files()
	must(t, err)
	for _, file := range files {
		if strings.HasSuffix(file.Name, ".js") {
			must(t, os.WriteFile(filepath.Join(dir, file.Name), file.Body, 0o644))
		}
	}
	must(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type":"module"}`), 0o644))
	run(t, "unit.mjs", "QUARTIER_FILES="+dir, "QUARTIER_EXAMPLES="+filepath.Join(testenv.ModuleRoot(), "serve", "examples"))
	run(t, "figures.mjs", "QUARTIER_FILES="+dir)
}

// TestAnalysis shows the page to people who analyse places: areas by a figure, several places, rings, and files of panels.
func TestAnalysis(t *testing.T) {
	chromium := needChromium(t)
	full := start(t, servetest.Release{POIs: 2000}, true, account.Agreement{Rate: 1_000_000})
	run(t, "analysis.mjs", chromium, "QUARTIER_CONTROL="+control(t, map[string]*site{"full": full}))
}

// TestTravel shows the panel of travel times, to an account that has the product and to one that has not.
func TestTravel(t *testing.T) {
	chromium := needChromium(t)
	sites := map[string]*site{
		"full": start(t, servetest.Release{POIs: 2000}, false, account.Agreement{Rate: 1_000_000}),
		"few":  start(t, servetest.Release{}, false, account.Agreement{Rate: 1_000_000, Products: []string{"geographies", "scores"}}),
	}
	run(t, "travel.mjs", chromium, "QUARTIER_CONTROL="+control(t, sites))
}

// TestAddresses searches for addresses.
func TestAddresses(t *testing.T) {
	chromium := needChromium(t)
	run(t, "addresses.mjs", chromium, "QUARTIER_CONTROL="+control(t, map[string]*site{
		"full": start(t, servetest.Release{}, false, account.Agreement{Rate: 1_000_000}),
		"few":  start(t, servetest.Release{}, false, account.Agreement{Rate: 1_000_000, Products: []string{"geographies", "scores"}}),
	}))
}

// TestFaults shows the page what goes wrong: sessions that end, limits, releases that are swapped, names with markup, 10,000
// places, and regions that have little.
func TestFaults(t *testing.T) {
	chromium := needChromium(t)
	sites := map[string]*site{
		"full":   start(t, servetest.Release{POIs: 10_000}, true, account.Agreement{Rate: 1_000_000}),
		"sparse": start(t, servetest.Release{Sparse: true}, false, account.Agreement{Rate: 1_000_000}),
		"slow":   start(t, servetest.Release{}, true, account.Agreement{Rate: 1}),
		"border": start(t, servetest.Release{}, false, account.Agreement{Rate: 1_000_000, Regions: []string{"CA_QC"}}),
		"few": start(t, servetest.Release{}, true,
			account.Agreement{Rate: 1_000_000, Products: []string{"geographies", "scores"}, Regions: []string{"CA_QC"}}),
	}
	run(t, "faults.mjs", chromium, "QUARTIER_CONTROL="+control(t, sites))
}

// site is a server with the explorer, on loopback.
type site struct {
	t        *testing.T
	url      string
	root     string // of its releases
	market   bool
	partial  bool  // the account has some regions only, and what counted is explained
	number   int64 // of the release
	content  servetest.Release
	releases *release.Holder
	explorer *explore.Explorer
	store    *state.Store
	live     *account.Live
	client   string       // id of its account
	ahead    atomic.Int64 // of the explorer's clock, in nanoseconds
}

// fresh are accounts that do not age with the clock of the explorer.
type fresh struct{ *account.Live }

func (f fresh) Fresh(time.Time) error { return f.Live.Fresh(time.Now()) }

// start serves a release at an address of loopback, and by names.
func start(t *testing.T, content servetest.Release, market bool, agreement account.Agreement, names ...string) *site {
	t.Helper()
	web := httptest.NewUnstartedServer(nil)
	_, port, err := net.SplitHostPort(web.Listener.Addr().String())
	must(t, err)
	var hosts []explore.Host
	for _, name := range names {
		hosts = append(hosts, explore.Host{Name: net.JoinHostPort(name, port)})
	}
	log := slog.New(slog.DiscardHandler)
	s := &site{t: t, root: t.TempDir(), market: market, content: content, partial: len(agreement.Regions) > 0}
	must(t, s.publish())
	s.releases, err = release.Hold(release.Options{Dir: s.root, Log: log, Tiles: true})
	must(t, err)
	t.Cleanup(s.releases.Close)
	store, err := state.Open("sqlite:" + filepath.Join(t.TempDir(), "state.sqlite"))
	must(t, err)
	t.Cleanup(func() { store.Close() })
	_, made, err := store.Create("Acme", agreement)
	must(t, err)
	live, err := account.Follow(t.Context(), store, log)
	must(t, err)
	s.store, s.live, s.client = store, live, made.ClientID
	authority, err := token.NewAuthority(live, time.Hour, time.Now)
	must(t, err)
	options := explore.Options{
		Releases: s.releases, Accounts: fresh{live}, Account: made.ClientID, Hosts: hosts,
		Now: func() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) },
	}
	if s.partial {
		options.Explainer = openExplainer
	}
	s.explorer, err = explore.New(options)
	must(t, err)
	web.Config.Handler, err = serve.New(serve.Options{Releases: s.releases, Authority: authority, State: store, Accounts: live,
		Explorer: s.explorer, Log: log})
	must(t, err)
	web.Start()
	t.Cleanup(web.Close)
	s.url = web.URL
	return s
}

// publish writes the next release and names it in the pointer.
func (s *site) publish() error {
	s.number++
	s.content.AsOf = time.Date(2024, 1, int(s.number), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	name := "places-" + s.content.AsOf
	if _, err := servetest.Write(filepath.Join(s.root, name), s.content); err != nil {
		return err
	}
	if s.content.POIs > 0 {
		if err := addTiles(filepath.Join(s.root, name), s.content.POIs); err != nil {
			return err
		}
	}
	if s.partial {
		if err := addEmpty(filepath.Join(s.root, name), schemas.AccessFile, schemas.POIsFile, schemas.SchoolsFile); err != nil {
			return err
		}
	}
	if !s.market {
		return servetest.Publish(s.root, s.number, name)
	}
	market := "market-" + s.content.AsOf
	if _, err := servetest.WriteMarket(filepath.Join(s.root, market), filepath.Join(s.root, name), servetest.Market{}); err != nil {
		return err
	}
	return servetest.Publish(s.root, s.number, name, market)
}

// control serves what a test does to its servers: /NAME/link answers a link, /NAME/end ends all sessions, /NAME/swap puts the next
// release in the place of the one that is served.
func control(t *testing.T, sites map[string]*site) string {
	mux := http.NewServeMux()
	for name, s := range sites {
		mux.HandleFunc("GET /"+name+"/link", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(s.explorer.Link(s.url))) })
		mux.HandleFunc("POST /"+name+"/end", func(http.ResponseWriter, *http.Request) { s.ahead.Add(int64(explore.SessionValid)) })
		mux.HandleFunc("POST /"+name+"/swap", func(w http.ResponseWriter, r *http.Request) {
			err := s.publish()
			if err == nil {
				err = s.releases.Reload(r.Context())
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		})
	}
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	return web.URL
}
