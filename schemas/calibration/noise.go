package calibration

// Noise is the constants of road, railway and aircraft noise.
type Noise struct {
	Scale        Scale    `yaml:"scale"`         // dB at the ends of the measures' scale
	BackgroundDB float64  `yaml:"background_db"` // background level
	PieceM       float64  `yaml:"piece_m"`       // greatest length of the pieces of lines that are summed up
	MinM         float64  `yaml:"least_m"`       // minimum distance to the centre line
	ReachM       float64  `yaml:"reach_m"`       // sources on the ground are not audible beyond
	ReachDB      float64  `yaml:"reach_db"`      // nor where an infinite line would be below this level
	Soft         float64  `yaml:"soft"`          // ground absorption exponent a: 0 hard, 0.5 soft
	Vehicles     Vehicles `yaml:"vehicles"`
	Interchange  Ramps    `yaml:"interchange"`
	Rows         Rows     `yaml:"rows"`
	Rail         Rail     `yaml:"rail"`
	Air          Air      `yaml:"air"`
	Night        Night    `yaml:"nightlife"`
}

// Scale is the levels that score 0 and 5.
type Scale struct {
	Zero float64 `yaml:"zero"`
	Five float64 `yaml:"five"`
}

// Vehicles is the level of a vehicle passing at 15 m: slope·log10(S) + level, S in km/h.
type Vehicles struct {
	Auto        [2]float64 `yaml:"auto"`            // slope, level
	Heavy       [2]float64 `yaml:"heavy"`           // slope, level
	MinSpeedKMH float64    `yaml:"least_speed_kmh"` // of S in the level
	SlowestKMH  float64    `yaml:"slowest_kmh"`     // of S elsewhere
	AtM         float64    `yaml:"at_m"`            // 15
	EveningDB   float64    `yaml:"evening_db"`      // Lden over the mean of 24 hours
}

// Ramps is the constants of interchange_noise.
type Ramps struct {
	RampM  float64 `yaml:"ramp_m"`  // links this near to a junction are louder
	RampDB float64 `yaml:"ramp_db"` // by this level
	NearM  float64 `yaml:"near_m"`  // links and motorways this near to a junction count
}

// Rows is the attenuation by rows of buildings.
type Rows struct {
	RadiusM   float64 `yaml:"radius_m"`   // radius around a node in which buildings are counted
	CellM     float64 `yaml:"cell_m"`     //
	FullShare float64 `yaml:"full_share"` // share of land under roofs from which rows are closed; less counts proportionally
	HouseM2   float64 `yaml:"house_m2"`   // of land under the roof of a dwelling, where buildings are not mapped
	FirstM    float64 `yaml:"first_m"`    // distance of the first row
	SpacingM  float64 `yaml:"apart_m"`    // distance between rows
	FirstDB   float64 `yaml:"first_db"`   // attenuation of the first row
	RowDB     float64 `yaml:"row_db"`     // of each further row
	MaxDB     float64 `yaml:"most_db"`    //
}

// Night is the constants of places of nightlife, whose noise is that of people and music in the street.
type Night struct {
	LevelDB float64 `yaml:"level_db"` // Lden of one place
	AtM     float64 `yaml:"at_m"`     // at this distance, and nearer
	ReachM  float64 `yaml:"reach_m"`  // it is not audible beyond
}

// Rail is the constants of railway noise.
type Rail struct {
	AtM             float64          `yaml:"at_m"`            // distance of the reference levels
	CarDB           float64          `yaml:"car_db"`          // exposure level of a car at the reference speed
	LocomotiveDB    float64          `yaml:"locomotive_db"`   //
	HourDB          float64          `yaml:"hour_db"`         // from exposure to the level of an hour
	ReferenceKMH    float64          `yaml:"reference_kmh"`   //
	EmbeddedDB      float64          `yaml:"embedded_db"`     // added for tracks in the street
	HornDB          float64          `yaml:"horn_db"`         // added at level crossings
	HornM           float64          `yaml:"horn_m"`          // within this distance of one
	CrossingM       float64          `yaml:"crossing_m"`      // a crossing this near to a track belongs to it
	NightDB         float64          `yaml:"night_db"`        // added at night
	NightHours      float64          `yaml:"night_hours"`     // of 24
	ServiceHours    float64          `yaml:"service_hours"`   // of a day of public transport
	ServiceNightHrs float64          `yaml:"service_night_h"` // of those, at night
	Tracks          map[string]Track `yaml:"tracks"`          // by class of rail
}

// Track is the traffic of a track without a timetable.
type Track struct {
	TrainsDay   float64 `yaml:"trains_day"`
	Locomotives float64 `yaml:"locomotives"`
	Cars        float64 `yaml:"cars"`
	SpeedKMH    float64 `yaml:"speed_kmh"`
	Embedded    bool    `yaml:"embedded"`
	Horns       bool    `yaml:"horns"`
	Service     bool    `yaml:"service"` // public transport: only in the hours of service
	Mode        string  `yaml:"mode"`    // of the timetable that covers it; "" if none does
}

// Air is the constants of aircraft noise.
type Air struct {
	LevelDB      float64 `yaml:"level_db"`      // of ReferenceOps a year
	ReferenceOps float64 `yaml:"reference_ops"` //
	AtM          float64 `yaml:"at_m"`          // slant distance of LevelDB
	Slope        float64 `yaml:"slope"`         // dB for ten times the distance
	DampDBKM     float64 `yaml:"damp_db_km"`    // and for every kilometre beyond AtM
	MinM         float64 `yaml:"least_m"`       // minimum slant distance
	GlideDeg     float64 `yaml:"glide_deg"`     //
	GlideM       float64 `yaml:"glide_m"`       // of the glide beyond each end of a runway
	HolderM      float64 `yaml:"holder_m"`      // a runway belongs to an aerodrome this near
	// as far as an aerodrome of ReferenceOps lowers quiet, in points by distance
	HeardM   float64                     `yaml:"heard_m"`
	WeightDB float64                     `yaml:"weight_db"` // added in the sum of all noise, as aircraft annoy more
	Fields   map[string]AerodromeTraffic `yaml:"fields"`    // by class of aerodrome
	Unknown  string                      `yaml:"unknown"`   // class of a runway without an aerodrome
}

// AerodromeTraffic is the traffic of a class of aerodrome.
type AerodromeTraffic struct {
	Ops     float64 `yaml:"ops"`      // starts and landings a year
	BareOps float64 `yaml:"bare_ops"` // if no runway is mapped; 0: the same
	LevelDB float64 `yaml:"level_db"` // of its aircraft, relative to airliners
}
