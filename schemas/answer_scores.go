package schemas

// LocationScore is a score in an answer.
type LocationScore struct {
	Value string `json:"value"` // decimal number, 0 to 5
	Text  string `json:"text"`  // its meaning, in the requested language
}

// ScoresAnswer is the answer of GET /v3/scores.
type ScoresAnswer struct {
	Data ScoresData `json:"data"`
	Meta Meta       `json:"meta"`
}

// ScoresData has the scores at a point and of geographies. Scores that cannot be computed are absent.
type ScoresData struct {
	Type        string                   `json:"type"`                            // "scores"
	Location    map[string]LocationScore `json:"location,omitempty" keys:"Score"` // if a point is requested
	Geographies []GeographyScores        `json:"geographies,omitempty"`           // if ids or levels are requested
}

// GeographyScores are the scores of the median household of a geography, to 0.1.
type GeographyScores struct {
	GeogID        string                   `json:"geog_id"`
	Name          string                   `json:"name"`
	GeogLevelType string                   `json:"geog_level_type"`
	Scores        map[string]LocationScore `json:"scores" keys:"Score"`
	Meta          *DeprecationMeta         `json:"meta,omitempty"` // if the boundary version is superseded
}

// GeographyScoresAnswer is the answer of GET /v3/scores/{geog_id}.
type GeographyScoresAnswer struct {
	Data GeographyScoresData `json:"data"`
	Meta GeographyMeta       `json:"meta"`
}

// GeographyScoresData has the scores of one geography, with four decimals.
type GeographyScoresData struct {
	Type   string                   `json:"type"` // "scores"
	Scores map[string]LocationScore `json:"scores" keys:"Score"`
}

// GeographyMeta is the success meta of answers about one geography.
type GeographyMeta struct {
	Meta
	Deprecation *Deprecation `json:"deprecation,omitempty"` // if that version is superseded
}

// TypologiesAnswer is the answer of the typology endpoints.
type TypologiesAnswer struct {
	Data map[string]TypologyDensities `json:"data" keys:"Typology"` // by typology, exactly one
	Meta Meta                         `json:"meta"`
}

// TypologyDensities are the population and households per square kilometre of land around the place.
type TypologyDensities struct {
	PopulationPerSquareKM float64 `json:"population_per_square_km"` // to 0.1
	HouseholdsPerSquareKM float64 `json:"households_per_square_km"` // to 0.1
}

// SnapshotAnswer is the answer of GET /v3/data.
type SnapshotAnswer struct {
	Data SnapshotData `json:"data"`
	Meta Meta         `json:"meta"`
}

// SnapshotData has the selected parts for which there are data.
type SnapshotData struct {
	Demographics map[string]DemographicsCategory `json:"demographics,omitempty" keys:"Demographics"` // labels in English
	Scores       map[string]string               `json:"scores,omitempty" keys:"Score"`              // decimal numbers, 0 to 5, with four decimals
	POIs         *SnapshotPOIs                   `json:"pois,omitempty"`
	Measures     map[string]float64              `json:"measures,omitempty" keys:"Measure"` // 0 to 5, with four decimals
}

// SnapshotPOIs counts the POIs around the point.
type SnapshotPOIs struct {
	Counts SnapshotCounts `json:"counts"`
}

// SnapshotCounts counts POIs, zeros included. A POI with several categories counts in each of them.
type SnapshotCounts struct {
	TotalCount      int            `json:"total_count"`
	TotalByCategory map[string]int `json:"total_by_category" keys:"Category"`
}
