package ride

import (
	"testing"

	"quartier/schemas/calibration"
	"quartier/transform/network/street"
)

func TestStressByBikeOttawa(t *testing.T) {
	yes := true
	for _, c := range []struct {
		name string
		s    street.Street
		want int
	}{
		{"a motorway", street.Street{Class: "motorway", Car: "forward"}, 0},
		{"a path", street.Street{Class: "path", Car: "no"}, 1},
		{"a track along fast cars", street.Street{Class: "primary", SpeedKMH: 80, Lanes: 4, Cycleway: "track"}, 1},
		{"a residential street", street.Street{Class: "residential"}, 2},
		{"at 25 mph", street.Street{Class: "residential", SpeedKMH: 40.2336, Lanes: 3}, 2},
		{"at 30 mph", street.Street{Class: "residential", SpeedKMH: 48.28, Lanes: 2}, 2},
		{"at 50 km/h with three lanes", street.Street{Class: "residential", SpeedKMH: 50, Lanes: 3}, 3},
		{"at 35 mph", street.Street{Class: "residential", SpeedKMH: 56.3}, 4},
		{"with four lanes", street.Street{Class: "residential", SpeedKMH: 40, Lanes: 4}, 3},
		{"with six lanes", street.Street{Class: "residential", SpeedKMH: 40, Lanes: 6}, 4},
		{"a slow tertiary street", street.Street{Class: "tertiary", SpeedKMH: 40}, 3},
		{"a tertiary street", street.Street{Class: "tertiary"}, 3},
		{"with four lanes", street.Street{Class: "tertiary", Lanes: 4}, 4},
		{"a primary street", street.Street{Class: "primary"}, 4},
		{"sharrows", street.Street{Class: "primary", Cycleway: "shared"}, 4},
		{"a lane on a residential street", street.Street{Class: "residential", Cycleway: "lane"}, 1},
		{"next to parked cars", street.Street{Class: "residential", Cycleway: "lane", SpeedKMH: 50, Parking: &yes}, 2},
		{"next to parked cars at 40 km/h", street.Street{Class: "residential", Cycleway: "lane", SpeedKMH: 40, Parking: &yes}, 1},
		{"a lane on a tertiary street", street.Street{Class: "tertiary", Cycleway: "lane", SpeedKMH: 40}, 3},
		{"at 40 mph", street.Street{Class: "tertiary", Cycleway: "lane", SpeedKMH: 64.4}, 3},
		{"at 65 km/h", street.Street{Class: "tertiary", Cycleway: "lane", SpeedKMH: 65}, 4},
	} {
		c.s.Bicycle = true
		if c.s.Car == "" {
			c.s.Car = "both"
		}
		if got := Stress(&c.s, &calibration.Standard().Bicycle.Stress); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	if got := Stress(&street.Street{Class: "path", Car: "no"}, &calibration.Standard().Bicycle.Stress); got != 0 {
		t.Errorf("no bicycles: %d", got)
	}
}
