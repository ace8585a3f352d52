package schemas

// StreetClasses are the classes of staged.street: values of OpenStreetMap's highway tag. The classes of other
// publishers are mapped to the nearest of these.
var StreetClasses = []string{
	"motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link", "secondary", "secondary_link",
	"tertiary", "tertiary_link", "unclassified", "residential", "living_street", "service", "driveway", "parking_aisle",
	"alley", "track", "pedestrian", "footway", "sidewalk", "crossing", "path", "bridleway", "cycleway", "steps",
}

// BikewayClass is a class of staged.bikeway.
type BikewayClass struct{ ID, Means string }

// BikewayClasses are the classes of staged.bikeway, the best first.
var BikewayClasses = []BikewayClass{
	{"path", "a path away from cars, of bicycles alone or shared with pedestrians"},
	{"protected", "a track or lane on a street behind a curb, posts or parked cars"},
	{"painted", "a lane marked by paint, buffered or not, contraflow too"},
	{"local", "a local bikeway: a quiet street from which through traffic is kept away"},
	{"shared", "marks or signs among cars: sharrows, signed routes, bus lanes, paved shoulders"},
	{"none", "part of the published network without anything for bicycles"},
}

// FeatureKind is a kind of staged.feature.
type FeatureKind struct {
	ID      string
	Shape   string   // "point", "line", "area", or "point or area" for either
	Classes []string // nil if the class is ''
	Means   string
}

// FeatureKinds are the kinds of staged.feature.
var FeatureKinds = []FeatureKind{
	{"rail", "line", []string{"main", "branch", "industrial", "yard", "light_rail", "subway", "tram"},
		"tracks in use above ground, without tunnels"},
	{"water", "line", []string{"river", "canal", "shore"},
		"water that cannot be crossed on foot: rivers and canals as lines, shores of lakes, wide rivers and the sea, without culverts"},
	{"land", "area", LandClasses, "land use and land cover"},
	{"tree", "point", nil, "a single tree"},
	{"tree_row", "line", nil, "a row of trees"},
	{"heritage", "point or area", nil, "a building or site that is protected or historic, or a district of them"},
	{"building", "point", []string{"detached", "house", "apartments", "residential", "retail", "commercial", "industrial", "garage", "other"},
		"with the area of its footprint in m² and the year of construction if known"},
	{"runway", "line", nil, "with its length in metres"},
	{"aerodrome", "point or area", []string{"international", "regional", "general", "heliport"}, "an airfield in use"},
	{"junction", "point", []string{"motorway", "level_crossing", "signals"}, "a motorway exit, a level crossing, traffic signals"},
	{"park", "area", nil, "a park, whose POI has the same key"},
	{"gate", "point", nil, "a gate or entrance in a fence or outline"},
	{"mall", "area", nil, "a shopping mall"},
}

// LandClasses are the classes of features of kind land.
var LandClasses = []string{
	"forest", "grass", "park", "farmland", "wetland", "sand", "water", "residential", "commercial", "retail", "industrial",
	"railway", "airport", "parking", "cemetery", "sport", "institution", "construction",
}

// CoverClasses are the classes of a raster of land cover. Developed land has, by the National Land Cover Database, under 20,
// 50 and 80 % of sealed surface, or more; built is sealed land of which no more is known.
var CoverClasses = []string{
	"tree", "shrub", "grass", "wetland", "crop", "bare", "snow", "water", "built", "developed_open", "developed_low", "developed_medium",
	"developed_high",
}

// TransitModes are the modes of routes of public transport.
var TransitModes = []string{
	"bus", "trolleybus", "tram", "light_rail", "subway", "rail", "monorail", "ferry", "cable_car", "gondola", "funicular", "other",
}

// LineKinds are the kinds of lines by when they run: every 15 minutes or so all day, all day, in the peaks of working days, for
// pupils, on one or two days a week.
var LineKinds = []string{"frequent", AllDay, "peak", "school", "shopper"}

// AllDay is the kind of line whose departures are those of its mode.
const AllDay = "all_day"

// ServiceBases are how the departures of a line at a stop are known: by a timetable; the line is known and its departures
// are assumed; stops are known whose line is not.
var ServiceBases = []string{TimetableBasis, LineBasis, StopsBasis}

// The values of ServiceBases.
const (
	TimetableBasis = "timetable"
	LineBasis      = "line"
	StopsBasis     = "stops"
)

// DestinationClasses are the classes of places that the access engine counts. A place may have several.
var DestinationClasses = []string{
	"grocery", "specialty_grocery", "convenience", "restaurant", "healthy_restaurant", "unhealthy_restaurant", "cafe", "nightlife",
	"shop", "clothing", "department_store", "bank", "pharmacy", "common_need", "library", "entertainment", "casino",
	"fitness", "sports", "park", "primary_school", "high_school", "daycare", "bike_share", "highway_ramp",
	"bus_stop", "rapid_station", "train_station", "stop",
}
