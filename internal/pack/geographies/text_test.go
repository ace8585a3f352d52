package geographies

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"quartier/schemas"
)

// TestText runs the cases of testdata/at.txt. Coordinates are degrees.
//
//	geographies     a table; a line is "id level ring…", a ring is "x,y x,y …" between brackets, a second one is a hole
//	at [levels=()]  the geographies at each point "x y", smallest level first
func TestText(t *testing.T) {
	var table *Table
	datadriven.RunTest(t, "testdata/at.txt", func(t *testing.T, d *datadriven.TestData) string {
		switch d.Cmd {
		case "geographies":
			var records []Record
			for line := range strings.Lines(d.Input) {
				records = append(records, textRecord(t, d, line))
			}
			table = build(t, records, nil)
			return ""
		case "at":
			return textAt(t, table, d)
		}
		d.Fatalf(t, "unknown command %q", d.Cmd)
		return ""
	})
}

func textRecord(t *testing.T, d *datadriven.TestData, line string) Record {
	head, rings, _ := strings.Cut(line, "[")
	var id string
	var level schemas.Level
	if _, err := fmt.Sscan(head, &id, &level); err != nil {
		d.Fatalf(t, "%q: %v", line, err)
	}
	var polygon orb.Polygon
	for text := range strings.SplitSeq(strings.TrimRight(strings.TrimSpace(rings), "]"), "] [") {
		var ring orb.Ring
		for pair := range strings.FieldsSeq(text) {
			var p orb.Point
			if _, err := fmt.Sscanf(pair, "%g,%g", &p[0], &p[1]); err != nil {
				d.Fatalf(t, "%q: %v", line, err)
			}
			ring = append(ring, p)
		}
		polygon = append(polygon, append(ring, ring[0]))
	}
	r := record(id, level, orb.MultiPolygon{polygon})
	r.AreaM2 = planar.Area(r.Geometry)
	return r
}

func textAt(t *testing.T, table *Table, d *datadriven.TestData) string {
	var levels []schemas.Level
	for _, a := range d.CmdArgs {
		for i := range a.Vals {
			var level int
			a.Scan(t, i, &level)
			levels = append(levels, schemas.Level(level))
		}
	}
	var out strings.Builder
	for line := range strings.Lines(d.Input) {
		var x, y float64
		if _, err := fmt.Sscan(line, &x, &y); err != nil {
			d.Fatalf(t, "%q: %v", line, err)
		}
		var ids []string
		for _, i := range table.At(nil, x, y, schemas.NewLevelSet(levels...)) {
			ids = append(ids, table.ID(i))
		}
		if len(ids) == 0 {
			ids = []string{"none"}
		}
		fmt.Fprintf(&out, "%g %g: %s\n", x, y, strings.Join(ids, ", "))
	}
	return out.String()
}
