package calibration

// Land is what the ground around a point tells.
type Land struct {
	CellM      float64  `yaml:"cell_m"`     // side of the cells that the ground is kept in
	Precedence []string `yaml:"precedence"` // classes of land; where two lie on each other the later one counts
	Green      Green    `yaml:"green"`
	Historic   Historic `yaml:"historic"`
	ParkingM   float64  `yaml:"parking_m"` // radius that car parks are told for
	IdleM      float64  `yaml:"idle_m"`    // radius that idle land is told for
	Idle       []string `yaml:"idle"`      // classes of land where nobody lives or trades
	Mall       Mall     `yaml:"mall"`
}

// Green is how green it is: shares of green land and of unsealed ground, and trees along streets.
type Green struct {
	RadiusM        float64  `yaml:"radius_m"`
	Classes        []string `yaml:"classes"`            // of land that is green
	Unclear        []string `yaml:"unclear"`            // classes of land that may be as green as they like
	Land           float64  `yaml:"land"`               // weights
	Trees          float64  `yaml:"trees"`              //
	Unsealed       float64  `yaml:"unsealed"`           //
	FullTreesHa    float64  `yaml:"full_trees_ha"`      // trees to a hectare of street that are plenty
	TreeRowM       float64  `yaml:"tree_row_m"`         // from tree to tree in a row
	MinMapped      float64  `yaml:"least_mapped"`       // share of the ground that must be known, unclear classes aside where trees are not,
	MinTrees       float64  `yaml:"least_trees"`        // to a hectare of street, from which on they are taken for known
	MinBuildingsKM float64  `yaml:"least_buildings_km"` // buildings to a km of street, else unsealed ground does not count
	LaneM          float64  `yaml:"lane_m"`             // width of a lane
	VergeM         float64  `yaml:"verge_m"`            // width of what else is sealed along a street
}

// Historic is how old a place is.
type Historic struct {
	RadiusM   float64 `yaml:"radius_m"`
	Before    int     `yaml:"before"`      // a building of an earlier year is old
	Old       float64 `yaml:"old"`         // weights
	Heritage  float64 `yaml:"heritage"`    //
	HeritageN float64 `yaml:"heritage_n"`  // so many sites make 1-1/e
	MinDated  float64 `yaml:"least_dated"` // share of the buildings whose year must be known
	MinBuilt  int     `yaml:"least_built"` // buildings that must be known
}

// Mall is what makes a shop one of a mall.
type Mall struct {
	ParkingShare float64 `yaml:"parking_share"` // retail land with so much parking is a strip mall
	StripM       float64 `yaml:"strip_m"`       // shops are counted in strips of so many metres
}
