package explain

import (
	"regexp"
	"strings"
	"testing"

	"quartier/internal/wording"
	"quartier/schemas"
)

// TestFrench explains every channel of the village in French: no sentence is as in English, and numbers have no points.
func TestFrench(t *testing.T) {
	var names []string
	for c := range schemas.Channel(schemas.ChannelCount) {
		names = append(names, schemas.ChannelName(c))
	}
	report, english := explainInLanguage(t, wording.French, names...), explainIn(t, names...)
	point := regexp.MustCompile(`\d\.\d`)
	for i := range report.Values {
		x, e := &report.Values[i], &english.Values[i]
		if x.Formula == "" || len(x.Steps) != len(e.Steps) || len(x.Remarks) != len(e.Remarks) || len(x.Parts) != len(e.Parts) {
			t.Fatalf("%s: %s", x.Name, x.Formula)
		}
		if found := point.FindString(x.Formula + x.Worked); found != "" {
			t.Errorf("%s has numbers with points: %s; %s", x.Name, x.Formula, x.Worked)
		}
		same := func(french, english string) {
			t.Helper()
			if french == english && strings.Contains(french, " the ") {
				t.Errorf("%s: %s", x.Name, french)
			}
		}
		for k := range x.Steps {
			same(x.Steps[k].Formula, e.Steps[k].Formula)
		}
		for k := range x.Remarks {
			if x.Remarks[k] == e.Remarks[k] {
				t.Errorf("%s: %s", x.Name, x.Remarks[k])
			}
		}
		for k := range x.Parts {
			same(x.Parts[k].Of, e.Parts[k].Of)
		}
		same(x.Absent, e.Absent)
		same(x.NotRecomputed, e.NotRecomputed)
	}
}
