package calibration

import (
	"math"
	"slices"
)

// Traffic is the assumed traffic of streets by class and setting. Counts, known speed limits and lanes take precedence.
type Traffic struct {
	Classes  map[string]Road `yaml:"classes"`     // by class of street, built-up; other classes have no traffic
	MaxScale float64         `yaml:"most_scale"`  // greatest factor for the traffic of a class by lanes
	MinScale float64         `yaml:"least_scale"` // and least
	Setting  Setting         `yaml:"setting"`
	Pocket   Pocket          `yaml:"pocket"`
	Counts   Counts          `yaml:"counts"`
}

// Setting is how the traffic of a class depends on the number of dwellings around: that of a built-up place times the
// square root of their share of Full.
type Setting struct {
	RadiusM float64 `yaml:"radius_m"`  // within which dwellings count
	SampleM float64 `yaml:"sample_m"`  // distance between the points of a street at which they are counted
	Full    float64 `yaml:"dwellings"` // within the radius, where the traffic is that of the class
	Roads   Roads   `yaml:"roads"`     // for roads between places, in the stead of RadiusM and Full
	Least   float64 `yaml:"least"`     // factor
	Most    float64 `yaml:"most"`      // factor
	// least share of the disc on known ground, 0–1, of which the rest is taken to be like it; less counts as this
	Known   float64  `yaml:"known"`
	Through []string `yaml:"through"` // classes whose traffic comes from far away: factor 1
	// Where neither dwellings nor people are counted: dwellings = StreetDwellings · (km of residential street)^StreetPower.
	StreetDwellings float64 `yaml:"street_dwellings"`
	StreetPower     float64 `yaml:"street_power"`
}

// Roads is the setting of roads that carry trips between places, and not of those alone who live along them.
type Roads struct {
	RadiusM float64  `yaml:"radius_m"`  //
	Full    float64  `yaml:"dwellings"` // within the radius
	Classes []string `yaml:"classes"`   //
}

// Pocket is the traffic of streets that lead nowhere else.
type Pocket struct {
	TripsM map[string]float64 `yaml:"trips_m"` // vehicles a day for each metre of a class; what other classes generate is unknown
	Least  float64            `yaml:"least"`   // vehicles a day on any street
}

// Counts is how counts of traffic are matched to streets.
type Counts struct {
	SampleM float64  `yaml:"sample_m"` // distance between the points of a section at which it is matched
	WithinM float64  `yaml:"within_m"` // greatest cost of a street
	NamedM  float64  `yaml:"named_m"`  // of one with the same name
	OtherM  float64  `yaml:"other_m"`  // cost of another name, and of another class
	TurnDeg float64  `yaml:"turn_deg"` // greatest angle between the directions of count and street
	SpreadM float64  `yaml:"spread_m"` // for which a count holds along its road
	Classes []string `yaml:"classes"`  // of street that have counts
}

// Around is the radius in metres within which dwellings count for a class, and how many of them are a built-up place.
func (s *Setting) Around(class string) (radiusM, full float64) {
	if slices.Contains(s.Roads.Classes, class) {
		return s.Roads.RadiusM, s.Roads.Full
	}
	return s.RadiusM, s.Full
}

// Factor is that of the traffic of a class among a number of dwellings within the radius of Around; 1 if the number is NaN:
// unknown.
//
// With 640 dwellings around a secondary road, √(640/16000) = 0.2: it has 0.2 · 9,000 = 1,800 vehicles a day.
func (s *Setting) Factor(class string, dwellings float64) float64 {
	if math.IsNaN(dwellings) || slices.Contains(s.Through, class) {
		return 1
	}
	_, full := s.Around(class)
	return min(s.Most, max(s.Least, math.Sqrt(dwellings/full)))
}

// ByStreets is the number of dwellings assumed along some metres of residential street within RadiusM.
func (s *Setting) ByStreets(metres float64) float64 {
	return s.StreetDwellings * math.Pow(metres/1000, s.StreetPower)
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
