package build

import (
	"context"
	"slices"
	"strings"
	"testing"

	"quartier/build/verify"
	"quartier/schemas"
)

func TestSmallAreasOfTwoRegions(t *testing.T) {
	dover := peopled()
	other := testRegion{name: "us-other", extent: true, people: &testPeople{areas: []testArea{
		{key: "census:bg:c", parts: []testPart{{-75.45, 39.1, -75.4, 39.2, 7}, {-75.4, 39.1, -75.3, 39.2, 0}},
			figures: []testFigure{{"population.total", 77, 7, ""}}},
		{key: "census:bg:d", parts: []testPart{{-75.4, 39.1, -75.3, 39.2, 0}, {-75.3, 39.1, -75.2, 39.2, 7}},
			figures: []testFigure{{"population.total", 7, 3, ""}}},
	}}}
	m, o := built(t, "", dover, other)
	_, err := verify.Release(context.Background(), o.Out, "")
	must(t, err)
	if c := m.Counts; c.SmallAreas != 4 || c.SmallAreaParts != 10 {
		t.Errorf("counts %+v", c)
	}
	for _, tt := range []struct {
		query string
		want  []string
	}{
		{"SELECT fid || ' ' || region || ' ' || source_key || ' ' || region_code FROM small_area ORDER BY fid", []string{
			"1 us-delaware census:bg:a US_DE", "2 us-delaware census:bg:b US_DE", "3 us-delaware census:bg:c US_DE",
			"4 us-other census:bg:d US_DE"}},
		{"SELECT fid || ' ' || area || ' ' || persons || ' ' || households || ' ' || dwellings FROM small_area_part ORDER BY fid", []string{
			"1 1 100.0 100.0 100.0", "2 1 300.0 300.0 300.0", "3 1 0.0 0.0 0.0", "4 2 200.0 200.0 200.0",
			"5 3 50.0 50.0 50.0", "6 3 0.0 0.0 0.0", "7 3 0.0 0.0 0.0", "8 3 0.0 0.0 0.0", "9 4 0.0 0.0 0.0", "10 4 7.0 7.0 7.0"}},
		{"SELECT area || ' ' || estimate || ' ' || ifnull(moe, '–') FROM small_area_value WHERE cell = 'population.total' ORDER BY 1", []string{
			"1 400.0 –", "2 200.0 –", "3 100.0 –", "4 7.0 3.0"}},
	} {
		if got := rows(t, o, schemas.DemographicsFile, tt.query); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%q, want\n%q", tt.query, got, tt.want)
		}
	}
	if notes := strings.Join(m.Notes, "\n"); !strings.Contains(notes, "small areas that several regions have: 1") {
		t.Errorf("notes:\n%s", notes)
	}
}

func TestRegionWithoutDemographics(t *testing.T) {
	m, _ := built(t, "", delaware())
	if !slices.ContainsFunc(m.Notes, func(n string) bool { return strings.HasPrefix(n, "us-delaware: no demographics") }) ||
		m.Counts.SmallAreas != 0 {
		t.Errorf("counts %+v, notes %q", m.Counts, m.Notes)
	}
}

func TestInvalidSmallAreas(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(p *testPeople)
		want  string
	}{
		{"an area in no state", func(p *testPeople) { p.areas[1].code = "DE" }, `small_area 1: census:bg:b is in "DE"`},
		{"an area without a vintage", func(p *testPeople) { p.vintages = [][2]string{{"CA", "2021"}} }, "census:bg:a has no vintage"},
		{"an area without parts", func(p *testPeople) { p.areas[1].parts = nil }, "parts of small area 2 of 3 after those of 0"},
		{"the last one without parts", func(p *testPeople) { p.areas[2].parts = nil }, "parts of small area 3 of 3 after those of 1"},
		{"an area without weight", func(p *testPeople) { p.areas[0].parts = p.areas[0].parts[:1]; p.areas[0].parts[0].weight = 0 },
			"small area 0 has no part with a positive weight"},
		{"a negative weight", func(p *testPeople) { p.areas[2].parts[0].weight = -1 },
			"small_area_part 4: census:bg:c:block has the weights [-1 -1 -1]"},
		{"a part with invalid coordinates", func(p *testPeople) { p.areas[2].parts[0].north = 91 },
			"small_area_part 4: outline of census:bg:c:block: invalid point"},
		{"an unknown cell", func(p *testPeople) { p.areas[2].figures[0].cell = "population.half" },
			`small area 2: unknown cell "population.half"`},
		{"a negative count", func(p *testPeople) { p.areas[2].figures[0].estimate = -1 }, "small area 2: population.total is -1"},
		{"an implausible margin of error", func(p *testPeople) { p.areas[2].figures[0].moe = 1e16 },
			"small area 2: population.total has a margin of error of 1e+16"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := peopled()
			tt.spoil(r.people)
			_, err := Release(context.Background(), options(t, r))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
