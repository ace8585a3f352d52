package ride

import (
	"fmt"
	"testing"

	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/transform/network/drive"
	"quartier/transform/network/street"
	"quartier/transform/regiontest"
)

// TestTravelRows writes the networks of cars and bicycles of a few streets, one of them a neighbour's.
func TestTravelRows(t *testing.T) {
	r := regiontest.New(t)
	set := func(class string, change func(s *street.Street), xy ...float64) {
		s := r.Street(class, xy...)
		s.SpeedKMH = 45
		change(s)
	}
	set("residential", func(s *street.Street) { s.Car, s.SpeedKMH = "forward", 30 }, 0, 0, 300, 0)
	set("motorway", func(s *street.Street) { s.Car, s.SpeedKMH = "both", 90 }, 300, 0, 300, 300)
	set("path", func(s *street.Street) { s.Car = "no" }, 0, 0, 0, 300)
	set("primary", func(s *street.Street) { s.Car, s.Bicycle, s.SpeedKMH = "backward", false, 60 }, 300, 0, 600, 0)
	set("tertiary", func(s *street.Street) { s.Source = "us-other/osm" }, 0, 0, -300, 0)
	net := r.Network()
	for i := range net.Streets {
		net.Streets[i].Flow.SpeedKMH = net.Streets[i].SpeedKMH
	}
	db := regiontest.Derived(t)
	c := *calibration.Standard()
	c.Walking.MinNodes = 2
	if err := drive.New(net.Streets, c.Walking).Write(t.Context(), db, &c.Scores.Drive); err != nil {
		t.Fatal(err)
	}
	if err := New(net.Streets, &c).Write(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if err := (*drive.Network)(nil).Write(t.Context(), db, &c.Scores.Drive); err != nil {
		t.Error(err)
	}
	got := map[string]int{}
	for e, err := range sqlrow.Select[derived.DriveEdge](t.Context(), db, "SELECT * FROM drive_edge ORDER BY edge") {
		if err != nil {
			t.Fatal(err)
		}
		got[fmt.Sprintf("car %.0f m %d %d %v", e.LengthM, number(e.ForthDs), number(e.BackDs), e.Stop)]++
	}
	for e, err := range sqlrow.Select[derived.BicycleEdge](t.Context(), db, "SELECT * FROM bicycle_edge ORDER BY edge") {
		if err != nil {
			t.Fatal(err)
		}
		got[fmt.Sprintf("bicycle %.0f m stress %d %s", e.LengthM, e.Stress, e.Way)]++
	}
	want := map[string]int{ // 300 m at 24, 72 and 48 km/h
		"car 300 m 450 0 true": 1, "car 300 m 150 150 false": 1, "car 300 m 0 225 true": 1,
		"bicycle 300 m stress 2 forward": 1, "bicycle 300 m stress 1 both": 1,
	}
	for row, count := range want {
		if got[row] != count {
			t.Errorf("%d rows of %q in %v", got[row], row, got)
		}
	}
	if len(got) != len(want) {
		t.Errorf("rows %v", got)
	}
}

// number is 0 if there is none.
func number(v *int32) int32 {
	if v == nil {
		return 0
	}
	return *v
}
