package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/fixtures"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/serve"
	"quartier/serve/examples"
)

// recorded are the requests whose answers the OpenAPI document has as examples: one that succeeds, and variants that are
// answered 400, 404 and 422, "" where the operation has no such answer.
type recorded struct{ good, bad, none, outside string }

// TestExamples compares the examples of the OpenAPI document with the answers of a server; -update rewrites them.
func TestExamples(t *testing.T) {
	release := filepath.Join(townsDir(t), "first")
	s := startServer(t, publishedTowns(t))
	made, token := s.account(t)
	_, other := s.account(t, "--products", "profiles")
	_, withoutProfiles := s.account(t, "--products", "pois")

	point := fixtures.DemoPoint()
	at := fmt.Sprintf("lat=%v&lng=%v", point.Lat, point.Lng)
	from := fmt.Sprintf("from=%v,%v", point.Lat, point.Lng)
	to := fmt.Sprintf("%v,%v", point.Lat+0.006, point.Lng+0.004)
	const sea, range422 = "lat=10&lng=10", "lat=91&lng=0"
	quarter, city := geogID(t, release, "saint-aubin:quartier:Q01"), geogID(t, release, "census:place:5056350")
	metro := rows(t, filepath.Join(release, schemas.GeographiesFile), "SELECT geog_id FROM geography WHERE level = 40 ORDER BY geog_id")[0][0]
	cell := geo.Geohash(orb.Point{point.Lng, point.Lat}, 7)
	for operation, r := range map[string]recorded{
		"findGeographies": {"?" + at + "&levels=10,30", "?lat=45", "?" + sea, "?" + range422},
		"getGeography":    {"/" + quarter, "/" + quarter + "?include=centroid", "/g10_unknown", ""},
		"findEnhancedPois": {"?" + at + "&radius=400&categories=cafes,restaurants&limit=2", "?" + at + "&categories=cafe", "?" + sea,
			"?" + range422},
		"findEnhancedPoisOfGeography": {"/" + quarter + "?buffer=100&categories=parks&limit=2", "/" + quarter + "?buffer=10001", "/" + metro, ""},
		"listCategories":              {"?language=fr", "?language=es", "", ""},
		"listBrands":                  {"?language=en", "?language=es", "", ""},
		"listTags":                    {"?language=en", "?language=es", "", ""},
		"findPois": {"?" + at + "&radius=500&include=cafes,parks&limit=2", "?" + at, "?include=cafes&" + sea,
			"?include=cafes&" + range422},
		"getScores": {"?" + at + "&geography_levels=10,30&include=cafes,quiet", "?" + at + "&include=charm", "?" + sea,
			"?include=quiet"},
		"getGeographyScores":       {"/" + quarter + "?language=en", "/" + quarter + "?language=es", "/g10_unknown", ""},
		"getTypology":              {"?" + at, "?lat=45", "?" + sea, "?" + range422},
		"getCellTypology":          {"/" + cell, "/" + cell[:6], "/s000000", ""},
		"getDemographics":          {"?" + at + "&radius=800", "?" + at + "&radius=0", "?" + sea, "?" + range422},
		"getGeographyDemographics": {"/" + city, "/" + city + "?language=es", "/g10_unknown", ""},
		"getProfileAtPoint":        {"?" + at + "&level=10", "?" + at + "&level=40", "?" + sea, "?" + range422},
		"getProfile":               {"/" + quarter + "?locale=fr", "/" + quarter + "?locale=es", "/g10_unknown", ""},
		"getMarketStats": {"/" + city + "?property_types=single_family&intervals=30d,2024Q4", "/" + city + "?intervals=7d",
			"/" + quarter, ""},
		"getMarketStatus": {"", "", "", ""},
		"getStatus":       {"", "", "", ""},
		"findSchools":     {"?" + at + "&limit=2&include_catchments=true", "?" + at + "&limit=31", "?" + sea, "?" + range422},
		"getTravelTimes": {"?" + from + "&to=" + to + "&mode=transit&legs=true", "?" + from + "&mode=walk",
			"?from=47.5,-77.5&to=" + to + "&mode=walk", ""},
		"getGeographyTravelTimes": {"/" + city + "?mode=walk", "/" + city + "?mode=boat", "/g10_unknown?mode=walk", ""},
		"getReach": {"?" + at + "&mode=walk&minutes=5,10&include=people,schools", "?" + at + "&mode=walk&minutes=0",
			"?mode=walk&lat=47.5&lng=-77.5", "?mode=walk&" + range422},
		"getSnapshot": {"?" + at + "&include=demographics,measures_all,pois_count,scores_all", "?" + at,
			"?include=scores_all&" + sea, "?include=scores_all&" + range422},
	} {
		path := pathOfOperation(t, operation)
		e := &example{t: t, s: s}
		e.get(token, path+r.good, http.StatusOK)
		e.Request = path + r.good
		stranger := other
		if strings.HasPrefix(path, "/v3/profiles") {
			stranger = withoutProfiles
		}
		if operation != "getStatus" { // which every agreement covers
			e.get(stranger, path+r.good, http.StatusUnauthorized)
		}
		for status, query := range map[int]string{400: r.bad, 404: r.none, 422: r.outside} {
			if query != "" {
				e.get(token, path+query, status)
			}
		}
		e.check(operation)
	}
	for operation, path := range map[string]string{"getKeys": "/.well-known/jwks.json", "getHealth": "/healthz", "getReadiness": "/readyz"} {
		e := &example{t: t, s: s}
		e.get("", path, http.StatusOK)
		e.Request = path
		e.check(operation)
	}
	e := &example{t: t, s: s}
	for status, body := range map[int]string{
		200: fmt.Sprintf(`{"client_id":%q,"client_secret":%q}`, made.ClientID, made.ClientSecret),
		400: fmt.Sprintf(`{"client_id":%q}`, made.ClientID), 401: fmt.Sprintf(`{"client_id":%q,"client_secret":"wrong"}`, made.ClientID),
	} {
		request, err := http.NewRequest(http.MethodPost, s.base+"/oauth/token", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		e.send(request, status)
	}
	e.Request = "/oauth/token"
	e.check("createToken")
}

// pathOfOperation is the path of an operation in the OpenAPI document, without its variable.
func pathOfOperation(t *testing.T, operation string) string {
	t.Helper()
	text, err := serve.Document()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for path, methods := range document.Paths {
		for _, o := range methods {
			if o.OperationID == operation {
				before, _, _ := strings.Cut(path, "/{")
				return before
			}
		}
	}
	t.Fatalf("the document has no operation %s", operation)
	return ""
}

// example is an example that is being recorded.
type example struct {
	examples.Example
	t    *testing.T
	s    *server
	last []byte // body of the last answer
}

func (e *example) get(token, path string, want int) {
	e.t.Helper()
	request, err := http.NewRequest(http.MethodGet, e.s.base+path, nil)
	if err != nil {
		e.t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	e.send(request, want)
}

// send records the answer to a request.
func (e *example) send(request *http.Request, want int) {
	e.t.Helper()
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		e.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != want {
		e.t.Fatalf("%s: %d, want %d: %s: %v", request.URL, answer.StatusCode, want, body, err)
	}
	if e.Answers == nil {
		e.Answers = map[string]json.RawMessage{}
	}
	e.last = body
	e.Answers[strconv.Itoa(want)] = withoutSecrets(e.t, body)
}

// withoutSecrets replaces what is different in every run: tokens, keys, random ids, times and the digest of the release.
func withoutSecrets(t *testing.T, body []byte) json.RawMessage {
	t.Helper()
	fixed := map[string]any{
		"access_token": "eyJhbGciOiJFZERTQSIsImtpZCI6IjEifQ.eyJzdWIiOiJxY19leGFtcGxlIn0.c2lnbmF0dXJl",
		"kid":          "2t5yqk3vxbzq", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "digest": strings.Repeat("0", 64),
		"geo_entity_id": exampleID, "updated_at": "2026-01-01T12:00:00.123456Z", "at": "2026-01-01T12:00:00.123456Z",
		"age_seconds": 0.4,
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatal(err)
	}
	var replace func(any)
	replace = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				if other, ok := fixed[name]; ok {
					v[name] = other
				} else {
					replace(member)
				}
			}
		case []any:
			for _, item := range v {
				replace(item)
			}
		}
	}
	replace(value)
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// check compares the example with the file of the operation.
func (e *example) check(operation string) {
	e.t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(e.Example); err != nil {
		e.t.Fatal(err)
	}
	file := filepath.Join("..", "..", "serve", "examples", operation+".json")
	if *update {
		if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
			e.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		e.t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		e.t.Errorf("%s; check it, then run make client (-want +got):\n%s", file, diff)
	}
}
