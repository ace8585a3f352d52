package destination

import (
	"context"
	"fmt"
	"slices"

	"quartier/internal/duck"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
	"quartier/transform/network/street"
)

// Write fills derived.destination and derived.transit_service with the region's own places on its own streets.
func (s *Set) Write(ctx context.Context, db *duck.DB, own *street.Own) error {
	list := slices.DeleteFunc(slices.Clone(s.List), func(d Destination) bool {
		_, on := own.Edge(d.Place.Edge)
		return !on || staged.Lent(d.Source)
	})
	err := duck.WriteEach(ctx, db, "destination", list, func(i int, d Destination) (derived.Destination, error) {
		edge, _ := own.Edge(d.Place.Edge)
		row := derived.Destination{Destination: int32(i), Class: d.Class, PlaceKey: d.Key, Station: d.Station, SourceID: d.Source,
			Name: d.Name, Lng: d.Point[0], Lat: d.Point[1],
			Edge: edge, AlongM: d.Place.Along.Metres(), LegM: d.Place.Leg.Metres()}
		if d.Hectares > 0 {
			row.Size = &d.Hectares
		}
		return row, nil
	})
	if err != nil {
		return fmt.Errorf("write destinations: %w", err)
	}
	err = duck.Fill(ctx, db, "transit_service", func(write func(derived.TransitService) error) error {
		for i, d := range list {
			for _, v := range d.Services {
				if err := write(derived.TransitService{Destination: int32(i), RouteKey: v.Route, RouteName: v.RouteName, Mode: v.Mode,
					Rapid: v.Rapid, Direction: int32(v.Direction), Headsign: v.Headsign, TripsWeek: int32(v.TripsWeek), Basis: v.Basis, Kind: v.Kind}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write transit services: %w", err)
	}
	return nil
}
