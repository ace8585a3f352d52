package access

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/pack"
	"quartier/internal/pointindex"
	"quartier/schemas"
)

// HomeStripM is the height in metres of the strips of the index in whose order homes are.
const HomeStripM = 1000

// Home is where people live, as a point on a street.
type Home struct {
	Point  orb.Point // of the home, not of the street
	Weight uint64    // thousandths of a household, or of a metre of residential street; more than 0
	Street bool      // the weight is metres
	Edge   uint32
	AlongM float64 // from node A, to 0.1
}

// homes are the sections of the homes.
type homes struct {
	points  []float64 `pack:"point 2 homes"`
	weights []uint64  `pack:"weight homes"`
	streets []uint8   `pack:"street homes"`
	edges   []uint32  `pack:"edge homes"`
	along   []uint32  `pack:"along homes"`
}

func (h *homes) load(l *pack.Loader) {
	l.Fill(h, "home.", map[string]int{"homes": len(pack.Load[uint64](l, "home.weight", pack.Any))})
}

// AddHome adds a home. Finish checks that its edge exists.
func (w *Writer) AddHome(h Home) error {
	if !geo.Valid(h.Point) || h.Weight == 0 || !(h.AlongM >= 0 && h.AlongM <= 1e6) {
		return fmt.Errorf("home at %v with weight %d, %v metres along its street", h.Point, h.Weight, h.AlongM)
	}
	w.homes = append(w.homes, h)
	return nil
}

// AddHull adds the convex hull of the nodes of a region.
func (w *Writer) AddHull(ring orb.Ring) error {
	var numbers []float64
	for _, p := range ring {
		numbers = append(numbers, p[0], p[1])
	}
	w.hulls.Append(numbers)
	return w.out.Err()
}

// writeHomes writes the homes in the order of an index.
func (w *Writer) writeHomes() error {
	points := make([]coord.Point, len(w.homes))
	for i, h := range w.homes {
		points[i], _ = coord.NewPoint(h.Point[0], h.Point[1])
	}
	_, order := pointindex.New(points, HomeStripM)
	var s struct {
		points  pack.Section[float64] `pack:"point"`
		weights pack.Section[uint64]  `pack:"weight"`
		streets pack.Section[uint8]   `pack:"street"`
		edges   pack.Section[uint32]  `pack:"edge"`
		along   pack.Section[uint32]  `pack:"along"`
	}
	pack.OpenSections(w.out, &s, "home.")
	for _, i := range order {
		h := &w.homes[i]
		if int(h.Edge) >= len(w.streets.graph.Edges) {
			return fmt.Errorf("home at %v on edge %d of %d", h.Point, h.Edge, len(w.streets.graph.Edges))
		}
		s.points.Append(h.Point[0], h.Point[1])
		s.weights.Append(h.Weight)
		street := uint8(0)
		if h.Street {
			street = 1
		}
		s.streets.Append(street)
		s.edges.Append(h.Edge)
		s.along.Append(uint32(network.Metres(h.AlongM)))
	}
	return w.out.Err()
}

// Homes is the number of homes.
func (t *Table) Homes() int { return len(t.homes.weights) }

// HomePoint is where home i is, below Homes. Homes are in the order of a pointindex with strips of HomeStripM.
func (t *Table) HomePoint(i int) orb.Point {
	return orb.Point{t.homes.points[2*i], t.homes.points[2*i+1]}
}

// HomeOnStreet reports whether the weight of home i is metres of street.
func (t *Table) HomeOnStreet(i int) bool { return t.homes.streets[i] != 0 }

// HomeWeight is the weight of home i, in thousandths.
func (t *Table) HomeWeight(i int) uint64 { return t.homes.weights[i] }

// HomePlace is where on a street home i is, or near to it.
func (t *Table) HomePlace(i int) network.Place {
	return network.Place{Edge: t.homes.edges[i], Along: network.Distance(t.homes.along[i])}
}

// HomeScores fills dst with the scores at home i, interpolated between the two nodes of its edge.
func (t *Table) HomeScores(i int, dst *[ScoreCount]uint16) {
	copy(dst[:], absent[:])
	e := t.homes.edges[i]
	if uint64(e) >= uint64(t.streets.Edges()) {
		return
	}
	edge := t.streets.Edge(e)
	a, b := t.node(edge.A), t.node(edge.B)
	if a == nil || b == nil {
		return
	}
	share := 0.0
	if edge.Length > 0 {
		share = min(float64(t.homes.along[i])/float64(edge.Length), 1)
	}
	of := fixed(share)
	for s := range dst {
		c := int(schemas.FirstScore) + s
		dst[s] = between(valid(a[c]), valid(b[c]), of)
	}
}

// Hulls are the convex hulls of the nodes of the regions that have any.
func (t *Table) Hulls() (rings []orb.Ring) {
	for i := range t.hulls.Len() {
		numbers := t.hulls.At(i)
		var ring orb.Ring
		for k := 0; k+1 < len(numbers); k += 2 {
			if p := (orb.Point{numbers[k], numbers[k+1]}); !math.IsNaN(p[0] + p[1]) {
				ring = append(ring, p)
			}
		}
		rings = append(rings, ring)
	}
	return rings
}
