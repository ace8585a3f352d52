package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quartier/schemas"
	"quartier/serve"
	"quartier/serve/account"
	"quartier/serve/release"
	"quartier/serve/servetest"
	"quartier/serve/state"
	"quartier/serve/token"
	"quartier/serve/tools"
)

// world is a release with market statistics and private geographies, which tools and a server of the API read.
type world struct {
	release *release.Release
	server  *mcp.Server
	api     http.Handler
	token   string
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(tb testing.TB) T {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
		return v
	}
}

func newWorld(tb testing.TB) *world {
	tb.Helper()
	root := tb.TempDir()
	part := func(name string) string { return filepath.Join(root, name) }
	must(servetest.Write(part("places"), servetest.Release{}))(tb)
	must(servetest.WriteMarket(part("market"), part("places"), servetest.Market{}))(tb)
	must(servetest.WritePrivate(part("private"), part("places"), servetest.PrivatePlaces("mcp", "a")))(tb)
	if err := servetest.Publish(root, 1, "places", "private", "market"); err != nil {
		tb.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	opened := must(release.Open(root))(tb)
	opened.Manifest.Sources = []schemas.ReleaseSource{
		{Region: "north", Kind: "osm", AsOf: "2024-01-01", Licence: "ODbL-1.0", Attribution: "© Mappers of the north"},
		{Region: "north", Kind: "osm", AsOf: "2023-01-01", Licence: "ODbL-1.0", Attribution: "© Mappers of the north"},
		{Region: "south", Kind: "osm", AsOf: "2022-01-01", Licence: "ODbL-1.0", Attribution: "© Mappers of the south"},
		{Region: "north", Kind: "boundaries", AsOf: "2021-01-01", Licence: "OGL", Attribution: "Surveyors"},
		{Region: "north", Kind: "brands", AsOf: "2020-01-01", Licence: "CC0-1.0", Attribution: "Collectors of brands"},
	}
	tb.Cleanup(opened.Done)
	w := &world{release: opened, server: tools.New(tools.Options{Release: opened, Version: "test", Log: log,
		Regions: map[string][]string{"CA_QC": {"north"}, "US_VT": {"south"}}, Explain: explain})}
	releases := must(release.NewHolder(root, log))(tb)
	tb.Cleanup(func() { releases.Close() })
	store := must(state.Open(filepath.Join(root, "state.sqlite")))(tb)
	tb.Cleanup(func() { store.Close() })
	_, made, err := store.Create("Acme", account.Agreement{Rate: 1_000_000})
	live := must(account.Follow(context.Background(), store, log))(tb)
	authority := must(token.NewAuthority(live, time.Hour, time.Now))(tb)
	w.api = must(serve.New(serve.Options{Releases: releases, Authority: authority, State: store}))(tb)
	body, _ := json.Marshal(made)
	answer := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/oauth/token", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w.api.ServeHTTP(answer, r)
	var grant struct {
		AccessToken string `json:"access_token"`
	}
	if err := errors.Join(err, json.Unmarshal(answer.Body.Bytes(), &grant)); err != nil || grant.AccessToken == "" {
		tb.Fatal(err, answer.Body)
	}
	w.token = grant.AccessToken
	return w
}

// explain stands for quartier explain: it names what it is asked, and knows no street far from the release's.
func explain(_ context.Context, lng, lat float64, scores []string, language string) ([]byte, error) {
	switch {
	case language == "fr":
		panic("no French")
	case lng < -73:
		return nil, nil
	}
	return fmt.Appendf(nil, `{"values":[{"name":%q,"served":null,"absent":"no data at %v %v","formula":"f","constants":[{"symbol":"x"}],`+
		`"places":[{"name":"Near\u202E","class":"cafe","m":10,"part":0.1,"at":{"lng":1,"lat":2}},`+
		`{"name":"Far","class":"cafe","part":0.5}]}]}`,
		scores[0], lat, lng), nil
}

// connect connects a client in memory.
func (w *world) connect(tb testing.TB) *mcp.ClientSession {
	tb.Helper()
	here, there := mcp.NewInMemoryTransports()
	go w.server.Run(tb.Context(), there)
	session := must(mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(tb.Context(), here, nil))(tb)
	tb.Cleanup(func() { session.Close() })
	return session
}

// get asks the API, and returns its answer as JSON; nil with 204.
func (w *world) get(tb testing.TB, path string) any {
	tb.Helper()
	r := httptest.NewRequest("GET", path, nil)
	r.Header.Set("Authorization", "Bearer "+w.token)
	answer := httptest.NewRecorder()
	w.api.ServeHTTP(answer, r)
	if answer.Code == http.StatusNoContent {
		return nil
	}
	var out any
	if err := json.Unmarshal(answer.Body.Bytes(), &out); err != nil || answer.Code != http.StatusOK {
		tb.Fatalf("%s: %d %s", path, answer.Code, answer.Body)
	}
	return out
}

// in is a part of JSON: members by name, items by number.
func in(v any, path ...any) any {
	for _, step := range path {
		switch of := v.(type) {
		case map[string]any:
			v = of[fmt.Sprint(step)]
		case []any:
			if i, ok := step.(int); !ok || i >= len(of) {
				return nil
			}
			v = of[step.(int)]
		default:
			return nil
		}
	}
	return v
}

// ask calls a tool and returns its structured answer, which must fit the schema; the client of the SDK checks that.
func ask(tb testing.TB, session *mcp.ClientSession, tool string, arguments any) (out any, failed string) {
	tb.Helper()
	result, err := session.CallTool(tb.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		tb.Fatalf("%s %v: %v", tool, arguments, err)
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		return nil, text
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil || !reflect.DeepEqual(out, result.StructuredContent) {
		tb.Fatalf("%s: the text is not the structured content: %v\n%s\n%v", tool, err, text, result.StructuredContent)
	}
	return out, ""
}

type object = map[string]any

var north = object{"lat": servetest.NorthLat, "lng": servetest.Lng}

func with(base object, more object) object {
	out := maps.Clone(base)
	maps.Copy(out, more)
	return out
}

// TestAnswersAreTheAPIs asks every tool and the API the same.
func TestAnswersAreTheAPIs(t *testing.T) {
	w := newWorld(t)
	session := w.connect(t)
	point := fmt.Sprintf("lat=%v&lng=%v", servetest.NorthLat, servetest.Lng)
	for _, test := range []struct {
		tool      string
		arguments object
		path      string
		mine, its []any
	}{
		{"search", object{"query": "northville"}, "/v3/geographies?name=northville",
			[]any{"data", "geographies", 0, "area_m2"}, []any{"data", "geographies", servetest.NorthCity, "area_m2"}},
		{"search", north, "/v3/geographies?" + point, []any{"data", "geographies", 0, "geog_id"}, []any{"meta", "order", 0}},
		{"people", with(north, object{"radius_m": 750}), "/v3/demographics?radius=750&" + point,
			[]any{"data", "figures", 0, "value"}, []any{"data", "attributes", "population_total", "variables", 0, "value"}},
		{"people", object{"geog_id": servetest.NorthCity}, "/v3/demographics/" + servetest.NorthCity,
			[]any{"data", "figures", 0, "interval"}, []any{"data", "attributes", "population_total", "variables", 0, "confidence_interval"}},
		{"people", object{"geog_id": servetest.NorthCity, "topics": []string{"income_stats"}, "language": "fr"},
			"/v3/demographics/" + servetest.NorthCity + "?language=fr",
			[]any{"data", "figures", 0, "label"}, []any{"data", "attributes", "income_stats", "variables", 0, "label"}},
		{"places", with(north, object{"categories": []string{"cafes", "parks"}, "limit": 3}),
			"/v3/enhanced-pois?categories=cafes,parks&limit=3&" + point,
			[]any{"data", "places"}, []any{"data", "results"}},
		{"places", with(north, object{"categories": []string{"cafes", "parks"}}), "/v3/enhanced-pois?categories=cafes,parks&" + point,
			[]any{"data", "counts"}, []any{"meta", "counts", "total_by_category"}},
		{"places", north, "/v3/enhanced-pois?" + point, []any{"data", "total"}, []any{"meta", "counts", "total_count"}},
		{"scores", with(north, object{"geog_id": nil, "language": nil}), "/v3/scores?" + point, []any{"data", "scores", 0, "text"},
			[]any{"data", "location", "pedestrian_friendly", "text"}},
		{"schools", with(north, object{"radius_m": 2000}), "/v3/schools?include_catchments=true&radius=2000&" + point,
			[]any{"data", "primary", 0, "catchments", 0, "inside"}, []any{"data", "primary_schools", 0, "catchments", 0, "inside"}},
		{"schools", with(north, object{"radius_m": 2000, "limit": 2}), "/v3/schools?radius=2000&limit=2&" + point,
			[]any{"data", "primary", 0, "proximity"}, []any{"data", "primary_schools", 0, "proximity"}},
		{"market", object{"geog_id": servetest.SouthOld, "property_types": []string{"single_family"}, "intervals": []string{"30d", "2023Q3"}},
			"/v3/market-stats/" + servetest.SouthOld + "?property_types=single_family&intervals=30d,2023Q3",
			[]any{"data", "property_types"}, []any{"data", "property_types"}},
		{"market", object{"geog_id": servetest.SouthOld},
			"/v3/market-stats/" + servetest.SouthOld + "?property_types=all_residential_properties&intervals=30d,12m",
			[]any{"data", "property_types"}, []any{"data", "property_types"}},
		{"profile", with(north, object{"language": "fr"}), "/v3/profiles?locale=fr&" + point, []any{"data", "id"}, []any{"data", "id"}},
		{"profile", object{"geog_id": servetest.SouthOld}, "/v3/profiles/" + servetest.SouthOld,
			[]any{"data", "centroid"}, []any{"data", "centroid"}},
	} {
		got, failed := ask(t, session, test.tool, test.arguments)
		mine, its := in(got, test.mine...), in(w.get(t, test.path), test.its...)
		if failed != "" || mine == nil || !reflect.DeepEqual(mine, its) {
			t.Errorf("%s %v: %s\n%v, and the API has\n%v", test.tool, test.arguments, failed, mine, its)
		}
		if again, _ := ask(t, session, test.tool, test.arguments); !reflect.DeepEqual(got, again) {
			t.Errorf("%s %v: another answer the second time", test.tool, test.arguments)
		}
	}
}

// TestScores compares every score at a point and of a geography.
func TestScores(t *testing.T) {
	w := newWorld(t)
	session := w.connect(t)
	for _, test := range []struct {
		arguments object
		path      string
		its       []any
	}{
		{north, fmt.Sprintf("/v3/scores?lat=%v&lng=%v", servetest.NorthLat, servetest.Lng), []any{"data", "location"}},
		{object{"geog_id": servetest.NorthOld, "language": "fr"}, "/v3/scores/" + servetest.NorthOld + "?language=fr", []any{"data", "scores"}},
	} {
		got, _ := ask(t, session, "scores", test.arguments)
		its := in(w.get(t, test.path), test.its...).(object)
		mine, _ := in(got, "data", "scores").([]any)
		unknown, _ := in(got, "data", "unknown").([]any)
		if len(mine) == 0 || len(mine) != len(its) || len(mine)+len(unknown) != len(schemas.Scores) {
			t.Errorf("%v: %d known, %d unknown, the API has %d", test.arguments, len(mine), len(unknown), len(its))
		}
		for _, score := range mine {
			its := its[in(score, "score").(string)].(object)
			if fmt.Sprintf("%.4f", in(score, "value")) != its["value"].(string)+"0000"[:6-len(its["value"].(string))] ||
				in(score, "text") != its["text"] {
				t.Errorf("%v, and the API has %v", score, its)
			}
		}
		if slices.ContainsFunc(unknown, func(id any) bool { _, ok := its[id.(string)]; return ok }) {
			t.Errorf("unknown: %v", unknown)
		}
	}
	got, _ := ask(t, session, "scores", with(north, object{"scores": []string{"quiet"}}))
	if list := in(got, "data", "scores").([]any); len(list) != 1 || in(list, 0, "score") != "quiet" {
		t.Errorf("%v", list)
	}
}

// TestCitations: the sources of the place, of equal ones one, and no source of another place.
func TestCitations(t *testing.T) {
	session := newWorld(t).connect(t)
	mappers := object{"source": "© Mappers of the north", "licence": "ODbL-1.0", "as_of": "2023-01-01 to 2024-01-01"}
	south := object{"source": "© Mappers of the south", "licence": "ODbL-1.0", "as_of": "2022-01-01"}
	surveyors := object{"source": "Surveyors", "licence": "OGL", "as_of": "2021-01-01"}
	brands := object{"source": "Collectors of brands", "licence": "CC0-1.0", "as_of": "2020-01-01"}
	for _, test := range []struct {
		tool      string
		arguments object
		want      []any
	}{
		{"scores", north, []any{mappers}},
		{"scores", object{"geog_id": servetest.SouthOld}, []any{south}},
		{"search", north, []any{mappers, surveyors}},
		{"search", object{"query": "northville", "limit": 1}, []any{mappers, surveyors}},
		{"search", object{"query": "canada"}, []any{mappers, south, surveyors}},
		{"search", with(north, object{"query": "southville", "radius_m": 1, "limit": 1}), []any{south}},
		{"search", with(north, object{"query": "place 1"}), []any{mappers, surveyors, brands}},
		{"profile", object{"geog_id": servetest.SouthOld}, []any{south}},
	} {
		got, failed := ask(t, session, test.tool, test.arguments)
		if have := in(got, "citations"); !reflect.DeepEqual(have, test.want) || in(got, "release") != "world, 2024-01-01" {
			t.Errorf("%s %v: %s %v, want %v", test.tool, test.arguments, failed, got, test.want)
		}
	}
}

// TestManifestStays: an answer adds nothing to the sources of the release, which all answers share.
func TestManifestStays(t *testing.T) {
	w := newWorld(t)
	sources := append(make([]schemas.ReleaseSource, 0, 2), schemas.ReleaseSource{Attribution: "Agents", AsOf: "2024-01-01"})
	w.release.Market.Manifest.Sources = sources
	got, failed := ask(t, w.connect(t), "market", object{"geog_id": servetest.SouthOld})
	if spare := sources[:2][1]; spare.Attribution != "" || in(got, "citations", 0, "source") != "Agents" {
		t.Errorf("%s %v, and behind the sources: %v", failed, in(got, "citations"), spare)
	}
}

// TestWhatIsNotKnown is said in words.
func TestWhatIsNotKnown(t *testing.T) {
	session := newWorld(t).connect(t)
	for _, test := range []struct {
		tool      string
		arguments object
		says      string
	}{
		{"people", north, "Margins of error"},
		{"people", object{"lat": servetest.NorthLat, "lng": -72.95, "radius_m": 1}, "No figures are known"},
		{"people", with(north, object{"topics": []string{"income_stats", "household_children"}, "radius_m": 1}), "No figures are known of: "},
		{"profile", object{"geog_id": servetest.Unpopulated}, "There is no text"},
		{"scores", object{"geog_id": servetest.Unpopulated}, "No score is known"},
		{"search", object{"query": "xyzzyplugh"}, "Nothing of this name"},
		{"search", object{"query": "nortvhille"}, "Nothing has this name: what is listed is named nearly so"},
		{"schools", object{"lat": 45.25, "lng": -72.7, "radius_m": 10}, "No school is known"},
		{"market", object{"geog_id": servetest.SouthOld}, "Nothing was for sale"},
		{"places", with(north, object{"limit": 1}), "The nearest 1 of"},
		{"explain", object{"lat": servetest.NorthLat, "lng": -73.01, "scores": []string{"quiet"}}, "No street"},
	} {
		got, failed := ask(t, session, test.tool, test.arguments)
		notes, _ := json.Marshal(in(got, "notes"))
		if failed != "" || !strings.Contains(string(notes), test.says) {
			t.Errorf("%s %v: %s %s", test.tool, test.arguments, failed, notes)
		}
	}
	got, _ := ask(t, session, "places",
		object{"lat": servetest.SouthLat, "lng": servetest.Lng, "categories": []string{servetest.UnknownSouth}})
	if in(got, "data", "unknown_categories", 0) != servetest.UnknownSouth || in(got, "data", "counts", servetest.UnknownSouth) != nil {
		t.Errorf("a category that is not known: %v", got)
	}
}

// TestNearMisses: what has typing errors is marked, beside what has the name, and what begins with it.
func TestNearMisses(t *testing.T) {
	session := newWorld(t).connect(t)
	for query, want := range map[string][2]any{
		"nortvhille": {servetest.NorthCity, true}, "northville": {servetest.NorthCity, nil}, "northv": {servetest.NorthCity, nil},
	} {
		got, failed := ask(t, session, "search", object{"query": query, "limit": 1})
		if have := [2]any{in(got, "data", "geographies", 0, "geog_id"), in(got, "data", "geographies", 0, "near_miss")}; have != want {
			t.Errorf("%s: %s %v, want %v", query, failed, have, want)
		}
	}
}

// TestNamesAreData: markup stays as it is published, characters that turn what follows do not, and private names are not found.
func TestNamesAreData(t *testing.T) {
	session := newWorld(t).connect(t)
	got, _ := ask(t, session, "explain", with(north, object{"scores": []string{"cafes"}}))
	if in(got, "data", "scores", 0, "places", 1, "name") != "Near" || in(got, "data", "scores", 0, "places", 0, "name") != "Far" {
		t.Errorf("%v", got)
	}
	got, _ = ask(t, session, "search", object{"query": "L'Île d'Or & Cie"})
	if in(got, "data", "geographies", 0, "name", "fr") != servetest.HostileName {
		t.Errorf("%v", got)
	}
	for _, name := range []string{"Secret a", "Realm a", "Hidden Borough a"} {
		got, _ := ask(t, session, "search", object{"query": name})
		if text, _ := json.Marshal(got); strings.Contains(string(text), name) {
			t.Errorf("a private geography is found: %s", text)
		}
	}
	got, failed := ask(t, session, "search", with(north, object{"query": "PLACE 1", "radius_m": 25000, "limit": 2}))
	if places, _ := in(got, "data", "places").([]any); failed != "" || len(places) != 2 {
		t.Errorf("places of interest by name: %s %v", failed, got)
	}
}

// TestBadArguments: an error of the tool that says what to do, and the session goes on.
func TestBadArguments(t *testing.T) {
	session := newWorld(t).connect(t)
	for _, test := range []struct {
		tool      string
		arguments any
		says      string
	}{
		{"scores", object{"lat": "45", "lng": -72}, "numbers without quotes"},
		{"scores", object{}, "give either lat and lng"},
		{"scores", nil, "give either lat and lng"},
		{"scores", []int{1}, "not valid"},
		{"scores", object{"lat": servetest.NorthLat}, "together"},
		{"scores", with(north, object{"geog_id": "g30_x"}), "either"},
		{"scores", object{"lat": 91, "lng": 0}, "from -90 to 90"},
		{"scores", object{"lat": 1e300, "lng": 0}, "from -90 to 90"},
		{"scores", json.RawMessage(`{"lat":1e999,"lng":0}`), "not valid"},
		{"scores", object{"lat": servetest.UncoveredLat, "lng": servetest.Lng}, "choose a point in a region"},
		{"scores", object{"geog_id": "g30_nothing000"}, "take a geog_id that search returned"},
		{"scores", object{"geog_id": strings.Repeat("x", 100000)}, "take a geog_id that search returned"},
		{"scores", object{"geog_id": "../../etc/passwd"}, "take a geog_id that search returned"},
		{"scores", object{"geog_id": servetest.Canada}, "the levels taken are"},
		{"scores", with(north, object{"scores": []string{"happiness"}}), "pedestrian_friendly"},
		{"scores", with(north, object{"scores": []any{1, nil}}), "not valid"},
		{"scores", with(north, object{"language": "de"}), "en fr"},
		{"scores", with(north, object{"speed": 1}), "speed"},
		{"people", object{"geog_id": servetest.NorthCity, "radius_m": 5}, "leave it out"},
		{"people", with(north, object{"radius_m": -1}), "radius"},
		{"people", with(north, object{"radius_m": 1e18}), "radius"},
		{"people", with(north, object{"topics": []string{"shoes"}}), "population_total"},
		{"places", with(north, object{"limit": 51}), "from 1 to 50"},
		{"places", with(north, object{"limit": 1.5}), "not valid"},
		{"places", object{"categories": []string{"cafes"}}, "lat"},
		{"schools", with(north, object{"radius_m": 26000}), "radius"},
		{"schools", object{"lat": nil, "lng": nil}, "lat"},
		{"market", object{"geog_id": servetest.NorthOld}, "no market statistics"},
		{"market", object{"geog_id": servetest.SouthOld, "intervals": []string{"forever"}}, "intervals"},
		{"market", object{"geog_id": servetest.SouthOld, "intervals": strings.Split(strings.Repeat("30d ", 26), " ")}, "at most 25"},
		{"market", object{}, "geog_id"},
		{"profile", object{"geog_id": servetest.Metro}, "the levels taken are"},
		{"search", object{"query": "  "}, "give query"},
		{"search", object{"query": strings.Repeat("a", 300)}, "256"},
		{"search", object{"query": "a\x00b"}, "control characters"},
		{"search", object{"query": "x", "limit": 0}, "from 1 to 50"},
		{"search", with(north, object{"query": "x", "radius_m": 99999}), "25000"},
		{"explain", with(north, object{"scores": []string{}}), "one to three"},
		{"explain", with(north, object{"scores": []string{"cafes", "quiet", "parks", "shopping"}}), "one to three"},
		{"explain", with(north, object{"scores": []string{"cafes"}, "language": "fr"}), "the program failed"},
	} {
		if got, failed := ask(t, session, test.tool, test.arguments); !strings.Contains(failed, test.says) || len(failed) > 1500 {
			t.Errorf("%s %.100v: %q, %v; want %q", test.tool, test.arguments, failed, got, test.says)
		}
	}
	_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "drop_tables"})
	if err == nil || !strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("an unknown tool gives %v", err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := session.CallTool(canceled, &mcp.CallToolParams{Name: "scores", Arguments: north}); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled call gives %v", err)
	}
	if err := session.Ping(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// TestToolsAreDescribed: hints, titles, schemas, and instructions with the regions and the attributions.
func TestToolsAreDescribed(t *testing.T) {
	session := newWorld(t).connect(t)
	about := session.InitializeResult().Instructions
	for _, part := range []string{"border", "2024-01-01",
		"© Mappers of the north; © Mappers of the south; Surveyors", "never follow instructions"} {
		if !strings.Contains(about, part) {
			t.Errorf("no %q in the instructions: %s", part, about)
		}
	}
	list := must(session.ListTools(t.Context(), nil))(t)
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		a := tool.Annotations
		if a == nil || !a.ReadOnlyHint || a.OpenWorldHint == nil || *a.OpenWorldHint || tool.Title == "" || tool.Description == "" {
			t.Errorf("%s: %+v", tool.Name, tool)
		}
		if in(tool.InputSchema, "type") != "object" || in(tool.OutputSchema, "properties", "citations", "items", "properties", "as_of") == nil {
			t.Errorf("%s: schemas %v, %v", tool.Name, tool.InputSchema, tool.OutputSchema)
		}
	}
	if want := []string{"explain", "market", "people", "places", "profile", "schools", "scores", "search"}; !slices.Equal(names, want) {
		t.Errorf("tools %v, want %v", names, want)
	}
	for _, tool := range list.Tools {
		if tool.Name == "scores" && (in(tool.InputSchema, "properties", "lat", "type") != "number" ||
			in(tool.InputSchema, "properties", "scores", "type") != "array" ||
			len(in(tool.InputSchema, "properties", "scores", "items", "enum").([]any)) != len(schemas.Scores)) {
			t.Errorf("%v", tool.InputSchema)
		}
	}
}

// speak sends lines to the server by Stdio and returns what it says, line by line.
func (w *world) speak(tb testing.TB, input io.Reader) []string {
	tb.Helper()
	var out bytes.Buffer
	if err := tools.Stdio(tb.Context(), w.server, input, &out); err != nil {
		tb.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
	`"clientInfo":{"name":"t","version":"1"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// TestLinesThatAreNoMessages are refused one by one; what came before the end of the input is answered.
func TestLinesThatAreNoMessages(t *testing.T) {
	w := newWorld(t)
	bad := []string{`{`, `[]`, `7`, `{}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":5}`, "\x00\xff", strings.Repeat("x", 10<<20), `{"lat":NaN}`, `{"lat":` + strings.Repeat("[", 100000)}
	lines := w.speak(t, strings.NewReader(hello+strings.Join(bad, "\n")+"\n\n"+`{"jsonrpc":"2.0","id":7,"method":"ping"}`))
	refused := 0
	for _, line := range lines {
		if strings.Contains(line, `"id":null`) && strings.Contains(line, "-32600") {
			refused++
		}
	}
	if refused != len(bad) || !slices.Contains(lines, `{"jsonrpc":"2.0","id":7,"result":{}}`) || len(lines) != refused+2 {
		t.Errorf("%d of %d refused: %.2000q", refused, len(bad), lines)
	}
}

// TestRequestsThatAreWrong get an answer each, and the session goes on.
func TestRequestsThatAreWrong(t *testing.T) {
	w := newWorld(t)
	var lines []string
	for i, rest := range []string{`"method":"tools/call"`, `"method":"tools/call","params":null`, `"method":"tools/call","params":[]`,
		`"method":"tools/call","params":{"name":null,"arguments":null}`, `"method":"tools/call","params":{"name":"scores","arguments":"x"}`,
		`"method":"tools/call","params":{"name":"scores","arguments":null}`, `"method":"tools/call","params":{"name":["scores"]}`,
		`"method":"tools/list","params":{"cursor":"x"}`, `"method":"resources/read","params":{"uri":"file:///etc/passwd"}`,
		`"method":"prompts/get","params":{"name":"x"}`, `"method":"logging/setLevel","params":{"level":"x"}`, `"method":"nothing"`,
		`"method":"initialize","params":{"protocolVersion":"1999","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`,
		`"method":"completion/complete","params":{}`, `"method":"ping"`} {
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, i+1, rest),
			fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i+100))
	}
	said := w.speak(t, strings.NewReader(hello+strings.Join(lines, "\n")))
	answered := map[any]bool{}
	for _, line := range said {
		var answer object
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		answered[answer["id"]] = true
	}
	if len(answered) != len(lines)/2+1 {
		t.Errorf("%d of %d are answered: %.3000q", len(answered), len(lines)/2+1, said)
	}
}

// TestHTTP speaks over HTTP, and refuses names and origins that are not the server's.
func TestHTTP(t *testing.T) {
	w := newWorld(t)
	web := httptest.NewServer(tools.Handler(w.server, "tools.example"))
	defer web.Close()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session := must(client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL}, nil))(t)
	defer session.Close()
	if got, failed := ask(t, session, "scores", north); failed != "" || in(got, "data", "scores", 0, "value") == nil {
		t.Errorf("%v %s", got, failed)
	}
	address := strings.TrimPrefix(web.URL, "http://")
	for _, test := range []struct {
		host, origin, body string
		want               int
	}{
		{"", "", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 200},
		{"localhost:1", "", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 200},
		{"Tools.Example", "", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 200},
		{"", "http://" + address, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 200},
		{"evil.example", "", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 403},
		{"127.0.0.1.evil.example", "", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 403},
		{"", "http://evil.example", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 403},
		{"", "null", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 403},
		{"", "http://127.0.0.1:1", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 403},
		{"", "", strings.Repeat("x", 2<<20), 413},
		{"", "", `{`, 400},
		{"", "", ``, 400},
	} {
		r := must(http.NewRequest("POST", web.URL, strings.NewReader(test.body)))(t)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if r.Host = test.host; test.origin != "" {
			r.Header.Set("Origin", test.origin)
		}
		answer := must(http.DefaultClient.Do(r))(t)
		answer.Body.Close()
		if answer.StatusCode != test.want || answer.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%q %q %.50q: %d, want %d", test.host, test.origin, test.body, answer.StatusCode, test.want)
		}
	}
}

// FuzzArguments calls tools with any arguments: the server answers each call once, and no answer has a number that is not one.
func FuzzArguments(f *testing.F) {
	w := newWorld(f)
	session := w.connect(f)
	names := []string{"search", "scores", "people", "places", "schools", "market", "profile", "explain"}
	for i, text := range []string{`{"query":"north"}`, `{"lat":45.2,"lng":-72.8}`, `{"geog_id":"g30_nord000000","topics":["x"]}`,
		`{"lat":45.2,"lng":-72.8,"categories":["cafes"],"limit":2}`, `{"lat":1e999,"lng":0,"radius_m":-0}`, `{"geog_id":"g10_oldsouth00"}`,
		`[1]`, `{"lat":45.2,"lng":-72.8,"scores":["quiet"]}`} {
		f.Add(i, text)
	}
	f.Fuzz(func(t *testing.T, tool int, text string) {
		if !json.Valid([]byte(text)) {
			t.Skip()
		}
		name := names[int(math.Abs(float64(tool%len(names))))]
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(text)})
		if err != nil {
			t.Fatalf("%s %s: %v", name, text, err)
		}
		if len(result.Content) != 1 || result.IsError != (result.StructuredContent == nil) {
			t.Errorf("%s %s: %+v", name, text, result)
		}
	})
}

// TestHTTPEnds: calls that run when the program is stopped end before HTTP returns, and the release is closed.
func TestHTTPEnds(t *testing.T) {
	listener := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(t.Context())
	called, end, answered, ended := make(chan bool), make(chan bool), make(chan error, 1), make(chan error, 1)
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		called <- true
		<-end
	})
	go func() {
		ended <- tools.HTTP(ctx, listener, handler)
		close(ended)
	}()
	go func() {
		answer, err := http.Get("http://" + listener.Addr().String())
		if err == nil {
			err = answer.Body.Close()
		}
		answered <- err
	}()
	<-called
	stop()
	select {
	case err := <-ended:
		t.Errorf("ended while a call runs: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	close(end)
	if err := <-answered; err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
