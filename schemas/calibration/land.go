package calibration

// Land is the constants of land cover.
type Land struct {
	CellM      float64  `yaml:"cell_m"`     // size of the land cover cells
	Precedence []string `yaml:"precedence"` // classes of land; where two overlap the later one counts
	Green      Green    `yaml:"green"`
	Historic   Historic `yaml:"historic"`
	ParkingM   float64  `yaml:"parking_m"` // radius of ParkingShare
	IdleM      float64  `yaml:"idle_m"`    // radius of IdleShare
	Idle       []string `yaml:"idle"`      // classes of land without homes and businesses
	Mall       Mall     `yaml:"mall"`
}

// Green is the constants of greenery: shares of green and unsealed land, and trees along streets.
type Green struct {
	RadiusM        float64            `yaml:"radius_m"`
	Classes        []string           `yaml:"classes"`            // of land that is green
	Unclear        []string           `yaml:"unclear"`            // classes of land whose greenness is unknown
	Land           float64            `yaml:"land"`               // weights
	Trees          float64            `yaml:"trees"`              //
	Unsealed       float64            `yaml:"unsealed"`           //
	FullTreesHa    float64            `yaml:"full_trees_ha"`      // trees to a hectare of street that score 1
	TreeRowM       float64            `yaml:"tree_row_m"`         // from tree to tree in a row
	MinMapped      float64            `yaml:"least_mapped"`       // minimum share of mapped land; without Unclear if trees are not mapped
	MinTrees       float64            `yaml:"least_trees"`        // trees to a hectare of street from which trees are considered mapped
	MinBuildingsKM float64            `yaml:"least_buildings_km"` // minimum number of buildings to a km of street for unsealed land to count
	Cover          map[string]float64 `yaml:"cover"`              // green share of the classes of schemas.CoverClasses; 0 of others
	LaneM          float64            `yaml:"lane_m"`             // width of a lane
	VergeM         float64            `yaml:"verge_m"`            // width of other sealed surface along a street
}

// Historic is the constants of the score historic.
type Historic struct {
	RadiusM   float64 `yaml:"radius_m"`
	Before    int     `yaml:"before"`      // a building of an earlier year is old
	Old       float64 `yaml:"old"`         // weights
	Heritage  float64 `yaml:"heritage"`    //
	HeritageN float64 `yaml:"heritage_n"`  // number of sites that scores 1 − 1/e
	MinDated  float64 `yaml:"least_dated"` // minimum share of buildings with a year, or of dwellings with a period
	MinBuilt  int     `yaml:"least_built"` // minimum number of buildings, or of dwellings with a period of construction
	HectareN  float64 `yaml:"hectare_n"`   // sites that a hectare of a historic district counts as
	CAPower   float64 `yaml:"ca_power"`    // of the share of Canada's dwellings from before 1961: the share from before Before
}

// Mall is the constants of mall detection.
type Mall struct {
	ParkingShare float64 `yaml:"parking_share"` // retail land with this share of parking is a strip mall
	StripM       float64 `yaml:"strip_m"`       // height of the strips of the shop index
}
