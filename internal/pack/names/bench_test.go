package names

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"quartier/internal/pack"
	"quartier/schemas"
)

// packFile and queryFile are what BenchmarkFile reads.
var (
	packFile  = flag.String("pack", "", "`file` with an index of names, such as geographies.pack of a release")
	queryFile = flag.String("queries", "", "`file` with queries, one a line")
)

// BenchmarkFile searches the names of a release. The metric is the processor time of a search in the fastest round over all
// queries, which other programs change least; sum is that of what was found, to compare programs.
//
//	go test ./internal/pack/names -run '^$' -bench File -cpu 1 -args -pack geographies.pack -queries names.txt
func BenchmarkFile(b *testing.B) {
	if *packFile == "" {
		b.Skip("no -pack")
	}
	file, err := pack.Open(*packFile)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	x, err := Open(file)
	if err != nil {
		b.Fatal(err)
	}
	text, err := os.ReadFile(*queryFile)
	if err != nil {
		b.Fatal(err)
	}
	queries := strings.Split(strings.TrimSpace(string(text)), "\n")
	var r Result
	sum := fnv.New32a()
	for _, q := range queries {
		x.Search(&Query{Name: q, Limit: 5}, &r)
		fmt.Fprintln(sum, r.Matches)
	}
	b.ReportAllocs()
	least, begun, i := math.Inf(1), processorTime(b), 0
	for b.Loop() {
		x.Search(&Query{Name: queries[i%len(queries)], Limit: 5}, &r)
		if i++; i%len(queries) == 0 {
			now := processorTime(b)
			least, begun = min(least, float64(now-begun)/float64(len(queries))), now
		}
	}
	b.ReportMetric(least, "least-cpu-ns/op")
	b.ReportMetric(float64(sum.Sum32()), "sum")
}

// processorTime is that of this process.
func processorTime(tb testing.TB) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// gazetteer makes n geographies with names like North American ones, in two languages.
func gazetteer(n int) []Entry {
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(of []string) string { return of[random.IntN(len(of))] }
	before := strings.Fields("Saint- Sainte- North South East West New Old Fort Lake Mount Port Upper Lower Grand Little Spring Oak Green " +
		"Clear Cedar Maple Notre-Dame-de- Lac- Rivière- Baie- Mont-")
	onset := strings.Fields("b br c ch cl d f fr g gr h j k l m n p pl r s sh st t th tr v w wh")
	vowel := strings.Fields("a e i o u ai ea ee oo ou é au")
	coda := strings.Fields("n r l s t ck nd rd st m lle x ng")
	after := strings.Fields("ville ton burg field wood ford land dale port mont view side City Heights Park Village Beach Hills Station " +
		"Junction -sur-Mer -du-Lac")
	word := func() string {
		var s strings.Builder
		for range 1 + random.IntN(3) {
			s.WriteString(pick(onset) + pick(vowel))
			if random.IntN(2) == 0 {
				s.WriteString(pick(coda))
			}
		}
		return s.String()
	}
	name := func() string {
		s := word()
		if random.IntN(3) == 0 {
			s = pick(before) + " " + s
		}
		if random.IntN(2) == 0 {
			s += pick(after)
		}
		return s
	}
	entries := make([]Entry, n)
	for i := range entries {
		entries[i] = Entry{
			Index: uint32(i), ID: fmt.Sprintf("g30_%09d", i), Level: schemas.Levels[random.IntN(8)], Regions: []string{"US_OR"},
			Name: schemas.Text{EN: name(), FR: name()}, Population: random.Int64N(1e6),
		}
	}
	return entries
}

// typos are names with one typing error each.
func typos(entries []Entry, n int) []string {
	random := rand.New(rand.NewPCG(5, 6))
	var names []string
	for range n {
		runes := []rune(entries[random.IntN(len(entries))].Name.EN)
		at := random.IntN(len(runes) - 1)
		switch random.IntN(4) {
		case 0:
			runes = slices.Insert(runes, at, 'e')
		case 1:
			runes = slices.Delete(runes, at, at+1)
		case 2:
			runes[at] = 'o'
		case 3:
			runes[at], runes[at+1] = runes[at+1], runes[at]
		}
		names = append(names, string(runes))
	}
	return names
}

func BenchmarkSearch(b *testing.B) {
	entries := gazetteer(150_000) // 300,000 names
	file := fill(b, entries)
	x, err := Open(file)
	if err != nil {
		b.Fatal(err)
	}
	queries := typos(entries, 1000)
	for _, c := range []struct {
		name   string
		search func(*Query, *Result)
		change func(string) string
	}{
		{"one typing error", x.Search, func(s string) string { return s }},
		{"first four letters", x.Search, func(s string) string { return s[:min(4, len(s))] }},
		{"first letter", x.Search, func(s string) string { return s[:1] }},
		{"with a state", x.Search, func(s string) string { return s + ", Oregon" }},
		{"letters, nothing admitted", func(q *Query, r *Result) {
			q.Admit = func(int) bool { return false }
			x.Search(q, r)
		}, func(s string) string { return "s " + s[:1] + " t a, o" }},
		{"exhaustive", x.SearchAll, func(s string) string { return s }},
	} {
		b.Run(c.name, func(b *testing.B) {
			var r Result
			found := 0
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				c.search(&Query{Name: c.change(queries[i%len(queries)]), Limit: 5}, &r)
				found += len(r.Matches)
			}
			b.ReportMetric(float64(found)/float64(b.N), "found/op")
			b.ReportMetric(float64(file.Size())/1e6, "MB")
		})
	}
}

// BenchmarkGrowth searches ten times as many names.
func BenchmarkGrowth(b *testing.B) {
	for _, geographies := range []int{50_000, 500_000} {
		entries := gazetteer(geographies)
		file := fill(b, entries)
		x, err := Open(file)
		if err != nil {
			b.Fatal(err)
		}
		queries := typos(entries, 1000)
		for _, c := range []struct {
			name   string
			change func(string) string
		}{
			{"one typing error", func(s string) string { return s }},
			{"first four letters", func(s string) string { return s[:min(4, len(s))] }},
			{"with a state", func(s string) string { return s + ", Oregon" }},
		} {
			b.Run(fmt.Sprintf("%s, %d names", c.name, 2*geographies), func(b *testing.B) {
				var r Result
				least, begun, i := math.Inf(1), processorTime(b), 0
				for b.Loop() {
					x.Search(&Query{Name: c.change(queries[i%len(queries)]), Limit: 5}, &r)
					if i++; i%len(queries) == 0 {
						now := processorTime(b)
						least, begun = min(least, float64(now-begun)/float64(len(queries))), now
					}
				}
				b.ReportMetric(least, "least-cpu-ns/op")
			})
		}
	}
}

// TestRecall compares Search with SearchAll on more names than the property test draws.
func TestRecall(t *testing.T) {
	entries := gazetteer(20_000)
	x := open(t, entries)
	var fast, slow Result
	for _, name := range typos(entries, 60) {
		q := Query{Name: name, Limit: 5}
		x.Search(&q, &fast)
		x.SearchAll(&q, &slow)
		if !slices.Equal(fast.Matches, slow.Matches) {
			t.Errorf("%q: %v, want %v", name, fast.Matches, slow.Matches)
		}
	}
}
