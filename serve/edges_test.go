package serve_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"quartier/schemas"
	"quartier/serve"
	"quartier/serve/reply"
	"quartier/serve/servetest"
)

// TestListsAreUnited compares the answers to spellings of the same query, which have the same ETag.
func TestListsAreUnited(t *testing.T) {
	a := newAPI(t)
	for want, others := range map[string][]string{
		"/v3/enhanced-pois?categories=cafes,parks&" + north: {
			"/v3/enhanced-pois?categories=+cafes+,+parks&" + north,
			"/v3/enhanced-pois?categories=cafes&" + north + "&categories=parks",
			"/v3/enhanced-pois?categories%5B%5D=cafes&categories[]=parks&limit=&brands=&" + north,
			"/v3/enhanced-pois?categories=cafes&categories=&categories=parks&" + north,
		},
		"/v3/geographies?levels=10,30&" + north:          {"/v3/geographies?levels=10&levels[]=30&limit=&name=&" + north},
		"/v3/pois?include=cafes,parks&" + north:          {"/v3/pois?include[]=cafes&include[]=parks&radius=&" + north},
		"/v3/scores?geography_ids=" + servetest.NorthOld: {"/v3/scores?language=&geography_ids[]=+" + servetest.NorthOld + "&lat=&lng="},
	} {
		first := a.get("full", want)
		for _, url := range others {
			got := a.get("full", url)
			if got.status != http.StatusOK || got.body != first.body || got.header.Get("ETag") != first.header.Get("ETag") {
				t.Errorf("%s: %d with ETag %s, want the answer of %s", url, got.status, got.header.Get("ETag"), want)
			}
		}
	}
	twice := answerOf[schemas.ScoresAnswer](t, a, "full",
		"/v3/scores?geography_ids="+servetest.NorthOld+"&geography_ids="+servetest.Replaced+","+servetest.NorthOld)
	if len(twice.Data.Geographies) != 2 || twice.Data.Geographies[0].GeogID != servetest.NorthOld {
		t.Errorf("the union of two lists with one id in common: %+v", twice.Data.Geographies)
	}
}

// TestLevelsNotTaken checks the reason of a 404 about a geography that is there. An id that the client may not see has
// the body of one that does not exist.
func TestLevelsNotTaken(t *testing.T) {
	a := newAPI(t)
	const unknown = `{"code":"Service.API.NotFound","detail":"no such geography"}`
	const below, upTo = "10, 20, 30, 32, 35, 37, 38", "10, 20, 30, 32, 35, 37, 38, 40"
	for _, c := range []struct{ who, url, levels string }{
		{"full", "/v3/enhanced-pois/" + servetest.Metro, below},
		{"full", "/v3/enhanced-pois/" + servetest.Metro + "?limit=x", below}, // before the parameters
		{"full", "/v3/enhanced-pois/" + servetest.Quebec, below},
		{"full", "/v3/scores/" + servetest.Quebec, upTo},
		{"full", "/v3/scores?geography_ids=" + servetest.NorthOld + "," + servetest.Canada, upTo},
		{"full", "/v3/demographics/" + servetest.Canada, upTo},
		{"quebec", "/v3/demographics/" + servetest.Quebec, upTo},
		{"us", "/v3/demographics/" + servetest.Quebec, ""}, // of others
		{"us", "/v3/scores?geography_ids=" + servetest.Quebec, ""},
		{"full", "/v3/scores/g60_nosuchone0", ""},
		{"full", "/v3/scores?geography_ids=g60_nosuchone0", ""},
		{"full", "/v3/scores/g61_quebec0000", ""},
		{"full", "/v3/scores/nonsense", ""},
	} {
		got := a.get(c.who, c.url)
		if got.status != http.StatusNotFound {
			t.Errorf("%s as %s: %d", c.url, c.who, got.status)
		}
		if c.levels == "" && got.body != unknown {
			t.Errorf("%s as %s reveals something: %s", c.url, c.who, got.body)
		}
		if c.levels != "" && !strings.HasSuffix(decode[reply.Problem](t, got.body).Detail, "the levels taken are "+c.levels) {
			t.Errorf("%s as %s: %s", c.url, c.who, got.body)
		}
	}
	a.releases.Close()
	if got := a.get("full", "/v3/scores/"+servetest.Quebec); got.status != http.StatusNotFound || got.body != unknown {
		t.Errorf("without a release: %d %s", got.status, got.body)
	}
}

// TestMeasuresOfTheAgreement checks that a measure that is a score under another name needs that score.
func TestMeasuresOfTheAgreement(t *testing.T) {
	a := newAPI(t)
	all := answerOf[schemas.SnapshotAnswer](t, a, "full", "/v3/data?include=measures_all&"+north).Data.Measures
	few := answerOf[schemas.SnapshotAnswer](t, a, "quiet", "/v3/data?include=measures_all&"+north).Data.Measures
	for _, m := range schemas.Measures {
		_, inAll := all[m.ID]
		if _, inFew := few[m.ID]; !inAll || inFew != (m.Score == "") {
			t.Errorf("%s, which is the score %q: returned %v to all scores, %v to the score quiet", m.ID, m.Score, inAll, inFew)
		}
	}
}

// TestRateIsTheCustomers uses up the allowance of a customer with two credentials.
func TestRateIsTheCustomers(t *testing.T) {
	now := time.Now()
	a := newAPI(t, func(o *serve.Options) { o.Now = func() time.Time { return now } })
	url := "/v3/geographies?" + north
	for i, who := range []string{"slow", "slow again"} {
		got := a.get(who, url)
		if got.status != http.StatusOK || got.header.Get("RateLimit") != []string{`"default";r=1;t=1`, `"default";r=0;t=1`}[i] {
			t.Fatalf("%s: %d with RateLimit %s", who, got.status, got.header.Get("RateLimit"))
		}
	}
	if got := a.get("slow", url); got.status != http.StatusTooManyRequests {
		t.Errorf("the third request of a customer with 2 per second: %d", got.status)
	}
	if got := a.get("quebec", url); got.status != http.StatusOK {
		t.Errorf("another customer: %d", got.status)
	}
}

// tokenRequest sends a token request from an address.
func (a *api) tokenRequest(address, forwarded, body string) answer {
	r := httptest.NewRequest(http.MethodPost, "/oauth/token", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.RemoteAddr = address
	if forwarded != "" {
		r.Header.Set("X-Forwarded-For", forwarded)
	}
	return a.send(r)
}

// callers are those that TestTokensAreLimited limits: the i-th request of each, how many pass at once, and how many a
// second later.
var callers = map[string]struct {
	address, forwarded func(i int) string
	body               string
	burst, perSecond   int
	policy             string
}{
	"one client_id, many addresses": {
		address: func(i int) string { return ipv4(10, 0, i>>8, i) + ":1" },
		body:    `{"client_id":"a","client_secret":"x"}`, burst: 20, perSecond: 5, policy: `"address";q=100;w=5, "client_id";q=20;w=4`,
	},
	"one address, no client_id": {
		address: func(int) string { return "192.0.2.1:1234" },
		body:    `{}`, burst: 100, perSecond: 20, policy: `"address";q=100;w=5`,
	},
	"one network of IPv6": {
		address: func(i int) string { return fmt.Sprintf("[2001:db8::%x]:1", i) },
		body:    `{}`, burst: 100, perSecond: 20, policy: `"address";q=100;w=5`,
	},
	"a forged header": {
		address: func(int) string { return "192.0.2.2:1" }, forwarded: func(i int) string { return ipv4(1, 1, 1, i) },
		body: `{}`, burst: 100, perSecond: 20, policy: `"address";q=100;w=5`,
	},
	"one caller behind proxies": {
		address:   func(i int) string { return ipv4(172, 16, 0, i) + ":1" },
		forwarded: func(i int) string { return ipv4(1, 1, 1, i) + ", 192.0.2.3:" + strconv.Itoa(1+i) + ",172.16.9.9" },
		body:      `{}`, burst: 100, perSecond: 20, policy: `"address";q=100;w=5`,
	},
}

func ipv4(a, b, c, d int) string {
	return netip.AddrFrom4([4]byte{byte(a), byte(b), byte(c), byte(d)}).String()
}

// TestTokensAreLimited checks the limits of the token endpoint.
func TestTokensAreLimited(t *testing.T) {
	for name, c := range callers {
		t.Run(name, func(t *testing.T) {
			now := time.Now()
			a := newAPI(t, func(o *serve.Options) {
				o.Now = func() time.Time { return now }
				o.Proxies = []netip.Prefix{netip.MustParsePrefix("172.16.0.0/12")}
			})
			sent := 0
			passed := func() (n int) {
				for range 130 {
					forwarded := ""
					if c.forwarded != nil {
						forwarded = c.forwarded(sent)
					}
					got := a.tokenRequest(c.address(sent), forwarded, c.body)
					sent++
					switch {
					case got.status != http.StatusTooManyRequests && got.header.Get("RateLimit-Policy") != c.policy:
						t.Fatalf("RateLimit-Policy is %s", got.header.Get("RateLimit-Policy"))
					case got.status != http.StatusTooManyRequests:
						n++
					case got.body != `{"message":"Too Many Requests"}` || got.header.Get("Retry-After") != "1" ||
						got.header.Get("Cache-Control") != "no-store":
						t.Fatalf("%s %v", got.body, got.header)
					}
				}
				return n
			}
			if n := passed(); n != c.burst {
				t.Errorf("%d pass at once, want %d", n, c.burst)
			}
			now = now.Add(time.Second)
			if n := passed(); n != c.perSecond {
				t.Errorf("%d pass a second later, want %d", n, c.perSecond)
			}
			if got := a.tokenRequest("198.51.100.7:1", "", `{"client_id":"b","client_secret":"x"}`); got.status != http.StatusUnauthorized {
				t.Errorf("another caller: %d", got.status)
			}
		})
	}
}
