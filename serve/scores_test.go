package serve_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quartier/schemas"
	"quartier/schemas/scoretexts"
	"quartier/serve/servetest"
)

// middle is a channel halfway along the street in the north.
func middle(c schemas.Channel) float64 {
	a, b := servetest.StreetValue(0, c), servetest.StreetValue(1, c)
	return (float64(a) + float64(b)) / 2
}

func TestScoresAtAPoint(t *testing.T) {
	a := newAPI(t)
	for _, c := range []struct {
		rounding string
		unit     float64
	}{{"", 5000}, {"&location_scores_rounding=.5", 5000}, {"&location_scores_rounding=none", 1}} {
		got := answerOf[schemas.ScoresAnswer](t, a, "full", "/v3/scores?"+north+c.rounding)
		if got.Data.Type != "scores" || got.Data.Geographies != nil || got.Meta.Message != "Successfully called v3/scores API." {
			t.Errorf("%+v", got)
		}
		for i, s := range schemas.Scores {
			score, known := got.Data.Location[s.ID]
			if s.ID == "historic" {
				if known {
					t.Errorf("historic is %v, want it absent", score)
				}
				continue
			}
			want := math.Round(middle(schemas.FirstScore+schemas.Channel(i))/c.unit) * c.unit
			if value, err := strconv.ParseFloat(score.Value, 64); err != nil || math.Abs(value*schemas.UnitValue-want) > 1.01 {
				t.Errorf("%s is %q, want %v", s.ID, score.Value, want/schemas.UnitValue)
			}
			if text := scoretexts.Of(i, uint16(middle(schemas.FirstScore+schemas.Channel(i)))).EN; score.Text != text {
				t.Errorf("%s at %s has the text %q, want %q", s.ID, score.Value, score.Text, text)
			}
			if decimals := len(score.Value) - 2; decimals < 1 || decimals > 4 || c.unit > 1 && decimals != 1 {
				t.Errorf("%s has the value %q", s.ID, score.Value)
			}
		}
	}
}

func TestScoresOfGeographies(t *testing.T) {
	a := newAPI(t)
	ids := servetest.SouthCity + "," + servetest.Replaced + "," + servetest.SouthCity
	got := answerOf[schemas.ScoresAnswer](t, a, "full",
		"/v3/scores?"+north+"&language=fr&include=quiet,historic&geography_levels=10,30&geography_ids="+ids)
	var order []string
	for _, g := range got.Data.Geographies {
		order = append(order, g.GeogID)
	}
	want := []string{servetest.SouthCity, servetest.Replaced, servetest.NorthOld, servetest.NorthCity}
	if !slices.Equal(order, want) {
		t.Fatalf("geographies %v, want %v", order, want)
	}
	replaced, current, city := got.Data.Geographies[1], got.Data.Geographies[2], got.Data.Geographies[3]
	if current.Name != "Vieux-Nord" || current.GeogLevelType != "quartier" || replaced.Meta == nil ||
		replaced.Meta.Deprecation.ReplacedBy.GeogID != servetest.NorthOld || current.Meta != nil {
		t.Errorf("%+v, %+v", replaced, current)
	}
	if len(city.Scores) != 0 || len(current.Scores) != 1 {
		t.Errorf("scores %v and %v, want none and quiet", city.Scores, current.Scores)
	}
	quiet := slices.IndexFunc(schemas.Scores, func(s schemas.Score) bool { return s.ID == "quiet" })
	value := servetest.GeographyValue(slices.Index(servetest.Scored, servetest.NorthOld), quiet)
	if score := current.Scores["quiet"]; score.Value != fmt.Sprintf("%.1f", float64(value)/schemas.UnitValue) ||
		score.Text != scoretexts.Of(quiet, value).FR {
		t.Errorf("quiet is %v, want %v", score, value)
	}
	if keys := slices.Collect(maps.Keys(got.Data.Location)); !slices.Equal(keys, []string{"quiet"}) {
		t.Errorf("location has %v", keys)
	}
	alone := answerOf[schemas.ScoresAnswer](t, a, "full", "/v3/scores?geography_levels=10&geography_ids="+servetest.NorthOld)
	if alone.Data.Location != nil || len(alone.Data.Geographies) != 1 {
		t.Errorf("without a point: %+v", alone.Data)
	}
}

func TestScoresOfAGeography(t *testing.T) {
	a := newAPI(t)
	got := answerOf[schemas.GeographyScoresAnswer](t, a, "full", "/v3/scores/"+servetest.Replaced)
	if len(got.Data.Scores) != len(schemas.Scores)-1 || got.Meta.Deprecation == nil ||
		got.Meta.Deprecation.ReplacedBy.GeogID != servetest.NorthOld {
		t.Errorf("%+v", got)
	}
	for i, s := range schemas.Scores {
		if s.ID == "historic" {
			continue
		}
		want := strconv.FormatFloat(float64(servetest.GeographyValue(0, i))/schemas.UnitValue, 'f', -1, 64)
		if !strings.Contains(want, ".") {
			want += ".0"
		}
		if got := got.Data.Scores[s.ID].Value; got != want {
			t.Errorf("%s is %q, want %q", s.ID, got, want)
		}
	}
}

// TestSnapshotAgrees compares the parts of the snapshot with the endpoints of their own.
func TestSnapshotAgrees(t *testing.T) {
	a := newAPI(t)
	for _, radius := range []struct{ snapshot, pois string }{{"", ""}, {"&radius=700", "&radius=700"},
		{"&radius=0.5&radius_unit=mile", "&radius=804.672"}} {
		got := answerOf[schemas.SnapshotAnswer](t, a, "full", "/v3/data?include=scores_all,measures_all,pois_count&"+north+radius.snapshot)
		pois := answerOf[schemas.EnhancedPOIsAnswer](t, a, "full", "/v3/enhanced-pois?"+north+radius.pois)
		if got.Data.POIs.Counts.TotalCount != pois.Meta.Counts.TotalCount ||
			!maps.Equal(got.Data.POIs.Counts.TotalByCategory, pois.Meta.Counts.TotalByCategory) {
			t.Errorf("radius %q: counts %+v, the endpoint's %+v", radius.snapshot, got.Data.POIs.Counts, pois.Meta.Counts)
		}
		scores := answerOf[schemas.ScoresAnswer](t, a, "full", "/v3/scores?location_scores_rounding=none&"+north)
		if len(got.Data.Scores) != len(scores.Data.Location) {
			t.Errorf("%d scores, %d at their own endpoint", len(got.Data.Scores), len(scores.Data.Location))
		}
		for id, s := range scores.Data.Location {
			if got.Data.Scores[id] != s.Value {
				t.Errorf("%s is %q, %q at its own endpoint", id, got.Data.Scores[id], s.Value)
			}
		}
		for c, measure := range schemas.Measures {
			name := measure.ID
			if v := got.Data.Measures[name]; math.Abs(v*schemas.UnitValue-middle(schemas.Channel(c))) > 1 {
				t.Errorf("%s is %v, want %v", name, v, middle(schemas.Channel(c)))
			}
		}
	}
	one := a.get("full", "/v3/data?include=pois_count&"+north)
	if strings.Contains(one.body, "scores") || strings.Contains(one.body, "measures") {
		t.Errorf("parts that were not selected: %s", one.body)
	}
}

func TestTwoBanksOfARiverDiffer(t *testing.T) {
	a := newAPI(t)
	at := func(lat float64) string {
		url := fmt.Sprintf("/v3/scores?location_scores_rounding=none&lng=-72.8&lat=%v", lat)
		return answerOf[schemas.ScoresAnswer](t, a, "full", url).Data.Location["cafes"].Value
	}
	// Two points at the river's banks, nine metres apart, both nearer to the far street.
	if near, far := at(servetest.RiverLat-0.00004), at(servetest.RiverLat+0.00004); near <= far || near != at(servetest.StreetLat) {
		t.Errorf("cafes is %s on this bank and %s on the other", near, far)
	}
}

func TestTypologies(t *testing.T) {
	a := newAPI(t)
	for _, url := range []string{"/v3/typologies?" + north, "/v3/typologies/" + servetest.NorthCell,
		"/v3/typologies/" + strings.ToUpper(servetest.NorthCell)} {
		got := answerOf[schemas.TypologiesAnswer](t, a, "full", url)
		if len(got.Data) != 1 || got.Data["main street hub"] != (schemas.TypologyDensities{PopulationPerSquareKM: 2345.6,
			HouseholdsPerSquareKM: 1000}) || !strings.Contains(got.Meta.Message, "beta") {
			t.Errorf("%s: %+v", url, got)
		}
	}
	if got := a.get("full", "/v3/typologies/"+servetest.SouthCell).body; !strings.Contains(got,
		`{"rural / other":{"population_per_square_km":0.0,`) {
		t.Errorf("an uninhabited cell: %s", got)
	}
}

// TestScoresOfTheAgreement checks that only scores of the agreement are returned.
func TestScoresOfTheAgreement(t *testing.T) {
	a := newAPI(t)
	got := answerOf[schemas.ScoresAnswer](t, a, "quiet", "/v3/scores?"+north+"&geography_ids="+servetest.NorthOld)
	if len(got.Data.Location) != 1 || len(got.Data.Geographies[0].Scores) != 1 || got.Data.Location["quiet"].Value == "" {
		t.Errorf("%+v", got.Data)
	}
	snapshot := answerOf[schemas.SnapshotAnswer](t, a, "quiet", "/v3/data?include=scores_all&"+north)
	if len(snapshot.Data.Scores) != 1 {
		t.Errorf("%+v", snapshot.Data)
	}
}
