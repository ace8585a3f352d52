package drill

import (
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"quartier/serve/account"
	"quartier/serve/servetest"
)

// tenants are customers of which two have private geographies, some by the same names as each other's.
var tenants = []string{"acme", "bell", "full"}

// Tenants sends drawn requests for private geographies, as every customer, to a server that has those of all and to one that has
// the customer's own alone. Answers that differ in status, headers, body or order are a leak. It returns the number of requests, and
// of those that showed a customer its own.
func Tenants(r *Run, wrap Wrap) (asked, own int) {
	all := append(servetest.PrivatePlaces("acme", "a"), servetest.PrivatePlaces("bell", "b")...)
	together, alone := r.startTenants(all), map[string]*Server{}
	together.Handler = wrap.around(together.Serve)
	for _, who := range tenants {
		alone[who] = r.startTenants(slices.DeleteFunc(slices.Clone(all), func(p servetest.PrivatePlace) bool { return p.Customer != who }))
	}
	for ; asked < 200 || r.More(asked); asked++ {
		p, who := Pick(r.Random, all), Pick(r.Random, tenants)
		target := privateRequest(r.Random, &p)
		got, want := together.Get(who, target), alone[who].Get(who, target)
		if one, other := shownTo(got), shownTo(want); one != other {
			r.Fatalf("%s as %s: %.600s\nwithout the geographies of others: %.600s", target, who, one, other)
		}
		switch shown := strings.Contains(got.Body, p.ID); {
		case shown && p.Customer != who:
			r.Fatalf("%s as %s has %s of %s", target, who, p.ID, p.Customer)
		case shown:
			own++
		}
	}
	if own == 0 {
		r.Errorf("none of %d answers had a private geography of the customer itself", asked)
	}
	return asked, own
}

func (r *Run) startTenants(places []servetest.PrivatePlace) *Server {
	r.Helper()
	root := r.TempDir()
	r.Must(WriteWorld(root, servetest.Release{}, places))
	agreements := map[string]account.Agreement{}
	for _, who := range tenants {
		agreements[who] = account.Agreement{CustomGeographies: true, Rate: 100_000_000}
	}
	return Start(r, "sqlite:"+filepath.Join(r.TempDir(), "state.sqlite"), root, slog.New(slog.DiscardHandler), agreements, trustProxies)
}

// privateRequest draws a request that finds a private geography: by its id, a part of its name, or a point in or near it.
func privateRequest(random *rand.Rand, p *servetest.PrivatePlace) string {
	box := p.Outline.Bound()
	lng := box.Min[0] + (1.4*random.Float64()-.2)*(box.Max[0]-box.Min[0])
	lat := box.Min[1] + (1.4*random.Float64()-.2)*(box.Max[1]-box.Min[1])
	at := fmt.Sprintf("lat=%.5f&lng=%.5f", lat, lng)
	name := Pick(random, []string{p.EN, p.FR})
	name = name[:1+random.IntN(len(name))] + Pick(random, []string{"", "", "x", ", Quebec"})
	return Pick(random, []string{
		"/v3/geographies/" + p.ID, "/v3/geographies/" + p.ID + "?include=geometry", "/v3/scores/" + p.ID,
		"/v3/scores?geography_ids=" + p.ID + "," + servetest.Replaced,
		"/v3/demographics/" + p.ID, "/v3/market-stats/" + p.ID, "/v3/profiles/" + p.ID, "/v3/enhanced-pois/" + p.ID + "?buffer=1000&limit=3",
		"/v3/geographies?limit=50&name=" + url.QueryEscape(name), "/v3/geographies?language=fr&name=" + url.QueryEscape(name),
		"/v3/geographies?" + at, fmt.Sprintf("/v3/geographies?%s&levels=%d", at, p.Level),
		"/v3/scores?geography_levels=10,20,30,35,37,38,40&" + at,
		"/v3/profiles?" + at, "/v3/schools?" + at, "/v3/data?include=scores_all,pois_count&" + at,
	})
}

// shownTo is an answer without what differs from request to request.
func shownTo(a Answer) string {
	header := maps.Clone(a.Header)
	for _, name := range []string{"X-Request-Id", "Date", "Ratelimit"} {
		header.Del(name)
	}
	return fmt.Sprintf("%d %v %s", a.Status, header, a.Body)
}

// Forgetful is a planted fault: answers are kept by path and query, without the customer.
func Forgetful(right http.Handler) http.Handler {
	var mu sync.Mutex
	kept := map[string]string{} // Authorization of who asked first
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		first := kept[r.URL.String()]
		if first == "" {
			first = r.Header.Get("Authorization")
			kept[r.URL.String()] = first
		}
		mu.Unlock()
		r.Header.Set("Authorization", first)
		right.ServeHTTP(w, r)
	})
}
