package travel

import (
	"quartier/internal/coord"
	"quartier/internal/travel"
	"quartier/schemas/trips"
	"quartier/serve/endpoint"
)

// legs are the parts of the journey that takes as long as the percentile says.
func legs(r *endpoint.Request, w *travel.World, from, to coord.Point, o *travel.Options) (list []trips.TravelLeg, err error) {
	journey, ok, err := w.Journey(r.HTTP.Context(), from, to, *o, o.Percentiles[0])
	if err != nil || !ok {
		return nil, err
	}
	for _, l := range journey.Legs {
		if l.Ride == nil && l.Seconds == 0 {
			continue // the stop is the door
		}
		leg := trips.TravelLeg{Kind: l.Mode.String(), Seconds: int(l.Seconds), From: l.From.Name, To: l.To.Name}
		if l.Ride != nil {
			wait := int(l.Wait)
			leg.Kind, leg.WaitSeconds, leg.Line, leg.Headsign, leg.Expected = "ride", &wait, l.Ride.Line, l.Ride.Headsign, l.Ride.Expected
			leg.Departs, leg.Arrives = clock(l.Ride.Leaves, true), clock(l.Ride.Arrives, true)
		}
		list = append(list, leg)
	}
	return list, nil
}
