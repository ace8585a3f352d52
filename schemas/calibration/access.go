package calibration

// Access is how the places around a point add up to one number.
type Access struct {
	ReferenceScore float64            `yaml:"reference_score"` // what a gravity's reference place is told as
	Gravities      map[string]Gravity `yaml:"gravities"`       // by channel
	Slots          []Slot             `yaml:"slots"`
	ParkSlots      []float64          `yaml:"park_slots"` // weights of the nearest parks, nearest first
	ParkMinHa      float64            `yaml:"park_least_ha"`
	ParkUnknownHa  float64            `yaml:"park_unknown_ha"` // size of a park whose outline is not known
	ParkSizes      ParkSizes          `yaml:"park_sizes"`
	Frontage       Frontage           `yaml:"frontage"`
}

// Near is a number of places, each so far away on foot.
type Near struct {
	Places int     `yaml:"places"`
	Metres float64 `yaml:"metres"`
}

// Gravity sums the nearest places, each worth W of its distance and λ times its nearer neighbour: the score is
// 5(1 − exp(−G/G0)).
type Gravity struct {
	Class     string  `yaml:"class"` // of schemas.DestinationClasses
	Places    int     `yaml:"places"`
	Lambda    float64 `yaml:"lambda"`
	Reference []Near  `yaml:"reference"`
	G0        float64 `yaml:"g0"`
}

// Slot is a kind of errand: so many nearest places count, with these weights, nearest first.
type Slot struct {
	Name    string    `yaml:"name"`
	Classes []string  `yaml:"classes"`
	Weights []float64 `yaml:"weights"`
	Shops   bool      `yaml:"shops"` // counts for shops_and_services_access too
}

// ParkSizes is how parks add up by size. A park of A hectares is worth √A, and W of its distance by 1 + log10 A.
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

// Frontage is what makes a street pedestrian oriented, and how much of such streets is much.
type Frontage struct {
	Always      []string        `yaml:"always"`     // classes of street that are for walkers
	Streets     []string        `yaml:"streets"`    // classes that are where nothing says that they are fast or wide
	KnownOnly   []string        `yaml:"known_only"` // classes that are where speed or lanes are known to be low
	MaxKMH      float64         `yaml:"most_kmh"`   //
	MaxLanes    int             `yaml:"most_lanes"` //
	Classes     []string        `yaml:"classes"`    // of places that make a frontage
	FromCentreM float64         `yaml:"from_centre_m"`
	StretchM    float64         `yaml:"stretch_m"`    // the places on so many metres of street
	MinPlaces   int             `yaml:"least_places"` // must be at least so many
	SampleM     float64         `yaml:"sample_m"`
	Reference   []ReferenceRoad `yaml:"reference"`
	L0          float64         `yaml:"l0"`
}

// ReferenceRoad is a length of such streets at a distance.
type ReferenceRoad struct {
	LengthM float64 `yaml:"length_m"`
	Metres  float64 `yaml:"metres"`
}

// Proximity is 5 up to NearM on the way, 0 from FarM on, by the logarithm between.
type Proximity struct {
	Class string  `yaml:"class"`
	NearM float64 `yaml:"near_m"`
	FarM  float64 `yaml:"far_m"`
}

// Education is how far a school may be: distances and scores, straight between them.
type Education struct {
	Curve          [][2]float64       `yaml:"curve"`         // metres, score; distances rise
	DistanceFactor map[string]float64 `yaml:"stretch"`       // by score: distances count divided by it
	SameSchoolM    float64            `yaml:"same_school_m"` // two of like names within it are one school
}
