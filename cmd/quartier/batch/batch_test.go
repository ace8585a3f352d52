package batch

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/arrowfile"
	"quartier/serve/enrich"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// everything is all groups of columns.
var everything = enrich.Choice{
	Add:     []string{"scores", "measures", "typology", "geographies", "pois", "demographics", "schools"},
	Nearest: []string{"cafes:2"}, Market: []string{"30d:single_family"}, Radius: []string{"pois:2km", "demographics:500m"},
}

// world is a release with market statistics.
func world(t testing.TB, choice enrich.Choice) *enrich.Enricher {
	t.Helper()
	root := t.TempDir()
	_, err := servetest.Write(filepath.Join(root, "places"), servetest.Release{})
	must(t, err)
	_, err = servetest.WriteMarket(filepath.Join(root, "market"), filepath.Join(root, "places"), servetest.Market{})
	must(t, err)
	must(t, servetest.Publish(root, 1, "places", "market"))
	r, err := release.Open(root)
	must(t, err)
	t.Cleanup(r.Done)
	e, err := enrich.New(r, choice, enrich.Client{})
	must(t, err)
	return e
}

// pointsCSV is a CSV text of points in the world of servetest, some outside, some of no use.
func pointsCSV(n int) string {
	random := rand.New(rand.NewPCG(3, 4))
	var text bytes.Buffer
	text.WriteString("name,lat,lng\n")
	for i := range n {
		lat, lng := servetest.StreetLat+0.004*(random.Float64()-0.5), servetest.Lng+0.004*(random.Float64()-0.5)
		switch i % 20 {
		case 3:
			lat = servetest.SouthStreetLat
		case 5:
			lat, lng = lat+random.Float64()-0.5, lng+random.Float64()-0.5
		case 7:
			lat = servetest.UncoveredLat
		case 9:
			if i < n/3 {
				fmt.Fprintf(&text, "\"row, %d\",,\n", i)
				continue
			}
		}
		fmt.Fprintf(&text, "\"row, %d\",%.7f,%.7f\n", i, lat, lng)
	}
	return text.String()
}

// run writes a text to a file and enriches it.
func run(t testing.TB, e *enrich.Enricher, text string, o Options) (Summary, string, error) {
	t.Helper()
	dir := t.TempDir()
	if o.In == "" {
		o.In = filepath.Join(dir, "in.csv")
		must(t, os.WriteFile(o.In, []byte(text), 0o644))
	}
	if o.Out == "" {
		o.Out = filepath.Join(dir, "out.csv")
	}
	var screen bytes.Buffer
	o.Screen = &screen
	s, err := Run(t.Context(), e, o)
	return s, screen.String(), err
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}

// TestBytesDependOnTheInputAlone runs with different numbers of jobs and processors.
func TestBytesDependOnTheInputAlone(t *testing.T) {
	e, text := world(t, everything), pointsCSV(3000)
	for _, name := range []string{"out.csv", "out.parquet", "out.geoparquet", "out.geojson", "out.gpkg"} {
		want := ""
		for _, jobs := range []int{1, 2, 7} {
			before := runtime.GOMAXPROCS(jobs)
			out := filepath.Join(t.TempDir(), name)
			_, _, err := run(t, e, text, Options{Out: out, Jobs: jobs, MaxBad: 1, block: 400})
			runtime.GOMAXPROCS(before)
			must(t, err)
			got := read(t, out)
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s: other bytes with %d jobs", name, jobs)
			}
			if left, err := os.ReadDir(filepath.Dir(out)); err != nil || len(left) > 2 {
				t.Errorf("%v is left, %v", left, err)
			}
		}
	}
}

// TestOrderDoesNotMatter enriches rows in another order: each has the same values.
func TestOrderDoesNotMatter(t *testing.T) {
	e, text := world(t, everything), pointsCSV(3000)
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(lines)-1, func(i, j int) { lines[i+1], lines[j+1] = lines[j+1], lines[i+1] })
	var rows [2]map[string]string
	for i, of := range []string{text, strings.Join(lines, "")} {
		out := filepath.Join(t.TempDir(), "out.csv")
		_, _, err := run(t, e, of, Options{Out: out, MaxBad: 1})
		must(t, err)
		rows[i] = map[string]string{}
		for _, row := range strings.Split(read(t, out), "\n") {
			rows[i][row] = ""
		}
	}
	if len(rows[0]) < 3000 || fmt.Sprint(rows[0]) != fmt.Sprint(rows[1]) {
		t.Error("rows have other values in another order")
	}
}

// TestParquetHasTheValuesOfCSV compares the files value by value, and a Parquet file that was made of a Parquet file.
func TestParquetHasTheValuesOfCSV(t *testing.T) {
	e, dir := world(t, everything), t.TempDir()
	asCSV, asParquet := filepath.Join(dir, "out.csv"), filepath.Join(dir, "out.parquet")
	text := pointsCSV(2000)
	for _, out := range []string{asCSV, asParquet} {
		_, _, err := run(t, e, text, Options{Out: out, MaxBad: 1})
		must(t, err)
	}
	table, err := csv.NewReader(strings.NewReader(read(t, asCSV))).ReadAll()
	must(t, err)
	compare(t, asParquet, table, e.Columns())
	again := filepath.Join(dir, "again.parquet")
	_, _, err = run(t, e, "", Options{In: asParquet, Out: again, MaxBad: 1, Overwrite: true})
	must(t, err)
	if read(t, again) != read(t, asParquet) {
		t.Error("a file that is enriched again differs")
	}
}

// compare compares a Parquet file with a table.
func compare(t *testing.T, path string, table [][]string, columns []enrich.Column) {
	t.Helper()
	r, err := arrowfile.Open(path, arrowfile.ReadOptions{})
	must(t, err)
	defer r.Close()
	types, known := map[string]arrow.DataType{}, 0
	for _, f := range r.Schema().Fields() {
		types[f.Name] = f.Type
	}
	for _, c := range columns {
		want := c.Type()
		if d, is := want.(*arrow.DictionaryType); is { // in memory
			want = d.ValueType
		}
		if !arrow.TypeEqual(types[c.Name], want) {
			t.Errorf("%s is of type %v", c.Name, types[c.Name])
		}
	}
	for row := 1; ; {
		record, err := r.Next()
		if err == io.EOF {
			if row != len(table) || known < 1000 {
				t.Errorf("%d rows, %d in CSV; %d values", row-1, len(table)-1, known)
			}
			return
		}
		must(t, err)
		for i := range int(record.NumRows()) {
			for c := range int(record.NumCols()) {
				got := ""
				if column := record.Column(c); !column.IsNull(i) {
					got = column.ValueStr(i)
					known++
				}
				want := table[row][c]
				if _, number := record.Column(c).(*array.Decimal128); number {
					got, want = trimmed(got), trimmed(want)
				}
				if got != want {
					t.Fatalf("row %d, %s: %q, in CSV %q", row, record.ColumnName(c), got, want)
				}
			}
			row++
		}
		record.Release()
	}
}

// trimmed is a number without zeros after the last decimal.
func trimmed(number string) string {
	if strings.Contains(number, ".") {
		return strings.TrimSuffix(strings.TrimRight(number, "0"), ".")
	}
	return number
}

// TestResume interrupts a run, continues it, and compares with a run that was not interrupted.
func TestResume(t *testing.T) {
	e, dir := world(t, everything), t.TempDir()
	in, out, whole := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.parquet"), filepath.Join(dir, "whole.parquet")
	must(t, os.WriteFile(in, []byte(pointsCSV(6000)), 0o644))
	_, _, err := run(t, e, "", Options{In: in, Out: whole, MaxBad: 1, block: 1500})
	must(t, err)

	o := Options{In: in, Out: out, MaxBad: 0, Jobs: 1, block: 1500}
	_, _, err = run(t, e, "", o) // all parts are made, and then there are too many bad rows
	if !errors.Is(err, ErrTooBad) || !strings.Contains(err.Error(), "--resume") {
		t.Fatalf("error %v", err)
	}
	parts, err := filepath.Glob(out + ".parts/part-*.rows.json")
	must(t, err)
	if len(parts) < 3 {
		t.Fatalf("%d parts", len(parts))
	}
	must(t, os.Remove(parts[1])) // as if it had been interrupted in the second part
	must(t, os.WriteFile(strings.TrimSuffix(parts[1], ".rows.json"), []byte("half"), 0o644))

	o.MaxBad, o.Resume, o.Limit = 1, true, 5
	if _, _, err := run(t, e, "", o); !errors.Is(err, ErrAnother) || !strings.Contains(err.Error(), "another reading") {
		t.Errorf("another run continues: %v", err)
	}
	o.Limit = 0
	s, _, err := run(t, e, "", o)
	must(t, err)
	if s.Rows != 6000 || read(t, out) != read(t, whole) {
		t.Errorf("%d rows; the bytes differ", s.Rows)
	}
	if _, err := os.Stat(out + ".parts"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("parts are left: %v", err)
	}
}

func TestStatusesAndReasons(t *testing.T) {
	e := world(t, enrich.Choice{})
	lat, lng := fmt.Sprint(servetest.StreetLat), fmt.Sprint(servetest.Lng)
	for name, c := range map[string]struct{ rows, status, note string }{
		"known":          {lat + "," + lng, "ok", ""},
		"blanks":         {"  " + lat + "," + lng + " ", "ok", ""},
		"exponent":       {"4.52e1,-7.28e1", "ok", ""},
		"no street":      {"45.4,-72.8", "nothing_here", ""},
		"outside":        {"10,-72.8", "outside", ""},
		"turned":         {lng + "," + lat, "outside", "100 % of the rows would be in the release with latitude and longitude exchanged"},
		"0,0":            {"0,0", "outside", "1 row at 0, 0"},
		"empty":          {",", "bad_coordinates", `1 row: no coordinates; the first is row 1: ", "`},
		"NaN":            {"NaN,1", "bad_coordinates", "no coordinates"},
		"infinite":       {"Inf,1", "bad_coordinates", "not a number"},
		"words":          {"north,west", "bad_coordinates", `not a number; the first is row 1: "north, west"`},
		"hexadecimal":    {"0x1p4,1", "bad_coordinates", "not a number"},
		"decimal commas": {`"` + strings.Replace(lat, ".", ",", 1) + `","` + strings.Replace(lng, ".", ",", 1) + `"`, "ok", ""},
		"two commas":     {`"45,2,1","-72,8"`, "bad_coordinates", `not a number; the first is row 1: "45,2,1, -72,8"`},
		"out of range":   {"91,0", "bad_coordinates", "out of range"},
		"metres":         {"5010000,-8100000", "bad_coordinates", "out of range"},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out.csv")
			s, _, err := run(t, e, "lat,lng\n"+c.rows+"\n", Options{Out: out, MaxBad: 1})
			must(t, err)
			if !strings.HasSuffix(read(t, out), ","+c.status+"\n") {
				t.Errorf("rows %q", read(t, out))
			}
			var printed bytes.Buffer
			must(t, s.Write(&printed))
			if !strings.Contains(printed.String(), c.note) || c.note == "" && len(s.notes) > 0 {
				t.Errorf("%s", printed.String())
			}
			_, _, err = run(t, e, "lat,lng\n"+c.rows+"\n", Options{MaxBad: 0.5})
			if bad := c.status == "bad_coordinates" || name == "turned"; errors.Is(err, ErrTooBad) != bad {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestWhereThePointsAre(t *testing.T) {
	e := world(t, enrich.Choice{})
	lat, lng := fmt.Sprint(servetest.StreetLat), fmt.Sprint(servetest.Lng)
	for name, c := range map[string]struct {
		text string
		o    Options
		said string
	}{
		"guessed": {"id;Latitude;LONG\n1;" + lat + ";" + lng + "\n", Options{},
			`latitude from column "Latitude", longitude from "LONG" (guessed by the names)`},
		"named": {"id,north,east,lat,lng\n1," + lat + "," + lng + ",0,0\n", Options{Lat: "north", Lng: "east"},
			`latitude from column "north", longitude from "east"`},
		"WKT":       {"id,wkt\n1,POINT(" + lng + " " + lat + ")\n", Options{}, `geometries of column "wkt" (guessed`},
		"geometry":  {"id,where\n1,point (" + lng + " " + lat + ")\n", Options{Geometry: "where"}, `geometries of column "where"`},
		"geohash":   {"id,geohash\n1,f2h5n0xs4\n", Options{MaxBad: 1}, `centres of the geohashes of column "geohash" (guessed`},
		"WGS 84":    {"id,lat,lng\n1," + lat + "," + lng + "\n", Options{CRS: "epsg:4326"}, "latitude"},
		"NAD83":     {"id,lat,lng\n1,1,1\n", Options{CRS: "EPSG:26918"}, "! look like degrees, but the reference system is projected"},
		"none":      {"id,name\n1,a\n", Options{}, "! no columns are called like coordinates"},
		"two":       {"lat,latitude,lng\n1,2,3\n", Options{}, `! columns "lat" and "latitude" could both be`},
		"not there": {"lat,lng\n1,2\n", Options{Lat: "y", Lng: "x"}, `! 0 columns are called "y". The columns are lat, lng`},
		"half":      {"lat,lng\n1,2\n", Options{Lat: "lat"}, "! give --lat and --lng"},
		"the same":  {"lat,lng\n1,2\n", Options{Lat: "lat", Lng: "lat"}, "! latitude and longitude are the same"},
		"is there":  {"lat,lng,geog_10_id\n1,2,3\n", Options{}, "! it has columns that are added: geog_10_id; with --overwrite-columns"},
		"replaced":  {"lat,lng,geog_10_id\n" + lat + "," + lng + ",3\n", Options{Overwrite: true}, "latitude"},
	} {
		t.Run(name, func(t *testing.T) {
			s, said, err := run(t, e, c.text, c.o)
			want, fails := strings.CutPrefix(c.said, "! ")
			switch {
			case fails && (!errors.Is(err, ErrInput) || !strings.Contains(err.Error(), want)):
				t.Errorf("error %v, want %q", err, want)
			case !fails && (err != nil || !strings.Contains(said, want)):
				t.Errorf("%v, said %q, want %q", err, said, want)
			case !fails && name != "geohash" && s.Statuses["ok"] != 1:
				t.Errorf("statuses %v", s.Statuses)
			}
		})
	}
}

func TestRowsThatAreChosen(t *testing.T) {
	e, text := world(t, enrich.Choice{}), pointsCSV(10_000) // enough for a share of a tenth
	for _, c := range []struct {
		o        Options
		from, to int64
	}{{Options{Limit: 7}, 7, 7}, {Options{Limit: 20_000}, 10_000, 10_000}, {Options{Sample: 0.1}, 900, 1100},
		{Options{Sample: 0.1, Limit: 10}, 10, 10}} {
		c.o.MaxBad = 1
		c.o.Out = filepath.Join(t.TempDir(), "out.csv")
		s, _, err := run(t, e, text, c.o)
		if err != nil || s.Rows < c.from || s.Rows > c.to || int64(strings.Count(read(t, c.o.Out), "\n")) != s.Rows+1 {
			t.Errorf("limit %d, sample %v: %d rows, %v", c.o.Limit, c.o.Sample, s.Rows, err)
		}
	}
}

func TestStandardInputAndOutput(t *testing.T) {
	e, text := world(t, enrich.Choice{}), pointsCSV(100)
	var out, screen bytes.Buffer
	o := Options{In: Standard, Out: Standard, Stdin: strings.NewReader(text), Stdout: &out, Screen: &screen, MaxBad: 1}
	s, err := Run(t.Context(), e, o)
	if err != nil || s.Rows != 100 || strings.Count(out.String(), "\n") != 101 {
		t.Errorf("%d rows, %d lines, %v", s.Rows, strings.Count(out.String(), "\n"), err)
	}
	o.Resume = true
	if _, err := Run(t.Context(), e, o); !errors.Is(err, ErrInput) {
		t.Errorf("resumed from standard input: %v", err)
	}
}

func TestWhatIsRefusedBeforeAnyRow(t *testing.T) {
	e, dir := world(t, enrich.Choice{}), t.TempDir()
	in := filepath.Join(dir, "in.csv")
	must(t, os.WriteFile(in, []byte(pointsCSV(5)), 0o644))
	there := filepath.Join(dir, "there.csv")
	must(t, os.WriteFile(there, []byte("kept"), 0o644))
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"the output exists":   {Options{In: in, Out: there}, "the output exists: " + there},
		"the same file":       {Options{In: in, Out: in, Force: true}, "the same file"},
		"no such file":        {Options{In: filepath.Join(dir, "no.csv"), Out: filepath.Join(dir, "o.csv")}, "no such file"},
		"no format":           {Options{In: in, Out: filepath.Join(dir, "o.xlsx")}, "--format says which"},
		"Parquet on standard": {Options{In: Standard, InFormat: arrowfile.Parquet, Out: there}, "give a file"},
	} {
		c.o.Screen = io.Discard
		if _, err := Run(t.Context(), e, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if read(t, there) != "kept" {
		t.Error("a file was overwritten")
	}
}

// degree reads points in degrees of WGS 84.
var degree = locator{system: 4326}

// Heights of points are left out, and bytes after a point make it none.
func TestPointsInBinary(t *testing.T) {
	data := binary.LittleEndian.AppendUint32([]byte{1}, 1001)
	for _, v := range []float64{-72.8, 45.4, 120} {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	if p, err := degree.pointIn(data); err != nil || p != (orb.Point{-72.8, 45.4}) {
		t.Errorf("%v, %v", p, err)
	}
	if _, err := degree.pointIn(append(data, 0)); !errors.Is(err, errGeometry) {
		t.Errorf("a byte more: %v", err)
	}
}

// FuzzPoint reads any text as a coordinate: what is read is finite or refused by its range.
func FuzzPoint(f *testing.F) {
	for _, text := range []string{"45.4", " -72,8", "1e400", "0x1p4", "NaN", "", "4_5", "+1", "Infinity", ".5", "POINT(-72.8 45.4)",
		"point Z (1 2 3)", "POINT EMPTY", "POLYGON((0 0,1 0,1 1,0 0))",
		"SRID=4326;POINT(-72.8 45.4)", "srid=x;POINT(1 2)"} {
		f.Add(text)
	}
	for _, p := range []orb.Point{{-72.8, 45.4}, {181, 0}, {math.NaN(), 0}} {
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			data, err := wkb.Marshal(p, order)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := parse(text)
		if err == nil && math.IsNaN(x) {
			t.Errorf("%q is NaN", text)
		}
		if _, err := degree.pointIn([]byte(text)); err != nil && !errors.Is(err, errGeometry) && !errors.Is(err, errMissing) &&
			!errors.Is(err, errRange) && !errors.Is(err, errSystem) && !errors.Is(err, errArea) {
			t.Error(err)
		}
	})
}

// TestGrids enriches the cells in which the release has residents or streets, each once.
func TestGrids(t *testing.T) {
	e := world(t, enrich.Choice{Add: []string{"typology"}})
	resolution := 8
	for name, c := range map[string]struct {
		o     Options
		cells int
	}{
		"geohashes":       {Options{GeohashCells: 7}, 2},
		"larger ones":     {Options{GeohashCells: 1}, 2}, // north and south of the 45th parallel
		"smaller ones":    {Options{GeohashCells: 8}, 64},
		"H3":              {Options{H3: &resolution}, 2},
		"two grids":       {Options{H3: &resolution, GeohashCells: 7}, -1},
		"too small":       {Options{GeohashCells: 9}, -1},
		"points are none": {Options{GeohashCells: 7, Lat: "lat", Lng: "lng"}, -1},
	} {
		c.o.Out, c.o.Screen = filepath.Join(t.TempDir(), "out.csv"), io.Discard
		s, err := Run(t.Context(), e, c.o)
		if c.cells < 0 {
			if !errors.Is(err, ErrInput) {
				t.Errorf("%s: error %v", name, err)
			}
			continue
		}
		must(t, err)
		lines := strings.Split(strings.TrimSpace(read(t, c.o.Out)), "\n")
		cells := map[string]bool{}
		for _, line := range lines[1:] {
			cell, _, _ := strings.Cut(line, ",")
			cells[cell] = true
		}
		if int(s.Rows) != c.cells || len(cells) != c.cells || !strings.HasPrefix(lines[0], "cell,lat,lng,typology") {
			t.Errorf("%s: %d rows, %d cells\n%s", name, s.Rows, len(cells), lines)
		}
		if name == "geohashes" && s.Statuses["ok"] != 2 {
			t.Errorf("statuses %v", s.Statuses)
		}
	}
}

// The file beside a CSV file has the types that the added columns have in Parquet.
func TestDescriptionOfCSV(t *testing.T) {
	e := world(t, everything)
	out := filepath.Join(t.TempDir(), "out.csv")
	_, _, err := run(t, e, pointsCSV(20), Options{Out: out, MaxBad: 1})
	must(t, err)
	var d struct {
		Columns []struct{ Name, Type string }
	}
	must(t, json.Unmarshal([]byte(read(t, arrowfile.DescriptionOf(out))), &d))
	types := map[string]string{}
	for _, c := range d.Columns {
		types[c.Name] = c.Type
	}
	for name, want := range map[string]string{
		"name": "utf8", "lat": "utf8", "score_quiet": "decimal(5, 4)", "popn_total": "int64", "geog_10_name": "utf8", "quartier_status": "utf8",
	} {
		if types[name] != want {
			t.Errorf("%s is of type %q, want %q", name, types[name], want)
		}
	}
}
