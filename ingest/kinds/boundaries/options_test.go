package boundaries

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/source"
	"quartier/ingest/staging"
)

// south moves an outline of Ontario to New York.
func south(outline string) string { return strings.ReplaceAll(outline, ",45", ",44") }

func TestWhatOptionsMakeOfFeatures(t *testing.T) {
	two := func(t *testing.T) string {
		return collection(t,
			`{"GEOID20":"4159000","NAME20":"Portland","STATEFP20":"41","pop":"1,200","kind":"city","no":6}`, south(square),
			`{"GEOID20":"5374060","NAME20":"Vancouver","STATEFP20":"53","pop":80.0,"kind":"town","no":"06"}`, south(beside))
	}
	canada := func(t *testing.T) string {
		return collection(t,
			`{"DGUID":"2021A000553","CSDUID":"3553005","CSDNAME":"Greater Sudbury / Grand Sudbury","PRUID":"35"}`, square,
			`{"DGUID":"2021A00052466023","CSDNAME":"Montréal","PRUID":"24"}`, beside)
	}
	for _, test := range []struct {
		name, options string
		path          func(*testing.T) string
		want          []string
	}{
		{"TIGER of another year", "layout: tiger-place", two,
			[]string{"census:place:4159000 Portland US OR", "census:place:5374060 Vancouver US WA"}},
		{"people", "layout: tiger-place\npopulation: pop", two,
			[]string{"census:place:4159000 Portland US OR 1200", "census:place:5374060 Vancouver US WA 80"}},
		{"beside the layout", "layout: tiger-place\nlevel: 35\nscheme: own\nname_text: '{NAME20} {kind}'", two,
			[]string{"own:4159000 Portland city US OR", "own:5374060 Vancouver town US WA"}},
		{"a constant state", "layout: tiger-place\nstate: OR", two,
			[]string{"census:place:4159000 Portland US OR", "census:place:5374060 Vancouver US OR"}},
		{"where", "layout: tiger-place\nwhere: {kind: [city, village], no: 6}", two, []string{"census:place:4159000 Portland US OR"}},
		{"a number as it is written", "layout: tiger-place\nwhere: {no: 06}", two, []string{"census:place:5374060 Vancouver US WA"}},
		{"unless", "layout: tiger-place\nunless: {kind: city}", two, []string{"census:place:5374060 Vancouver US WA"}},
		{"bbox", "layout: tiger-place\nbbox: [-74.85, 44, -74, 45]", two, []string{"census:place:5374060 Vancouver US WA"}},
		{"bbox that both touch", "layout: tiger-place\nbbox: [-74.92, 44, -74.85, 45]", two,
			[]string{"census:place:4159000 Portland US OR", "census:place:5374060 Vancouver US WA"}},
		{"bbox that contains one centre", "layout: tiger-place\nbbox: [-74.92, 44, -74.85, 45]\nbbox_centre: true", two,
			[]string{"census:place:5374060 Vancouver US WA"}},
		{"dissolve", "level: 70\ncountry: US\nkey_text: US\nname_text: United States\ndissolve: true", two,
			[]string{"towns:US United States États-Unis US"}},
		{"by place in the file", "level: 10\ncountry: US\nkey_text: part-{@row}\nname_text: Part {@row}", two,
			[]string{"towns:part-1 Part 1 US", "towns:part-2 Part 2 US"}},
		{"StatCan, bilingual, a DGUID for an UID", "layout: statcan-csd", canada,
			[]string{"statcan:csd:2466023 Montréal CA QC", "statcan:csd:3553005 Greater Sudbury Grand Sudbury CA ON"}},
		{"merge", "level: 40\nkey: both\nname_text: Both\nstate_from: PRUID\npopulation: n\nmerge: true", func(t *testing.T) string {
			return collection(t, `{"both":"505","n":1,"PRUID":"35"}`, square, `{"both":"505","n":2,"PRUID":"24"}`, beside)
		}, []string{"towns:505 Both CA 3"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, names, err := stageFile(t, test.path(t), test.options)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, names); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An invalid optional value is removed; the feature is staged.
func TestInvalidOptionalValues(t *testing.T) {
	path := collection(t, `{"id":1,"name":"A","people":"many","state":"ZZ"}`, square)
	summary, names, err := stageFile(t, path, plain+"\npopulation: people\nstate_from: state")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"towns:1 A CA"}, names); diff != "" {
		t.Error(diff)
	}
	if len(summary.Issues) != 2 || summary.Issues[0].Reason != source.PopulationRemoved || summary.Issues[1].Reason != stateRemoved {
		t.Errorf("%+v", summary.Issues)
	}
}

// The parts of a boundary are repaired and counted one by one; those without area are rejected.
func TestPartsAreCounted(t *testing.T) {
	path := collection(t, `{"id":1,"name":"A"}`, crossing, `{"id":1,"name":"A"}`, beside, `{"id":1,"name":"A"}`, line,
		`{"id":1,"name":"A"}`, "")
	summary, names, err := stageFile(t, path, plain+"\nmerge: true")
	if err != nil {
		t.Fatal(err)
	}
	want := staging.Summary{Read: 4, Staged: 1, Issues: []staging.Issue{
		{Reason: source.MissingGeometry, Rows: 1, Example: `feature 4 "A"`},
		{Reason: source.ZeroArea, Rows: 1, Example: `feature 3 "A"`},
		{Reason: source.InvalidGeometryRepaired.With("self-intersection"), Rows: 1, Example: `feature 1 "A"`},
	}}
	summary.Where = source.Whereabouts{}
	if diff := cmp.Diff(want, summary); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"towns:1 A CA"}, names); diff != "" {
		t.Error(diff)
	}
}
