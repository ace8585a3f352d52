package source

import "github.com/paulmach/orb"

// The rows of the staged tables that movement, terrain and people are made of. Empty strings, nil and NaN are absent
// unless a field says otherwise; the comments of the columns in schemas/staged.sql hold here too.

// Street is a row of staged.street.
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
	Nodes          []int64 // one for each vertex; nil: lines meet where vertices lie together
	Line           orb.LineString
}

// Feature is a row of staged.feature. Areas may be invalid: the sink mends or rejects them.
type Feature struct {
	Key, Kind, Class string
	Name             string
	Year             int // 0: not known
	Size             *float64
	Bridge           bool
	Geometry         orb.Geometry // orb.Point, orb.LineString or orb.MultiPolygon
}

// Timetable is a row of staged.timetable, one a source.
type Timetable struct {
	FeedName          string
	FirstDay, LastDay string // YYYY-MM-DD
	Week              string // YYYY-MM-DD of the first day of the representative seven
	Trips             int64
}

// Stop is a row of staged.stop.
type Stop struct {
	Key, Name, NameFR, ParentKey string
	Point                        orb.Point
}

// Route is a row of staged.route.
type Route struct {
	Key, Agency, Name, LongName, NameFR string
	Mode                                string   // schemas.TransitModes
	SpacingM                            *float64 // metres
}

// StopService is a row of staged.stop_service.
type StopService struct {
	StopKey, RouteKey string
	Direction         int // 0 or 1
	TripsWeek         int // at least 1
}

// ElevationTile is a row of staged.elevation_tile.
type ElevationTile struct {
	West, North      float64 // centre of the north-western cell, degrees
	StepLng, StepLat float64 // degrees between neighbours, both > 0
	Columns, Rows    int
	Cells            []float32 // metres, row by row from the north-west, NaN where not known; len Columns × Rows
}

// Block is a row of staged.block. Its outline may be invalid: the sink mends or rejects it.
type Block struct {
	Key, AreaKey                      string
	Population, Dwellings, Households *int64
	LandM2                            *float64
	Geometry                          orb.MultiPolygon
}

// Home is a row of staged.home.
type Home struct {
	Key, BlockKey string
	Weight        float64
	Point         orb.Point
}

// Survey is a row of staged.survey, one a source.
type Survey struct {
	Vintage string // "2019-2023", "2021"
	Title   string
}

// MaxIncome is the largest plausible median or mean income of an area's households or persons, in dollars a year.
const MaxIncome = 10_000_000

// Statistic is a row of staged.statistic.
type Statistic struct {
	AreaKey  string
	Cell     string   // of package demographics
	Estimate float64  // ≥ 0
	MOE      *float64 // 90 %, ≥ 0; nil: the source tells none
}

// Zone is a row of staged.zone. Its outline may be invalid: the sink mends or rejects it.
type Zone struct {
	Key      string
	Geometry orb.MultiPolygon
}

// HomeValue is a row of staged.home_value.
type HomeValue struct {
	AreaKey string
	Year    int
	Dollars float64 // mean over the months told, > 0
	Months  int     // 1 to 12
}
