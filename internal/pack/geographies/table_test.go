package geographies

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas"
)

// fill writes records and coverage to a pack.
func fill(t testing.TB, records []Record, coverage func(*Writer)) *pack.File {
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
	if coverage != nil {
		coverage(w)
	}
	return packtest.Open(t, w.Finish)
}

// build writes records and coverage to a pack and opens the table.
func build(t testing.TB, records []Record, coverage func(*Writer)) *Table {
	t.Helper()
	table, err := Open(fill(t, records, coverage))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// record is a geography around an outline.
func record(id string, level schemas.Level, m orb.MultiPolygon) Record {
	return Record{
		ID: id, Level: level, Name: schemas.Text{EN: "Name of " + id, FR: "Nom de " + id}, CountryCode: "CA",
		StateCodes: []string{"CA_QC"}, AreaM2: 1000 * float64(level), BBox: m.Bound(), Centroid: m.Bound().Center(), Geometry: m,
	}
}

// shape draws a few polygons with holes on a coarse lattice, so that edges touch, run along each other and along the
// lines on which the tree is split.
func shape(t *rapid.T) orb.MultiPolygon {
	lattice := rapid.SampledFrom([]float64{1, 4096e-7, 1e-7}).Draw(t, "lattice")
	origin := orb.Point{
		rapid.SampledFrom([]float64{-75, math.MinInt32 / 4 * 1e-7, 0}).Draw(t, "x"),
		rapid.SampledFrom([]float64{45, 0, 1 << 26 * 1e-7}).Draw(t, "y"),
	}
	var m orb.MultiPolygon
	for range rapid.IntRange(1, 3).Draw(t, "polygons") {
		var polygon orb.Polygon
		for range rapid.IntRange(1, 2).Draw(t, "rings") {
			var ring orb.Ring
			for range rapid.IntRange(3, 40).Draw(t, "vertices") {
				ring = append(ring, orb.Point{
					origin[0] + lattice*float64(rapid.IntRange(-8, 8).Draw(t, "dx")),
					origin[1] + lattice*float64(rapid.IntRange(-8, 8).Draw(t, "dy")),
				})
			}
			polygon = append(polygon, append(ring, ring[0]))
		}
		m = append(m, polygon)
	}
	return m
}

func TestAtAgreesWithEveryEdge(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var records []Record
		var areas []coord.Area
		for i := range rapid.IntRange(1, 6).Draw(rt, "geographies") {
			r := record(fmt.Sprintf("g%d_x", i), schemas.Levels[i], shape(rt))
			r.Superseded = rapid.IntRange(0, 5).Draw(rt, "superseded") == 0
			records = append(records, r)
			a, err := coord.NewArea(r.Geometry)
			if err != nil {
				rt.Fatal(err)
			}
			areas = append(areas, a)
		}
		table := build(t, records, nil)
		for range 200 {
			p := probe(rt, areas)
			lng, lat := p.Degrees()
			var want []int
			for i, a := range areas {
				if a.Contains(p) && !records[i].Superseded {
					want = append(want, i)
				}
			}
			if got := table.At(nil, lng, lat, 0); !slices.Equal(got, want) {
				rt.Fatalf("%v: got %v, want %v", p, got, want)
			}
			only := schemas.NewLevelSet(schemas.Levels[1], schemas.Levels[2])
			want = slices.DeleteFunc(want, func(i int) bool { return i != 1 && i != 2 })
			if got := table.At(nil, lng, lat, only); !slices.Equal(got, want) {
				rt.Fatalf("%v: of two levels got %v, want %v", p, got, want)
			}
		}
	})
}

// probe is a point on a vertex, next to one, on the lines through two, or anywhere.
func probe(t *rapid.T, areas []coord.Area) coord.Point {
	pick := func() coord.Point {
		points := areas[rapid.IntRange(0, len(areas)-1).Draw(t, "area")].Points
		return points[rapid.IntRange(0, len(points)-1).Draw(t, "vertex")]
	}
	p, q := pick(), pick()
	step := func() int32 { return int32(rapid.IntRange(-1, 1).Draw(t, "step")) }
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return p
	case 1:
		return coord.Point{Lng: p.Lng + step(), Lat: p.Lat + step()}
	case 2:
		return coord.Point{Lng: p.Lng, Lat: q.Lat}
	}
	return coord.Point{Lng: p.Lng/2 + q.Lng/2 + step(), Lat: p.Lat/2 + q.Lat/2 + step()}
}

func TestNeighboursShareNoPointAndLeaveNoGap(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		whole := orb.Ring{{-75, 45}, {-74, 45}, {-74, 46}, {-75, 46}, {-75, 45}}
		line := []orb.Point{{-75, 45}}
		for range rapid.IntRange(0, 30).Draw(rt, "vertices") {
			line = append(line, orb.Point{-75 + rapid.Float64Range(0, 1).Draw(rt, "x"), 45 + rapid.Float64Range(0, 1).Draw(rt, "y")})
		}
		line = append(line, orb.Point{-74, 46})
		left := append(append(orb.Ring{}, line...), orb.Point{-75, 46}, orb.Point{-75, 45})
		right := append(append(orb.Ring{}, line...), orb.Point{-74, 45}, orb.Point{-75, 45})
		table := build(t, []Record{record("a", 10, orb.MultiPolygon{{left}}), record("b", 20, orb.MultiPolygon{{right}}),
			record("c", 30, orb.MultiPolygon{{whole}})}, nil)
		a, _ := coord.NewArea(orb.MultiPolygon{{left}})
		for range 100 {
			lng, lat := probe(rt, []coord.Area{a}).Degrees()
			got := table.At(nil, lng, lat, 0)
			if in := slices.Contains(got, 2); in && len(got) != 2 || !in && len(got) != 0 {
				rt.Fatalf("%v %v: in %v", lng, lat, got)
			}
		}
	})
}

// entryOf is the entry of geography i, without its id.
func entryOf(table *Table, i int, withGeometry bool) []byte {
	text, large := table.AppendMember(nil, i, withGeometry)
	if large.Text != nil {
		text = slices.Insert(text, large.At, large.Text...)
	}
	entry, _ := bytes.CutPrefix(text, append(table.AppendID(nil, i), ':'))
	return entry
}

// TestLargeGeometriesAreStoredCompressedToo has outlines of 10 and of 30 kB.
func TestLargeGeometriesAreStoredCompressedToo(t *testing.T) {
	circle := func(vertices int) orb.MultiPolygon {
		var ring orb.Ring
		for i := range vertices {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(vertices))
			ring = append(ring, orb.Point{-75 + 0.1*cos, 45 + 0.1*sin})
		}
		return orb.MultiPolygon{{append(ring, ring[0])}}
	}
	american := record("g10_us", 10, circle(1200))
	american.CountryCode, american.StateCodes = "US", []string{"US_NY"}
	table := build(t, []Record{record("g10_small", 10, circle(400)), record("g10_large", 10, circle(1200)), american}, nil)
	for id, stored := range map[string]bool{"g10_small": false, "g10_large": true, "g10_us": false} {
		i, _ := table.ByID(id)
		_, large := table.AppendMember(nil, i, true)
		if (large.Text != nil) != stored || stored && len(large.Text) < leastDeflated {
			t.Errorf("%s: %d bytes are stored compressed", id, len(large.Text))
		}
		if _, without := table.AppendMember(nil, i, false); without.Text != nil {
			t.Errorf("%s: a geometry that is not asked for", id)
		}
		if entry := decode(t, entryOf(table, i, true)); (len(entry.Geometry) > 0) != (id != "g10_us") {
			t.Errorf("%s: geometry of %d polygons", id, len(entry.Geometry))
		}
		if !stored {
			continue
		}
		got, err := io.ReadAll(flate.NewReader(bytes.NewReader(append(bytes.Clone(large.Deflated), 3, 0))))
		if err != nil || !bytes.Equal(got, large.Text) || len(large.Deflated) > len(large.Text)/2 {
			t.Errorf("%s: %d bytes inflate to %d, want %d: %v", id, len(large.Deflated), len(got), len(large.Text), err)
		}
	}
}

func TestEntriesAreTheAnswersType(t *testing.T) {
	ring := orb.Ring{{-75.7, 45.4}, {-75.6, 45.4}, {-75.61234567, 45.5}, {-75.7, 45.4}}
	hole := orb.Ring{{-75.65, 45.42}, {-75.64, 45.42}, {-75.64, 45.43}, {-75.65, 45.42}}
	full := record("g10_full", 10, orb.MultiPolygon{{ring, hole}, {hole}})
	full.Name = schemas.Text{EN: `Tom & "Jerry" <b>`, FR: `L'Île\"geometry":[]`}
	full.City = &Ref{"g30_city", schemas.Text{EN: "City", FR: "Ville"}}
	full.Metro = &Ref{"g40_away", schemas.Text{EN: "Metro", FR: "Métro"}}
	full.AreaM2 = 1234567.89
	city := record("g30_city", 30, orb.MultiPolygon{{ring}})
	city.CountryCode, city.StateCodes = "US", []string{"US_OR", "US_WA"}
	old := record("g10_old", 10, orb.MultiPolygon{{ring}})
	old.Superseded, old.Since, old.ReplacedBy = true, "2024-01-01", "g10_full"
	gone := record("g10_gone", 10, orb.MultiPolygon{{ring}})
	gone.Superseded = true
	country := record("g70_ca", 70, orb.MultiPolygon{{ring}})
	country.StateCodes = nil
	records := []Record{country, gone, old, city, full}
	table := build(t, records, nil)
	if table.Len() != len(records) {
		t.Fatalf("%d geographies, want %d", table.Len(), len(records))
	}
	outline := schemas.MultiPolygon{
		{{{45.4, -75.7}, {45.4, -75.6}, {45.5, -75.6123457}, {45.4, -75.7}},
			{{45.42, -75.65}, {45.42, -75.64}, {45.43, -75.64}, {45.42, -75.65}}},
		{{{45.42, -75.65}, {45.42, -75.64}, {45.43, -75.64}, {45.42, -75.65}}},
	}
	for _, r := range records {
		i, ok := table.ByID(r.ID)
		if !ok || table.ID(i) != r.ID || table.Level(i) != r.Level || table.Name(i) != r.Name {
			t.Fatalf("%s is not found", r.ID)
		}
		want := Entry(&r)
		got := decode(t, entryOf(table, i, false))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", r.ID, diff)
		}
		with := decode(t, entryOf(table, i, true))
		if (r.CountryCode == "CA") != (len(with.Geometry) > 0) {
			t.Errorf("%s: geometry %v", r.ID, with.Geometry)
		}
		if replacedBy, superseded := table.Superseded(i); superseded != r.Superseded || replacedBy != r.ReplacedBy {
			t.Errorf("%s: superseded %v by %q", r.ID, superseded, replacedBy)
		}
		since := ""
		if day := table.SupersededSince(i); !day.IsZero() {
			since = day.Format(time.RFC3339)
		}
		if want := strings.Replace(r.Since, "2024-01-01", "2024-01-01T00:00:00Z", 1); since != want {
			t.Errorf("%s: superseded since %q, want %q", r.ID, since, want)
		}
	}
	i, _ := table.ByID("g10_full")
	if diff := cmp.Diff(outline, decode(t, entryOf(table, i, true)).Geometry); diff != "" {
		t.Errorf("geometry (-want +got)\n%s", diff)
	}
	if city, ok := table.City(i); !ok || table.ID(city) != "g30_city" {
		t.Errorf("city %d %v", city, ok)
	}
	if metro, ok := table.Metro(i); ok {
		t.Errorf("a metro area that is not in the table has the index %d", metro)
	}
	for _, id := range []string{"", "g10_ful", "g10_fulll", "g10_" + string(make([]byte, 99))} {
		if i, ok := table.ByID(id); ok {
			t.Errorf("%q is found at %d", id, i)
		}
	}
}

func decode(t *testing.T, data []byte) schemas.Geography {
	t.Helper()
	var g schemas.Geography
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&g); err != nil || d.More() {
		t.Fatalf("%v in %s", err, data)
	}
	return g
}

// A repaired outline of a neighbourhood of Ottawa had a part of a few centimetres.
func TestGeometryHoldsNoSlivers(t *testing.T) {
	sliver := orb.Polygon{{{-75.7770089, 45.322193}, {-75.7770092, 45.3221935}, {-75.77700892, 45.32219301}, {-75.7770089, 45.322193}}}
	square := orb.Polygon{{{-76, 45}, {-75, 45}, {-75, 46}, {-76, 46}, {-76, 45}}}
	r := record("g1_greenbelt", schemas.Neighbourhood, orb.MultiPolygon{sliver, square})
	table := build(t, []Record{r}, nil)
	got := string(entryOf(table, 0, true))
	if want := "[[[[45,-76],[45,-75],[46,-75],[46,-76],[45,-76]]]]"; !strings.Contains(got, want) {
		t.Errorf("no %s in %s", want, got)
	}
}

func TestRegionsAt(t *testing.T) {
	box := func(west, east float64) orb.MultiPolygon {
		return orb.MultiPolygon{{{{west, 45}, {east, 45}, {east, 46}, {west, 46}, {west, 45}}}}
	}
	table := build(t, nil, func(w *Writer) {
		for _, c := range []struct {
			code       string
			extent     bool
			west, east float64
		}{{"CA_QC", false, -76, -74}, {"CA_ON", false, -78, -76}, {"CA_ON", false, -75, -73}, {"CA_ON", false, -74.5, -73},
			{"CA_NB", true, -77, -71}, {"US_ME", true, -73, -71}} {
			if err := w.AddCoverage(c.code, c.extent, box(c.west, c.east)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.AddCoverage("US_NY", false, box(-70, -69)); err == nil {
			t.Error("an outline after an extent is taken")
		}
	})
	for _, c := range []struct {
		lng  float64
		want []string
	}{{-77, []string{"CA_ON"}}, {-76, []string{"CA_QC"}}, {-74.2, []string{"CA_QC", "CA_ON"}}, {-72, []string{"CA_NB"}}, {-70, nil},
		{math.NaN(), nil}} {
		if got := table.RegionsAt(nil, c.lng, 45.5); !slices.Equal(got, c.want) {
			t.Errorf("at %v: %v, want %v", c.lng, got, c.want)
		}
	}
}

func TestWithin(t *testing.T) {
	r := record("a", 40, shapeBox())
	r.StateCodes = []string{"CA_QC", "CA_ON"}
	table := build(t, []Record{r}, nil)
	for _, c := range []struct {
		allowed []string
		want    bool
	}{{nil, true}, {[]string{}, false}, {[]string{"CA"}, true}, {[]string{"C"}, false}, {[]string{"US", "CA_ON"}, true},
		{[]string{"CA_BC"}, false}, {[]string{""}, false}} {
		if got := table.Within(0, c.allowed); got != c.want {
			t.Errorf("within %q: %v", c.allowed, got)
		}
	}
}

func shapeBox() orb.MultiPolygon {
	return orb.MultiPolygon{{{{-76, 45}, {-75, 45}, {-75, 46}, {-76, 46}, {-76, 45}}}}
}

func TestAddRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*Record){
		"empty id":       func(r *Record) { r.ID = "" },
		"long id":        func(r *Record) { r.ID = string(make([]byte, 37)) },
		"level":          func(r *Record) { r.Level = 11 },
		"name":           func(r *Record) { r.Name.FR = "" },
		"centroid":       func(r *Record) { r.Centroid[0] = math.NaN() },
		"area":           func(r *Record) { r.AreaM2 = math.Inf(1) },
		"population":     func(r *Record) { n := int64(-1); r.Population = &n },
		"since 1970":     func(r *Record) { r.Superseded, r.Since = true, "1970-01-01" },
		"since no date":  func(r *Record) { r.Superseded, r.Since = true, "2024-13-01" },
		"current since":  func(r *Record) { r.Since = "2024-01-01" },
		"replaced":       func(r *Record) { r.ReplacedBy = "b" },
		"country":        func(r *Record) { r.CountryCode = "FR" },
		"vertex":         func(r *Record) { r.Geometry[0][0][1][1] = math.Inf(-1) },
		"half the world": func(r *Record) { r.Geometry[0][0][1][0], r.Geometry[0][0][2][0] = 179, 179 },
	} {
		w, err := NewWriter(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		r := record("a", 40, shapeBox())
		spoil(&r)
		if err := w.Add(&r); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestDamageNeverPanics(t *testing.T) {
	records := nested(300, 40)
	file := fill(t, records, func(w *Writer) {
		if err := w.AddCoverage("CA_QC", false, records[0].Geometry); err != nil {
			t.Fatal(err)
		}
	})
	packtest.Damage(t, file, 150, func(f *pack.File) bool {
		table, err := Open(f)
		if err != nil {
			return false
		}
		for k := range 300 {
			lng, lat := -100+8*math.Mod(float64(k)*0.618034, 1), 40+8*math.Mod(float64(k)*0.414214, 1)
			table.RegionsAt(nil, lng, lat)
			for _, i := range table.At(nil, lng, lat, 0) {
				table.AppendMember(nil, i, true)
			}
			table.ByID(records[k].ID)
		}
		for i := range table.Len() {
			entryOf(table, i, true)
			table.City(i)
			table.Within(i, []string{"US"})
			table.Regions(i)
			table.Area(i).Contains(coord.Point{Lng: -970000000, Lat: 430000000})
		}
		return true
	})
}
