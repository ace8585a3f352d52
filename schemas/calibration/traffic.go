package calibration

// Traffic is what drives on a street of which nobody has counted the cars. Of a street with a speed limit or lanes
// told those count.
type Traffic struct {
	Classes  map[string]Road `yaml:"classes"`     // by class of street; a class without one has no cars worth a number
	MaxScale float64         `yaml:"most_scale"`  // a street carries at most so many times what its class does
	MinScale float64         `yaml:"least_scale"` // and at least
}

// Road is a class of street, both ways together.
type Road struct {
	AADT     float64 `yaml:"aadt"`      // vehicles a day, as a mean over the year
	Heavy    float64 `yaml:"heavy"`     // share of heavy ones, 0–1
	SpeedKMH float64 `yaml:"speed_kmh"` //
	Lanes    float64 `yaml:"lanes"`     // that carry so much
	ByLanes  bool    `yaml:"by_lanes"`  // more lanes carry more; one way alone carries half
}

// Of is the class's traffic and how a street of it differs: lanes and speed as told, 0 where they are not known.
// It is nothing where a street of the class has no cars worth a number.
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
