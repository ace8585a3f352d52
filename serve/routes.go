package serve

// routes lists everything that the server answers, in the order of the OpenAPI document.
func routes() []*route {
	return []*route{
		oauthToken,
		jwks,
		geographies,
		geography,
		enhancedPOIs,
		enhancedPOIsOfGeography,
		poiCategories,
		poiBrands,
		poiTags,
		basePOIs,
		scores,
		scoresOfGeography,
		typologies,
		typologyOfCell,
		peopleAround,
		peopleOfGeography,
		snapshot,
		openAPI,
		healthz,
		readyz,
		metricsPage,
	}
}
