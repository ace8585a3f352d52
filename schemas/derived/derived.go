// Package derived has the row types of derived.duckdb, which transform writes and build reads: one type a table, with a
// field for every column. What a column holds is said in schemas/derived.sql; how rows are written and read by the names
// of their columns, in package sqlrow.
package derived

// Geography is a row of geography.
type Geography struct {
	SourceKey   string  `col:"source_key"`
	SourceID    string  `col:"source_id"`
	Level       int32   `col:"level"`
	NameEN      string  `col:"name_en"`
	NameFR      string  `col:"name_fr"`
	CountryCode string  `col:"country_code"`
	StateCodes  string  `col:"state_codes"`
	AreaM2      float64 `col:"area_m2"`
	West        float64 `col:"west"`
	South       float64 `col:"south"`
	East        float64 `col:"east"`
	North       float64 `col:"north"`
	CentroidLng float64 `col:"centroid_lng"`
	CentroidLat float64 `col:"centroid_lat"`
	Population  *int64  `col:"population"`
	Geom        []byte  `col:"geom"`
}

// GeographyName is a row of geography_name.
type GeographyName struct {
	SourceKey string `col:"source_key"`
	Name      string `col:"name"`
	Kind      string `col:"kind"`
	Language  string `col:"language,null"`
	SourceID  string `col:"source_id"`
}

// Coverage is a row of coverage.
type Coverage struct {
	RegionCode string `col:"region_code"`
	SourceKey  string `col:"source_key"`
	Geom       []byte `col:"geom"`
}

// Issue is a row of transform_issue.
type Issue struct {
	Step        string `col:"step"`
	Severity    string `col:"severity"`
	Code        string `col:"code"`
	Detail      string `col:"detail"`
	Description string `col:"description"`
	Rows        int64  `col:"rows"`
	Example     string `col:"example"`
}

// StreetNode is a row of street_node.
type StreetNode struct {
	Node     int32   `col:"node"`
	Lng      float64 `col:"lng"`
	Lat      float64 `col:"lat"`
	Channels []byte  `col:"channels"`
}

// StreetNodePart is a row of street_node_part.
type StreetNodePart struct {
	Node int32 `col:"node"`
	NodeParts
}

// NodeParts are the quantities at a node that composite scores are made of, in ten-thousandths; nil without data.
type NodeParts struct {
	NoiseDB      *int64 `col:"noise_db"`
	SteepestPct  *int64 `col:"steepest_pct"`
	BikeLanes    *int64 `col:"bike_lanes"`
	LowStress    *int64 `col:"low_stress"`
	Parking      *int64 `col:"parking"`
	DriveErrands *int64 `col:"drive_errands"`
	DensityKM2   *int64 `col:"density_km2"`
	RampMin      *int64 `col:"ramp_min"`
	ArterialMin  *int64 `col:"arterial_min"`
	LaneLoad     *int64 `col:"lane_load"`
	ActivityKM2  *int64 `col:"activity_km2"`
	Beyond       *int64 `col:"beyond"`
}

// StreetEdge is a row of street_edge.
type StreetEdge struct {
	Edge      int32   `col:"edge"`
	A         int32   `col:"a"`
	B         int32   `col:"b"`
	LengthM   float64 `col:"length_m"`
	Class     string  `col:"class"`
	Name      string  `col:"name,null"`
	NameFR    string  `col:"name_fr,null"`
	SourceID  string  `col:"source_id"`
	SourceKey string  `col:"source_key"`
	AADT      float64 `col:"aadt,null"`
	Count     string  `col:"count_key,null"`
	Geom      []byte  `col:"geom"`
}

// Barrier is a row of barrier.
type Barrier struct {
	Barrier int32  `col:"barrier"`
	Kind    string `col:"kind"`
	Geom    []byte `col:"geom"`
}

// Destination is a row of destination, and of lent_destination.
type Destination struct {
	Destination int32    `col:"destination"`
	Class       string   `col:"class"`
	PlaceKey    string   `col:"place_key"`
	Station     string   `col:"station"`
	SourceID    string   `col:"source_id"`
	Name        string   `col:"name,null"`
	Size        *float64 `col:"size"`
	Lng         float64  `col:"lng"`
	Lat         float64  `col:"lat"`
	Edge        int32    `col:"edge"`
	AlongM      float64  `col:"along_m"`
	LegM        float64  `col:"leg_m"`
}

// LentEdge is a row of lent_edge.
type LentEdge struct {
	LentEdge  int32   `col:"lent_edge"`
	A         int32   `col:"a"`
	B         int32   `col:"b"`
	LengthM   float64 `col:"length_m"`
	SourceID  string  `col:"source_id"`
	SourceKey string  `col:"source_key"`
	Geom      []byte  `col:"geom"`
}

// TransitService is a row of transit_service, and of lent_service.
type TransitService struct {
	Destination int32  `col:"destination"`
	RouteKey    string `col:"route_key"`
	RouteName   string `col:"route_name"`
	Mode        string `col:"mode"`
	Rapid       bool   `col:"rapid"`
	Direction   int32  `col:"direction"`
	Headsign    string `col:"headsign,null"`
	TripsWeek   int32  `col:"trips_week"`
	Basis       string `col:"basis"`
	Kind        string `col:"kind,null"`
}

// Landmark is a row of landmark.
type Landmark struct {
	Kind      string   `col:"kind"`
	Class     string   `col:"class"`
	SourceID  string   `col:"source_id"`
	SourceKey string   `col:"source_key"`
	Name      string   `col:"name,null"`
	NameFR    string   `col:"name_fr,null"`
	LengthM   *float64 `col:"length_m"`
	Geom      []byte   `col:"geom"`
}

// Home is a row of home.
type Home struct {
	Home   int32   `col:"home"`
	Basis  string  `col:"basis"`
	Weight float64 `col:"weight"`
	Lng    float64 `col:"lng"`
	Lat    float64 `col:"lat"`
	Edge   int32   `col:"edge"`
	AlongM float64 `col:"along_m"`
}

// Typology is a row of typology.
type Typology struct {
	Geohash       string  `col:"geohash"`
	Typology      string  `col:"typology"`
	PopulationKm2 float64 `col:"population_km2"`
	HouseholdsKm2 float64 `col:"households_km2"`
}

// RegionClass is a row of region_class.
type RegionClass struct {
	Class  string `col:"class"`
	Places int64  `col:"places"`
	People int64  `col:"people"`

	LentPlaces int64 `col:"lent_places"`
	LentPeople int64 `col:"lent_people"`

	Counted bool   `col:"counted"`
	Verdict string `col:"verdict"`

	Accepted string `col:"accepted,null"`
}

// KnownGround is a row of known_ground.
type KnownGround struct {
	SourceID       string `col:"source_id"`
	Categories     string `col:"categories"`
	BaseCategories string `col:"base_categories"`
	Geom           []byte `col:"geom"`
}

// Note is a row of note.
type Note struct {
	Topic string `col:"topic"`
	Text  string `col:"text"`
}

// SmallArea is a row of small_area.
type SmallArea struct {
	Area       int32  `col:"area"`
	SourceKey  string `col:"source_key"`
	RegionCode string `col:"region_code"`

	Within  float64 `col:"sigma_within"`
	Between float64 `col:"sigma_between"`
}

// SmallAreaPart is a row of small_area_part.
type SmallAreaPart struct {
	Part       int32   `col:"part"`
	Area       int32   `col:"area"`
	SourceKey  string  `col:"source_key"`
	Persons    float64 `col:"persons"`
	Households float64 `col:"households"`
	Dwellings  float64 `col:"dwellings"`
	Geom       []byte  `col:"geom"`
}

// SmallAreaValue is a row of small_area_value.
type SmallAreaValue struct {
	Area     int32    `col:"area"`
	Cell     string   `col:"cell"`
	Estimate float64  `col:"estimate"`
	MOE      *float64 `col:"moe"`
	Vintage  string   `col:"vintage"`
}

// Water is a row of water.
type Water struct {
	Water int32  `col:"water"`
	Geom  []byte `col:"geom"`
}

// GeographyValue is a row of geography_value.
type GeographyValue struct {
	SourceKey string   `col:"source_key"`
	Cell      string   `col:"cell"`
	Estimate  float64  `col:"estimate"`
	MOE       *float64 `col:"moe"`
	Vintage   string   `col:"vintage"`
}

// HomeValue is a row of home_value.
type HomeValue struct {
	SourceKey string  `col:"source_key"`
	Year      int32   `col:"year"`
	Dollars   float64 `col:"dollars"`
}

// Vintage is a row of vintage.
type Vintage struct {
	CountryCode string `col:"country_code"`
	Vintage     string `col:"vintage"`
}
