package calibration

// Form is the constants of street form.
type Form struct {
	RadiusM       float64       `yaml:"radius_m"` // of the disc in which junctions and streets are counted
	Intersections Intersections `yaml:"intersections"`
	Local         []string      `yaml:"local"`          // classes of local street
	Through       []string      `yaml:"through"`        // classes of through street
	MinStreetM    float64       `yaml:"least_street_m"` // minimum length of both in the disc, else no data
	Unpleasant    Unpleasant    `yaml:"unpleasant"`
}

// Intersections is which junctions count, and the ranks of their density.
type Intersections struct {
	Classes      []string  `yaml:"classes"`          // of streets that meet
	ConsolidateM float64   `yaml:"consolidate_m"`    // junctions this near to each other are merged
	Three        float64   `yaml:"three"`            // weight of one of three streets
	Four         float64   `yaml:"four"`             // of four and more
	AutoKMH      float64   `yaml:"auto_kmh"`         // a street this fast is for cars only
	AutoOneWay   float64   `yaml:"auto_one_way_kmh"` // and a one-way street this fast
	WalkersKMH   float64   `yaml:"walkers_kmh"`      // a street no faster is for pedestrians
	MinLand      float64   `yaml:"least_land"`       // share of the disc that counts as land at least
	RanksSqMi    []float64 `yaml:"ranks_sq_mi"`      // density a square mile from which the ranks 2, 3 … begin
}

// Unpleasant is what makes walking unpleasant.
type Unpleasant struct {
	RadiusM  float64  `yaml:"radius_m"`
	Lanes    float64  `yaml:"lanes"`     // a street with this number of lanes
	SpeedKMH float64  `yaml:"speed_kmh"` // or this fast,
	BesideM  float64  `yaml:"beside_m"`  // and ways this near to one
	FromM    float64  `yaml:"from_m"`    // and ways this near to the following
	Roads    []string `yaml:"roads"`     // classes of street
	Rails    []string `yaml:"rails"`     // classes of rail
	Land     []string `yaml:"land"`      // classes of land
	LeaveOut []string `yaml:"leave_out"` // classes of way that do not count
	Factor   float64  `yaml:"factor"`    // factor of the share
	MinM     float64  `yaml:"least_m"`   // minimum length of ways in the disc, else no data
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
