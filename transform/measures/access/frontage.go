package access

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/transform/network/street"
)

// frontage fills pedestrian_oriented_street_access (docs/methods.md, 4): metres of streets that are slow, narrow and
// lined with shops, weighted by W of the distance.
func (d *deriver) frontage() {
	f := d.c.Access.Frontage
	if !d.c.Known.Counted(f.Classes, d.known.Has) {
		return // a street may be lined with places that no source lists
	}
	lined := d.linedStreets()
	places, pieces, most := []network.Place{}, []uint8{}, 0
	for edge, n := range lined {
		if n > 0 {
			places = append(places, network.Place{Edge: uint32(edge), Along: d.graph.Edges[edge].Length / 2})
			pieces = append(pieces, n-1)
			most = max(most, int(n))
		}
	}
	at := schemas.MustChannel("pedestrian_oriented_street_access")
	const unit = 1e4
	weight := make([]uint32, int(d.walk.Reach())+1)
	for metres := range weight {
		weight[metres] = uint32(math.Round(unit * d.walk.At(float64(metres))))
	}
	sums, seen := d.graph.Sums(places, pieces, most, weight), d.onFoot(f.Classes, 0)
	for node := range d.graph.Nodes {
		if !d.coverage.places[node] || !seen.Known(node, nil) {
			continue
		}
		length := 0.0
		for i, sum := range sums[node*most : node*most+most] {
			length += float64(i+1) * pieceM * float64(sum) / unit
		}
		d.m.Set(node, at, rating.Frontage(&f, length, nil))
	}
}

// pieceM is the unit of the length of lined streets, in metres.
const pieceM = 5

// linedStreets is the length of each edge that is lined with shops, in units of pieceM.
func (d *deriver) linedStreets() []uint8 {
	f := d.c.Access.Frontage
	edges, index := d.shopStreets()
	var fronts []orb.Bound
	near := make([]bool, len(d.graph.Edges))
	for _, at := range d.set.Points(f.Classes) {
		plane := geo.NewPlane(at)
		index.Search(geo.CircleBound(at, f.FromCentreM), func(item int) bool {
			if d.fromEdge(plane, at, edges[item]) <= f.FromCentreM {
				fronts = append(fronts, at.Bound())
				return false
			}
			return true
		})
		index.Search(geo.CircleBound(at, f.StretchM), func(item int) bool {
			near[edges[item]] = true
			return true
		})
	}
	byPlace := coord.NewBoxIndex(fronts)
	lined := make([]uint8, len(d.graph.Edges))
	for edge := range near {
		if near[edge] {
			lined[edge] = d.linedOf(uint32(edge), fronts, byPlace)
		}
	}
	return lined
}

// linedOf is the length of an edge with enough shops on the StretchM of street around it, sampled every SampleM, in units
// of pieceM.
func (d *deriver) linedOf(edge uint32, fronts []orb.Bound, byPlace *coord.BoxIndex) uint8 {
	f := d.c.Access.Frontage
	length := d.graph.Edges[edge].Length
	samples := max(1, int(math.Round(length.Metres()/f.SampleM)))
	within := math.Hypot(f.StretchM/2, f.FromCentreM)
	lined := 0
	for i := range samples {
		along := network.Distance((2*i + 1) * int(length) / (2 * samples))
		at, places := d.net.Snapper.Point(network.Place{Edge: edge, Along: along}).Orb(), 0
		plane := geo.NewPlane(at)
		byPlace.Search(geo.CircleBound(at, within), func(item int) bool {
			if plane.Distance(fronts[item].Min) <= within {
				places++
			}
			return places < f.MinPlaces
		})
		if places >= f.MinPlaces {
			lined++
		}
	}
	return uint8(min(math.Round(length.Metres()*float64(lined)/float64(samples)/pieceM), math.MaxUint8))
}

// shopStreets are the edges of streets that may be pedestrian oriented, and an index of their boxes.
func (d *deriver) shopStreets() ([]uint32, *coord.BoxIndex) {
	var edges []uint32
	var boxes []orb.Bound
	for edge := range d.graph.Edges {
		if !d.slow(d.net.Street(uint32(edge))) {
			continue
		}
		var box orb.MultiPoint
		for _, p := range d.graph.Line(uint32(edge)) {
			box = append(box, p.Orb())
		}
		edges, boxes = append(edges, uint32(edge)), append(boxes, box.Bound())
	}
	return edges, coord.NewBoxIndex(boxes)
}

// slow reports whether a street is for pedestrians, or slow and narrow as far as its attributes are known.
func (d *deriver) slow(s *street.Street) bool {
	f := d.c.Access.Frontage
	switch {
	case slices.Contains(f.Always, s.Class):
		return true
	case s.SpeedKMH > f.MaxKMH || s.Lanes > f.MaxLanes || s.Sidewalk != nil && !*s.Sidewalk:
		return false
	case slices.Contains(f.Streets, s.Class):
		return true
	}
	return slices.Contains(f.KnownOnly, s.Class) && (s.SpeedKMH > 0 || s.Lanes > 0)
}

// fromEdge is the distance from a point to an edge in metres.
func (d *deriver) fromEdge(plane geo.Plane, at orb.Point, edge uint32) float64 {
	nearest := math.Inf(1)
	var last orb.Point
	for i, p := range d.graph.Line(edge) {
		here := p.Orb()
		if i > 0 {
			nearest = min(nearest, plane.SegmentDistance(at, last, here))
		}
		last = here
	}
	return nearest
}
