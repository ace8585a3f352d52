package serve_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/serve"
	"quartier/serve/servetest"
)

// What each credential may see of others is held by comparing two servers: one with the private geographies of all customers,
// and one where nobody but the customer of the credential has any. Whatever differs between their answers, in status, headers,
// body or order, is a leak.

// worlds are the servers.
type worlds struct {
	all  *api
	only map[string]*api // by customer
}

func newWorlds(t *testing.T, change ...func(*serve.Options)) *worlds {
	w := &worlds{all: newAPI(t, change...), only: map[string]*api{}}
	for who := range agreements {
		customer, _, _ := strings.Cut(who, " ")
		if w.only[customer] != nil {
			continue
		}
		mine := slices.DeleteFunc(privatePlaces(), func(p servetest.PrivatePlace) bool { return p.Customer != customer })
		if len(mine) == 0 && w.only[""] != nil {
			w.only[customer] = w.only[""]
			continue
		}
		w.only[customer] = newAPIWith(t, w.all.state+customer, servetest.Release{}, mine)
		if len(mine) == 0 {
			w.only[""] = w.only[customer]
		}
	}
	return w
}

// idRoutes are the paths with a geog_id, from the routes of the server, and those with lists of them.
func idRoutes(t *testing.T, a *api) (routes []string) {
	for name := range newSpec(t, a).operations() {
		if path, ok := strings.CutPrefix(name, "GET "); ok && strings.Contains(path, "{geog_id}") {
			routes = append(routes, strings.Replace(path, "{geog_id}", "%s", 1))
		}
	}
	slices.Sort(routes)
	if len(routes) < 6 {
		t.Fatalf("routes %v", routes)
	}
	return append(routes, "/v3/geographies/%s?include=geometry", "/v3/scores?geography_ids=%s",
		"/v3/scores?"+north+"&geography_levels=10&geography_ids="+servetest.NorthOld+",%s",
		"/v3/scores?geography_ids=%s,"+servetest.Replaced+"&language=fr", "/v3/enhanced-pois/%s?buffer=1000&limit=3",
		"/v3/market-stats/%s?intervals=1999-01")
}

// searches find geographies by point, name and level.
func searches(p *servetest.PrivatePlace) (urls []string) {
	centre := p.Outline.Bound().Center()
	at := fmt.Sprintf("lat=%v&lng=%v", centre[1], centre[0])
	for _, name := range []string{p.EN, p.FR, p.EN[:len(p.EN)-1], p.EN + "x", "Old North, " + p.EN, p.EN + ", Northville", p.EN + ", Quebec",
		"secret", "s"} {
		urls = append(urls, "/v3/geographies?limit=50&name="+url.QueryEscape(name), "/v3/geographies?language=fr&name="+url.QueryEscape(name))
	}
	return append(urls, "/v3/geographies?"+at, "/v3/geographies?include=geometry&"+at,
		fmt.Sprintf("/v3/geographies?%s&levels=%d", at, p.Level),
		"/v3/geographies?name=old&levels=10&location_codes=CA_QC", "/v3/scores?"+at+"&geography_levels=10,20,30,35,37,38,40", "/v3/profiles?"+at,
		"/v3/profiles?locale=fr&"+at,
		fmt.Sprintf("/v3/profiles?%s&level=%d", at, p.Level), everyPart+"&"+at, "/v3/schools?"+at, "/v3/enhanced-pois?"+at,
		"/v3/demographics?"+at)
}

// shown is an answer without what differs from request to request.
func shown(got answer) string {
	header := maps.Clone(got.header)
	for _, name := range []string{"X-Request-Id", "Date", "Ratelimit"} {
		header.Del(name)
	}
	return fmt.Sprintf("%d %v %s", got.status, header, got.body)
}

// credentials are all but the ones whose rate is small.
func credentials() []string {
	all := slices.Sorted(maps.Keys(agreements))
	return slices.DeleteFunc(all, func(who string) bool { return strings.HasPrefix(who, "slow") })
}

// TestTenants asks as every credential for every private geography on every route, by its id and by what would find it.
func TestTenants(t *testing.T) {
	lines := new(strings.Builder)
	w := newWorlds(t, func(o *serve.Options) { o.AccessLog = lines })
	cells, visible := 0, 0
	routes := idRoutes(t, w.all)
	for _, p := range privatePlaces() {
		urls := searches(&p)
		for _, route := range routes {
			urls = append(urls, fmt.Sprintf(route, p.ID))
		}
		for _, who := range credentials() {
			customer, _, _ := strings.Cut(who, " ")
			for _, target := range urls {
				got, want := w.all.get(who, target), w.only[customer].get(who, target)
				cells++
				if shown(got) != shown(want) {
					t.Errorf("%s as %s: %.600s\nwithout the geographies of others: %.600s", target, who, shown(got), shown(want))
				}
				if customer == p.Customer && strings.Contains(got.body, p.ID) {
					visible++
				} else if strings.Contains(got.body, p.ID) {
					t.Errorf("%s as %s has %s: %.600s", target, who, p.ID, got.body)
				}
				if t.Failed() {
					return
				}
			}
		}
	}
	t.Logf("%d cells, %d answers of their own geographies", cells, visible)
	if cells < 600 || visible < 200 {
		t.Errorf("%d cells, %d answers of their own geographies", cells, visible)
	}
	checkQuiet(t, "the access log", lines.String())
	checkQuiet(t, "the log", w.all.log.String())
	for _, path := range []string{"/metrics", "/readyz", "/healthz"} {
		checkQuiet(t, path, w.all.get("", path).body)
	}
}

// checkQuiet checks that a text has nothing of private geographies.
func checkQuiet(t *testing.T, what, text string) {
	t.Helper()
	for _, p := range privatePlaces() {
		for _, secret := range []string{p.ID, p.Customer, "Secret", "Hidden Borough"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s has %s", what, secret)
				return
			}
		}
	}
}

// TestUnknownIDs compares the answers to ids that do not exist, are malformed, too long, or of another customer.
func TestUnknownIDs(t *testing.T) {
	a := newAPI(t)
	for _, route := range idRoutes(t, a) {
		want := a.get("acme", fmt.Sprintf(route, "g10_unknown000"))
		if want.status != http.StatusNotFound && want.status != http.StatusBadRequest {
			t.Errorf("%s: %d", route, want.status)
		}
		ids := []string{"g10_b00000000", "g10_b00000000o"}
		if !strings.HasSuffix(route, "1999-01") { // the form of an id is judged before parameters
			ids = append(ids, "x", "g10_", "g99_aaaaaaaaaa", "G10_B000000000", strings.Repeat("g", 36), "g10_"+strings.Repeat("b", 60),
				"g10_b000000000%20x")
		}
		for _, p := range privatePlaces() {
			if p.Customer == "bell" {
				ids = append(ids, p.ID)
			}
		}
		for _, id := range ids {
			if got := a.get("acme", fmt.Sprintf(route, id)); shown(got) != shown(want) {
				t.Errorf("%s with %s: %s, an unknown one: %s", route, id, shown(got), shown(want))
			}
		}
	}
}

// TestOthersETags sends the ETags of answers about private geographies as other credentials.
func TestOthersETags(t *testing.T) {
	a := newAPI(t)
	asked := 0
	for _, route := range idRoutes(t, a) {
		for _, p := range privatePlaces() {
			target := fmt.Sprintf(route, p.ID)
			own := a.get(p.Customer, target)
			tag := own.header.Get("ETag")
			if tag == "" {
				continue
			}
			if got := a.get(p.Customer, target, "If-None-Match: "+tag); got.status != http.StatusNotModified {
				t.Errorf("%s: %d for its own ETag", target, got.status)
			}
			if vary, control := own.header.Get("Vary"), own.header.Get("Cache-Control"); !strings.Contains(vary, "Authorization") ||
				!strings.HasPrefix(control, "private") {
				t.Errorf("%s: Vary %q, Cache-Control %q", target, vary, control)
			}
			for _, who := range credentials() {
				if customer, _, _ := strings.Cut(who, " "); customer == p.Customer {
					continue
				}
				asked++
				if got, without := a.get(who, target, "If-None-Match: "+tag), a.get(who, target); shown(got) != shown(without) ||
					got.header.Get("ETag") == tag {
					t.Errorf("%s as %s: %s", target, who, shown(got))
				}
				if got := a.get(who, target, "If-None-Match: *"); got.status == http.StatusNotModified && a.get(who, target).status != http.StatusOK {
					t.Errorf("%s as %s: 304 for *", target, who)
				}
			}
		}
	}
	if asked < 200 {
		t.Errorf("%d requests", asked)
	}
}

// TestETagsOfPrivateGeographies publishes other private geographies beside the same places: answers that show a change have
// another ETag, all others keep theirs.
func TestETagsOfPrivateGeographies(t *testing.T) {
	a := newAPI(t)
	first := servetest.PrivatePlaces("acme", "a")[0]
	urls := []string{
		"/v3/geographies/" + first.ID, "/v3/geographies?" + north, "/v3/profiles?" + north, "/v3/scores?" + north + "&geography_levels=10",
		"/v3/geographies?name=old+north",
		"/v3/geographies?" + south, "/v3/geographies/" + servetest.NorthOld, "/v3/enhanced-pois?" + north, "/v3/scores/" + first.ID,
	}
	before := map[string]answer{}
	for _, who := range []string{"acme", "bell", "full"} {
		for _, target := range urls {
			before[who+target] = a.get(who, target)
		}
	}
	places := privatePlaces()
	places[0].EN = "Newer North"
	m, err := servetest.WritePrivate(filepath.Join(a.root, "private2"), a.dir, places)
	must(t, err)
	must(t, servetest.Publish(a.root, 2, "places", "private2", "market"))
	must(t, a.releases.Reload(t.Context()))
	changed := 0
	for key, old := range before {
		i := strings.Index(key, "/")
		now := a.get(key[:i], key[i:])
		if sameBody, sameTag := now.body == old.body, now.header.Get("ETag") == old.header.Get("ETag"); sameBody != sameTag {
			t.Errorf("%s: the body is the same: %v, the ETag is the same: %v", key, sameBody, sameTag)
		} else if !sameBody {
			changed++
			if !strings.HasPrefix(key, "acme") {
				t.Errorf("%s changed", key)
			}
		}
	}
	if changed < 3 || m.Digest == "" {
		t.Errorf("%d answers changed", changed)
	}
}

// TestScopeIsTheOnlyWay reads the endpoints: none takes the release by itself.
func TestScopeIsTheOnlyWay(t *testing.T) {
	files, err := filepath.Glob("product/*/*.go")
	must(t, err)
	endpoints, err := filepath.Glob("endpoint/*.go")
	must(t, err)
	if files = append(files, endpoints...); len(files) < 30 {
		t.Fatalf("%d files", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		if strings.Contains(string(text), "Unfiltered(") {
			t.Errorf("%s reads the release past package scope", file)
		}
	}
}
