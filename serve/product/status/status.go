// Package status answers which data the server answers from, and when the next come.
package status

import (
	"slices"

	"quartier/schemas"
	"quartier/schemas/attributions"
	"quartier/schemas/feeds"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/param"
)

// Current is GET /v3/status. nextUpdate is the day of the next general update, YYYY-MM-DD; "": not announced.
func Current(nextUpdate func() string) endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getStatus",
		Path:    "/v3/status",
		Product: account.Status,
		Summary: "Which data answer, of what date, from which sources",
		Doc:     "Every agreement has it. It says of what release the other answers are, and when the operator expects the next one.",
		Body:    schemas.StatusAnswer{},
	}, param.NewSet[struct{}](nil), func(r *endpoint.Request, _ *struct{}, _ *struct{}) error {
		answer(r, nextUpdate())
		return nil
	})
}

// answer appends a schemas.StatusAnswer to the body. The components of private geographies are left out: they change with what
// other customers have. Sources are those of all regions, which are files and not those of agreements.
func answer(r *endpoint.Request, nextUpdate string) {
	places, products := r.Release.Manifest(), r.Client.Agreement.Products
	status := schemas.Status{
		Type: "status", Release: places.Release, AsOf: places.AsOf, NextUpdate: nextUpdate,
		Components: []schemas.StatusComponent{{Name: schemas.Places, Digest: places.Digest, AsOf: places.AsOf}},
	}
	sources := feeds.Of(places.Sources, products...)
	if r.Client.Agreement.AllowsProduct("market_stats") {
		if stats, version, err := r.Release.Market(""); err == nil { // else there is none, or it is not served
			m := stats.Manifest
			status.Components = append(status.Components, schemas.StatusComponent{Name: schemas.Market, Digest: m.Digest, AsOf: m.AsOf})
			status.AsOf = max(status.AsOf, m.AsOf)
			sources = slices.Concat(sources, m.Sources)
			r.Canonical = append(r.Canonical, version...)
		}
	}
	r.Canonical = append(append(r.Canonical, 0), nextUpdate...)
	status.Attributions = attributions.Of(sources)
	r.Body = endpoint.AppendEncoded(r.Body, schemas.StatusAnswer{Data: status, Meta: schemas.NewMeta("status", 200)})
}
