// Package metro makes up the timetable of a metropolis, to measure with.
package metro

import (
	"math/rand/v2"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/timetable"
)

// Lines is how many lines make 2,000,000 calls a day, and Nodes how many nodes of streets there are.
const (
	Lines = 400
	Nodes = side * side
)

const (
	metres = 40_000 // from one end to the other
	spots  = 55     // along a side
	calls  = 40     // of a line
	side   = 300    // nodes along it
	speed  = 1.33   // m/s on foot
)

// Today is the date on which everything runs.
var Today = timetable.NewDate(2025, 3, 4)

// Metro is 40 by 40 km: 3,025 places with a stop for each direction, lines of 40 stops both ways, and a node of streets each 133 m.
type Metro struct {
	Table   *timetable.Timetable
	Targets raptor.Targets // the nodes with the walks from all stops within 20 minutes
	xy      [][2]float64   // of the stops in metres
	by      map[[2]int][]uint32
}

// New makes a metro of some lines, with 5,000 calls a day each at the mean.
func New(lines int) *Metro {
	r := rand.New(rand.NewPCG(1, 2))
	m := &Metro{by: map[[2]int][]uint32{}}
	b := timetable.NewBuilder(timetable.Rules{})
	b.AddFeed("metro", timetable.Feed{}, nil)
	for i := range spots * spots {
		for range 2 {
			spot := float64(metres) / spots
			at := [2]float64{(float64(i%spots) + r.Float64()) * spot, (float64(i/spots) + r.Float64()) * spot}
			if len(m.xy)%2 == 1 {
				at = m.xy[len(m.xy)-1]
				at[0] += 20
			}
			b.AddStop("", 0, earth(at))
			cell := [2]int{int(at[0] / 1000), int(at[1] / 1000)}
			m.by[cell] = append(m.by[cell], uint32(len(m.xy)))
			m.xy = append(m.xy, at)
		}
	}
	b.AddService([]timetable.Date{Today})
	for line := range uint32(lines) {
		b.AddRoute("", timetable.Route{})
		m.addLine(b, r, line)
	}
	for stop, at := range m.xy {
		for _, leg := range m.around(at, 600) {
			b.AddTransfer(uint32(stop), leg.Stop, leg.Seconds)
		}
	}
	m.Table = b.Finish()
	m.Targets.First = []uint32{0}
	for node := range Nodes {
		m.Targets.Legs = append(m.Targets.Legs, m.around(nodeAt(node), 1200)...)
		m.Targets.First = append(m.Targets.First, uint32(len(m.Targets.Legs)))
	}
	return m
}

func nodeAt(node int) [2]float64 {
	const spot = float64(metres) / side
	return [2]float64{float64(node%side) * spot, float64(node/side) * spot}
}

// addLine adds a line that wanders in one of eight directions, both ways.
func (m *Metro) addLine(b *timetable.Builder, r *rand.Rand, line uint32) {
	x, y := r.IntN(spots), r.IntN(spots)
	dx, dy := 1-2*(2*x/spots), 1-2*(2*y/spots)
	lean := r.Float64()
	var places []int
	for len(places) < calls {
		places = append(places, y*spots+x)
		if r.Float64() < lean {
			x += dx
		} else {
			y += dy
		}
		if x < 0 || y < 0 || x >= spots || y >= spots {
			x, y, dx, dy = min(max(x, 0), spots-1), min(max(y, 0), spots-1), -dx, -dy
		}
	}
	headway := []uint32{540, 1200, 1800, 3000}[r.IntN(4)]
	for direction := range 2 {
		begin := r.Uint32N(headway)
		hops := make([]uint32, calls)
		for i := range hops {
			hops[i] = 60 + r.Uint32N(90)
		}
		for start := 5*3600 + begin; start < 24*3600; start += headway {
			trip := make([]timetable.Call, calls)
			at := start
			for i, place := range places {
				trip[i] = timetable.Call{Stop: uint32(2*place + direction), Arrival: at, Departure: at}
				at += hops[i] + uint32(float64(hops[i])*0.3*peak(at))
			}
			b.AddTrip("", "", line, 0, trip, nil)
		}
		slices.Reverse(places)
	}
}

// peak is how full the streets are at a second.
func peak(at uint32) float64 { return max(0, 1-max(float64(at)-8.5*3600, 8.5*3600-float64(at))/5400) }

// around are the walks of at most some seconds along a grid of streets.
func (m *Metro) around(at [2]float64, seconds uint32) (legs []timetable.Leg) {
	cx, cy, reach := int(at[0]/1000), int(at[1]/1000), int(float64(seconds)*speed/1000)+1
	for x := cx - reach; x <= cx+reach; x++ {
		for y := cy - reach; y <= cy+reach; y++ {
			for _, stop := range m.by[[2]int{x, y}] {
				dx, dy := at[0]-m.xy[stop][0], at[1]-m.xy[stop][1]
				if walk := uint32((max(dx, -dx) + max(dy, -dy)) / speed); walk <= seconds {
					legs = append(legs, timetable.Leg{Stop: stop, Seconds: walk})
				}
			}
		}
	}
	slices.SortFunc(legs, func(a, b timetable.Leg) int { return int(a.Seconds) - int(b.Seconds) })
	return legs
}

// Query is one to all from a node, over an hour in the morning.
func (m *Metro) Query(origin int) raptor.Query {
	return raptor.Query{Access: m.around(nodeAt(origin), 1200), Depart: 8 * 3600, Window: 60, Rides: 4, Minutes: 120}
}

// earth is where a point of the plane lies on the earth.
func earth(xy [2]float64) coord.Point {
	p, _ := coord.NewPoint(-74+xy[0]/78_800, 45+xy[1]/111_100)
	return p
}

// Streets is the grid of streets between the nodes.
func (m *Metro) Streets() *network.Graph {
	b := network.NewBuilder(network.Options{})
	for i := range side {
		var row, column []coord.Point
		for k := range side {
			row, column = append(row, earth(nodeAt(i*side+k))), append(column, earth(nodeAt(k*side+i)))
		}
		b.Add(network.Line{Points: row})
		b.Add(network.Line{Points: column})
	}
	g, _ := b.Finish()
	return g
}
