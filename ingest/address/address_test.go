package address

import "testing"

func TestState(t *testing.T) {
	for text, want := range map[string]string{
		"US-NY": "NY", "CA-QC": "QC", "ny": "NY", " Ontario ": "ON", "québec": "QC", "Québec": "QC", "Washington": "WA",
		"BE-VLG": "", "XX": "", "": "", "-": "", "Terre-Neuve-et-Labrador": "NL", "Canada-ON": "",
	} {
		if got := State(text); got != want {
			t.Errorf("State(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestCountry(t *testing.T) {
	for text, want := range map[string]string{"us": "US", "Canada": "CA", "USA": "US", "États-Unis": "US", "NL": "", "": ""} {
		if got := Country(text); got != want {
			t.Errorf("Country(%q) = %q, want %q", text, got, want)
		}
	}
}
