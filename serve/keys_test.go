package serve_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quartier/serve"
	"quartier/serve/account"
	"quartier/serve/reply"
	"quartier/serve/servetest"
	"quartier/serve/state"
)

// portal is an origin of keys; pages of it ask as browsers do.
const portal, fromPortal = "https://portal.example", "Origin: https://portal.example"

// keyedAPI is a server with publishable keys by name.
type keyedAPI struct {
	*api
	store  *state.Store
	live   *account.Live
	keys   map[string]string
	access *strings.Builder // the access log
}

// publishable are the keys of a keyedAPI, by name: the customer, a space and what is special about it.
var publishable = map[string]account.AccessKey{
	"full":           {Origins: []string{portal, "https://other.example:8443"}, Rate: 1_000_000},
	"full own":       {Origins: []string{"http://localhost:8080"}, Rate: 1_000_000},
	"full slow":      {Origins: []string{portal}, Rate: 2},
	"full quiet":     {Origins: []string{portal}, Scores: []string{"quiet"}, Rate: 1_000_000},
	"full us":        {Origins: []string{portal}, Regions: []string{"US"}, Rate: 1_000_000},
	"acme":           {Origins: []string{portal}, Rate: 1_000_000},
	"quebec":         {Origins: []string{portal}, Rate: 1_000_000},
	"pois":           {Origins: []string{portal}, Rate: 1_000_000},
	"quiet":          {Origins: []string{portal}, Rate: 1_000_000},
	"globex revoked": {Origins: []string{portal}, Rate: 1_000_000},
}

func newKeyedAPI(t testing.TB, change ...func(*serve.Options)) *keyedAPI {
	t.Helper()
	k := &keyedAPI{access: new(strings.Builder), keys: map[string]string{}}
	k.api = newAPI(t, append(change, func(o *serve.Options) { o.AccessLog, k.store, k.live = k.access, o.State, o.Accounts })...)
	for name, terms := range publishable {
		terms.Kind = account.Publishable
		k.keys[name] = k.create(name, terms).Key
	}
	must(t, k.store.RevokeKey(account.AccessID(k.keys["globex revoked"])))
	must(t, k.live.Refresh(context.Background()))
	return k
}

func (k *keyedAPI) create(name string, terms account.AccessKey) account.AccessCredentials {
	k.t.Helper()
	customer, _, _ := strings.Cut(name, " ")
	_, made, err := k.store.CreateKey(customer, k.grants[customer].ClientID, terms)
	must(k.t, err)
	return made
}

// TestPublishableKeys asks for what a page of the key's origin may have, and compares it with what the customer has.
func TestPublishableKeys(t *testing.T) {
	k := newKeyedAPI(t)
	for _, path := range []string{"/v3/scores?" + north, "/v3/geographies?" + north, "/v3/geographies/" + servetest.NorthCity + "?language=fr",
		"/v3/schools?" + north, "/v3/profiles?" + north} {
		want := k.get("full", path)
		got := k.get("", path+"&key="+k.keys["full"], fromPortal)
		if got.status != http.StatusOK || got.body != want.body {
			t.Errorf("%s: %d %.200s, with a token %d %.200s", path, got.status, got.body, want.status, want.body)
		}
		for name, value := range map[string]string{"Access-Control-Allow-Origin": portal, "Vary": "Origin", "Ratelimit": "r=999999",
			"Access-Control-Expose-Headers": "RateLimit, RateLimit-Policy, Retry-After", "Cache-Control": "private"} {
			if !strings.Contains(got.header.Get(name), value) {
				t.Errorf("%s: %s is %q", path, name, got.header.Get(name))
			}
		}
		if again := k.get("", path+"&key="+k.keys["full"], fromPortal, "If-None-Match: "+got.header.Get("ETag")); again.status !=
			http.StatusNotModified {
			t.Errorf("%s: %d with its ETag", path, again.status)
		}
		preflight := k.do("", http.MethodOptions, path+"&key="+k.keys["full"], fromPortal, "Access-Control-Request-Method: GET")
		if preflight.status != http.StatusNoContent || preflight.header.Get("Access-Control-Allow-Origin") != portal ||
			preflight.header.Get("Access-Control-Allow-Methods") != "GET, HEAD" {
			t.Errorf("preflight of %s: %d %v", path, preflight.status, preflight.header)
		}
	}
	own := "/v3/scores?" + north + "&key=" + k.keys["full own"]
	r := func(headers ...string) int {
		return k.get("", "http://localhost:8080"+own, headers...).status
	}
	if got := r("Sec-Fetch-Site: same-origin", "Sec-Fetch-Dest: empty"); got != http.StatusOK {
		t.Errorf("a page of the server itself: %d", got)
	}
	for log, text := range map[string]string{"access": k.access.String(), "errors": k.log.String(), "metrics": k.get("", "/metrics").body} {
		for name, key := range k.keys {
			if strings.Contains(text, key) || strings.Contains(text, key[len("qp_"):]) {
				t.Errorf("the log of %s has the key %s", log, name)
			}
		}
	}
	if id := account.AccessID(k.keys["full"]); !strings.Contains(k.access.String(), fmt.Sprintf("%q:%q", "client", id)) {
		t.Errorf("the access log does not name %s: %s", id, k.access)
	}
}

// TestKeysHaveLess compares keys with the agreements of their accounts.
func TestKeysHaveLess(t *testing.T) {
	k := newKeyedAPI(t)
	for _, c := range []struct {
		key, path string
		status    int
		has, not  string
	}{
		{"full quiet", "/v3/scores?" + north, 200, `"quiet"`, `"parks"`},
		{"full quiet", "/v3/scores?include=parks&" + north, 403, "", "parks"},
		{"full us", "/v3/scores?" + north, 401, "regions of the agreement", "quiet"},
		{"quebec", "/v3/scores?" + north, 200, "parks", ""},
		{"pois", "/v3/scores?" + north, 401, "product", ""},
		{"quiet", "/v3/scores?" + north, 200, "quiet", "parks"},
		{"quiet", "/v3/schools?" + north, 401, "product", ""},
	} {
		path := c.path + "&key=" + k.keys[c.key]
		if got := k.get("", path, fromPortal); got.status != c.status || !strings.Contains(got.body, c.has) ||
			c.not != "" && strings.Contains(got.body, c.not) || got.header.Get("Access-Control-Allow-Origin") != portal {
			t.Errorf("%s with the key of %s: %d %.300s %v", c.path, c.key, got.status, got.body, got.header)
		}
	}
}

// TestKeysSeeNothingPrivate compares the answers by a key of a customer with private geographies with those to somebody without.
func TestKeysSeeNothingPrivate(t *testing.T) {
	k := newKeyedAPI(t)
	for _, path := range []string{"/v3/geographies?" + north, "/v3/geographies?name=Secret", "/v3/geographies?name=Northville",
		"/v3/scores?geography_levels=10,30&" + north, "/v3/profiles?" + north} {
		want := k.get("globex", path)
		if got := k.get("", path+"&key="+k.keys["acme"], fromPortal); got.status != want.status || got.body != want.body {
			t.Errorf("%s: %d %.300s, want %d %.300s", path, got.status, got.body, want.status, want.body)
		}
	}
	for _, p := range servetest.PrivatePlaces("acme", "a") {
		for _, path := range []string{"/v3/geographies/" + p.ID + "?", "/v3/scores?geography_ids=" + p.ID + "&"} {
			if got := k.get("", path+"key="+k.keys["acme"], fromPortal); got.status != http.StatusNotFound || strings.Contains(got.body, p.EN) {
				t.Errorf("%s: %d %s", path, got.status, got.body)
			}
		}
	}
}

// TestAttacksOnKeys uses keys as they must not be used.
func TestAttacksOnKeys(t *testing.T) {
	k := newKeyedAPI(t)
	full := k.keys["full"]
	scores := "/v3/scores?" + north + "&key="
	same := []string{"Sec-Fetch-Site: same-origin", "Sec-Fetch-Dest: empty"}
	bearer := "Authorization: Bearer " + k.tokens["full"]
	hash := sha256.Sum256([]byte(full))
	for name, c := range map[string]struct {
		method, url string
		headers     []string
		want        int // 0: 403
	}{
		"another origin":           {url: scores + full, headers: []string{"Origin: https://evil.example"}},
		"a subdomain":              {url: scores + full, headers: []string{"Origin: https://a.portal.example"}},
		"a longer name":            {url: scores + full, headers: []string{"Origin: https://portal.example.evil.example"}},
		"the origin by http":       {url: scores + full, headers: []string{"Origin: http://portal.example"}},
		"another port":             {url: scores + full, headers: []string{"Origin: https://portal.example:444"}},
		"the origin in capitals":   {url: scores + full, headers: []string{"Origin: https://PORTAL.example"}},
		"the origin with a path":   {url: scores + full, headers: []string{"Origin: https://portal.example/"}},
		"null":                     {url: scores + full, headers: []string{"Origin: null"}},
		"an empty origin":          {url: scores + full, headers: []string{"Origin: "}},
		"no origin":                {url: scores + full},
		"two origins":              {url: scores + full, headers: []string{fromPortal, fromPortal}},
		"two origins in one":       {url: scores + full, headers: []string{fromPortal + ", " + portal}},
		"the referer alone":        {url: scores + full, headers: []string{"Referer: https://portal.example/"}},
		"a page of another server": {url: "http://evil.example" + scores + full, headers: same},
		"a page of this server":    {url: "http://localhost:8080" + scores + full, headers: same},
		"a link to this server":    {url: "http://localhost:8080" + scores + k.keys["full own"], headers: []string{"Sec-Fetch-Site: none"}},
		"an iframe of this server": {url: "http://localhost:8080" + scores + k.keys["full own"],
			headers: []string{same[0], "Sec-Fetch-Dest: iframe"}},
		"the origin in the path":     {url: scores + full + "&Origin=https://portal.example"},
		"a revoked key":              {url: scores + k.keys["globex revoked"], headers: []string{fromPortal}},
		"an unknown key":             {url: scores + "qp_" + strings.Repeat("A", 43), headers: []string{fromPortal}},
		"no key":                     {url: scores, headers: []string{fromPortal}},
		"the id of a key":            {url: scores + account.AccessID(full), headers: []string{fromPortal}},
		"the hash of a key":          {url: scores + url.QueryEscape(string(hash[:])), headers: []string{fromPortal}},
		"a key and more":             {url: scores + full + "A", headers: []string{fromPortal}},
		"a key in capitals":          {url: scores + strings.ToUpper(full), headers: []string{fromPortal}},
		"a huge key":                 {url: scores + strings.Repeat(full, 1000), headers: []string{fromPortal}},
		"a key twice":                {url: scores + full + "&key=" + full, headers: []string{fromPortal}},
		"a key twice, once escaped":  {url: scores + full + "&k%65y=x", headers: []string{fromPortal}},
		"a key twice, once empty":    {url: scores + full + "&key=", headers: []string{fromPortal}},
		"an escaped key":             {url: scores + "%71p_" + full[3:], headers: []string{fromPortal}},
		"KEY":                        {url: "/v3/scores?" + north + "&KEY=" + full, headers: []string{fromPortal}},
		"the key as a token":         {url: "/v3/scores?" + north, headers: []string{fromPortal, "Authorization: Bearer " + full}},
		"the key in a header":        {url: "/v3/scores?" + north, headers: []string{fromPortal, "X-Api-Key: " + full}},
		"a key and a token":          {url: scores + full, headers: []string{fromPortal, bearer}},
		"a wrong key and a token":    {url: scores + "x", headers: []string{fromPortal, bearer}},
		"demographics":               {url: "/v3/demographics?" + north + "&key=" + full, headers: []string{fromPortal}},
		"enhanced POIs":              {url: "/v3/enhanced-pois?" + north + "&key=" + full, headers: []string{fromPortal}},
		"POIs":                       {url: "/v3/pois?include=cafes&radius=9&" + north + "&key=" + full, headers: []string{fromPortal}},
		"a snapshot":                 {url: "/v3/snapshot?" + north + "&key=" + full, headers: []string{fromPortal}},
		"scores of a geography":      {url: "/v3/scores/" + servetest.NorthCity + "?key=" + full, headers: []string{fromPortal}},
		"profile of a geography":     {url: "/v3/profiles/" + servetest.NorthCity + "?key=" + full, headers: []string{fromPortal}},
		"market statistics":          {url: "/v3/market-stats/" + servetest.SouthCity + "?key=" + full, headers: []string{fromPortal}},
		"custom geographies":         {url: "/v3/geographies/custom?key=" + full, headers: []string{fromPortal}},
		"a custom geography":         {url: "/v3/geographies/custom/x?key=" + full, headers: []string{fromPortal}},
		"to make a custom geography": {method: "POST", url: "/v3/geographies/custom?key=" + full, headers: []string{fromPortal}},
		"the status":                 {url: "/v3/status?key=" + full, headers: []string{fromPortal}},
		"a path that there is not":   {url: "/v3/nothing?key=" + full, headers: []string{fromPortal}},
		"POST":                       {method: "POST", url: scores + full, headers: []string{fromPortal}, want: 405},
		"OPTIONS, no preflight":      {method: "OPTIONS", url: scores + full, headers: []string{fromPortal}, want: 405},
		"HEAD elsewhere":             {method: "HEAD", url: scores + full, headers: []string{"Origin: https://evil.example"}},
		"preflight elsewhere": {method: "OPTIONS", url: scores + full,
			headers: []string{"Origin: https://evil.example", "Access-Control-Request-Method: GET"}},
		"preflight of another path": {method: "OPTIONS", url: "/v3/demographics?key=" + full,
			headers: []string{fromPortal, "Access-Control-Request-Method: GET"}},
	} {
		got := k.do("", cmp.Or(c.method, "GET"), c.url, c.headers...)
		if got.status != cmp.Or(c.want, http.StatusForbidden) {
			t.Errorf("%s: %d %.200s", name, got.status, got.body)
		}
		if c.want == 0 {
			if c.method != "HEAD" && decode[reply.Refusal](t, got.body).Message != "Forbidden" {
				t.Errorf("%s: %s", name, got.body)
			}
			for header := range got.header {
				if strings.HasPrefix(header, "Access-Control") || strings.HasPrefix(header, "Ratelimit") {
					t.Errorf("%s: the answer has %s", name, header)
				}
			}
		}
	}
	metrics := k.get("", "/metrics").body
	for reason, least := range map[string]int{"origin": 15, "key": 20} {
		var n int
		_, after, _ := strings.Cut(metrics, fmt.Sprintf("quartier_refused_total{reason=%q} ", reason))
		if fmt.Sscan(after, &n); n < least {
			t.Errorf("%d refused by %s, want %d or more", n, reason, least)
		}
	}
}

// TestKeysOverRate spends the rate of a key: its page can read that, and neither another key nor the customer has less.
func TestKeysOverRate(t *testing.T) {
	k := newKeyedAPI(t)
	path := "/v3/scores?" + north + "&key="
	var got answer
	for range 5 {
		got = k.get("", path+k.keys["full slow"], fromPortal)
	}
	if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" ||
		got.header.Get("Access-Control-Allow-Origin") != portal {
		t.Errorf("over the rate: %d %v", got.status, got.header)
	}
	if got := k.get("", path+k.keys["full"], fromPortal).status; got != http.StatusOK {
		t.Errorf("another key: %d", got)
	}
	if got := k.get("slow", "/v3/scores?"+north).header.Get("Ratelimit"); !strings.Contains(got, "r=1;") {
		t.Errorf("the customer of a rate of 2 has %s", got)
	}
}

// TestRevokedKeys revokes a key, and an account with its keys, while a server runs.
func TestRevokedKeys(t *testing.T) {
	k := newKeyedAPI(t)
	path := "/v3/scores?" + north + "&key="
	is := func(name string, want int) {
		t.Helper()
		must(t, k.live.Refresh(context.Background()))
		if got := k.get("", path+k.keys[name], fromPortal).status; got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	is("full", http.StatusOK)
	must(t, k.store.RevokeKey(account.AccessID(k.keys["full"])))
	is("full", http.StatusForbidden)
	is("acme", http.StatusOK)
	must(t, k.store.Revoke(k.grants["acme"].ClientID))
	is("acme", http.StatusForbidden)
	if err := k.store.RevokeKey("qpk_nothing"); !errors.Is(err, account.ErrUnknownKey) {
		t.Errorf("an unknown key: %v", err)
	}
}

// TestServersOriginsAreNotThoseOfKeys has a server whose answers pages of an origin may read, with tokens.
func TestServersOriginsAreNotThoseOfKeys(t *testing.T) {
	k := newKeyedAPI(t, func(o *serve.Options) { o.Origins = []string{"https://maps.example"} })
	got := k.get("", "/v3/scores?"+north+"&key="+k.keys["full"], "Origin: https://maps.example")
	if got.status != http.StatusForbidden || got.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%d %v", got.status, got.header)
	}
}
