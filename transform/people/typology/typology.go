// Package typology classes the built environment by cells of geohash-7: exactly one of schemas.Typologies a cell, with
// the people and households per km² of land around it. In go the channels and surroundings of the walking network and
// where people live; out come rows of derived.typology. Where nobody counted the people there are none.
package typology

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/network/channel"
	"quartier/transform/network/street"
	"quartier/transform/parallel"
)

// chars is the length of the geohashes of cells, about 150 metres wide.
const chars = 7

// People tells how many live around a point.
type People interface {
	// At is people and households per km² of land within a walk of p; false where that is not known.
	At(p orb.Point) (people, households float64, ok bool)
	// Each visits points that people live at, near enough to each other that no inhabited cell is missed.
	Each(visit func(p orb.Point))
}

// Cell is a row of derived.typology.
type Cell struct {
	Geohash                  string
	Class                    int     // place in schemas.Typologies
	PeopleKM2, HouseholdsKM2 float64 // of land
}

// Derive classes every cell that has a street in it or people near it, in the order of their geohashes. Cells of which
// too little is known for a class are left out. It takes 16 bytes a cell, of which there are some 60 on a km².
func Derive(ctx context.Context, net *street.Network, m *channel.Matrix, s *channel.Quantities, people People, c *calibration.Calibration) ([]Cell, error) {
	found := candidates(net, people, c.Typology)
	all := make([]Cell, len(found))
	err := parallel.Nodes(ctx, len(found), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			centre := found[i].centre()
			density, households, ok := people.At(centre)
			if !ok {
				continue
			}
			traits := traitsAt(net, m, s, centre, c.Walking.SnapM)
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

// Traits is what a class is decided by; NaN is not known.
type Traits struct {
	Access, Pedestrian, Vibrant, Transit float64 // 0–5
	Density                              float64 // people per km² of land
	Mall, Idle                           float64 // shares, 0–1
}

var (
	access     = mustChannel("shops_and_services_access")
	pedestrian = mustChannel("pedestrian_friendly")
	vibrant    = mustChannel("vibrant")
	transit    = mustChannel("transit_friendly")
)

func mustChannel(name string) schemas.Channel {
	c, ok := schemas.ChannelOf(name)
	if !ok {
		panic("typology: no channel " + name)
	}
	return c
}

// traitsAt reads the network where a point meets it; all is unknown where no street is near.
func traitsAt(net *street.Network, m *channel.Matrix, s *channel.Quantities, at orb.Point, limit float64) Traits {
	nan := math.NaN()
	t := Traits{Access: nan, Pedestrian: nan, Vibrant: nan, Transit: nan, Mall: nan, Idle: nan}
	p, ok := coord.NewPoint(at[0], at[1])
	if !ok {
		return t
	}
	place, ok := net.Snapper.Snap(p, limit)
	if !ok {
		return t
	}
	edge := net.Walk.Edges[place.Edge]
	share := float64(place.Along) / float64(edge.Length)
	read := func(c schemas.Channel) float64 { return m.Between(int(edge.A), int(edge.B), share, c) }
	t.Access, t.Pedestrian, t.Vibrant, t.Transit = read(access), read(pedestrian), read(vibrant), read(transit)
	nearer := edge.A
	if share > 0.5 {
		nearer = edge.B
	}
	t.Mall, t.Idle = at32(s.MallShare, nearer), at32(s.IdleShare, nearer)
	return t
}

func at32(values []float32, node uint32) float64 {
	if values == nil {
		return math.NaN()
	}
	return float64(values[node])
}

// Classify decides the class of a cell, by its place in schemas.Typologies: the first rule that holds. What is not known
// makes its condition false, so that a place without malls on the map is not mall oriented. False where access is not
// known and the place is no countryside either: nothing can be said then.
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

// Write fills derived.typology.
func Write(ctx context.Context, derived *duck.DB, cells []Cell) error {
	rows, err := derived.Append(ctx, "typology")
	if err != nil {
		return fmt.Errorf("write typologies: %w", err)
	}
	for _, c := range cells {
		if err := rows.Row(c.Geohash, schemas.Typologies[c.Class], c.PeopleKM2, c.HouseholdsKM2); err != nil {
			rows.Close()
			return fmt.Errorf("write typology of %s: %w", c.Geohash, err)
		}
	}
	return rows.Close()
}
