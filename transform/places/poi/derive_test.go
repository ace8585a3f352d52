package poi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"quartier/schemas/staged"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

// everywhere is Delaware.
type everywhere struct{}

func (everywhere) StateAt(orb.Point) (country, state string, ok bool) { return "US", "DE", true }
func (everywhere) CityAt(orb.Point) string                            { return "Dover" }

// derivation is a Result with what it has on disk.
type derivation struct {
	*Result
	POIs   []*POI
	Merges []Merge
}

// look reads POIs and merges again.
func (d *derivation) look() error {
	d.POIs, d.Merges = nil, nil
	all := d.places
	err := all.each(func(i int32, _ *entry) error {
		d.POIs = append(d.POIs, all.poi(i))
		return nil
	})
	return cmp.Or(err, all.eachMerge(func(m Merge) error {
		d.Merges = append(d.Merges, m)
		return nil
	}))
}

func deriveAll(records []Record) (*derivation, error) {
	result, err := Derive(context.Background(), "", nil, everywhere{}, func(visit func(Record) error) error {
		for _, r := range records {
			if err := visit(r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	runtime.AddCleanup(result, func(rows *rows) { rows.file.Close() }, result.places.rows)
	d := &derivation{Result: result}
	return d, d.look()
}

func TestEveryRecordIsAccountedFor(t *testing.T) {
	var pairs []map[string]string
	for _, c := range readCases(t, "osm.tsv") {
		pairs = append(pairs, parseTags(c.input))
	}
	rapid.Check(t, func(t *rapid.T) {
		var records []Record
		for i := range rapid.IntRange(0, 60).Draw(t, "n") {
			records = append(records, Record{
				Source:  rapid.SampledFrom([]string{"a", "b"}).Draw(t, "source"),
				Key:     fmt.Sprintf("osm:node:%d", rapid.IntRange(0, 50).Draw(t, "key")+i%2),
				Point:   orb.Point{-75.5 + float64(rapid.IntRange(0, 9).Draw(t, "x"))/1000, 39.1},
				Details: staged.Details{Name: rapid.SampledFrom([]string{"", "Joe's", "Main Street", "Big Park"}).Draw(t, "name")},
				Scheme:  "osm", Tags: rapid.SampledFrom(pairs).Draw(t, "tags"),
			})
		}
		result, err := deriveAll(records)
		if err != nil {
			t.Fatal(err)
		}
		lost := int64(0)
		for _, i := range result.Issues {
			lost += i.Rows
		}
		if got := int64(len(result.POIs)+len(result.Merges)) + lost; got != int64(len(records)) {
			t.Errorf("%d POIs, %d merged, %d skipped of %d records", len(result.POIs), len(result.Merges), lost, len(records))
		}
		for i, p := range result.POIs {
			if p.categories == 0 || p.Name == "" || p.CountryCode == "" {
				t.Errorf("%s has categories %q, name %q, country %q", p.Key, p.categories.ids(), p.Name, p.CountryCode)
			}
			if i > 0 && result.POIs[i-1].Key >= p.Key {
				t.Errorf("%s after %s", p.Key, result.POIs[i-1].Key)
			}
		}
	})
}

func TestDeriveStops(t *testing.T) {
	broken := errors.New("broken")
	fails := func(func(Record) error) error { return broken }
	if _, err := Derive(context.Background(), "", nil, everywhere{}, fails); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Derive(ctx, "", nil, everywhere{}, func(visit func(Record) error) error {
		cancel()
		for {
			if err := visit(Record{}); err != nil {
				return err
			}
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// synthetic is n records in 300 towns, a tenth of them duplicates.
func synthetic(n int) func(i int) Record {
	random := rand.New(rand.NewPCG(1, 2))
	towns := make([]orb.Point, 300)
	for i := range towns {
		towns[i] = orb.Point{-120 + 40*random.Float64(), 30 + 18*random.Float64()}
	}
	tags := []map[string]string{{"amenity": "restaurant", "cuisine": "pizza"}, {"shop": "supermarket"}, {"highway": "bus_stop"},
		{"amenity": "cafe"}, {"leisure": "park"}, {"shop": "clothes"}, {"amenity": "bank"}, {"amenity": "parking"}}
	return func(i int) Record {
		random := rand.New(rand.NewPCG(uint64(i%(n*9/10)), 3))
		town := towns[random.IntN(len(towns))]
		r := Record{Source: "a", Key: fmt.Sprintf("osm:node:%d", i), Scheme: "osm", Tags: tags[random.IntN(len(tags))],
			Point: orb.Point{town[0] + 0.03*random.NormFloat64(), town[1] + 0.03*random.NormFloat64()},
			Details: staged.Details{
				Name:   fmt.Sprintf("%c%c%c Place %d", 'A'+random.IntN(26), 'a'+random.IntN(26), 'a'+random.IntN(26), random.IntN(50)),
				Street: "Main Street", HouseNumber: "12", Phone: "302-655-0100",
			}}
		if i >= n*9/10 {
			r.Source, r.Priority = "b", 1
			r.Point[0] += 0.0001
		}
		return r
	}
}

func BenchmarkDerive(b *testing.B) {
	const n = 1_000_000
	record := synthetic(n)
	for b.Loop() {
		result, err := Derive(context.Background(), "", nil, everywhere{}, func(visit func(Record) error) error {
			for i := range n {
				if err := visit(record(i)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		pois, merged, _ := result.Counts()
		result.Close()
		b.ReportMetric(float64(pois), "pois")
		b.ReportMetric(float64(merged), "merged")
	}
}
