package schemas

// LocationScore is a score as the API tells it.
type LocationScore struct {
	Value string `json:"value"` // decimal number, 0 to 5
	Text  string `json:"text"`  // what it means, in the language asked for
}

// ScoresAnswer is the answer of GET /v3/scores.
type ScoresAnswer struct {
	Data ScoresData `json:"data"`
	Meta Meta       `json:"meta"`
}

// ScoresData holds the scores of a point and of geographies. What cannot be computed is left out.
type ScoresData struct {
	Type        string                   `json:"type"`                            // "scores"
	Location    map[string]LocationScore `json:"location,omitempty" keys:"Score"` // by score, where a point was asked for
	Geographies []GeographyScores        `json:"geographies,omitempty"`           // where ids or levels were asked for
}

// GeographyScores are the scores of the median household of a geography, to 0.1.
type GeographyScores struct {
	GeogID        string                   `json:"geog_id"`
	Name          string                   `json:"name"`
	GeogLevelType string                   `json:"geog_level_type"`
	Scores        map[string]LocationScore `json:"scores" keys:"Score"`
	Meta          *DeprecationMeta         `json:"meta,omitempty"` // where the boundary version was superseded
}

// GeographyScoresAnswer is the answer of GET /v3/scores/{geog_id}.
type GeographyScoresAnswer struct {
	Data GeographyScoresData `json:"data"`
	Meta GeographyScoresMeta `json:"meta"`
}

// GeographyScoresData holds the scores of one geography, to four decimals.
type GeographyScoresData struct {
	Type   string                   `json:"type"` // "scores"
	Scores map[string]LocationScore `json:"scores" keys:"Score"`
}

// GeographyScoresMeta is the success meta.
type GeographyScoresMeta struct {
	Meta
	Deprecation *Deprecation `json:"deprecation,omitempty"` // where that version was superseded
}

// TypologiesAnswer is the answer of the typology endpoints.
type TypologiesAnswer struct {
	Data map[string]TypologyDensities `json:"data" keys:"Typology"` // by typology, exactly one
	Meta Meta                         `json:"meta"`
}

// TypologyDensities are how many live around the place, on land.
type TypologyDensities struct {
	PopulationPerSquareKM float64 `json:"population_per_square_km"` // to 0.1
	HouseholdsPerSquareKM float64 `json:"households_per_square_km"` // to 0.1
}

// SnapshotAnswer is the answer of GET /v3/data.
type SnapshotAnswer struct {
	Data SnapshotData `json:"data"`
	Meta Meta         `json:"meta"`
}

// SnapshotData holds the parts that were asked for and that there is anything to say of.
type SnapshotData struct {
	Demographics map[string]DemographicsCategory `json:"demographics,omitempty" keys:"Demographics"` // by category, labels in English
	Scores       map[string]string               `json:"scores,omitempty" keys:"Score"`              // by score: a decimal number, 0 to 5, to four decimals
	POIs         *SnapshotPOIs                   `json:"pois,omitempty"`
	Measures     map[string]float64              `json:"measures,omitempty" keys:"Measure"` // by measure: 0 to 5, to four decimals
}

// SnapshotPOIs tells how many POIs are around.
type SnapshotPOIs struct {
	Counts SnapshotCounts `json:"counts"`
}

// SnapshotCounts counts POIs, zeros included; one of several categories counts in each of them.
type SnapshotCounts struct {
	TotalCount      int            `json:"total_count"`
	TotalByCategory map[string]int `json:"total_by_category" keys:"Category"`
}
