package source

import (
	"github.com/paulmach/orb"

	"quartier/schemas/staged"
)

// The other rows that readers pass to the sink. Empty strings, nil and NaN mean missing unless a field's comment differs.
// The columns are described in schemas/staged.sql.

// Rows that readers pass as they are staged, without SourceID, which the sink sets.
type (
	Timetable        = staged.Timetable // one per source; days are YYYY-MM-DD
	LineList         = staged.LineList  // at most one per source
	Stop             = staged.Stop
	Home             = staged.Home
	Job              = staged.Job // Lng and Lat both or none
	Address          = staged.Address
	Correction       = staged.Correction
	Route            = staged.Route       // Mode is one of schemas.TransitModes, SpacingM in metres
	StopService      = staged.StopService // Direction is 0 or 1, TripsWeek at least 1 or, without a timetable, 0
	Schedule         = staged.Schedule    // one per source, before its parts, which are not counted as rows
	ScheduleStop     = staged.ScheduleStop
	ScheduleRoute    = staged.ScheduleRoute
	ScheduleService  = staged.ScheduleService
	SchedulePattern  = staged.SchedulePattern
	ScheduleTrip     = staged.ScheduleTrip
	ScheduleHeadway  = staged.ScheduleHeadway
	ScheduleTransfer = staged.ScheduleTransfer

	Survey    = staged.Survey    // one per source; a Vintage is "2019-2023" or "2021"
	Statistic = staged.Statistic // Cell is one of package demographics, MOE that of 90 %, nil: not published
	HomeValue = staged.HomeValue // Dollars is the mean of the published Months, 1 to 12

	School       = staged.School // Lng and Lat both or none; levels, grades and types in the vocabularies of staged.sql
	SchoolRating = staged.SchoolRating
)

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

// Bikeway becomes a row of staged.bikeway.
type Bikeway struct {
	Key      string
	Class    string       // schemas.BikewayClasses
	LengthM  *float64     // as published, > 0; nil: not published, which a line may be
	Geometry orb.Geometry // orb.LineString or orb.Point
}

// TrafficCount becomes a row of staged.traffic_count.
type TrafficCount struct {
	Key, Name string
	Class     string   // schemas.StreetClasses; "": not known
	AADT      float64  // vehicles a day, > 0
	Heavy     *float64 // share, 0–1; nil here and below, and 0: not known
	SpeedKMH  float64
	Lanes     int32
	OneWay    bool         // of one direction of travel alone
	Heading   *float64     // of travel, degrees clockwise from north
	Geometry  orb.Geometry // orb.Point or orb.LineString
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

// Ground becomes a row of staged.ground; SourceID and Geom are of the sink. Areas may be invalid: the sink repairs or rejects
// them.
type Ground struct {
	staged.Ground
	Geometry orb.Geometry // orb.Point, orb.LineString or orb.MultiPolygon, as its layer has
}

// AddressRange becomes a row of staged.address_range; SourceID and Geom are of the sink.
type AddressRange struct {
	staged.AddressRange
	Line orb.LineString // from Low to High
}

// RouteShape becomes a row of staged.route_shape: a piece of the course of a line.
type RouteShape struct {
	RouteKey  string
	Part      int    // 0, 1, 2 … of the line
	Direction string // as published
	Line      orb.LineString
}

// ElevationTile becomes a row of staged.elevation_tile.
type ElevationTile struct {
	West, North      float64 // centre of the north-western cell, degrees
	StepLng, StepLat float64 // degrees between neighbours, both > 0
	Columns, Rows    int
	Cells            []float32 // metres, row by row from the north-west, NaN: not known; len Columns × Rows
}

// LandCoverTile becomes a row of staged.land_cover_tile.
type LandCoverTile struct {
	West, North      float64 // centre of the north-western cell, degrees
	StepLng, StepLat float64 // degrees between neighbours, both > 0
	Columns, Rows    int
	// position of a class in schemas.CoverClasses, from 1, row by row from the north-west, 0: not known; len Columns × Rows
	Cells []byte
}

// Block becomes a row of staged.block. Its outline may be invalid: the sink repairs or rejects it.
type Block struct {
	Key, AreaKey                      string
	Population, Dwellings, Households *int64
	LandM2                            *float64
	Geometry                          orb.MultiPolygon
}

// MaxIncome is the largest plausible median or mean income of an area's households or persons, in dollars a year.
const MaxIncome = 10_000_000

// Zone becomes a row of staged.zone. Its outline may be invalid: the sink repairs or rejects it.
type Zone struct {
	Key      string
	Geometry orb.MultiPolygon
}

// Catchment becomes a row of staged.catchment. Its outline may be invalid: the sink repairs or rejects it.
type Catchment struct {
	Key                   string
	SchoolID, SchoolName  string // one of them at least
	Level, Grade, Program string
	Geometry              orb.MultiPolygon
}
