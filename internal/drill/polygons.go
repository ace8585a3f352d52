package drill

import (
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"quartier/serve"
	"quartier/serve/servetest"
)

// convex draws a convex polygon of 4 to 40 corners around a point, as far as size degrees.
func convex(random *rand.Rand, lng, lat, size float64) (ring [][2]float64) {
	n := 4 + random.IntN(37)
	turn := random.Float64()
	east, north := size*(0.3+0.7*random.Float64()), size*(0.3+0.7*random.Float64())
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * (turn + (float64(i)+0.5*random.Float64())/float64(n)))
		ring = append(ring, [2]float64{lng + east*cos, lat + north*sin})
	}
	return append(ring, ring[0])
}

// polygonText is the WKT of a ring.
func polygonText(ring [][2]float64) string {
	var points []string
	for _, p := range ring {
		points = append(points, fmt.Sprintf("%.6f %.6f", p[0], p[1]))
	}
	return "POLYGON((" + strings.Join(points, ",") + "))"
}

// spoil makes a valid polygon invalid in one way. status is that of the answer.
type spoil struct {
	what   string
	status int
	do     func(random *rand.Rand, ring [][2]float64) string
}

var spoils = []spoil{
	{"a parenthesis is missing", 400, func(random *rand.Rand, ring [][2]float64) string {
		text := polygonText(ring)
		at := Pick(random, []int{7, 8, len(text) - 1, len(text) - 2})
		return text[:at] + text[at+1:]
	}},
	{"cut short", 400, func(random *rand.Rand, ring [][2]float64) string {
		text := polygonText(ring)
		return text[:1+random.IntN(len(text)-1)]
	}},
	{"not closed", 400, func(_ *rand.Rand, ring [][2]float64) string { return polygonText(ring[:len(ring)-1]) }},
	{"two corners exchanged", 400, func(random *rand.Rand, ring [][2]float64) string {
		i := 1 + random.IntN(len(ring)-3)
		ring[i], ring[i+1] = ring[i+1], ring[i]
		return polygonText(ring)
	}},
	{"there and back", 400, func(_ *rand.Rand, ring [][2]float64) string {
		return polygonText([][2]float64{ring[0], ring[1], ring[0]})
	}},
	{"around twice", 400, func(_ *rand.Rand, ring [][2]float64) string { return polygonText(append(ring, ring[1:]...)) }},
	{"a character that no number has", 400, func(random *rand.Rand, ring [][2]float64) string {
		text := polygonText(ring)
		at := strings.IndexByte(text[10+random.IntN(len(text)/2):], '.') + 12
		return text[:at] + Pick(random, []string{"e", "x", "+", "_", "é", "\x00", "\xff", ".", "(", ")"}) + text[at:]
	}},
	{"another kind", 400, func(random *rand.Rand, ring [][2]float64) string {
		rest := strings.TrimPrefix(polygonText(ring), "POLYGON")
		return Pick(random, []string{"MULTIPOLYGON(" + rest + ")", "LINESTRING" + rest, "POLYGON Z" + rest, "POLYGON EMPTY",
			"SRID=4326;POLYGON" + rest, "POLYGON" + rest + ";", " POLYGON" + rest})
	}},
	{"a hole", 400, func(_ *rand.Rand, ring [][2]float64) string {
		text := polygonText(ring)
		return text[:len(text)-1] + "," + strings.TrimPrefix(text, "POLYGON(")
	}},
	{"too long", 400, func(random *rand.Rand, ring [][2]float64) string {
		return polygonText(ring) + strings.Repeat(" ", 5000+random.IntN(1000))
	}},
	{"out of range", 422, func(random *rand.Rand, ring [][2]float64) string {
		by := Pick(random, [][2]float64{{-200, 0}, {300, 0}, {0, 60}, {0, -160}, {1000, 0}})
		for i := range ring {
			ring[i] = [2]float64{ring[i][0] + by[0], ring[i][1] + by[1]}
		}
		return polygonText(ring)
	}},
}

// Malformed draws a polygon that is invalid, with the status of the answer.
func Malformed(random *rand.Rand, lng, lat float64) (text, what string, status int) {
	s := Pick(random, spoils)
	return s.do(random, convex(random, lng, lat, 0.05)), s.what, s.status
}

// polygonTime is the time in which each polygon is answered.
const polygonTime = 5 * time.Millisecond

// Polygons sends polygons, valid and invalid, and checks status and shape, and that each is answered within 5 ms. A slow answer is
// asked for again, so that a machine that did something else does not count.
func Polygons(r *Run, wrap Wrap) (n int, longest time.Duration) {
	s := r.StartWorld(wrap, func(o *serve.Options) { o.Log = slog.New(slog.DiscardHandler) })
	contract := NewContract(r, []byte(s.Get("", "/openapi.json").Body))
	paths := []string{"/v3/enhanced-pois?limit=5&polygon=", "/v3/pois?include=cafes&polygon=", "/v3/schools?polygon=",
		"/v3/demographics?polygon="}
	for ; n == 0 || r.More(n); n++ {
		text, what, want := polygonText(convex(r.Random, servetest.Lng, servetest.NorthLat, 0.05)), "valid", http.StatusOK
		if r.Random.IntN(4) > 0 {
			text, what, want = Malformed(r.Random, servetest.Lng, servetest.NorthLat)
		}
		target := Pick(r.Random, paths) + url.QueryEscape(text)
		var got Answer
		var took []time.Duration
		for len(took) == 0 || slices.Min(took) > polygonTime && len(took) < 20 {
			begun := time.Now()
			got = s.Get("full", target)
			took = append(took, time.Since(begun))
		}
		if longest = max(longest, slices.Min(took)); slices.Min(took) > polygonTime {
			r.Fatalf("%s: answered within %v, at best of %d times: %.300s", what, slices.Min(took), len(took), text)
		}
		if got.Status != want && (want != http.StatusOK || got.Status != http.StatusNoContent) {
			r.Fatalf("%s: %d %.100s, want %d: %.300s", what, got.Status, got.Body, want, text)
		}
		contract.check(r, http.MethodGet, target, got)
	}
	return n, longest
}

// Slow is a planted fault: answers to one of two hundred polygons take 20 ms.
func Slow(right http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if query := r.URL.RawQuery; len(query)%200 == 77 {
			time.Sleep(20 * time.Millisecond)
		}
		right.ServeHTTP(w, r)
	})
}
