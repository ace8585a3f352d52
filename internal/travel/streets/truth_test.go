package streets_test

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/testenv"
	"quartier/internal/travel/streets"
)

// TestPortoAlegre compares walks at 3.6 km/h with those that R5 publishes for r5r's sample city.
func TestPortoAlegre(t *testing.T) {
	n := portoAlegre(t).foot(0)
	points := pointsOfInterest(t)
	snap := func(name string) network.Place {
		p, ok := n.Snap(points[name], streets.LimitR5M)
		if !ok {
			t.Fatalf("%s has no street", name)
		}
		return p
	}
	for name, rules := range map[string]struct {
		n         *streets.Network
		pace      streets.Pace
		want      []float64 // minutes: of r5r 2.4.0dev, and of a plain shortest path
		tolerance float64
	}{"r5": {n.RulesR5(3.6), streets.R5, []float64{3.3, 13.7, 15, 15.6}, 0.2},
		"ours": {n, streets.Foot(3.6), []float64{3.15, 13.69, 14.90, 15.48}, 0.25}} {
		q := rules.n.NewQuery()
		q.Start(rules.pace, 3600)
		q.Add(snap("public_market"), 0)
		q.Run()
		for i, to := range []string{"townhall", "santa_casa_hospital", "piratini_palace", "metropolitan_cathedral"} {
			got, want := float64(q.To(snap(to)))/60, rules.want[i]
			t.Logf("%s: %s %.2f minutes, want %.2f", name, to, got, want)
			if math.Abs(got-want) > rules.tolerance {
				t.Errorf("%s: %s is at %.2f minutes, not %.2f", name, to, got, want)
			}
		}
	}
}

// TestRulesR5OfPieces compares the rules on streets that are cut into pieces of 100 m, as those of a release are, with whole streets.
func TestRulesR5OfPieces(t *testing.T) {
	city, points := portoAlegre(t), pointsOfInterest(t)
	times := func(maxEdgeM float64) (list []float64) {
		n := city.foot(maxEdgeM).RulesR5(3.6)
		q := n.NewQuery()
		for _, from := range []string{"public_market", "piratini_palace"} {
			place, _ := n.Snap(points[from], streets.LimitR5M)
			q.Start(streets.R5, 3600)
			q.Add(place, 0)
			q.Run()
			for _, to := range []string{"townhall", "santa_casa_hospital", "metropolitan_cathedral", "gasometer_museum", "bus_central_station"} {
				place, ok := n.Snap(points[to], streets.LimitR5M)
				if !ok {
					t.Fatalf("%s has no street", to)
				}
				list = append(list, float64(q.To(place)))
			}
		}
		return list
	}
	whole := times(0)
	for i, got := range times(100) {
		if math.Abs(got-whole[i]) > 2 {
			t.Errorf("way %d takes %v s over pieces, %v s over whole streets", i, got, whole[i])
		}
	}
}

func pointsOfInterest(t *testing.T) map[string]coord.Point {
	file, err := os.Open(testenv.NeedData(t, "formats/travel/poa-r5r/poa_points_of_interest.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	points := map[string]coord.Point{}
	for _, row := range rows[1:] {
		lat, _ := strconv.ParseFloat(row[1], 64)
		lng, _ := strconv.ParseFloat(row[2], 64)
		points[row[0]], _ = coord.NewPoint(lng, lat)
	}
	return points
}

// TestGridOfSquares walks over squares of 200 m at 1 m/s: the way between corners is the sum of both differences.
func TestGridOfSquares(t *testing.T) {
	n := readOSM(t, testenv.NeedData(t, "formats/travel/grid-r5/streets-100.osm.pbf")).foot(0)
	if n.Nodes() != 101*101 {
		t.Fatalf("%d corners", n.Nodes())
	}
	box := coord.EmptyBox
	for edge := range uint32(n.Snapper().Edges()) {
		box = box.Union(coord.BoxAround(n.Snapper().Line(edge)))
	}
	corner := func(x, y int) network.Place {
		p := coord.Point{Lng: box.Min.Lng + int32(int64(box.Max.Lng-box.Min.Lng)*int64(x)/100),
			Lat: box.Min.Lat + int32(int64(box.Max.Lat-box.Min.Lat)*int64(y)/100)}
		place, ok := n.Snap(p, 60)
		if !ok {
			t.Fatalf("no street at %d, %d", x, y)
		}
		return place
	}
	q := n.NewQuery()
	q.Start(streets.Foot(3.6), 6*3600)
	q.Add(corner(20, 20), 0)
	q.Run()
	for _, to := range [][2]int{{20, 20}, {21, 20}, {20, 35}, {60, 50}, {0, 0}} {
		want := 200 * (math.Abs(float64(to[0]-20)) + math.Abs(float64(to[1]-20)))
		if got := float64(q.To(corner(to[0], to[1]))); math.Abs(got-want) > 0.01*want+20 { // the widths of squares differ along a meridian
			t.Errorf("%v: %v s, not %v", to, got, want)
		}
	}
}
