package truth

import (
	"cmp"
	"container/heap"
	"context"
	"io"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"
	"github.com/stretchr/testify/require"

	"quartier/internal/coord"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/timetable"
)

// streets are ways on foot as R5 has them: cut at the nodes that ways share, each edge's seconds rounded up.
type streets struct {
	speed   float64 // m/s
	edges   []edge
	arcs    [][]int // edges by vertex
	x, y    float64 // metres in a degree
	stops   []link
	metres  distances // scratch
	seconds distances
}

type edge struct {
	a, b   int
	length float64
	line   [][2]float64
}

// link is where a point is on the streets.
type link struct {
	edge         int
	along, aside float64 // metres
	ok           bool
}

func newStreets(t testing.TB, path string, speed float64) *streets {
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	scanner := osmpbf.New(context.Background(), file, 1)
	defer scanner.Close()
	at, uses := map[osm.NodeID][2]float64{}, map[osm.NodeID]int{}
	var ways []*osm.Way
	s := &streets{speed: speed}
	for scanner.Scan() {
		switch o := scanner.Object().(type) {
		case *osm.Node:
			s.y = 111_195
			s.x = s.y * math.Cos(o.Lat*math.Pi/180)
			at[o.ID] = [2]float64{o.Lon, o.Lat}
		case *osm.Way:
			if walkable(o.Tags) {
				ways = append(ways, o)
				for i, n := range o.Nodes {
					uses[n.ID]++
					if i == 0 || i == len(o.Nodes)-1 {
						uses[n.ID]++
					}
				}
			}
		}
	}
	if err := scanner.Err(); err != nil && err != io.EOF {
		require.NoError(t, err)
	}
	vertices := map[osm.NodeID]int{}
	for _, w := range ways {
		s.cut(w, at, uses, vertices)
	}
	s.dropIslands(40)
	return s
}

func walkable(tags osm.Tags) bool {
	switch tags.Find("highway") {
	case "", "motorway", "motorway_link", "construction", "proposed", "raceway", "abandoned", "bus_guideway", "platform", "services":
		return false
	}
	foot, access := tags.Find("foot"), tags.Find("access")
	if foot == "no" || foot == "private" {
		return false
	}
	return foot != "" || access != "no" && access != "private"
}

// cut cuts a way at the nodes that are used twice.
func (s *streets) cut(w *osm.Way, at map[osm.NodeID][2]float64, uses map[osm.NodeID]int, vertices map[osm.NodeID]int) {
	vertex := func(id osm.NodeID) int {
		number, known := vertices[id]
		if !known {
			number = len(s.arcs)
			vertices[id] = number
			s.arcs = append(s.arcs, nil)
		}
		return number
	}
	var e edge
	for i, n := range w.Nodes {
		p, known := at[n.ID]
		if !known {
			e = edge{}
			continue
		}
		p = [2]float64{p[0] * s.x, p[1] * s.y}
		if len(e.line) > 0 {
			last := e.line[len(e.line)-1]
			e.length += math.Hypot(p[0]-last[0], p[1]-last[1])
		} else {
			e.a = vertex(n.ID)
		}
		e.line = append(e.line, p)
		if i > 0 && uses[n.ID] > 1 && len(e.line) > 1 {
			e.b = vertex(n.ID)
			s.arcs[e.a], s.arcs[e.b] = append(s.arcs[e.a], len(s.edges)), append(s.arcs[e.b], len(s.edges))
			s.edges = append(s.edges, e)
			e = edge{a: e.b, line: [][2]float64{p}}
		}
	}
}

// dropIslands removes the edges of parts of few vertices.
func (s *streets) dropIslands(vertices int) {
	seen := make([]bool, len(s.arcs))
	for v := range s.arcs {
		part := []int{v}
		for i := 0; i < len(part) && !seen[v]; i++ {
			for _, e := range s.arcs[part[i]] {
				if w := s.edges[e].a + s.edges[e].b - part[i]; w != v && !seen[w] {
					seen[w] = true
					part = append(part, w)
				}
			}
		}
		if !seen[v] && len(part) < vertices {
			for _, w := range part {
				for _, e := range s.arcs[w] {
					s.edges[e].line = nil
				}
			}
		}
		seen[v] = true
	}
}

// link finds the street next to a point.
func (s *streets) link(p coord.Point) link {
	lng, lat := p.Degrees()
	x, y := lng*s.x, lat*s.y
	best := link{aside: 1600}
	for i, e := range s.edges {
		along := 0.0
		for j := 1; j < len(e.line); j++ {
			ax, ay := e.line[j-1][0], e.line[j-1][1]
			dx, dy := e.line[j][0]-ax, e.line[j][1]-ay
			length := math.Hypot(dx, dy)
			if math.Abs(x-ax) <= best.aside+length && math.Abs(y-ay) <= best.aside+length {
				part := 0.0
				if length > 0 {
					part = min(max(((x-ax)*dx+(y-ay)*dy)/(length*length), 0), 1)
				}
				if aside := math.Hypot(ax+part*dx-x, ay+part*dy-y); aside < best.aside {
					best = link{i, along + part*length, aside, true}
				}
			}
			along += length
		}
	}
	return best
}

// distances are those of one search by vertex.
type distances struct {
	at      []float64
	touched []int
	queue   vertexQueue
}

type vertexAt struct {
	at     float64
	vertex int
}
type vertexQueue []vertexAt

func (q vertexQueue) Len() int           { return len(q) }
func (q vertexQueue) Less(i, j int) bool { return q[i].at < q[j].at }
func (q vertexQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *vertexQueue) Push(v any)        { *q = append(*q, v.(vertexAt)) }
func (q *vertexQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// search measures from a link to the vertices: in seconds rounded up by edge, or in metres.
func (s *streets) search(from link, limit float64, seconds bool) *distances {
	d := &s.metres
	weight := func(metres float64) float64 { return metres }
	if seconds {
		d, weight = &s.seconds, func(metres float64) float64 { return math.Ceil(metres / s.speed) }
	}
	if d.at == nil {
		d.at = slices.Repeat([]float64{math.Inf(1)}, len(s.arcs))
	}
	for _, v := range d.touched {
		d.at[v] = math.Inf(1)
	}
	d.touched = d.touched[:0]
	put := func(v int, at float64) {
		if at < d.at[v] && at <= limit {
			d.at[v] = at
			d.touched = append(d.touched, v)
			heap.Push(&d.queue, vertexAt{at, v})
		}
	}
	if !from.ok {
		return d
	}
	e := s.edges[from.edge]
	put(e.a, weight(from.along))
	put(e.b, weight(e.length-from.along))
	for len(d.queue) > 0 {
		v := heap.Pop(&d.queue).(vertexAt)
		if v.at > d.at[v.vertex] {
			continue
		}
		for _, i := range s.arcs[v.vertex] {
			e := s.edges[i]
			if e.line != nil {
				put(e.a+e.b-v.vertex, v.at+weight(e.length))
			}
		}
	}
	return d
}

// to is the way from the link of a search to another one along the streets.
func (s *streets) to(d *distances, from, to link, seconds bool) float64 {
	weight := func(metres float64) float64 { return metres }
	if seconds {
		weight = func(metres float64) float64 { return math.Ceil(metres / s.speed) }
	}
	if !to.ok {
		return math.Inf(1)
	}
	e := s.edges[to.edge]
	best := min(d.at[e.a]+weight(to.along), d.at[e.b]+weight(e.length-to.along))
	if from.ok && from.edge == to.edge {
		best = min(best, weight(math.Abs(from.along-to.along)))
	}
	return best
}

const (
	offStreet   = 1.    // m/s from a point to its street, as r5r 2.4.0dev; 1.3 in 2.3.0, less than a minute of difference
	maxTransfer = 1000. // metres
	maxEgress   = 2000.
)

// linkStops links the stops of a timetable and adds the walks between them: of the stops of a pattern only the nearest one.
func (s *streets) linkStops(t *timetable.Timetable) {
	patterns := make([][]uint32, t.Stops())
	for pattern := range uint32(len(t.Patterns) - 1) {
		stops, _ := t.CallsOf(pattern)
		for _, stop := range stops {
			patterns[stop] = append(patterns[stop], pattern)
		}
	}
	for _, at := range t.StopAt {
		s.stops = append(s.stops, s.link(at))
	}
	t.TransferFirst = []uint32{0}
	for from, a := range s.stops {
		d := s.search(a, maxTransfer, false)
		var legs []timetable.Leg
		for to, b := range s.stops {
			if metres := a.aside + b.aside + s.to(d, a, b, false); metres <= maxTransfer && from != to {
				legs = append(legs, timetable.Leg{Stop: uint32(to), Seconds: uint32(metres / s.speed)})
			}
		}
		passed := map[uint32]bool{}
		for _, leg := range byTime(legs) {
			nearest := false
			for _, pattern := range patterns[leg.Stop] {
				nearest = nearest || !passed[pattern]
				passed[pattern] = true
			}
			if nearest {
				t.Transfers = append(t.Transfers, leg)
			}
		}
		t.TransferFirst = append(t.TransferFirst, uint32(len(t.Transfers)))
	}
}

// access are the walks from a point to stops, at most so many seconds.
func (s *streets) access(from link, most float64) (legs []timetable.Leg) {
	d := s.search(from, most, true)
	for stop, l := range s.stops {
		if at := math.Floor(from.aside/offStreet) + s.to(d, from, l, true) + math.Floor(l.aside/s.speed); at <= most {
			legs = append(legs, timetable.Leg{Stop: uint32(stop), Seconds: uint32(at)})
		}
	}
	return byTime(legs)
}

// egress are the walks from stops to a point.
func (s *streets) egress(to link) (legs []timetable.Leg) {
	d := s.search(to, maxEgress, false)
	for stop, l := range s.stops {
		if metres := l.aside + s.to(d, to, l, false); metres <= maxEgress {
			legs = append(legs, timetable.Leg{Stop: uint32(stop), Seconds: uint32(metres/s.speed) + uint32(to.aside/offStreet)})
		}
	}
	return byTime(legs)
}

func byTime(legs []timetable.Leg) []timetable.Leg {
	slices.SortFunc(legs, func(a, b timetable.Leg) int { return cmp.Compare(a.Seconds, b.Seconds) })
	return legs
}

// walk is the walk between two points in seconds.
func (s *streets) walk(from, to link) uint32 {
	at := math.Floor(from.aside/offStreet) + s.to(s.search(from, 3*3600, true), from, to, true) + math.Floor(to.aside/offStreet)
	if math.IsInf(at, 1) {
		return raptor.NoWalk
	}
	return uint32(at)
}
