package terrain

import (
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/pointindex"
	"quartier/schemas/calibration"
	"quartier/schemas/reason"
	"quartier/transform/issue"
	"quartier/transform/measures/raster"
	"quartier/transform/network/street"
)

// Reasons are those of this package.
var Reasons reason.List

var gradeCapped = Reasons.Repaired("grade_capped", "The grade of the street is implausible and was capped (calibration: terrain.cap_pct).")

// grades are the grades of the edges of the network.
type grades struct {
	net         *street.Network
	out         []bool    // excluded edges, such as steps
	short, long []float32 // percent over the two base lengths of the calibration; NaN where the terrain is not known
	capped      *issue.Counter
}

func newGrades(net *street.Network, terrain *surface, t *calibration.Terrain) *grades {
	heights := make([]float64, len(net.Walk.Nodes))
	for n, p := range net.Walk.Nodes {
		heights[n] = terrain.height(p.Orb())
	}
	interpolateDecks(net, heights)
	edges := len(net.Walk.Edges)
	g := &grades{net: net, capped: issue.NewCounter("terrain"), out: make([]bool, edges), short: make([]float32, edges),
		long: make([]float32, edges)}
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

// measure gives the edges of a chain their grades over stretches of at least base metres; a shorter rest is added to
// the last stretch. A stretch shorter than minM counts as that long.
//
// For example, edges of 30, 30, 30 and 20 m and a base of 50 m make one stretch of 60 m and one of 50 m. A rise of 3
// m over the first is 5 % on both of its edges.
func (g *grades) measure(begins []uint32, heights []float64, base, minM, maxPct float64, into []float32) {
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
		pct := 100 * rise / max(length, minM)
		for _, end := range begins[:n] {
			into[end>>1] = float32(min(pct, maxPct))
		}
		if pct > maxPct && minM == 0 {
			g.countCapped(begins[:n])
		}
		begins = begins[n:]
	}
}

func (g *grades) length(end uint32) float64 { return g.net.Walk.Edges[end>>1].Length.Metres() }

// countCapped counts edges whose grade is implausible.
func (g *grades) countCapped(begins []uint32) {
	for _, end := range begins {
		s := g.net.Street(end >> 1)
		g.capped.Add(gradeCapped, strings.TrimSpace(s.Key+" "+s.Name))
	}
}

// middle is the point halfway between an edge's ends.
func (g *grades) middle(e int) coord.Point {
	a, b := g.net.Walk.Nodes[g.net.Walk.Edges[e].A], g.net.Walk.Nodes[g.net.Walk.Edges[e].B]
	return coord.Point{Lng: int32((int64(a.Lng) + int64(b.Lng)) / 2), Lat: int32((int64(a.Lat) + int64(b.Lat)) / 2)}
}

// streetGrades are the grades of streets, to be averaged over discs.
type streetGrades struct {
	sums             *raster.Sums
	radius, minKnown float64
}

// Layers of streetGrades.
const (
	layerAll   = iota // decimetres of street
	layerKnown        // decimetres of street of a known grade
	layerRise         // metres of street times tenths of a percent
)

func (g *grades) streets(t *calibration.Terrain) *streetGrades {
	const cellM = 25
	s := &streetGrades{raster.NewSums(g.net.Walk.Nodes, cellM, t.Street.RadiusM, 3), t.Street.RadiusM, t.MinKnown}
	for e, edge := range g.net.Walk.Edges {
		if g.out[e] {
			continue
		}
		at := g.middle(e).Orb()
		s.sums.Add(layerAll, at, uint32(edge.Length))
		if pct := float64(g.short[e]); !math.IsNaN(pct) {
			s.sums.Add(layerKnown, at, uint32(edge.Length))
			s.sums.Add(layerRise, at, uint32(math.Round(10*pct*edge.Length.Metres())))
		}
	}
	s.sums.Finish()
	return s
}

// mean is the mean grade in percent of the streets in the disc around p, weighted by length; NaN if too little is
// known.
func (s *streetGrades) mean(p orb.Point, totals []uint64) float64 {
	clear(totals)
	s.sums.Disc(p, s.radius, totals)
	if totals[layerKnown] == 0 || float64(totals[layerKnown]) < s.minKnown*float64(totals[layerAll]) {
		return math.NaN()
	}
	return float64(totals[layerRise]) / float64(totals[layerKnown])
}

// steepest finds the steepest grade for bicycles near a node.
type steepest struct {
	grades *pointindex.Values[float32] // percent
	radius float64
}

func (g *grades) steepest(t *calibration.Terrain) *steepest {
	var points []coord.Point
	var pct []float32
	for e := range g.net.Walk.Edges {
		if !g.out[e] && g.long[e] == g.long[e] && g.net.Street(uint32(e)).Bicycle {
			points, pct = append(points, g.middle(e)), append(pct, g.long[e])
		}
	}
	return &steepest{pointindex.NewValues(points, pct, t.Hill.RadiusM), t.Hill.RadiusM}
}

// at is the maximum grade in percent of the edges whose middle is within the radius of p; NaN if there is none.
func (s *steepest) at(p coord.Point) float64 {
	highest := math.NaN()
	s.grades.Within(p, s.radius, func(pct *float32, _ float64) {
		if v := float64(*pct); !(v <= highest) {
			highest = v
		}
	})
	return highest
}
