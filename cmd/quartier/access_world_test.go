package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quartier/client"
	"quartier/fixtures"
	"quartier/fixtures/fixturetest"
	"quartier/fixtures/world"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// valuesAt returns all measures and scores of the snapshot at a point; absent ones are not in the map.
func valuesAt(t *testing.T, api *client.Client, p fixtures.Point) map[string]float64 {
	t.Helper()
	answer, err := api.GetSnapshot(t.Context(), &client.GetSnapshotParams{
		Lat: p.Lat, Lng: p.Lng, Include: []client.SnapshotPart{client.SnapshotPartScoresAll, client.SnapshotPartMeasuresAll},
	})
	if err != nil {
		t.Fatal(err)
	}
	if answer.HTTPResponse.StatusCode == http.StatusNoContent {
		return nil
	}
	if answer.OK == nil {
		t.Fatalf("the snapshot at %v is %d %.300s", p, answer.HTTPResponse.StatusCode, answer.Body)
	}
	values := map[string]float64{}
	for name, v := range answer.OK.Data.Measures {
		values[name] = v
	}
	for name, text := range answer.OK.Data.Scores {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		values[name] = v
	}
	return values
}

func TestWorldOnFoot(t *testing.T) {
	t.Parallel()
	s := startServer(t, filepath.Join(townsDir(t), "first"))
	_, token := s.account(t)
	api := s.connect(t)

	for _, r := range fixturetest.World().Relations {
		t.Run(r.Reason, func(t *testing.T) {
			more, less := valuesAt(t, api, r.More), valuesAt(t, api, r.Less)
			for _, channel := range r.Channels {
				if _, known := schemas.ChannelOf(channel); !known {
					t.Fatalf("there is no %s", channel)
				}
				a, there := more[channel]
				b, alsoThere := less[channel]
				switch {
				case !there:
					t.Errorf("%s is absent at %v", channel, r.More)
				case !alsoThere && !r.OrAbsent:
					t.Errorf("%s is absent at %v", channel, r.Less)
				case alsoThere && a < b+r.By:
					t.Errorf("%s is %.3f at %v and %.3f at %v, want at least %v more at the first", channel, a, r.More, b, r.Less, r.By)
				default:
					t.Logf("%s: %.3f against %.3f", channel, a, b)
				}
			}
		})
	}

	t.Run("errands make a place to walk, and without any it is none", func(t *testing.T) {
		if v := valuesAt(t, api, fixturetest.World().MainStreet)["pedestrian_friendly"]; v < 4 {
			t.Errorf("pedestrian_friendly of the main street is %v", v)
		}
		values := valuesAt(t, api, fixturetest.World().Hamlet)
		if v, there := values["pedestrian_friendly"]; !there || v != 0 || values["intersection_density"] == 0 {
			t.Errorf("pedestrian_friendly is %v (%v) at the end of the road, where no errand is near and intersection_density is %v", v, there,
				values["intersection_density"])
		}
	})

	t.Run("the manifest says of how many points the errands are made", func(t *testing.T) {
		m, err := schemas.ReadManifest(filepath.Join(townsDir(t), "first"))
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Errands) == 0 {
			t.Error("it says nothing")
		}
		for _, e := range m.Errands {
			note := fmt.Sprintf("%s: pedestrian_friendly counts errands of %.4g of 15 points", e.Region, e.Known)
			if e.Of != 15 || !e.Enough || !slices.ContainsFunc(m.Notes, func(n string) bool { return strings.HasPrefix(n, note) }) {
				t.Errorf("%+v, no note that begins with %q", e, note)
			}
		}
	})

	t.Run("forty poles of one line count as one line, both directions once", func(t *testing.T) {
		c := calibration.Standard()
		distance := 20.0 // of the middle of the village from its nearest pole, about
		trips := float64(c.Transit.WithoutTimes.TripsWeek["bus"]) * rating.NewDecay(c.Walking).At(distance)
		for _, channel := range []string{"transit_friendly", "bus_service_access"} {
			want := rating.Transit(&c.Transit, channel, rating.Departures{Certain: trips, All: trips}, nil)
			if v := valuesAt(t, api, fixturetest.World().Village)[channel]; math.Abs(v-want) > 0.05 {
				t.Errorf("%s is %v, and %v for one line", channel, v, want)
			}
		}
	})

	t.Run("no values where only roads are known", func(t *testing.T) {
		values := valuesAt(t, api, fixturetest.World().Unmapped)
		for _, channel := range []string{"terrain_steepness", "street_steepness", "historic", "greenery"} {
			if v, there := values[channel]; there {
				t.Errorf("%s is %v without data", channel, v)
			}
		}
		if _, there := values["intersection_density"]; !there {
			t.Error("the measures of the streets are absent")
		}
	})

	t.Run("paths that lead to no street are left out", func(t *testing.T) {
		if values := valuesAt(t, api, fixturetest.World().Island); len(values) > 0 {
			t.Errorf("the island in the forest has %v", values)
		}
	})

	t.Run("single endpoints say what the snapshot says", func(t *testing.T) {
		p := fixtures.DemoPoint()
		values := valuesAt(t, api, p)
		status, body := s.get(t, token, fmt.Sprintf("/v3/scores?lat=%v&lng=%v&location_scores_rounding=none", p.Lat, p.Lng))
		var answer schemas.ScoresAnswer
		if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
			t.Fatalf("%d %.300s: %v", status, body, err)
		}
		for name, score := range answer.Data.Location {
			if got, _ := strconv.ParseFloat(score.Value, 64); got != values[name] || score.Text == "" {
				t.Errorf("%s is %q (%q) alone and %v in the snapshot", name, score.Value, score.Text, values[name])
			}
		}
		if len(answer.Data.Location) == 0 {
			t.Error("no score in the middle of the town")
		}
	})
}

func TestWorldStopsHaveTheirTrips(t *testing.T) {
	served := map[string]string{}
	for _, row := range rows(t, filepath.Join(townsDir(t), "first", schemas.AccessFile), `
		SELECT d.region, d.place_key, sum(s.trips_week) FROM destination d JOIN transit_service s ON s.destination = d.fid WHERE d.class = 'stop' GROUP BY 1, 2`) {
		served[row[0]+" "+row[1]] = row[2]
	}
	for _, f := range fixturetest.World().Transit {
		got := served[f.Region+" "+f.Stop]
		if got == "" && f.TripsWeek > 0 || got != "" && got != fmt.Sprint(f.TripsWeek) {
			t.Errorf("%s (%s) has %q trips a week, want %d", f.Name, f.Stop, got, f.TripsWeek)
		}
	}
}

func TestWorldOfHouseholds(t *testing.T) {
	dir := townsDir(t)
	s := startServer(t, filepath.Join(dir, "first"))
	_, token := s.account(t)
	ids := map[string]string{}
	for _, row := range rows(t, filepath.Join(dir, "first", schemas.GeographiesFile),
		`SELECT level || ' ' || name_en, geog_id FROM geography`) {
		ids[row[0]] = row[1]
	}
	median := func(name, score string) (float64, bool) {
		status, body := s.get(t, token, "/v3/scores/"+ids[name])
		if status == http.StatusNoContent {
			return 0, false
		}
		var answer schemas.GeographyScoresAnswer
		if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
			t.Fatalf("%s (%s): %d %.300s: %v", name, ids[name], status, body, err)
		}
		v, err := strconv.ParseFloat(answer.Data.Scores[score].Value, 64)
		return v, err == nil
	}

	t.Run("the median household of the old town lives better on foot than that of the fields", func(t *testing.T) {
		for _, score := range []string{"pedestrian_friendly", "cafes", "groceries", "transit_friendly"} {
			town, there := median("10 Old Saint-Aubin", score)
			fields, alsoThere := median("10 Domaine-Champêtre", score)
			if !there || !alsoThere || town <= fields {
				t.Errorf("%s is %v (%v) and %v (%v)", score, town, there, fields, alsoThere)
			}
		}
	})
	t.Run("a town is between its parts", func(t *testing.T) {
		whole, _ := median("30 Saint-Aubin-des-Érables", "cafes")
		old, _ := median("10 Old Saint-Aubin", "cafes")
		fields, _ := median("10 Domaine-Champêtre", "cafes")
		if whole > old || whole < fields {
			t.Errorf("cafes: %v in the town, %v in the old town, %v in the fields", whole, old, fields)
		}
	})
	t.Run("where nobody lives there is nothing to say", func(t *testing.T) {
		if v, there := median("10 North Woods", "cafes"); there {
			t.Errorf("the median household of the woods has cafes %v", v)
		}
	})
	t.Run("the town is denser than the hamlet, and of another kind", func(t *testing.T) {
		kind := func(p fixtures.Point) (string, schemas.TypologyDensities) {
			status, body := s.get(t, token, fmt.Sprintf("/v3/typologies?lat=%v&lng=%v", p.Lat, p.Lng))
			var answer schemas.TypologiesAnswer
			if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK || len(answer.Data) != 1 {
				t.Fatalf("%v: %d %.300s: %v", p, status, body, err)
			}
			for name, densities := range answer.Data {
				return name, densities
			}
			return "", schemas.TypologyDensities{}
		}
		town, many := kind(fixtures.DemoPoint())
		hamlet, few := kind(fixturetest.World().Hamlet)
		if town == hamlet || hamlet != "rural / other" || many.PopulationPerSquareKM <= few.PopulationPerSquareKM ||
			many.HouseholdsPerSquareKM <= few.HouseholdsPerSquareKM {
			t.Errorf("the town is %s with %+v, the hamlet %s with %+v", town, many, hamlet, few)
		}
	})
}

// TestWorldWithACafeAndMoreBuses builds the French-speaking town again with one café more and one line twice as often,
// and compares every node of its streets.
func TestWorldWithACafeAndMoreBuses(t *testing.T) {
	t.Parallel()
	before := filepath.Join(townsDir(t), "first", schemas.AccessFile)
	dir := t.TempDir()
	changes := []world.Change{fixturetest.AddCafe(30, 21.9), fixturetest.DoubleTrips("rtsa", "1")}
	if _, err := fixtures.Write(context.Background(), dir, fixtures.Options{Seed: 1, Change: changes}); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "build", "--region", filepath.Join(dir, "regions", "ca-saint-aubin.yaml"), "--out", filepath.Join(dir, "changed"))
	after := filepath.Join(dir, "changed", schemas.AccessFile)

	raised := []string{"cafes", "coffee_shop_access", "nearest_coffee_shop_proximity", "transit_friendly", "bus_service_access"}
	same := []string{"groceries", "parks", "high_schools", "nearest_pharmacy_proximity", "nearest_bus_stop_proximity"}
	channels := append(raised, same...)
	query := fmt.Sprintf("SELECT hex(geometry), %s FROM street_node WHERE region = 'ca-saint-aubin' ORDER BY fid",
		strings.Join(channels, ", "))
	old, now := rows(t, before, query), rows(t, after, query)
	if len(old) == 0 || len(old) != len(now) {
		t.Fatalf("%d nodes before, %d after", len(old), len(now))
	}
	higher := map[string]int{}
	for n := range old {
		if old[n][0] != now[n][0] {
			t.Fatalf("node %d is elsewhere: a café moved the streets", n)
		}
		for i, channel := range channels {
			was, is := tenThousandths(old[n][1+i]), tenThousandths(now[n][1+i])
			if is < was || is > was && i >= len(raised) {
				t.Fatalf("%s changes from %v to %v at node %d", channel, was, is, n)
			}
			if is > was {
				higher[channel]++
			}
		}
	}
	for _, channel := range raised {
		if higher[channel] == 0 {
			t.Errorf("%s is higher nowhere", channel)
		}
	}
}

// tenThousandths is a value as stored in access.sqlite; absent is below all others.
func tenThousandths(text string) int {
	v, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return v
}

// TestMeasuresThatAreScores compares every measure with every score at all nodes: those in the same order everywhere are
// one number under two names, and no others.
func TestMeasuresThatAreScores(t *testing.T) {
	nodes := rows(t, filepath.Join(townsDir(t), "first", schemas.AccessFile), "SELECT "+channelColumns()+" FROM street_node")
	values := make([][]float64, len(nodes)) // by node and channel; NaN if there are no data
	for i, node := range nodes {
		for _, text := range node {
			v := math.NaN()
			if text != "NULL" {
				v = number(t, text)
			}
			values[i] = append(values[i], v)
		}
	}
	for m, measure := range schemas.Measures {
		for s, score := range schemas.Scores {
			pairs := map[float64]float64{} // the score at nodes with a value of the measure
			function := true
			for _, node := range values {
				x, y := node[m], node[int(schemas.FirstScore)+s]
				if math.IsNaN(x + y) {
					continue
				}
				other, seen := pairs[x]
				function = function && (!seen || other == y)
				pairs[x] = y
			}
			var scores []float64
			for _, x := range slices.Sorted(maps.Keys(pairs)) {
				scores = append(scores, pairs[x])
			}
			same := function && len(pairs) > 100 && slices.IsSorted(scores)
			if same != (measure.Score == score.ID) {
				t.Errorf("%s and %s are the same number: %v, declared %q", measure.ID, score.ID, same, measure.Score)
			}
		}
	}
}

// channelColumns are the columns of all measures and scores.
func channelColumns() string {
	var names []string
	for c := range schemas.Channel(schemas.ChannelCount) {
		names = append(names, schemas.ChannelName(c))
	}
	return strings.Join(names, ",")
}

// TestWorldOfPartialFeeds builds the French-speaking region with timetable and list as partial: where none of their lines
// stops transit is absent, never 0, and elsewhere as before.
func TestWorldOfPartialFeeds(t *testing.T) {
	t.Parallel()
	before := filepath.Join(townsDir(t), "first", schemas.AccessFile)
	dir := t.TempDir()
	if _, err := fixtures.Write(t.Context(), dir, fixtures.Options{Seed: 1}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "regions", "ca-saint-aubin.yaml")
	region, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(region)
	for _, line := range []string{"    kind: gtfs\n", "    kind: transit-lines\n"} {
		at, rest, found := strings.Cut(text, line)
		if !found {
			t.Fatalf("no %q in %s", line, text)
		}
		if options := strings.Index(rest, "    options:\n"); line == "    kind: transit-lines\n" {
			rest = rest[:options] + "    options:\n      partial: true\n" + rest[options+len("    options:\n"):]
		} else {
			rest = "    options: {partial: true}\n" + rest
		}
		text = at + line + rest
	}
	text = strings.Replace(text, "accept_collapsed:\n", "accept_collapsed:\n  transit_friendly: absent where it is low\n", 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "build", "--region", path, "--out", filepath.Join(dir, "partial"))
	const query = "SELECT bus_service_access FROM street_node WHERE region = 'ca-saint-aubin' ORDER BY fid"
	complete, partial := rows(t, before, query), rows(t, filepath.Join(dir, "partial", schemas.AccessFile), query)
	if len(complete) != len(partial) {
		t.Fatalf("%d nodes, then %d", len(complete), len(partial))
	}
	served, absent := 0, 0
	for n := range complete {
		switch was, is := complete[n][0], partial[n][0]; {
		case is == "NULL":
			absent++
		case is == "0.0":
			t.Fatalf("node %d has 0 and had %s", n, was)
		default:
			served++
		}
	}
	if served < 1000 || absent < 1000 {
		t.Errorf("%d nodes with a value and %d without", served, absent)
	}
}
