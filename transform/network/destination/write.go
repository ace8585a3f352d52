package destination

import (
	"context"
	"database/sql/driver"
	"fmt"

	"quartier/internal/duck"
)

// Write fills derived.destination and derived.transit_service.
func (s *Set) Write(ctx context.Context, derived *duck.DB) error {
	if err := s.writeDestinations(ctx, derived); err != nil {
		return fmt.Errorf("write destinations: %w", err)
	}
	if err := s.writeServices(ctx, derived); err != nil {
		return fmt.Errorf("write transit services: %w", err)
	}
	return nil
}

func (s *Set) writeDestinations(ctx context.Context, derived *duck.DB) error {
	rows, err := derived.Append(ctx, "destination")
	if err != nil {
		return err
	}
	for i := range s.List {
		d := &s.List[i]
		var size driver.Value
		if d.Hectares > 0 {
			size = d.Hectares
		}
		if err := rows.Row(int32(i), d.Class, d.Key, d.Station, d.Source, duck.Null(d.Name), size, d.Point[0], d.Point[1],
			int32(d.Place.Edge), d.Place.Along.Metres(), d.Place.Leg.Metres()); err != nil {
			rows.Close()
			return err
		}
	}
	return rows.Close()
}

func (s *Set) writeServices(ctx context.Context, derived *duck.DB) error {
	rows, err := derived.Append(ctx, "transit_service")
	if err != nil {
		return err
	}
	for i := range s.List {
		for _, v := range s.List[i].Services {
			if err := rows.Row(int32(i), v.Route, v.RouteName, v.Mode, v.Rapid, int32(v.Direction), int32(v.TripsWeek)); err != nil {
				rows.Close()
				return err
			}
		}
	}
	return rows.Close()
}
