package batch

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"

	"quartier/internal/arrowfile"
	"quartier/internal/shapes"
	"quartier/serve/enrich"
	"quartier/serve/servetest"
)

// square is the text of a square around a point, half a side of so many degrees.
func square(lng, lat, half float64) string {
	return fmt.Sprintf("((%.6f %.6f,%.6f %.6f,%.6f %.6f,%.6f %.6f,%.6f %.6f))", lng-half, lat-half, lng+half, lat-half, lng+half, lat+half,
		lng-half, lat+half, lng-half, lat-half)
}

var everyShapeGroup = enrich.Choice{Shapes: true, Add: enrich.GroupsOf(true), Nearest: []string{"cafes:2"}}

// shapesCSV is a CSV text of shapes in the world of servetest, some outside and some that are none.
func shapesCSV(n int) string {
	var text strings.Builder
	text.WriteString("name,shape\n")
	for i := range n {
		here := square(servetest.Lng+float64(i%7)*0.001, servetest.StreetLat, 0.002+float64(i%11)*0.001)
		shape := "POLYGON" + here
		switch i % 10 {
		case 3:
			shape = "MULTIPOLYGON(" + here + "," + square(servetest.Lng, servetest.SouthStreetLat, 0.01) + ")"
		case 5:
			shape = "POLYGON" + square(10, 10, 1)
		case 7:
			shape = ""
		case 8:
			shape = "POLYGON((0 0,1 1,1 0,0 1,0 0))"
		}
		fmt.Fprintf(&text, "%d,\"%s\"\n", i, shape)
	}
	return text.String()
}

func TestShapesHaveTheSameBytesEverywhere(t *testing.T) {
	e, text := world(t, everyShapeGroup), shapesCSV(300)
	for _, name := range []string{"out.csv", "out.parquet", "out.geoparquet"} {
		want := ""
		for _, jobs := range []int{1, 2, 5} {
			before := runtime.GOMAXPROCS(jobs)
			out := filepath.Join(t.TempDir(), name)
			s, said, err := run(t, e, text, Options{Out: out, Polygons: "shape", Jobs: jobs, MaxBad: 1, block: 40})
			runtime.GOMAXPROCS(before)
			must(t, err)
			got := read(t, out)
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s: other bytes with %d jobs", name, jobs)
			}
			if s.Statuses["bad_geometry"] != 60 || s.Statuses["outside"] != 30 || s.Statuses["ok"] != 210 ||
				!strings.Contains(said, `shapes: polygons of column "shape"`) || !strings.Contains(said, "plan: about 300 rows") {
				t.Errorf("statuses %v, said %s", s.Statuses, said)
			}
		}
	}
}

// Rows say what is wrong with them, and the table says it once with the first of them.
func TestWhatIsNoShape(t *testing.T) {
	e := world(t, everyShapeGroup)
	here := square(servetest.Lng, servetest.StreetLat, 0.01)
	for name, c := range map[string]struct{ cell, status, reason, note string }{
		"a shape":   {"POLYGON" + here, "ok", "", ""},
		"elsewhere": {"POLYGON" + square(10, 10, 1), "outside", "", ""},
		"turned": {"POLYGON" + square(servetest.StreetLat, servetest.Lng, 0.01), "outside", "",
			"100 % of the rows would be in the release with latitude and longitude exchanged"},
		"nothing": {"", "bad_geometry", shapes.ErrMissing.Error(), "1 row: no geometry; the first is row 1"},
		"a point": {"POINT(1 1)", "bad_geometry", shapes.ErrKind.Error(), "not a polygon or multipolygon"},
		"words": {"downtown", "bad_geometry", shapes.ErrFormat.Error(),
			`row 1 (it begins with neither POLYGON nor MULTIPOLYGON): "downtown"`},
		"a bow tie": {"POLYGON((0 0,1 1,1 0,0 1,0 0))", "bad_geometry", shapes.ErrRing.Error(),
			"row 1 (the ring touches or crosses itself near"},
		"two countries": {"MULTIPOLYGON(" + here + "," + square(servetest.Lng, servetest.SouthStreetLat, 0.01) + ")", "ok", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out.csv")
			s, _, err := run(t, e, "shape\n\""+c.cell+"\"\n", Options{Out: out, Polygons: "shape", MaxBad: 1})
			must(t, err)
			line := strings.Split(strings.TrimSpace(read(t, out)), "\n")[1]
			if !strings.HasSuffix(line, ","+c.status) || c.reason != "" && !strings.Contains(line, c.reason) {
				t.Errorf("row %q", line)
			}
			var printed strings.Builder
			must(t, s.Write(&printed))
			if !strings.Contains(printed.String(), c.note) || c.note == "" && len(s.notes) > 0 {
				t.Errorf("%s", printed.String())
			}
		})
	}
}

// A hole has what the shape has not; shapes of a file stay as they are, and become a column of geometries.
func TestHolesAndGeometries(t *testing.T) {
	e := world(t, enrich.Choice{Shapes: true, Add: []string{"pois"}})
	all, hole := square(servetest.Lng, servetest.StreetLat, 0.05), square(servetest.Lng, servetest.StreetLat, 0.01)
	text := fmt.Sprintf("shape\n\"POLYGON%s\"\n\"POLYGON%s\"\n\"POLYGON(%s,%s)\"\n", all, hole, all[1:len(all)-1], hole[1:len(hole)-1])
	out := filepath.Join(t.TempDir(), "out.geoparquet")
	_, _, err := run(t, e, text, Options{Out: out, Polygons: "shape"})
	must(t, err)
	r, err := arrowfile.Open(out, arrowfile.ReadOptions{})
	must(t, err)
	defer r.Close()
	rows, err := r.Next()
	must(t, err)
	defer rows.Release()
	counts := rows.Column(rows.Schema().FieldIndices("pois_total")[0]).(*array.Int64)
	if counts.Value(0) != counts.Value(1)+counts.Value(2) || counts.Value(1) == 0 || counts.Value(2) == 0 {
		t.Errorf("%v are not %v and %v", counts.Value(0), counts.Value(1), counts.Value(2))
	}
	geometries := rows.Column(rows.Schema().FieldIndices("geometry")[0]).(*array.Binary)
	if m, err := shapes.Read(geometries.Value(2)); err != nil || len(m) != 1 || len(m[0]) != 2 {
		t.Errorf("geometry %v, %v", m, err)
	}
}

func TestShapesAreContinued(t *testing.T) {
	e, dir := world(t, everyShapeGroup), t.TempDir()
	in, out, whole := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.parquet"), filepath.Join(dir, "whole.parquet")
	must(t, os.WriteFile(in, []byte(shapesCSV(300)), 0o644))
	o := Options{In: in, Out: whole, Polygons: "shape", MaxBad: 1, block: 70}
	_, _, err := run(t, e, "", o)
	must(t, err)
	o.Out, o.MaxBad = out, 0
	if _, _, err = run(t, e, "", o); err == nil {
		t.Fatal("bad shapes are accepted")
	}
	must(t, os.Remove(filepath.Join(out+".parts", "part-000001.rows.json")))
	o.MaxBad, o.Resume = 1, true
	_, _, err = run(t, e, "", o)
	must(t, err)
	if read(t, out) != read(t, whole) {
		t.Error("the bytes differ")
	}
}

func TestGroupsOfShapes(t *testing.T) {
	e := world(t, enrich.Choice{})
	for name, c := range map[string]struct {
		choice enrich.Choice
		want   string
	}{
		"scores": {enrich.Choice{Shapes: true, Add: []string{"scores"}},
			"scores cannot be had for a shape, only for a point; shapes have medians, pois, nearest, demographics"},
		"medians": {enrich.Choice{Add: []string{"medians"}}, "medians can be had for shapes alone; points have scores, "},
		"radius":  {enrich.Choice{Shapes: true, Radius: []string{"5km"}}, "radius: it is of points"},
		"levels":  {enrich.Choice{Shapes: true, Levels: []string{"10"}}, "levels: it is of points"},
	} {
		if _, err := enrich.New(e.Release(), c.choice, enrich.Client{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := Run(t.Context(), e, Options{In: "in.csv", InFormat: arrowfile.CSV, Out: filepath.Join(t.TempDir(), "o.csv"), Polygons: "a",
		Geometry: "b", Screen: io.Discard})
	if err == nil {
		t.Error("points and shapes at once")
	}
}
