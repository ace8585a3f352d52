package schemas

// LocationScore is a score in an answer.
type LocationScore struct {
	Value string `json:"value" doc:"Decimal number from 0 to 5."`
	Text  string `json:"text" doc:"What it means, in the language asked for."`
}

// ScoresAnswer is the answer of GET /v3/scores.
type ScoresAnswer struct {
	Data ScoresData `json:"data" doc:"The scores."`
	Meta Meta       `json:"meta" doc:"That the call succeeded."`
}

// ScoresData has the scores at a point and of geographies. Scores that cannot be computed are absent.
type ScoresData struct {
	Type        string                   `json:"type" enum:"ScoresType" doc:"Kind of the data."`
	Location    map[string]LocationScore `json:"location,omitempty" keys:"Score" doc:"Scores at the point, if one was asked for. A score that cannot be computed is absent."`
	Geographies []GeographyScores        `json:"geographies,omitempty" doc:"Geographies with their scores, if ids or levels were asked for: by id in the order asked, then by level."`
}

// GeographyScores are the scores of the median household of a geography, to 0.1.
type GeographyScores struct {
	GeogID        string                   `json:"geog_id" column:"all.geog_id"`
	Name          string                   `json:"name" doc:"Name in the language asked for."`
	GeogLevelType string                   `json:"geog_level_type" doc:"What geographies of its level are called, in the language asked for."`
	Scores        map[string]LocationScore `json:"scores" keys:"Score" doc:"Scores of the median household, to 0.1."`
	Meta          *DeprecationMeta         `json:"meta,omitempty" doc:"Present if the boundary version is superseded."`
}

// GeographyScoresAnswer is the answer of GET /v3/scores/{geog_id}.
type GeographyScoresAnswer struct {
	Data GeographyScoresData `json:"data" doc:"The scores."`
	Meta GeographyMeta       `json:"meta" doc:"That the call succeeded."`
}

// GeographyScoresData has the scores of one geography, with four decimals.
type GeographyScoresData struct {
	Type   string                   `json:"type" enum:"ScoresType" doc:"Kind of the data."`
	Scores map[string]LocationScore `json:"scores" keys:"Score" doc:"Scores of the median household, to four decimals."`
}

// GeographyMeta is the success meta of answers about one geography.
type GeographyMeta struct {
	Meta
	Deprecation *Deprecation `json:"deprecation,omitempty" doc:"Present if the boundary version is superseded."`
}

// TypologiesAnswer is the answer of the typology endpoints.
type TypologiesAnswer struct {
	Data map[string]TypologyDensities `json:"data" keys:"Typology" doc:"The densities of the one typology that applies."`
	Meta Meta                         `json:"meta" doc:"That the call succeeded."`
}

// TypologyDensities are the population and households per square kilometre of land around the place.
type TypologyDensities struct {
	PopulationPerSquareKM float64 `json:"population_per_square_km" column:"typologies.population_per_square_km"`
	HouseholdsPerSquareKM float64 `json:"households_per_square_km" column:"typologies.households_per_square_km"`
}

// SnapshotAnswer is the answer of GET /v3/data.
type SnapshotAnswer struct {
	Data SnapshotData `json:"data" doc:"The parts asked for."`
	Meta Meta         `json:"meta" doc:"That the call succeeded."`
}

// SnapshotData has the selected parts for which there are data.
type SnapshotData struct {
	Demographics map[string]DemographicsCategory `json:"demographics,omitempty" keys:"DemographicsCategoryName" doc:"Demographics around the point by category, with labels in English."`
	Scores       map[string]string               `json:"scores,omitempty" keys:"Score" doc:"Scores at the point: decimal numbers from 0 to 5 with up to four decimals."`
	POIs         *SnapshotPOIs                   `json:"pois,omitempty" doc:"Counts of POIs around the point."`
	Measures     map[string]float64              `json:"measures,omitempty" keys:"Measure" column:"snapshot.measures"`
}

// SnapshotPOIs counts the POIs around the point.
type SnapshotPOIs struct {
	Counts  SnapshotCounts `json:"counts" doc:"The counts."`
	Unknown []string       `json:"unknown_categories,omitempty" enum:"Category" doc:"Categories that are not known at the point: how many there are is not known. Absent if all are known."`
}

// SnapshotCounts counts POIs, zeros included. A POI with several categories counts in each of them.
type SnapshotCounts struct {
	TotalCount      int            `json:"total_count" column:"snapshot.total_count"`
	TotalByCategory map[string]int `json:"total_by_category" keys:"Category" column:"snapshot.total_by_category"`
}
