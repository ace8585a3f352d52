package raptor_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"
	"testing"

	"quartier/internal/coord"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/timetable"
)

// A metro of 40 by 40 km: 3,025 places with a stop for each direction, 400 lines of 40 stops both ways, 2,000,000 calls a day,
// and a node of streets each 133 m with the walks from all stops within 20 minutes.
const (
	metroM     = 40_000
	metroSide  = 55
	metroLines = 400
	metroCalls = 40
	metroNodes = 300
	metroSpeed = 1.33 // m/s on foot
)

type metro struct {
	day     *timetable.Day
	calls   int
	targets raptor.Targets
	xy      [][2]float64 // of the stops in metres
	by      map[[2]int][]uint32
}

var theMetro = sync.OnceValue(func() *metro {
	r := rand.New(rand.NewPCG(1, 2))
	m := &metro{by: map[[2]int][]uint32{}}
	b := timetable.NewBuilder(timetable.Rules{})
	b.AddFeed("metro", timetable.Feed{}, nil)
	for i := range metroSide * metroSide {
		for range 2 {
			spot := float64(metroM) / metroSide
			at := [2]float64{(float64(i%metroSide) + r.Float64()) * spot, (float64(i/metroSide) + r.Float64()) * spot}
			if len(m.xy)%2 == 1 {
				at = m.xy[len(m.xy)-1]
				at[0] += 20
			}
			b.AddStop("", 0, coord.Point{Lng: int32(at[0] * 100), Lat: int32(at[1] * 100)})
			cell := [2]int{int(at[0] / 1000), int(at[1] / 1000)}
			m.by[cell] = append(m.by[cell], uint32(len(m.xy)))
			m.xy = append(m.xy, at)
		}
	}
	b.AddService([]timetable.Date{today})
	for line := range uint32(metroLines) {
		b.AddRoute("", timetable.Route{})
		m.addLine(b, r, line)
	}
	for stop, at := range m.xy {
		for _, leg := range m.around(at, 600) {
			b.AddTransfer(uint32(stop), leg.Stop, leg.Seconds)
		}
	}
	table := b.Finish()
	m.calls = len(table.Arrivals)
	m.day = table.Day(today)
	m.targets.First = []uint32{0}
	for node := range metroNodes * metroNodes {
		m.targets.Legs = append(m.targets.Legs, m.around(nodeAt(node), 1200)...)
		m.targets.First = append(m.targets.First, uint32(len(m.targets.Legs)))
	}
	return m
})

func nodeAt(node int) [2]float64 {
	const spot = float64(metroM) / metroNodes
	return [2]float64{float64(node%metroNodes) * spot, float64(node/metroNodes) * spot}
}

// addLine adds a line that wanders in one of eight directions, both ways.
func (m *metro) addLine(b *timetable.Builder, r *rand.Rand, line uint32) {
	x, y := r.IntN(metroSide), r.IntN(metroSide)
	dx, dy := 1-2*(2*x/metroSide), 1-2*(2*y/metroSide)
	lean := r.Float64()
	var places []int
	for len(places) < metroCalls {
		places = append(places, y*metroSide+x)
		if r.Float64() < lean {
			x += dx
		} else {
			y += dy
		}
		if x < 0 || y < 0 || x >= metroSide || y >= metroSide {
			x, y, dx, dy = min(max(x, 0), metroSide-1), min(max(y, 0), metroSide-1), -dx, -dy
		}
	}
	headway := []uint32{540, 1200, 1800, 3000}[r.IntN(4)]
	for direction := range 2 {
		begin := r.Uint32N(headway)
		hops := make([]uint32, metroCalls)
		for i := range hops {
			hops[i] = 60 + r.Uint32N(90)
		}
		for start := 5*3600 + begin; start < 24*3600; start += headway {
			calls := make([]timetable.Call, metroCalls)
			at := start
			for i, place := range places {
				calls[i] = timetable.Call{Stop: uint32(2*place + direction), Arrival: at, Departure: at}
				at += hops[i] + uint32(float64(hops[i])*0.3*peak(at))
			}
			b.AddTrip("", "", line, 0, calls, nil)
		}
		slices.Reverse(places)
	}
}

// peak is how full the streets are at a second.
func peak(at uint32) float64 { return max(0, 1-max(float64(at)-8.5*3600, 8.5*3600-float64(at))/5400) }

// around are the walks of at most some seconds along a grid of streets.
func (m *metro) around(at [2]float64, seconds uint32) (legs []timetable.Leg) {
	cx, cy, reach := int(at[0]/1000), int(at[1]/1000), int(float64(seconds)*metroSpeed/1000)+1
	for x := cx - reach; x <= cx+reach; x++ {
		for y := cy - reach; y <= cy+reach; y++ {
			for _, stop := range m.by[[2]int{x, y}] {
				dx, dy := at[0]-m.xy[stop][0], at[1]-m.xy[stop][1]
				if walk := uint32((max(dx, -dx) + max(dy, -dy)) / metroSpeed); walk <= seconds {
					legs = append(legs, timetable.Leg{Stop: stop, Seconds: walk})
				}
			}
		}
	}
	slices.SortFunc(legs, func(a, b timetable.Leg) int { return int(a.Seconds) - int(b.Seconds) })
	return legs
}

func (m *metro) query(origin int) raptor.Query {
	return raptor.Query{Access: m.around(nodeAt(origin), 1200), Depart: 8 * 3600, Window: 60, Rides: 4, Minutes: 120}
}

// BenchmarkOneToAll is all percentiles of all nodes from one, over a window of an hour.
func BenchmarkOneToAll(b *testing.B) {
	m := theMetro()
	percentiles := []int{5, 25, 50, 75, 95}
	out := make([]uint16, m.targets.Len()*len(percentiles))
	search, r := raptor.New(m.day, raptor.Ours), rand.New(rand.NewPCG(3, 4))
	b.ReportAllocs()
	begin := processorTime()
	for b.Loop() {
		if err := search.Run(m.query(r.IntN(metroNodes * metroNodes))); err != nil {
			b.Fatal(err)
		}
		if err := search.All(context.Background(), &m.targets, nil, percentiles, out); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/(processorTime()-begin), "origins/s-of-a-core")
	b.ReportMetric(float64(m.calls), "trip-stops")
	b.ReportMetric(float64(len(m.targets.Legs))/float64(m.targets.Len()), "stops/node")
}

// BenchmarkOneToStops is the search alone.
func BenchmarkOneToStops(b *testing.B) {
	m := theMetro()
	search, r := raptor.New(m.day, raptor.Ours), rand.New(rand.NewPCG(3, 4))
	begin := processorTime()
	for b.Loop() {
		if err := search.Run(m.query(r.IntN(metroNodes * metroNodes))); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/(processorTime()-begin), "origins/s-of-a-core")
}

// processorTime is what the process used so far in seconds: other work on the machine does not count.
func processorTime() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
