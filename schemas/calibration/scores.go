package calibration

// Vibrant is the constants of the score vibrant.
type Vibrant struct {
	RadiusM        float64    `yaml:"radius_m"` // on foot
	Activities     []Activity `yaml:"activities"`
	FullEvening    float64    `yaml:"full_evening"`    // share of evening places that scores the maximum
	DiversityFloor float64    `yaml:"diversity_floor"` // factor if all places are of one kind
	EveningFloor   float64    `yaml:"evening_floor"`   // factor if no place is open in the evening
	Reference      int        `yaml:"reference"`       // number of places that scores 0.9 of the maximum
	N0             float64    `yaml:"n0"`
}

// Activity is a kind of activity; a place counts as the first of its kinds.
type Activity struct {
	Classes []string `yaml:"classes"`
	Evening bool     `yaml:"evening"`
}

// Scores are the constants of composite scores.
type Scores struct {
	Pedestrian Pedestrian   `yaml:"pedestrian"`
	Cycling    Cycling      `yaml:"cycling"`
	Hill       GradePenalty `yaml:"hill"`
	Car        Car          `yaml:"car"`
	Drive      Drive        `yaml:"drive"`
	Congestion Congestion   `yaml:"congestion"`
	Quiet      Quiet        `yaml:"quiet"`
	Parks      Parks        `yaml:"parks"`
	Wellness   Wellness     `yaml:"wellness"`
}

// Pedestrian is the exponents of pedestrian_friendly, Errands and Intersections, which add up to 1.
type Pedestrian struct {
	Errands       float64 `yaml:"errands"`
	Intersections float64 `yaml:"intersections"`
	Lowest        float64 `yaml:"lowest"` // intersection_density, 0–5, that its lowest rank stands for
}

// Cycling is the weights of cycling_friendly.
type Cycling struct {
	Lanes     float64 `yaml:"lanes"`
	Hills     float64 `yaml:"hills"`
	Errands   float64 `yaml:"errands"`
	LowStress float64 `yaml:"calm"`
}

// Car is the constants of car_friendly: the weights of what can be reached by car, how easy parking is and how fast one
// drives.
type Car struct {
	Access struct {
		Errands  float64 `yaml:"errands"`
		Ramp     float64 `yaml:"ramp"`
		Arterial float64 `yaml:"arterial"`
	} `yaml:"access"`
	AccessPower float64 `yaml:"access_power"`
	Room        Room    `yaml:"room"`
	Lots        Lots    `yaml:"lots"`
	Flow        Flow    `yaml:"flow"`
}

// Room is what density leaves of the ease of parking: half of it at HalfKM2 people and visitors per km².
type Room struct {
	HalfKM2 float64 `yaml:"half_km2"`
	Power   float64 `yaml:"power"`
}

// Lots is what land for parking adds: Worth of what density takes, if it is the Full share of the land or more.
type Lots struct {
	Full  float64 `yaml:"full_share"`
	Worth float64 `yaml:"worth"` // 0–1
}

// Flow is how traffic slows one down: at FullLane vehicles a day per lane a way takes Delay longer than without any.
type Flow struct {
	FullLane float64 `yaml:"full_lane"`
	Delay    float64 `yaml:"delay"` // share of the time without traffic
	Power    float64 `yaml:"power"`
}

// Congestion is how crowded streets are.
type Congestion struct {
	RadiusM  float64  `yaml:"radius_m"`
	CellM    float64  `yaml:"cell_m"`
	LeaveOut []string `yaml:"leave_out"` // classes of street that are no part of driving near by
	Visitors float64  `yaml:"visitors"`  // of a place, which count as people do
	Classes  []string `yaml:"classes"`   // of places with visitors; each place is of one of them
	Streets  []string `yaml:"streets"`   // classes whose length represents people and visitors where nobody counted
	PerKM2   float64  `yaml:"per_km2"`   // people and visitors per km², for the square of these streets' km in the disc
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
	Fitness    float64 `yaml:"fitness_establishment_access"`
	Healthy    float64 `yaml:"healthy_restaurant_access"`
	Groceries  float64 `yaml:"groceries"`
}

// GradePenalty is 1 up to GentlePct, the steepest grade nearby in percent, and 0 from SteepPct on.
type GradePenalty struct {
	GentlePct float64 `yaml:"gentle_pct"`
	SteepPct  float64 `yaml:"steep_pct"`
}

// Drive is driving times, and what they are worth.
type Drive struct {
	UnitKMH    float64  `yaml:"unit_kmh"`    // speed at which times are counted as distances
	SpeedShare float64  `yaml:"speed_share"` // mean speed over the speed limit, for signals and turns
	SlowestKMH float64  `yaml:"slowest_kmh"` // least speed limit
	SnapM      float64  `yaml:"snap_m"`      // greatest distance from a node to a street for cars
	MinuteM    float64  `yaml:"minute_m"`    // metres in a straight line that a minute leads
	Errands    Minutes  `yaml:"errands"`
	Ramp       Minutes  `yaml:"ramp"`
	Arterial   Minutes  `yaml:"arterial"`
	Arterials  []string `yaml:"arterials"` // classes of street
}

// Minutes is the worth of a driving time: 1 up to Full minutes, 0 from None on.
type Minutes struct {
	Full float64 `yaml:"full_min"`
	None float64 `yaml:"none_min"`
}

// Reach is the distance at UnitKMH that takes m.None minutes, in metres.
func (d *Drive) Reach(m Minutes) float64 { return m.None * d.UnitKMH * 1000 / 60 }

// Quiet is 5 up to QuietDB and 0 from LoudDB on, less a part of nightlife_access.
type Quiet struct {
	LoudDB  float64 `yaml:"loud_db"`
	QuietDB float64 `yaml:"quiet_db"`
}

// Coverage is when 0 means none, and not unknown.
type Coverage struct {
	NearM float64 `yaml:"near_m"` // straight distance to the nearest known place beyond which there are no data
	// greatest share of the weight of what surrounds a place that may be beyond the extents of the sources
	MaxBeyond float64 `yaml:"most_beyond"`
	MaxMissed float64 `yaml:"most_missed"` // the same of a search for places of which what is beyond has a greatest effect
	MaxUnseen float64 `yaml:"most_unseen"` // the same of other searches: for lines, streets and times of driving
	MaxSpread float64 `yaml:"most_spread"` // points by which places that may be beyond could raise a value that is given all the same
	MarginM   float64 `yaml:"margin_m"`    // how far regions lend each other their streets and places
	Hull      Hull    `yaml:"hull"`
}

// Hull is how the extent of a source is worked out from what it has.
type Hull struct {
	DenseCells int     `yaml:"dense_cells"`  // least number with points of the 25 cells around a dense one
	DenseShare float64 `yaml:"dense_share"`  // least points of a dense cell, as a share of the median one's around
	MostApartM float64 `yaml:"most_apart_m"` // how far a source of few places is believed beyond the last of them
	FullBox    float64 `yaml:"full_box"`     // share of a box from which an extract is one of the box, and not of an outline in it
}

// Destinations is how parks are snapped to streets.
type Destinations struct {
	GateM      float64 `yaml:"gate_m"`       // a gate this near an outline is its entrance
	GateEveryM float64 `yaml:"gate_every_m"` // metres of outline a gate at most, where gates are the only entrances
	OutlineM   float64 `yaml:"outline_m"`    // a street this near an outline is an entrance
	SampleM    float64 `yaml:"sample_m"`     // along an outline
	ApartM     float64 `yaml:"apart_m"`      // entrances of a park nearer than this are one
}
