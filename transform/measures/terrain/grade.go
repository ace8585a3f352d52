package terrain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/schemas/calibration"
	"quartier/transform/issue"
	"quartier/transform/measures/raster"
	"quartier/transform/network/street"
	"quartier/transform/network/strip"
)

// grades is how steep the edges of the network are.
type grades struct {
	net         *street.Network
	out         []bool    // edges that are left out, as steps are
	short, long []float32 // percent over about the two lengths of the calibration; NaN where the ground is not known
	capped      *issue.Counter
}

func newGrades(net *street.Network, ground *surface, t *calibration.Terrain) *grades {
	heights := make([]float64, len(net.Walk.Nodes))
	for n, p := range net.Walk.Nodes {
		heights[n] = ground.height(strip.Degrees(p))
	}
	carry(net, heights)
	edges := len(net.Walk.Edges)
	g := &grades{net: net, capped: issue.NewCounter("terrain"), out: make([]bool, edges), short: make([]float32, edges), long: make([]float32, edges)}
	for e := range g.out {
		g.out[e] = slices.Contains(t.LeaveOut, net.Street(uint32(e)).Class)
		g.short[e], g.long[e] = unknown, unknown
	}
	chains(onward(net, g.out), g.out, func(begins []uint32) {
		g.measure(begins, heights, t.Street.BaseM, 0, t.CapPct, g.short)
		g.measure(begins, heights, t.Hill.BaseM, t.Hill.BaseM, t.CapPct, g.long)
	})
	return g
}

// measure gives the edges of a chain their grades, over stretches of at least base metres: what is left at the end goes
// with the stretch before. A rise over less than least metres is told over least.
func (g *grades) measure(begins []uint32, heights []float64, base, least, most float64, into []float32) {
	for len(begins) > 0 {
		n, length := 0, 0.0
		for n < len(begins) && length < base {
			length += g.length(begins[n])
			n++
		}
		rest := 0.0
		for _, end := range begins[n:] {
			if rest += g.length(end); rest >= base {
				break
			}
		}
		if rest < base {
			n, length = len(begins), length+rest
		}
		rise := math.Abs(heights[nodeOf(g.net.Walk, other(begins[n-1]))] - heights[nodeOf(g.net.Walk, begins[0])])
		pct := 100 * rise / max(length, least)
		for _, end := range begins[:n] {
			into[end>>1] = float32(min(pct, most))
		}
		if pct > most && least == 0 {
			g.tooSteep(begins[:n], most)
		}
		begins = begins[n:]
	}
}

func (g *grades) length(end uint32) float64 { return g.net.Walk.Edges[end>>1].Length.Metres() }

// tooSteep counts edges of a grade that is not believed.
func (g *grades) tooSteep(begins []uint32, most float64) {
	for _, end := range begins {
		s := g.net.Street(end >> 1)
		g.capped.Add(fmt.Sprintf("stretch of street steeper than %g %%, counted as that", most), strings.TrimSpace(s.Key+" "+s.Name))
	}
}

// middle is the place half-way along an edge's ends.
func (g *grades) middle(e int) coord.Point {
	a, b := g.net.Walk.Nodes[g.net.Walk.Edges[e].A], g.net.Walk.Nodes[g.net.Walk.Edges[e].B]
	return coord.Point{Lng: int32((int64(a.Lng) + int64(b.Lng)) / 2), Lat: int32((int64(a.Lat) + int64(b.Lat)) / 2)}
}

// steepStreets is the grades of streets, to be averaged over discs.
type steepStreets struct {
	sums          *raster.Sums
	radius, least float64
}

// Layers of steepStreets.
const (
	layerAll   = iota // decimetres of street
	layerKnown        // those whose grade is known
	layerRise         // metres of street times tenths of a percent
)

func (g *grades) streets(t *calibration.Terrain) *steepStreets {
	const cellM = 25
	s := &steepStreets{raster.NewSums(g.net.Walk.Nodes, cellM, t.Street.RadiusM, 3), t.Street.RadiusM, t.MinKnown}
	for e, edge := range g.net.Walk.Edges {
		if g.out[e] {
			continue
		}
		at := strip.Degrees(g.middle(e))
		s.sums.Add(layerAll, at, uint32(edge.Length))
		if pct := float64(g.short[e]); !math.IsNaN(pct) {
			s.sums.Add(layerKnown, at, uint32(edge.Length))
			s.sums.Add(layerRise, at, uint32(math.Round(10*pct*edge.Length.Metres())))
		}
	}
	s.sums.Finish()
	return s
}

// mean is the grade in percent of the streets in the disc around p by their length; NaN where too little is known.
func (s *steepStreets) mean(p orb.Point, totals []uint64) float64 {
	clear(totals)
	s.sums.Disc(p, s.radius, totals)
	if totals[layerKnown] == 0 || float64(totals[layerKnown]) < s.least*float64(totals[layerAll]) {
		return math.NaN()
	}
	return float64(totals[layerRise]) / float64(totals[layerKnown])
}

// hills is the grades of streets that bicycles may use, to find the steepest nearby.
type hills struct {
	index  *strip.Index
	at     []coord.Point
	pct    []float32
	radius float64
}

func (g *grades) hills(t *calibration.Terrain) *hills {
	var points []coord.Point
	var pct []float32
	for e := range g.net.Walk.Edges {
		if !g.out[e] && g.long[e] == g.long[e] && g.net.Street(uint32(e)).Bicycle {
			points, pct = append(points, g.middle(e)), append(pct, g.long[e])
		}
	}
	h := &hills{radius: t.Hill.RadiusM, at: make([]coord.Point, len(points)), pct: make([]float32, len(points))}
	var order []uint32
	h.index, order = strip.New(points, t.Hill.RadiusM)
	for i, from := range order {
		h.at[i], h.pct[i] = points[from], pct[from]
	}
	return h
}

// steepest is the steepest grade in percent of an edge whose middle is within reach of p; NaN where there is none.
func (h *hills) steepest(p coord.Point) float64 {
	most := math.NaN()
	plane := strip.NewPlane(p)
	h.index.Runs(p, h.radius, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if pct := float64(h.pct[i]); !(pct <= most) && plane.Square(h.at[i]) <= h.radius*h.radius {
				most = pct
			}
		}
	})
	return most
}
