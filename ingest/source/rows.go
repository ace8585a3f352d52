package source

import "github.com/paulmach/orb"

// The other rows that readers pass to the sink. Empty strings, nil and NaN mean missing unless a field's comment differs.
// The columns are described in schemas/staged.sql.

// Street becomes a row of staged.street.
type Street struct {
	Key            string
	Class          string // schemas.StreetClasses
	Name, NameFR   string
	Foot, Bicycle  bool
	Car            string // "no", "both", "forward" or "backward"
	Lanes          int    // 0: not known
	SpeedKMH       float64
	Sidewalk       *bool
	Cycleway       string
	Parking        *bool
	Bridge, Tunnel bool
	Nodes          []int64 // one for each vertex; nil: lines meet where vertices are equal
	Line           orb.LineString
}

// Feature becomes a row of staged.feature. Areas may be invalid: the sink repairs or rejects them.
type Feature struct {
	Key, Kind, Class string
	Name             string
	Year             int // 0: not known
	Size             *float64
	Bridge           bool
	Geometry         orb.Geometry // orb.Point, orb.LineString or orb.MultiPolygon
}

// Timetable becomes a row of staged.timetable, one per source.
type Timetable struct {
	FeedName          string
	FirstDay, LastDay string // YYYY-MM-DD
	Week              string // YYYY-MM-DD of the first day of the representative seven
	Trips             int64
}

// Stop becomes a row of staged.stop.
type Stop struct {
	Key, Name, NameFR, ParentKey string
	Point                        orb.Point
}

// Route becomes a row of staged.route.
type Route struct {
	Key, Agency, Name, LongName, NameFR string
	Mode                                string   // schemas.TransitModes
	SpacingM                            *float64 // metres
}

// StopService becomes a row of staged.stop_service.
type StopService struct {
	StopKey, RouteKey string
	Direction         int // 0 or 1
	TripsWeek         int // at least 1
}

// ElevationTile becomes a row of staged.elevation_tile.
type ElevationTile struct {
	West, North      float64 // centre of the north-western cell, degrees
	StepLng, StepLat float64 // degrees between neighbours, both > 0
	Columns, Rows    int
	Cells            []float32 // metres, row by row from the north-west, NaN: not known; len Columns × Rows
}

// Block becomes a row of staged.block. Its outline may be invalid: the sink repairs or rejects it.
type Block struct {
	Key, AreaKey                      string
	Population, Dwellings, Households *int64
	LandM2                            *float64
	Geometry                          orb.MultiPolygon
}

// Home becomes a row of staged.home.
type Home struct {
	Key, BlockKey string
	Weight        float64
	Point         orb.Point
}

// Survey becomes a row of staged.survey, one per source.
type Survey struct {
	Vintage string // "2019-2023", "2021"
	Title   string
}

// MaxIncome is the largest plausible median or mean income of an area's households or persons, in dollars a year.
const MaxIncome = 10_000_000

// Statistic becomes a row of staged.statistic.
type Statistic struct {
	AreaKey  string
	Cell     string   // of package demographics
	Estimate float64  // ≥ 0
	MOE      *float64 // 90 %, ≥ 0; nil: not published
}

// Zone becomes a row of staged.zone. Its outline may be invalid: the sink repairs or rejects it.
type Zone struct {
	Key      string
	Geometry orb.MultiPolygon
}

// HomeValue becomes a row of staged.home_value.
type HomeValue struct {
	AreaKey string
	Year    int
	Dollars float64 // mean of the published months, > 0
	Months  int     // 1 to 12
}

// Table returns the name of the staged table.
func (Boundary) Table() string      { return "boundary" }
func (Coverage) Table() string      { return "coverage" }
func (POI) Table() string           { return "poi" }
func (BrandRule) Table() string     { return "brand_rule" }
func (Street) Table() string        { return "street" }
func (Feature) Table() string       { return "feature" }
func (Timetable) Table() string     { return "timetable" }
func (Stop) Table() string          { return "stop" }
func (Route) Table() string         { return "route" }
func (StopService) Table() string   { return "stop_service" }
func (ElevationTile) Table() string { return "elevation_tile" }
func (Block) Table() string         { return "block" }
func (Home) Table() string          { return "home" }
func (Survey) Table() string        { return "survey" }
func (Statistic) Table() string     { return "statistic" }
func (Zone) Table() string          { return "zone" }
func (HomeValue) Table() string     { return "home_value" }
