package schemas

// DemographicsVersion is the version of the demographics answers, data.meta.version: the middle number grows with
// variables, the first with changes of meaning.
const DemographicsVersion = "1.0.0"

// ConfidenceLevel is that of the intervals around the variables of geographies.
const ConfidenceLevel = 0.90

// DemographicsAnswer is the answer of GET /v3/demographics.
type DemographicsAnswer struct {
	Data DemographicsData `json:"data"`
	Meta Meta             `json:"meta"`
}

// DemographicsData holds the people around a point or in a polygon. What is not known is left out.
type DemographicsData struct {
	Type       string                          `json:"type"` // "demographics"
	Attributes map[string]DemographicsCategory `json:"attributes" keys:"Demographics"`
	Meta       DemographicsMeta                `json:"meta"`
}

// DemographicsCategory is a category by its name.
type DemographicsCategory struct {
	Label     string                 `json:"label"`
	Type      string                 `json:"type"`      // "percent" or "standalone"
	Variables []DemographicsVariable `json:"variables"` // at least one
}

// DemographicsVariable is one figure: a share of its category, 0 to 1 to four decimals, or a whole number of people or
// dollars.
type DemographicsVariable struct {
	Variable string  `json:"variable"`
	Value    float64 `json:"value"`
	Label    string  `json:"label"`
}

// DemographicsMeta says what the figures are.
type DemographicsMeta struct {
	CountryCode string `json:"country_code"` // 'CA' or 'US'
	Language    string `json:"language"`     // of the labels
	Version     string `json:"version"`      // DemographicsVersion
}

// GeographyDemographicsAnswer is the answer of GET /v3/demographics/{geog_id}.
type GeographyDemographicsAnswer struct {
	Data GeographyDemographicsData `json:"data"`
	Meta GeographyScoresMeta       `json:"meta"`
}

// GeographyDemographicsData holds the people of a geography. What is not known is left out.
type GeographyDemographicsData struct {
	Type       string                                   `json:"type"` // "demographics"
	Attributes map[string]GeographyDemographicsCategory `json:"attributes" keys:"GeographyDemographics"`
	Meta       GeographyDemographicsMeta                `json:"meta"`
}

// GeographyDemographicsCategory is a category by its name.
type GeographyDemographicsCategory struct {
	Label     string                          `json:"label"`
	Type      string                          `json:"type"` // "percent" where any variable is one, else "standalone"
	Variables []GeographyDemographicsVariable `json:"variables"`
}

// GeographyDemographicsVariable is one figure: a share (percent), 0 to 1 to four decimals, a count, or one that stands
// alone.
type GeographyDemographicsVariable struct {
	Variable           string              `json:"variable"`
	Value              float64             `json:"value"`
	Label              string              `json:"label"`
	Type               string              `json:"type"`                          // "count", "percent" or "standalone"
	ConfidenceInterval *ConfidenceInterval `json:"confidence_interval,omitempty"` // absent where the source tells no error
}

// ConfidenceInterval holds the true figure with a probability of ConfidenceLevel.
type ConfidenceInterval struct {
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
}

// GeographyDemographicsMeta says what the figures are.
type GeographyDemographicsMeta struct {
	DemographicsMeta
	ConfidenceLevel float64 `json:"confidence_level"`
	DataVintage     string  `json:"data_vintage"` // years of the census or survey: '2019-2023', '2021'
}
