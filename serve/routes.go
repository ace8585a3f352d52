package serve

import (
	"quartier/serve/monitor"
	"quartier/serve/product/addresses"
	"quartier/serve/product/card"
	"quartier/serve/product/custom"
	"quartier/serve/product/demographics"
	"quartier/serve/product/geographies"
	"quartier/serve/product/market"
	"quartier/serve/product/pois"
	"quartier/serve/product/profiles"
	"quartier/serve/product/schools"
	"quartier/serve/product/scores"
	"quartier/serve/product/snapshot"
	"quartier/serve/product/status"
	"quartier/serve/product/tiles"
	"quartier/serve/product/travel"
	"quartier/serve/product/typologies"
	"quartier/serve/token"
)

// routes makes the API, in the order of the OpenAPI document; pages and metrics are beside it.
func (s *Server) routes() []*route {
	return []*route{
		s.tokenRoute(),
		service("getKeys", "/.well-known/jwks.json", "The public keys that tokens are signed with", token.KeySet{}, s.answerKeys),
		product(geographies.Search()),
		product(geographies.ByID()),
		product(custom.Create(s.options.State, s.options.AcceptUncovered)),
		product(custom.List(s.options.State)),
		product(custom.Events(s.options.State)),
		product(custom.ByID(s.options.State)),
		product(custom.Edit(s.options.State, s.options.AcceptUncovered)),
		product(custom.Remove(s.options.State)),
		product(pois.Enhanced()),
		product(pois.ByGeography()),
		product(pois.Categories()),
		product(pois.Brands()),
		product(pois.Tags()),
		product(pois.Base()),
		product(scores.Location()),
		product(scores.ByGeography()),
		product(card.SVG()),
		product(card.PNG()),
		product(typologies.AtPoint()),
		product(typologies.ByCell()),
		product(demographics.Around()),
		product(demographics.ByGeography()),
		product(market.ByGeography()),
		product(market.Status()),
		product(schools.Around()),
		product(addresses.Search()),
		product(addresses.Reverse()),
		product(profiles.AtPoint()),
		product(profiles.ByGeography()),
		product(snapshot.AtPoint()),
		product(travel.Times()),
		product(travel.Reach()),
		product(travel.ByGeography()),
		product(tiles.Tile()),
		product(status.Current(s.nextUpdate)),
		s.documentRoute(),
		service("getHealth", "/healthz", "Whether the process is alive", monitor.Health{}, s.answerHealth),
		service("getReadiness", "/readyz", "Whether requests should be sent here", monitor.Readiness{}, s.answerReady),
	}
}
