package serve_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/paulmach/orb"

	"quartier/schemas"
	"quartier/serve"
	"quartier/serve/explore"
	"quartier/serve/monitor"
	"quartier/serve/servetest"
)

// The requests that BenchmarkAnswer times.
var timed = []struct{ name, url string }{
	{"geographies at a point", "/v3/geographies?lat=45.2&lng=-72.8"},
	{"500 pois", "/v3/enhanced-pois?lat=45.2&lng=-72.8&radius=20000"},
	{"20 pois", "/v3/enhanced-pois?lat=45.2&lng=-72.8&limit=20"},
	{"geography by id", "/v3/geographies/" + servetest.NorthCity},
	{"people of a geography", "/v3/demographics/" + servetest.SouthCity},
	{"people within 500 m", "/v3/demographics?lat=45.2&lng=-72.8"},
	{"scores at a point", "/v3/scores?lat=45.2&lng=-72.8"},
	{"snapshot", "/v3/data?include=demographics,measures_all,pois_count,scores_all&lat=45.2&lng=-72.8"},
	{"typology of a cell", "/v3/typologies/" + servetest.NorthCell},
	{"profile of a geography", "/v3/profiles/" + servetest.NorthOld},
	{"refused parameter", "/v3/geographies?lat=x&lng=-72.8"},
}

// BenchmarkAnswer times requests over loopback against a bare handler that writes the same bytes.
//
//	go test ./serve -bench Answer -benchmem -count 5
func BenchmarkAnswer(b *testing.B) {
	a := newPlacesAPI(b, func(o *serve.Options) {
		lines := monitor.NewLogWriter(io.Discard)
		b.Cleanup(func() { lines.Close() })
		o.AccessLog = lines
	})
	grow(b, a, 50_000)
	for _, c := range timed {
		want := a.get("full", c.url)
		body, length := []byte(want.body), strconv.Itoa(len(want.body))
		bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", length)
			w.WriteHeader(want.status)
			w.Write(body)
		})
		for _, handler := range []struct {
			name string
			http.Handler
		}{{"bare", bare}, {"serve", a.handler}} {
			b.Run(fmt.Sprintf("%s/%s", c.name, handler.name), func(b *testing.B) {
				overLoopback(b, handler, fmt.Sprintf("GET %s HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\nAuthorization: Bearer %s\r\n\r\n",
					c.url, a.tokens["full"]), len(want.body))
			})
		}
	}
}

// grow loads a release with more POIs.
func grow(tb testing.TB, a *api, n int) {
	_, err := servetest.Write(a.dir, servetest.Release{POIs: n, AsOf: "2024-02-01"})
	must(tb, err)
	must(tb, a.releases.Reload(tb.Context()))
}

// BenchmarkTile times a tile of the explorer over loopback against a bare handler that writes the same bytes, and without
// net/http.
//
//	go test ./serve -run '^$' -bench Tile -benchmem -count 5
func BenchmarkTile(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "places")
	writeTiles(b, dir)
	holder, err := holdTiles(b, dir)
	must(b, err)
	x := explorerOf(b, "globex", func(o *explore.Options) { o.Releases = holder })
	x.enter()
	const url = origin + "/explore/tiles/map/1/1/0.mvt"
	r := httptest.NewRequest(http.MethodGet, url, nil)
	r.Header = http.Header{"Accept-Encoding": {"gzip"}, "Cookie": {x.cookie}}
	body := []byte(x.ask("GET", "/explore/tiles/map/1/1/0.mvt", "Accept-Encoding: gzip").body)
	length := strconv.Itoa(len(body))
	b.Run("handler", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x.handler.ServeHTTP(&discard{http.Header{}}, r)
		}
	})
	text := fmt.Sprintf("GET /explore/tiles/map/1/1/0.mvt HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAccept-Encoding: gzip\r\nCookie: %s\r\n\r\n",
		x.cookie)
	b.Run("bare", func(b *testing.B) {
		overLoopback(b, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", length)
			w.Write(body)
		}), text, len(body))
	})
	b.Run("explorer", func(b *testing.B) { overLoopback(b, x.handler, text, len(body)) })
	k := newKeyedAPI(b, func(o *serve.Options) { o.Releases = holder })
	byToken := "GET /v3/tiles/map/1/1/0.mvt HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAccept-Encoding: gzip\r\nAuthorization: Bearer " +
		k.tokens["full"] + "\r\n\r\n"
	b.Run("token", func(b *testing.B) { overLoopback(b, k.handler, byToken, len(body)) })
	byKey := "GET /v3/tiles/map/1/1/0.mvt?key=" + k.keys["full"] + " HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAccept-Encoding: gzip\r\n" +
		fromPortal + "\r\n\r\n"
	b.Run("key", func(b *testing.B) { overLoopback(b, k.handler, byKey, len(body)) })
}

// overLoopback repeats a request over one connection per processor.
func overLoopback(b *testing.B, handler http.Handler, request string, size int) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(b, err)
	server := &http.Server{Handler: handler}
	go server.Serve(listener)
	defer server.Close()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			b.Error(err)
			return
		}
		defer conn.Close()
		answers := newAnswerReader(conn)
		for pb.Next() {
			if _, err := io.WriteString(conn, request); err != nil {
				b.Error(err)
				return
			}
			if got, err := answers.next(); err != nil || got != size {
				b.Errorf("%d bytes, want %d: %v", got, size, err)
				return
			}
		}
	})
}

// discard is a ResponseWriter that discards the body.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header            { return d.header }
func (d *discard) WriteHeader(int)                {}
func (d *discard) Write(body []byte) (int, error) { return len(body), nil }

// BenchmarkHandler times the handler without net/http.
func BenchmarkHandler(b *testing.B) {
	a := newPlacesAPI(b, func(o *serve.Options) {
		lines := monitor.NewLogWriter(io.Discard)
		b.Cleanup(func() { lines.Close() })
		o.AccessLog = lines
	})
	grow(b, a, 50_000)
	for _, c := range timed {
		b.Run(c.name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, c.url, nil)
			r.Header.Set("Authorization", "Bearer "+a.tokens["full"])
			r.Header.Set("Accept", "application/json")
			b.ReportAllocs()
			for b.Loop() {
				a.handler.ServeHTTP(&discard{http.Header{}}, r)
			}
		})
	}
}

// manyPlaces are private geographies of 1,000 customers, 100 of each, all over Vermont; "acme" is one of them. Around its own
// ones there are those of others only.
func manyPlaces() (all []servetest.PrivatePlace) {
	random := rand.New(rand.NewPCG(1, 2))
	for customer := range 1000 {
		name := fmt.Sprintf("customer %d", customer)
		if customer == 0 {
			name = "acme"
		}
		for range 100 {
			west, south, size := -73.4+1.8*random.Float64(), 44.0+0.9*random.Float64(), 0.005+0.03*random.Float64()
			if customer == 0 {
				west -= 0.02
			}
			all = append(all, servetest.PrivatePlace{
				ID: fmt.Sprintf("g10_p%09d", len(all)), Customer: name, Level: schemas.Neighbourhood, State: "US_VT", EN: "Territory", FR: "Territoire",
				Bare:    true,
				Outline: orb.MultiPolygon{orb.Bound{Min: orb.Point{west, south}, Max: orb.Point{west + size, south + size}}.ToPolygon()},
			})
		}
	}
	return all
}

// BenchmarkPrivate times look-ups beside private geographies: of a customer without any, of one with 100 where it has none and
// where it has one, of its own by id, and of ids that it must not see.
//
//	go test ./serve -run '^$' -bench Private -benchmem
func BenchmarkPrivate(b *testing.B) {
	places := manyPlaces()
	a := newAPIWith(b, "sqlite:"+filepath.Join(b.TempDir(), "state.sqlite"), servetest.Release{}, places)
	alone := newPlacesAPI(b)
	at := func(p orb.Point) string { return fmt.Sprintf("/v3/geographies?lat=%v&lng=%v", p[1], p[0]) }
	inOwn, outside := at(places[0].Outline.Bound().Center()), at(orb.Point{servetest.Lng, 44.95})
	for _, c := range []struct {
		name, who, url string
		on             *api
	}{
		{"point, no private ones", "acme", outside, alone},
		{"point, of a customer without", "full", outside, a},
		{"point, outside its own", "acme", outside, a},
		{"point, in its own, not served", "acme", inOwn, alone},
		{"point, in its own", "acme", inOwn, a},
		{"name", "acme", "/v3/geographies?name=soutville", a},
		{"name, no private ones", "acme", "/v3/geographies?name=soutville", alone},
		{"id of its own", "acme", "/v3/geographies/" + places[0].ID, a},
		{"id of another", "acme", "/v3/geographies/" + places[4321].ID, a},
		{"unknown id", "acme", "/v3/geographies/g10_x000004321", a},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, c.url, nil)
			r.Header.Set("Authorization", "Bearer "+c.on.tokens[c.who])
			b.ReportAllocs()
			for b.Loop() {
				c.on.handler.ServeHTTP(&discard{http.Header{}}, r)
			}
		})
	}
}
