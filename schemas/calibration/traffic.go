package calibration

// Traffic is the assumed traffic of streets by class. Known speed limits and lanes take precedence.
type Traffic struct {
	Classes  map[string]Road `yaml:"classes"`     // by class of street; other classes have no traffic
	MaxScale float64         `yaml:"most_scale"`  // greatest factor for the traffic of a class by lanes
	MinScale float64         `yaml:"least_scale"` // and least
}

// Road is a class of street, both ways together.
type Road struct {
	AADT     float64 `yaml:"aadt"`      // vehicles a day, as a mean over the year
	Heavy    float64 `yaml:"heavy"`     // share of heavy ones, 0–1
	SpeedKMH float64 `yaml:"speed_kmh"` //
	Lanes    float64 `yaml:"lanes"`     // that carry so much
	ByLanes  bool    `yaml:"by_lanes"`  // more lanes carry more; one way alone carries half
}

// Of is the traffic of a street, from its class and its lanes and speed limit, 0 if unknown; false if streets of the class
// have no traffic.
func (t Traffic) Of(class string, oneWay bool, lanes int, speedKMH float64) (Road, bool) {
	road, ok := t.Classes[class]
	if !ok {
		return Road{}, false
	}
	if speedKMH > 0 {
		road.SpeedKMH = speedKMH
	}
	if oneWay && road.ByLanes {
		road.AADT, road.Lanes = road.AADT/2, road.Lanes/2
	}
	if lanes > 0 {
		if road.ByLanes {
			road.AADT *= min(t.MaxScale, max(t.MinScale, float64(lanes)/road.Lanes))
		}
		road.Lanes = float64(lanes)
	}
	return road, true
}
