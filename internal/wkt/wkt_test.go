package wkt_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/geo"
	"quartier/internal/wkt"
)

const limit = 5000

// cases are texts with the error of Parse: nil, ErrMalformed or ErrRange.
var cases = []struct {
	name, text string
	want       error
}{
	{"triangle", "POLYGON ((0 0, 1 0, 0 1, 0 0))", nil},
	{"square", "POLYGON((0 0,1 0,1 1,0 1,0 0))", nil},
	{"lower case", "polygon((0 0,1 0,0 1,0 0))", nil},
	{"mixed case", "PoLyGoN((0 0,1 0,0 1,0 0))", nil},
	{"white space everywhere", "POLYGON \t\n( ( 0  0 ,\r\n1 0 , 0 1 , 0 0 ) )", nil},
	{"clockwise", "POLYGON((0 0,0 1,1 1,1 0,0 0))", nil},
	{"negative decimals", "POLYGON((-73.5 45.25,-73.4 45.25,-73.4 45.3,-73.5 45.25))", nil},
	{"leading zeros", "POLYGON((00 0,01.50 0,0 1,0 0))", nil},
	{"minus zero closes zero", "POLYGON((0 0,1 0,0 1,-0 0))", nil},
	{"many digits", "POLYGON((0.12345678901234567890 0,1 0,0 1,0.12345678901234567890 0))", nil},
	{"the whole world", "POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))", nil},
	{"repeated point", "POLYGON((0 0,1 0,1 0,0 1,0 0))", nil},
	{"point in line", "POLYGON((0 0,1 0,2 0,2 2,0 0))", nil},
	{"concave", "POLYGON((0 0,4 0,4 4,2 1,0 4,0 0))", nil},

	{"nothing", "", wkt.ErrMalformed},
	{"space", " ", wkt.ErrMalformed},
	{"keyword alone", "POLYGON", wkt.ErrMalformed},
	{"EMPTY", "POLYGON EMPTY", wkt.ErrMalformed},
	{"empty parentheses", "POLYGON()", wkt.ErrMalformed},
	{"empty ring", "POLYGON(())", wkt.ErrMalformed},
	{"one pair of parentheses", "POLYGON(0 0,1 0,0 1,0 0)", wkt.ErrMalformed},
	{"three pairs of parentheses", "POLYGON(((0 0,1 0,0 1,0 0)))", wkt.ErrMalformed},
	{"leading space", " POLYGON((0 0,1 0,0 1,0 0))", wkt.ErrMalformed},
	{"trailing space", "POLYGON((0 0,1 0,0 1,0 0)) ", wkt.ErrMalformed},
	{"trailing newline", "POLYGON((0 0,1 0,0 1,0 0))\n", wkt.ErrMalformed},
	{"trailing semicolon", "POLYGON((0 0,1 0,0 1,0 0));", wkt.ErrMalformed},
	{"trailing parenthesis", "POLYGON((0 0,1 0,0 1,0 0)))", wkt.ErrMalformed},
	{"trailing NUL", "POLYGON((0 0,1 0,0 1,0 0))\x00", wkt.ErrMalformed},
	{"two polygons", "POLYGON((0 0,1 0,0 1,0 0))POLYGON((0 0,1 0,0 1,0 0))", wkt.ErrMalformed},
	{"SRID", "SRID=4326;POLYGON((0 0,1 0,0 1,0 0))", wkt.ErrMalformed},
	{"MULTIPOLYGON", "MULTIPOLYGON(((0 0,1 0,0 1,0 0)))", wkt.ErrMalformed},
	{"POINT", "POINT(0 0)", wkt.ErrMalformed},
	{"LINESTRING", "LINESTRING(0 0,1 0,0 1,0 0)", wkt.ErrMalformed},
	{"GeoJSON", `{"type":"Polygon","coordinates":[[[0,0],[1,0],[0,1],[0,0]]]}`, wkt.ErrMalformed},
	{"POLYGON Z", "POLYGON Z((0 0 0,1 0 0,0 1 0,0 0 0))", wkt.ErrMalformed},
	{"POLYGON M", "POLYGON M((0 0 0,1 0 0,0 1 0,0 0 0))", wkt.ErrMalformed},
	{"three coordinates", "POLYGON((0 0 0,1 0 0,0 1 0,0 0 0))", wkt.ErrMalformed},
	{"one coordinate", "POLYGON((0,1,2,0))", wkt.ErrMalformed},
	{"a hole", "POLYGON((0 0,9 0,0 9,0 0),(1 1,2 1,1 2,1 1))", wkt.ErrMalformed},
	{"unclosed", "POLYGON((0 0,1 0,1 1,0 1))", wkt.ErrMalformed},
	{"nearly closed", "POLYGON((0 0,1 0,1 1,0 1,0 0.0000001))", wkt.ErrMalformed},
	{"three points", "POLYGON((0 0,1 0,0 0))", wkt.ErrMalformed},
	{"two points", "POLYGON((0 0,0 0))", wkt.ErrMalformed},
	{"one point", "POLYGON((0 0))", wkt.ErrMalformed},
	{"all points equal", "POLYGON((1 1,1 1,1 1,1 1))", wkt.ErrMalformed},
	{"a line there and back", "POLYGON((0 0,1 1,2 2,0 0))", wkt.ErrMalformed},
	{"bow tie", "POLYGON((0 0,1 1,1 0,0 1,0 0))", wkt.ErrMalformed},
	{"spike", "POLYGON((0 0,2 0,2 2,2 4,2 2,0 2,0 0))", wkt.ErrMalformed},
	{"touches its own corner", "POLYGON((0 0,2 0,1 1,2 2,0 2,1 1,0 0))", wkt.ErrMalformed},
	{"touches its own edge", "POLYGON((0 0,4 0,4 4,2 0,0 4,0 0))", wkt.ErrMalformed},
	{"runs along its own edge", "POLYGON((0 0,4 0,4 1,1 1,1 0,3 0,3 -1,0 -1,0 0))", wkt.ErrMalformed},
	{"twice around", "POLYGON((0 0,1 0,0 1,0 0,1 0,0 1,0 0))", wkt.ErrMalformed},
	{"NaN", "POLYGON((NaN 0,1 0,0 1,NaN 0))", wkt.ErrMalformed},
	{"Inf", "POLYGON((0 0,Inf 0,0 1,0 0))", wkt.ErrMalformed},
	{"infinity", "POLYGON((0 0,-infinity 0,0 1,0 0))", wkt.ErrMalformed},
	{"exponent", "POLYGON((0 0,1e1 0,0 1,0 0))", wkt.ErrMalformed},
	{"capital exponent", "POLYGON((0 0,1E1 0,0 1,0 0))", wkt.ErrMalformed},
	{"hexadecimal", "POLYGON((0 0,0x1 0,0 1,0 0))", wkt.ErrMalformed},
	{"hexadecimal float", "POLYGON((0 0,0x1p3 0,0 1,0 0))", wkt.ErrMalformed},
	{"underscore", "POLYGON((0 0,1_0 0,0 1,0 0))", wkt.ErrMalformed},
	{"plus sign", "POLYGON((0 0,+1 0,0 1,0 0))", wkt.ErrMalformed},
	{"two minus signs", "POLYGON((0 0,--1 0,0 1,0 0))", wkt.ErrMalformed},
	{"minus alone", "POLYGON((0 0,- 0,0 1,0 0))", wkt.ErrMalformed},
	{"no digit before the point", "POLYGON((0 0,.5 0,0 1,0 0))", wkt.ErrMalformed},
	{"no digit after the point", "POLYGON((0 0,5. 0,0 1,0 0))", wkt.ErrMalformed},
	{"two points in a number", "POLYGON((0 0,1.2.3 0,0 1,0 0))", wkt.ErrMalformed},
	{"decimal comma", "POLYGON((0 0,1,5 0,0 1,0 0))", wkt.ErrMalformed},
	{"two commas", "POLYGON((0 0,,1 0,0 1,0 0))", wkt.ErrMalformed},
	{"trailing comma", "POLYGON((0 0,1 0,0 1,0 0,))", wkt.ErrMalformed},
	{"leading comma", "POLYGON((,0 0,1 0,0 1,0 0))", wkt.ErrMalformed},
	{"semicolons", "POLYGON((0 0;1 0;0 1;0 0))", wkt.ErrMalformed},
	{"Arabic digits", "POLYGON((0 0,١ 0,0 1,0 0))", wkt.ErrMalformed},
	{"no-break space", "POLYGON((0\u00a00,1 0,0 1,0 0))", wkt.ErrMalformed},
	{"invalid UTF-8", "POLYGON((0 0,\xff 0,0 1,0 0))", wkt.ErrMalformed},
	{"cut in the middle", "POLYGON((0 0,1 0,0 1,0", wkt.ErrMalformed},
	{"one parenthesis short", "POLYGON((0 0,1 0,0 1,0 0)", wkt.ErrMalformed},
	{"over the limit", "POLYGON((0 0,1 0,0 1,0 0" + strings.Repeat(" ", limit) + "))", wkt.ErrMalformed},

	{"longitude over 180", "POLYGON((0 0,180.0001 0,0 1,0 0))", wkt.ErrRange},
	{"longitude under -180", "POLYGON((0 0,-181 0,0 1,0 0))", wkt.ErrRange},
	{"latitude over 90", "POLYGON((0 0,1 0,0 90.5,0 0))", wkt.ErrRange},
	{"latitude under -90", "POLYGON((0 0,1 0,0 -91,0 0))", wkt.ErrRange},
	{"latitude first", "POLYGON((45 -122,45.1 -122,45 -122.1,45 -122))", wkt.ErrRange},
	{"beyond every float", "POLYGON((0 0," + strings.Repeat("9", 400) + " 0,0 1,0 0))", wkt.ErrRange},
	{"out of range and crossing", "POLYGON((0 0,200 1,200 0,0 1,0 0))", wkt.ErrMalformed},
	{"out of range and without area", "POLYGON((0 0,200 0,100 0,0 0))", wkt.ErrMalformed},
	{"far out of range", "POLYGON((0 0,9999999999 1,9999999999 0,0 1,0 0))", wkt.ErrRange},
	{"out of range and unclosed", "POLYGON((0 0,200 0,0 1,1 1))", wkt.ErrMalformed},
}

func TestParse(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ring, err := wkt.Parse(c.text, limit)
			if !errors.Is(err, c.want) {
				t.Fatalf("Parse(%.80q) = %v, want %v", c.text, err, c.want)
			}
			if err == nil && ring == nil || errors.Is(err, wkt.ErrMalformed) && ring != nil {
				t.Fatalf("Parse(%.80q) = %v with error %v", c.text, ring, err)
			}
		})
	}
}

func TestParseReadsLongitudeFirst(t *testing.T) {
	ring, err := wkt.Parse("POLYGON ((-72.8 45.25, -72.7 45.25, -72.75 45.5, -72.8 45.25))", limit)
	if err != nil {
		t.Fatal(err)
	}
	want := orb.Ring{{-72.8, 45.25}, {-72.7, 45.25}, {-72.75, 45.5}, {-72.8, 45.25}}
	if !ring.Equal(want) {
		t.Fatalf("%v, want %v", ring, want)
	}
}

func TestErrorsHaveThePosition(t *testing.T) {
	for text, want := range map[string]string{
		"POLYGON((0 0,1 0,x 1,0 0))":                  "character 18",
		"POLYGON((0 0,1 0,0 1,0 0))x":                 "character 27",
		"POLYGON((0 0,9 0,0 9,0 0),(1 1,2 1,1 2))":    "holes are not supported",
		"POLYGON((0 0,1 0,1 1,0 1))":                  "not closed",
		"POLYGON((0 0,2 2,2 0,0 2,0 0))":              "crosses itself",
		"POLYGON((0 0,1 0,0 95.5,0 0))":               "latitude 95.5",
		"POLYGON((0 0,1 0," + strings.Repeat("x", 99): "character 18",
	} {
		_, err := wkt.Parse(text, limit)
		if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 200 {
			t.Errorf("Parse(%.60q) = %v, want an error with %q", text, err, want)
		}
	}
}

// TestWorstCases limits the time for the longest texts that are the most costly to check for self-intersection.
func TestWorstCases(t *testing.T) {
	comb := func(point func(i int) string) string {
		var b strings.Builder
		for i := 0; b.Len() < limit-100; i++ {
			fmt.Fprintf(&b, "%s,", point(i))
		}
		return "POLYGON((" + point(0) + "," + b.String() + "0 -9," + point(0) + "))"
	}
	for name, text := range map[string]string{
		"zigzag":  comb(func(i int) string { return fmt.Sprintf("%d %d", i%2*90, i/20) }),
		"teeth":   comb(func(i int) string { return fmt.Sprintf("%d.%d 0,%d.%d 9", i/10, i%10, i/10, i%10) }),
		"one row": comb(func(i int) string { return fmt.Sprintf("%d 0", i%170) }),
	} {
		start := time.Now()
		wkt.Parse(text, limit)
		if spent := time.Since(start); spent > 500*time.Millisecond { // it takes 1 to 5 ms
			t.Errorf("%s: %v", name, spent)
		}
	}
}

// star draws a simple ring: its points are at increasing angles around a centre.
func star(t *rapid.T) orb.Ring {
	n := rapid.IntRange(3, 40).Draw(t, "points")
	lng, lat := rapid.Float64Range(-100, 100).Draw(t, "lng"), rapid.Float64Range(-40, 40).Draw(t, "lat")
	var ring orb.Ring
	for i := range n {
		radius := rapid.Float64Range(0.5, 20).Draw(t, "radius")
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		ring = append(ring, orb.Point{lng + radius*cos, lat + radius*sin})
	}
	return append(ring, ring[0])
}

func text(ring orb.Ring) string {
	var parts []string
	for _, p := range ring {
		parts = append(parts, fmt.Sprintf("%.12f %.12f", p[0], p[1]))
	}
	return "POLYGON((" + strings.Join(parts, ", ") + "))"
}

func TestSimpleRingsPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ring := star(t)
		got, err := wkt.Parse(text(ring), 1<<20)
		if err != nil {
			t.Fatalf("%v in %s", err, text(ring))
		}
		for i := range ring {
			if math.Abs(got[i][0]-ring[i][0]) > 1e-12 || math.Abs(got[i][1]-ring[i][1]) > 1e-12 {
				t.Fatalf("point %d is %v, want %v", i, got[i], ring[i])
			}
		}
	})
}

// TestAgreesWithGeometry compares the check for self-contact with that of package geo, on integers, which the grid does
// not round.
func TestAgreesWithGeometry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.IntRange(0, 6)
		var ring orb.Ring
		for range rapid.IntRange(3, 9).Draw(t, "points") {
			p := orb.Point{float64(coordinate.Draw(t, "x")), float64(coordinate.Draw(t, "y"))}
			if len(ring) == 0 || ring[len(ring)-1] != p {
				ring = append(ring, p)
			}
		}
		ring = append(ring, ring[0])
		if len(ring) < 4 || ring[len(ring)-2] == ring[0] {
			t.Skip("a repeated point, which the two take differently")
		}
		_, err := wkt.Parse(text(ring), limit)
		if simple := geo.RingIsSimple(ring); simple != (err == nil) {
			t.Fatalf("%v: simple %v, Parse returns %v", ring, simple, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, c := range cases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ring, err := wkt.Parse(text, limit)
		if err != nil {
			if !errors.Is(err, wkt.ErrMalformed) && !errors.Is(err, wkt.ErrRange) {
				t.Fatalf("%v has no kind", err)
			}
			return
		}
		if len(ring) < 4 || !ring.Closed() {
			t.Fatalf("%q gave %v", text, ring)
		}
		for _, p := range ring {
			if !(math.Abs(p[0]) <= 180) || !(math.Abs(p[1]) <= 90) {
				t.Fatalf("%q gave %v", text, p)
			}
		}
	})
}
