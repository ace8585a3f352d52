package travel_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/schemas"
	"quartier/schemas/trips"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/product/travel"
	"quartier/serve/release"
	"quartier/serve/scope"
	"quartier/serve/servetest"
)

// free is a share of a server that nobody else uses.
type free struct{}

func (free) Work() error    { return nil }
func (free) Long() error    { return nil }
func (free) Rest()          {}
func (free) Hold(int) error { return nil }

// world is a release that callers of some regions ask.
type world struct {
	t *testing.T
	r *release.Release
}

func open(t *testing.T) *world {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "places")
	if _, err := servetest.Write(dir, servetest.Release{}); err != nil {
		t.Fatal(err)
	}
	r, err := release.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Done)
	return &world{t, r}
}

// ask asks an endpoint as a caller of regions, and returns the body.
func (w *world) ask(e endpoint.Endpoint, segment, query string, regions ...string) ([]byte, error) {
	w.t.Helper()
	agreement := account.Agreement{Products: account.Products, Scores: account.Scores, Regions: regions}
	client := endpoint.NewClient(&account.Client{Agreement: agreement})
	r := &endpoint.Request{Client: &client, RawQuery: query, Segment: segment, HTTP: httptest.NewRequest("GET", "/", nil), Share: free{}}
	r.Release.Open(w.r, "", regions)
	r.Release.Stop = func() bool { return false }
	err := e.Answer(r)
	return r.Body, err
}

// answer is ask, decoded strictly.
func answer[T any](w *world, e endpoint.Endpoint, segment, query string, regions ...string) (data T) {
	w.t.Helper()
	body, err := w.ask(e, segment, query, regions...)
	if err != nil {
		w.t.Fatalf("%s%s: %v", segment, query, err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&data); err != nil {
		w.t.Fatalf("%s: %v in %.300s", query, err, body)
	}
	return data
}

func (w *world) times(query string, regions ...string) trips.TravelTimesData {
	w.t.Helper()
	return answer[trips.TravelTimesAnswer](w, travel.Times(), "", query, regions...).Data
}

func (w *world) reach(query string, regions ...string) []trips.Reach {
	w.t.Helper()
	return answer[trips.ReachAnswer](w, travel.Reach(), "", query, regions...).Data.Results
}

// Places of the world.
const (
	west  = "45.2,-72.8009"    // on the northern street
	east  = "45.2,-72.7991"    // at the stop
	bank  = "45.2006,-72.8009" // at the other stop, where nobody walks to
	south = "44.8,-72.8"
	wild  = "45.8,-71.8"
)

// TestTimes compares minutes with what arithmetic gives, and reasons with what the release lacks.
func TestTimes(t *testing.T) {
	w := open(t)
	var waits []int
	for minute := range 60 { // 141 m on foot, half a minute before a bus at least, the bus
		ready := 60*minute + 106 + 30
		waits = append(waits, (ready+599)/600*600+300-60*minute)
	}
	slices.Sort(waits)
	median := (waits[29] + 30) / 60
	for _, c := range []struct {
		query, minutes, reason, coverage string
	}{
		{"mode=walk&from=" + west + "&to=" + east, "2", "", ""},
		{"mode=walk&from=" + west + "&to=" + bank, "", "beyond_limit", ""},
		{"mode=bicycle&from=" + west + "&to=" + east, "1", "", ""},
		{"mode=car&from=" + east + "&to=" + south, "40", "", ""},
		{"mode=car&max_minutes=39&from=" + east + "&to=" + south, "", "beyond_limit", ""},
		{"mode=car&from=" + east + "&to=45.9,-72", "", "no_street", ""},
		{"mode=car&from=" + east + "&to=47.5,-77.5", "", "not_covered", ""},
		{"mode=transit&from=" + west + "&to=" + bank, fmt.Sprint(median), "", "complete"},
		{"mode=transit&percentile=99&from=" + west + "&to=" + bank, fmt.Sprint((waits[59] + 30) / 60), "", "complete"},
		{"mode=transit&window=1&from=" + west + "&to=" + bank, "15", "", "complete"},
		{"mode=transit&depart=23:00&from=" + west + "&to=" + bank, "", "beyond_limit", "complete"},
		{"mode=transit&day=sunday&from=" + west + "&to=" + bank, "", "beyond_limit", "complete"},
		{"mode=transit&window=1&from=" + east + "&to=" + south, "56", "", "partial"},
		{"mode=transit&from=" + west + "&to=" + wild, "", "no_timetable", "partial"},
		{"mode=transit&from=" + wild + "&to=" + wild, "0", "", "none"},
	} {
		got := w.times(c.query).Results[0]
		minutes := ""
		if got.Minutes != nil {
			minutes = fmt.Sprint(*got.Minutes)
		}
		if minutes != c.minutes || got.Reason != c.reason || got.Coverage != c.coverage {
			t.Errorf("%s: %q %q %q, want %q %q %q", c.query, minutes, got.Reason, got.Coverage, c.minutes, c.reason, c.coverage)
		}
	}
	all := w.times("mode=transit&depart=08:00&from=" + west + "&to=" + bank + ";" + east + ";" + wild)
	if got := all.Travel; got.Day != "tuesday" || got.Depart != "08:00" || *got.Window != 60 || *got.Percentile != 50 ||
		got.Wait != "half_headway" || len(all.Results) != 3 {
		t.Errorf("%+v", all)
	}
}

// TestLegs adds up the legs of journeys.
func TestLegs(t *testing.T) {
	w := open(t)
	one := w.times("mode=transit&legs=true&window=1&depart=08:05&from=" + west + "&to=" + bank).Results[0]
	var kinds []string
	for _, l := range one.Legs {
		kinds = append(kinds, l.Kind)
	}
	if !slices.Equal(kinds, []string{"walk", "ride"}) {
		t.Fatalf("%+v", one.Legs)
	}
	walk, ride := one.Legs[0], one.Legs[1]
	if walk.From != "" || walk.To != servetest.Stop || ride.From != servetest.Stop || ride.To != servetest.BankStop ||
		ride.Line != servetest.Bus || ride.Headsign != servetest.BankStop || ride.Departs != "08:10:00" ||
		ride.Arrives != "08:15:00" || ride.Seconds != 300 || ride.Expected ||
		walk.Seconds+*ride.WaitSeconds != 300 || *one.Minutes != 10 {
		t.Errorf("%+v", one)
	}
	coach := w.times("mode=transit&legs=true&window=1&from=" + east + "&to=" + south).Results[0].Legs
	if last := coach[len(coach)-1]; !last.Expected && !coach[len(coach)-2].Expected {
		t.Errorf("%+v", coach)
	}
	drive := w.times("mode=car&legs=true&from=" + east + "&to=" + south).Results[0].Legs
	if len(drive) != 1 || drive[0].Kind != "car" || drive[0].WaitSeconds != nil {
		t.Errorf("%+v", drive)
	}
}

// TestRefusals sends what is wrong, too much or not in the agreement.
func TestRefusals(t *testing.T) {
	w := open(t)
	bad := func(err error, parameter string) bool {
		var fault *param.Error
		return errors.As(err, &fault) && errors.Is(err, param.ErrBad) && fault.Parameter == parameter
	}
	hundred := strings.Repeat(east+";", 99) + east
	if n := len(w.times("mode=walk&from=" + west + "&to=" + hundred).Results); n != 100 {
		t.Errorf("%d targets", n)
	}
	for query, parameter := range map[string]string{
		"mode=walk&from=" + west + "&to=" + hundred + ";" + east:                    "to",
		"mode=walk&legs=true&from=" + west + "&to=" + hundred:                       "to",
		"mode=walk&from=48.85,2.35&to=" + east:                                      "from",
		"mode=walk&from=" + west + "&to=" + east + ";48.85,2.35":                    "to",
		"mode=walk&from=" + west:                                                    "to",
		"mode=boat&from=" + west + "&to=" + east:                                    "mode",
		"mode=walk&max_minutes=0&from=" + west + "&to=" + east:                      "max_minutes",
		"mode=walk&max_minutes=500&from=" + west + "&to=" + east:                    "max_minutes",
		"mode=transit&window=0&from=" + west + "&to=" + east:                        "window",
		"mode=transit&day=monday&from=" + west + "&to=" + east:                      "day",
		"mode=transit&percentile=100&from=" + west + "&to=" + east:                  "percentile",
		"mode=transit&depart=8&from=" + west + "&to=" + east:                        "depart",
		"mode=walk&from=" + west + ";" + east + "&to=" + east:                       "from",
		"mode=walk&from=" + west + "&to=" + east + "&legs=maybe":                    "legs",
		"mode=walk&from=" + west + "&to=" + strings.Repeat("1", 400) + "," + "1e99": "to",
	} {
		if _, err := w.ask(travel.Times(), "", query); !bad(err, parameter) {
			t.Errorf("%.80s: %v", query, err)
		}
	}
	for query, parameter := range map[string]string{"mode=walk&lat=48.85&lng=2.35": "lat", "mode=walk&lat=45.2&lng=-72.8&minutes=0": "minutes",
		"mode=walk&lat=45.2&lng=-72.8&minutes=500": "minutes", "mode=walk&lat=45.2&lng=-72.8&minutes=1,2,3,4,5,6,7": "minutes",
		"mode=walk&lat=45.2&lng=-72.8&include=trees": "include", "mode=walk&lat=45.2": "lng"} {
		if _, err := w.ask(travel.Reach(), "", query); !bad(err, parameter) {
			t.Errorf("%s: %v", query, err)
		}
	}
	for _, c := range []struct {
		e              endpoint.Endpoint
		segment, query string
		regions        []string
		want           error
	}{
		{travel.Times(), "", "mode=walk&from=" + west + "&to=" + south, []string{"CA"}, scope.ErrRegion},
		{travel.Times(), "", "mode=walk&from=" + south + "&to=" + south, []string{"CA"}, scope.ErrRegion},
		{travel.Times(), "", "mode=walk&from=" + west + "&to=50,-85", []string{"CA_QC"}, scope.ErrRegion},
		{travel.Times(), "", "mode=walk&from=47.5,-77.5&to=" + west, nil, scope.ErrOutside},
		{travel.Reach(), "", "mode=walk&lat=44.8&lng=-72.8", []string{"CA"}, scope.ErrRegion},
		{travel.Reach(), "", "mode=walk&lat=47.5&lng=-77.5", nil, scope.ErrOutside},
		{travel.Reach(), "", "mode=walk&lat=45.9&lng=-72", nil, endpoint.ErrNothing},
		{travel.ByGeography(), servetest.SouthOld, "mode=walk", []string{"CA"}, scope.ErrRegion},
		{travel.ByGeography(), "g30_nowhere000", "mode=walk", nil, scope.ErrNoGeography},
		{travel.ByGeography(), servetest.Unpopulated, "mode=walk", nil, endpoint.ErrNothing},
	} {
		if _, err := w.ask(c.e, c.segment, c.query, c.regions...); !errors.Is(err, c.want) {
			t.Errorf("%s%s of %v: %v, want %v", c.segment, c.query, c.regions, err, c.want)
		}
	}
}

// TestReach looks at what is reached, which grows with the limit and is never more than the agreement has.
func TestReach(t *testing.T) {
	w := open(t)
	at := "lat=45.2&lng=-72.8"
	walk := w.reach("mode=walk&minutes=1,5,30&include=people,households,jobs,pois,schools,geometry&" + at)
	if len(walk) != 3 || walk[2].Coverage.Streets != "complete" || walk[2].Coverage.Transit != "" || *walk[2].Jobs != servetest.Jobs ||
		walk[2].Coverage.Jobs != "complete" {
		t.Fatalf("%+v", walk)
	}
	for i, one := range walk[1:] {
		if one.POIs.Total < walk[i].POIs.Total || len(*one.Geometry) != 1 || one.Schools.Primary < walk[i].Schools.Primary {
			t.Errorf("%+v after %+v", one, walk[i])
		}
	}
	if people := walk[2].People; people == nil || people.Value <= 0 || people.ConfidenceInterval == nil ||
		people.ConfidenceInterval.Lower > float64(people.Value) || people.ConfidenceInterval.Upper < float64(people.Value) ||
		walk[2].Households == nil {
		t.Errorf("%+v", walk[2])
	}
	plain := w.reach("mode=walk&minutes=30&" + at)[0]
	if plain.Geometry != nil || plain.People == nil || plain.POIs == nil || plain.POIs.Total != walk[2].POIs.Total {
		t.Errorf("by default %+v", plain)
	}
	car := w.reach("mode=car&minutes=15,45&include=pois&" + at)
	if car[1].POIs.Total <= car[0].POIs.Total || len(car[1].POIs.Unknown) != 0 {
		t.Errorf("by car %+v", car)
	}
	if jobs := w.reach("mode=car&minutes=60&include=jobs&" + at)[0]; *jobs.Jobs != servetest.Jobs || jobs.Coverage.Jobs != "partial" {
		t.Errorf("by car %+v", jobs)
	}
	if jobs := w.reach("mode=car&minutes=60&include=jobs&lat=44.8&lng=-72.8")[0]; jobs.Jobs != nil || jobs.Coverage.Jobs != "none" {
		t.Errorf("from where jobs are not known %+v", jobs)
	}
	quebec := w.reach("mode=car&minutes=45&include=pois&"+at, "CA_QC")[0]
	if quebec.POIs.Total >= car[1].POIs.Total || quebec.Coverage.Streets != "partial" {
		t.Errorf("in Quebec alone %+v of %+v", quebec, car[1])
	}
	for query, want := range map[string]string{at: "partial", "lat=45.8&lng=-71.8": "none"} {
		if got := w.reach("mode=transit&minutes=15,30,75&include=geometry&" + query); got[2].Coverage.Transit != want {
			t.Errorf("%s: %+v, want %s", query, got[2].Coverage, want)
		}
	}
	short := w.reach("mode=transit&minutes=5,20&include=geometry&" + at)
	if short[1].Coverage.Transit != "complete" || len(*short[1].Geometry) < len(*short[0].Geometry) {
		t.Errorf("%+v", short)
	}
}

// TestTimesOfGeographies are medians over homes, to its own centre and to others.
func TestTimesOfGeographies(t *testing.T) {
	w := open(t)
	for _, id := range []string{servetest.NorthOld, servetest.NorthCity, servetest.Metro} {
		got := answer[trips.GeographyTravelTimesAnswer](w, travel.ByGeography(), id, "mode=walk&language=fr").Data
		if got.Homes < 3 || got.Homes > 9 || len(got.Centres) == 0 {
			t.Fatalf("%s: %+v", id, got)
		}
		if own := got.Centres[0]; !own.Own || own.GeogID != servetest.NorthCity || own.Name != "Villenord" ||
			own.Minutes == nil && own.Reason == "" {
			t.Errorf("%s: %+v", id, own)
		}
	}
	measures := answer[trips.GeographyTravelTimesAnswer](w, travel.ByGeography(), servetest.NorthOld, "").Data.Measures
	if id := schemas.TravelMeasures[0].ID; len(measures) != 1 || measures[id] != servetest.Jobs {
		t.Errorf("%v", measures)
	}
	old := answer[trips.GeographyTravelTimesAnswer](w, travel.ByGeography(), servetest.Replaced, "mode=car")
	if old.Meta.Deprecation == nil || old.Meta.Deprecation.ReplacedBy.GeogID != servetest.NorthOld {
		t.Errorf("%+v", old.Meta)
	}
}
