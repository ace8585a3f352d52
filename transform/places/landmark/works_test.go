package landmark

import "testing"

func TestWorks(t *testing.T) {
	for name, want := range map[string]bool{
		"Stormwater Management Area": true, "STORMWTER MANAGEMENT AREA": true, "Kanata Town Centre Storm Water Pond": true,
		"Forest Conservation Easement #4": true, "Floodplain Conservation Easement": true, "SWM Pond 3": true, "Bassin de rétention Nord": true,
		"Becks Pond County Park": false, "Killens Pond State Park": false, "Storm Lake Park": false, "Parc du Bassin-Brown": false,
		"Swmford Park": false,
	} {
		if got := works.MatchString(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
