package calibration

// Vibrant is how activity around a point becomes a score.
type Vibrant struct {
	RadiusM        float64    `yaml:"radius_m"` // on foot
	Activities     []Activity `yaml:"activities"`
	MinActivities  int        `yaml:"least_activities"` // that must have ground
	FullEvening    float64    `yaml:"full_evening"`     // share of evening places from which there is no more to gain
	DiversityFloor float64    `yaml:"diversity_floor"`  // part that is kept where all places are of one class
	EveningFloor   float64    `yaml:"evening_floor"`    // part that is kept where none is of the evening
	Reference      int        `yaml:"reference"`        // so many places make 0.9 of what their variety allows
	N0             float64    `yaml:"n0"`
}

// Activity is a class of activity; a place counts in the first that it is of.
type Activity struct {
	Classes []string `yaml:"classes"`
	Evening bool     `yaml:"evening"`
}

// Scores are the weights of scores that are made of measures and of other scores.
type Scores struct {
	MinWeight  float64        `yaml:"least_weight"` // share of the weights that must have ground
	Pedestrian Pedestrian     `yaml:"pedestrian"`
	Cycling    Cycling        `yaml:"cycling"`
	Hill       GradePenalty   `yaml:"hill"`
	Car        Car            `yaml:"car"`
	Parking    float64        `yaml:"parking_full_share"` // share of the ground that is plenty of parking
	Density    DensityPenalty `yaml:"density"`
	Drive      Drive          `yaml:"drive"`
	Quiet      Quiet          `yaml:"quiet"`
	Parks      Parks          `yaml:"parks"`
	Wellness   Wellness       `yaml:"wellness"`
}

// Pedestrian is the weights of pedestrian_friendly.
type Pedestrian struct {
	Errands float64 `yaml:"errands"`
	Street  float64 `yaml:"street"`
}

// Cycling is the weights of cycling_friendly.
type Cycling struct {
	Lanes     float64 `yaml:"lanes"`
	Hills     float64 `yaml:"hills"`
	Errands   float64 `yaml:"errands"`
	LowStress float64 `yaml:"calm"`
}

// Car is the weights of car_friendly.
type Car struct {
	Highway float64 `yaml:"highway"`
	Parking float64 `yaml:"parking"`
	Errands float64 `yaml:"errands"`
	Room    float64 `yaml:"room"` // few people to a km²
}

// Parks is the weights of the score parks.
type Parks struct {
	Access float64 `yaml:"park_access"`
	BySize float64 `yaml:"park_access_weighted_by_area"`
}

// Wellness is the weights of wellness.
type Wellness struct {
	Parks      float64 `yaml:"parks"`
	Greenery   float64 `yaml:"greenery"`
	Quiet      float64 `yaml:"quiet"`
	Pedestrian float64 `yaml:"pedestrian_friendly"`
	Cycling    float64 `yaml:"cycling_friendly"`
	Errands    float64 `yaml:"errands"` // fitness, healthy restaurants, groceries
}

// Hill is 1 up to GentlePct, the steepest grade nearby in percent, and 0 from SteepPct on.
type GradePenalty struct {
	GentlePct float64 `yaml:"gentle_pct"`
	SteepPct  float64 `yaml:"steep_pct"`
}

// DensityPenalty begins at FromKM2 people per km² and is whole ten to the power of Decades times that.
type DensityPenalty struct {
	FromKM2 float64 `yaml:"from_km2"`
	Decades float64 `yaml:"decades"`
}

// Drive is how far one drives for errands: all of it up to FullM, nothing from NoneM on.
type Drive struct {
	FullM float64 `yaml:"full_m"`
	NoneM float64 `yaml:"none_m"`
	SnapM float64 `yaml:"snap_m"` // from a walkable place to the street that cars use, at most
}

// Quiet is 5 from QuietDB down and 0 from LoudDB up, less a part of nightlife_access.
type Quiet struct {
	LoudDB    float64 `yaml:"loud_db"`
	QuietDB   float64 `yaml:"quiet_db"`
	Nightlife float64 `yaml:"nightlife"` // off where nightlife_access is 5
}

// Ground says when so much is known of a class of places that none nearby means none.
type Coverage struct {
	GeneralCategories int      `yaml:"general_categories"` // a source with so many different categories
	GeneralPOIs       int      `yaml:"general_pois"`       // and so many POIs knows all kinds
	BroadCategories   []string `yaml:"broad_categories"`   // not counted as kinds
	MinPlaces         int      `yaml:"least_places"`       // of a class, where no source is general
	GeneralShare      float64  `yaml:"general_share"`      // of all POIs, where one is: at least 1 and at most MinPlaces must be of a class
	GeneralOnly       []string `yaml:"general_only"`       // classes that a list of one kind does not stand for
	NearM             float64  `yaml:"near_m"`             // straight; farther than this from every known place nothing is known
	SlotShare         float64  `yaml:"slot_share"`         // of the slots' weights that must have ground
}

// Destinations is where places meet the streets.
type Destinations struct {
	GateM        float64 `yaml:"gate_m"`         // a gate this near an outline is its entrance
	OutlineM     float64 `yaml:"outline_m"`      // a street this near an outline leads into it
	SampleM      float64 `yaml:"sample_m"`       // along an outline
	MaxEntrances int     `yaml:"most_entrances"` // of one park
}
