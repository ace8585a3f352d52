package calibration

// Form is how streets lie.
type Form struct {
	RadiusM       float64       `yaml:"radius_m"` // of the disc that junctions and streets are counted in
	Intersections Intersections `yaml:"intersections"`
	Local         []string      `yaml:"local"`          // classes of street that belong to those who live there
	Through       []string      `yaml:"through"`        // and those that lead through
	MinStreetM    float64       `yaml:"least_street_m"` // of both in the disc, else there is no proportion
	Unpleasant    Unpleasant    `yaml:"unpleasant"`
}

// Intersections is what counts as one, and how many are many.
type Intersections struct {
	Classes      []string  `yaml:"classes"`          // of streets that meet
	ConsolidateM float64   `yaml:"consolidate_m"`    // junctions so near to each other are one
	Three        float64   `yaml:"three"`            // weight of one of three streets
	Four         float64   `yaml:"four"`             // of four and more
	AutoKMH      float64   `yaml:"auto_kmh"`         // a street so fast is for cars alone
	AutoOneWay   float64   `yaml:"auto_one_way_kmh"` // and one of one way so fast
	WalkersKMH   float64   `yaml:"walkers_kmh"`      // a street no faster is for walkers
	MinLand      float64   `yaml:"least_land"`       // share of the disc that is taken for land at least
	RanksSqMi    []float64 `yaml:"ranks_sq_mi"`      // from how many a square mile on the ranks 2, 3 … are
}

// Unpleasant is what makes it unpleasant to walk.
type Unpleasant struct {
	RadiusM  float64  `yaml:"radius_m"`
	Lanes    float64  `yaml:"lanes"`     // a street of so many
	SpeedKMH float64  `yaml:"speed_kmh"` // or so fast,
	BesideM  float64  `yaml:"beside_m"`  // and ways this near to one
	FromM    float64  `yaml:"from_m"`    // and ways this near to the following
	Roads    []string `yaml:"roads"`     // classes of street
	Rails    []string `yaml:"rails"`     // classes of rail
	Land     []string `yaml:"land"`      // classes of land
	LeaveOut []string `yaml:"leave_out"` // classes of way that nobody walks along
	Factor   float64  `yaml:"factor"`    // the share counts so many times
	MinM     float64  `yaml:"least_m"`   // of ways in the disc, else there is no share
}

// Rank is the rank of a density, from 1.
func (i Intersections) Rank(sqMi float64) int {
	rank := 1
	for _, from := range i.RanksSqMi {
		if sqMi >= from {
			rank++
		}
	}
	return rank
}
