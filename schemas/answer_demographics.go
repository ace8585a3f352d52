package schemas

// DemographicsVersion is the version of demographics answers, data.meta.version. The second number increases with added
// variables, the first with changes of meaning.
const DemographicsVersion = "1.0.0"

// ConfidenceLevel is that of the confidence intervals of geographies.
const ConfidenceLevel = 0.90

// DemographicsAnswer is the answer of GET /v3/demographics.
type DemographicsAnswer struct {
	Data DemographicsData `json:"data"`
	Meta Meta             `json:"meta"`
}

// DemographicsData has the demographics around a point or in a polygon. Variables and categories without data are absent.
type DemographicsData struct {
	Type       string                          `json:"type"` // "demographics"
	Attributes map[string]DemographicsCategory `json:"attributes" keys:"Demographics"`
	Meta       DemographicsMeta                `json:"meta"`
}

// DemographicsCategory is a category of variables.
type DemographicsCategory struct {
	Label     string                 `json:"label"`
	Type      string                 `json:"type"`      // "percent" or "standalone"
	Variables []DemographicsVariable `json:"variables"` // at least one
}

// DemographicsVariable is one estimate: a share of its category, 0 to 1 with four decimals, or a whole number of people or
// dollars.
type DemographicsVariable struct {
	Variable string  `json:"variable"`
	Value    float64 `json:"value"`
	Label    string  `json:"label"`
}

// DemographicsMeta describes the estimates.
type DemographicsMeta struct {
	CountryCode string `json:"country_code"` // "CA" or "US"
	Language    string `json:"language"`     // of the labels
	Version     string `json:"version"`      // DemographicsVersion
}

// GeographyDemographicsAnswer is the answer of GET /v3/demographics/{geog_id}.
type GeographyDemographicsAnswer struct {
	Data GeographyDemographicsData `json:"data"`
	Meta GeographyMeta             `json:"meta"`
}

// GeographyDemographicsData has the demographics of a geography. Variables and categories without data are absent.
type GeographyDemographicsData struct {
	Type       string                                   `json:"type"` // "demographics"
	Attributes map[string]GeographyDemographicsCategory `json:"attributes" keys:"GeographyDemographics"`
	Meta       GeographyDemographicsMeta                `json:"meta"`
}

// GeographyDemographicsCategory is a category of variables.
type GeographyDemographicsCategory struct {
	Label     string                          `json:"label"`
	Type      string                          `json:"type"` // "percent" if any variable is one, else "standalone"
	Variables []GeographyDemographicsVariable `json:"variables"`
}

// GeographyDemographicsVariable is one estimate: a share (percent), 0 to 1 with four decimals, a count, or a standalone
// number.
type GeographyDemographicsVariable struct {
	Variable           string              `json:"variable"`
	Value              float64             `json:"value"`
	Label              string              `json:"label"`
	Type               string              `json:"type"`                          // "count", "percent" or "standalone"
	ConfidenceInterval *ConfidenceInterval `json:"confidence_interval,omitempty"` // absent if the error is unknown
}

// ConfidenceInterval contains the true value with a probability of ConfidenceLevel.
type ConfidenceInterval struct {
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
}

// GeographyDemographicsMeta describes the estimates.
type GeographyDemographicsMeta struct {
	DemographicsMeta
	ConfidenceLevel float64 `json:"confidence_level"`
	DataVintage     string  `json:"data_vintage"` // years of the census or survey: "2019-2023", "2021"
}
