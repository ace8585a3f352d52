package schemas

// DemographicsVersion is the version of demographics answers, data.meta.version. The second number increases with added
// variables, the first with changes of meaning.
const DemographicsVersion = "1.0.0"

// ConfidenceLevel is that of the confidence intervals of geographies.
const ConfidenceLevel = 0.90

// DemographicsAnswer is the answer of GET /v3/demographics.
type DemographicsAnswer struct {
	Data DemographicsData `json:"data" doc:"The demographics."`
	Meta Meta             `json:"meta" doc:"That the call succeeded."`
}

// DemographicsData has the demographics around a point or in a polygon. Variables and categories without data are absent.
type DemographicsData struct {
	Type       string                          `json:"type" enum:"DemographicsType" doc:"Kind of the data."`
	Attributes map[string]DemographicsCategory `json:"attributes" keys:"DemographicsCategoryName" doc:"Categories of variables. One without data is absent."`
	Meta       DemographicsMeta                `json:"meta" doc:"What the estimates are of."`
}

// DemographicsCategory is a category of variables.
type DemographicsCategory struct {
	Label     string                 `json:"label" doc:"Label in the language asked for."`
	Type      string                 `json:"type" enum:"CategoryType" doc:"Whether its variables are shares."`
	Variables []DemographicsVariable `json:"variables" doc:"The variables with data, at least one."`
}

// DemographicsVariable is one estimate: a share of its category, 0 to 1 with four decimals, or a whole number of people or
// dollars.
type DemographicsVariable struct {
	Variable string  `json:"variable" enum:"DemographicsVariableName" doc:"Key of the variable, the same in every language."`
	Value    float64 `json:"value" column:"demographics.around_value"`
	Label    string  `json:"label" doc:"Label in the language asked for."`
	Open     *string `json:"open,omitempty" enum:"OpenEnd" doc:"The median is in a bin without a limit: the value is the bin's bound, and the median is that or more (upper)."`
}

// DemographicsMeta describes the estimates.
type DemographicsMeta struct {
	CountryCode string `json:"country_code" enum:"Country" doc:"Country of the people counted."`
	Language    string `json:"language" enum:"Language" doc:"Language of the labels."`
	Version     string `json:"version" doc:"Semantic version of the variables."`

	Coverage *float64 `json:"coverage,omitempty" column:"demographics.coverage"`
}

// GeographyDemographicsAnswer is the answer of GET /v3/demographics/{geog_id}.
type GeographyDemographicsAnswer struct {
	Data GeographyDemographicsData `json:"data" doc:"The demographics."`
	Meta GeographyMeta             `json:"meta" doc:"That the call succeeded."`
}

// GeographyDemographicsData has the demographics of a geography. Variables and categories without data are absent.
type GeographyDemographicsData struct {
	Type       string                                   `json:"type" enum:"DemographicsType" doc:"Kind of the data."`
	Attributes map[string]GeographyDemographicsCategory `json:"attributes" keys:"GeographyDemographicsCategoryName" doc:"Categories of variables. One without data is absent."`
	Meta       GeographyDemographicsMeta                `json:"meta" doc:"What the estimates are of."`
}

// GeographyDemographicsCategory is a category of variables.
type GeographyDemographicsCategory struct {
	Label     string                          `json:"label" doc:"Label in the language asked for."`
	Type      string                          `json:"type" enum:"CategoryType" doc:"Whether any of its variables is a share."`
	Variables []GeographyDemographicsVariable `json:"variables" doc:"The variables with data, at least one."`
}

// GeographyDemographicsVariable is one estimate: a share (percent), 0 to 1 with four decimals, a count, or a standalone
// number.
type GeographyDemographicsVariable struct {
	Variable           string              `json:"variable" enum:"GeographyDemographicsVariableName" doc:"Key of the variable, the same in every language."`
	Value              float64             `json:"value" column:"demographics.value"`
	Label              string              `json:"label" doc:"Label in the language asked for."`
	Type               string              `json:"type" enum:"VariableType" doc:"What the value is."`
	ConfidenceInterval *ConfidenceInterval `json:"confidence_interval,omitempty" doc:"Interval of the value; absent if its error is unknown, or if the value is a bound."`
	Open               *string             `json:"open,omitempty" enum:"OpenEnd" doc:"In place of the interval where a median is in a bin without a limit: the value is the bin's bound, and the median is that or more (upper) or less (lower). An index that is made of such a median is a bound, too."`
}

// ConfidenceInterval contains the true value with a probability of ConfidenceLevel.
type ConfidenceInterval struct {
	Lower float64 `json:"lower" column:"demographics.lower"`
	Upper float64 `json:"upper" column:"demographics.upper"`
}

// GeographyDemographicsMeta describes the estimates.
type GeographyDemographicsMeta struct {
	DemographicsMeta
	ConfidenceLevel float64 `json:"confidence_level" column:"demographics.confidence_level"`
	DataVintage     string  `json:"data_vintage" doc:"Name of the census or survey that the figures are from, such as 2021 Census of Population or American Community Survey 2019–2023 5-year estimates, in the language asked for; several are separated by semicolons, the newest first."`

	Vintages map[string]string `json:"vintages,omitempty" keys:"GeographyDemographicsCategoryName" doc:"The same by category, where categories differ."`
}
