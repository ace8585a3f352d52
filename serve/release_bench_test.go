package serve_test

import (
	"database/sql"
	"flag"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // samples of the released files

	"quartier/schemas"
)

// releases is the folder of the releases that BenchmarkRelease asks, such as one that bench wrote.
var releases = flag.String("releases", "", "`folder` of releases for BenchmarkRelease")

// sampled are requests with what a query of a file of the release returns, 400 rows at most.
var sampled = []struct{ name, format, file, query string }{
	{"geographies at a point", "/v3/geographies?lat=%.6f&lng=%.6f", schemas.POIsFile, somePOIs},
	{"a geography", "/v3/geographies/%s", schemas.GeographiesFile, someGeographies},
	{"geographies by name", "/v3/geographies?name=%s", schemas.GeographiesFile, someBeginnings},
	{"geographies by name, one typing error", "/v3/geographies?name=%s", schemas.GeographiesFile, someErrors},
	{"500 POIs within 5 km", "/v3/enhanced-pois?lat=%.6f&lng=%.6f&radius=5000", schemas.POIsFile, somePOIs},
	{"counts within 5 km", "/v3/data?include=pois_count&lat=%.6f&lng=%.6f", schemas.POIsFile, somePOIs},
	{"18 scores at a point", "/v3/scores?lat=%.6f&lng=%.6f", schemas.POIsFile, somePOIs},
	{"scores of a geography", "/v3/scores/%s", schemas.GeographiesFile, someGeographies},
	{"typologies at a point", "/v3/typologies?lat=%.6f&lng=%.6f", schemas.POIsFile, somePOIs},
	{"people within 500 m", "/v3/demographics?lat=%.6f&lng=%.6f", schemas.POIsFile, somePOIs},
	{"people within 5 km", "/v3/demographics?lat=%.6f&lng=%.6f&radius=5000", schemas.POIsFile, somePOIs},
	{"people of a geography", "/v3/demographics/%s", schemas.GeographiesFile, someGeographies},
	{"schools within 5 km", "/v3/schools?lat=%.6f&lng=%.6f&radius=5000", schemas.POIsFile, somePOIs},
	{"a profile", "/v3/profiles/%s", schemas.GeographiesFile, someGeographies},
	{"snapshot of a point", "/v3/data?include=demographics,scores_all,measures_all,pois_count&lat=%.6f&lng=%.6f", schemas.POIsFile, somePOIs},
}

const (
	somePOIs = `SELECT ymin, xmin FROM idx_poi_geometry
		WHERE pkid % (SELECT max(1, count(*) / 400) FROM poi) = 0 ORDER BY pkid LIMIT 400`
	someGeographies = "SELECT geog_id FROM geography WHERE level <= 40 ORDER BY geog_id LIMIT 400"
	someBeginnings  = `SELECT DISTINCT substr(name_en, 1, 5) FROM geography
		WHERE substr(name_en, 1, 5) NOT GLOB '*[^A-Za-z]*' ORDER BY 1 LIMIT 400`
	someErrors = `SELECT replace(substr(name_en, 1, 6) || substr(name_en, 8), ' ', '+') FROM geography
		WHERE name_en NOT GLOB '*[^A-Za-z -]*' AND length(name_en) > 9 ORDER BY geog_id LIMIT 400`
)

// sample makes the requests of a row of sampled.
func sample(tb testing.TB, dir, format, file, query string) (targets []string) {
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, file)+"?mode=ro&immutable=1")
	must(tb, err)
	defer db.Close()
	rows, err := db.Query(query)
	must(tb, err)
	defer rows.Close()
	columns, err := rows.Columns()
	must(tb, err)
	for rows.Next() {
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		must(tb, rows.Scan(into...))
		targets = append(targets, fmt.Sprintf(format, values...))
	}
	must(tb, rows.Err())
	return targets
}

// processorTime is that of this process.
func processorTime(tb testing.TB) time.Duration {
	var used syscall.Rusage
	must(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// benchReleases serves the folder of -releases, and returns the folder of the places in it; without the flag the benchmark is
// skipped.
func benchReleases(b *testing.B) (a *api, places string) {
	if *releases == "" {
		b.Skip("no -releases")
	}
	a = &api{t: b, state: "sqlite:" + filepath.Join(b.TempDir(), "state.sqlite")}
	a.serve(*releases)
	places = filepath.Join(*releases, "places")
	if _, err := os.Stat(places); err != nil {
		places = *releases
	}
	return a, places
}

// BenchmarkRelease times the handler without net/http over a large release, whose data are not all in the processor's caches.
// The metric is the processor time of a request in the fastest round over all of them, which other programs change least.
//
//	go test ./serve -run '^$' -bench Release -cpu 1 -args -releases ../out/bench/endpoints
func BenchmarkRelease(b *testing.B) {
	a, places := benchReleases(b)
	for _, c := range sampled {
		b.Run(c.name, func(b *testing.B) {
			var requests []*http.Request
			for _, target := range sample(b, places, c.format, c.file, c.query) {
				if a.get("full", target).status != http.StatusOK {
					continue
				}
				r := httptest.NewRequest(http.MethodGet, target, nil)
				r.Header.Set("Authorization", "Bearer "+a.tokens["full"])
				r.Header.Set("Accept", "application/json")
				requests = append(requests, r)
			}
			if len(requests) == 0 {
				b.Skip("no answers")
			}
			b.ReportAllocs()
			w := &discard{http.Header{}}
			least, begun, i := math.Inf(1), processorTime(b), 0
			for b.Loop() {
				clear(w.header)
				a.handler.ServeHTTP(w, requests[i%len(requests)])
				if i++; i%len(requests) == 0 {
					now := processorTime(b)
					least, begun = min(least, float64(now-begun)/float64(len(requests))), now
				}
			}
			b.ReportMetric(least, "least-cpu-ns/op")
		})
	}
}
