package calibration

// Access is the constants of access measures.
type Access struct {
	ReferenceScore float64            `yaml:"reference_score"` // score of a gravity's reference place
	Gravities      map[string]Gravity `yaml:"gravities"`       // by channel
	Slots          []Slot             `yaml:"slots"`
	ParkSlots      []float64          `yaml:"park_slots"` // weights of the nearest parks, nearest first
	ParkMinHa      float64            `yaml:"park_least_ha"`
	ParkUnknownHa  float64            `yaml:"park_unknown_ha"` // size of a park whose outline is unknown
	ParkSizes      ParkSizes          `yaml:"park_sizes"`
	Frontage       Frontage           `yaml:"frontage"`
}

// Near is a number of places, each at a network distance.
type Near struct {
	Places int     `yaml:"places"`
	Metres float64 `yaml:"metres"`
}

// Gravity sums the nearest places, weighted by W of the distance and by λ to the power of the rank: the score is
// 5(1 − exp(−G/G0)).
type Gravity struct {
	Class     string  `yaml:"class"` // of schemas.DestinationClasses
	Places    int     `yaml:"places"`
	Lambda    float64 `yaml:"lambda"`
	Reference []Near  `yaml:"reference"`
	G0        float64 `yaml:"g0"`
}

// Slot is a kind of errand: its nearest places count with the weights, nearest first.
type Slot struct {
	Name     string    `yaml:"name"`
	Classes  []string  `yaml:"classes"`
	Weights  []float64 `yaml:"weights"`
	Shops    bool      `yaml:"shops"`    // counts for shops_and_services_access too
	Evidence bool      `yaml:"evidence"` // counts for nothing itself, and helps to estimate unknown kinds
}

// ParkSizes is how parks are weighted by size: a park of A hectares by √A, and by W of its distance over 1 + log10 A.
type ParkSizes struct {
	BandsHa   []float64       `yaml:"bands_ha"` // a park counts with the band at or below its size
	Places    int             `yaml:"places"`   // nearest parks of each band that count
	Reference []ReferencePark `yaml:"reference"`
	G0        float64         `yaml:"g0"`
}

// ReferencePar is a park of the reference place.
type ReferencePark struct {
	Hectares float64 `yaml:"hectares"`
	Metres   float64 `yaml:"metres"`
}

// Frontage is what makes a street pedestrian oriented, and the length of such streets that saturates the measure.
type Frontage struct {
	Always      []string        `yaml:"always"`     // classes of street for pedestrians
	Streets     []string        `yaml:"streets"`    // classes that count unless known to be fast or wide
	KnownOnly   []string        `yaml:"known_only"` // classes that count only if speed or lanes are known to be low
	MaxKMH      float64         `yaml:"most_kmh"`   //
	MaxLanes    int             `yaml:"most_lanes"` //
	Classes     []string        `yaml:"classes"`    // classes of places that line a street
	FromCentreM float64         `yaml:"from_centre_m"`
	StretchM    float64         `yaml:"stretch_m"`    // length of street on which
	MinPlaces   int             `yaml:"least_places"` // at least this number of places must be
	SampleM     float64         `yaml:"sample_m"`
	Reference   []ReferenceRoad `yaml:"reference"`
	L0          float64         `yaml:"l0"`
}

// ReferenceRoad is a length of such streets at a network distance.
type ReferenceRoad struct {
	LengthM float64 `yaml:"length_m"`
	Metres  float64 `yaml:"metres"`
}

// Proximity is 5 up to a distance of NearM, 0 from FarM on, and falls with the logarithm in between.
type Proximity struct {
	Class string  `yaml:"class"`
	NearM float64 `yaml:"near_m"`
	FarM  float64 `yaml:"far_m"`
}

// Education is the score of the distance to a school, interpolated linearly.
type Education struct {
	Curve          [][2]float64       `yaml:"curve"`         // metres, score; distances rise
	DistanceFactor map[string]float64 `yaml:"stretch"`       // by score: distances are divided by it
	SameSchoolM    float64            `yaml:"same_school_m"` // two of similar names within it are one school
}
