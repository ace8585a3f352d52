// Package trips has the answers of the endpoints of travel times, in the form of those of package schemas: the tags of their fields are
// explained there.
package trips

import "quartier/schemas"

// TravelTimesAnswer is the answer of GET /v3/travel-times.
type TravelTimesAnswer struct {
	Data TravelTimesData `json:"data" doc:"The times."`
	Meta schemas.Meta    `json:"meta" doc:"That the call succeeded."`
}

// TravelTimesData has the times to all targets, in their order.
type TravelTimesData struct {
	Type    string       `json:"type" enum:"TravelTimesType" doc:"Kind of the data."`
	Travel  Travel       `json:"travel" doc:"How one travels."`
	Results []TravelTime `json:"results" doc:"The targets in the order of the request."`
}

// Travel is how one travels. When one leaves is there for transit alone.
type Travel struct {
	Mode       string `json:"mode" enum:"TravelMode" doc:"By which means."`
	Day        string `json:"day,omitempty" enum:"TravelDay" doc:"The typical day."`
	Depart     string `json:"depart,omitempty" doc:"The first minute when one may leave, HH:MM."`
	Window     *int   `json:"window,omitempty" column:"travel.window"`
	Percentile *int   `json:"percentile,omitempty" column:"travel.percentile"`
	Wait       string `json:"wait,omitempty" enum:"TravelWait" doc:"How long one waits for vehicles of which only the headway is known; absent where all have times."`
	MaxMinutes int    `json:"max_minutes" column:"travel.max_minutes"`
}

// TravelTime is the time to a target.
type TravelTime struct {
	Lat      float64     `json:"lat" column:"all.lat"`
	Lng      float64     `json:"lng" column:"all.lng"`
	Minutes  *int        `json:"minutes" column:"travel.minutes"`
	Reason   string      `json:"reason,omitempty" enum:"TravelReason" doc:"Why there are no minutes; absent if there are."`
	Coverage string      `json:"coverage,omitempty" enum:"TravelCoverage" doc:"Transit: what is known of the lines at both ends."`
	Legs     []TravelLeg `json:"legs,omitempty" doc:"The parts of a journey that takes these minutes, in their order; if asked for."`
}

// TravelLeg is a part of a journey.
type TravelLeg struct {
	Kind        string `json:"kind" enum:"TravelLegKind" doc:"What one does."`
	Seconds     int    `json:"seconds" column:"travel.seconds"`
	Line        string `json:"line,omitempty" doc:"Name of the line as on the vehicle."`
	Headsign    string `json:"headsign,omitempty" doc:"Where the vehicle goes, as on it."`
	From        string `json:"from,omitempty" doc:"Name of the stop where it begins; absent of a walk from the place."`
	To          string `json:"to,omitempty" doc:"Name of the stop where it ends; absent of a walk to the target."`
	WaitSeconds *int   `json:"wait_seconds,omitempty" column:"travel.wait_seconds"`
	Departs     string `json:"departs,omitempty" doc:"When the vehicle leaves, HH:MM:SS from the midnight of the day: after it 24:05:00."`
	Arrives     string `json:"arrives,omitempty" doc:"When it arrives."`
	Expected    bool   `json:"expected,omitempty" doc:"Only the headway of the line is known: its times are expected ones."`
}

// ReachAnswer is the answer of GET /v3/reach.
type ReachAnswer struct {
	Data ReachData    `json:"data" doc:"What is reached."`
	Meta schemas.Meta `json:"meta" doc:"That the call succeeded."`
}

// ReachData is what is reached within each limit.
type ReachData struct {
	Type    string  `json:"type" enum:"ReachType" doc:"Kind of the data."`
	Travel  Travel  `json:"travel" doc:"How one travels."`
	Results []Reach `json:"results" doc:"By limit, ascending."`
}

// Reach is what is reached within a limit. What was not asked for, and what is not known, is absent.
type Reach struct {
	Minutes    int                   `json:"minutes" column:"travel.limit"`
	Coverage   ReachCoverage         `json:"coverage" doc:"What of the ground and of its lines is known: what is counted is of that alone."`
	People     *ReachPeople          `json:"people,omitempty" doc:"People who live there, of the country of the place."`
	Households *ReachPeople          `json:"households,omitempty" doc:"Households, likewise."`
	Jobs       *int                  `json:"jobs,omitempty" column:"travel.jobs"`
	POIs       *ReachPOIs            `json:"pois,omitempty" doc:"Points of interest."`
	Schools    *ReachSchools         `json:"schools,omitempty" doc:"Schools."`
	Geometry   *schemas.MultiPolygon `json:"geometry,omitempty" doc:"Streets that are reached with a buffer: polygons, each a list of closed rings, the outer one first, of [lat, lng] in decimal degrees."`
}

// ReachCoverage is what is known of the ground that is reached.
type ReachCoverage struct {
	Transit string   `json:"transit,omitempty" enum:"TravelCoverage" doc:"Transit: what is known of the lines where one begins and where one gets to."`
	Streets string   `json:"streets" enum:"TravelCoverage" doc:"Partial: places are reached beyond which no region of the release, or none of the agreement, has streets; one may get farther."`
	Jobs    string   `json:"jobs,omitempty" enum:"TravelCoverage" doc:"What is known of jobs where one begins and where one gets to, if they were asked for."`
	People  *float64 `json:"people,omitempty" column:"travel.coverage"`
}

// ReachPeople is a number of people or households.
type ReachPeople struct {
	Value              int                         `json:"value" column:"travel.people"`
	ConfidenceInterval *schemas.ConfidenceInterval `json:"confidence_interval,omitempty" doc:"Interval of the value; absent if its error is unknown."`
}

// ReachPOIs counts points of interest; one with several categories counts in each of them.
type ReachPOIs struct {
	Total      int            `json:"total_count" column:"pois.total_count"`
	ByCategory map[string]int `json:"total_by_category" keys:"Category" column:"pois.total_by_category"`
	Unknown    []string       `json:"unknown_categories,omitempty" enum:"Category" doc:"Categories that are not known at the place, so that they have no count."`
}

// ReachSchools counts schools; a school that is both counts in both.
type ReachSchools struct {
	Primary int `json:"primary" column:"travel.primary_schools"`
	High    int `json:"high" column:"travel.high_schools"`
}

// GeographyTravelTimesAnswer is the answer of GET /v3/travel-times/{geog_id}.
type GeographyTravelTimesAnswer struct {
	Data GeographyTravelTimesData `json:"data" doc:"The times."`
	Meta schemas.GeographyMeta    `json:"meta" doc:"That the call succeeded."`
}

// GeographyTravelTimesData has the times from the homes of a geography to centres.
type GeographyTravelTimesData struct {
	Type     string         `json:"type" enum:"TravelTimesType" doc:"Kind of the data."`
	Travel   Travel         `json:"travel" doc:"How one travels."`
	Homes    int            `json:"homes" column:"travel.homes"`
	Measures map[string]int `json:"measures,omitempty" keys:"TravelMeasure" column:"travel.median_reached"`
	Centres  []TravelCentre `json:"centres" doc:"The centre of the geography's own municipality first, then those of the nearest others, possibly none."`
}

// TravelCentre is the centre of a municipality: the home nearest to the middle of its households.
type TravelCentre struct {
	GeogID   string  `json:"geog_id" column:"all.geog_id"`
	Name     string  `json:"name" column:"all.name"`
	Own      bool    `json:"own" doc:"Whether the geography is in this municipality, or is it."`
	Lat      float64 `json:"lat" column:"all.lat"`
	Lng      float64 `json:"lng" column:"all.lng"`
	Minutes  *int    `json:"minutes" column:"travel.median_minutes"`
	Reason   string  `json:"reason,omitempty" enum:"TravelReason" doc:"Why most homes have no minutes; absent if they have."`
	Coverage string  `json:"coverage,omitempty" enum:"TravelCoverage" doc:"Transit: what is known of the lines at the homes and at the centre."`
}
