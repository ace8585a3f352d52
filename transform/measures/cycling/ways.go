package cycling

import (
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/pointindex"
	"quartier/schemas/calibration"
	"quartier/transform/measures/raster"
	"quartier/transform/network/junction"
	"quartier/transform/network/ride"
	"quartier/transform/network/street"
)

// ways are the cycleable streets and the connected groups of calm ones.
type ways struct {
	streets []street.Street
	calm    []bool             // by street: of low stress
	counted []bool             // by street: part of the total length
	cuts    [][]uint32         // by street: inner vertices that calm ways cannot pass, ascending
	first   []uint32           // by street: number of its first stretch; cuts separate stretches
	joined  junction.UnionFind // of stretches
	outside map[uint32]bool    // groups of stretches that lead beyond the edge of the data, where they may be connected
}

// newWays finds the connected groups of calm streets. Where a calm street crosses a stressful one without signals,
// the stretches that meet there are not connected.
//
// For example, a residential street crosses an arterial at its vertex 3: without signals it is cut there into
// stretches 0–3 and 3–6 of different groups; with signals within SignalM they are one group.
func newWays(streets []street.Street, signals *pointindex.PointSet, leaves map[coord.Point]bool, c *calibration.Bicycle) *ways {
	w := &ways{streets: streets, calm: make([]bool, len(streets)), counted: make([]bool, len(streets)),
		cuts: make([][]uint32, len(streets)), first: make([]uint32, len(streets)+1)}
	barrier := make([]bool, len(streets))
	for i := range streets {
		s := &streets[i]
		level := ride.Stress(s, &c.Stress)
		w.counted[i] = level > 0 && !slices.Contains(c.LowStress.LeaveOut, s.Class)
		w.calm[i] = w.counted[i] && level <= c.LowStress.MaxStress
		barrier[i] = !w.calm[i] && crossingStress(s, &c.Stress) >= c.LowStress.Barrier
	}
	w.join(w.meetings(barrier, signals, &c.LowStress))
	w.leave(leaves)
	return w
}

// leave finds the groups that lead to some points.
func (w *ways) leave(points map[coord.Point]bool) {
	w.outside = map[uint32]bool{}
	if len(points) == 0 {
		return
	}
	for i := range w.streets {
		if !w.calm[i] {
			continue
		}
		for k, p := range w.streets[i].Line {
			if at, ok := coord.NewPoint(p[0], p[1]); ok && points[at] {
				w.outside[w.joined[w.stretch(junction.Vertex{Street: uint32(i), Number: uint32(k)})]] = true
			}
		}
	}
}

// crossingStress is the stress of crossing a street: that of cycling on it, even where this is forbidden.
func crossingStress(s *street.Street, c *calibration.Stress) int {
	if s.Car == "no" {
		return 0
	}
	if slices.Contains(c.Forbidden, s.Class) {
		return 4
	}
	open := *s
	open.Bicycle, open.Cycleway = true, ""
	return ride.Stress(&open, c)
}

// meetings records where calm streets are cut, and returns the pairs of vertices at which they are connected.
func (w *ways) meetings(barrier []bool, signals *pointindex.PointSet, c *calibration.LowStress) (pairs [][2]junction.Vertex) {
	junction.Each(w.streets, func(i int) bool { return w.calm[i] || barrier[i] }, func(vertices []junction.Vertex) {
		legs := 0 // of stressful streets: fewer than two need no crossing
		var calm []junction.Vertex
		for _, v := range vertices {
			if barrier[v.Street] {
				legs += v.Legs(&w.streets[v.Street])
			} else {
				calm = append(calm, v)
			}
		}
		if len(calm) == 0 {
			return
		}
		s := &w.streets[calm[0].Street]
		if legs < 2 || near(signals, s.Line[calm[0].Number], c.SignalM) {
			for _, v := range calm[1:] {
				pairs = append(pairs, [2]junction.Vertex{calm[0], v})
			}
			return
		}
		for _, v := range calm {
			if v.Legs(&w.streets[v.Street]) == 2 {
				w.cuts[v.Street] = append(w.cuts[v.Street], v.Number)
			}
		}
	})
	return pairs
}

func near(spots *pointindex.PointSet, p orb.Point, metres float64) bool {
	at, ok := coord.NewPoint(p[0], p[1])
	return ok && spots.Near(at, metres)
}

func (w *ways) join(pairs [][2]junction.Vertex) {
	for i, cuts := range w.cuts {
		slices.Sort(cuts)
		w.first[i+1] = w.first[i] + 1 + uint32(len(cuts))
	}
	w.joined = junction.NewUnionFind(int(w.first[len(w.cuts)]))
	for _, p := range pairs {
		w.joined.Union(w.stretch(p[0]), w.stretch(p[1]))
	}
	for i := range w.joined {
		w.joined[i] = w.joined.Find(uint32(i))
	}
}

// stretch is the number of the stretch that contains a vertex or ends at it.
func (w *ways) stretch(v junction.Vertex) uint32 {
	before, _ := slices.BinarySearch(w.cuts[v.Street], v.Number)
	return w.first[v.Street] + uint32(before)
}

// none is the group of ways that are not calm.
const none = ^uint32(0)

// pieces visits the counted ways in pieces of at most maxM metres, with their group.
func (w *ways) pieces(maxM float64, visit func(s *street.Street, group uint32, middle orb.Point, metres float64)) {
	for i := range w.streets {
		s := &w.streets[i]
		if !w.counted[i] {
			continue
		}
		for k := 1; k < len(s.Line); k++ {
			group := none
			if w.calm[i] {
				group = w.joined[w.stretch(junction.Vertex{Street: uint32(i), Number: uint32(k)})]
			}
			raster.Along(s.Line[k-1:k+1], maxM, func(middle orb.Point, metres float64) { visit(s, group, middle, metres) })
		}
	}
}
