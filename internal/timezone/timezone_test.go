package timezone

import (
	"testing"

	"quartier/schemas"
)

// TestTowns has towns on both sides of the lines that divide states.
func TestTowns(t *testing.T) {
	for _, c := range []struct {
		town, state string
		lng, lat    float64
		want        string
	}{
		{"Brooklyn", "US_NY", -73.95, 40.65, eastern},
		{"Pensacola", "US_FL", -87.2, 30.4, central}, {"Tallahassee", "US_FL", -84.28, 30.44, eastern},
		{"Nashville", "US_TN", -86.78, 36.16, central}, {"Knoxville", "US_TN", -83.92, 35.96, eastern},
		{"Chattanooga", "US_TN", -85.31, 35.05, eastern},
		{"Louisville", "US_KY", -85.76, 38.25, eastern}, {"Bowling Green", "US_KY", -86.44, 36.99, central},
		{"Owensboro", "US_KY", -87.11, 37.77, central},
		{"Gary", "US_IN", -87.35, 41.6, central}, {"South Bend", "US_IN", -86.25, 41.68, eastern},
		{"Evansville", "US_IN", -87.56, 37.97, central}, {"Indianapolis", "US_IN", -86.16, 39.77, eastern},
		{"Iron Mountain", "US_MI", -88.06, 45.82, central}, {"Marquette", "US_MI", -87.4, 46.54, eastern},
		{"Detroit", "US_MI", -83.05, 42.33, eastern},
		{"Dickinson", "US_ND", -102.79, 46.88, mountain}, {"Bismarck", "US_ND", -100.78, 46.81, central},
		{"Rapid City", "US_SD", -103.23, 44.08, mountain}, {"Pierre", "US_SD", -100.35, 44.37, central},
		{"Scottsbluff", "US_NE", -103.66, 41.87, mountain}, {"North Platte", "US_NE", -100.77, 41.12, central},
		{"Goodland", "US_KS", -101.71, 39.35, mountain}, {"Colby", "US_KS", -101.05, 39.4, central},
		{"El Paso", "US_TX", -106.49, 31.76, mountain}, {"Austin", "US_TX", -97.74, 30.27, central},
		{"Boise", "US_ID", -116.2, 43.62, mountain}, {"Coeur d'Alene", "US_ID", -116.78, 47.68, pacific},
		{"Ontario", "US_OR", -116.96, 44.03, mountain}, {"Portland", "US_OR", -122.68, 45.52, pacific},
		{"Phoenix", "US_AZ", -112.07, 33.45, "America/Phoenix"}, {"Window Rock", "US_AZ", -109.05, 35.68, mountain},
		{"Montreal", "CA_QC", -73.57, 45.5, ""}, {"none", "", 0, 0, ""}, {"unknown", "US_ZZ", 0, 0, ""},
	} {
		if got := At(c.state, c.lng, c.lat); got != c.want {
			t.Errorf("%s: %q, want %q", c.town, got, c.want)
		}
	}
}

// TestStates finds a zone that the database knows in every state, and in the divided ones two.
func TestStates(t *testing.T) {
	for code, zone := range states {
		if _, known := schemas.StateName("US", code); !known {
			t.Errorf("%s is not a state", code)
		}
		if _, err := Location(zone); err != nil {
			t.Error(err)
		}
		for _, p := range parts[code] {
			if _, err := Location(p.zone); err != nil || p.zone == zone {
				t.Errorf("%s: part with zone %s: %v", code, p.zone, err)
			}
		}
	}
	if _, err := Location("Mars/Olympus"); err == nil {
		t.Error("an unknown zone was found")
	}
}
