package wkt_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

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

// worstCases are the longest texts of a limit that are the most costly to check for self-intersection.
func worstCases(limit int) map[string]string {
	comb := func(point func(i int) string) string {
		var b strings.Builder
		for i := 0; b.Len() < limit-100; i++ {
			fmt.Fprintf(&b, "%s,", point(i))
		}
		first, _, _ := strings.Cut(b.String(), ",")
		return "POLYGON((" + b.String() + "0 89,0 -9," + first + "))"
	}
	return map[string]string{
		"zigzag":          comb(func(i int) string { return fmt.Sprintf("%d %d.%03d", 10+i%2*80, i/1000, i%1000) }),
		"crossing zigzag": comb(func(i int) string { return fmt.Sprintf("%d %d", 10+i%2*80, i/20%90) }),
		"teeth": comb(func(i int) string {
			return fmt.Sprintf("%d.%03d 0,%d.%03d 9", 1+i/1000, i%1000, 1+i/1000, i%1000)
		}),
		"snake": comb(func(i int) string {
			x := 10 + i%169
			if i/169%2 == 1 {
				x = 178 - i%169
			}
			return fmt.Sprintf("%d %d", x, i/169-8)
		}),
		"one row": comb(func(i int) string { return fmt.Sprintf("%d 0", i%170) }),
	}
}

func TestWorstCasesAgreeWithComparingAllEdges(t *testing.T) {
	for name, text := range worstCases(limit) {
		ring, err := wkt.ParseRing(text, limit)
		if err != nil {
			t.Fatal(name, err)
		}
		want := name == "zigzag" || name == "teeth" || name == "snake"
		if got := wkt.SelfContact(ring); (got == "") != want || simpleByAllPairs(ring) != want {
			t.Errorf("%s: %q, simple %v", name, got, want)
		}
	}
}

// simpleByAllPairs compares every edge with every other one, in exact integers of the grid.
func simpleByAllPairs(ring orb.Ring) bool {
	var corners [][2]*big.Int
	for _, p := range ring {
		c := [2]*big.Int{big.NewInt(int64(math.Round(p[0] * 1e9))), big.NewInt(int64(math.Round(p[1] * 1e9)))}
		if n := len(corners); n == 0 || corners[n-1][0].Cmp(c[0]) != 0 || corners[n-1][1].Cmp(c[1]) != 0 {
			corners = append(corners, c)
		}
	}
	n := len(corners) - 1 // the last one is the first
	turn := func(a, b, c [2]*big.Int) int {
		p := new(big.Int).Mul(new(big.Int).Sub(b[0], a[0]), new(big.Int).Sub(c[1], a[1]))
		return p.Cmp(new(big.Int).Mul(new(big.Int).Sub(b[1], a[1]), new(big.Int).Sub(c[0], a[0])))
	}
	within := func(a, b, c [2]*big.Int) bool { // c, on the line through a and b, is between them
		between := func(k int) bool { return (c[k].Cmp(a[k]) <= 0) != (c[k].Cmp(b[k]) < 0) || c[k].Cmp(b[k]) == 0 }
		return between(0) && between(1)
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			a, b, c, d := corners[i], corners[i+1], corners[j], corners[j+1]
			p, q, r, s := turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
			touch := p == 0 && within(a, b, c) || q == 0 && within(a, b, d) || r == 0 && within(c, d, a) || s == 0 && within(c, d, b)
			switch {
			case j == i+1 && (n == 2 || q == 0 && (within(a, b, d) || within(c, d, a))):
				return false
			case i == 0 && j == n-1 && p == 0 && (within(a, b, c) || within(c, d, b)):
				return false
			case j > i+1 && !(i == 0 && j == n-1) && (touch || p*q < 0 && r*s < 0):
				return false
			}
		}
	}
	return n >= 3
}

// TestSelfContactAgreesWithComparingAllEdges has rings of few and of many corners on a small grid, where edges overlap, end on
// others and pass through corners, and simple ones.
func TestSelfContactAgreesWithComparingAllEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(2, 40).Draw(t, "size")
		coordinate := rapid.IntRange(0, size)
		ring := orb.Ring{}
		for range rapid.IntRange(3, 12).Draw(t, "points") {
			ring = append(ring, orb.Point{float64(coordinate.Draw(t, "x")), float64(coordinate.Draw(t, "y"))})
		}
		if rapid.Bool().Draw(t, "by angle") {
			center := orb.Point{float64(size)/2 + 0.3, float64(size)/2 + 0.1}
			slices.SortFunc(ring, func(p, q orb.Point) int {
				return cmp.Compare(math.Atan2(p[1]-center[1], p[0]-center[0]), math.Atan2(q[1]-center[1], q[0]-center[0]))
			})
		}
		ring = append(ring, ring[0])
		if got, want := wkt.SelfContact(ring), simpleByAllPairs(ring); (got == "") != want {
			t.Fatalf("%v: simple %v, SelfContact says %q", ring, want, got)
		}
	})
}

// TestManyEdgesUnderTheLine has rings of many long edges side by side, in any order from west to east, of which a few may touch.
func TestManyEdgesUnderTheLine(t *testing.T) {
	simple := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(30, 120).Draw(t, "teeth")
		ring := orb.Ring{{0, -5}}
		for i := range n {
			west, east := rapid.IntRange(1, 20).Draw(t, "west"), rapid.IntRange(21, 40).Draw(t, "east")
			ring = append(ring, orb.Point{float64(west), float64(4 * i)}, orb.Point{float64(east), float64(4*i + 2)})
		}
		for range rapid.IntRange(0, 2).Draw(t, "moved") {
			i := rapid.IntRange(1, 2*n).Draw(t, "corner")
			ring[i][1] += float64(rapid.SampledFrom([]int{-4, -2, 2, 4}).Draw(t, "by"))
		}
		ring = append(ring, orb.Point{0, float64(4*n + 5)}, ring[0])
		got, want := wkt.SelfContact(ring), simpleByAllPairs(ring)
		if (got == "") != want {
			t.Fatalf("%v: simple %v, SelfContact says %q", ring, want, got)
		}
		if want {
			simple++
		}
	})
	if simple == 0 {
		t.Error("no ring is simple")
	}
}

// BenchmarkWorstCases judges rings of the longest texts of a query and of a custom geography.
func BenchmarkWorstCases(b *testing.B) {
	for _, limit := range []int{limit, 100_000} {
		for name, text := range worstCases(limit) {
			ring, err := wkt.ParseRing(text, limit)
			if err != nil {
				b.Fatal(name, err)
			}
			b.Run(fmt.Sprintf("%s/%d", name, limit), func(b *testing.B) {
				for b.Loop() {
					wkt.SelfContact(ring)
				}
			})
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
