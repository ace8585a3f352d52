package pois

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/internal/pack/strips/stripstest"
	"quartier/schemas"
)

// fill writes records to a pack.
func fill(t testing.TB, records []Record) *pack.File {
	t.Helper()
	w, err := NewWriter(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for i := range records {
		if err := w.Add(&records[i]); err != nil {
			t.Fatal(err)
		}
	}
	return packtest.Open(t, w.Finish)
}

// open writes records to a pack and opens the table.
func open(t testing.TB, records []Record) *Table {
	t.Helper()
	table, err := Open(fill(t, records))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// The centres of worlds, the last two next to the antimeridian.
var centres = []orb.Point{{-75.7, 45.4}, {179.99, 51.9}, {-179.99, 51.9}}

// world draws records around a centre, many of them with the same name, position or brand as others.
func world(t *rapid.T, centre orb.Point) []Record {
	spread := rapid.SampledFrom([]float64{0.001, 0.05, 0.5}).Draw(t, "spread")
	n := rapid.IntRange(0, 400).Draw(t, "n")
	seed := rapid.Uint64().Draw(t, "seed")
	next := func(n int) int { // cheaper than a draw for each number
		seed = seed*6364136223846793005 + 1442695040888963407
		return int(seed >> 33 % uint64(n))
	}
	records := make([]Record, n)
	for i := range records {
		r := &records[i]
		*r = Record{
			Key: fmt.Sprintf("k:%d", i), Name: fmt.Sprintf("Café %d", next(20)), Country: "Canada",
			Lng:        math.Remainder(centre[0]+spread*(float64(next(2001))/1000-1), 360),
			Lat:        centre[1] + spread*(float64(next(2001))/1000-1),
			RegionCode: []string{"CA_ON", "CA_QC", "US_NY", ""}[next(4)],
		}
		r.OpeningHours = []string{"", "", `24/7 "by <appointment>"`, "Mo-Fr 08:00-18:00"}[i%4]
		r.Wheelchair = []string{"", "yes", "no"}[i%3]
		for c := range 1 + next(3) {
			r.Categories = append(r.Categories, schemas.Categories[(next(38)+13*c)%41].ID)
		}
		slices.Sort(r.Categories)
		r.Categories = slices.Compact(r.Categories)
		for range next(3) {
			r.Brands = append(r.Brands, fmt.Sprintf("brand_%d", next(12)))
			r.Tags = append(r.Tags, fmt.Sprintf("tag_%d", next(4)))
			r.BaseCategories = append(r.BaseCategories, schemas.BaseCategories[next(21)].ID)
		}
		if next(4) == 0 && i > 0 { // the same position as another
			r.Lng, r.Lat = records[i-1].Lng, records[i-1].Lat
		}
	}
	return records
}

// found is a POI that matches, with its distance.
type found struct {
	record *Record
	hit    Hit
}

// exhaust compares with every POI: it defines what matches, in order.
func exhaust(records []Record, s *Shape, f *Filter, categories func(*Record) []string, want []string) []found {
	inside, key := stripstest.Define(s)
	var all []found
	for i := range records {
		r := &records[i]
		p, _ := coord.NewPoint(r.Lng, r.Lat)
		if !inside(p) || !meet(want, categories(r)) ||
			len(f.Brands) > 0 && !meet(f.Brands, r.Brands) || len(f.Tags) > 0 && !meet(f.Tags, r.Tags) {
			continue
		}
		allowed := f.Regions == nil
		for _, code := range f.Regions {
			allowed = allowed || r.RegionCode == code || strings.HasPrefix(r.RegionCode, code+"_")
		}
		if allowed {
			all = append(all, found{r, Hit{Decimetres: uint32(key(p) >> 32)}})
		}
	}
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.hit.Decimetres, b.hit.Decimetres), cmp.Compare(a.record.Name, b.record.Name),
			cmp.Compare(a.record.Key, b.record.Key))
	})
	return all
}

func meet(a, b []string) bool {
	return slices.ContainsFunc(a, func(id string) bool { return slices.Contains(b, id) })
}

func idsOf(list []schemas.Category, set CategorySet) []string {
	var ids []string
	for i, c := range list {
		if set.Has(i) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

func drawFilter(t *rapid.T) Filter {
	pick := func(label string, of ...string) []string {
		if rapid.Bool().Draw(t, "any "+label) {
			return nil
		}
		return rapid.SliceOfNDistinct(rapid.SampledFrom(of), 1, 3, rapid.ID).Draw(t, label)
	}
	return Filter{
		Brands:  pick("brands", "brand_0", "brand_1", "brand_2", "brand_3", "no_such"),
		Tags:    pick("tags", "tag_0", "tag_1", "tag_2", "no_such"),
		Regions: pick("regions", "CA", "US", "CA_ON", "CA_QC", "US_NY", "U"),
	}
}

func TestSearchAgreesWithLookingAtEveryPOI(t *testing.T) {
	var result Result
	rapid.Check(t, func(rt *rapid.T) {
		centre := rapid.SampledFrom(centres).Draw(rt, "around")
		records := world(rt, centre)
		table := open(t, records)
		for range 5 {
			q := Query{Shape: stripstest.DrawShape(rt, centre), Filter: drawFilter(rt),
				Limit: rapid.SampledFrom([]int{1, 3, 20, 500}).Draw(rt, "limit")}
			q.Categories = CategorySet(rapid.SampledFrom([]uint64{0, 0, 1 << 13, 1<<3 | 1<<20 | 1<<40}).Draw(rt, "categories"))
			table.Search(&q, &result)
			want := idsOf(schemas.Categories, q.Categories)
			all := exhaust(records, &q.Shape, &q.Filter, func(r *Record) []string { return r.Categories }, want)
			if result.TotalCount != len(all) || len(result.Hits) != min(len(all), q.Limit) {
				rt.Fatalf("%d found, %d returned; want %d, limit %d", result.TotalCount, len(result.Hits), len(all), q.Limit)
			}
			var total, returned [NumCategories]int
			for i, f := range all {
				for _, id := range f.record.Categories {
					c, _ := schemas.CategoryIndex(id)
					if q.Categories.Has(c) {
						total[c]++
						if i < q.Limit {
							returned[c]++
						}
					}
				}
			}
			if total != result.TotalByCategory || returned != result.ReturnedByCategory {
				rt.Fatalf("counts %v %v, want %v %v", result.TotalByCategory, result.ReturnedByCategory, total, returned)
			}
			var joined []byte
			for i, h := range result.Hits {
				checkHit(rt, table, h, all[i])
				if i > 0 {
					joined = append(joined, ',')
				}
				joined = table.AppendPOI(joined, h)
			}
			if got := table.AppendPOIs(nil, &result); !bytes.Equal(got, joined) {
				rt.Fatalf("all: %s\none by one: %s", got, joined)
			}
		}
	})
}

func checkHit(rt *rapid.T, table *Table, h Hit, want found) {
	wantPOI := enhanced(want.record, table.index.Points[h.Index])
	wantPOI.Proximity.LinearDistanceM = want.hit.Metres()
	data, err := new(encoder).encode(wantPOI)
	if err != nil {
		rt.Fatal(err)
	}
	if got := string(table.AppendPOI(nil, h)); got != string(data) {
		rt.Fatalf("got  %s\nwant %s", got, data)
	}
}

func TestSearchBaseAgreesWithLookingAtEveryPOI(t *testing.T) {
	var result BaseResult
	rapid.Check(t, func(rt *rapid.T) {
		centre := rapid.SampledFrom(centres).Draw(rt, "around")
		records := world(rt, centre)
		table := open(t, records)
		q := BaseQuery{Shape: stripstest.DrawShape(rt, centre), Filter: drawFilter(rt),
			Limit: rapid.SampledFrom([]int{1, 5, 30}).Draw(rt, "limit")}
		q.Categories = CategorySet(rapid.SampledFrom([]uint64{0, 1 << 3, 1<<3 | 1<<20}).Draw(rt, "categories"))
		table.SearchBase(&q, &result)
		for c, category := range schemas.BaseCategories {
			var want []found
			if q.Categories.Has(c) {
				want = exhaust(records, &q.Shape, &q.Filter, func(r *Record) []string { return r.BaseCategories }, []string{category.ID})
			}
			if result.Total[c] != len(want) || len(result.Hits[c]) != min(len(want), q.Limit) {
				rt.Fatalf("%s: %d found, %d returned; want %d", category.ID, result.Total[c], len(result.Hits[c]), len(want))
			}
			for i, h := range result.Hits[c] {
				wantPOI := base(want[i].record, table.index.Points[h.Index])
				wantPOI.Proximity.LinearDistance = want[i].hit.Metres()
				data, _ := new(encoder).encode(wantPOI)
				if got := string(table.AppendBasePOI(nil, h)); got != string(data) {
					rt.Fatalf("%s: got  %s\nwant %s", category.ID, got, data)
				}
			}
		}
	})
}

func TestNoShapeMatchesNothing(t *testing.T) {
	records, around := towns(300)
	table := open(t, records)
	area := coord.Area{}
	at := Shape{Lng: around[0][0], Lat: around[0][1], RadiusM: 5000}
	for name, spoil := range map[string]func(*Query){
		"nothing spoiled":   func(*Query) {},
		"NaN longitude":     func(q *Query) { q.Lng = math.NaN() },
		"latitude 91":       func(q *Query) { q.Lat = 91 },
		"negative radius":   func(q *Query) { q.RadiusM = -1 },
		"NaN radius":        func(q *Query) { q.RadiusM = math.NaN() },
		"infinite radius":   func(q *Query) { q.RadiusM = math.Inf(1) },
		"empty area":        func(q *Query) { q.Area = &area },
		"negative buffer":   func(q *Query) { q.Area, q.BufferM = &area, -1 },
		"unknown brand":     func(q *Query) { q.Brands = []string{"no_such"} },
		"no region allowed": func(q *Query) { q.Regions = []string{} },
		"unknown category":  func(q *Query) { q.Categories = 1 << 60 },
	} {
		q := Query{Shape: at, Limit: 10}
		spoil(&q)
		var r Result
		table.Search(&q, &r)
		if found := r.TotalCount > 0 && len(r.Hits) > 0; found != (name == "nothing spoiled") {
			t.Errorf("%s: %d found", name, r.TotalCount)
		}
	}
	var r Result
	if table.Search(&Query{Shape: at}, &r); len(r.Hits) != 0 || r.TotalCount == 0 {
		t.Errorf("limit 0: %d returned of %d", len(r.Hits), r.TotalCount)
	}
}

func TestAddRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*Record){
		"no name":       func(r *Record) { r.Name = "" },
		"no country":    func(r *Record) { r.Country = "" },
		"no category":   func(r *Record) { r.Categories = nil },
		"category":      func(r *Record) { r.Categories = []string{"shopping"} },
		"base category": func(r *Record) { r.BaseCategories = []string{"banks"} },
		"place":         func(r *Record) { r.Lat = math.NaN() },
	} {
		w, err := NewWriter(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		records, _ := towns(1)
		spoil(&records[0])
		if err := w.Add(&records[0]); err == nil || !strings.Contains(err.Error(), records[0].Key) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w, err := NewWriter(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	records, _ := towns(1)
	for range 2 {
		if err := w.Add(&records[0]); err != nil {
			t.Fatal(err)
		}
	}
	out, _ := pack.Create(filepath.Join(t.TempDir(), "a.pack"))
	if err := w.Finish(out); err == nil {
		t.Error("a key twice: no error")
	}
}

func TestOrderOfAddLeavesNoTrace(t *testing.T) {
	records, _ := towns(2000)
	one, err := os.ReadFile(fill(t, records).Path())
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(records)
	other, err := os.ReadFile(fill(t, records).Path())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one, other) {
		t.Error("the files differ")
	}
}
