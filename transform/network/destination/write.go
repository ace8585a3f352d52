package destination

import (
	"context"
	"fmt"

	"quartier/internal/duck"
	"quartier/internal/network"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
	"quartier/transform/network/street"
)

// Write fills derived.destination and derived.transit_service with the region's own places on its own streets, and the
// tables of what is lent with what else is within a walking distance of these streets.
func (s *Set) Write(ctx context.Context, db *duck.DB, net *street.Network, reachM float64) error {
	own, lent := net.Own(), net.Lent(network.Metres(reachM))
	var list, others []Destination
	var edges, otherEdges []int32
	for _, d := range s.List {
		edge, on := own.Edge(d.Place.Edge)
		switch {
		case on && !staged.Lent(d.Source):
			list, edges = append(list, d), append(edges, edge)
		case on:
			others, otherEdges = append(others, d), append(otherEdges, edge)
		default:
			if edge, near := lent.Edge(d.Place.Edge); near {
				others, otherEdges = append(others, d), append(otherEdges, -1-edge)
			}
		}
	}
	if err := write(ctx, db, "destination", "transit_service", list, edges); err != nil {
		return err
	}
	if err := net.WriteLent(ctx, db, lent); err != nil {
		return fmt.Errorf("write lent streets: %w", err)
	}
	return write(ctx, db, "lent_destination", "lent_service", others, otherEdges)
}

// write fills a table of places on edges, which are numbered as its rows have them, and that of their departures.
func write(ctx context.Context, db *duck.DB, table, services string, list []Destination, edges []int32) error {
	err := duck.WriteEach(ctx, db, table, list, func(i int, d Destination) (derived.Destination, error) {
		row := derived.Destination{Destination: int32(i), Class: d.Class, PlaceKey: d.Key, Station: d.Station, SourceID: d.Source,
			Name: d.Name, Lng: d.Point[0], Lat: d.Point[1],
			Edge: edges[i], AlongM: d.Place.Along.Metres(), LegM: d.Place.Leg.Metres()}
		if d.Hectares > 0 {
			row.Size = &d.Hectares
		}
		return row, nil
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", table, err)
	}
	err = duck.Fill(ctx, db, services, func(write func(derived.TransitService) error) error {
		for i, d := range list {
			for _, v := range d.Services {
				if err := write(derived.TransitService{Destination: int32(i), RouteKey: v.Route, RouteName: v.RouteName, Mode: v.Mode,
					Rapid: v.Rapid, Direction: int32(v.Direction), Headsign: v.Headsign, TripsWeek: int32(v.TripsWeek), Basis: v.Basis,
					Kind: v.Kind}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", services, err)
	}
	return nil
}
