package explain

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/wording"
	"quartier/schemas"
)

// explainIn explains channels of the village at the middle of its western stretch.
func explainIn(t *testing.T, names ...string) *Report {
	t.Helper()
	return explainInLanguage(t, wording.English, names...)
}

func explainInLanguage(t *testing.T, language wording.Language, names ...string) *Report {
	t.Helper()
	r, err := Open(village(t))
	must(t, err)
	defer r.Close()
	var channels []schemas.Channel
	for _, name := range names {
		c, ok := schemas.ChannelOf(name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		channels = append(channels, c)
	}
	report, err := r.In(language).Explain(context.Background(), west+0.0005, streetLat, channels)
	must(t, err)
	return report
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-3 {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// The values are calculated by hand from the constants: W is 1 up to 402 m.
func TestVillage(t *testing.T) {
	for name, want := range map[string]float64{
		"groceries":                       4.28,                                        // one 350 m away: 5 (1 − exp(−1/0.516))
		"nightlife":                       2.6006,                                      // one here: 5 (1 − exp(−1/1.362))
		"primary_schools":                 2.5 + 1.5*500/700,                           // 1,000 m: between 4 at 800 and 2.5 at 1,500
		"park_access":                     2.5,                                         // one park, the nearer of its two entrances: 5 × 1/2
		"nearest_bus_stop_proximity":      5,                                           // 10 m
		"bus_service_access":              5 * math.Log(1+140+120) / math.Log(1+15776), // the station's departures together
		"nearest_park_proximity":          5,
		"nearest_pharmacy_proximity":      0,
		"nearest_restaurant_proximity":    5,
		"park_access_weighted_by_area":    5 * (1 - math.Exp(-math.Sqrt(3)/3.276)),
		"shops_and_services_access":       5 * (3 + 0.75) / 13, // books without data are substituted by fitness, of which there is none
		"rapid_transit_service_access":    0,
		"unhealthy_restaurant_access":     0,
		"nearest_coffee_shop_proximity":   0,
		"nearest_train_station_proximity": 0,
	} {
		x := explainIn(t, name).Values[0]
		if x.Recomputed == nil {
			t.Errorf("%s is not recomputed", name)
			continue
		}
		near(t, name, x.Recomputed.Street, want)
		if x.Served == nil || x.Served.Value != 2.5 || *x.Nodes[0] != 2.5 {
			t.Errorf("%s is served as %+v", name, x.Served)
		}
	}
}

func TestPlacesOfASum(t *testing.T) {
	report := explainIn(t, "groceries")
	x := report.Values[0]
	want := Place{Rank: 1, Name: "Market", Class: "grocery", M: 350, LegM: 250, Minutes: 4.4, Decay: 1, Weight: 1, Part: 1, SourceID: "osm",
		Key: "osm:node:1"}
	if len(x.Places) == 1 && x.Places[0].At != nil {
		near(t, "the place's longitude", x.Places[0].At.Lng, report.Street.At.Lng)
		x.Places[0].At = nil
	}
	if len(x.Places) != 1 || x.Places[0] != want {
		t.Errorf("the places are %+v, want %+v", x.Places, want)
	}
	if len(x.Constants) != 3 || x.Constants[2].Symbol != "G0" || x.Constants[2].Value != "0.516" || x.Constants[2].Mark != "A" {
		t.Errorf("the constants are %+v", x.Constants)
	}
	if *x.Served.Rounded != 2.5 || x.Served.Text.EN == "" {
		t.Errorf("served as %+v", x.Served)
	}
	s := report.Street
	if s.Name != "Long Lane" || s.SourceKey != "osm:way:9" || s.Nodes[0].FID != 1 || s.Nodes[1].FID != 2 || s.LengthM != 100 {
		t.Errorf("the street is %+v", s)
	}
	near(t, "the way to the west end", s.Nodes[0].M, 50)
	if len(report.Sources) != 1 || report.Sources[0].ID != "osm" {
		t.Errorf("the sources are %+v, want osm only", report.Sources)
	}
}

func TestLineCountsItsWholeStation(t *testing.T) {
	report := explainIn(t, "transit_friendly")
	lines := report.Values[0].Lines
	if len(lines) != 1 || lines[0].TripsWeek != 260 || lines[0].Stop != "Square, north side" || lines[0].M != 10 || lines[0].Part != 260 ||
		lines[0].Headsign != "Harbour" {
		t.Errorf("the lines are %+v", lines)
	}
	if len(report.Sources) != 2 || report.Sources[1].ID != "gtfs" {
		t.Errorf("the sources are %+v", report.Sources)
	}
}

func TestAbsentHasAReason(t *testing.T) {
	for name, why := range map[string]string{
		"daycares": "0 places for 5000 people, estimated by the length of residential streets, 0 to 1,000 where 0.2 are usual",
		"historic": "years", "train_service_access": "no data on such lines"} {
		x := explainIn(t, name).Values[0]
		if x.Served != nil || x.Recomputed != nil || !strings.Contains(x.Absent, why) {
			t.Errorf("%s: served %v, absent because %q", name, x.Served, x.Absent)
		}
		part := map[string]string{"daycares": "daycare: overture, osm, overpass, places",
			"historic":             "years of buildings: osm, heritage, acs, census-profile",
			"train_service_access": "lines of public transport: gtfs, transit-lines, osm, overpass"}[name]
		if len(x.Unknown) != 1 || x.Unknown[0].Part+": "+strings.Join(x.Unknown[0].Kinds, ", ") != part ||
			!strings.HasSuffix(x.Unknown[0].Source, strings.Join(x.Unknown[0].Kinds, ", ")) {
			t.Errorf("%s: unknown are %+v, want %s", name, x.Unknown, part)
		}
	}
}

// TestUnknownClassesOfScores holds an absent score to name what it lacks, and not the streets that are there.
func TestUnknownClassesOfScores(t *testing.T) {
	r, err := Open(village(t))
	must(t, err)
	defer r.Close()
	for name, wants := range map[string][]string{"quiet": {"railway", "aerodrome"}, "car_friendly": {"grocery", "bank"}} {
		l, err := r.locate(context.Background(), orb.Point{west + 0.0005, streetLat})
		must(t, err)
		l.coverage = coverage{}
		var parts []string
		for _, u := range l.unknown(schemas.MustChannel(name)) {
			parts = append(parts, u.Part)
		}
		for _, want := range wants {
			if !slices.Contains(parts, want) || slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(part, "streets") }) {
				t.Errorf("%s lacks %q, want %s among them and no streets", name, parts, want)
			}
		}
	}
}

// Every channel has an explanation that can be encoded as JSON, and every number has a source.
func TestEveryChannelIsExplained(t *testing.T) {
	var names []string
	for c := range schemas.Channel(schemas.ChannelCount) {
		names = append(names, schemas.ChannelName(c))
	}
	report := explainIn(t, names...)
	if _, err := json.Marshal(report); err != nil {
		t.Error(err)
	}
	for _, x := range report.Values {
		switch {
		case x.Formula == "" || len(x.Constants) == 0 && x.Served != nil:
			t.Errorf("%s has formula %q and %d constants", x.Name, x.Formula, len(x.Constants))
		case x.Served == nil && x.Absent == "":
			t.Errorf("%s is absent without a reason", x.Name)
		case x.Served != nil && x.Recomputed == nil && x.NotRecomputed == "":
			t.Errorf("%s is neither recomputed nor is there a reason", x.Name)
		}
		for _, c := range x.Constants {
			if c.Mark == "" && !strings.HasPrefix(c.Path, "transit.kinds") {
				t.Errorf("%s: %s has no mark", x.Name, c.Path)
			}
		}
	}
}

func TestNotSnapped(t *testing.T) {
	r, err := Open(village(t))
	must(t, err)
	defer r.Close()
	for _, c := range []struct {
		lat float64
		why string
	}{{farBankLat, "water is in between"}, {39.01, "1110 m away"}, {45, "outside the release"}} {
		_, err := r.Explain(context.Background(), west+0.0005, c.lat, nil)
		if !errors.Is(err, ErrNoStreet) || !strings.Contains(err.Error(), c.why) {
			t.Errorf("at %v: %v, want %q", c.lat, err, c.why)
		}
	}
}

func TestOtherCalibrationIsRefused(t *testing.T) {
	dir := village(t)
	writeVillageManifest(t, dir, strings.Repeat("f", 64))
	if _, err := Open(dir); !errors.Is(err, ErrCalibration) {
		t.Errorf("opened: %v", err)
	}
}

// TestCorrected names the corrections of a place with the place.
func TestCorrected(t *testing.T) {
	r, err := Open(village(t))
	must(t, err)
	defer r.Close()
	const want = "moved by line 3 of source fixes (was 45.000000 -75.000000); renamed by line 4 of source fixes (was Grene)"
	if len(r.corrected) != 1 || r.corrected["osm:way:3"] != want {
		t.Errorf("%q", r.corrected)
	}
	l := &location{r: r}
	if got := l.row(&place{key: "osm:way:3"}, 0).Corrected; got != want {
		t.Error(got)
	}
}

// The records of a merged school are named beside it.
func TestMergedRecords(t *testing.T) {
	r, err := Open(village(t))
	must(t, err)
	defer r.Close()
	if got := r.merged["osm:way:1"]; len(r.merged) != 1 || got != "list list:7 (similar name, 12 m)" {
		t.Errorf("%q", r.merged)
	}
}
