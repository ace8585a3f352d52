package serve_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quartier/serve/explore/analysis"
	"quartier/serve/servetest"
)

// analysed is the data of an answer of the explorer.
func analysed[T any](t testing.TB, body string) T {
	t.Helper()
	var m struct{ Data T }
	must(t, json.Unmarshal([]byte(body), &m))
	return m.Data
}

// numberAsText is a score, which the API writes as a text.
var numberAsText = regexp.MustCompile(`"value":"([0-9.]+)"`)

// numberOf is what the API answers of a figure of a geography.
func (x *exploring) numberOf(id, figure string) (value, lower float64, ok bool) {
	category, variable, isPeople := strings.Cut(figure, ".")
	var answer struct {
		Data struct {
			Scores     map[string]struct{ Value json.Number }
			Attributes map[string]struct {
				Variables []struct {
					Variable string
					Value    float64
					Interval struct{ Lower float64 } `json:"confidence_interval"`
				}
			}
		}
	}
	path := map[bool]string{true: "demographics", false: "scores"}[isPeople]
	got := x.ask("GET", "/explore/api/"+path+"/"+id)
	if got.status != 200 {
		return 0, 0, false
	}
	must(x.t, json.Unmarshal(numberAsText.ReplaceAll([]byte(got.body), []byte(`"value":$1`)), &answer))
	if !isPeople {
		value, err := answer.Data.Scores[figure].Value.Float64()
		return value, 0, err == nil
	}
	for _, v := range answer.Data.Attributes[category].Variables {
		if v.Variable == variable {
			return v.Value, v.Interval.Lower, true
		}
	}
	return 0, 0, false
}

// TestExplorerContext compares the figures beside each other with what the API answers of each geography, for accounts of several
// agreements, which get no figure that the API refuses them.
func TestExplorerContext(t *testing.T) {
	ids := []string{servetest.NorthOld, servetest.SouthOld, servetest.Replaced, servetest.NorthCity, servetest.Metro, servetest.Canada,
		"g10_nowhere000", privatePlaces()[0].ID}
	for _, customer := range []string{"globex", "quebec", "us", "elsewhere", "acme", "pois", "quiet"} {
		x := explorerOf(t, customer)
		x.enter()
		for _, id := range ids {
			got, api := x.ask("GET", "/explore/context?geog_id="+id), x.ask("GET", "/explore/api/geographies/"+id)
			checkGuards(t, id, got.header)
			if got.status != api.status || got.status != 200 && got.body != api.body {
				t.Errorf("%s as %s: %d %.200s, and the API %d %.200s", id, customer, got.status, got.body, api.status, api.body)
			}
			if got.status == 200 {
				x.checkContext(customer, analysed[analysis.Context](t, got.body))
			}
		}
	}
}

func (x *exploring) checkContext(customer string, c analysis.Context) {
	x.t.Helper()
	for figure, one := range c.Figures {
		if strings.HasPrefix(figure, "market.") {
			continue
		}
		ids, numbers := []string{c.GeogID}, append([]*analysis.Number{one.Own}, one.Beside...)
		for _, area := range c.Beside {
			ids = append(ids, area.GeogID)
		}
		for n, id := range ids {
			if id == privatePlaces()[0].ID && numbers[n] == nil {
				continue // the page has its figures by the API
			}
			if value, _, ok := x.numberOf(id, figure); ok != (numbers[n] != nil) || ok && math.Abs(value-numbers[n].Value) > 1e-9 {
				x.t.Errorf("%s of %s as %s: %+v, and the API %v", figure, id, customer, numbers[n], value)
			}
		}
		if one.Rank != nil && one.Rank.Count < analysis.MinPeers {
			x.t.Errorf("%s of %s: a rank among %d", figure, c.GeogID, one.Rank.Count)
		}
	}
}

// TestExplorerAreas compares the areas of the world with what the API answers of each, and asks as accounts that may not.
func TestExplorerAreas(t *testing.T) {
	const world = "&bbox=-180,-90,180,90"
	for customer, want := range map[string][2]int{"globex": {200, 200}, "quebec": {200, 200}, "pois": {403, 403}, "quiet": {403, 403}} {
		x := explorerOf(t, customer)
		x.enter()
		for n, figure := range []string{"cafes", "population_total.total_individuals"} {
			got := x.ask("GET", "/explore/areas?level=30&figure="+figure+world)
			checkGuards(t, figure, got.header)
			if got.status != want[n] {
				t.Errorf("%s as %s: %d %.300s", figure, customer, got.status, got.body)
			}
			if got.status != 200 {
				continue
			}
			areas := analysed[analysis.Areas](t, got.body)
			for _, area := range areas.Areas {
				if value, _, ok := x.numberOf(area.GeogID, figure); !ok || math.Abs(value-area.Value) > 1e-9 {
					t.Errorf("%s of %s as %s: %v, and the API %v %v", figure, area.GeogID, customer, area.Value, value, ok)
				}
			}
			if areas.Count == 0 || len(areas.Areas)+len(areas.Unknown) != areas.Count {
				t.Errorf("%s as %s: %.300s", figure, customer, got.body)
			}
		}
	}
	x := explorerOf(t, "globex")
	x.enter()
	for _, query := range []string{"", "level=30", "level=60&figure=cafes" + world, "level=31&figure=cafes" + world,
		"level=030&figure=cafes" + world,
		"level=30&figure=nothing" + world, "level=30&figure=" + world, "level=30&figure=cafes&bbox=1,2,3", "level=30&figure=cafes&bbox=NaN,0,1,1",
		"level=30&figure=cafes&bbox=5,0,-5,1", "level=x&level=10&figure=cafes" + world} {
		if got := x.ask("GET", "/explore/areas?"+query); got.status != 400 {
			t.Errorf("%q: %d %.200s", query, got.status, got.body)
		}
	}
	if x.cookie = ""; x.ask("GET", "/explore/areas?level=30&figure=cafes"+world).status != 401 {
		t.Error("areas without a session")
	}
}

// TestExplorerRings asks for streets around a street of the release, far from all, and as an account that may not.
func TestExplorerRings(t *testing.T) {
	x := explorerOf(t, "globex")
	x.enter()
	at := fmt.Sprintf("lat=%v&lng=%v", servetest.NorthLat, servetest.Lng)
	got := x.ask("GET", "/explore/rings?minutes=5,10,20&"+at)
	checkGuards(t, at, got.header)
	if got.status != 200 {
		t.Fatalf("%d %.300s", got.status, got.body)
	}
	rings := analysed[analysis.Rings](t, got.body)
	if len(rings.Bands) != 3 || len(rings.Bands[0].Lines) == 0 || rings.Bands[0].M <= 0 || rings.MetresPerMinute != 80 {
		t.Fatalf("%.500s", got.body)
	}
	for _, band := range rings.Bands {
		for _, line := range band.Lines {
			lng, lat := float64(line[0])/1e5, float64(line[1])/1e5
			if len(line) < 4 || math.Abs(lng-servetest.Lng) > 0.03 || math.Abs(lat-servetest.NorthLat) > 0.02 {
				t.Errorf("a line from %v, %v", lat, lng)
			}
		}
	}
	if far := x.ask("GET", "/explore/rings?minutes=5&lat=0&lng=0"); far.status != x.ask("GET", "/explore/api/scores?lat=0&lng=0").status {
		t.Errorf("far away: %d %s", far.status, far.body)
	}
	for _, minutes := range []string{"", "0", "5,5", "10,5", "31", "1,2,3,4,5,6,7", "5,", "5.5", "-5", "+5", "٥", strings.Repeat("1", 100)} {
		if got := x.ask("GET", "/explore/rings?minutes="+url.QueryEscape(minutes)+"&"+at); got.status != 400 {
			t.Errorf("minutes %q: %d %.200s", minutes, got.status, got.body)
		}
	}
	pois := explorerOf(t, "pois")
	pois.enter()
	want := pois.ask("GET", "/explore/api/scores?"+at).status
	if got := pois.ask("GET", "/explore/rings?minutes=5&"+at); got.status != want || want < 400 {
		t.Errorf("without scores: %d %s", got.status, got.body)
	}
}

// TestExplorerHostileAnalysis asks for the figures of what is no geography, no figure and no box.
func TestExplorerHostileAnalysis(t *testing.T) {
	x := explorerOf(t, "globex")
	x.enter()
	web := x.servers()["customers"]
	for kind, value := range hostileValues {
		value = strings.ReplaceAll(value, " ", "%20")
		for _, query := range []string{"context?geog_id=", "context?geog_id=g30_", "areas?level=30&bbox=-1,-1,1,1&figure=",
			"areas?level=30&figure=cafes&bbox=",
			"areas?figure=cafes&bbox=-1,-1,1,1&level=", "rings?lat=45&lng=-72&minutes=", "rings?minutes=5&lng=-72&lat="} {
			got := x.raw(web, "GET /explore/"+query+value+" HTTP/1.1\r\nHost: %H\r\nCookie: %C\r\n\r\n")
			if got == nil {
				t.Fatalf("%s as %.60q: no answer", kind, query)
			}
			if !slices.Contains([]int{400, 404, 431}, got.status) || got.header.Get("X-Injected") != "" {
				t.Errorf("%s as %.60q: %d %v %.200s", kind, query, got.status, got.header, got.body)
			}
		}
	}
}
