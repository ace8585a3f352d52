package pipeline

import (
	"math"
	"testing"

	"quartier/build"
	"quartier/build/assembly"
	"quartier/build/publish"
	"quartier/internal/estimate"
)

// realRegions are the megabytes of the sources of the real regions by kind, and the seconds that their ingest and transform took on
// two processors that nobody else used (make real).
var realRegions = []struct {
	name              string
	reads             map[string]float64
	ingest, transform float64
}{
	{"us-delaware", map[string]float64{"osm": 7.5, "brands": 2.5, "boundaries": 2.1}, 4.1, 14.5},
	{"us-pikesville", map[string]float64{"boundaries": 9.9, "osm": 2.7, "brands": 2.5, "gazetteer": 0.4}, 3.3, 2.4},
	{"us-portland", map[string]float64{"boundaries": 9.8, "zones": 3.2, "acs": 5.2, "osm": 0.6, "gtfs": 1.1, "elevation": 2.1,
		"brands": 2.5, "gazetteer": 0.4}, 3.3, 3.4},
	{"us-seattle", map[string]float64{"boundaries": 10.7, "overpass": 6.9, "schools": 0.1, "nces": 1.7, "catchments": 0.8, "brands": 2.5,
		"gazetteer": 0.4}, 2.8, 0.9},
	{"us-washington", map[string]float64{"boundaries": 11, "zones": 0.9, "water": 2.3, "acs": 0.8, "gazetteer": 0.4, "places": 0.1,
		"heritage": 1.6}, 2.1, 0.9},
	{"us-manhattan", map[string]float64{"boundaries": 9.4, "zones": 0.6, "acs": 4.3, "gazetteer": 0.4}, 1.7, 0.6},
	{"ca-ottawa", map[string]float64{"boundaries": 9.4, "census-profile": 0.6, "places": 1.6, "transit-lines": 3.8, "overpass": 3.7,
		"brands": 2.5, "odef": 3.1, "schools": 0.1, "roads": 9.7, "cycling-network": 0.9, "blocks": 33.9, "gazetteer": 0.4}, 7.1, 11.2},
}

// realSteps are the seconds of the steps after them, one after the other.
var realSteps = map[string]float64{
	"assemble": 2.1, "survey": 1.6, "write.geographies": 1.4, "write.pois": 0.9, "write.schools": 0.2, "write.access": 12.1,
	"write.demographics": 4.1, "write.profiles": 5.5, "pack.geographies": 2.3, "pack.bridge": 0.1, "pack.pois": 0.6, "pack.schools": 0.1,
	"pack.streets": 2.2, "pack.demographics": 0.1, "write.ground": 10, "write.tiles": 3.5, "write.heat": 6.4, "write.travel": 3,
	"write.measures": 16.6, "write.manifest": 2.4, "verify.files": 2.1, "verify.databases": 2.6, "verify.packs": 3.2, "verify.tiles": 1,
	"verify.travel": 1.9,
}

// TestEstimatesOfRealRegions compares the estimates with these figures: all together are near, and each of the large ones is within
// twice.
func TestEstimatesOfRealRegions(t *testing.T) {
	planned, measured := 0.0, 0.0
	check := func(name string, s estimate.Step, seconds float64) {
		t.Helper()
		got := s.Of(estimate.Measured{}).Seconds
		if planned, measured = planned+got, measured+seconds; seconds >= 4 && (got < seconds/2 || got > 2*seconds) {
			t.Errorf("%s: planned %.1f s, measured %.1f", name, got, seconds)
		}
	}
	all := map[string]estimate.Size{}
	for _, r := range realRegions {
		reads := map[string]estimate.Size{}
		for kind, megabytes := range r.reads {
			reads[kind] = estimate.Size{Bytes: int64(megabytes * (1 << 20))}
			if kind == "boundaries" {
				reads[kind] = estimate.Size{Bytes: reads[kind].Bytes, Rows: 600}
			}
			all[kind] = all[kind].Add(reads[kind])
		}
		check(r.name+" ingest", estimate.Step{Phase: estimate.Ingest, Reads: reads}, r.ingest)
		check(r.name+" lend", estimate.Step{Phase: estimate.Lend, Reads: reads}, 0.2)
		check(r.name+" transform", estimate.Step{Phase: estimate.Transform, Reads: reads}, r.transform)
	}
	dir, err := publish.At("release")
	if err != nil {
		t.Fatal(err)
	}
	var sum estimate.Shares
	built, err := build.Steps(build.Options{Name: "r", Out: "release", ToolVersion: "v", Regions: []assembly.Region{{Name: "r"}}}, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range built.Steps {
		sum.Time, sum.PlaceTime, sum.PlaceDisk = sum.Time+s.Takes.Time, sum.PlaceTime+s.Takes.PlaceTime, sum.PlaceDisk+s.Takes.PlaceDisk
		check(s.ID, estimate.Step{Phase: estimate.Build, Takes: estimate.Shares(s.Takes), Reads: all}, realSteps[s.ID])
	}
	if math.Abs(planned/measured-1) > 0.3 || max(math.Abs(sum.Time-1), math.Abs(sum.PlaceTime-1), math.Abs(sum.PlaceDisk-1)) > 1e-9 {
		t.Errorf("planned %.0f s, measured %.0f; shares of %+v", planned, measured, sum)
	}
	t.Logf("planned %.0f s, measured %.0f", planned, measured)
}

// placesSteps are the seconds of steps of a release of 20,161,000 places, the same and of one of its regions of 2,500,000
// (docs/performance.md).
var placesSteps = map[string]float64{
	"assemble": 47, "write.pois": 779, "write.profiles": 204, "pack.pois": 340, "write.tiles": 123, "write.manifest": 87, "verify.files": 108,
	"verify.databases": 313, "verify.packs": 314,
}

// placesFiles are the bytes that steps of a release of 2,522,000 places write.
var placesFiles = map[string]float64{"write.pois": 1_348_800_512, "pack.pois": 1_025_803_232, "write.tiles": 127_237_338}

// TestEstimatesOfPlaces compares the estimates of steps whose time grows with the places of a release: engines give up an attempt
// after a multiple of them. A list of places in CSV says nothing of its rows: those of towns, as pois.sqlite has them, have 158 bytes
// each, are read in 55 s, and take as long as others after that.
func TestEstimatesOfPlaces(t *testing.T) {
	check := func(name string, s estimate.Step, rows int64, seconds, ofList float64) {
		t.Helper()
		for kind, seconds := range map[string]float64{"overture": seconds, "places": ofList} {
			s.Reads = map[string]estimate.Size{kind: {Bytes: 158 * rows}}
			if kind == "overture" {
				s.Reads = map[string]estimate.Size{kind: {Rows: rows, Bytes: 80 * rows}}
			}
			if got := s.Of(estimate.Measured{}).Seconds; got < seconds/1.6 || got > 1.6*seconds {
				t.Errorf("%s of %s: planned %.1f s, measured %.1f", name, kind, got, seconds)
			}
		}
	}
	dir, err := publish.At("release")
	if err != nil {
		t.Fatal(err)
	}
	built, err := build.Steps(build.Options{Name: "r", Out: "release", ToolVersion: "v", Regions: []assembly.Region{{Name: "r"}}}, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range built.Steps {
		if bytes, ok := placesFiles[s.ID]; ok {
			step := estimate.Step{Phase: estimate.Build, Takes: estimate.Shares(s.Takes),
				Reads: map[string]estimate.Size{"overture": {Rows: 2_522_000}}}
			if got := float64(step.Of(estimate.Measured{}).Bytes); math.Abs(got/bytes-1) > 0.1 {
				t.Errorf("%s: planned %.0f bytes, written %.0f", s.ID, got, bytes)
			}
		}
		if seconds, ok := placesSteps[s.ID]; ok {
			check(s.ID, estimate.Step{Phase: estimate.Build, Takes: estimate.Shares(s.Takes)}, 20_161_000, seconds, seconds)
		}
	}
	check("ingest", estimate.Step{Phase: estimate.Ingest}, 2_500_000, 135, 55)
	check("lend", estimate.Step{Phase: estimate.Lend}, 2_500_000, 45, 45)
	check("transform", estimate.Step{Phase: estimate.Transform}, 2_500_000, 200, 200)
}
