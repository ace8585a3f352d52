package travel

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/schemas"
	"quartier/schemas/trips"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// timesQuery is the query of GET /v3/travel-times.
type timesQuery struct {
	way
	From, To   param.Value[[]orb.Point]
	MaxMinutes param.Value[int]
	Legs       param.Value[bool]
}

// Times is GET /v3/travel-times.
func Times() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getTravelTimes",
		Path:    "/v3/travel-times",
		Product: account.Travel,
		Summary: "Minutes from door to door between points",
		Doc: "From one point to at most 100. Minutes are null where there is no way within the limit, or where it is not known: `reason` says " +
			"which. By transit they are of a window of departures on a typical day, walks included; by car without congestion.",
		Body:    trips.TravelTimesAnswer{},
		Refuses: []error{scope.ErrOutside, scope.ErrRegion, scope.ErrNoTravel},
	}, param.NewSet((*timesQuery).check, append([]*param.Param[timesQuery]{
		param.Points("from", 1, func(q *timesQuery) *param.Value[[]orb.Point] { return &q.From }).Required().
			Doc("Where one begins: latitude,longitude in decimal degrees."),
		param.Points("to", MaxTargets, func(q *timesQuery) *param.Value[[]orb.Point] { return &q.To }).Required().
			Doc("Where one gets to: at most 100 pairs of latitude,longitude, separated by semicolons."),
		param.Count("max_minutes", MaxMinutes, MaxMinutes, func(q *timesQuery) *param.Value[int] { return &q.MaxMinutes }).
			Doc("Limit of minutes; farther targets have none."),
		param.Flag("legs", func(q *timesQuery) *param.Value[bool] { return &q.Legs }).
			Doc("Whether to include the parts of a journey that takes the minutes, the first of the window that does; of at most 10 targets."),
	}, wayParams(func(q *timesQuery) *way { return &q.way })...)...), answerTimes)
}

func (q *timesQuery) check() error {
	if q.Legs.V && len(q.To.V) > MaxLegs {
		return param.Bad("to", param.TooMany, "to has %d points, at most %d are allowed with legs", len(q.To.V), MaxLegs)
	}
	return nil
}

// answerTimes appends a trips.TravelTimesAnswer to the body.
func answerTimes(r *endpoint.Request, q *timesQuery, _ *struct{}) error {
	for _, p := range q.To.V {
		if err := checkPoint(r, "to", p); err != nil {
			return err
		}
	}
	if err := checkOrigin(r, "from", q.From.V[0]); err != nil {
		return err
	}
	o, err := q.options(q.MaxMinutes.V)
	if err != nil {
		return err
	}
	world, err := begin(r, o.Mode)
	if err != nil {
		return err
	}
	from, to := pointOf(q.From.V[0]), make([]coord.Point, len(q.To.V))
	for i, p := range q.To.V {
		to[i] = pointOf(p)
	}
	minutes, err := world.Times(r.HTTP.Context(), from, to, o)
	if err != nil {
		return failed(r, err)
	}
	answer := trips.TravelTimesAnswer{Meta: schemas.NewMeta("travel-times", 200), Data: trips.TravelTimesData{Type: "travel_times",
		Travel: terms(world, &o)}}
	for i, m := range minutes {
		one := trips.TravelTime{Lat: degrees(q.To.V[i][1]), Lng: degrees(q.To.V[i][0]), Coverage: transitAt(world, &o, from, to[i])}
		if m < 0 {
			one.Reason = reasonOf(world, &o, from, to[i], m)
		} else if number := int(m); true {
			one.Minutes = &number
		}
		if one.Minutes != nil && q.Legs.V {
			if r.Release.Stop() {
				return nil // the server says so
			}
			if one.Legs, err = legs(r, world, from, to[i], &o); err != nil {
				return failed(r, err)
			}
		}
		answer.Data.Results = append(answer.Data.Results, one)
	}
	r.Body = endpoint.AppendEncoded(r.Body, answer)
	return nil
}

// degrees are at most 7 decimals.
func degrees(v float64) float64 { return math.Round(v*coord.Scale) / coord.Scale }
