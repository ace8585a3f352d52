package demography

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
	"quartier/schemas/staged"
	"quartier/transform/issue"
	"quartier/transform/places/geography"
	"quartier/transform/regiontest"
)

// world is a synthetic region. Maryland is 40 km wide around Home, Ontario begins 10 km north of it.
type world struct {
	*regiontest.Region
	t        *testing.T
	outlines []geography.Boundary
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{Region: regiontest.New(t), t: t}
	w.source("blocks", 1, "2021-02-08")
	w.outline("census:state:24", schemas.State, "Maryland", regiontest.Square(-20_000, -20_000, 20_000, 20_000))
	w.outline("statcan:pr:35", schemas.State, "Ontario", regiontest.Square(-20_000, 30_000, 20_000, 70_000))
	return w
}

func (w *world) source(id string, priority int, asOf string) {
	w.t.Helper()
	w.Source(id, priority, "x", asOf)
}

func (w *world) survey(id string, priority int, vintage string) {
	w.t.Helper()
	w.source(id, priority, "2024-01-01")
	regiontest.Stage(w.Region, "survey", staged.Survey{SourceID: id, Vintage: vintage})
}

func (w *world) outline(key string, level schemas.Level, name string, m orb.MultiPolygon) {
	w.t.Helper()
	regiontest.Stage(w.Region, "boundary", staged.Boundary{SourceID: "osm", SourceKey: key, Level: int32(level), NameEN: name,
		Geom: regiontest.WKB(w.t, m)})
	w.outlines = append(w.outlines, geography.Boundary{Source: "osm", Key: key, Level: level, NameEN: name, Geometry: m})
}

// cellSide is the side of the squares of blocks and zones in metres.
const cellSide = 100

// square is the rectangle of width squares from number x to the east and y to the north.
func square(x, y, width int) orb.MultiPolygon {
	return regiontest.Square(cellSide*float64(x), cellSide*float64(y), cellSide*float64(x+width), cellSide*float64(y+1))
}

// block stages a block of people, households and dwellings; negative numbers are missing.
func (w *world) block(key, area string, people, households, dwellings int64, outline orb.MultiPolygon) {
	w.t.Helper()
	regiontest.Stage(w.Region, "block", staged.Block{SourceID: "blocks", SourceKey: key, AreaKey: area,
		Population: known(people), Dwellings: known(dwellings), Households: known(households), Geom: regiontest.WKB(w.t, outline)})
}

func known(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}

func (w *world) zone(key string, outline orb.MultiPolygon) {
	w.t.Helper()
	regiontest.Stage(w.Region, "zone", staged.Zone{SourceID: "blocks", SourceKey: key, Geom: regiontest.WKB(w.t, outline)})
}

// table stages the cells of a table that the country has, in their order; negative values are missing. Margins are 10 % of
// the estimates, and 12 for 0.
func (w *world) table(source, area, table string, estimates ...float64) {
	w.t.Helper()
	t, _ := demographics.TableOf(table)
	country := countryOf(area)
	for _, c := range demographics.Tables[t].Cells {
		cell := &demographics.Cells[c]
		if !cell.Has(country) {
			continue
		}
		estimate := estimates[0]
		estimates = estimates[1:]
		if estimate >= 0 {
			w.statistic(source, area, cell.ID, estimate, margin10(estimate))
		}
	}
	if len(estimates) > 0 {
		w.t.Fatalf("%s has fewer cells", table)
	}
}

func (w *world) statistic(source, area, cell string, estimate, moe float64) {
	w.t.Helper()
	regiontest.Stage(w.Region, "statistic", staged.Statistic{SourceID: source, AreaKey: area, Cell: cell, Estimate: estimate, MOE: &moe})
}

func margin10(estimate float64) float64 {
	if estimate == 0 {
		return 12
	}
	return estimate / 10
}

// outcome is the output of Derive.
type outcome struct {
	*Result
	t       *testing.T
	derived *duck.DB
	issues  []issue.Issue
}

func (w *world) try() (*outcome, error) {
	w.t.Helper()
	ctx := w.t.Context()
	derived := regiontest.Derived(w.t)
	geographies, err := geography.Derive(ctx, w.outlines, nil, nil)
	if err == nil {
		err = geography.Write(ctx, derived, geographies)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	result, issues, err := Derive(ctx, w.Staged, derived, geographies.Coverage, calibration.Standard().Demographics)
	return &outcome{result, w.t, derived, issues}, err
}

func (w *world) derive() *outcome {
	w.t.Helper()
	o, err := w.try()
	if err != nil {
		w.t.Fatal(err)
	}
	return o
}

// is compares the result of a query for one column of text.
func (o *outcome) is(query string, want ...string) {
	o.t.Helper()
	rows, err := o.derived.Query(query)
	if err != nil {
		o.t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var got []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			o.t.Fatal(err)
		}
		got = append(got, line)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		o.t.Errorf("%s:\n%s", query, diff)
	}
}

// areaValues is a query for the figures of small areas, "11 tenure.total 100 ±10": the last two digits of the key, the
// cell, and the figure to 0.01.
const areaValues = `SELECT concat_ws(' ', right(source_key, 2), cell, round(estimate, 2), '±' || round(moe, 2)) AS line FROM ` +
	`small_area_value JOIN small_area USING (area) ORDER BY source_key, cell`

// hasIssues compares the issues, as "rows reason (example)".
func (o *outcome) hasIssues(want ...string) {
	o.t.Helper()
	var got []string
	for _, i := range o.issues {
		got = append(got, fmt.Sprintf("%d %s (%s)", i.Rows, i.Reason, i.Example))
		if i.Step != step || strings.TrimSpace(i.Example) == "" {
			o.t.Errorf("%+v", i)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		o.t.Errorf("issues:\n%s", diff)
	}
}
