package schools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	gocmp "github.com/google/go-cmp/cmp"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/internal/pack/strips"
	"quartier/internal/pack/strips/stripstest"
	"quartier/schemas"
	"quartier/schemas/derived"
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

func square(west, south, size float64) orb.MultiPolygon {
	east, north := west+size, south+size
	return orb.MultiPolygon{{{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}}}
}

// world makes n schools around a place, many of them with the name or position of another, of all lists and both countries,
// with no to three catchments.
func world(n int, seed uint64, centre orb.Point, spread float64) []Record {
	next := func(n int) int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int(seed >> 33 % uint64(n))
	}
	levels := []string{"preschool", "elementary", "preschool,elementary", "middle", "elementary,middle", "middle,secondary", "secondary", ""}
	records := make([]Record, n)
	for i := range records {
		r := &records[i]
		r.Key = fmt.Sprintf("k:%d", i)
		r.Lng = math.Remainder(centre[0]+spread*(float64(next(2001))/1000-1), 360)
		r.Lat = centre[1] + spread*(float64(next(2001))/1000-1)
		if next(4) == 0 && i > 0 { // the same position as another
			r.Lng, r.Lat = records[i-1].Lng, records[i-1].Lat
		}
		r.SchoolDetails = derived.SchoolDetails{
			Name: fmt.Sprintf("École %d", next(20)), Levels: levels[next(len(levels))], Grades: "JK-8", Types: "public",
			CountryCode: "CA", StateCode: []string{"ON", "QC"}[next(2)], Languages: "en,fr", Programs: `["French immersion"]`,
		}
		if next(2) == 0 {
			r.CountryCode, r.StateCode = "US", "NY"
		}
		for range next(4) {
			west := centre[0] + spread*(float64(next(4))/2-1)
			r.Catchments = append(r.Catchments, Catchment{
				Level: schemas.SchoolLevels[next(4)], Grade: []string{"", "K", "10", "9"}[next(4)],
				Geometry: square(max(-180, min(west, 180-spread)), centre[1]-spread, spread),
			})
		}
	}
	return records
}

var centres = []orb.Point{{-75.7, 45.4}, {179.8, 51.9}, {-179.99, 51.9}}

// exhaust compares with every school: it defines which are in a list, in order.
func exhaust(records []Record, q *Query, levels ...string) []*Record {
	inside, key := stripstest.Define(&q.Shape)
	at := func(r *Record) coord.Point { p, _ := coord.NewPoint(r.Lng, r.Lat); return p }
	var all []*Record
	for i := range records {
		r := &records[i]
		allowed := q.Regions == nil
		for _, code := range q.Regions {
			allowed = allowed || r.CountryCode == code || r.CountryCode+"_"+r.StateCode == code
		}
		listed := slices.ContainsFunc(levels, func(level string) bool { return slices.Contains(strings.Split(r.Levels, ","), level) })
		listed = listed || r.Levels == ""
		if allowed && listed && (inside(at(r)) || q.Holding && holds(r, q)) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b *Record) int {
		return cmp.Or(cmp.Compare(key(at(a)), key(at(b))), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Key, b.Key))
	})
	for i := len(all) - 1; i >= 0 && len(all) > q.Limit; i-- {
		if !q.Holding || !holds(all[i], q) {
			all = slices.Delete(all, i, i+1)
		}
	}
	return all
}

// holds reports whether a catchment of a school holds the point of a query.
func holds(r *Record, q *Query) bool {
	p, _ := coord.NewPoint(q.Lng, q.Lat)
	return slices.ContainsFunc(r.Catchments, func(c Catchment) bool {
		area, err := coord.NewArea(c.Geometry)
		return err == nil && coveredBySquare(area, p)
	})
}

func TestSearchAgreesWithLookingAtEverySchool(t *testing.T) {
	var result Result
	rapid.Check(t, func(rt *rapid.T) {
		centre := rapid.SampledFrom(centres).Draw(rt, "around")
		spread := rapid.SampledFrom([]float64{0.001, 0.05, 0.15}).Draw(rt, "spread")
		records := world(rapid.IntRange(0, 300).Draw(rt, "n"), rapid.Uint64().Draw(rt, "seed"), centre, spread)
		table := open(t, records)
		for range 5 {
			q := Query{Shape: stripstest.DrawShape(rt, centre), Limit: rapid.SampledFrom([]int{1, 3, 30}).Draw(rt, "limit")}
			q.Regions = rapid.SampledFrom([][]string{nil, nil, {"US"}, {"CA_ON"}, {"CA_QC", "US_NY"}, {"CA_AB"}, {}}).Draw(rt, "regions")
			q.Holding = rapid.Bool().Draw(rt, "holding")
			form := Form{French: rapid.Bool().Draw(rt, "fr"), Catchments: rapid.Bool().Draw(rt, "catchments"), Lng: q.Lng, Lat: q.Lat}
			table.Search(&q, &result)
			compare(rt, table, &form, &q, result.Primary, exhaust(records, &q, "preschool", "elementary", "middle"))
			compare(rt, table, &form, &q, result.High, exhaust(records, &q, "middle", "secondary"))
		}
	})
}

// compare compares hits with the schools of a list, and their JSON with the API's type.
func compare(t *rapid.T, table *Table, form *Form, q *Query, hits []strips.Hit, want []*Record) {
	if len(hits) != len(want) {
		t.Fatalf("%d found, want %d", len(hits), len(want))
	}
	for i, h := range hits {
		text := table.AppendSchool(nil, h, form)
		var got schemas.School
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := gocmp.Diff(expected(t, want[i], form, h), got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s: %s", want[i].Key, diff)
		}
	}
}

// expected is the answer about a record, made by the API's type alone.
func expected(t *rapid.T, r *Record, form *Form, h strips.Hit) schemas.School {
	entry, err := Entry(r)
	if err != nil {
		t.Fatal(err)
	}
	french := form.French && r.CountryCode == "CA"
	if french {
		entry = inFrench(entry)
	}
	entry.Proximity.LinearDistance = h.Metres()
	if !form.Catchments {
		return entry
	}
	list := []schemas.SchoolCatchment{}
	for _, c := range sorted(r.Catchments) {
		area, err := coord.NewArea(c.Geometry)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := coord.NewPoint(form.Lng, form.Lat)
		shown := schemas.SchoolCatchment{Level: c.Level, Program: c.Program, Grade: c.Grade, Inside: coveredBySquare(area, p)}
		if french {
			shown.Level = map[string]string{"preschool": "préscolaire", "elementary": "primaire", "middle": "intermédiaire",
				"secondary": "secondaire"}[c.Level]
		}
		var ring [][2]float64
		for _, v := range area.Points {
			lng, lat := v.Degrees()
			ring = append(ring, [2]float64{lat, lng})
		}
		shown.Geometry = schemas.MultiPolygon{{ring}}
		list = append(list, shown)
	}
	entry.Catchments = &list
	return entry
}

// coveredBySquare reports whether p is in a square or on its border, by its corners alone.
func coveredBySquare(a coord.Area, p coord.Point) bool {
	box := coord.BoxAround(a.Points)
	return box.Intersects(coord.Box{Min: p, Max: p})
}

// TestNamesOrderEqualDistancesAtACircle has a school on either side of each circle that a search looks at, at distances that
// are equal to the decimetre: the one beyond comes first by its name.
func TestNamesOrderEqualDistancesAtACircle(t *testing.T) {
	at := func(metres float64) float64 { return 45 + metres/111_131.8 }
	for doublings := range 4 {
		circle := 16000 * firstShare * math.Pow(2, float64(doublings))
		records := world(2, 1, centres[0], 0.001)
		for i, name := range []string{"Z", "A"} {
			r := &records[i]
			r.Name, r.Levels, r.Lng, r.Lat = name, "middle", -75, at(circle-0.03+0.06*float64(i))
		}
		table := open(t, records)
		var result Result
		table.Search(&Query{Shape: strips.Shape{Lng: -75, Lat: 45, RadiusM: 16000}, Limit: 1}, &result)
		want := exhaust(records, &Query{Shape: strips.Shape{Lng: -75, Lat: 45, RadiusM: 16000}, Limit: 1}, "middle")[0]
		if got := string(table.AppendSchool(nil, result.Primary[0], &Form{})); !strings.Contains(got, `"name":"`+want.Name+`"`) {
			t.Errorf("at %v m: got %s, want %s", circle, got, want.Name)
		}
	}
}

func TestOrderOfAddLeavesNoTrace(t *testing.T) {
	records := world(1000, 5, centres[0], 0.1)
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

func searchAll(table *Table) {
	var r Result
	var body []byte
	area, _ := coord.NewArea(square(centres[0][0], centres[0][1], 0.05))
	for i := range 20 {
		shape := strips.Shape{Lng: centres[0][0] + 0.01*float64(i), Lat: centres[0][1], RadiusM: 25000}
		if i%3 == 0 {
			shape.Area = &area
		}
		q := Query{Shape: shape, Limit: 30, Holding: i%2 == 0}
		if i%4 == 1 {
			q.Regions = []string{"CA_QC"}
		}
		table.Search(&q, &r)
		for _, h := range append(r.Primary, r.High...) {
			body = table.AppendSchool(body[:0], h, &Form{French: i%2 == 0, Catchments: true, Lng: shape.Lng, Lat: shape.Lat})
		}
	}
}

func TestDamageNeverPanics(t *testing.T) {
	packtest.Damage(t, fill(t, world(800, 3, centres[0], 0.1)), 150, func(f *pack.File) bool {
		table, err := Open(f)
		if err != nil {
			return false
		}
		searchAll(table)
		return true
	})
}

func FuzzOpen(f *testing.F) {
	packtest.Fuzz(f, fill(f, world(60, 4, centres[0], 0.1)), func(file *pack.File) {
		if table, err := Open(file); err == nil {
			searchAll(table)
		}
	})
}
