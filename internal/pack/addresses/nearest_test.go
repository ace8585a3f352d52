package addresses

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/address"
	"quartier/internal/coord"
	"quartier/internal/geo"
)

func TestSuggest(t *testing.T) {
	table := table(t, first(town()), second(town()))
	perth := metres(70000, -50000)
	for _, c := range []struct {
		typed string
		near  *coord.Point
		want  string
	}{
		{"104 ma", nil, "104 Main St, Ottawa, ON K1A 0B1; 104 Main St, Perth, ON K7H 1A1"},
		{"104 ma", &perth, "104 Main St, Perth, ON K7H 1A1; 104 Main St, Ottawa, ON K1A 0B1"},
		{"104 main st per", nil, "104 Main St, Perth, ON K7H 1A1"},
		{"104 main st, ott", nil, "104 Main St, Ottawa, ON K1A 0B1"},
		{"12 égl", nil, "12 rue de l'Église, Gatineau, QC J8X 1A1"},
		{"12 rue de l'égl", nil, "12 rue de l'Église, Gatineau, QC J8X 1A1"},
		{"rideau", nil, "Rideau St E, Ottawa, ON; Rideau St W, Ottawa, ON"},
		{"9 zzz", nil, ""},
		{"", nil, ""},
	} {
		var s Suggestions
		table.Suggest(c.typed, c.near, 5, nil, &s)
		var texts []string
		for _, m := range s.Matches {
			texts = append(texts, m.Text)
		}
		if got := strings.Join(texts, "; "); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.typed, got, c.want)
		}
	}
}

// TestNearest compares the nearest address with that of a look at all of them.
func TestNearest(t *testing.T) {
	records, _ := town()
	table := table(t, records, nil)
	rapid.Check(t, func(r *rapid.T) {
		from := metres(rapid.Float64Range(-4000, 4000).Draw(r, "east"), rapid.Float64Range(-1000, 3000).Draw(r, "north"))
		radius := rapid.Float64Range(1, 3000).Draw(r, "radius")
		lng, lat := from.Degrees()
		var n Nearby
		match, metres, found := table.Nearest(lng, lat, radius, &n)
		least := radius
		for i := range uint32(table.Len()) { // without the records of an address that another one has
			p, _ := table.point(i)
			least = min(least, geo.Distance(from.Orb(), p.Orb()))
		}
		near := .2 + least/1000
		if found != (least < radius) && math.Abs(least-radius) > near || found && math.Abs(metres-least) > near {
			r.Fatalf("%v: %s at %.1f m, %v, but %.1f", from, match.Text, metres, found, least)
		}
	})
}

// TestOrderOfRecords writes the same records in other orders: the tables are equal.
func TestOrderOfRecords(t *testing.T) {
	records, ranges := town()
	var want string
	for seed := range uint64(3) {
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		table := table(t, records, ranges)
		var lines []string
		for i := range uint32(table.Len()) {
			p, _ := table.point(i)
			lines = append(lines, fmt.Sprint(table.Text(i, true), p))
		}
		if got := strings.Join(lines, "\n"); want == "" {
			want = got
		} else if got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	records, lines := hamilton(b)
	table := table(b, records, nil)
	for _, way := range []struct {
		name  string
		write func(string) string
	}{{"exact", strings.Clone}, {"one error", misspelled}} {
		b.Run(way.name, func(b *testing.B) {
			var f Found
			for i := range b.N {
				table.Find(&Query{Address: address.Read(way.write(lines[i%len(lines)].line)), Level: Place}, &f)
			}
		})
	}
	b.Run("suggest", func(b *testing.B) {
		var s Suggestions
		for i := range b.N {
			table.Suggest(lines[i%len(lines)].line[:9], nil, 5, nil, &s)
		}
	})
	b.Run("nearest", func(b *testing.B) {
		var n Nearby
		for i := range b.N {
			lng, lat := lines[i%len(lines)].at.Degrees()
			table.Nearest(lng+.0003, lat, 200, &n)
		}
	})
}
