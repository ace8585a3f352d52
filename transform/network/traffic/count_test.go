package traffic

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/staged"
	"quartier/transform/network/street"
)

// at is a count at a point or along a section given in metres.
func at(aadt float64, xy ...float64) staged.TrafficCount {
	var g orb.Geometry = line(xy...)
	if len(xy) == 2 {
		g = line(xy...)[0]
	}
	data, err := geo.WKB(g)
	if err != nil {
		panic(err)
	}
	return staged.TrafficCount{SourceID: "city", AADT: aadt, Geom: data}
}

// counted applies counts to streets of 600 vehicles a day.
func counted(t *testing.T, streets []street.Street, counts ...staged.TrafficCount) (notes map[string]string, issues int) {
	t.Helper()
	notes, reasons := countedFor(t, streets, counts...)
	for _, rows := range reasons {
		issues += rows
	}
	return notes, issues
}

// countedFor is counted with the number of counts by the reason why they are on no street.
func countedFor(t *testing.T, streets []street.Street, counts ...staged.TrafficCount) (notes map[string]string, reasons map[string]int) {
	t.Helper()
	db, err := duck.Create(filepath.Join(t.TempDir(), "staged.duckdb"), schemas.Staged)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for i, id := range []string{"city", "state"} {
		if err := sqlrow.Insert(t.Context(), db, "source", staged.Source{SourceID: id, Priority: int32(i), Kind: "traffic-counts"}); err != nil {
			t.Fatal(err)
		}
	}
	for i, n := range counts {
		n.SourceKey = fmt.Sprint(i + 1)
		if err := sqlrow.Insert(t.Context(), db, "traffic_count", n); err != nil {
			t.Fatal(err)
		}
	}
	for i := range streets {
		s := &streets[i]
		if s.Class == "" {
			s.Class = "tertiary"
		}
		if s.Car == "" {
			s.Car = "both"
		}
		s.Flow.AADT, s.Flow.Lanes, s.Flow.SpeedKMH = 600, 2, 50
	}
	notes, list, err := Counted(t.Context(), db, streets, &c.Traffic)
	if err != nil {
		t.Fatal(err)
	}
	reasons = map[string]int{}
	for _, i := range list {
		reasons[i.Reason.Code] += int(i.Rows)
	}
	return notes, reasons
}

func TestStreetsOfCounts(t *testing.T) {
	with := func(n staged.TrafficCount, change func(*staged.TrafficCount)) staged.TrafficCount {
		change(&n)
		return n
	}
	named := func(name string) func(*staged.TrafficCount) { return func(n *staged.TrafficCount) { n.Name = name } }
	toward := func(degrees float64) func(*staged.TrafficCount) {
		return func(n *staged.TrafficCount) { n.OneWay, n.Heading = true, &degrees }
	}
	class := func(name string) func(*staged.TrafficCount) { return func(n *staged.TrafficCount) { n.Class = name } }
	main, side := street.Street{Name: "Main Street", Line: line(0, 0, 400, 0)}, street.Street{Name: "Elm Street", Line: line(0, 30, 400, 30)}
	east, west := street.Street{Class: "trunk", Car: "forward", Line: line(0, 0, 400, 0)},
		street.Street{Class: "trunk", Car: "backward", Line: line(0, 20, 400, 20)}
	for name, tt := range map[string]struct {
		streets []street.Street
		counts  []staged.TrafficCount
		want    []float64
		left    int // counts without a street
	}{
		"the nearest": {[]street.Street{main, side}, []staged.TrafficCount{at(5000, 200, 10)}, []float64{5000, 600}, 0},
		"the one of the name": {[]street.Street{main, side}, []staged.TrafficCount{with(at(5000, 200, 10), named("ELM ST"))},
			[]float64{600, 5000}, 0},
		"farther if named": {[]street.Street{main}, []staged.TrafficCount{with(at(5000, 200, 70), named("MAIN ST."))},
			[]float64{5000}, 0},
		"too far": {[]street.Street{main}, []staged.TrafficCount{at(5000, 200, 70)}, []float64{600}, 1},
		"across":  {[]street.Street{main}, []staged.TrafficCount{at(5000, 200, -30, 200, 30)}, []float64{600}, 1},
		"of its class": {[]street.Street{{Class: "motorway", Line: line(0, 0, 400, 0)},
			{Class: "residential", Line: line(0, 20, 400, 20)}}, []staged.TrafficCount{with(at(900, 200, 5), class("residential"))},
			[]float64{600, 900}, 0},
		"no driveways": {[]street.Street{{Class: "driveway", Line: line(0, 0, 400, 0)}},
			[]staged.TrafficCount{at(900, 200, 5)}, []float64{600}, 1},
		"a section of two pieces": {[]street.Street{{Name: "A", Line: line(0, 0, 400, 0)}, {Name: "B", Line: line(400, 0, 800, 0)}},
			[]staged.TrafficCount{at(5000, 0, 5, 800, 5)}, []float64{5000, 5000}, 0},
		"both carriageways": {[]street.Street{east, west}, []staged.TrafficCount{at(30_000, 0, 10, 400, 10)},
			[]float64{15_000, 15_000}, 0},
		"one carriageway": {[]street.Street{east, west}, []staged.TrafficCount{with(at(20_000, 200, 10), toward(95))},
			[]float64{20_000, 600}, 0},
		"the other": {[]street.Street{east, west}, []staged.TrafficCount{with(at(20_000, 200, 10), toward(270))},
			[]float64{600, 20_000}, 0},
		"a street of one way": {[]street.Street{east}, []staged.TrafficCount{at(8000, 200, 0)}, []float64{8000}, 0},
		"both directions": {[]street.Street{main},
			[]staged.TrafficCount{with(at(2000, 100, 3), toward(90)), with(at(3000, 300, -3), toward(270))}, []float64{5000}, 0},
		"one direction is half":    {[]street.Street{main}, []staged.TrafficCount{with(at(2000, 100, 3), toward(90))}, []float64{4000}, 0},
		"two counts of one street": {[]street.Street{main}, []staged.TrafficCount{at(2000, 100, 3), at(4000, 300, 3)}, []float64{3000}, 0},
		"the first source has precedence": {[]street.Street{main},
			[]staged.TrafficCount{with(at(1, 100, 3), func(n *staged.TrafficCount) { n.SourceID = "state" }), at(4000, 300, 3)}, []float64{4000}, 1},
		"along the road, to the next": {[]street.Street{{Name: "M", Line: line(0, 0, 300, 0)}, {Name: "M", Line: line(300, 0, 600, 0)},
			{Name: "M", Line: line(600, 0, 900, 0)}, {Name: "M", Line: line(900, 0, 1200, 0)}},
			[]staged.TrafficCount{at(1000, 150, 0), at(3000, 1050, 0)}, []float64{1000, 1000, 3000, 3000}, 0},
		"not on another road": {[]street.Street{main, {Name: "Oak Street", Line: line(400, 0, 800, 0)},
			{Line: line(400, 0, 400, 400)}}, []staged.TrafficCount{at(1000, 150, 0)}, []float64{1000, 600, 600}, 0},
		"not for ever": {[]street.Street{main, {Name: "Main Street", Line: line(400, 0, 1600, 0)},
			{Name: "Main Street", Line: line(1600, 0, 2600, 0)}}, []staged.TrafficCount{at(1000, 150, 0)}, []float64{1000, 1000, 600}, 0},
		"the count of a later source before one along the road": {[]street.Street{{Name: "M", Line: line(0, 0, 300, 0)},
			{Name: "M", Line: line(300, 0, 600, 0)}, {Name: "M", Line: line(600, 0, 900, 0)}, {Name: "M", Line: line(900, 0, 1200, 0)}},
			[]staged.TrafficCount{at(1000, 150, 0), with(at(3000, 1050, 0), func(n *staged.TrafficCount) { n.SourceID = "state" })},
			[]float64{1000, 1000, 3000, 3000}, 0},
		"not to a class without counts": {[]street.Street{main,
			{Name: "Main Street", Class: "service", Line: line(400, 0, 800, 0)}}, []staged.TrafficCount{at(1000, 150, 0)}, []float64{1000, 600}, 0},
		"a nameless loop": {[]street.Street{{Line: line(0, 0, 400, 0)},
			{Line: line(400, 0, 500, 0, 500, 100, 400, 0)}}, []staged.TrafficCount{at(1000, 150, 0)}, []float64{1000, 1000}, 0},
		"a line of one vertex": {[]street.Street{main, {Line: line(150, 0)}},
			[]staged.TrafficCount{at(1000, 150, 0)}, []float64{1000, 600}, 0},
		"a nameless road, not its branch": {[]street.Street{{Line: line(0, 0, 400, 0)}, {Line: line(400, 0, 800, 0)},
			{Line: line(800, 0, 1200, 0)}, {Line: line(800, 0, 800, 400)}}, []staged.TrafficCount{at(1000, 150, 0)}, []float64{1000, 1000, 600, 600},
			0},
	} {
		t.Run(name, func(t *testing.T) {
			notes, left := counted(t, tt.streets, tt.counts...)
			for i, want := range tt.want {
				if s := &tt.streets[i]; math.Abs(s.Flow.AADT-want) > .5 || (s.Flow.Count != "") != (want != 600) {
					t.Errorf("street %d has %v vehicles a day (%s), not %v", i, s.Flow.AADT, s.Flow.Count, want)
				}
			}
			if left != tt.left || !strings.Contains(notes["traffic counts city"]+notes["traffic counts state"], " counts of source ") {
				t.Errorf("%d counts without a street, notes %v", left, notes)
			}
		})
	}
}

// A count on the street of another source's count is not put on a street beside it.
func TestCountsOnCountedStreets(t *testing.T) {
	of := func(n staged.TrafficCount, source string) staged.TrafficCount {
		n.SourceID = source
		return n
	}
	streets := []street.Street{{Line: line(0, 0, 400, 0)}, {Line: line(0, 30, 400, 30)}}
	_, reasons := countedFor(t, streets, of(at(4000, 300, 3), "city"), of(at(1, 100, 3), "state"), of(at(2, 100, 3000), "state"))
	if reasons["count_on_counted_street"] != 1 || reasons["count_without_street"] != 1 || len(reasons) != 2 {
		t.Errorf("counts without a street: %v", reasons)
	}
	if a, b := streets[0].Flow.AADT, streets[1].Flow.AADT; a != 4000 || b != 600 {
		t.Errorf("%v and %v vehicles a day", a, b)
	}
}

// What else a count has is used where the street has nothing of its own.
func TestDetailsOfCounts(t *testing.T) {
	heavy := .2
	n := at(12_000, 0, 5, 400, 5)
	n.Heavy, n.SpeedKMH, n.Lanes = &heavy, 70, 4
	streets := []street.Street{{Line: line(0, 0, 400, 0)}}
	notes, _ := counted(t, streets, n)
	if f := streets[0].Flow; math.Abs(f.Heavy-.2) > 1e-9 || f.SpeedKMH != 70 || f.Lanes != 4 || f.Count != "city:1" {
		t.Errorf("flow %+v", f)
	}
	if want := "1 of the 1 counts of source city (100 %) are on a street; they hold for 1 streets, and for 0 more along the same " +
		"roads"; notes["traffic counts city"] != want {
		t.Errorf("note %q", notes["traffic counts city"])
	}
	known := []street.Street{{Line: line(0, 0, 400, 0), SpeedKMH: 30, Lanes: 2}}
	counted(t, known, n)
	if f := known[0].Flow; f.SpeedKMH != 50 || f.Lanes != 2 {
		t.Errorf("flow of a street with lanes and a limit %+v", f)
	}
}

func TestRoadNames(t *testing.T) {
	for a, b := range map[string]string{"MAIN ST. N": "Main Street North", "Boul. St-Laurent": "boulevard street laurent",
		"Hwy 7": "highway 7"} {
		if roadName(a) != roadName(b) {
			t.Errorf("%q is %q, %q is %q", a, roadName(a), b, roadName(b))
		}
	}
}
