package estimate

import "testing"

const mb = 1 << 20

func TestOf(t *testing.T) {
	step := Step{Name: "r ingest", Phase: Ingest, Reads: map[string]int64{"osm": 10 * mb, "brands": mb}}
	fresh := step.Of(Measured{})
	if fresh.Rows != 102_600 || fresh.Input != 11*mb || fresh.Bytes < 40*mb || fresh.Bytes > 60*mb || fresh.Seconds < 5 || fresh.Seconds > 8 {
		t.Errorf("by rates: %+v", fresh)
	}
	again := step.Of(Measured{Seconds: 30, Rows: 1000, Bytes: 7 * mb, Input: 22 * mb})
	if again != (Measured{Seconds: 15, Rows: 500, Bytes: 7 * mb / 2, Input: 11 * mb}) {
		t.Errorf("half of the last run's input: %+v", again)
	}
	unknown := Step{Phase: Transform, Reads: map[string]int64{"no-such-kind": mb}}.Of(Measured{})
	if unknown.Rows != 0 || unknown.Seconds <= emptySeconds || unknown.Bytes != 11*mb {
		t.Errorf("a kind without rates: %+v", unknown)
	}
}

func TestEveryKindNeedsMoreForMore(t *testing.T) {
	for kind, r := range rates {
		if r.rows <= 0 || r.ingest <= 0 || r.staged <= 0 || r.memory <= 0 {
			t.Errorf("%s: %+v", kind, r)
		}
	}
}

func TestMemory(t *testing.T) {
	regions := []Step{{Reads: map[string]int64{"osm": mb}}, {Reads: map[string]int64{"osm": 3 * mb}}, {Reads: map[string]int64{"osm": 2 * mb}}}
	for together, want := range map[int]int64{0: 200, 1: 290, 2: 350, 3: 380, 8: 380} {
		if got := Memory(regions, together) / mb; got != want {
			t.Errorf("%d together: %d MB, want %d", together, got, want)
		}
	}
}
