package destination

import (
	"context"
	"fmt"

	"quartier/internal/duck"
	"quartier/schemas/derived"
)

// Write fills derived.destination and derived.transit_service.
func (s *Set) Write(ctx context.Context, db *duck.DB) error {
	err := duck.WriteEach(ctx, db, "destination", s.List, func(i int, d Destination) (derived.Destination, error) {
		row := derived.Destination{Destination: int32(i), Class: d.Class, PlaceKey: d.Key, Station: d.Station, SourceID: d.Source,
			Name: d.Name, Lng: d.Point[0], Lat: d.Point[1],
			Edge: int32(d.Place.Edge), AlongM: d.Place.Along.Metres(), LegM: d.Place.Leg.Metres()}
		if d.Hectares > 0 {
			row.Size = &d.Hectares
		}
		return row, nil
	})
	if err != nil {
		return fmt.Errorf("write destinations: %w", err)
	}
	err = duck.Fill(ctx, db, "transit_service", func(write func(derived.TransitService) error) error {
		for i, d := range s.List {
			for _, v := range d.Services {
				if err := write(derived.TransitService{Destination: int32(i), RouteKey: v.Route, RouteName: v.RouteName, Mode: v.Mode,
					Rapid: v.Rapid, Direction: int32(v.Direction), TripsWeek: int32(v.TripsWeek), Basis: v.Basis}); err != nil {
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
