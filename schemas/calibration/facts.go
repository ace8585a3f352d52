package calibration

// Facts is the constants of the facts about geographies, of which profiles are made.
type Facts struct {
	LeastTypology float64 `yaml:"least_typology"` // least share of the homes of a geography of which a typology is stated
	// least share of the homes at which a class of places is known, for its places to be counted
	KnownShare     float64 `yaml:"known_share"`
	Inside         float64 `yaml:"inside"`           // least share of a geography in the county that it is stated to be in
	LeastParts     float64 `yaml:"least_parts"`      // least share of a geography that its neighbourhoods cover, for them to be counted
	NearM          float64 `yaml:"near_m"`           // how far from a geography places are near it, metres in a straight line
	AddressM       float64 `yaml:"address_m"`        // greatest distance of a place from the street of its address, in metres
	MostStreets    int     `yaml:"most_streets"`     // streets of shops that are stated
	MostLines      int     `yaml:"most_lines"`       // lines of a mode that are named
	LeastParkShare float64 `yaml:"least_park_share"` // share of a park in a geography, for it to be one of its parks
	LeastParkHa    float64 `yaml:"least_park_ha"`    // or hectares of it
	MostNamed      int     `yaml:"most_named"`       // parks and waters that are named
	ShoreM         float64 `yaml:"shore_m"`          // how near water is to a geography that lies on it, in metres
	LeastShoreM    float64 `yaml:"least_shore_m"`    // along how many metres at least
	AirportM       float64 `yaml:"airport_m"`        // greatest distance of an airport that is stated, in metres
	HighwayM       float64 `yaml:"highway_m"`        // the same of a highway
	LeastHighwayM  float64 `yaml:"least_highway_m"`  // least length of the name of a highway in a region, in metres
	LeastPeers     int     `yaml:"least_peers"`      // places of a level in a region of which a median is typical
}
