package servetest

import (
	"fmt"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/schemas"
)

// Places of the streets. Both ends of a street lie 0.001 degrees west and east of Lng, so that Lng is its middle, but
// for the one in the wilderness. A river without a bridge runs along RiverLat.
const (
	StreetLat      = NorthLat // nodes 0 and 1
	RiverLat       = 45.2004  // 44 metres north of the street
	FarBankLat     = 45.2006  // nodes 2 and 3, 22 metres north of the river
	SouthStreetLat = SouthLat // nodes 4 and 5
	WildLat        = 45.8     // nodes 6 and 7, of which nothing is known
	WildLng        = -71.8
)

// Cells with a typology, each around the middle of a street.
const (
	NorthCell = "f2h1pkk" // schemas.Typologies[1], 2345.6 people and 1000 households
	SouthCell = "drunz7s" // schemas.Typologies[8], nobody
	WildCell  = "f2huw1s" // none
)

// StreetValue is a channel at a node, schemas.AbsentValue where it is not known: historic nowhere, transit_friendly in
// the north alone, nothing in the wilderness. Of the others each is less than the one before it, and less at each node
// than at the one before it.
func StreetValue(node int, c schemas.Channel) uint16 {
	name := schemas.ChannelName(c)
	if node >= 6 || name == "historic" || node >= 4 && name == "transit_friendly" {
		return schemas.AbsentValue
	}
	return uint16(45000 - 3000*node - 450*int(c))
}

// Scored lists the geographies that have scores, in ascending order.
var Scored = []string{Replaced, NorthOld, SouthCity, Metro}

// GeographyValue is a score of one of Scored, by its place there and the score's in schemas.Scores: historic is not
// known, the others end in digits that every rounding changes.
func GeographyValue(scored, score int) uint16 {
	if schemas.Scores[score].ID == "historic" {
		return schemas.AbsentValue
	}
	return uint16(48765 - 10000*scored - 456*score)
}

func writeStreets(out *pack.Writer, m *schemas.Manifest) error {
	w := access.NewWriter(out, 250)
	streets := []struct{ lng, lat float64 }{{Lng, StreetLat}, {Lng, FarBankLat}, {Lng, SouthStreetLat}, {WildLng, WildLat}}
	for i, s := range streets {
		for node := range 2 {
			var values [schemas.ChannelCount]uint16
			for c := range values {
				values[c] = StreetValue(2*i+node, schemas.Channel(c))
			}
			if err := w.AddNode(&values); err != nil {
				return err
			}
		}
		edge := access.Edge{A: uint32(2 * i), B: uint32(2*i + 1), LengthM: 157}
		if err := w.AddEdge(edge, line(s.lng-0.001, s.lng+0.001, s.lat)); err != nil {
			return err
		}
	}
	if err := w.AddBarrier(line(-73, -72, RiverLat)); err != nil {
		return err
	}
	for i, id := range Scored {
		var values [access.ScoreCount]uint16
		for s := range values {
			values[s] = GeographyValue(i, s)
		}
		if err := w.AddGeography(id, &values); err != nil {
			return err
		}
	}
	if err := w.AddTypology(SouthCell, access.Typology{Class: 8}); err != nil {
		return err
	}
	if err := w.AddTypology(NorthCell, access.Typology{Class: 1, PopulationKM2: 2345.6, HouseholdsKM2: 1000}); err != nil {
		return err
	}
	m.Counts.StreetNodes, m.Counts.StreetEdges, m.Counts.Barriers = int64(2*len(streets)), int64(len(streets)), 1
	m.Counts.ScoredGeographies, m.Counts.Typologies = int64(len(Scored)), 2
	return w.Finish()
}

// line is two points on a parallel.
func line(west, east, lat float64) []coord.Point {
	a, ok := coord.NewPoint(west, lat)
	b, also := coord.NewPoint(east, lat)
	if !ok || !also {
		panic(fmt.Sprintf("no place on earth: %v to %v, %v", west, east, lat))
	}
	return []coord.Point{a, b}
}
