package serve

import (
	"quartier/serve/product/demographics"
	"quartier/serve/product/geographies"
	"quartier/serve/product/pois"
	"quartier/serve/product/scores"
	"quartier/serve/product/snapshot"
	"quartier/serve/product/typologies"
)

// routes makes everything that a server answers, in the order of the OpenAPI document.
func (s *Server) routes() []*route {
	return []*route{
		s.tokenRoute(),
		s.keysRoute(),
		product(geographies.Search()),
		product(geographies.ByID()),
		product(pois.Enhanced()),
		product(pois.ByGeography()),
		product(pois.Categories()),
		product(pois.Brands()),
		product(pois.Tags()),
		product(pois.Base()),
		product(scores.Location()),
		product(scores.ByGeography()),
		product(typologies.AtPoint()),
		product(typologies.ByCell()),
		product(demographics.Around()),
		product(demographics.ByGeography()),
		product(snapshot.AtPoint()),
		s.documentRoute(),
		s.healthRoute(),
		s.readyRoute(),
		s.metricsRoute(),
	}
}
