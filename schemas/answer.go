package schemas

import "quartier/schemas/place"

// The types in the answer files are the bodies of the API's answers. The OpenAPI document is made from them, and packs
// contain parts of their JSON. A field that the API specification calls optional is omitted if it is empty; one that it
// calls "or null" is null. The tag "doc" describes a field, "enum" names the vocabulary of its value or of the items of a
// list, and "keys" that of the keys of a map. A number, and what files of exports have too, is described by the tag
// "column" in place of "doc": a column of the catalogue, package column.

// SuccessType is the type in the meta of successful answers.
const SuccessType = "Service.API.Success"

// Meta is the meta of successful answers.
type Meta struct {
	Message    string `json:"message" doc:"What was called: Successfully called v3/<resource> API."`
	Type       string `json:"type" enum:"SuccessType" doc:"Kind of the answer."`
	StatusCode int    `json:"statusCode" column:"all.status_code"`
}

// NewMeta makes the meta of a successful answer about a resource, such as "geographies".
func NewMeta(resource string, status int) Meta {
	return Meta{Message: "Successfully called v3/" + resource + " API.", Type: SuccessType, StatusCode: status}
}

// GeogRef refers to a geography by its id.
type GeogRef struct {
	GeogID string `json:"geog_id" column:"all.geog_id"`
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
	Level       Level            `json:"level" enum:"Level" column:"all.level"`
	Country     Text             `json:"country" doc:"Name of the country."`
	SubCountry  *Text            `json:"sub_country,omitempty" doc:"State or province, the one with the largest part of it; absent at level 70."`
	City        *NamedGeogRef    `json:"city" doc:"The municipality that contains it, or null."`
	MetroArea   *NamedGeogRef    `json:"metro_area" doc:"The metro area that contains it, or null."`
	AreaM2      float64          `json:"area_m2" column:"geographies.area_m2"`
	BoundingBox *BoundingBox     `json:"bounding_box" doc:"The box around it, or null."`
	Centroid    *Coordinates     `json:"centroid" doc:"A point inside, or null."`
	Geometry    MultiPolygon     `json:"geometry" doc:"Polygons, each a list of closed rings, the outer one first, of [lat, lng] in decimal degrees. Empty unless asked for and Canadian."`
	Meta        *DeprecationMeta `json:"meta,omitempty" doc:"Present if the boundary version is superseded."`
}

// NamedGeogRef is a geography that contains another one.
type NamedGeogRef struct {
	EN     string `json:"en" column:"all.name_en"`
	FR     string `json:"fr" doc:"Name in French."`
	GeogID string `json:"geog_id" column:"all.geog_id"`
}

// BoundingBox is a box in decimal degrees, at most 7 decimals.
type BoundingBox struct {
	East  float64 `json:"east" column:"geographies.east"`
	North float64 `json:"north" column:"geographies.north"`
	South float64 `json:"south" column:"geographies.south"`
	West  float64 `json:"west" column:"geographies.west"`
}

// Coordinates is a point in decimal degrees, at most 7 decimals.
type Coordinates struct {
	Lat float64 `json:"lat" column:"all.lat"`
	Lng float64 `json:"lng" column:"all.lng"`
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
	Name       string `json:"name" column:"all.name"`
	Address    string `json:"address,omitempty" column:"all.address"`
	Suite      string `json:"suite,omitempty" column:"pois.suite"`
	PostalCode string `json:"postal_code,omitempty" column:"all.postal_code"`
	Phone      string `json:"phone,omitempty" column:"all.phone"`
	URL        string `json:"url,omitempty" column:"all.url"`
	place.Attributes
	Lat        float64           `json:"lat" column:"all.lat"`
	Lng        float64           `json:"lng" column:"all.lng"`
	Proximity  EnhancedProximity `json:"proximity" doc:"How near it is."`
	City       string            `json:"city,omitempty" column:"all.city"`
	State      string            `json:"state,omitempty" column:"all.state_code"`
	Country    string            `json:"country" doc:"Name of the country."`
	Categories []string          `json:"categories" enum:"Category" doc:"Categories, at least one."`
	Brands     []string          `json:"brands" doc:"Ids of brands, sorted, possibly none; listed by /v3/enhanced-pois/brands."`
	Tags       []string          `json:"tags" doc:"Ids of tags, sorted, possibly none; listed by /v3/enhanced-pois/tags."`
}

// EnhancedProximity is the distance of an EnhancedPOI.
type EnhancedProximity struct {
	LinearDistanceM float64 `json:"linear_distance_m" column:"pois.linear_distance_m"`
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
	ReturnedByCategory map[string]int `json:"returned_by_category" keys:"Category" column:"pois.returned_by_category"`
	ReturnedCount      int            `json:"returned_count" column:"pois.returned_count"`
	TotalByCategory    map[string]int `json:"total_by_category" keys:"Category" column:"pois.total_by_category"`
	TotalCount         int            `json:"total_count" column:"pois.total_count"`
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
	ReturnedCount int `json:"returned_count" column:"pois.terms_returned"`
	TotalCount    int `json:"total_count" column:"pois.terms_total"`
}

// BasePOI is a POI of /v3/pois.
type BasePOI struct {
	Name       string  `json:"name" column:"all.name"`
	Address    string  `json:"address,omitempty" column:"all.address"`
	City       string  `json:"city,omitempty" column:"all.city"`
	Province   string  `json:"province,omitempty" column:"all.state_code"`
	PostalCode string  `json:"postalcode,omitempty" column:"all.postal_code"`
	Country    string  `json:"country" doc:"Name of the country."`
	Lat        float64 `json:"lat" column:"all.lat"`
	Lng        float64 `json:"lng" column:"all.lng"`
	URL        string  `json:"url,omitempty" column:"all.url"`
	place.Attributes
	Proximity BaseProximity `json:"proximity" doc:"How near it is."`
}

// BaseProximity is the distance of a BasePOI.
type BaseProximity struct {
	LinearDistance float64 `json:"linear_distance" column:"all.linear_distance"`
}

// BasePOIsAnswer is the answer of /v3/pois.
type BasePOIsAnswer struct {
	Data map[string][]BasePOI `json:"data" keys:"BaseCategory" doc:"The POIs found by category, each list ascending by distance. A category that is not known there and of which none is found is absent."`
	Meta BasePOIsMeta         `json:"meta" doc:"Their counts."`
}

// BasePOIsMeta is the success meta with the number of POIs by category.
type BasePOIsMeta struct {
	Meta
	Counts  map[string]int `json:"counts" keys:"BaseCategory" column:"pois.counts"`
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
