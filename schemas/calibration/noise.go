package calibration

// Noise is how loud traffic, trains and aircraft are.
type Noise struct {
	Scale        Scale    `yaml:"scale"`         // dB of the measures
	BackgroundDB float64  `yaml:"background_db"` // where nothing is heard
	PieceM       float64  `yaml:"piece_m"`       // lines are summed up in pieces of at most so many metres
	MinM         float64  `yaml:"least_m"`       // nobody stands nearer to the middle of a line
	ReachM       float64  `yaml:"reach_m"`       // farther than this nothing on the ground is heard
	ReachDB      float64  `yaml:"reach_db"`      // nor where a line that went on for ever would be below this
	Soft         float64  `yaml:"soft"`          // a of the ground: 0 hard, 0.5 soft
	Vehicles     Vehicles `yaml:"vehicles"`
	Interchange  Ramps    `yaml:"interchange"`
	Rows         Rows     `yaml:"rows"`
	Rail         Rail     `yaml:"rail"`
	Air          Air      `yaml:"air"`
}

// Scale is what is 0 and what is 5.
type Scale struct {
	Zero float64 `yaml:"zero"`
	Five float64 `yaml:"five"`
}

// Vehicles is the level of one that passes at 15 m: slope·log10(S) + level, S in km/h.
type Vehicles struct {
	Auto        [2]float64 `yaml:"auto"`            // slope, level
	Heavy       [2]float64 `yaml:"heavy"`           // slope, level
	MinSpeedKMH float64    `yaml:"least_speed_kmh"` // of S in the level
	SlowestKMH  float64    `yaml:"slowest_kmh"`     // of S elsewhere: slower cars stand more than they drive
	AtM         float64    `yaml:"at_m"`            // 15
	EveningDB   float64    `yaml:"evening_db"`      // Lden over the mean of 24 hours
}

// Ramps are where motorways meet.
type Ramps struct {
	RampM  float64 `yaml:"ramp_m"`  // links so near to a junction are louder
	RampDB float64 `yaml:"ramp_db"` // by so much
	NearM  float64 `yaml:"near_m"`  // links and motorways so near to a junction are its noise
}

// Rows is what rows of houses take of the sound that comes from beyond them.
type Rows struct {
	RadiusM   float64 `yaml:"radius_m"`   // around a node, that houses are counted in
	CellM     float64 `yaml:"cell_m"`     //
	FullShare float64 `yaml:"full_share"` // of the ground under roofs where rows are closed as they are in towns; less counts in part
	FirstM    float64 `yaml:"first_m"`    // from so far away on there is a row between
	SpacingM  float64 `yaml:"apart_m"`    // from row to row
	FirstDB   float64 `yaml:"first_db"`   // that the first one takes
	RowDB     float64 `yaml:"row_db"`     // and each further one
	MaxDB     float64 `yaml:"most_db"`    //
}

// Rail is the trains.
type Rail struct {
	AtM             float64          `yaml:"at_m"`            // where reference levels hold
	CarDB           float64          `yaml:"car_db"`          // exposure level of a car at the reference speed
	LocomotiveDB    float64          `yaml:"locomotive_db"`   //
	HourDB          float64          `yaml:"hour_db"`         // from exposure to the level of an hour
	ReferenceKMH    float64          `yaml:"reference_kmh"`   //
	EmbeddedDB      float64          `yaml:"embedded_db"`     // more where tracks lie in the street
	HornDB          float64          `yaml:"horn_db"`         // more where a road crosses
	HornM           float64          `yaml:"horn_m"`          // within so many metres of it
	CrossingM       float64          `yaml:"crossing_m"`      // a crossing so near to a track is one of it
	NightDB         float64          `yaml:"night_db"`        // what a train at night counts more
	NightHours      float64          `yaml:"night_hours"`     // of 24
	ServiceHours    float64          `yaml:"service_hours"`   // of a day of public transport
	ServiceNightHrs float64          `yaml:"service_night_h"` // of those, at night
	Tracks          map[string]Track `yaml:"tracks"`          // by class of rail
}

// Track is what runs on a track of which no timetable tells.
type Track struct {
	TrainsDay   float64 `yaml:"trains_day"`
	Locomotives float64 `yaml:"locomotives"`
	Cars        float64 `yaml:"cars"`
	SpeedKMH    float64 `yaml:"speed_kmh"`
	Embedded    bool    `yaml:"embedded"`
	Horns       bool    `yaml:"horns"`
	Service     bool    `yaml:"service"` // public transport: in the hours of service alone
	Mode        string  `yaml:"mode"`    // of the timetable that tells of it; '' none does
}

// Air is the aircraft.
type Air struct {
	LevelDB      float64                     `yaml:"level_db"`      // of ReferenceOps a year
	ReferenceOps float64                     `yaml:"reference_ops"` //
	AtM          float64                     `yaml:"at_m"`          // slant distance where it holds
	Slope        float64                     `yaml:"slope"`         // dB for ten times the distance
	DampDBKM     float64                     `yaml:"damp_db_km"`    // and for every kilometre beyond AtM
	MinM         float64                     `yaml:"least_m"`       // nobody is nearer to an aircraft
	GlideDeg     float64                     `yaml:"glide_deg"`     //
	GlideM       float64                     `yaml:"glide_m"`       // of the glide beyond each end of a runway
	HolderM      float64                     `yaml:"holder_m"`      // a runway belongs to an aerodrome so near
	WeightDB     float64                     `yaml:"weight_db"`     // more in the sum of all noise, for it annoys more
	Fields       map[string]AerodromeTraffic `yaml:"fields"`        // by class of aerodrome
	Unknown      string                      `yaml:"unknown"`       // class of a runway without an aerodrome
}

// Field is the traffic of an aerodrome.
type AerodromeTraffic struct {
	Ops     float64 `yaml:"ops"`      // starts and landings a year
	BareOps float64 `yaml:"bare_ops"` // where no runway is known; 0: as many
	LevelDB float64 `yaml:"level_db"` // of its aircraft, against airliners
}
