package access

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/network/destination"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.4f, want %.4f", what, got, want)
	}
}

// A street of 6 km with a café at its western end: the values 1,000 and 6,000 m away follow the formulas.
func TestOneCafe(t *testing.T) {
	w := newTown(t)
	w.road("residential", "both", [2]float64{0, 0}, [2]float64{1000, 0}, [2]float64{1200, 0}, [2]float64{6000, 0})
	w.build()
	w.place("cafe", "café", 0, 0)
	r := w.measure()
	walk, g := rating.NewDecay(calibration.Standard().Walking), calibration.Standard().Access.Gravities["coffee_shop_access"]
	near(t, "access at 1 km", r.at("coffee_shop_access", 1000, 0), rating.Saturate(walk.At(1000), g.G0), 0.002)
	near(t, "access at 6 km", r.at("coffee_shop_access", 6000, 0), 0, 0)
	near(t, "proximity at 1 km", r.at("nearest_coffee_shop_proximity", 1000, 0), 5*(1-math.Log(10)/math.Log(50)), 0.002)
	near(t, "proximity at the place", r.at("nearest_coffee_shop_proximity", 0, 0), 5, 0)
	for _, name := range []string{"restaurant_access", "nearest_pharmacy_proximity", "transit_friendly", "groceries", "park_access",
		"nearest_highway_proximity", "vibrant"} {
		if v := r.at(name, 0, 0); !math.IsNaN(v) {
			t.Errorf("%s is %v without data", name, v)
		}
	}
}

// The scores of schools follow the network distance, and high schools may be 1.6 times as far.
func TestSchools(t *testing.T) {
	w := newTown(t)
	w.road("residential", "both", [2]float64{0, 0}, [2]float64{1150, 0})
	w.road("residential", "both", [2]float64{1150, 0}, [2]float64{1840, 0})
	w.road("residential", "both", [2]float64{1840, 0}, [2]float64{9000, 0})
	w.build()
	w.place("primary_school", "primary", 0, 0)
	w.place("high_school", "high", 0, 0)
	r := w.measure()
	near(t, "primary schools at 1,150 m", r.at("primary_schools", 1150, 0), 3.25, 0.01)
	near(t, "high schools at 1,840 m", r.at("high_schools", 1840, 0), 3.25, 0.01)
	near(t, "primary schools at 9 km", r.at("primary_schools", 9000, 0), 0, 0)
}

// A node farther than 10 km from every known place has no value instead of 0.
func TestFarFromEveryKnownPlace(t *testing.T) {
	w := newTown(t)
	w.road("residential", "both", [2]float64{0, 0}, [2]float64{9000, 0}, [2]float64{12000, 0})
	w.build()
	w.place("cafe", "café", 0, 0)
	r := w.measure()
	near(t, "access at 9 km", r.at("coffee_shop_access", 9000, 0), 0, 0)
	if v := r.at("coffee_shop_access", 12000, 0); !math.IsNaN(v) {
		t.Errorf("access at 12 km is %v", v)
	}
}

// Lists of some kinds of places make those kinds known if they have enough for the people there, and never a class that
// consists of many kinds.
func TestLists(t *testing.T) {
	w := newTown(t)
	w.people = Population{People: 40_000, Counted: true}
	w.grid(4, 200)
	w.build()
	for i := range 4 {
		w.place("grocery", fmt.Sprint("grocer ", i), float64(200*i), 0)
		w.place("common_need", fmt.Sprint("grocer ", i), float64(200*i), 0)
	}
	w.place("cafe", "café", 0, 0)
	r := w.measure()
	if v := r.at("groceries", 0, 0); !(v > 4) {
		t.Errorf("groceries is %v", v)
	}
	for _, name := range []string{"coffee_shop_access", "common_needs_access", "shops_and_services_access", "vibrant"} {
		if v := r.at(name, 0, 0); !math.IsNaN(v) {
			t.Errorf("%s is %v without data", name, v)
		}
	}
	if len(r.Notes) == 0 || !strings.Contains(r.Notes[0].Text, "cafe") {
		t.Errorf("notes %v", r.Notes)
	}
}

// Errands without data are estimated where most kinds are known, and absent where too few are.
func TestSlotsWithoutData(t *testing.T) {
	w := newTown(t)
	w.grid(4, 100)
	w.build()
	for i := range 10 {
		w.place("restaurant", fmt.Sprint("restaurant ", i), 0, 0)
		w.place("nightlife", fmt.Sprint("restaurant ", i), 0, 0)
	}
	w.place("grocery", "grocer", 0, 0)
	few := w.measure()
	if v := few.at("shops_and_services_access", 0, 0); !math.IsNaN(v) || !math.IsNaN(float64(few.s.WalkErrands[w.node(0, 0)])) {
		t.Errorf("of groceries and restaurants errands are %v", v)
	}
	for _, class := range []string{"cafe", "park", "primary_school", "high_school", "library", "convenience", "specialty_grocery"} {
		for i := range 5 {
			w.place(class, fmt.Sprint(class, i), 0, 0)
		}
	}
	most := w.measure()
	if v := most.at("shops_and_services_access", 0, 0); !(v > 4.4 && v <= 5) {
		t.Errorf("with shops and banks unknown beside all others, shops and services are %v", v)
	}
	if v := most.s.WalkErrands[w.node(0, 0)]; !(v > 0.88 && v <= 1) {
		t.Errorf("with shops and banks unknown beside all others, errands on foot are %v", v)
	}
}

// A park is as near as its nearest entrance and counts once.
func TestParkOfTwoEntrances(t *testing.T) {
	w := newTown(t)
	w.road("residential", "both", [2]float64{0, 0}, [2]float64{3000, 0})
	w.build()
	w.place("park", "green", 0, 0).Hectares = 2
	one := w.measure()
	w.place("park", "green", 0, 5).Hectares = 2
	w.set.List[0].Hectares = 2
	two := w.measure()
	near(t, "one entrance", one.at("park_access", 0, 0), 2.5, 1e-3)
	near(t, "two entrances", two.at("park_access", 0, 0), 2.5, 1e-3)
	near(t, "by size", two.at("park_access_weighted_by_area", 0, 0), one.at("park_access_weighted_by_area", 0, 0), 1e-3)
}

// One-way streets are respected: an exit ramp does not lead onto the highway.
func TestHighwayByCar(t *testing.T) {
	w := newTown(t)
	w.road("motorway", "forward", [2]float64{0, 500}, [2]float64{1000, 500}, [2]float64{5000, 500})
	w.road("motorway_link", "forward", [2]float64{1000, 0}, [2]float64{1000, 500})
	w.road("residential", "both", [2]float64{0, 0}, [2]float64{1000, 0}, [2]float64{5000, 0})
	w.build()
	w.place("cafe", "café", 0, 0)
	w.set.Ramps = append(w.set.Ramps, w.plane.Point(1000, 500))
	r := w.measure()
	p := calibration.Standard().Proximity["nearest_highway_proximity"]
	near(t, "highway", r.at("nearest_highway_proximity", 0, 0), rating.LogRamp(1500, p.NearM, p.FarM), 0.01)
	w.lines[1].Car = "backward"
	if v := w.measure().at("nearest_highway_proximity", 0, 0); v != 0 {
		t.Errorf("proximity of an exit is %v", v)
	}
}

// serve gives a stop departures of a line.
func serve(d *destination.Destination, route, mode string, rapid bool, direction, trips int) {
	d.Services = append(d.Services, destination.Service{Route: route, RouteName: route, Mode: mode, Rapid: rapid, Direction: direction,
		TripsWeek: trips, Basis: schemas.TimetableBasis})
}

func TestTransitByHand(t *testing.T) {
	w := newTown(t)
	w.road("residential", "both", [2]float64{0, 0}, [2]float64{800, 0}, [2]float64{4000, 0})
	w.build()
	w.surveyed()
	serve(w.place("stop", "A", 0, 0), "7", "bus", false, 0, 300)
	serve(w.place("stop", "B", 0, 0), "7", "bus", false, 1, 200)
	serve(w.place("stop", "C", 800, 0), "Green", "subway", true, 0, 1000)
	w.set.AllLines = map[string]bool{"transit_friendly": true, "bus_service_access": true, "rapid_transit_service_access": true}
	w.set.Complete = []string{"train_station"}
	r := w.measure()
	kinds, walk := calibration.Standard().Transit.Kinds, rating.NewDecay(calibration.Standard().Walking)
	far := walk.At(800)
	near(t, "bus at the stop", r.at("bus_service_access", 0, 0), rating.LogShare(500, kinds["bus_service_access"].Perfect), 1e-3)
	near(t, "bus at 800 m", r.at("bus_service_access", 800, 0), rating.LogShare(500*far, kinds["bus_service_access"].Perfect), 2e-3)
	near(t, "rapid", r.at("rapid_transit_service_access", 800, 0), rating.LogShare(2000, kinds["rapid_transit_service_access"].Perfect), 1e-3)
	near(t, "all", r.at("transit_friendly", 0, 0), rating.LogShare(500+2000*far, kinds["transit_friendly"].Perfect), 2e-3)
	near(t, "out of reach", r.at("transit_friendly", 4000, 0), 0, 0)
	near(t, "trains where it is known that there are none", r.at("train_service_access", 0, 0), 0, 0)
	for _, n := range r.Notes {
		if n.Topic == "transit" {
			t.Errorf("note %v with a timetable", n)
		}
	}
}

// A line without a timetable counts once, at its nearest stop, however many poles it has, and a note says so.
func TestTransitWithoutTimetable(t *testing.T) {
	of := func(poles int) *measured {
		w := newTown(t)
		w.road("residential", "both", [2]float64{0, 0}, [2]float64{4000, 0})
		w.build()
		for i := range poles {
			w.place("bus_stop", fmt.Sprint("pole ", i), float64(100*i), 0)
			stop := w.place("stop", fmt.Sprint("pole ", i), float64(100*i), 0)
			stop.Services = []rating.Service{{Route: "stops:1", Mode: "bus", TripsWeek: 300, Basis: schemas.StopsBasis}}
		}
		return w.measure()
	}
	one, many := of(1), of(4)
	want := rating.LogShare(300, calibration.Standard().Transit.Kinds["transit_friendly"].Perfect)
	for _, r := range []*measured{one, many} {
		near(t, "at the first pole", r.at("transit_friendly", 0, 0), want, 1e-3)
		if v := r.at("train_service_access", 0, 0); !math.IsNaN(v) {
			t.Errorf("trains are %v without data", v)
		}
		if v := r.at("transit_friendly", 4000, 0); !math.IsNaN(v) {
			t.Errorf("beyond the known stops transit is %v", v)
		}
		if len(r.Notes) != 2 || r.Notes[1].Topic != "transit" ||
			!strings.Contains(r.Notes[1].Text, "computed from 1 line of which stops alone are known; departures without a timetable are assumed") {
			t.Errorf("notes %v", r.Notes)
		}
	}
}

// Of the unknown lines of a kind the nearest 16 count, each at its nearest stop, up to the step that they may raise a score to.
func TestUnknownLinesByHand(t *testing.T) {
	w := newTown(t)
	w.road("residential", "both", [2]float64{0, 0}, [2]float64{4000, 0})
	w.build()
	for i := range 20 {
		for j := range 2 {
			w.place("bus_stop", fmt.Sprint("pole ", i, j), float64(50*i+600*j), 0)
			stop := w.place("stop", fmt.Sprint("pole ", i, j), float64(50*i+600*j), 0)
			stop.Services = []rating.Service{{Route: fmt.Sprintf("stops:%02d", i), Mode: "bus", TripsWeek: 300, Basis: schemas.StopsBasis}}
		}
	}
	walk, sum := rating.NewDecay(calibration.Standard().Walking), 0.0
	for i := range 16 {
		sum += 300 * walk.At(float64(50*i))
	}
	c := calibration.Standard().Transit
	perfect := c.Kinds["bus_service_access"].Perfect
	if all := rating.LogShare(sum, perfect); all <= c.WithoutTimes.CapScore {
		t.Fatalf("sixteen lines have %v alone", all)
	}
	near(t, "sixteen lines of unknown kinds", w.measure().at("bus_service_access", 0, 0), c.WithoutTimes.CapScore, 1e-3)
	for _, stop := range []int{0, 1} { // line 00, at both of its poles
		for i := range w.set.List {
			if d := &w.set.List[i]; d.Class == "stop" && d.Key == fmt.Sprint("pole ", 0, stop) {
				d.Services[0].Basis, d.Services[0].Kind, d.Services[0].TripsWeek = schemas.LineBasis, "frequent", 9000
			}
		}
	}
	often := rating.LogShare(9000, perfect)
	near(t, "a line that is known to run often and sixteen unknown ones", w.measure().at("bus_service_access", 0, 0), often, 1e-3)
}

// Of a partial list a value is known near its stops alone; with a list of all lines, none near is 0.
func TestPartialListsEndAtTheirStops(t *testing.T) {
	for _, test := range []struct {
		partial   bool
		complete  map[string]bool
		near, far float64 // at 700 m and at 1,500 m; NaN: absent
		beyond    float64 // at 4,000 m, out of reach
	}{
		{false, map[string]bool{"transit_friendly": true, "bus_service_access": true}, 1, 1, 0},
		{true, nil, 1, math.NaN(), math.NaN()},
		{true, map[string]bool{"transit_friendly": true, "bus_service_access": true}, 1, 1, 0},
	} {
		w := newTown(t)
		w.road("residential", "both", [2]float64{0, 0}, [2]float64{700, 0}, [2]float64{1500, 0}, [2]float64{4000, 0})
		w.build()
		serve(w.place("stop", "A", 0, 0), "7", "bus", false, 0, 300)
		w.set.SomeLines, w.set.AllLines = test.partial, test.complete
		r := w.measure()
		for _, channel := range []string{"transit_friendly", "bus_service_access"} {
			for x, want := range map[float64]float64{700: test.near, 1500: test.far, 4000: test.beyond} {
				if got := r.at(channel, x, 0); math.IsNaN(got) != math.IsNaN(want) || (got > 0) != (want > 0) {
					t.Errorf("partial %v, complete %v: %s at %.0f m is %v", test.partial, test.complete, channel, x, got)
				}
			}
		}
		if test.partial != strings.Contains(fmt.Sprint(r.Notes), "some of the lines only") {
			t.Errorf("partial %v: notes %v", test.partial, r.Notes)
		}
	}
}

// A complete list of railways beside a partial one of buses does not make all transit known where the buses are not.
func TestAllRailwaysAreNotAllLines(t *testing.T) {
	for _, test := range []struct {
		also string // a channel, or a mode of lines without one, that a complete list has too
		part string // of a partial list
		want float64
	}{
		{"train_service_access", "bus_service_access", math.NaN()},
		{"train_service_access", "tram", math.NaN()},
		{"bus_service_access", "bus_service_access", 0},
		{"tram", "tram", 0},
	} {
		w := newTown(t)
		w.road("residential", "both", [2]float64{0, 0}, [2]float64{700, 0}, [2]float64{4000, 0})
		w.build()
		serve(w.place("stop", "A", 0, 0), "7", "bus", false, 0, 300)
		serve(w.place("stop", "B", 0, 0), "R", "rail", false, 0, 100)
		w.set.SomeLines, w.set.PartialLines = true, map[string]bool{"transit_friendly": true, test.part: true}
		w.set.AllLines = map[string]bool{"transit_friendly": true, "train_service_access": true, test.also: true}
		r := w.measure()
		if v := r.at("transit_friendly", 700, 0); !(v > 0) {
			t.Errorf("%v: transit near the stops is %v", test, v)
		}
		if v := r.at("transit_friendly", 4000, 0); math.IsNaN(v) != math.IsNaN(test.want) || v > 0 {
			t.Errorf("%v: transit far from all stops is %v", test, v)
		}
		near(t, "trains far from all stops", r.at("train_service_access", 4000, 0), 0, 0)
	}
}

// A line counts at the stop with the greatest weighted departures, so that a further stop never lowers a value.
func TestOneStopMoreNeverLowersTransit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := newTown(t)
		w.grid(6, 300)
		w.build()
		at := rapid.Float64Range(0, 1800)
		add := func(i int) {
			mode := rapid.SampledFrom([]string{"bus", "tram", "subway", "rail"}).Draw(rt, "mode")
			serve(w.place("stop", fmt.Sprint("stop ", i), at.Draw(rt, "x"), at.Draw(rt, "y")),
				fmt.Sprint(mode, rapid.IntRange(1, 2).Draw(rt, "line")), mode,
				mode == "subway", rapid.IntRange(0, 1).Draw(rt, "direction"), rapid.IntRange(1, 2000).Draw(rt, "trips"))
		}
		for i := range rapid.IntRange(1, 6).Draw(rt, "stops") {
			add(i)
		}
		before := w.measure()
		add(99)
		after := w.measure()
		rises(rt, before, after, "transit_friendly", "bus_service_access", "rapid_transit_service_access", "train_service_access")
		w.set.List[0].Services[0].TripsWeek += 500
		rises(rt, after, w.measure(), "transit_friendly", "bus_service_access", "rapid_transit_service_access", "train_service_access")
	})
}

// rises fails where a channel is lower after than before at some node.
func rises(t *rapid.T, before, after *measured, names ...string) {
	for node := range before.m.Nodes {
		for _, name := range names {
			if b, a := before.m.Get(node, schemas.MustChannel(name)), after.m.Get(node, schemas.MustChannel(name)); a < b {
				t.Fatalf("%s fell from %v to %v at node %d", name, b, a, node)
			}
		}
	}
}

// A further place of any class never lowers its measures, anywhere.
func TestOnePlaceMoreNeverLowersAccess(t *testing.T) {
	classes := []string{"grocery", "restaurant", "cafe", "nightlife", "shop", "bank", "park", "primary_school", "library", "entertainment"}
	var names []string
	for c := range schemas.FirstScore {
		if name := schemas.ChannelName(c); strings.HasSuffix(name, "_access") && !strings.Contains(name, "pedestrian_oriented") ||
			strings.HasSuffix(name, "_proximity") {
			names = append(names, name)
		}
	}
	names = append(names, "groceries", "shopping", "primary_schools", "park_access_weighted_by_area")
	rapid.Check(t, func(rt *rapid.T) {
		w := newTown(t)
		w.grid(6, 400)
		w.build()
		at := rapid.Float64Range(0, 2400)
		for i, class := range classes { // all classes have data before
			w.place(class, fmt.Sprint(class, i), at.Draw(rt, "x"), at.Draw(rt, "y"))
		}
		for i := range rapid.IntRange(0, 12).Draw(rt, "places") {
			w.place(rapid.SampledFrom(classes).Draw(rt, "class"), fmt.Sprint("place ", i), at.Draw(rt, "x"), at.Draw(rt, "y"))
		}
		before := w.measure()
		w.place(rapid.SampledFrom(classes).Draw(rt, "one more"), "one more", at.Draw(rt, "x"),
			at.Draw(rt, "y")).Hectares = rapid.SampledFrom([]float64{0, 0.05, 0.5, 4, 200}).Draw(rt, "hectares")
		after := w.measure()
		rises(rt, before, after, names...)
		for node := range before.m.Nodes {
			for what, q := range map[string][2][]float32{"on foot": {before.s.WalkErrands, after.s.WalkErrands},
				"by bicycle": {before.s.BicycleErrands, after.s.BicycleErrands}, "by car": {before.s.DriveErrands, after.s.DriveErrands}} {
				if q[1][node] < q[0][node] || q[1][node] > 1.0001 {
					rt.Fatalf("%s went from %v to %v", what, q[0][node], q[1][node])
				}
			}
		}
	})
}

// The slots agree with a slow method: the distances of all places to one node, sorted.
func TestErrandsAgreeWithASlowMethod(t *testing.T) {
	c := calibration.Standard()
	walk := rating.NewDecay(c.Walking)
	rapid.Check(t, func(rt *rapid.T) {
		w := newTown(t)
		w.grid(5, 350)
		w.build()
		w.surveyed()
		at := rapid.Float64Range(0, 1750)
		classes := []string{"grocery", "restaurant", "nightlife", "cafe", "shop", "bank", "park", "primary_school", "high_school", "library",
			"entertainment"}
		for i := range 30 {
			w.place(classes[i%len(classes)], fmt.Sprint("place ", i), at.Draw(rt, "x"), at.Draw(rt, "y"))
		}
		r := w.measure()
		node := rapid.IntRange(0, r.m.Nodes-1).Draw(rt, "node")
		total, sum := 0.0, 0.0
		for _, slot := range c.Access.Slots {
			if slot.Evidence {
				continue
			}
			total += rating.Total(slot.Weights)
			sum += walk.Sum(slot.Weights, slowDistances(w, slot.Classes, node), 1, nil)
		}
		if got := float64(r.s.WalkErrands[node]); math.Abs(got-sum/total) > 1e-6 {
			rt.Fatalf("errands are %v, by the slow method %v", got, sum/total)
		}
	})
}

// slowDistances are the distances of all places to a node, sorted.
func slowDistances(w *town, classes []string, node int) (distances []float64) {
	for _, class := range classes {
		for _, d := range w.set.Of(class) {
			for _, reached := range w.net.Walk.ReachOf(d.Place, network.Metres(5000)).Nodes {
				if int(reached.Node) == node {
					distances = append(distances, reached.Distance.Metres())
				}
			}
		}
	}
	slices.Sort(distances)
	return distances
}
