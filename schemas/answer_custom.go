package schemas

// CustomGeographyTypes are the types of custom geographies.
var CustomGeographyTypes = []string{
	"NEIGHBORHOOD", "COMMUNITY", "CITY", "TOWN", "VILLAGE", "NEIGHBOURHOOD", "RESERVE", "MUNICIPALITY", "TOWNSHIP",
	"RURAL_MUNICIPALITY", "MUNICIPAL_DISTRICT", "BOROUGH", "SECTOR", "REGION", "POSTAL_CITY",
}

// CustomLevel is the level of a custom geography of a type in a country, "CA" or "US"; 0 for an unknown type.
func CustomLevel(kind, country string) Level {
	switch kind {
	case "NEIGHBORHOOD", "NEIGHBOURHOOD", "COMMUNITY", "SECTOR":
		return Neighbourhood
	case "BOROUGH":
		return Borough
	case "CITY", "TOWN", "VILLAGE", "MUNICIPALITY", "POSTAL_CITY", "RESERVE":
		return Municipality
	case "TOWNSHIP":
		if country == "US" {
			return CountySubdivision
		}
		return Municipality
	case "RURAL_MUNICIPALITY", "MUNICIPAL_DISTRICT":
		return County
	case "REGION":
		return Region
	}
	return 0
}

// CustomGeographyBody is the body of POST /v3/geographies/custom.
type CustomGeographyBody struct {
	NameEN     string `json:"name_en" doc:"Name in English, 1 to 200 characters without control characters. Blanks around it are removed."`
	NameFR     string `json:"name_fr,omitempty" nullable:"true" doc:"Name in French, like name_en. Without it, or with null, the English name is used."`
	Boundaries string `json:"boundaries" doc:"WKT POLYGON of one closed ring, longitude before latitude, at most 100,000 characters. Coordinates are rounded to 7 decimals."`
	Type       string `json:"type" enum:"CustomGeographyType" doc:"What the geography is, from which its level follows."`
}

// CustomGeographyChange is the body of PATCH /v3/geographies/custom/{geo_entity_id}: at least one member.
type CustomGeographyChange struct {
	NameEN     string `json:"name_en,omitempty" doc:"New name in English."`
	NameFR     string `json:"name_fr,omitempty" nullable:"true" doc:"New name in French; null removes it."`
	Boundaries string `json:"boundaries,omitempty" doc:"New boundaries."`
	Type       string `json:"type,omitempty" enum:"CustomGeographyType" doc:"New type."`
}

// CustomGeography is a request for a custom geography.
type CustomGeography struct {
	GeoEntityID      string  `json:"geo_entity_id" doc:"Id of the request, a UUID."`
	NameEN           string  `json:"name_en" column:"all.name_en"`
	NameFR           string  `json:"name_fr,omitempty" doc:"Name in French; absent if none was given."`
	Boundaries       *string `json:"boundaries" doc:"WKT POLYGON, longitude before latitude; null in lists."`
	Type             string  `json:"type" enum:"CustomGeographyType" doc:"What the geography is."`
	ProcessingStatus string  `json:"processing_status" enum:"ProcessingStatus" doc:"State of the request."`
	GeogID           *string `json:"geog_id" doc:"Id of the geography in other endpoints; null until the latest version of the request is published."`
	PublishedAt      *string `json:"published_at" doc:"When the latest version was published, UTC; null until then."`
	UpdatedAt        string  `json:"updated_at" doc:"Time of the last change by a call, UTC with microseconds."`

	Published        *CustomPublication `json:"published,omitempty" doc:"What answers until the latest version is published; absent where none of an earlier version does."`
	ProcessingDetail *CustomProblem     `json:"processing_detail,omitempty" doc:"Why the request waits after an update that could not build it; absent where none failed since its last change."`
}

// CustomPublication is the publication of an earlier version of a request.
type CustomPublication struct {
	GeogID      string `json:"geog_id" doc:"Id of the geography in other endpoints."`
	PublishedAt string `json:"published_at" doc:"When it was published, UTC."`
}

// CustomProblem is why a request could not be built.
type CustomProblem struct {
	Code    string `json:"code" doc:"Stable name of the reason, such as no_land, not_covered or outside_release."`
	Message string `json:"message" doc:"The reason with its figures, in English."`
	Since   string `json:"since" doc:"End of the first update that could not build this version, UTC."`
}

// CustomGeographyEvent is a change of the state of a request.
type CustomGeographyEvent struct {
	Cursor           string  `json:"cursor" doc:"Names the event, for after."`
	At               string  `json:"at" doc:"Time of the change, UTC with microseconds."`
	GeoEntityID      string  `json:"geo_entity_id" doc:"Id of the request."`
	ProcessingStatus string  `json:"processing_status" enum:"ProcessingStatus" doc:"State of the request after the change."`
	GeogID           *string `json:"geog_id" doc:"Id of the geography in other endpoints, as the request showed it then."`
}

// CustomGeographyEventsAnswer is a part of the changes of the states of requests.
type CustomGeographyEventsAnswer struct {
	Items []CustomGeographyEvent `json:"items" doc:"Changes in the order in which they were made."`
	Next  string                 `json:"next" doc:"What to ask for as after the next time; empty if there was no event yet."`
	More  bool                   `json:"more" doc:"Whether there are more changes after these now."`
	Meta  Meta                   `json:"meta" doc:"About the answer."`
}

// CustomGeographyAnswer is the answer about one request.
type CustomGeographyAnswer struct {
	CustomGeography
	Meta Meta `json:"meta" doc:"About the answer."`
}

// CustomGeographyReceipt is the answer to a change.
type CustomGeographyReceipt struct {
	GeoEntityID      string `json:"geo_entity_id" doc:"Id of the request, a UUID."`
	ProcessingStatus string `json:"processing_status" enum:"ProcessingStatus" doc:"State of the request after the change."`
	Meta             Meta   `json:"meta" doc:"About the answer."`
}

// CustomGeographiesAnswer is a page of the requests of a customer.
type CustomGeographiesAnswer struct {
	Items    []CustomGeography `json:"items" doc:"Requests, those changed last first, then by id; without boundaries."`
	Page     int               `json:"page" column:"geographies.page"`
	PageSize int               `json:"page_size" column:"geographies.page_size"`
	Total    int               `json:"total" column:"geographies.total"`
	Pages    int               `json:"pages" column:"geographies.pages"`
	Meta     Meta              `json:"meta" doc:"About the answer."`
}
