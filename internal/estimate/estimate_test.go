package estimate

import (
	"slices"
	"strings"
	"testing"
)

const mb = 1 << 20

func TestOf(t *testing.T) {
	step := Step{Name: "r ingest", Phase: Ingest, Reads: map[string]Size{"osm": {Bytes: 10 * mb}, "brands": {Bytes: mb}}}
	fresh := step.Of(Measured{})
	if fresh.Rows != 102_600 || fresh.Input != 11*mb || fresh.Bytes < 40*mb || fresh.Bytes > 60*mb || fresh.Seconds < 4 || fresh.Seconds > 7 {
		t.Errorf("by rates: %+v", fresh)
	}
	again := step.Of(Measured{Seconds: 30, Rows: 1000, Bytes: 7 * mb, Input: 22 * mb})
	if again != (Measured{Seconds: 15, Rows: 500, Bytes: 7 * mb / 2, Input: 11 * mb}) {
		t.Errorf("half of the last run's input: %+v", again)
	}
	unknown := Step{Phase: Transform, Reads: map[string]Size{"no-such-kind": {Bytes: mb}}}.Of(Measured{})
	if unknown.Rows != 0 || unknown.Seconds <= emptySeconds || unknown.Bytes != 13*mb {
		t.Errorf("a kind without rates: %+v", unknown)
	}
}

func TestEveryKindNeedsMoreForMore(t *testing.T) {
	for kind, r := range rates {
		if r.rows <= 0 || r.ingest+rowRates[kind].ingest <= 0 || r.staged+rowRates[kind].staged <= 0 || r.memory+rowRates[kind].memory <= 0 {
			t.Errorf("%s: %+v", kind, r)
		}
	}
}

func TestMemory(t *testing.T) {
	regions := []Step{{Reads: map[string]Size{"osm": {Bytes: mb}}}, {Reads: map[string]Size{"osm": {Bytes: 3 * mb}}},
		{Reads: map[string]Size{"osm": {Bytes: 2 * mb}}}}
	for together, want := range map[int]int64{0: 165, 1: 355, 2: 515, 3: 555, 8: 555} {
		if got := Memory(regions, together, Step{}) / mb; got != want {
			t.Errorf("%d together: %d MB, want %d", together, got, want)
		}
	}
}

// TestMemoryOfRuns compares the estimate with what builds had in memory at most, on two processors: the fixtures, the same
// with 300,000 small places, worlds of towns (quartier fixtures --scale 39 and 159; 521 --bare 445, 2081 --bare 1780, the last with
// --regions 16, too; those of docs/performance.md in ten regions, and the first of them from CSV), the real regions, Ottawa and
// Delaware. Of the streets of towns, which are a few straight lines, files do not say how many nodes they get: they are added, of 2.6
// kilobytes each.
func TestMemoryOfRuns(t *testing.T) {
	size := func(megabytes float64, rows int64) Size { return Size{Bytes: int64(megabytes * mb), Rows: rows} }
	city := Step{Reads: map[string]Size{"boundaries": size(0.1, 60), "osm": size(0.8, 0), "blocks": size(0.1, 0),
		"census-profile": size(3.5, 0), "acs": size(0.4, 0)}}
	other := Step{Reads: map[string]Size{"osm": size(0.06, 0), "blocks": size(0.06, 0), "census-profile": size(3.5, 0),
		"elevation": size(0.08, 0)}}
	us := Step{Reads: map[string]Size{"osm": size(0.74, 0), "blocks": size(0.05, 0), "acs": size(0.43, 0)}}
	towns := func(n float64, rows int64) Step {
		return Step{Reads: map[string]Size{"overture": size(float64(rows)/11_000, rows), "boundaries": size(n/220, 0), "acs": size(n/200, 0)}}
	}
	for _, run := range []struct {
		name     string
		regions  []Step
		measured float64 // megabytes
		nodes    float64 // of the streets of towns
	}{
		{"fixtures", []Step{city}, 266, 0},
		{"39 towns", []Step{other, us, towns(16, 53_600), towns(22, 73_700)}, 762, 144_000},
		{"159 towns", []Step{other, us, towns(79, 261_300), towns(80, 268_000)}, 2151, 593_000},
		{"521 towns", []Step{other, us, towns(241, 1_166_500), towns(280, 1_353_200)}, 1389, 289_000},
		{"2081 towns", []Step{other, us, towns(1040, 5_041_500), towns(1040, 5_041_500)}, 5379, 1_144_000},
		{"2081 towns in 34 regions", append([]Step{other, us}, slices.Repeat([]Step{towns(65, 315_100)}, 32)...), 2183, 72_000},
		{"2.5 million places of towns", slices.Repeat([]Step{towns(260, 315_300)}, 8), 1194, 0},
		{"5 million places of towns", slices.Repeat([]Step{towns(260, 630_100)}, 8), 1590, 0},
		{"10 million places of towns", slices.Repeat([]Step{towns(260, 1_260_500)}, 8), 2033, 0},
		{"20 million places of towns", slices.Repeat([]Step{towns(260, 2_520_100)}, 8), 3185, 0},
		{"2.5 million places of lists of towns", slices.Repeat([]Step{{Reads: map[string]Size{"places": size(45, 0)}}}, 8), 1082, 0},
		{"300,000 small places", []Step{city, {Reads: map[string]Size{"boundaries": size(5.5, 134_437)}},
			{Reads: map[string]Size{"boundaries": size(6.1, 154_340)}}}, 985, 0},
		{"Ottawa", []Step{{Reads: map[string]Size{"boundaries": size(7.3, 600), "roads": size(9.7, 0), "blocks": size(33.9, 0),
			"overpass": size(3.7, 0), "places": size(1.7, 0), "transit-lines": size(3.8, 0)}}}, 398, 0},
		{"Delaware", []Step{{Reads: map[string]Size{"osm": size(7.5, 0)}}}, 510, 0},
	} {
		all := Step{Reads: map[string]Size{}}
		for _, r := range run.regions {
			for kind, s := range r.Reads {
				all.Reads[kind] = all.Reads[kind].Add(s)
			}
		}
		const townNode = 2.6e-3 // megabytes
		if ratio := (float64(Memory(run.regions, 2, all))/mb + townNode*run.nodes) / run.measured; ratio < 0.5 || ratio > 2 ||
			strings.HasSuffix(run.name, "towns") && (ratio < 0.8 || ratio > 1.45) {
			t.Errorf("%s: %.2f of the %v MB that were measured", run.name, ratio, run.measured)
		}
	}
}

func TestRowsOfHeaders(t *testing.T) {
	few, many := Size{Bytes: mb, Rows: 100}, Size{Bytes: mb, Rows: 100_000}
	for _, phase := range []Phase{Ingest, Transform, Build} {
		a := Step{Phase: phase, Takes: All, Reads: map[string]Size{"boundaries": few}}.Of(Measured{})
		b := Step{Phase: phase, Takes: All, Reads: map[string]Size{"boundaries": many}}.Of(Measured{})
		if b.Seconds < 5*a.Seconds || b.Bytes < a.Bytes+8*mb || phase == Ingest && (a.Rows != 100 || b.Rows != 100_000) {
			t.Errorf("phase %d: %+v and %+v", phase, a, b)
		}
	}
}
