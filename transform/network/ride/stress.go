package ride

import (
	"math"
	"slices"

	"quartier/schemas/calibration"
	"quartier/transform/network/street"
)

// Stress is the level of traffic stress of a street, 1 to 4, by BikeOttawa's rules; 0 where bicycles are not allowed.
// A residential street of 40 km/h has 2, with three lanes at 50 km/h it has 3.
func Stress(s *street.Street, c *calibration.Stress) int {
	switch {
	case !s.Bicycle || slices.Contains(c.Forbidden, s.Class):
		return 0
	case s.Car == "no" || s.Cycleway == "track":
		return 1
	}
	speed, lanes := s.SpeedKMH, s.Lanes
	if speed == 0 {
		var ok bool
		if speed, ok = c.SpeedKMH[s.Class]; !ok {
			speed = c.OtherKMH
		}
	}
	if lanes == 0 {
		lanes = c.Lanes
	}
	speed = math.Round(speed) // so that a limit of 25 mph (40.2 km/h) counts as 40
	residential := slices.Contains(c.Residential, s.Class)
	if s.Cycleway == "lane" {
		return besideCars(speed, lanes, residential, s.Parking != nil && *s.Parking, c)
	}
	return amongCars(speed, lanes, residential, c)
}

// besideCars is the stress on a painted lane.
func besideCars(speed float64, lanes int, residential, parking bool, c *calibration.Stress) int {
	level := 1
	if parking && speed > c.SlowKMH {
		level = 2
	}
	if lanes >= c.LaneLanes || speed > c.MediumKMH || !residential {
		level = 3
	}
	if speed > c.FastKMH {
		level = 4
	}
	return level
}

// amongCars is the stress in mixed traffic.
func amongCars(speed float64, lanes int, residential bool, c *calibration.Stress) int {
	switch {
	case speed > c.MediumKMH:
		return 4
	case speed <= c.SlowKMH:
		switch {
		case lanes > c.SeveralLanes:
			return 4
		case lanes <= c.FewLanes && residential:
			return 2
		}
		return 3
	case lanes < c.FewLanes && residential:
		return 2
	case lanes <= c.FewLanes:
		return 3
	}
	return 4
}
