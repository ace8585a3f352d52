package market

import (
	"time"

	"quartier/schemas"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// Status is GET /v3/market-stats/status.
func Status() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getMarketStatus",
		Path:    "/v3/market-stats/status",
		Product: product,
		Summary: "The intervals of market statistics, and the day that they are of",
		Doc:     "The statistics have the days before last_updated_on, which is the day of the data and not of the server's clock.",
		Body:    schemas.MarketStatusAnswer{},
		Refuses: []error{scope.ErrNoListings},
	}, param.NewSet[struct{}](nil), answerStatus)
}

// answerStatus appends a schemas.MarketStatusAnswer to the body.
func answerStatus(r *endpoint.Request, _ *struct{}, _ *struct{}) error {
	stats, version, err := r.Release.Market("")
	if err != nil {
		return err
	}
	r.Canonical = append(r.Canonical, version...)
	year, month, day := stats.Table.Day().Date()
	answer := schemas.MarketStatusAnswer{Meta: schemas.NewMeta("market-stats/status", 200)}
	answer.Data.LastUpdatedOn = time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Format(time.RFC3339)
	for _, i := range stats.Table.Intervals() {
		answer.Data.Intervals = append(answer.Data.Intervals, i.Code)
	}
	r.Body = endpoint.AppendEncoded(r.Body, answer)
	return nil
}
