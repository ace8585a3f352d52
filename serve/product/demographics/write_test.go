package demographics

import (
	"encoding/json"
	"testing"

	"quartier/internal/demography"
	"quartier/schemas"
	vocabulary "quartier/schemas/demographics"
)

// TestBounds writes a median that is in an open bin, in both languages, and one that is not.
func TestBounds(t *testing.T) {
	var figures demography.Figures
	for i, at := range vocabulary.Flat(vocabulary.Around) {
		figures[i] = demography.Absent
		switch vocabulary.Around[at.Category].Variables[at.Variable].ID {
		case "inc_home":
			figures[i] = 200_000 | demography.OpenUpper
		case "inc_person":
			figures[i] = 45_000
		}
	}
	for _, language := range []string{"en", "fr"} {
		body := appendAround([]byte{'{'}, aroundFragments[edition{"CA", language}], &figures)
		var got map[string]schemas.DemographicsCategory
		if err := json.Unmarshal(append(body, '}'), &got); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		variables := got["income_stats"].Variables
		if len(got) != 1 || len(variables) != 2 {
			t.Fatalf("%s", body)
		}
		if v := variables[0]; v.Variable != "inc_home" || v.Value != 200_000 || v.Open == nil || *v.Open != "upper" {
			t.Errorf("%s", body)
		}
		if v := variables[1]; v.Variable != "inc_person" || v.Value != 45_000 || v.Open != nil {
			t.Errorf("%s", body)
		}
	}
}
