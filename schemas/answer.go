package schemas

// The types in the answer files are the bodies of the API's answers. The OpenAPI document is made from them, and packs
// contain parts of their JSON. A field that the API specification calls optional is omitted if it is empty; one that it
// calls "or null" is null. The tag "keys" names the vocabulary of the keys of a map.

// SuccessType is the type in the meta of successful answers.
const SuccessType = "Service.API.Success"

// Meta is the meta of successful answers.
type Meta struct {
	Message    string `json:"message"`    // "Successfully called v3/<resource> API."
	Type       string `json:"type"`       // SuccessType
	StatusCode int    `json:"statusCode"` // the HTTP status
}

// NewMeta makes the meta of a successful answer about a resource, such as "geographies".
func NewMeta(resource string, status int) Meta {
	return Meta{Message: "Successfully called v3/" + resource + " API.", Type: SuccessType, StatusCode: status}
}

// GeogRef refers to a geography by its id.
type GeogRef struct {
	GeogID string `json:"geog_id"`
}

// Deprecation marks a superseded boundary version of a geography.
type Deprecation struct {
	ReplacedBy *GeogRef `json:"replaced_by,omitempty"` // the current version; absent if there is no successor
}

// DeprecationMeta is the meta of an entry of a list whose geography is superseded.
type DeprecationMeta struct {
	Deprecation Deprecation `json:"deprecation"`
}

// Geography is a geography in the answer of a look-up.
type Geography struct {
	Name        Text             `json:"name"`
	LevelType   Text             `json:"level_type"`
	Level       Level            `json:"level"`
	Country     Text             `json:"country"`
	SubCountry  *Text            `json:"sub_country,omitempty"` // state or province, the one with the largest part of it; absent at level 70
	City        *NamedGeogRef    `json:"city"`                  // the municipality that contains it, or null
	MetroArea   *NamedGeogRef    `json:"metro_area"`            // the metro area that contains it, or null
	AreaM2      float64          `json:"area_m2"`               // square metres on the ellipsoid, to 0.1
	BoundingBox *BoundingBox     `json:"bounding_box"`          // or null
	Centroid    *Coordinates     `json:"centroid"`              // a point inside, or null
	Geometry    MultiPolygon     `json:"geometry"`              // empty unless selected and Canadian
	Meta        *DeprecationMeta `json:"meta,omitempty"`        // if the boundary version is superseded
}

// NamedGeogRef is a geography that contains another one.
type NamedGeogRef struct {
	EN     string `json:"en"`
	FR     string `json:"fr"`
	GeogID string `json:"geog_id"`
}

// BoundingBox is a box in decimal degrees, at most 7 decimals.
type BoundingBox struct {
	East  float64 `json:"east"`
	North float64 `json:"north"`
	South float64 `json:"south"`
	West  float64 `json:"west"`
}

// Coordinates is a point in decimal degrees, at most 7 decimals.
type Coordinates struct {
	Lat float64 `json:"lat"`
	Lng float64 `json:"lng"`
}

// MultiPolygon is a list of polygons, each a list of closed rings, the outer one first, of [lat, lng] in decimal
// degrees with at most 7 decimals.
type MultiPolygon [][][][2]float64

// GeographiesAnswer is the answer of GET /v3/geographies and /v3/geographies/{geog_id}.
type GeographiesAnswer struct {
	Data GeographiesData `json:"data"`
	Meta GeographiesMeta `json:"meta"`
}

// GeographiesData has the geographies found.
type GeographiesData struct {
	Type        string               `json:"type"`        // "geographies"
	Geographies map[string]Geography `json:"geographies"` // by geog_id
}

// GeographiesMeta is the success meta with the order of the geographies found.
type GeographiesMeta struct {
	Meta
	Order       []string     `json:"order"`                 // geog_ids, by level at a point, by similarity to a name
	Deprecation *Deprecation `json:"deprecation,omitempty"` // by geog_id, if that version is superseded
}

// EnhancedPOI is a POI of the enhanced endpoints. The fields that many POIs have in common come last: packs store them
// once.
type EnhancedPOI struct {
	Name       string            `json:"name"`
	Address    string            `json:"address,omitempty"`
	Suite      string            `json:"suite,omitempty"`
	PostalCode string            `json:"postal_code,omitempty"`
	Phone      string            `json:"phone,omitempty"`
	URL        string            `json:"url,omitempty"`
	Lat        float64           `json:"lat"` // degrees, at most 7 decimals
	Lng        float64           `json:"lng"`
	Proximity  EnhancedProximity `json:"proximity"`
	City       string            `json:"city,omitempty"`
	State      string            `json:"state,omitempty"`
	Country    string            `json:"country"`
	Categories []string          `json:"categories"` // at least one, in the order of Categories
	Brands     []string          `json:"brands"`     // ids, sorted, possibly none
	Tags       []string          `json:"tags"`       // ids, sorted, possibly none
}

// EnhancedProximity is the distance of an EnhancedPOI.
type EnhancedProximity struct {
	LinearDistanceM float64 `json:"linear_distance_m"` // metres, to 0.1
}

// EnhancedPOIsAnswer is the answer of the enhanced POI searches.
type EnhancedPOIsAnswer struct {
	Data EnhancedPOIsData `json:"data"`
	Meta EnhancedPOIsMeta `json:"meta"`
}

// EnhancedPOIsData has the POIs found, sorted by ascending distance.
type EnhancedPOIsData struct {
	Results []EnhancedPOI `json:"results"`
}

// EnhancedPOIsMeta is the success meta with the counts.
type EnhancedPOIsMeta struct {
	Meta
	Counts      EnhancedCounts `json:"counts"`
	Deprecation *Deprecation   `json:"deprecation,omitempty"` // by geog_id, if that version is superseded
}

// EnhancedCounts counts the POIs that a search returned, and all that matched it. The maps have every selected category,
// zeros included; a POI with several categories counts in each of them.
type EnhancedCounts struct {
	ReturnedByCategory map[string]int `json:"returned_by_category" keys:"Category"`
	ReturnedCount      int            `json:"returned_count"`
	TotalByCategory    map[string]int `json:"total_by_category" keys:"Category"`
	TotalCount         int            `json:"total_count"`
}

// TermsAnswer is the answer of the lists of categories, brands and tags.
type TermsAnswer struct {
	Data TermsData `json:"data"`
	Meta TermsMeta `json:"meta"`
}

// TermsData has the terms, sorted by id.
type TermsData struct {
	Results []Term `json:"results"`
}

// Term is an id that POIs can be filtered by, with its label in the requested language.
type Term struct {
	ID   string `json:"id"` // lower snake_case
	Name string `json:"name"`
}

// TermsMeta is the success meta with the counts.
type TermsMeta struct {
	Meta
	Counts TermCounts `json:"counts"`
}

// TermCounts counts the terms of a list.
type TermCounts struct {
	ReturnedCount int `json:"returned_count"`
	TotalCount    int `json:"total_count"`
}

// BasePOI is a POI of /v3/pois.
type BasePOI struct {
	Name       string        `json:"name"`
	Address    string        `json:"address,omitempty"`
	City       string        `json:"city,omitempty"`
	Province   string        `json:"province,omitempty"`
	PostalCode string        `json:"postalcode,omitempty"`
	Country    string        `json:"country"`
	Lat        float64       `json:"lat"` // degrees, at most 7 decimals
	Lng        float64       `json:"lng"`
	URL        string        `json:"url,omitempty"`
	Proximity  BaseProximity `json:"proximity"`
}

// BaseProximity is the distance of a BasePOI.
type BaseProximity struct {
	LinearDistance float64 `json:"linear_distance"` // metres, to 0.1
}

// BasePOIsAnswer is the answer of /v3/pois.
type BasePOIsAnswer struct {
	Data map[string][]BasePOI `json:"data" keys:"BaseCategory"` // by category, each sorted by ascending distance
	Meta BasePOIsMeta         `json:"meta"`
}

// BasePOIsMeta is the success meta with the number of POIs by category.
type BasePOIsMeta struct {
	Meta
	Counts map[string]int `json:"counts" keys:"BaseCategory"`
}
