// Package staged has the row types of staged.duckdb, which ingest writes and transform reads: one type a table, with a
// field for every column. What a column holds is said in schemas/staged.sql; how rows are written and read by the names
// of their columns, in package sqlrow.
package staged

// Source is a row of source.
type Source struct {
	SourceID    string `col:"source_id"`
	Priority    int32  `col:"priority"`
	Kind        string `col:"kind"`
	Path        string `col:"path"`
	SHA256      string `col:"sha256"`
	Bytes       int64  `col:"bytes"`
	AsOf        string `col:"as_of"`
	Licence     string `col:"licence"`
	Attribution string `col:"attribution"`
	URL         string `col:"url,null"`
	RowsRead    int64  `col:"rows_read"`
	RowsStaged  int64  `col:"rows_staged"`
	NoFootpaths bool   `col:"no_footpaths"`
}

// Issue is a row of source_issue.
type Issue struct {
	SourceID    string `col:"source_id"`
	Severity    string `col:"severity"`
	Code        string `col:"code"`
	Detail      string `col:"detail"`
	Description string `col:"description"`
	Rows        int64  `col:"rows"`
	Example     string `col:"example"`
}

// DeclaredClass is a row of declared_class.
type DeclaredClass struct {
	SourceID string `col:"source_id"`
	Class    string `col:"class"`
	Complete bool   `col:"complete"`
}

// QuietWithout is a row of quiet_without.
type QuietWithout struct {
	Class string `col:"class"`
	Why   string `col:"why"`
}

// Boundary is a row of boundary.
type Boundary struct {
	SourceID    string `col:"source_id"`
	SourceKey   string `col:"source_key"`
	Level       int32  `col:"level"`
	NameEN      string `col:"name_en"`
	NameFR      string `col:"name_fr,null"`
	CountryCode string `col:"country_code,null"`
	StateCode   string `col:"state_code,null"`
	Population  *int64 `col:"population"`
	Geom        []byte `col:"geom"`
}

// FurtherName is a row of further_name.
type FurtherName struct {
	SourceID  string `col:"source_id"`
	SourceKey string `col:"source_key"`
	Name      string `col:"name"`
	Kind      string `col:"kind"`
	Language  string `col:"language,null"`
}

// GazetteerPlace is a row of gazetteer_place.
type GazetteerPlace struct {
	SourceID  string  `col:"source_id"`
	SourceKey string  `col:"source_key"`
	Level     int32   `col:"level"`
	Name      string  `col:"name"`
	Lng       float64 `col:"lng"`
	Lat       float64 `col:"lat"`
}

// Coverage is a row of coverage.
type Coverage struct {
	SourceID    string `col:"source_id"`
	CountryCode string `col:"country_code"`
	StateCode   string `col:"state_code"`
	Geom        []byte `col:"geom"`
}

// Bases of extents.
const (
	ExtentDeclared = "declared"
	ExtentBoundary = "boundary"
	ExtentHeader   = "header"
)

// Extent is a row of extent.
type Extent struct {
	SourceID    string `col:"source_id"`
	Basis       string `col:"basis"`
	BoundaryKey string `col:"boundary_key,null"`
	Geom        []byte `col:"geom,null"`
}

// BrandRule is a row of brand_rule.
type BrandRule struct {
	SourceID  string `col:"source_id"`
	BrandID   string `col:"brand_id"`
	BrandName string `col:"brand_name"`
	Wikidata  string `col:"wikidata,null"`
	Key       string `col:"key"`
	Value     string `col:"value"`
	Names     string `col:"names"`
	Countries string `col:"countries"`
	Tags      string `col:"tags"`
}

// Street is a row of street.
type Street struct {
	SourceID  string  `col:"source_id"`
	SourceKey string  `col:"source_key"`
	Class     string  `col:"class"`
	Name      string  `col:"name,null"`
	NameFR    string  `col:"name_fr,null"`
	Foot      bool    `col:"foot"`
	Bicycle   bool    `col:"bicycle"`
	Car       string  `col:"car"`
	Lanes     int32   `col:"lanes,null"`
	SpeedKMH  float64 `col:"speed_kmh,null"`
	Sidewalk  *bool   `col:"sidewalk"`
	Cycleway  string  `col:"cycleway,null"`
	Parking   *bool   `col:"parking"`
	Bridge    bool    `col:"bridge"`
	Tunnel    bool    `col:"tunnel"`
	Nodes     []byte  `col:"nodes,null"`
	Geom      []byte  `col:"geom"`
}

// Bikeway is a row of bikeway.
type Bikeway struct {
	SourceID  string   `col:"source_id"`
	SourceKey string   `col:"source_key"`
	Class     string   `col:"class"`
	LengthM   *float64 `col:"length_m"`
	Geom      []byte   `col:"geom"`
}

// TrafficCount is a row of traffic_count.
type TrafficCount struct {
	SourceID  string   `col:"source_id"`
	SourceKey string   `col:"source_key"`
	Name      string   `col:"name,null"`
	Class     string   `col:"class,null"`
	AADT      float64  `col:"aadt"`
	Heavy     *float64 `col:"heavy"`
	SpeedKMH  float64  `col:"speed_kmh,null"`
	Lanes     int32    `col:"lanes,null"`
	OneWay    bool     `col:"one_way"`
	Heading   *float64 `col:"heading"`
	Geom      []byte   `col:"geom"`
}

// Feature is a row of feature.
type Feature struct {
	SourceID  string   `col:"source_id"`
	SourceKey string   `col:"source_key"`
	Kind      string   `col:"kind"`
	Class     string   `col:"class"`
	Name      string   `col:"name,null"`
	Year      int32    `col:"year,null"`
	Size      *float64 `col:"size"`
	Bridge    bool     `col:"bridge"`
	Geom      []byte   `col:"geom"`
}

// Timetable is a row of timetable.
type Timetable struct {
	SourceID string `col:"source_id"`
	FeedName string `col:"feed_name,null"`
	FirstDay string `col:"first_day"`
	LastDay  string `col:"last_day"`
	Week     string `col:"week"`
	Trips    int64  `col:"trips"`
}

// LineList is a row of line_list.
type LineList struct {
	SourceID string `col:"source_id"`
	Partial  bool   `col:"partial"`
}

// RouteShape is a row of route_shape.
type RouteShape struct {
	SourceID  string `col:"source_id"`
	RouteKey  string `col:"route_key"`
	Part      int32  `col:"part"`
	Direction string `col:"direction,null"`
	Geom      []byte `col:"geom"`
}

// Stop is a row of stop.
type Stop struct {
	SourceID  string  `col:"source_id"`
	SourceKey string  `col:"source_key"`
	Name      string  `col:"name"`
	NameFR    string  `col:"name_fr,null"`
	ParentKey string  `col:"parent_key,null"`
	Lng       float64 `col:"lng"`
	Lat       float64 `col:"lat"`
}

// RouteRefKey begins the key of a line that stops of a map list (route_ref) and no source has otherwise.
const RouteRefKey = "osm:route_ref:"

// Route is a row of route.
type Route struct {
	SourceID  string   `col:"source_id"`
	SourceKey string   `col:"source_key"`
	Agency    string   `col:"agency,null"`
	Name      string   `col:"name"`
	LongName  string   `col:"long_name,null"`
	NameFR    string   `col:"name_fr,null"`
	Mode      string   `col:"mode"`
	Ends      string   `col:"ends,null"`
	SpacingM  *float64 `col:"spacing_m"`

	// Without a timetable, by which its departures are assumed.
	Kind       string `col:"kind,null"`
	Directions int32  `col:"directions,null"`
	Stops      int32  `col:"stops,null"`
}

// StopService is a row of stop_service.
type StopService struct {
	SourceID  string `col:"source_id"`
	StopKey   string `col:"stop_key"`
	RouteKey  string `col:"route_key"`
	Direction int32  `col:"direction"`
	Headsign  string `col:"headsign,null"`
	TripsWeek int32  `col:"trips_week,null"` // 0: the source has no timetable
}

// ElevationTile is a row of elevation_tile.
type ElevationTile struct {
	SourceID string  `col:"source_id"`
	Tile     int32   `col:"tile"`
	West     float64 `col:"west"`
	North    float64 `col:"north"`
	StepLng  float64 `col:"step_lng"`
	StepLat  float64 `col:"step_lat"`
	Columns  int32   `col:"columns"`
	Rows     int32   `col:"rows"`
	Cells    []byte  `col:"cells"`
}

// LandCoverTile is a row of land_cover_tile.
type LandCoverTile struct {
	SourceID string  `col:"source_id"`
	Tile     int32   `col:"tile"`
	West     float64 `col:"west"`
	North    float64 `col:"north"`
	StepLng  float64 `col:"step_lng"`
	StepLat  float64 `col:"step_lat"`
	Columns  int32   `col:"columns"`
	Rows     int32   `col:"rows"`
	Cells    []byte  `col:"cells"`
}

// Block is a row of block.
type Block struct {
	SourceID   string   `col:"source_id"`
	SourceKey  string   `col:"source_key"`
	AreaKey    string   `col:"area_key,null"`
	Population *int64   `col:"population"`
	Dwellings  *int64   `col:"dwellings"`
	Households *int64   `col:"households"`
	LandM2     *float64 `col:"land_m2"`
	Geom       []byte   `col:"geom"`
}

// Home is a row of home.
type Home struct {
	SourceID  string  `col:"source_id"`
	SourceKey string  `col:"source_key"`
	BlockKey  string  `col:"block_key"`
	Weight    float64 `col:"weight"`
	Lng       float64 `col:"lng"`
	Lat       float64 `col:"lat"`
}

// Survey is a row of survey.
type Survey struct {
	SourceID     string   `col:"source_id"`
	Vintage      string   `col:"vintage"`
	Title        string   `col:"title"`
	MaxUnmatched *float64 `col:"max_unmatched"`
}

// Statistic is a row of statistic.
type Statistic struct {
	SourceID string   `col:"source_id"`
	AreaKey  string   `col:"area_key"`
	Cell     string   `col:"cell"`
	Estimate float64  `col:"estimate"`
	MOE      *float64 `col:"moe"`
}

// Zone is a row of zone.
type Zone struct {
	SourceID  string `col:"source_id"`
	SourceKey string `col:"source_key"`
	Geom      []byte `col:"geom"`
}

// HomeValue is a row of home_value.
type HomeValue struct {
	SourceID string  `col:"source_id"`
	AreaKey  string  `col:"area_key"`
	Year     int32   `col:"year"`
	Dollars  float64 `col:"dollars"`
	Months   int32   `col:"months"`
}
