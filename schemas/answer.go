package schemas

import "quartier/schemas/place"

// The types in the answer files are the bodies of the API's answers. The OpenAPI document is made from them, and packs
// contain parts of their JSON. A field that the API specification calls optional is omitted if it is empty; one that it
// calls "or null" is null. The tag "doc" describes a field, "enum" names the vocabulary of its value or of the items of a
// list, and "keys" that of the keys of a map.

// SuccessType is the type in the meta of successful answers.
const SuccessType = "Service.API.Success"

// Meta is the meta of successful answers.
type Meta struct {
	Message    string `json:"message" doc:"What was called: Successfully called v3/<resource> API."`
	Type       string `json:"type" enum:"SuccessType" doc:"Kind of the answer."`
	StatusCode int    `json:"statusCode" doc:"The HTTP status, as in the status line."`
}

// NewMeta makes the meta of a successful answer about a resource, such as "geographies".
func NewMeta(resource string, status int) Meta {
	return Meta{Message: "Successfully called v3/" + resource + " API.", Type: SuccessType, StatusCode: status}
}

// GeogRef refers to a geography by its id.
type GeogRef struct {
	GeogID string `json:"geog_id" doc:"Id of the geography."`
}

// Deprecation marks a superseded boundary version of a geography.
type Deprecation struct {
	ReplacedBy *GeogRef `json:"replaced_by,omitempty" doc:"The current version, even where several lie between; absent if there is no successor."`
}

// DeprecationMeta is the meta of an entry of a list whose geography is superseded.
type DeprecationMeta struct {
	Deprecation Deprecation `json:"deprecation" doc:"That the boundary version is superseded."`
}

// Geography is a geography in the answer of a look-up.
type Geography struct {
	Name        Text             `json:"name" doc:"Name in both languages."`
	LevelType   Text             `json:"level_type" doc:"What geographies of its level are called in its country."`
	Level       Level            `json:"level" enum:"Level" doc:"Rank of the geography, smallest to largest."`
	Country     Text             `json:"country" doc:"Name of the country."`
	SubCountry  *Text            `json:"sub_country,omitempty" doc:"State or province, the one with the largest part of it; absent at level 70."`
	City        *NamedGeogRef    `json:"city" doc:"The municipality that contains it, or null."`
	MetroArea   *NamedGeogRef    `json:"metro_area" doc:"The metro area that contains it, or null."`
	AreaM2      float64          `json:"area_m2" doc:"Area in square metres on the ellipsoid, to 0.1."`
	BoundingBox *BoundingBox     `json:"bounding_box" doc:"The box around it, or null."`
	Centroid    *Coordinates     `json:"centroid" doc:"A point inside, or null."`
	Geometry    MultiPolygon     `json:"geometry" doc:"Polygons, each a list of closed rings, the outer one first, of [lat, lng] in decimal degrees. Empty unless asked for and Canadian."`
	Meta        *DeprecationMeta `json:"meta,omitempty" doc:"Present if the boundary version is superseded."`
}

// NamedGeogRef is a geography that contains another one.
type NamedGeogRef struct {
	EN     string `json:"en" doc:"Name in English."`
	FR     string `json:"fr" doc:"Name in French."`
	GeogID string `json:"geog_id" doc:"Id of the geography."`
}

// BoundingBox is a box in decimal degrees, at most 7 decimals.
type BoundingBox struct {
	East  float64 `json:"east" doc:"Longitude of the eastern edge, decimal degrees."`
	North float64 `json:"north" doc:"Latitude of the northern edge, decimal degrees."`
	South float64 `json:"south" doc:"Latitude of the southern edge, decimal degrees."`
	West  float64 `json:"west" doc:"Longitude of the western edge, decimal degrees."`
}

// Coordinates is a point in decimal degrees, at most 7 decimals.
type Coordinates struct {
	Lat float64 `json:"lat" doc:"Latitude, decimal degrees."`
	Lng float64 `json:"lng" doc:"Longitude, decimal degrees."`
}

// MultiPolygon is a list of polygons, each a list of closed rings, the outer one first, of [lat, lng] in decimal
// degrees with at most 7 decimals.
type MultiPolygon [][][][2]float64

// GeographiesAnswer is the answer of GET /v3/geographies and /v3/geographies/{geog_id}.
type GeographiesAnswer struct {
	Data GeographiesData `json:"data" doc:"The geographies found."`
	Meta GeographiesMeta `json:"meta" doc:"Their order."`
}

// GeographiesData has the geographies found.
type GeographiesData struct {
	Type        string               `json:"type" enum:"GeographiesType" doc:"Kind of the data."`
	Geographies map[string]Geography `json:"geographies" doc:"The geographies by geog_id, unordered."`
}

// GeographiesMeta is the success meta with the order of the geographies found.
type GeographiesMeta struct {
	Meta
	Order       []string     `json:"order" doc:"The geog_ids in order: by level at a point, by similarity to a name."`
	Deprecation *Deprecation `json:"deprecation,omitempty" doc:"By geog_id, if that version is superseded."`
}

// EnhancedPOI is a POI of the enhanced endpoints. The fields that many POIs have in common come last: packs store them
// once.
type EnhancedPOI struct {
	Name       string `json:"name" doc:"Name."`
	Address    string `json:"address,omitempty" doc:"House number and street."`
	Suite      string `json:"suite,omitempty" doc:"Suite, unit or floor."`
	PostalCode string `json:"postal_code,omitempty" doc:"Postal or ZIP code."`
	Phone      string `json:"phone,omitempty" doc:"Telephone number."`
	URL        string `json:"url,omitempty" doc:"Web site."`
	place.Attributes
	Lat        float64           `json:"lat" doc:"Latitude, decimal degrees."`
	Lng        float64           `json:"lng" doc:"Longitude, decimal degrees."`
	Proximity  EnhancedProximity `json:"proximity" doc:"How near it is."`
	City       string            `json:"city,omitempty" doc:"City."`
	State      string            `json:"state,omitempty" doc:"Code of the state or province."`
	Country    string            `json:"country" doc:"Name of the country."`
	Categories []string          `json:"categories" enum:"Category" doc:"Categories, at least one."`
	Brands     []string          `json:"brands" doc:"Ids of brands, sorted, possibly none; listed by /v3/enhanced-pois/brands."`
	Tags       []string          `json:"tags" doc:"Ids of tags, sorted, possibly none; listed by /v3/enhanced-pois/tags."`
}

// EnhancedProximity is the distance of an EnhancedPOI.
type EnhancedProximity struct {
	LinearDistanceM float64 `json:"linear_distance_m" doc:"Straight distance in metres, to 0.1, from the point, the centroid of the polygon or that of the geography."`
}

// EnhancedPOIsAnswer is the answer of the enhanced POI searches.
type EnhancedPOIsAnswer struct {
	Data EnhancedPOIsData `json:"data" doc:"The POIs found."`
	Meta EnhancedPOIsMeta `json:"meta" doc:"Their counts."`
}

// EnhancedPOIsData has the POIs found, sorted by ascending distance.
type EnhancedPOIsData struct {
	Results []EnhancedPOI `json:"results" doc:"The POIs, ascending by distance."`
}

// EnhancedPOIsMeta is the success meta with the counts.
type EnhancedPOIsMeta struct {
	Meta
	Counts      EnhancedCounts `json:"counts" doc:"How many were returned and how many there are."`
	Unknown     []string       `json:"unknown_categories,omitempty" enum:"Category" doc:"Categories asked for that are not known at the point, the centroid of the polygon or that of the geography: how many there are is not known, and the places of them that are listed need not be all. Absent if all are known."`
	Deprecation *Deprecation   `json:"deprecation,omitempty" doc:"By geog_id, if that version is superseded."`
}

// EnhancedCounts counts the POIs that a search returned, and all that matched it. The maps have every selected category that
// is known there, zeros included; a POI with several categories counts in each of them.
type EnhancedCounts struct {
	ReturnedByCategory map[string]int `json:"returned_by_category" keys:"Category" doc:"POIs returned by category: every category asked for that is known there, zeros included. A POI counts in each of its categories."`
	ReturnedCount      int            `json:"returned_count" doc:"POIs returned."`
	TotalByCategory    map[string]int `json:"total_by_category" keys:"Category" doc:"POIs that match by category, as returned_by_category."`
	TotalCount         int            `json:"total_count" doc:"POIs that match."`
}

// TermsAnswer is the answer of the lists of categories, brands and tags.
type TermsAnswer struct {
	Data TermsData `json:"data" doc:"The terms."`
	Meta TermsMeta `json:"meta" doc:"Their counts."`
}

// TermsData has the terms, sorted by id.
type TermsData struct {
	Results []Term `json:"results" doc:"The terms, sorted by id."`
}

// Term is an id that POIs can be filtered by, with its label in the requested language.
type Term struct {
	ID   string `json:"id" doc:"Id to filter by, lower snake_case."`
	Name string `json:"name" doc:"Label in the language asked for."`
}

// TermsMeta is the success meta with the counts.
type TermsMeta struct {
	Meta
	Counts TermCounts `json:"counts" doc:"How many there are."`
}

// TermCounts counts the terms of a list.
type TermCounts struct {
	ReturnedCount int `json:"returned_count" doc:"Terms returned."`
	TotalCount    int `json:"total_count" doc:"Terms in all."`
}

// BasePOI is a POI of /v3/pois.
type BasePOI struct {
	Name       string  `json:"name" doc:"Name."`
	Address    string  `json:"address,omitempty" doc:"House number and street."`
	City       string  `json:"city,omitempty" doc:"City."`
	Province   string  `json:"province,omitempty" doc:"Code of the state or province."`
	PostalCode string  `json:"postalcode,omitempty" doc:"Postal or ZIP code."`
	Country    string  `json:"country" doc:"Name of the country."`
	Lat        float64 `json:"lat" doc:"Latitude, decimal degrees."`
	Lng        float64 `json:"lng" doc:"Longitude, decimal degrees."`
	URL        string  `json:"url,omitempty" doc:"Web site."`
	place.Attributes
	Proximity BaseProximity `json:"proximity" doc:"How near it is."`
}

// BaseProximity is the distance of a BasePOI.
type BaseProximity struct {
	LinearDistance float64 `json:"linear_distance" doc:"Straight distance in metres, to 0.1, from the point or the centroid of the polygon."`
}

// BasePOIsAnswer is the answer of /v3/pois.
type BasePOIsAnswer struct {
	Data map[string][]BasePOI `json:"data" keys:"BaseCategory" doc:"The POIs found by category, each list ascending by distance. A category that is not known there and of which none is found is absent."`
	Meta BasePOIsMeta         `json:"meta" doc:"Their counts."`
}

// BasePOIsMeta is the success meta with the number of POIs by category.
type BasePOIsMeta struct {
	Meta
	Counts  map[string]int `json:"counts" keys:"BaseCategory" doc:"POIs that match by category, those not returned included: every category asked for that is known there, zeros included."`
	Unknown []string       `json:"unknown_categories,omitempty" enum:"BaseCategory" doc:"Categories asked for that are not known at the point or the centroid of the polygon: how many there are is not known, and the places of them that are listed need not be all. Absent if all are known."`
}

// StatusAnswer is the answer of GET /v3/status.
type StatusAnswer struct {
	Data Status `json:"data" doc:"The data that answer."`
	Meta Meta   `json:"meta" doc:"That the call succeeded."`
}

// Status is which data answer a customer.
type Status struct {
	Type         string              `json:"type" enum:"StatusType" doc:"Kind of the data."`
	Release      string              `json:"release" doc:"Name of the release."`
	AsOf         string              `json:"as_of" doc:"Latest date of its components, YYYY-MM-DD."`
	NextUpdate   string              `json:"next_update,omitempty" doc:"Day on which the operator expects the next general update, YYYY-MM-DD; absent if none is announced, and after that day."`
	Components   []StatusComponent   `json:"components" doc:"What the release consists of, as far as the agreement has it. Private geographies are in none of them."`
	Attributions []StatusAttribution `json:"attributions" doc:"What the licences of the sources ask to be shown, each once: of all sources that answers for the products of the agreement can be made of."`
}

// StatusComponent is a component of a release.
type StatusComponent struct {
	Name   string `json:"name" enum:"StatusComponentName" doc:"Name of the component."`
	Digest string `json:"digest" doc:"Identifies its content, 64 hexadecimal digits."`
	AsOf   string `json:"as_of" doc:"Latest date of its sources, YYYY-MM-DD; of market, the day of the statistics."`
}

// StatusAttribution is a line that a licence asks for.
type StatusAttribution struct {
	Text
	Licence string `json:"licence" doc:"The licence, by its SPDX id if it has one."`
}
