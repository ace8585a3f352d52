package servetest

import (
	"fmt"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/schemas"
)

// Locations of the streets. Each reaches 0.001 degrees to the west and east of Lng, or of WildLng. A river without a
// bridge runs along RiverLat.
const (
	StreetLat      = NorthLat // nodes 0 and 1
	RiverLat       = 45.2004  // 44 metres north of the street
	FarBankLat     = 45.2006  // nodes 2 and 3, 22 metres north of the river
	SouthStreetLat = SouthLat // nodes 4 and 5
	WildLat        = 45.8     // nodes 6 and 7, without data
	WildLng        = -71.8
)

// Geohash-7 cells, each around the middle of a street.
const (
	NorthCell = "f2h1pkk" // schemas.Typologies[1], 2345.6 people and 1000 households
	SouthCell = "drunz7s" // schemas.Typologies[8], uninhabited
	WildCell  = "f2huw1s" // no typology
)

// StreetValue is a channel at a node. schemas.AbsentValue are historic, transit_friendly in the south, and everything at
// WildLat. Other values decrease with the node and with the channel.
func StreetValue(node int, c schemas.Channel) uint16 {
	name := schemas.ChannelName(c)
	if node >= 6 || name == "historic" || node >= 4 && name == "transit_friendly" {
		return schemas.AbsentValue
	}
	return uint16(45000 - 3000*node - 450*int(c))
}

// Scored lists the geographies with scores, in ascending order.
var Scored = []string{Replaced, NorthOld, SouthCity, Metro}

// GeographyValue is a score of Scored[scored], by index in schemas.Scores: historic is absent, the others have decimals
// that every rounding changes.
func GeographyValue(scored, score int) uint16 {
	if schemas.Scores[score].ID == "historic" {
		return schemas.AbsentValue
	}
	return uint16(48765 - 10000*scored - 456*score)
}

// street is an edge of the walking network along a parallel.
type street struct {
	west, east, lat float64
	values          [2][schemas.ChannelCount]uint16 // at its ends
}

// scored is a geography with its scores.
type scored struct {
	id     string
	values [access.ScoreCount]uint16
}

// cell is a geohash-7 cell with its typology.
type cell struct {
	geohash  string
	typology access.Typology
}

func streets() (all []street) {
	for i, at := range []struct{ lng, lat float64 }{{Lng, StreetLat}, {Lng, FarBankLat}, {Lng, SouthStreetLat}, {WildLng, WildLat}} {
		s := street{west: at.lng - 0.001, east: at.lng + 0.001, lat: at.lat}
		for end := range s.values {
			for c := range s.values[end] {
				s.values[end][c] = StreetValue(2*i+end, schemas.Channel(c))
			}
		}
		all = append(all, s)
	}
	return all
}

func scoredGeographies() (all []scored) {
	for i, id := range Scored {
		s := scored{id: id}
		for score := range s.values {
			s.values[score] = GeographyValue(i, score)
		}
		all = append(all, s)
	}
	return all
}

func (w *world) writeStreets(out *pack.Writer, m *schemas.Manifest) error {
	table := access.NewWriter(out, 250)
	for i, s := range w.streets {
		for end := range s.values {
			if err := table.AddNode(&s.values[end]); err != nil {
				return err
			}
		}
		edge := access.Edge{A: uint32(2 * i), B: uint32(2*i + 1), LengthM: 157}
		if err := table.AddEdge(edge, line(s.west, s.east, s.lat)); err != nil {
			return err
		}
	}
	if err := table.AddBarrier(line(-73, -72, RiverLat)); err != nil {
		return err
	}
	for i, s := range w.streets[:min(len(w.streets), 3)] { // homes along all but that without data
		for k := range 3 {
			home := access.Home{Point: orb.Point{s.west + 0.0005*float64(k+1), s.lat}, Weight: 1000, Edge: uint32(i), AlongM: 39.2 * float64(k+1)}
			if err := table.AddHome(home); err != nil {
				return err
			}
		}
	}
	if err := table.AddHull(box(-73.5, 44, -71.5, 46)[0][0]); err != nil {
		return err
	}
	for _, g := range w.scored {
		if err := table.AddGeography(g.id, &g.values); err != nil {
			return err
		}
	}
	for _, c := range w.cells {
		if err := table.AddTypology(c.geohash, c.typology); err != nil {
			return err
		}
	}
	m.Counts.StreetNodes, m.Counts.StreetEdges, m.Counts.Barriers = int64(2*len(w.streets)), int64(len(w.streets)), 1
	m.Counts.ScoredGeographies, m.Counts.Typologies = int64(len(w.scored)), int64(len(w.cells))
	return table.Finish()
}

// line is a line of two points along a parallel.
func line(west, east, lat float64) []coord.Point {
	a, ok := coord.NewPoint(west, lat)
	b, also := coord.NewPoint(east, lat)
	if !ok || !also {
		panic(fmt.Sprintf("out of range: %v to %v, %v", west, east, lat))
	}
	return []coord.Point{a, b}
}
