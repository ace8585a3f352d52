package attack

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"strings"

	"quartier/schemas"
	"quartier/schemas/market"
)

// World is what a release has, to be asked for at its most expensive.
type World struct {
	Points      [][2]float64 // longitude and latitude of POIs
	Geographies []string     // geog_ids of all levels
	Below       []string     // of those up to metros
	Names       []string     // of geographies
	Profiles    []string     // geog_ids
	Market      []string     // geog_ids
	Intervals   []string     // of market statistics
}

// Request is a request with a body if that is not "".
type Request struct {
	Target, Body string
	Headers      []string
}

// Kind is a kind of request to an operation, with those that may cost it most.
type Kind struct {
	Name     string
	Requests []Request
}

// Worst are the most expensive requests that are known, by operation.
func Worst(w *World) []Kind {
	all := func(format string, ids []string, headers ...string) (out []Request) {
		for _, id := range ids {
			out = append(out, Request{Target: fmt.Sprintf(format, id), Headers: headers})
		}
		return out
	}
	return []Kind{
		{"geographies at a point with outlines", w.at("/v3/geographies?include=geometry")},
		{"the same, gzip", w.at("/v3/geographies?include=geometry", "Accept-Encoding: gzip")},
		{"the same, zstd alone", w.at("/v3/geographies?include=geometry", "Accept-Encoding: zstd")},
		{"a geography with its outline", all("/v3/geographies/%s?include=geometry", w.Geographies)},
		{"the same, gzip", all("/v3/geographies/%s?include=geometry", w.Geographies, "Accept-Encoding: gzip")},
		{"geographies by name", queries("/v3/geographies?limit=50&name=", w.hostileNames())},
		{"500 POIs within 25 km", w.at("/v3/enhanced-pois?radius=25000")},
		{"the same, gzip", w.at("/v3/enhanced-pois?radius=25000", "Accept-Encoding: gzip")},
		{"POIs of 1,000 brands", w.at("/v3/enhanced-pois?radius=25000&brands=" + list(1000, "brand"))},
		{"POIs in a polygon", w.in("/v3/enhanced-pois?polygon=", 0.4, polygons)},
		{"POIs of a polygon that is malformed", w.in("/v3/enhanced-pois?polygon=", 0.4, malformed)},
		{"POIs in and around a geography", all("/v3/enhanced-pois/%s?buffer=10000", w.Below)},
		{"base POIs of all categories", w.at("/v3/pois?limit=30&radius=25000&include=" + baseCategories)},
		{"base POIs in a polygon", w.in("/v3/pois?limit=500&include=restaurants&polygon=", 0.4, polygons)},
		{"people within 28 km", w.at("/v3/demographics?radius=17000")},
		{"people in a polygon", w.in("/v3/demographics?polygon=", 0.17, polygons)},
		{"people of a geography", all("/v3/demographics/%s", w.Below)},
		{"schools within 25 km", w.at("/v3/schools?radius=25000&include_catchments=true")},
		{"schools in a polygon", w.in("/v3/schools?polygon=", 0.17, polygons)},
		{"18 scores at a point", w.at("/v3/scores?")},
		{"scores of a geography", all("/v3/scores/%s", w.Below)},
		{"typologies at a point", w.at("/v3/typologies?")},
		{"snapshot of a point", w.at("/v3/data?include=demographics,scores_all,measures_all,pois_count&radius=17000")},
		{"a profile", all("/v3/profiles/%s", w.Profiles)},
		{"market statistics", all("/v3/market-stats/%s?intervals="+strings.Join(w.Intervals, ",")+"&property_types="+propertyTypes, w.Market)},
		{"a request for a custom geography", customBodies()},
		{"a token", tokenBodies()},
		{"parameters that are refused", refusedQueries()},
		{"the document", []Request{{Target: "/openapi.json", Headers: []string{"Accept-Encoding: gzip"}}}},
	}
}

var (
	baseCategories = strings.Join(schemas.CategoryIDs(schemas.BaseCategories), ",")
	propertyTypes  = strings.Join(market.TypeNames(), ",")
)

// at asks at all points.
func (w *World) at(target string, headers ...string) (out []Request) {
	for _, p := range w.Points {
		out = append(out, Request{Target: fmt.Sprintf("%s&lat=%.6f&lng=%.6f", target, p[1], p[0]), Headers: headers})
	}
	return out
}

// in asks in shapes around some points, of a width and height in degrees.
func (w *World) in(target string, size float64, shapes func(lng, lat, size float64) []string) (out []Request) {
	for i := 0; i < len(w.Points); i += 1 + len(w.Points)/20 {
		out = append(out, queries(target, shapes(w.Points[i][0], w.Points[i][1], size))...)
	}
	return out
}

func queries(target string, values []string) (out []Request) {
	for _, v := range values {
		out = append(out, Request{Target: target + url.QueryEscape(v)})
	}
	return out
}

// maxPolygon is the longest polygon that operations take, in characters.
const maxPolygon = 5000

// polygons are polygons of nearly 5,000 characters: teeth from north to south, slanted and from west to east, a star and a
// spiral.
func polygons(lng, lat, size float64) (texts []string) {
	for _, ring := range [][][2]float64{teeth(maxPolygon/36-2, false), teeth(maxPolygon/36-2, true), slanted(teeth(maxPolygon/36-2, false)),
		star(maxPolygon/18 - 4), spiral(maxPolygon/36 - 1)} {
		texts = append(texts, wkt(ring, lng, lat, size))
	}
	return texts
}

// malformed are such polygons with what is wrong at their end.
func malformed(lng, lat, size float64) (texts []string) {
	for _, text := range polygons(lng, lat, size) {
		inner := strings.TrimSuffix(text, "))")
		cut := strings.LastIndexByte(inner, ',')
		last := strings.LastIndexByte(inner[:cut], ',')
		texts = append(texts, text[:len(text)-1], text+"x", inner[:cut]+"))", inner+","+inner[last+1:cut]+inner[cut:]+"))",
			strings.Replace(text, "((", "(("+strings.Repeat(" ", maxPolygon-len(text)), 1))
	}
	return append(texts, "POLYGON(("+strings.Repeat("9", maxPolygon-20), "POLYGON((0."+strings.Repeat("1", maxPolygon-20),
		"POLYGON(("+strings.Repeat("1 1,", 1240)+"1 1))", strings.Repeat("(", maxPolygon))
}

// wkt writes a ring of the unit square as a polygon around a place.
func wkt(ring [][2]float64, lng, lat, size float64) string {
	points := make([]string, len(ring))
	for i, p := range ring {
		points[i] = fmt.Sprintf("%.4f %.4f", lng+(p[0]-0.5)*size, lat+(p[1]-0.5)*size)
	}
	return "POLYGON((" + strings.Join(append(points, points[0]), ",") + "))"
}

// teeth is a comb.
func teeth(n int, across bool) (ring [][2]float64) {
	ring = append(ring, [2]float64{0, 0})
	for i := range n {
		at := float64(i) / float64(n)
		ring = append(ring, [2]float64{at, 1}, [2]float64{at + 0.5/float64(n), 0.03})
	}
	ring = append(ring, [2]float64{1, 1}, [2]float64{1, 0})
	if across {
		for i, p := range ring {
			ring[i] = [2]float64{p[1], p[0]}
		}
	}
	return ring
}

// slanted leans a ring to the east by its height.
func slanted(ring [][2]float64) [][2]float64 {
	for i, p := range ring {
		ring[i][0] = (p[0] + p[1]) / 2
	}
	return ring
}

func star(n int) (ring [][2]float64) {
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		far := 0.5 - 0.45*float64(i%2)
		ring = append(ring, [2]float64{0.5 + far*cos, 0.5 + far*sin})
	}
	return ring
}

// spiral is a band that winds around the middle.
func spiral(n int) (ring [][2]float64) {
	const turns = 8
	for side := range 2 {
		for k := range n {
			i := k
			if side == 1 {
				i = n - 1 - k
			}
			t := float64(i) / float64(n-1)
			sin, cos := math.Sincos(2 * math.Pi * turns * t)
			far := 0.05 + 0.42*t + 0.02*float64(side)
			ring = append(ring, [2]float64{0.5 + far*cos, 0.5 + far*sin})
		}
	}
	return ring
}

// hostileNames are names of at most 256 characters that are like many others, or like none.
func (w *World) hostileNames() (names []string) {
	random := rand.New(rand.NewPCG(1, 2))
	cut := func(s string) string {
		runes := []rune(s)
		return string(runes[:min(len(runes), 256)])
	}
	for i, name := range w.Names {
		misspelt := []byte(name)
		for range 3 {
			misspelt[random.IntN(len(misspelt))] = byte('a' + random.IntN(26))
		}
		other := w.Names[random.IntN(len(w.Names))]
		text := strings.ToValidUTF8(string(misspelt), "e")
		names = append(names, text, text+", "+other+", Ontario", text+" "+other)
		if i%10 == 0 {
			names = append(names, cut(strings.Repeat(text+" ", 60)), cut(strings.Repeat(text+", ", 60)), cut(strings.Repeat(name+" ", 60)))
		}
	}
	for _, piece := range []string{"a ", "e", "an ", "st ", "saint ", "de la ", "county of ", "new ", "north ", "e, ", "ab, "} {
		for _, length := range []int{1, 4, 20, 60, 256} {
			names = append(names, cut(strings.Repeat(piece, 256)[:length]))
		}
	}
	return names
}

func list(n int, prefix string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return strings.Join(items, ",")
}

// customBodies are bodies of 250 kB and such with boundaries of 100,000 characters, none of which is accepted.
func customBodies() (out []Request) {
	const most, body = 100_000, 250_000
	form := `{"name_en":"x","type":"neighborhood","boundaries":"%s"}`
	long := strings.Repeat("-72.12345678901 45.12345678901,", most/31)
	bodies := []string{
		fmt.Sprintf(form, "POLYGON(("+long[:len(long)-1]),
		fmt.Sprintf(form, wkt(append(teeth(most/35, false), [2]float64{0.5, 2}), -72.8, 45.2, 0.4)),
		fmt.Sprintf(form, wkt(teeth(most/35, true), -72.8, 45.2, 5)),
		fmt.Sprintf(form, strings.Repeat(`\u0031`, 40_000)),
		strings.Repeat("[", body), strings.Repeat(`{"a":`, body/5), strings.Repeat(" ", body),
		`{` + strings.Repeat(`"a":1,`, body/6-2) + `"b":2}`,
	}
	for _, b := range bodies {
		out = append(out, Request{Target: "/v3/geographies/custom", Body: b, Headers: []string{"Content-Type: application/json"}})
	}
	return out
}

func tokenBodies() (out []Request) {
	for _, b := range []string{`{"client_id":"x","client_secret":"y"}`, strings.Repeat("[", 4000),
		"{" + strings.Repeat(`"a":1,`, 600) + `"b":2}`} {
		out = append(out, Request{Target: "/oauth/token", Body: b, Headers: []string{"Content-Type: application/json"}})
	}
	return out
}

// refusedQueries are queries as long as headers may be.
func refusedQueries() []Request {
	const most = 31_000
	return []Request{
		{Target: "/v3/geographies?name=" + strings.Repeat("x", most)},
		{Target: "/v3/geographies?" + strings.Repeat("a&", most/2)},
		{Target: "/v3/geographies?" + strings.Repeat("lat=1&", most/6)},
		{Target: "/v3/geographies?lat=" + strings.Repeat("9", most) + "&lng=1"},
		{Target: "/v3/geographies?lat=0." + strings.Repeat("1", most) + "&lng=1"},
		{Target: "/v3/geographies?name=" + strings.Repeat("%E2%82", most/6)},
		{Target: "/v3/enhanced-pois?lat=1&lng=1&brands=" + strings.Repeat(",", most)},
		{Target: "/v3/enhanced-pois?lat=1&lng=1&brands=" + strings.Repeat("a,", most/2)},
		{Target: "/v3/" + strings.Repeat("x/", most/2)},
		{Target: "/v3/" + strings.Repeat("%2F", most/3)},
		{Target: "/v3/geographies", Headers: []string{"If-None-Match: " + strings.Repeat(`"a",`, most/4)}},
		{Target: "/v3/geographies?lat=1&lng=1", Headers: []string{"Accept: " + strings.Repeat("a/b;q=1,", most/8)}},
		{Target: "/v3/geographies?lat=1&lng=1", Headers: []string{"Accept-Encoding: " + strings.Repeat("gzip;q=1,", most/9)}},
		{Target: "/v3/geographies?lat=1&lng=1", Headers: []string{"X-Forwarded-For: " + strings.Repeat("1.1.1.1,", most/8)}},
		{Target: "/v3/geographies?lat=1&lng=1", Headers: []string{"Traceparent: " + strings.Repeat("0", most)}},
	}
}
