package pois

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/pack/packtest"
	"quartier/schemas"
)

var (
	benchPOIs  = flag.Int("pois", 1_000_000, "POIs of the benchmarks")
	benchTowns = flag.Int("towns", 300, "towns that they are in")
)

// towns makes n POIs in towns, dense in the middle, with the attributes of real ones.
func towns(n int) (records []Record, centres []orb.Point) {
	records = make([]Record, 0, n)
	centres = eachInTowns(n, func(r *Record) { records = append(records, *r) })
	return records, centres
}

// eachInTowns passes the POIs of towns one by one.
func eachInTowns(n int, each func(*Record)) (centres []orb.Point) {
	random := rand.New(rand.NewPCG(1, 2))
	for range *benchTowns {
		centres = append(centres, orb.Point{-120 + 50*random.Float64(), 30 + 20*random.Float64()})
	}
	for i := range n {
		centre := centres[i%len(centres)]
		far, turn := 0.03*math.Abs(random.NormFloat64()), 2*math.Pi*random.Float64()
		sin, cos := math.Sincos(turn)
		r := Record{
			Key: fmt.Sprintf("osm:node:%d", 1_000_000_000+i), Name: fmt.Sprintf("Restaurant Number %d", random.IntN(200000)),
			Lng: centre[0] + far*cos*1.3, Lat: centre[1] + far*sin,
			Address: fmt.Sprintf("%d Main Street", random.IntN(9999)), City: "Springfield", State: "OR",
			PostalCode: "97201", Country: "United States", Phone: "+1 503-555-0100", URL: "https://example.org/places/restaurant",
			RegionCode:     "US_OR",
			Categories:     []string{schemas.Categories[random.IntN(20)].ID, schemas.Categories[20+random.IntN(21)].ID},
			Tags:           []string{fmt.Sprintf("cuisine_%d", random.IntN(80)), "independent"},
			BaseCategories: []string{schemas.BaseCategories[random.IntN(21)].ID},
		}
		if random.IntN(4) == 0 {
			r.Brands = []string{fmt.Sprintf("brand_%d", random.IntN(3000))}
		}
		each(&r)
	}
	return centres
}

func BenchmarkSearch(b *testing.B) {
	records, centres := towns(*benchPOIs)
	table := open(b, records)
	records = nil
	town := orb.MultiPolygon{{circle(centres[0], 0.05, 2000)}}
	outline, err := coord.NewArea(town)
	if err != nil {
		b.Fatal(err)
	}
	cases := []struct {
		name string
		q    Query
	}{
		{"500 nearest in 5 km", Query{Shape: Shape{RadiusM: 5000}, Limit: 500}},
		{"500 nearest in 25 km", Query{Shape: Shape{RadiusM: 25000}, Limit: 500}},
		{"20 nearest in 1 km", Query{Shape: Shape{RadiusM: 1000}, Limit: 20}},
		{"counts in 5 km", Query{Shape: Shape{RadiusM: 5000}}},
		{"3 categories in 5 km", Query{Shape: Shape{RadiusM: 5000}, Limit: 500, Categories: 1<<3 | 1<<5 | 1<<30}},
		{"region in 5 km", Query{Shape: Shape{RadiusM: 5000}, Filter: Filter{Regions: []string{"US_OR"}}, Limit: 500}},
		{"brand in 25 km", Query{Shape: Shape{RadiusM: 25000}, Filter: Filter{Brands: []string{"brand_17"}}, Limit: 500}},
		{"tag in 25 km", Query{Shape: Shape{RadiusM: 25000}, Filter: Filter{Tags: []string{"independent"}}, Limit: 500}},
		{"outline of 2000 points", Query{Shape: Shape{Area: &outline}, Limit: 500}},
		{"outline and 1 km", Query{Shape: Shape{Area: &outline, BufferM: 1000}, Limit: 500}},
		{"outline and 10 km", Query{Shape: Shape{Area: &outline, BufferM: 10000}, Limit: 500}},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			var r Result
			var body []byte
			total, size := 0, 0
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				centre := centres[i%len(centres)]
				if c.q.Area != nil {
					centre = centres[0]
				}
				c.q.Lng, c.q.Lat = centre[0]+0.001*float64(i%7), centre[1]
				table.Search(&c.q, &r)
				body = body[:0]
				for _, h := range r.Hits {
					body = append(table.AppendPOI(body, h), ',')
				}
				total, size = total+r.TotalCount, size+len(body)
			}
			b.ReportMetric(float64(total)/float64(b.N), "matched/op")
			b.ReportMetric(float64(size)/float64(b.N), "B/answer")
		})
	}
	b.Run("base 5 km", func(b *testing.B) {
		q := BaseQuery{Shape: Shape{RadiusM: 5000}, Limit: 30}
		var r BaseResult
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			q.Lng, q.Lat = centres[i%len(centres)][0], centres[i%len(centres)][1]
			table.SearchBase(&q, &r)
		}
	})
}

func circle(at orb.Point, size float64, n int) orb.Ring {
	var ring orb.Ring
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		far := size * (1 + 0.2*math.Sin(9*2*math.Pi*float64(i)/float64(n)))
		ring = append(ring, orb.Point{at[0] + far*cos, at[1] + far*sin})
	}
	return append(ring, ring[0])
}

// BenchmarkWrite measures the time and the memory of writing the table of all POIs, and the time of opening it.
func BenchmarkWrite(b *testing.B) {
	records, _ := towns(*benchPOIs)
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		w, err := NewWriter(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		for i := range records {
			if err := w.Add(&records[i]); err != nil {
				b.Fatal(err)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		f := packtest.Open(b, w.Finish)
		b.ReportMetric(float64(f.Size())/float64(len(records)), "file-B/poi")
		start := time.Now()
		if _, err := Open(f); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(time.Since(start).Microseconds())/1000, "open-ms")
		start = time.Now()
		if err := f.Verify(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(time.Since(start).Microseconds())/1000, "verify-ms")
	}
	b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/float64(len(records)), "heap-B/poi")
}
