package measures

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/household"
	"quartier/internal/pack/reach"
	"quartier/internal/travel"
	"quartier/internal/travel/streets"
	"quartier/internal/travel/timetable"
	"quartier/schemas"
)

// A town of streets each 100 m, with a line between two stops that leaves each ten minutes both ways and takes four, and cars that
// need ten seconds for each street.
const (
	side     = 41
	block    = 100 // metres
	walkS    = 75  // a block at 4.8 km/h
	driveS   = 10
	rideS    = 240
	headwayS = 600
)

// stops are at these blocks.
var stops = [2][2]int{{5, 20}, {35, 20}}

func nodeOf(x, y int) uint32 { return uint32(y*side + x) }

func at(x, y float64) coord.Point {
	p := geo.NewPlane(orb.Point{-75.7, 45.4}).Point(block*x, block*y)
	at, _ := coord.NewPoint(p[0], p[1])
	return at
}

func box(x0, y0, x1, y1 float64) orb.MultiPolygon {
	a, b := degrees(at(x0, y0)), degrees(at(x1, y1))
	return orb.MultiPolygon{{{a, {b[0], a[1]}, b, {a[0], b[1]}, a}}}
}

// town is the town, with homes at half of the nodes.
func town(t testing.TB, random *rand.Rand) *World { return grid(t, random, side, line(), 2) }

// grid is streets, with homes at some nodes and what is counted at random ones, known everywhere around.
func grid(t testing.TB, random *rand.Rand, side int, table *timetable.Timetable, homes int) *World {
	t.Helper()
	nodeOf := func(x, y int) uint32 { return uint32(y*side + x) }
	w := &World{Counted: map[string]*Counted{}}
	var parts travel.Parts
	for _, mode := range []travel.Mode{travel.Walk, travel.Car} {
		var b streets.Builder
		cost := uint32(10 * block)
		if mode == travel.Car {
			cost = 10 * driveS
		}
		for y := range side {
			for x := range side {
				for _, to := range [2][2]int{{x + 1, y}, {x, y + 1}} {
					if to[0] == side || to[1] == side {
						continue
					}
					e := streets.Edge{A: nodeOf(x, y), B: nodeOf(to[0], to[1]), Length: 10 * block, Forth: cost, Back: cost,
						Line: []coord.Point{at(float64(x), float64(y)), at(float64(to[0]), float64(to[1]))}}
					if err := b.Add(e); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		parts.Streets[mode] = b.Finish(nil)
	}
	parts.Timetable = table
	parts.Stops = parts.Streets[travel.Walk].Link(parts.Timetable.StopAt, 100)
	ground, err := coord.NewArea(box(-100, -100, 500, 500))
	if err != nil {
		t.Fatal(err)
	}
	parts.Extents, parts.Feeds = []coord.Area{ground}, []travel.Feed{{Ground: ground}}
	if parts.Transfers, err = travel.Transfers(context.Background(), &parts, streets.Walk); err != nil {
		t.Fatal(err)
	}
	if parts.Egress, err = travel.Egress(context.Background(), parts.Stops, streets.Walk, 60*travel.EgressMinutes); err != nil {
		t.Fatal(err)
	}
	w.World = travel.New(parts)
	w.prepare()
	for _, of := range schemas.TravelCounted {
		c := &Counted{Known: household.Hulls{geo.Prepare(box(-500, -500, 900, 900))}}
		for node := range uint32(side * side) {
			if random.IntN(3) == 0 {
				c.At = append(c.At, Amount{node, uint64(random.IntN(5000))})
			}
		}
		w.Counted[of] = c
	}
	for node := range uint32(side * side) {
		if random.IntN(homes) != 1 {
			w.Homes = append(w.Homes, Amount{node, 1 + uint64(random.IntN(5))})
		}
	}
	return w
}

func line() *timetable.Timetable {
	const day = timetable.Date(20000)
	b := timetable.NewBuilder(timetable.Rules{})
	b.AddFeed("line", timetable.Feed{First: day, Last: day, Tuesday: day, Saturday: timetable.NoDate, Sunday: timetable.NoDate}, nil)
	for _, s := range stops {
		b.AddStop("", 0, at(float64(s[0]), float64(s[1])))
	}
	b.AddRoute("", timetable.Route{})
	b.AddService([]timetable.Date{day})
	for way := range uint32(2) {
		for start := uint32(6 * 3600); start < 12*3600; start += headwayS {
			b.AddTrip("", "", 0, 0, []timetable.Call{{Stop: way, Arrival: start, Departure: start},
				{Stop: 1 - way, Arrival: start + rideS, Departure: start + rideS}}, nil)
		}
	}
	return b.Finish()
}

// walk is the seconds between two blocks; more than any limit over twenty minutes.
func walk(a, b [2]int) int {
	if s := walkS * (max(a[0]-b[0], b[0]-a[0]) + max(a[1]-b[1], b[1]-a[1])); s <= 60*travel.EgressMinutes {
		return s
	}
	return 1 << 20
}

// ride is when one who is at a stop is at the other one.
func ride(ready int) int { return (ready+30+headwayS-1)/headwayS*headwayS + rideS }

// seconds are those of the median departure, by definition.
func seconds(mode string, from, to [2]int) int {
	if mode == "car" {
		return driveS * (max(from[0]-to[0], to[0]-from[0]) + max(from[1]-to[1], to[1]-from[1]))
	}
	var all []int
	for start := 8 * 3600; start < 9*3600; start += 60 * departEvery {
		best := walk(from, to)
		for way := range 2 {
			there := ride(start + walk(from, stops[way]))
			best = min(best, there+walk(stops[1-way], to)-start)
			best = min(best, ride(there)+walk(stops[way], to)-start) // and back: to where it is too far to walk
		}
		all = append(all, best)
	}
	slices.Sort(all)
	return all[(len(all)-1)/2]
}

func TestMeasuresAreSumsOfWhatIsReached(t *testing.T) {
	w := town(t, rand.New(rand.NewPCG(1, 2)))
	cells, homes := w.Cells()
	if len(cells) < 100 || 3*len(cells) > 2*len(w.Homes) || len(homes) != len(w.Homes) {
		t.Fatalf("%d cells of %d nodes with homes", len(cells), len(homes))
	}
	blockOf := func(node uint32) [2]int { return [2]int{int(node) % side, int(node) / side} }
	for _, h := range homes {
		c := cells[h.Cell]
		if walk(blockOf(h.Node), blockOf(c.Node)) > cellSeconds || walk(blockOf(c.Node), blockOf(cells[c.Car].Node)) > carCellSeconds {
			t.Fatalf("node %d is in cell %+v", h.Node, c)
		}
	}
	var some []uint32
	for i := 0; i < len(cells); i += 7 {
		some = append(some, uint32(i))
	}
	if err := w.Fill(t.Context(), cells, some); err != nil {
		t.Fatal(err)
	}
	for _, i := range some {
		for m, of := range schemas.TravelMeasures {
			from, sum := cells[i].Node, uint64(0)
			if of.Mode == "car" {
				from = cells[cells[i].Car].Node
			}
			for _, a := range w.Counted[of.Of].At {
				if seconds(of.Mode, blockOf(from), blockOf(a.Node)) <= 60*of.Minutes {
					sum += a.N
				}
			}
			if got, want := cells[i].Values[m], uint32((sum+500)/1000); got != want {
				t.Errorf("%s from block %v: %d, want %d", of.ID, blockOf(from), got, want)
			}
		}
	}
	if slices.ContainsFunc(cells[1].Values, func(v uint32) bool { return v != reach.Absent }) {
		t.Errorf("a cell that was not asked for has %v", cells[1].Values)
	}
}

func TestTheSameTwice(t *testing.T) {
	var before []Cell
	for range 2 {
		w := town(t, rand.New(rand.NewPCG(3, 4)))
		cells, _ := w.Cells()
		if err := w.Fill(t.Context(), cells, []uint32{0, 5, 9}); err != nil {
			t.Fatal(err)
		}
		if before != nil && !slices.EqualFunc(cells, before, func(a, b Cell) bool {
			return a.Node == b.Node && a.Car == b.Car && slices.Equal(a.Values, b.Values)
		}) {
			t.Error("the same town has other measures")
		}
		before = cells
	}
}

// TestUnknownGround: what is counted is known in the west alone, groceries nowhere, and timetables in the north.
func TestUnknownGround(t *testing.T) {
	w := town(t, rand.New(rand.NewPCG(5, 6)))
	w.Counted["jobs"].Known = household.Hulls{geo.Prepare(box(-500, -500, 20, 500))}
	w.Counted["groceries"].Known = nil
	north, err := coord.NewArea(box(-100, 20.5, 200, 200))
	if err != nil {
		t.Fatal(err)
	}
	w.Feeds[0].Ground = north
	cells := []Cell{}
	for i, node := range []uint32{nodeOf(2, 35), nodeOf(38, 35), nodeOf(2, 5)} {
		cells = append(cells, Cell{node, uint32(i), reach.Unknown()})
	}
	if err := w.Fill(context.Background(), cells, []uint32{0, 1, 2}); err != nil {
		t.Fatal(err)
	}
	for i, known := range []func(m schemas.TravelMeasure) bool{
		func(m schemas.TravelMeasure) bool {
			return m.Of == "people" || m.Of == "jobs" && m.Minutes == 30 && m.Mode == "transit"
		},
		func(m schemas.TravelMeasure) bool { return m.Of == "people" },
		func(m schemas.TravelMeasure) bool { return m.Of == "people" && m.Mode == "car" },
	} {
		for m, of := range schemas.TravelMeasures {
			if got := cells[i].Values[m] != reach.Absent; got != known(of) {
				t.Errorf("cell %d, %s: known %v", i, of.ID, got)
			}
		}
	}
}

func TestMedian(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) weighted {
			return weighted{rapid.SampledFrom([]uint32{0, 1, 2, 3, reach.Absent}).Draw(t, "value"), rapid.Uint64Range(1, 9).Draw(t, "weight"), 2}
		}), 0, 12).Draw(t, "list")
		var households []uint32 // each one by itself
		all, homes := 0, int64(0)
		for _, v := range list {
			for range v.weight {
				if all++; v.value != reach.Absent {
					households = append(households, v.value)
				}
			}
			if v.value != reach.Absent {
				homes += 2
			}
		}
		slices.SortFunc(households, cmp.Compare)
		want, number := uint32(reach.Absent), int64(0)
		if len(households) > 0 && 2*len(households) >= all {
			want, number = households[(len(households)-1)/2], homes
		}
		if got, n := median(slices.Clone(list)); got != want || n != number {
			t.Fatalf("%v: %d of %d homes, want %d of %d", list, got, n, want, number)
		}
	})
}
