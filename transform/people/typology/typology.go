// Package typology classifies the built environment by geohash-7 cells: one of schemas.Typologies for each cell, with
// people and households per km² of land. Input: channels and quantities of the walking network, and population
// densities. Output: derived.typology, which is empty without counts of people.
package typology

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/parallel"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/transform/network/channel"
	"quartier/transform/network/street"
)

// chars is the length of the geohashes; cells are about 150 m wide.
const chars = 7

// People is the population around points.
type People interface {
	// At returns people and households per km² of land within walking distance of p; false if unknown.
	At(p orb.Point) (people, households float64, ok bool)
	// Each visits points with people, dense enough that no inhabited cell is missed.
	Each(visit func(p orb.Point))
}

// Cell is a row of derived.typology.
type Cell struct {
	Geohash                  string
	Class                    int     // index in schemas.Typologies
	PeopleKM2, HouseholdsKM2 float64 // of land
}

// Derive classifies every cell that has a street in it or people near it, ordered by geohash. Cells with too few data
// are omitted. It takes 16 bytes a cell, of which there are some 60 in a km².
func Derive(ctx context.Context, net *street.Network, m *channel.Matrix, q *channel.Quantities, people People,
	c *calibration.Calibration) ([]Cell, error) {
	found := candidates(net, people, c.Typology)
	all := make([]Cell, len(found))
	err := parallel.Nodes(ctx, len(found), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			centre := found[i].centre()
			density, households, ok := people.At(centre)
			if !ok {
				continue
			}
			traits, own := traitsAt(net, m, q, centre, c.Walking.SnapM)
			if !own {
				continue
			}
			traits.Density = density
			if class, ok := Classify(traits, c.Typology); ok {
				all[i] = Cell{geo.Geohash(centre, chars), class, density, households}
			}
		}
	})
	cells := slices.DeleteFunc(all, func(c Cell) bool { return c.Geohash == "" })
	slices.SortFunc(cells, func(a, b Cell) int { return strings.Compare(a.Geohash, b.Geohash) })
	return cells, err
}

// Traits are the inputs of Classify; NaN if unknown.
type Traits struct {
	Access, Pedestrian, Vibrant, Transit float64 // 0–5
	Density                              float64 // people per km² of land
	Mall, Idle                           float64 // shares, 0–1
}

var (
	access     = schemas.MustChannel("shops_and_services_access")
	pedestrian = schemas.MustChannel("pedestrian_friendly")
	vibrant    = schemas.MustChannel("vibrant")
	transit    = schemas.MustChannel("transit_friendly")
)

// traitsAt interpolates between the nodes of the edge that a point is snapped to; all is unknown without a street
// nearby. own is false if the edge is of a neighbouring region, which has the cell.
func traitsAt(net *street.Network, m *channel.Matrix, q *channel.Quantities, at orb.Point, limit float64) (t Traits, own bool) {
	nan := math.NaN()
	t = Traits{Access: nan, Pedestrian: nan, Vibrant: nan, Transit: nan, Mall: nan, Idle: nan}
	p, ok := coord.NewPoint(at[0], at[1])
	if !ok {
		return t, true
	}
	place, ok := net.Snapper.Snap(p, limit)
	if !ok {
		return t, true
	}
	edge := net.Walk.Edges[place.Edge]
	share := float64(place.Along) / float64(edge.Length)
	read := func(c schemas.Channel) float64 { return m.Between(int(edge.A), int(edge.B), share, c) }
	t.Access, t.Pedestrian, t.Vibrant, t.Transit = read(access), read(pedestrian), read(vibrant), read(transit)
	nearer := edge.A
	if share > 0.5 {
		nearer = edge.B
	}
	t.Mall, t.Idle = at32(q.MallShare, nearer), at32(q.IdleShare, nearer)
	_, own = net.Own().Edge(place.Edge)
	return t, own
}

func at32(values []float32, node uint32) float64 {
	if values == nil {
		return math.NaN()
	}
	return float64(values[node])
}

// Classify returns the class of a cell as its index in schemas.Typologies: the first rule that applies. Conditions on
// unknown traits are false, so that a place without mapped malls is not mall oriented. It returns false if access is
// unknown and no earlier rule applies.
//
// For example, a cell of access 3.2 with 4,000 people per km² and without malls is not urban (from 4.5) and no hub (from
// 3.25), but pedestrian oriented (from 2.5), and not dense (over 5,000): class 3.
func Classify(t Traits, c calibration.Typology) (class int, ok bool) {
	mall, dense := t.Mall >= c.MallShare, t.Density > c.DenseKM2
	urban := t.Access >= c.UrbanAccess
	switch {
	case urban && t.Vibrant >= c.UrbanVibrant:
		return 0, true
	case t.Density < c.RuralKM2, t.Idle > c.IdleShare:
		return 8, true
	case math.IsNaN(t.Access):
		return 0, false
	case t.Pedestrian >= c.HubPedestrian && t.Access >= c.HubAccess && (!urban || t.Vibrant < c.UrbanVibrant) && !mall:
		return 1, true
	case t.Access >= c.GoodAccess && !mall:
		return oneOf(dense, 2, 3), true
	case t.Access >= c.GoodAccess:
		return oneOf(dense, 4, 5), true
	case t.Transit >= c.GoodTransit:
		return 6, true
	}
	return 7, true
}

func oneOf(dense bool, yes, no int) int {
	if dense {
		return yes
	}
	return no
}

// Write writes derived.typology.
func Write(ctx context.Context, db *duck.DB, cells []Cell) error {
	return duck.WriteEach(ctx, db, "typology", cells, func(_ int, c Cell) (derived.Typology, error) {
		return derived.Typology{Geohash: c.Geohash, Typology: schemas.Typologies[c.Class], PopulationKM2: c.PeopleKM2,
			HouseholdsKM2: c.HouseholdsKM2}, nil
	})
}
